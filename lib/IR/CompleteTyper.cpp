//===- CompleteTyper.cpp - The typing rules over complete types -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queries of the typing rules, and inferOperationType(). An Incomplete type
// is an unknown, null a type that will stay unknown.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/CompleteTyper.h"
#include "relay/IR/TypeRelation.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

CompleteTyper::~CompleteTyper() = default;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isComplete(const Value *V) {
  return V && V->getType() && !V->getType()->isIncomplete();
}

bool CompleteTyper::isTyped(const Operation &Op) const {
  return llvm::all_of(Op.operands(), isComplete);
}

/// Returns true if the types that the regions of \p Op yield are known or not
/// needed.
bool CompleteTyper::hasTypedRegions(const Operation &Op) const {
  if (Op.is(OpCode::Fn))
    return llvm::all_of(Op.getRegion().getArguments(), isComplete) &&
           (Op.getSignature().ResultAnnotation ||
            isComplete(Op.getRegion().getResult()));
  if (Op.getNumRegions() < (Op.is(OpCode::If) ? 2 : 1))
    return false;
  // A match under construction has fewer patterns than regions.
  if (Op.is(OpCode::Match) && Op.getPatterns().size() != Op.getNumRegions())
    return false;
  return llvm::all_of(Op.getRegions(),
                      [](Block &B) { return isComplete(B.getResult()); });
}

void CompleteTyper::begin() {
  HasFailed = false;
  Reusable = true;
  Message.clear();
}

/// Returns true if \p T is within the limits of types.
static bool isWithinLimits(const Type *T) {
  return T->getDepth() <= Type::MaxDepth && T->getSize() <= Type::MaxSize;
}

Type *CompleteTyper::finish(Type *T) {
  if (HasFailed || !T || T->isIncomplete())
    return nullptr;
  if (isWithinLimits(T))
    return T;
  error(Location(),
        T->getDepth() > Type::MaxDepth ? Type::TooDeep : Type::TooLarge);
  return nullptr;
}

static bool hasRegions(const Operation &Op) {
  return Op.is(OpCode::If) || Op.is(OpCode::Match) || Op.is(OpCode::Fn) ||
         Op.is(OpCode::Scope);
}

Type *CompleteTyper::infer(const Operation &Op) {
  begin();
  if (!isTyped(Op))
    return nullptr;
  if (!hasRegions(Op))
    return finish(typeBinding(Op, typeOperation(Op)));
  Reusable = false;
  if (!hasTypedRegions(Op))
    return nullptr;
  enterRegions(Op);
  return finish(typeBinding(Op, leaveRegions(Op)));
}

bool CompleteTyper::enter(const Operation &Op) {
  begin();
  if (!isTyped(Op))
    return false;
  enterRegions(Op);
  return !HasFailed;
}

Type *CompleteTyper::leave(const Operation &Op) {
  begin();
  return hasTypedRegions(Op) ? finish(typeBinding(Op, leaveRegions(Op)))
                             : nullptr;
}

