//===- Print.cpp - Print the module ---------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the Printer of room Text on standard error, where all dumps go.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Print/Printer.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class Print : public PrintBase<Print> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &Ctx) override {
    printModule(M, Ctx.getOutput());
    return preserved(false);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createPrintPass() {
  return std::make_unique<Print>();
}
