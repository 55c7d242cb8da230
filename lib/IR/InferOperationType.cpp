//===- InferOperationType.cpp - The type of one operation -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// inferOperationType(): what an operation's type is when the types of its
// operands, regions and callees are complete. Nothing is unified and nothing
// reported; that is room Analysis.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

using TypeList = SmallVector<Type *, 8>;

/// The types of \p Values; failure while one is not known.
template <typename Range> static FailureOr<TypeList> getTypes(Range &&Values) {
  TypeList Types;
  for (Value *V : Values) {
    if (!V || !V->getType() || V->getType()->isIncomplete())
      return failure();
    Types.push_back(V->getType());
  }
  return Types;
}

static Module *getModule(const Operation &Op) {
  Function *F = Op.getFunction();
  return F ? F->getModule() : nullptr;
}

static Context *getContext(const Operation &Op) {
  if (Function *F = Op.getFunction())
    return &F->getContext();
  if (Op.getNumOperands())
    if (Function *F = Op.getOperand(0)->getFunction())
      return &F->getContext();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// `fn [in0, …, out](in0, …) -> out`: what TVM gives an operator as a value.
static Type *getOperatorType(Context &Ctx, const OpInfo &Info) {
  if (!Info.isRegistered() || Info.hasTrait(OpTrait::Variadic))
    return nullptr;
  SmallVector<TypeVarType *, 4> Vars;
  for (int I = 0; I != Info.NumOperands; ++I)
    Vars.push_back(Ctx.createTypeVar("in" + std::to_string(I)));
  TypeList Params(Vars.begin(), Vars.end());
  Vars.push_back(Ctx.createTypeVar("out"));
  return Ctx.getFuncType(Vars, Params, Vars.back());
}

/// `fn [A](A, List[A]) -> List[A]` of a constructor.
static FuncType *getConstructorType(Context &Ctx, const Constructor &C) {
  ArrayRef<TypeVarType *> Vars = C.Parent->TypeParams;
  TypeList Args(Vars.begin(), Vars.end());
  return Ctx.getFuncType(Vars, C.Fields, Ctx.getTypeCall(C.Parent->Name, Args));
}

static const Constructor *getConstructor(const Operation &Op, StringRef Attr) {
  Module *M = getModule(Op);
  return M ? M->lookupConstructor(Op.getAttr(Attr).getString()) : nullptr;
}

static Type *inferSymbol(const Operation &Op, Context &Ctx) {
  StringRef Symbol = Op.getAttr("symbol").getString();
  if (Op.is(OpCode::OpRef)) {
    const OpInfo *Info = Ctx.lookupOp(Symbol);
    return Info ? getOperatorType(Ctx, *Info) : nullptr;
  }
  if (Op.is(OpCode::ConstructorRef)) {
    const Constructor *C = getConstructor(Op, "symbol");
    return C ? getConstructorType(Ctx, *C) : nullptr;
  }
  Module *M = getModule(Op);
  Function *F = M ? M->lookupFunction(Symbol) : nullptr;
  return F ? F->getType() : nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Type *inferOperator(const Operation &Op, Context &Ctx) {
  auto Types = getTypes(Op.operands());
  if (failed(Types))
    return nullptr;
  return inferResultType(Ctx, Op.getInfo(), Op.getAttrs(), *Types, nullptr,
                         &Op);
}

/// A call of the operator that \p Ref stands for as a value.
static Type *inferCallOfOperator(const Operation &Call, const Operation &Ref,
                                 ArrayRef<Type *> Arguments, Context &Ctx) {
  const OpInfo *Info = Ctx.lookupOp(Ref.getAttr("symbol").getString());
  if (!Info)
    return nullptr;
  Attr A = Call.getAttr("attributes");
  const Attrs *OpAttrs = A ? A.getOpAttrs() : nullptr;
  if (!OpAttrs && Info->Attributes)
    OpAttrs = Ctx.getDefaultAttrs(*Info->Attributes);
  return inferResultType(Ctx, *Info, OpAttrs, Arguments);
}

static const Operation *skipAliases(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  while (Op && Op->is(OpCode::Alias))
    Op = Op->getOperand(0)->getDefiningOp();
  return Op;
}

static Type *inferCallValue(const Operation &Op, Context &Ctx) {
  auto Types = getTypes(Op.operands());
  if (failed(Types))
    return nullptr;
  auto Arguments = ArrayRef<Type *>(*Types).drop_front();
  const Operation *Callee = skipAliases(Op.getOperand(0));
  if (Callee && Callee->is(OpCode::OpRef))
    return inferCallOfOperator(Op, *Callee, Arguments, Ctx);
  auto *CalleeType = dyn_cast<FuncType>(Types->front());
  if (!CalleeType)
    return nullptr;
  return getCallResultType(Ctx, CalleeType, Arguments, Op.getTypeArgs());
}

static Type *inferCallOf(const Operation &Op, FuncType *Callee, Context &Ctx) {
  auto Types = getTypes(Op.operands());
  if (!Callee || failed(Types))
    return nullptr;
  return getCallResultType(Ctx, Callee, *Types, Op.getTypeArgs());
}

static Type *inferCallGlobal(const Operation &Op, Context &Ctx) {
  Module *M = getModule(Op);
  Function *F =
      M ? M->lookupFunction(Op.getAttr("callee").getString()) : nullptr;
  return F ? inferCallOf(Op, F->getType(), Ctx) : nullptr;
}

static Type *inferCallConstructor(const Operation &Op, Context &Ctx) {
  const Constructor *C = getConstructor(Op, "constructor");
  return C ? inferCallOf(Op, getConstructorType(Ctx, *C), Ctx) : nullptr;
}

//===----------------------------------------------------------------------===//
// Constructs with regions
//===----------------------------------------------------------------------===//

static Type *inferFn(const Operation &Op, Context &Ctx) {
  auto Params = getTypes(Op.getRegion().getArguments());
  const Signature &Sig = Op.getSignature();
  Value *Yielded = Op.getRegion().getResult();
  Type *Result = Yielded ? Yielded->getType() : nullptr;
  if (!Result)
    Result = Sig.ResultAnnotation;
  if (failed(Params) || !Result || Result->isIncomplete())
    return nullptr;
  return Ctx.getFuncType(Sig.TypeParams, *Params, Result);
}

/// What the regions' results unify to, in order.
static Type *inferFromRegions(const Operation &Op, Context &Ctx) {
  Type *T = nullptr;
  for (Block &B : Op.getRegions()) {
    Type *Next = B.getResult() ? B.getResult()->getType() : nullptr;
    if (!Next || Next->isIncomplete())
      return nullptr;
    T = T ? joinTypes(Ctx, T, Next) : Next;
    if (!T)
      return nullptr;
  }
  return T;
}

//===----------------------------------------------------------------------===//
// The rest of the language
//===----------------------------------------------------------------------===//

static Type *inferTupleGetItem(const Operation &Op) {
  auto *Tuple = dyn_cast_or_null<TupleType>(Op.getOperand(0)->getType());
  int64_t Index = Op.getAttr("index").getInt();
  if (!Tuple || Index < 0 || Index >= Tuple->getNumFields())
    return nullptr;
  return Tuple->getField(Index);
}

static Type *inferReference(const Operation &Op, Context &Ctx) {
  auto Types = getTypes(Op.operands());
  if (failed(Types))
    return nullptr;
  if (Op.is(OpCode::RefCreate))
    return Ctx.getRefType(Types->front());
  auto *Ref = dyn_cast<RefType>(Types->front());
  if (!Ref)
    return nullptr;
  if (Op.is(OpCode::RefRead))
    return Ref->getValueType();
  return Ctx.getTupleType({});
}

static Type *infer(const Operation &Op, Context &Ctx) {
  switch (Op.getCode()) {
  case OpCode::Operator:
    return inferOperator(Op, Ctx);
  case OpCode::CallGlobal:
    return inferCallGlobal(Op, Ctx);
  case OpCode::CallValue:
    return inferCallValue(Op, Ctx);
  case OpCode::CallConstructor:
    return inferCallConstructor(Op, Ctx);
  case OpCode::Tuple: {
    auto Types = getTypes(Op.operands());
    return succeeded(Types) ? Ctx.getTupleType(*Types) : nullptr;
  }
  case OpCode::TupleGetItem:
    return inferTupleGetItem(Op);
  case OpCode::Constant:
    return Op.getAttr("value").getConstant()->getType();
  case OpCode::If:
  case OpCode::Match:
  case OpCode::Scope:
    return inferFromRegions(Op, Ctx);
  case OpCode::Fn:
    return inferFn(Op, Ctx);
  case OpCode::Alias:
    return Op.getOperand(0)->getType();
  case OpCode::GlobalRef:
  case OpCode::OpRef:
  case OpCode::ConstructorRef:
    return inferSymbol(Op, Ctx);
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return inferReference(Op, Ctx);
  }
  llvm_unreachable("unknown construct");
}

Type *relay::inferOperationType(const Operation &Op) {
  if (!Op.getInfo().takesOperands(Op.getNumOperands()))
    return nullptr; // for the Verifier to report
  Context *Ctx = getContext(Op);
  Type *T = Ctx ? infer(Op, *Ctx) : nullptr;
  return T && !T->isIncomplete() ? T : nullptr;
}
