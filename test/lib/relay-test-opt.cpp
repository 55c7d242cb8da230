//===- relay-test-opt.cpp - relay-opt with passes that do wrong -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built for the tests and not installed.
//
//===----------------------------------------------------------------------===//

#include "TestPassRuns.h"
#include "TestPasses.h"
#include "relay/Driver/Opt/RelayOptMain.h"

static void registerInstrumentations(relay::InstrumentationList &List) {
  List.add<relay::test::TestPassRuns>();
}

int main(int Argc, char **Argv) {
  relay::Extension E;
  E.RegisterPasses = relay::test::registerTestPasses;
  E.RegisterInstrumentations = registerInstrumentations;
  return relay::relayOptMain(Argc, Argv, E);
}
