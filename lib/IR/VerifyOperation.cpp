//===- VerifyOperation.cpp - Checks of single operations ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VerifyOperation.h. The typing rules (TypingRules.h) are applied again,
// once for each distinct operation. The inferred type must unify with the
// operation's type, which may have become more dynamic by unification with the
// context.
//
//===----------------------------------------------------------------------===//

#include "VerifyOperation.h"
#include "CanonicalOrder.h"
#include "relay/IR/FunctionAttrs.h"

using namespace relay;

InFlightDiagnostic OperationVerifier::error(const Operation &Op,
                                            const Twine &Message) {
  return Ctx.emitError(Op.getLoc(), "'" + Op.getName() + "' " + Message);
}

LogicalResult OperationVerifier::verify(Operation &Op) {
  bool IsKnown = isLikeOneBefore(Op);
  if (LLVM_UNLIKELY(!IsKnown) &&
      (failed(verifyOperandCount(Op)) || failed(verifyAttributes(Op))))
    return failure();
  if (Op.isBound() && failed(verifyName(Op.getVarName(), Op.getLoc())))
    return failure();
  if (LLVM_LIKELY(IsKnown))
    return Op.getInfo().Verify ? Op.getInfo().Verify(Op) : success();
  if (!Op.is(OpCode::Operator) &&
      (failed(verifyRegions(Op)) || failed(verifyConstruct(Op))))
    return failure();
  if (Op.getInfo().Verify && failed(Op.getInfo().Verify(Op)))
    return failure();
  return LLVM_LIKELY(HasTypes) ? verifyType(Op) : success();
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

/// Returns true if the existing value \p Value may be in a field of \p Kind.
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
    return false; // is stored in the operand only
  case FieldKind::Object:
    return true;
  }
  llvm_unreachable("unknown kind of field");
}

LogicalResult OperationVerifier::verifyFields(const Operation &Op) {
  const Attrs &A = *Op.getAttrs();
  ArrayRef<AttrField> Fields = A.getInfo().Fields;
  for (auto [Field, Value] : llvm::zip_equal(Fields, A.getSlots()))
    if (Value ? !isValueOf(Field.Kind, Value) : !Field.mayBeNone())
      return error(Op, "has a value of the wrong kind in attribute '" +
                           Twine(Field.Name) + "'");
  return success();
}

LogicalResult OperationVerifier::verifyName(StringRef Name, Location Loc) {
  if (Name.empty())
    return Ctx.emitError(Loc, "variable without a name");
#ifndef NDEBUG // takes longer than everything else
  if (Ctx.intern(Name).data() != Name.data())
    return Ctx.emitError(Loc, "name '%" + Name + "' is not interned");
#endif
  return success();
}

LogicalResult OperationVerifier::verifyArgument(const BlockArgument &Arg) {
  if (failed(verifyName(Arg.getName(), Arg.getLoc())))
    return failure();
  Type *Written = Arg.getAnnotation(), *T = Arg.getType();
  if (Written == T || !Written || !T || Written->isIncomplete() ||
      (!T->isIncomplete() && Typer.fits(Written, T)))
    return success();
  return Ctx.emitError(Arg.getLoc(), "'%" + Arg.getName() + "' has type '" +
                                         toString(T) + "' where '" +
                                         toString(Written) + "' is written");
}

LogicalResult OperationVerifier::verifySignature(const Signature &S,
                                                 Location Loc) {
  if (S.Attributes && !S.Attributes->isDict())
    return Ctx.emitError(Loc, "function with the attributes of an operation");
  if (Attr A = S.getAttr(FunctionAttrs::Compiler); A && !A.isString())
    return Ctx.emitError(Loc, "attribute 'Compiler' of a function must be a "
                              "string, the name of a compiler");
  if (llvm::is_contained(S.TypeParams, nullptr))
    return Ctx.emitError(Loc, "missing type parameter");
  for (const TypeVarType *Var : S.TypeParams)
    if (!TypeParams.insert(Var).second)
      return Ctx.emitError(Loc, "type parameter '" + Var->getName() +
                                    "' also belongs to another function");
  return success();
}

