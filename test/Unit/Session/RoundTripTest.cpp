//===- RoundTripTest.cpp - Modules that do not read back ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader with a different result represents text that loses information.
//
//===----------------------------------------------------------------------===//

#include "relay/Session/RoundTrip.h"
#include "relay/IR/Context.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace relay;

namespace {

class RoundTripTest : public testing::Test {
protected:
  RoundTripTest() {
    registerAllOps(Ctx);
    registerAllOps(Other);
    Ctx.getDiagnostics().pushHandler([this](const Diagnostic &D) {
      Messages += D.Message + "\n";
      for (const Diagnostic &Note : D.Notes)
        Messages += "note: " + Note.Message + "\n";
      return true;
    });
  }

  std::unique_ptr<Module> parse(Context &In, StringRef Body) {
    return parseModule(
        llvm::MemoryBuffer::getMemBufferCopy(
            ("#[version = \"0.0.5\"]\ndef @main(%x: float32) {" + Body + "}\n")
                .str(),
            "test"),
        In);
  }
  /// Returns the diagnostics for \p Body if its printed form reads back as \p
  /// Again. Applies \p Change to the module that is read.
  std::string check(
      StringRef Body, std::optional<StringRef> Again,
      function_ref<void(Module &)> Change = [](Module &) {}) {
    std::unique_ptr<Module> M = parse(Ctx, Body);
    LogicalResult Result = verifyRoundTrip(
        *M, /*Typed=*/false, [&](std::unique_ptr<llvm::MemoryBuffer> Text) {
          Printed = Text->getBuffer().str();
          std::unique_ptr<Module> Read = Again ? parse(Other, *Again) : nullptr;
          if (Read)
            Change(*Read);
          return Read;
        });
    EXPECT_EQ(succeeded(Result), Messages.empty());
    return Messages;
  }

  Context Ctx, Other;
  std::string Messages, Printed;
};

TEST_F(RoundTripTest, Same) {
  EXPECT_EQ(check("add(%x, 1f)", "add(%x, 1f)"), "");
  EXPECT_EQ(Printed, "#[version = \"0.0.5\"]\n"
                     "def @main(%x: float32) {\n"
                     "  add(%x, 1f)\n"
                     "}\n");
}

TEST_F(RoundTripTest, OtherText) {
  EXPECT_EQ(check("add(%x, 1f)", "add(%x, 2f)"),
            "the printed module prints differently after it is read back, from "
            "line 3 on\n"
            "note: printed first:   add(%x, 1f)\n"
            "note: printed again:   add(%x, 2f)\n");
}

TEST_F(RoundTripTest, OtherTextIsLonger) {
  EXPECT_EQ(check("%x", "%x} def @more(%x: float32) {%x"),
            "the printed module prints differently after it is read back, from "
            "line 6 on\n"
            "note: printed first: \n"
            "note: printed again: def @more(%x1: float32) {\n");
}

/// All NaNs are printed as `nanf`.
TEST_F(RoundTripTest, SameTextOfAnotherFunction) {
  auto SetAlpha = [](Module &M) {
    uint64_t Bits = 0x7ff8000000000001;
    double Alpha;
    std::memcpy(&Alpha, &Bits, sizeof(Alpha));
    Operation &Op = *M.lookupFunction("main")->getBody().begin();
    Op.setAttrsRaw(LeakyReluAttrs::get(M.getContext(), Alpha));
  };
  StringRef Body = "nn.leaky_relu(%x, alpha=nanf)";
  EXPECT_EQ(check(Body, Body), "");
  EXPECT_EQ(check(Body, Body, SetAlpha),
            "the printed module reads back differently: @main is not the same "
            "function\n");
}

TEST_F(RoundTripTest, Unreadable) {
  EXPECT_EQ(check("%x", std::nullopt),
            "the printed module does not read back\n");
}

} // namespace