bool CompleteTyper::checkResult(const Function &F) {
  begin();
  typeResult(F, fromAnnotation(F.getLoc(), F.getSignature().ResultAnnotation));
  return !HasFailed;
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

/// If types must be equal, a relation may only infer the type of the result.
class CompleteTyper::Relation final : public TypeRelation {
public:
  Relation(CompleteTyper &Typer, const OpInfo &Info, const Attrs *A,
           ArrayRef<Type *> Operands)
      : TypeRelation(Typer.Ctx, Info, A, Operands, nullptr),
        Equal(Typer.How == Unification::Equal) {}

private:
  LogicalResult unify(int I, Type *T) override {
    if (!Equal || I < 0)
      return TypeRelation::unify(I, T);
    return success(Operands[I] == T);
  }
  bool Equal;
};

Type *CompleteTyper::relate(const Operation &Op, const OpInfo &Info,
                            const Attrs *A, ArrayRef<Type *> Operands) {
  if (Info.Code == OpCode::TupleGetItem) {
    error(Op.getLoc(), typing::getProjectionError(
                           TupleGetItemOp(&Op).attrs().index(), Operands[0]));
    return nullptr;
  }
  Relation R(*this, Info, A, Operands);
  if (Op.is(Info))
    R.setOperation(&Op);
  RelationResult Outcome = Info.InferType(R);
  Reusable &= !R.readsValues();
  if (Outcome == RelationResult::Failed)
    error(Op.getLoc(), R.getMessage());
  return Outcome == RelationResult::Solved ? R.getResult() : nullptr;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Type *CompleteTyper::createTuple(ArrayRef<Type *> Fields) {
  return llvm::is_contained(Fields, nullptr) ? nullptr
                                             : Ctx.getTupleType(Fields);
}

Type *CompleteTyper::createFunc(ArrayRef<TypeVarType *> TypeParams,
                                ArrayRef<Type *> Params, Type *Result) {
  if (!Result || llvm::is_contained(Params, nullptr))
    return nullptr;
  return Ctx.getFuncType(TypeParams, Params, Result);
}

std::optional<FuncParts<Type *>> CompleteTyper::getFunc(Type *T) {
  auto *Fn = dyn_cast<FuncType>(T);
  if (!Fn)
    return std::nullopt;
  return FuncParts<Type *>{Fn->getTypeParams(), Fn->getParams(),
                           Fn->getResult()};
}

std::optional<ArrayRef<Type *>> CompleteTyper::getTuple(Type *T) {
  auto *Tuple = dyn_cast_or_null<TupleType>(T);
  if (!Tuple)
    return std::nullopt;
  return Tuple->getFields();
}

std::optional<Type *> CompleteTyper::getRef(Type *T) {
  auto *Ref = dyn_cast<RefType>(T);
  if (!Ref)
    return std::nullopt;
  return Ref->getValueType();
}

CompleteTyper::TypeList
CompleteTyper::substitute(ArrayRef<Type *> Types,
                          ArrayRef<TypeVarType *> Params,
                          ArrayRef<Type *> Args) {
  TypeVarMap Map;
  for (auto [P, A] : llvm::zip(Params, Args))
    Map[P] = A;
  TypeList Result;
  for (Type *T : Types)
    Result.push_back(substituteTypeVars(Ctx, T, Map));
  return Result;
}

//===----------------------------------------------------------------------===//
// Unification
//===----------------------------------------------------------------------===//

/// Returns true if \p T or a part of it is a function with type parameters.
static bool hasPolymorphicPart(Type *T) {
  bool Found = false;
  SmallVector<Type *, 8> Stack = {T};
  while (!Stack.empty() && !Found) {
    Type *Next = Stack.pop_back_val();
    if (auto *Tuple = dyn_cast<TupleType>(Next))
      llvm::append_range(Stack, Tuple->getFields());
    else if (auto *Ref = dyn_cast<RefType>(Next))
      Stack.push_back(Ref->getValueType());
    else if (auto *Call = dyn_cast<TypeCall>(Next))
      llvm::append_range(Stack, Call->getArgs());
    else if (auto *Fn = dyn_cast<FuncType>(Next)) {
      Found |= !Fn->getTypeParams().empty();
      llvm::append_range(Stack, Fn->getParams());
      Stack.push_back(Fn->getResult());
    }
  }
  return Found;
}

/// Returns true if \p L and \p R cannot be equal, whatever their parts are.
static bool isDifferentKind(Type *L, Type *R) {
  if (L->getKind() != R->getKind())
    return true;
  if (auto *Tuple = dyn_cast<TupleType>(L))
    return Tuple->getNumFields() != cast<TupleType>(R)->getNumFields();
  if (auto *Call = dyn_cast<TypeCall>(L))
    return Call->getName() != cast<TypeCall>(R)->getName();
  return false;
}

/// Returns the unification of \p L and \p R. Returns null, and sets HasFailed,
/// if they do not unify; returns null alone if only the solver can decide.
Type *CompleteTyper::join(Type *L, Type *R) {
  if (L == R)
    return L;
  if (!L || !R)
    return nullptr;
  if (isUnknown(L) || isUnknown(R))
    return isUnknown(L) ? R : L;
  if (How == Unification::Equal) {
    HasFailed = true;
    return nullptr;
  }
  if (Type *Joined = joinTypes(Ctx, L, R))
    return Joined;
  // The solver instantiates polymorphic functions and infers unknowns.
  HasFailed = isDifferentKind(L, R) ||
              (!L->isIncomplete() && !R->isIncomplete() &&
               !hasPolymorphicPart(L) && !hasPolymorphicPart(R));
  return nullptr;
}

std::optional<Type *> CompleteTyper::unify(Type *L, Type *R, Location Loc,
                                           const Twine &What) {
  bool HadFailed = std::exchange(HasFailed, false);
  Type *Joined = join(L, R);
  bool Fits = !HasFailed;
  HasFailed |= HadFailed;
  if (Fits)
    return Joined;
  mismatch(L, R, Loc, What);
  return std::nullopt;
}

bool CompleteTyper::unifyInto(Type *Param, Type *Argument) {
  bool HadFailed = std::exchange(HasFailed, false);
  join(Param, Argument);
  return !std::exchange(HasFailed, HasFailed | HadFailed);
}

void CompleteTyper::mismatch(Type *L, Type *R, Location Loc,
                             const Twine &What) {
  HasFailed = true;
  if (How == Unification::Join)
    error(Loc, What + ": " + describe(L) + " and " + describe(R));
}

void CompleteTyper::error(Location, const Twine &Text) {
  HasFailed = true;
  if (How == Unification::Join && Message.empty())
    Message = Text.str();
}

//===----------------------------------------------------------------------===//
// Callees and type arguments
//===----------------------------------------------------------------------===//

FuncType *CompleteTyper::getTypeForCalls(const Function &F) {
  return F.getType();
}

Type *CompleteTyper::getSignature(const Function *F) {
  return F ? getTypeForCalls(*F) : nullptr;
}

FuncType *CompleteTyper::getOperatorType(const OpInfo &Info) {
  return How == Unification::Join ? Ctx.getOperatorType(Info) : nullptr;
}

/// Finds the type arguments for \p TypeParams that turn \p Patterns into \p
/// Types, where \p Found does not contain them. Arguments that are not
/// determined are unknown.
static SmallVector<Type *, 4> findTypeArgs(Context &Ctx,
                                           ArrayRef<TypeVarType *> TypeParams,
                                           ArrayRef<Type *> Found,
                                           ArrayRef<Type *> Patterns,
                                           ArrayRef<Type *> Types) {
  TypeVarMap Map;
  for (auto [I, Var] : llvm::enumerate(TypeParams))
    Map[Var] = I < Found.size() ? Found[I] : nullptr;
  for (auto [Pattern, T] : llvm::zip(Patterns, Types))
    if (failed(matchTypeVars(Ctx, Pattern, T, Map)))
      break;
  SmallVector<Type *, 4> Args;
  for (TypeVarType *Var : TypeParams) {
    Type *T = Map.lookup(Var);
    Args.push_back(T ? T : Ctx.getIncompleteType(0));
  }
  return Args;
}

CompleteTyper::TypeList
CompleteTyper::getTypeArgs(const Operation &Op, const FuncParts<Type *> &Callee,
                           ArrayRef<Type *> Args) {
  if (How == Unification::Equal)
    HasFailed = true; // the solver also stores type arguments
  ArrayRef<Type *> Written = Op.getWrittenTypeArgs();
  if (Written.size() > Callee.TypeParams.size())
    Written = {};
  TypeList Found =
      findTypeArgs(Ctx, Callee.TypeParams, Written, Callee.Params, Args);
  // The solver may have inferred type arguments from uses of the result.
  for (auto [T, Inferred] : llvm::zip(Found, Op.getTypeArgs()))
    if (isUnknown(T))
      T = Inferred;
  return Found;
}

CompleteTyper::TypeList
CompleteTyper::getTypeArgsOf(const FuncType &Constructor, Type *Data) {
  if (!Data)
    return TypeList(Constructor.getTypeParams().size(), createUnknown());
  return findTypeArgs(Ctx, Constructor.getTypeParams(), {},
                      Constructor.getResult(), Data);
}

//===----------------------------------------------------------------------===//
// Closures and patterns
//===----------------------------------------------------------------------===//

Type *CompleteTyper::getDeclaredResult(const Operation &Fn) {
  return fromAnnotation(Fn.getLoc(), Fn.getSignature().ResultAnnotation);
}

Type *CompleteTyper::getClosure(const Operation &Fn, Type *Result) {
  TypeList Params;
  for (const BlockArgument *Arg : Fn.getRegion().getArguments())
    Params.push_back(Arg->getType());
  return createFunc(Fn.getSignature().TypeParams, Params, Result);
}

/// The type of the variable is already known.
void CompleteTyper::setTerm(const BlockArgument *Var, Type *T) {
  if (Var->getType())
    unify(Var->getType(), T, Var->getLoc(),
          "%" + Var->getName() +
              " does not have the type of the value that it matches");
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// Returns the type of \p V; null if it has none or \p V is null.
static Type *getTypeOf(const Value *V) { return V ? V->getType() : nullptr; }

static Function *findFunction(const Operation &Op) {
  if (Function *F = Op.getFunction())
    return F;
  return Op.getNumOperands() && Op.getOperand(0)
             ? Op.getOperand(0)->getFunction()
             : nullptr;
}

/// Returns true if \p T is complete and within the limits of types.
static bool isPlain(const Type *T) {
  return T && !T->isIncomplete() && isWithinLimits(T);
}

/// Returns the type of \p Call if the callee has no type parameters and each
/// argument has exactly the type of its parameter; null if the rules must
/// decide.
static Type *inferPlainCall(const Operation &Call) {
  auto *Fn = dyn_cast_or_null<FuncType>(getTypeOf(Call.getOperand(0)));
  if (!Fn || !Fn->getTypeParams().empty() || Fn->isIncomplete())
    return nullptr;
  bool SameTypes = llvm::equal(
      Fn->getParams(), Call.getUses().drop_front(),
      [](const Type *P, const Use &U) { return P == getTypeOf(U.get()); });
  if (!SameTypes)
    return nullptr;
  // The relation of an operator decides.
  const Operation *Callee = skipAliases(Call.getOperand(0))->getDefiningOp();
  return Callee && Callee->is(OpCode::OpRef) ? nullptr : Fn->getResult();
}

/// Returns the type of the closure \p Fn if its result has exactly the declared
/// type; null if the rules must decide.
static Type *inferPlainClosure(const Operation &Fn) {
  Block &Body = Fn.getRegion();
  const Signature &Sig = Fn.getSignature();
  Type *Result = getTypeOf(Body.getResult());
  if (!isPlain(Result) ||
      (Sig.ResultAnnotation && Sig.ResultAnnotation != Result))
    return nullptr;
  SmallVector<Type *, 8> Params;
  for (const BlockArgument *Arg : Body.getArguments()) {
    if (!isPlain(Arg->getType()))
      return nullptr;
    Params.push_back(Arg->getType());
  }
  return Fn.getFunction()->getContext().getFuncType(Sig.TypeParams, Params,
                                                    Result);
}

/// Returns the type of \p Op, which is in a function, if no types need to be
/// unified; null if the rules must decide.
static Type *inferPlainType(const Operation &Op) {
  if (Op.isBound() && Op.getVarAnnotation())
    return nullptr;
  Type *T = nullptr;
  if (Op.is(OpCode::CallValue))
    T = inferPlainCall(Op);
  else if (Op.is(OpCode::Fn) && Op.getFunction())
    T = inferPlainClosure(Op);
  return isPlain(T) ? T : nullptr;
}

Type *relay::inferOperationType(const Operation &Op) {
  Function *F = findFunction(Op);
  if (!F || !Op.getInfo().takesOperands(Op.getNumOperands()))
    return nullptr; // reported by the Verifier
  if (Op.is(OpCode::Fn) && !Op.getRegion().getResult())
    return nullptr; // under construction
  if (Type *Plain = inferPlainType(Op))
    return Plain;
  return CompleteTyper(F->getContext(), F->getModule(),
                       CompleteTyper::Unification::Join)
      .infer(Op);
}