LogicalResult OperationVerifier::verifySignature(const Function &F) {
  TypeParams.clear();
  return verifySignature(F.getSignature(), F.getLoc());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult OperationVerifier::verifyResult(const Function &F) {
  if (!HasTypes || Typer.checkResult(F))
    return success();
  return Ctx.emitError(F.getLoc(), Typer.getError());
}

/// Returns true if \p Op is floating or its variable has no annotation that
/// differs from the type of \p Op.
static bool isAnnotatedAsTyped(const Operation &Op) {
  return Op.isFloating() || !Op.getVarAnnotation() ||
         Op.getVarAnnotation() == Op.getType();
}

/// Returns true if \p Op is an operator call with the same attributes and
/// types, including its own, as a verified call, and hence also the right
/// number of operands.
bool OperationVerifier::isLikeOneBefore(const Operation &Op) {
  return HasTypes && Op.is(OpCode::Operator) && isAnnotatedAsTyped(Op) &&
         isKnown(Op);
}

/// Looks \p Op up by its attributes and types.
bool OperationVerifier::isKnown(const Operation &Op) {
  Table.begin(Op.getInfo(), Op.getAttrs());
  for (Use &U : Op.getUses())
    Table.add(U->getType());
  Table.add(Op.getType());
  return Table.find();
}

LogicalResult OperationVerifier::verifyType(const Operation &Op) {
  Type *T = Op.getType();
  if (Op.is(OpCode::Constant) && Op.isFloating() &&
      T == ConstantOp(&Op).attrs().value().getConstant()->getType())
    return success();
  // isKnown() comes first: it begins the key of insert().
  if (isKnown(Op) && isAnnotatedAsTyped(Op))
    return success();
  Type *Wanted = Typer.infer(Op);
  if (!Typer.getError().empty())
    return Ctx.emitError(Op.getLoc(), Typer.getError());
  if (!Wanted) // cannot be determined
    return success();
  if (!T || T->isIncomplete())
    return error(Op, "has no type, expected '" + toString(Wanted) + "'");
  if (!Typer.fits(Wanted, T))
    return error(Op, "has type '" + toString(T) + "', expected '" +
                         toString(Wanted) + "'");
  // An annotation may admit a type that is wrong for other operations.
  if (Typer.isReusable() && isAnnotatedAsTyped(Op))
    Table.insert(T);
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
  case OpCode::GlobalRef:
    return verifyGlobal(Op);
  case OpCode::CallConstructor:
  case OpCode::ConstructorRef:
    return verifyConstructor(Op);
  case OpCode::OpRef:
    return verifyOpRef(Op);
  case OpCode::TupleGetItem:
    if (int64_t Index = TupleGetItemOp(&Op).attrs().index(); Index < 0)
      return error(Op, "has a negative index: " + Twine(Index));
    return success();
  case OpCode::Match:
    return verifyMatch(Op);
  case OpCode::Fn:
    return verifySignature(Op.getSignature(), Op.getLoc());
  case OpCode::Scope:
    return verifyScope(Op);
  case OpCode::Alias:
    return verifyAlias(Op);
  case OpCode::CallValue:
    if (getDirectCall(Op))
      return error(Op, "calls the value of '" +
                           Op.getOperand(0)->getDefiningOp()->getName() +
                           "', which could be called directly");
    return success();
  case OpCode::Tuple:
  case OpCode::Constant:
  case OpCode::If:
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
  case OpCode::Operator:
    return success();
  }
  llvm_unreachable("unknown construct");
}

LogicalResult OperationVerifier::verifyGlobal(const Operation &Op) {
  StringRef Name = Op.getAttrs()->getSlot(0).getString();
  if (!Symbols || Symbols->lookupFunction(Name))
    return success();
  return error(Op, "names '@" + Name + "', which the module does not define");
}

LogicalResult OperationVerifier::verifyConstructor(const Operation &Op) {
  StringRef Name = Op.getAttrs()->getSlot(0).getString();
  if (!Symbols || Symbols->lookupConstructor(Name))
    return success();
  return error(Op, "names the constructor '" + Name +
                       "', which the module does not define");
}

LogicalResult OperationVerifier::verifyOpRef(const Operation &Op) {
  StringRef Name = Op.getAttrs()->getSlot(0).getString();
  const OpInfo *Info = Ctx.lookupOp(Name);
  if (Info && Info->isOperator())
    return success();
  return error(Op, "names '" + Name + "', which is not an operator");
}

LogicalResult OperationVerifier::verifyScope(const Operation &Op) {
  if (Op.getRegion().bindings().empty())
    return error(Op, "has no bindings");
  if (Op.isFloating() && Op.hasOneUse() && !Op.use_begin()->getUserOp())
    return error(Op, "is the result of a block and must be merged into it");
  return success();
}

LogicalResult OperationVerifier::verifyAlias(const Operation &Op) {
  if (Op.isFloating())
    return error(Op, "is not bound");
  const Operation *Named = getOperationToBind(&Op, [](Use &) { return true; });
  if (!Named)
    return success();
  return error(Op, "is an alias of '" + Named->getName() +
                       "', which could be bound instead");
}

/// Verifies that every argument of a clause is the variable of one position in
/// its pattern.
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
  }
  return success();
}

LogicalResult OperationVerifier::verifyPattern(const Operation &Op,
                                               const MatchPattern &P) {
  using Kind = MatchPattern::Kind;
  if ((P.K == Kind::Var) != bool(P.Variable))
    return error(Op, "has a malformed variable pattern");
  if (!P.Children.empty() && P.K != Kind::Constructor && P.K != Kind::Tuple)
    return error(Op, "has a pattern with subpatterns where none are allowed");
  if (P.K != Kind::Constructor || !Symbols)
    return success();
  const Constructor *C = Symbols->lookupConstructor(P.Constructor);
  if (!C)
    return error(Op, "matches the constructor '" + P.Constructor +
                         "', which the module does not define");
  if (C->Fields.size() != P.Children.size())
    return error(Op, "matches '" + P.Constructor + "' with " +
                         Twine(P.Children.size()) + " fields instead of " +
                         Twine(C->Fields.size()));
  return success();
}
