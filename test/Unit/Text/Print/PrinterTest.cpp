//===- PrinterTest.cpp - Printing that no option reaches ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/IR/Rewriter.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Ops/Tensor.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/OperationPrinter.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {
class PrinterTest : public testing::Test {
protected:
  PrinterTest() { registerAllOps(Ctx); }

  std::unique_ptr<Module> parse(StringRef Text, ParserOptions O = {}) {
    return parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "test.relay"),
                       Ctx, O);
  }
  static std::string print(Module &M, PrintOptions O = {}) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printModule(M, OS, O);
    return Text;
  }
  static std::string dump(Function &F) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printFunction(F, OS);
    return Text;
  }
  static std::string print(const Operation &Op) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printOperation(Op, OS);
    return Text;
  }

  Context Ctx;
};
} // namespace

#ifndef NDEBUG
TEST_F(PrinterTest, NamesAreInterned) {
  auto M = parse("def @main(%x: int32) { %x }");
  ASSERT_TRUE(M);
  std::string Own = "x";
  M->lookupFunction("main")->getParams()[0]->setName(Own);
  EXPECT_DEATH((void)print(*M), "a name that is not interned");
}
#endif

TEST_F(PrinterTest, Spans) {
  auto M = parse("def @main(%x: int32 /* ty=int32 span=a.py:1:2 */) {\n"
                 "  %0 = exp(%x) /* ty=int32 span=a.py:3:4 */;\n"
                 "  let %y = (%0, 2f /* span=a.py:5:6 */);\n"
                 "  %y.0\n"
                 "}\n");
  ASSERT_TRUE(M);
  PrintOptions O;
  O.Types = false;
  EXPECT_EQ(print(*M, O), "#[version = \"0.0.5\"]\n"
                          "def @main(%x: int32) {\n"
                          "  %0 = exp(%x);\n"
                          "  let %y = (%0, 2f);\n"
                          "  %y.0\n"
                          "}\n");
  O.Spans = true;
  EXPECT_EQ(print(*M, O),
            "#[version = \"0.0.5\"]\n"
            "def @main(%x: int32 /* span=a.py:1:2 */) {\n"
            "  %0 = exp(%x) /* span=a.py:3:4 */;\n"
            "  let %y = (%0, 2f /* span=a.py:5:6 */) /* span=test.relay:3:12 "
            "*/;\n"
            "  %y.0 /* span=test.relay:4:3 */\n"
            "}\n");
}

/// A dump contains one function, numbered from 0, without metadata. It reads
/// back if undefined names are allowed.
TEST_F(PrinterTest, Dumps) {
  auto M = parse("def @first(%x: float32) { %0 = exp(%x); (%0, 1f) }\n"
                 "def @main(%x: float32) { %0 = exp(%x); @first(%0) }\n");
  ASSERT_TRUE(M);
  Builder B(M->lookupFunction("main")->getBody());
  Block &Body = M->lookupFunction("main")->getBody();
  TensorType *Small = Ctx.getTensorType(ArrayRef<int64_t>{3}, DType::getInt(8));
  TensorType *Large =
      Ctx.getTensorType(ArrayRef<int64_t>{65}, DType::getBool());
  auto MakeConstant = [&](TensorType *T, ArrayRef<char> Bytes) {
    return B.create<ConstantOp>(Ctx.getConstant(T, Bytes));
  };
  Operation *Split =
      B.create<SplitOp>(MakeConstant(Small, {1, -2, 3}), Ctx.getInt(3));
  std::vector<char> Zeros(65);
  Operation *Tuple = B.create<TupleOp>(
      ArrayRef<Value *>({Body.getResult(), Split, MakeConstant(Large, Zeros)}));
  Body.setResultRaw(Tuple);
  M->normalize();
  std::string Text = dump(*M->lookupFunction("main"));
  EXPECT_TRUE(StringRef(Text).starts_with("def @main(%x: float32 "));
  EXPECT_TRUE(StringRef(Text).contains("%0 = exp(%x);\n"));
  EXPECT_TRUE(StringRef(Text).contains(
      "split(meta[relay.Constant][0] /* [1, -2, 3] ty=Tensor[(3), int8] */, "
      "indices_or_sections=3)"));
  EXPECT_TRUE(StringRef(Text).contains(
      "meta[relay.Constant][1] /* elided: Tensor[(65), bool] */"));
  EXPECT_FALSE(StringRef(Text).contains("#["));

  ParserOptions Loose;
  Loose.AllowUndefinedGlobals = true;
  auto Again = parse(Text, Loose);
  ASSERT_TRUE(Again);
  // Few elements are read from the comment; elided constants remain elided.
  std::string Second = dump(*Again->lookupFunction("main"));
  EXPECT_TRUE(StringRef(Second).contains(
      "meta[relay.Constant][0] /* [1, -2, 3] ty=Tensor[(3), int8] */"));
  EXPECT_TRUE(StringRef(Second).contains("elided: Tensor[(65), bool]"));
}

