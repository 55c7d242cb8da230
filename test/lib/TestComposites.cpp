//===- TestComposites.cpp - Composites of patterns in TableGen ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass test-composites: the pattern table of a backend, as docs/Patterns.md
// shows it.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"
#include "relay/Pattern/Composite/CompositePass.h"

#include "TestRules.h.inc"

namespace relay::test {

namespace {

std::vector<CompositePattern> getTestTable() {
  std::vector<CompositePattern> Table;
  for (NamedPattern &Each : getTestRulesPatterns())
    Table.emplace_back(std::move(Each));
  Table[1].Check = [](Operation *Root) {
    return cast<SoftmaxOp>(Root).attrs().axis() == -1;
  };
  return Table;
}

class TestComposites final
    : public CompositePass<TestCompositesBase<TestComposites>> {
public:
  TestComposites() : CompositePass(getTestTable()) {}
};

} // namespace

std::unique_ptr<Pass> createTestCompositesPass() {
  return std::make_unique<TestComposites>();
}

} // namespace relay::test
