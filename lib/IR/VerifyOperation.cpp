//===- VerifyOperation.cpp - Checks of single operations ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VerifyOperation.h. Types are compared where both sides are known and
// closed; type relations are not computed again.
//
//===----------------------------------------------------------------------===//

#include "VerifyOperation.h"
#include "CanonicalOrder.h"
#include "relay/IR/TypeUtils.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace relay;

InFlightDiagnostic OperationVerifier::error(const Operation &Op,
                                            const Twine &Message) {
  return Ctx.emitError(Op.getLoc(), "'" + Op.getName() + "' " + Message);
}

LogicalResult OperationVerifier::verify(Operation &Op) {
  if (failed(verifyOperandCount(Op)) || failed(verifyAttributes(Op)))
    return failure();
  if (Op.isBound() && failed(verifyBinding(Op)))
    return failure();
  if (!Op.is(OpCode::Operator) &&
      (failed(verifyRegions(Op)) || failed(verifyConstruct(Op))))
    return failure();
  return Op.getInfo().Verify ? Op.getInfo().Verify(Op) : success();
}

//===----------------------------------------------------------------------===//
// The declaration
//===----------------------------------------------------------------------===//

LogicalResult OperationVerifier::verifyOperandCount(const Operation &Op) {
  if (Op.getInfo().takesOperands(Op.getNumOperands()))
    return success();
  bool Variadic = Op.hasTrait(OpTrait::Variadic);
  return error(Op, "takes " + Twine(Variadic ? "at least " : "") +
                       Twine(Op.getInfo().NumOperands) + " operands, not " +
                       Twine(Op.getNumOperands()));
}

LogicalResult OperationVerifier::verifyAttributes(const Operation &Op) {
  const Attrs *A = Op.getAttrs();
  const AttrsInfo *Wanted = Op.getInfo().Attributes;
  if (LLVM_UNLIKELY(!A)) {
    if (Wanted && Wanted != &DictAttrsInfo)
      return error(Op, "has no attributes");
    return success();
  }
  if (&A->getInfo() != Wanted)
    return error(Op, "has the attributes of another operation: '" +
                         Twine(A->getInfo().TypeKey) + "'");
  if (LLVM_LIKELY(Checked.contains(A)))
    return success();
  if (failed(verifyFields(Op)))
    return failure();
  Checked.insert(A);
  return success();
}

static bool isArrayOf(Attr Value, bool (*Accepts)(Attr)) {
  return Value.isArray() && llvm::all_of(Value.getArray(), Accepts);
}
static bool isDim(Attr Value) { return Value.isDim(); }
static bool isFloat(Attr Value) { return Value.isFloat(); }
static bool isDimArray(Attr Value) { return isArrayOf(Value, isDim); }

/// Whether \p Value, which is there, may stand in a field of \p Kind.
static bool isValueOf(FieldKind Kind, Attr Value) {
  switch (Kind) {
  case FieldKind::Bool:
    return Value.isBool();
  case FieldKind::Int:
  case FieldKind::OptInt:
    return Value.isInt();
  case FieldKind::Double:
    return Value.isFloat();
  case FieldKind::String:
    return Value.isString();
  case FieldKind::DType:
    return Value.isDType();
  case FieldKind::Dim:
    return Value.isDim();
  case FieldKind::DimArray:
  case FieldKind::IntArray:
    return isDimArray(Value);
  case FieldKind::IntMatrix:
  case FieldKind::DimMatrix:
    return isArrayOf(Value, isDimArray);
  case FieldKind::FloatArray:
    return isArrayOf(Value, isFloat);
  case FieldKind::IntOrArray:
    return Value.isInt() || isDimArray(Value);
  case FieldKind::Constant:
    return Value.getKind() == Attr::Kind::Constant;
  case FieldKind::Expr:
    return false; // stands in the operand alone
  case FieldKind::Object:
    return true;
  }
  llvm_unreachable("unknown kind of field");
}

static bool mayBeNone(const AttrField &Field) {
  return Field.Nullable || Field.Kind == FieldKind::OptInt ||
         Field.Kind == FieldKind::Dim || Field.Kind == FieldKind::Object ||
         Field.Kind == FieldKind::Expr;
}

LogicalResult OperationVerifier::verifyFields(const Operation &Op) {
  const Attrs &A = *Op.getAttrs();
  ArrayRef<AttrField> Fields = A.getInfo().Fields;
  if (Fields.size() != A.getSlots().size())
    return error(Op, "has " + Twine(A.getSlots().size()) +
                         " attributes where " + Twine(Fields.size()) +
                         " are declared");
  for (auto [Field, Value] : llvm::zip(Fields, A.getSlots()))
    if (Value ? !isValueOf(Field.Kind, Value) : !mayBeNone(Field))
      return error(Op, "has a value of the wrong kind in attribute '" +
                           Twine(Field.Name) + "'");
  return success();
}