TEST_F(PrinterTest, Operations) {
  auto M = parse("def @main(%x: float32, %c: bool) {\n"
                 "  %7 = exp(%x);\n"
                 "  let %y = nn.softmax(%7, axis=1);\n"
                 "  if (%c) { (%y, 2f) } else { %y }\n"
                 "}\n");
  ASSERT_TRUE(M);
  Block &Body = M->lookupFunction("main")->getBody();
  std::vector<std::string> Texts;
  for (Operation &Op : Body)
    Texts.push_back(print(Op));
  EXPECT_EQ(Texts, (std::vector<std::string>{
                       "exp(%x)", "nn.softmax(%0, axis=1)", "relay.if(%c)"}));
}

/// In the middle of a pass values have no numbers yet, and may be used before
/// their definition.
TEST_F(PrinterTest, NotNormalized) {
  auto M = parse("def @main(%x: float32) { exp(%x) }");
  ASSERT_TRUE(M);
  Block &Body = M->lookupFunction("main")->getBody();
  Builder B(Body);
  const OpInfo &Exp = *Ctx.lookupOp("exp");
  Operation *First = &*Body.begin();
  Operation *Second = B.createOperation(Exp, First);
  Operation *Third = B.createOperation(Exp, Second);
  Body.setResultRaw(Third);
  EXPECT_EQ(dump(*M->lookupFunction("main")),
            "def @main(%x: float32 /* ty=float32 */) {\n"
            "  %0 = exp(%x);\n"
            "  %1 = exp(%0);\n"
            "  exp(%1)\n"
            "}\n");
  First->setOperandRaw(0, Third);
  EXPECT_TRUE(StringRef(dump(*M->lookupFunction("main")))
                  .contains("%0 = exp(%undefined);\n"));
  First->setOperandRaw(0, Body.getArgument(0));
}

/// Long chains and deep nesting use no stack.
TEST_F(PrinterTest, LongAndDeep) {
  std::string Text = "def @main(%x: float32) {\n";
  for (unsigned I = 0; I != 100000; ++I)
    Text += "  %" + std::to_string(I) + " = exp(%" +
            (I ? std::to_string(I - 1) : "x") + ");\n";
  Text += "  %99999\n}\n";
  auto M = parse(Text);
  ASSERT_TRUE(M);
  EXPECT_EQ(M->getNumOperations(), 100000u);
  std::string Chain = print(*M);
  EXPECT_EQ(print(*parse(Chain)), Chain);

  std::string Deep = "def @main(%c: bool) { ";
  for (unsigned I = 0; I != 9000; ++I)
    Deep += "if (%c) { ";
  Deep += "%c";
  for (unsigned I = 0; I != 9000; ++I)
    Deep += " } else { %c }";
  auto D = parse(Deep + " }");
  ASSERT_TRUE(D);
  EXPECT_EQ(D->getNumOperations(), 9000u);
  std::string Printed = print(*D);
  EXPECT_EQ(print(*parse(Printed)), Printed);
}

/// The values of a function are named once, for any number of printed
/// operations and changes between them.
TEST_F(PrinterTest, PriceOfALine) {
  std::string Text = "def @main(%x: Tensor[(2), float32]) {\n"
                     "  %0 = exp(%x);\n";
  unsigned NumOps = 1000;
  for (unsigned I = 1; I != NumOps; ++I)
    Text +=
        "  %" + std::to_string(I) + " = exp(%" + std::to_string(I - 1) + ");\n";
  auto M = parse(Text + "  %999\n}\n");
  ASSERT_TRUE(M);
  Function &F = *M->lookupFunction("main");
  Rewriter R(F);
  OperationPrinter Names(F);
  R.addListener(&Names);
  SmallVector<Operation *> Ops;
  for (Operation &Op : F.getBody())
    Ops.push_back(&Op);
  EXPECT_EQ(Names.getNumVisited(), 0u);
  ASSERT_TRUE(R.startRewrite("test"));
  for (unsigned I = 1; I + 1 < NumOps; I += 2) {
    EXPECT_EQ(Names.getText(*Ops[I]), "exp(%" + std::to_string(I - 1) + ")");
    Operation *New = R.replaceOpWithNew<TanhOp>(Ops[I], Ops[I]->getOperand(0));
    EXPECT_EQ(Names.getText(*New), "tanh(%" + std::to_string(I - 1) + ")");
    // It may have the memory of the erased operation, but not its number.
    EXPECT_EQ(Names.getText(*Ops[I + 1]),
              "exp(%" + std::to_string(NumOps - 1 + I / 2) + ")");
  }
  // Each operation is visited once for the names, and two for each line.
  EXPECT_LE(Names.getNumVisited(), NumOps + 2 * 2 * NumOps);
}

/// Operations without names are printed without visiting the function.
TEST_F(PrinterTest, LinesWithoutNames) {
  auto M = parse("def @main(%x: float32) { add(%x, 2.5f) }\n");
  ASSERT_TRUE(M);
  Function &F = *M->lookupFunction("main");
  OperationPrinter Names(F);
  EXPECT_EQ(Names.getText(*F.getBody().begin()), "2.5f");
  EXPECT_EQ(Names.getNumVisited(), 1u);
}
