//===- TestPasses.h - Passes that do wrong ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TestPasses.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_LIB_TESTPASSES_H
#define RELAY_TEST_LIB_TESTPASSES_H

#include "relay/IR/Rewriter.h"
#include "relay/Pass/PassManager.h"

namespace relay::test {

#include "TestPasses.h.inc"

/// Adds the passes to \p Registry.
void registerTestPasses(PassRegistry &Registry);

} // namespace relay::test

#endif // RELAY_TEST_LIB_TESTPASSES_H
