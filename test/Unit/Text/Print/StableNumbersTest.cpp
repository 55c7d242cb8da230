//===- StableNumbersTest.cpp - Numbers that are stable in prints ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Print/StableNumbers.h"
#include "relay/IR/Rewriter.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class StableNumbersTest : public testing::Test {
protected:
  StableNumbersTest() { registerAllOps(Ctx); }

  /// Reads a function with \p Body and the parameter %x.
  void read(StringRef Body) {
    std::string Text = "#[version = \"0.0.5\"]\n"
                       "def @main(%x: Tensor[(2), float32]) {\n" +
                       Body.str() + "}\n";
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "test"), Ctx);
    ASSERT_TRUE(M);
    F = M->lookupFunction("main");
  }
  /// Returns the lines of the body, without types.
  std::string print() {
    PrintOptions O = PrintOptions::forDumps();
    O.Numbers = &Numbers;
    O.Types = false;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printFunction(*F, OS, O);
    StringRef Body = StringRef(Text).split("{\n").second;
    return Body.drop_back(2).str(); // the closing brace
  }
  /// Returns the operation \p Name.
  Operation *get(StringRef Name) {
    for (Operation &Op : F->getBody())
      if (Op.getName() == Name)
        return &Op;
    return nullptr;
  }
  Operation *create(Rewriter &R, StringRef Name, Value *Operand) {
    return R.createOperation(*Ctx.lookupOp(Name), Operand);
  }
  /// Replaces the tanh by \p Name of the log of its operand.
  void replaceTanh(StringRef Name) {
    Rewriter R(*F);
    Operation *Tanh = get("tanh");
    R.setInsertionPoint(Tanh);
    Operation *Log = create(R, "log", Tanh->getOperand(0));
    R.replaceOp(Tanh, create(R, Name, Log));
    F->normalize();
  }

  Context Ctx;
  std::unique_ptr<Module> M;
  Function *F = nullptr;
  StableNumbers Numbers;
};

} // namespace

static constexpr StringLiteral Chain = "  %0 = exp(%x);\n"
                                       "  %1 = tanh(%0);\n"
                                       "  %2 = nn.relu(%1);\n"
                                       "  sqrt(%2)\n";

TEST_F(StableNumbersTest, FirstPrintCounts) {
  read(Chain);
  EXPECT_EQ(print(), Chain);
  EXPECT_EQ(print(), Chain);
}

/// Values at unknown locations, which only the variable identifies.
TEST_F(StableNumbersTest, OthersKeepTheirNamesWhenOneIsNew) {
  read("  let %a = exp(%x);\n"
       "  let %a = tanh(%a);\n"
       "  let %a = sqrt(%a);\n"
       "  %a\n");
  for (Operation &Op : F->getBody())
    Op.setLoc(Location());
  EXPECT_EQ(print(), "  let %a = exp(%x);\n"
                     "  let %a1 = tanh(%a);\n"
                     "  let %a2 = sqrt(%a1);\n"
                     "  %a2\n");
  Rewriter R(*F);
  R.replaceOp(get("exp"), F->getParams()[0]);
  F->normalize();
  EXPECT_EQ(print(), "  let %a3 = %x;\n"
                     "  let %a1 = tanh(%a3);\n"
                     "  let %a2 = sqrt(%a1);\n"
                     "  %a2\n");
}

TEST_F(StableNumbersTest, OthersKeepTheirNumbersWhenOneGoes) {
  read(Chain);
  print();
  Rewriter R(*F);
  Operation *Tanh = get("tanh");
  R.replaceOp(Tanh, Tanh->getOperand(0));
  F->normalize();
  EXPECT_EQ(print(), "  %0 = exp(%x);\n"
                     "  %2 = nn.relu(%0);\n"
                     "  sqrt(%2)\n");
}

TEST_F(StableNumbersTest, NewOnesGetNumbersThatNoneHad) {
  read(Chain);
  print();
  replaceTanh("sin");
  EXPECT_EQ(print(), "  %0 = exp(%x);\n"
                     "  %3 = log(%0);\n"
                     "  %4 = sin(%3);\n"
                     "  %2 = nn.relu(%4);\n"
                     "  sqrt(%2)\n");
}

TEST_F(StableNumbersTest, SameKindAtSamePlaceIsTheSame) {
  read(Chain);
  print();
  replaceTanh("tanh");
  EXPECT_EQ(print(), "  %0 = exp(%x);\n"
                     "  %3 = log(%0);\n"
                     "  %1 = tanh(%3);\n"
                     "  %2 = nn.relu(%1);\n"
                     "  sqrt(%2)\n");
}

TEST_F(StableNumbersTest, AnotherFunctionWithTheSameText) {
  read(Chain);
  print();
  auto Copy = std::make_unique<Function>(Ctx, F->getName(), F->getLoc());
  Copy->cloneFrom(*F);
  Copy->normalize();
  auto Old = M->takeFunction(F);
  F = M->addFunction(std::move(Copy));
  EXPECT_EQ(print(), Chain);
}

/// Parameters of closures share one name and differ by numbers, which remain
/// when one of them is erased, independent of the order of printing.
TEST_F(StableNumbersTest, NamesThatOnlyNumber) {
  for (StringRef Gone : {"exp", "tanh"}) {
    Numbers = StableNumbers();
    read("  %0 = fn (%p: Tensor[(2), float32]) {\n    exp(%p)\n  };\n"
         "  %1 = fn (%p: Tensor[(2), float32]) {\n    tanh(%p)\n  };\n"
         "  %2 = %0(%x);\n"
         "  %1(%2)\n");
    auto GetName = [](StringRef Text, StringRef Op) {
      return Text.split((Op + "(").str()).second.split(')').first.str();
    };
    StringRef Stays = Gone == "exp" ? "tanh" : "exp";
    std::string Name = GetName(print(), Stays);
    EXPECT_NE(Name, GetName(print(), Gone));
    Rewriter R(*F);
    // %2 is the first call, the result the last.
    Operation *First = get("relay.call");
    Operation *Last = F->getBody().getResult()->getDefiningOp();
    Operation *Call = Gone == "exp" ? First : Last;
    ASSERT_TRUE(R.startRewrite("test", Call));
    Value *Input = F->getParams()[0];
    R.replaceOp(Call, Gone == "exp" ? Input : First);
    F->normalize();
    std::string After = print();
    EXPECT_EQ(GetName(After, Stays), Name) << After;
    EXPECT_FALSE(StringRef(After).contains(Gone)) << After;
  }
}
