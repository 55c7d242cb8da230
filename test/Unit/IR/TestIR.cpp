//===- TestIR.cpp - Small IR for the unit tests ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TestIR.h.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include "relay/IR/TypeRelation.h"

using namespace relay;
using namespace relay::test;

static RelationResult inferSameAsFirst(TypeRelation &R) {
  if (Type *T = R.getOperand(0))
    return R.setResult(T);
  return R.unresolved(0);
}

/// The result is one element longer than the operand, a vector.
static RelationResult inferLonger(TypeRelation &R) {
  auto *T = dyn_cast_or_null<TensorType>(R.getOperand(0));
  if (!T || T->getRank() != 1)
    return R.unresolved(0);
  Context &Ctx = R.getContext();
  Dim Length = Ctx.getDim(T->getDim(0).getInt() + 1);
  return R.setResult(Ctx.getTensorType(Length, T->getDType()));
}

static LogicalResult refuseOddAxis(const Operation &Op) {
  if (Op.getAttr("axis").getInt() % 2 == 0)
    return success();
  return Op.getFunction()->getContext().emitError(Op.getLoc(), "axis is odd");
}

static constexpr AttrField TestFields[] = {
    {"axis", FieldKind::Int, "0"},
    {"shape", FieldKind::DimArray, "None", /*Nullable=*/true},
    {"alpha", FieldKind::Double, "1e-05f"},
    {"layout", FieldKind::String},
};

static const AttrsInfo TestAttrs = {"test.Attrs", TestFields};

static constexpr uint32_t Pure = uint32_t(OpTrait::Pure);

/// Declares an operator of \p N operands.
static OpInfo getOperator(StringLiteral Name, int32_t N, uint32_t Traits) {
  OpInfo Info;
  Info.Name = Name;
  Info.NumOperands = N;
  Info.Traits = Traits;
  Info.InferType = inferSameAsFirst;
  return Info;
}

static OpInfo getGrowingOperator() {
  OpInfo Info = getOperator("test.longer", 1, Pure);
  Info.InferType = inferLonger;
  return Info;
}

static OpInfo getAttrsOperator() {
  OpInfo Info = getOperator("test.attrs", 1, Pure);
  Info.Attributes = &TestAttrs;
  Info.Verify = refuseOddAxis;
  return Info;
}

void relay::test::registerTestOps(Context &Ctx) {
  static const OpInfo Ops[] = {
      getOperator("test.neg", 1, Pure),
      getOperator("test.add", 2, Pure),
      getOperator("test.effect", 1, 0),
      getGrowingOperator(),
      getAttrsOperator(),
  };
  for (const OpInfo &Info : Ops)
    Ctx.registerOp(Info);
}

IRTest::IRTest() {
  registerTestOps(Ctx);
  M.setTyped(false); // tests of other features leave much untyped
  Vector = Ctx.getTensorType(ArrayRef<int64_t>{3}, DType::getFloat(32));
}

Operation *IRTest::make(Block &B, StringRef Name, ArrayRef<Value *> Operands,
                        const Attrs *A, unsigned NumRegions) {
  return Builder(B).createOperation(*Ctx.lookupOp(Name), Operands, A,
                                    NumRegions);
}

const Attrs *IRTest::getAttrs(StringRef Op, ArrayRef<Attr> Slots) {
  return Ctx.getAttrs(*Ctx.lookupOp(Op)->Attributes, Slots);
}

Operation *IRTest::project(Block &B, Value *V, int64_t Index) {
  return make(B, "relay.tuple_get_item", V,
              getAttrs("relay.tuple_get_item", Ctx.getInt(Index)));
}

Operation *IRTest::constant(Block &B, double Value, DType T) {
  return make(B, "relay.constant", {},
              getAttrs("relay.constant", Ctx.getScalarConstant(T, Value)));
}

Operation *IRTest::call(Block &B, StringRef Callee,
                        ArrayRef<Value *> Arguments) {
  return make(B, "relay.call_global", Arguments,
              getAttrs("relay.call_global", {Ctx.getString(Callee), Attr()}));
}

void IRTest::infer(Function &F) {
  walk(F, [](Operation *Op) {
    if (Type *T = inferOperationType(*Op))
      Op->setTypeRaw(T);
  });
}

std::string IRTest::order(Block &B) {
  std::string Text;
  for (Operation &Op : B)
    Text += (Text.empty() ? "" : " ") +
            (Op.isBound() ? "%" + Op.getVarName() : Twine(Op.getName())).str();
  return Text;
}

/// Returns the diagnostics of \p Run, with ` at ` and the position if known.
static std::string getReport(Context &Ctx, function_ref<LogicalResult()> Run) {
  std::string Text;
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
    Text += (Text.empty() ? "" : "\n") + D.Message;
    if (D.Loc.isKnown())
      Text += " at " + std::to_string(D.Loc.getOffset());
    return true;
  });
  bool Failed = failed(Run());
  Ctx.getDiagnostics().popHandler();
  EXPECT_EQ(Failed, !Text.empty());
  return Text;
}

std::string IRTest::verifyText(Function &F, bool AllowUndefined) {
  return getReport(Ctx, [&] { return verify(F, AllowUndefined); });
}

std::string IRTest::verifyText(Module &M, bool AllowUndefined) {
  return getReport(Ctx, [&] { return verify(M, AllowUndefined); });
}