LogicalResult OperationVerifier::verifyBinding(const Operation &Op) {
  if (failed(verifyName(Op.getVarName(), Op.getLoc())))
    return failure();
  return verifyType(Op, "annotation", Op.getVarAnnotation(), Op.getType());
}

LogicalResult OperationVerifier::verifyName(StringRef Name, Location Loc) {
  if (Name.empty())
    return Ctx.emitError(Loc, "variable without a name");
#ifndef NDEBUG // takes longer than everything else together
  if (Ctx.intern(Name).data() != Name.data())
    return Ctx.emitError(Loc, "name '%" + Name + "' is not interned");
#endif
  return success();
}

LogicalResult OperationVerifier::verifyArgument(const BlockArgument &Arg) {
  if (failed(verifyName(Arg.getName(), Arg.getLoc())))
    return failure();
  if (agree(Arg.getAnnotation(), Arg.getType()))
    return success();
  return Ctx.emitError(Arg.getLoc(), "'%" + Arg.getName() + "' has type '" +
                                         toString(Arg.getType()) + "' where '" +
                                         toString(Arg.getAnnotation()) +
                                         "' is written");
}

LogicalResult OperationVerifier::verifySignature(const Signature &S,
                                                 Location Loc) {
  if (S.Attributes && !S.Attributes->isDict())
    return Ctx.emitError(Loc, "function with the attributes of an operation");
  if (llvm::is_contained(S.TypeParams, nullptr))
    return Ctx.emitError(Loc, "missing type parameter");
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool OperationVerifier::agree(Type *L, Type *R) {
  auto IsOpen = [](const Type *T) {
    return !T || T->isIncomplete() || T->hasTypeVar();
  };
  return L == R || IsOpen(L) || IsOpen(R) || joinTypes(Ctx, L, R);
}

LogicalResult OperationVerifier::verifyType(const Operation &Op, StringRef What,
                                            Type *Wanted, Type *Found) {
  if (LLVM_LIKELY(agree(Wanted, Found)))
    return success();
  return error(Op, "has type '" + toString(Found) + "' where its " + What +
                       " asks for '" + toString(Wanted) + "'");
}

/// Checks the operands from \p First on against the types of parameters.
LogicalResult OperationVerifier::verifyArguments(const Operation &Op,
                                                 ArrayRef<Type *> Params,
                                                 unsigned First) {
  unsigned Count = Op.getNumOperands() - First;
  if (Count != Params.size())
    return error(Op, "passes " + Twine(Count) + " arguments where " +
                         Twine(Params.size()) + " are taken");
  for (unsigned I = 0; I != Count; ++I) {
    Type *Found = Op.getOperand(First + I)->getType();
    if (!agree(Params[I], Found))
      return error(Op, "passes '" + toString(Found) + "' as argument " +
                           Twine(I) + " where '" + toString(Params[I]) +
                           "' is taken");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Constructs of the language
//===----------------------------------------------------------------------===//

LogicalResult OperationVerifier::verifyRegions(const Operation &Op) {
  unsigned Wanted = 0;
  switch (Op.getInfo().Code) {
  case OpCode::If:
    Wanted = 2;
    break;
  case OpCode::Fn:
  case OpCode::Scope:
    Wanted = 1;
    break;
  case OpCode::Match:
    Wanted = Op.getPatterns().size();
    break;
  default:
    break;
  }
  if (Op.getNumRegions() != Wanted)
    return error(Op, "has " + Twine(Op.getNumRegions()) +
                         " regions instead of " + Twine(Wanted));
  if (Op.is(OpCode::Fn) || Op.is(OpCode::Match))
    return success();
  for (Block &B : Op.getRegions())
    if (B.getNumArguments())
      return error(Op, "has a region with arguments");
  return success();
}

LogicalResult OperationVerifier::verifyConstruct(Operation &Op) {
  switch (Op.getInfo().Code) {
  case OpCode::CallGlobal:
    return verifyCallGlobal(Op);
  case OpCode::GlobalRef:
    return verifyGlobal(Op);
  case OpCode::CallValue:
    return verifyCallValue(Op);
  case OpCode::CallConstructor:
  case OpCode::ConstructorRef:
    return verifyConstructor(Op);
  case OpCode::OpRef:
    return verifyOpRef(Op);
  case OpCode::Tuple:
    return verifyTuple(Op);
  case OpCode::TupleGetItem:
    return verifyTupleGetItem(Op);
  case OpCode::Constant:
    return verifyType(Op, "value",
                      Op.getAttrs()->getSlot(0).getConstant()->getType(),
                      Op.getType());
  case OpCode::If:
    return verifyIf(Op);
  case OpCode::Match:
    return verifyMatch(Op);
  case OpCode::Fn:
    return verifyFn(Op);
  case OpCode::Scope:
    if (Op.getRegion().bindings().empty())
      return error(Op, "has no bindings");
    return verifyType(Op, "result", Op.getRegion().getResult()->getType(),
                      Op.getType());
  case OpCode::Alias:
    if (Op.isFloating())
      return error(Op, "is not bound");
    if (const Operation *Named =
            getOperationToBind(&Op, [](Use &) { return true; }))
      return error(Op, "names '" + Named->getName() +
                           "', which could be bound instead");
    return verifyType(Op, "value", Op.getOperand(0)->getType(), Op.getType());
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return verifyRef(Op);
  case OpCode::Operator:
    return success();
  }
  llvm_unreachable("unknown construct");
}

LogicalResult OperationVerifier::verifyGlobal(const Operation &Op) {
  StringRef Name = Op.getAttrs()->getSlot(0).getString();
  if (!Symbols || Symbols->lookupFunction(Name))
    return success();
  return error(Op, "names '@" + Name + "', which the module does not have");
}

LogicalResult OperationVerifier::verifyCallGlobal(const Operation &Op) {
  if (failed(verifyGlobal(Op)))
    return failure();
  if (!Symbols)
    return success();
  StringRef Name = Op.getAttrs()->getSlot(0).getString();
  SmallVector<Type *, 8> Params;
  for (const BlockArgument *Arg : Symbols->lookupFunction(Name)->getParams())
    Params.push_back(Arg->getType());
  return verifyArguments(Op, Params, 0);
}

LogicalResult OperationVerifier::verifyCallValue(const Operation &Op) {
  Type *Callee = Op.getOperand(0)->getType();
  if (!Callee || Callee->getKind() == Type::Kind::Incomplete ||
      Callee->getKind() == Type::Kind::Var)
    return success();
  const auto *Func = dyn_cast<FuncType>(Callee);
  if (!Func)
    return error(Op, "calls a value of type '" + toString(Callee) + "'");
  return verifyArguments(Op, Func->getParams(), 1);
}

/// Fields of a definition with parameters are open types, and so not compared.
LogicalResult OperationVerifier::verifyConstructor(const Operation &Op) {
  if (!Symbols)
    return success();
  StringRef Name = Op.getAttrs()->getSlot(0).getString();
  const Constructor *C = Symbols->lookupConstructor(Name);
  if (!C)
    return error(Op, "names the constructor '" + Name +
                         "', which the module does not have");
  if (Op.is(OpCode::ConstructorRef))
    return success();
  return verifyArguments(Op, C->Fields, 0);
}

LogicalResult OperationVerifier::verifyOpRef(const Operation &Op) {
  StringRef Name = Op.getAttrs()->getSlot(0).getString();
  const OpInfo *Info = Ctx.lookupOp(Name);
  if (Info && Info->isOperator())
    return success();
  return error(Op, "names '" + Name + "', which is no operator");
}

LogicalResult OperationVerifier::verifyTuple(const Operation &Op) {
  const auto *Ty = dyn_cast_or_null<TupleType>(Op.getType());
  if (!Ty)
    return success();
  if (Ty->getNumFields() != Op.getNumOperands())
    return error(Op, "has " + Twine(Op.getNumOperands()) +
                         " fields and the type '" + toString(Ty) + "'");
  for (unsigned I = 0; I != Ty->getNumFields(); ++I)
    if (!agree(Ty->getField(I), Op.getOperand(I)->getType()))
      return error(Op, "has type '" + toString(Ty) + "' and a field " +
                           Twine(I) + " of type '" +
                           toString(Op.getOperand(I)->getType()) + "'");
  return success();
}

LogicalResult OperationVerifier::verifyTupleGetItem(const Operation &Op) {
  Type *Operand = Op.getOperand(0)->getType();
  int64_t Index = Op.getAttrs()->getSlot(0).getInt();
  if (Index < 0)
    return error(Op, "has a negative index: " + Twine(Index));
  if (!Operand || Operand->isIncomplete() || Operand->hasTypeVar())
    return success();
  const auto *Ty = dyn_cast<TupleType>(Operand);
  if (!Ty || uint64_t(Index) >= Ty->getNumFields())
    return error(Op, "takes field " + Twine(Index) + " of '" +
                         toString(Operand) + "'");
  return verifyType(Op, "tuple", Ty->getField(Index), Op.getType());
}

LogicalResult OperationVerifier::verifyIf(const Operation &Op) {
  Type *Condition = Op.getOperand(0)->getType();
  if (!agree(Ctx.getScalarType(DType::getBool()), Condition))
    return error(Op, "has a condition of type '" + toString(Condition) + "'");
  for (Block &B : Op.getRegions())
    if (failed(
            verifyType(Op, "branch", B.getResult()->getType(), Op.getType())))
      return failure();
  return success();
}

/// Every argument of a clause is the variable of one place in its pattern.
LogicalResult OperationVerifier::verifyMatch(Operation &Op) {
  for (auto [Root, Clause] : llvm::zip(Op.getPatterns(), Op.getRegions())) {
    llvm::SmallPtrSet<const BlockArgument *, 8> Variables;
    SmallVector<const MatchPattern *, 8> Worklist = {Root};
    while (!Worklist.empty()) {
      const MatchPattern *P = Worklist.pop_back_val();
      if (!P || failed(verifyPattern(Op, *P)))
        return P ? failure() : LogicalResult(error(Op, "lacks a pattern"));
      if (P->K == MatchPattern::Kind::Var) {
        if (P->Variable->getParentBlock() != &Clause)
          return error(Op, "has a pattern with a variable of another clause");
        if (!Variables.insert(P->Variable).second)
          return error(Op, "has '%" + P->Variable->getName() +
                               "' twice in a pattern");
      }
      Worklist.append(P->Children.begin(), P->Children.end());
    }
    if (Variables.size() != Clause.getNumArguments())
      return error(Op, "has a variable that is not in its pattern");
    if (failed(verifyType(Op, "clause", Clause.getResult()->getType(),
                          Op.getType())))
      return failure();
  }
  return success();
}

LogicalResult OperationVerifier::verifyPattern(const Operation &Op,
                                               const MatchPattern &P) {
  using Kind = MatchPattern::Kind;
  if ((P.K == Kind::Var) != bool(P.Variable))
    return error(Op, "has a malformed variable pattern");
  if (!P.Children.empty() && P.K != Kind::Constructor && P.K != Kind::Tuple)
    return error(Op, "has a pattern with parts that takes none");
  if (P.K != Kind::Constructor || !Symbols)
    return success();
  const Constructor *C = Symbols->lookupConstructor(P.Constructor);
  if (!C)
    return error(Op, "matches the constructor '" + P.Constructor +
                         "', which the module does not have");
  if (C->Fields.size() != P.Children.size())
    return error(Op, "matches '" + P.Constructor + "' with " +
                         Twine(P.Children.size()) + " fields instead of " +
                         Twine(C->Fields.size()));
  return success();
}

LogicalResult OperationVerifier::verifyFn(const Operation &Op) {
  if (failed(verifySignature(Op.getSignature(), Op.getLoc())))
    return failure();
  const auto *Ty = dyn_cast_or_null<FuncType>(Op.getType());
  if (!Ty)
    return success();
  const Block &Body = Op.getRegion();
  if (Ty->getParams().size() != Body.getNumArguments())
    return error(Op, "has " + Twine(Body.getNumArguments()) +
                         " parameters and the type '" + toString(Ty) + "'");
  for (auto [Wanted, Arg] : llvm::zip(Ty->getParams(), Body.getArguments()))
    if (!agree(Wanted, Arg->getType()))
      return error(Op, "has type '" + toString(Ty) + "' and a parameter '%" +
                           Arg->getName() + "' of type '" +
                           toString(Arg->getType()) + "'");
  if (agree(Ty->getResult(), Body.getResult()->getType()))
    return success();
  return error(Op, "has type '" + toString(Ty) + "' and a result of type '" +
                       toString(Body.getResult()->getType()) + "'");
}

LogicalResult OperationVerifier::verifyRef(const Operation &Op) {
  bool Creates = Op.is(OpCode::RefCreate);
  Type *Ref = Creates ? Op.getType() : Op.getOperand(0)->getType();
  if (!Ref || Ref->getKind() == Type::Kind::Incomplete ||
      Ref->getKind() == Type::Kind::Var)
    return success();
  const auto *Ty = dyn_cast<RefType>(Ref);
  if (!Ty)
    return error(Op, "takes a value of type '" + toString(Ref) +
                         "' for a reference");
  Type *Value = Op.is(OpCode::RefRead)
                    ? Op.getType()
                    : Op.getOperand(Creates ? 0 : 1)->getType();
  if (agree(Ty->getValueType(), Value))
    return success();
  return error(Op, "has a value of type '" + toString(Value) +
                       "' for a reference of type '" + toString(Ref) + "'");
}
