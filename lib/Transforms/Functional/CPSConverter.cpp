//===- CPSConverter.cpp - Continuation-passing style ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of a block are in the order of their evaluation. They are
// copied in that order, and bound if their evaluation may have an effect. The
// rest of the block after a call of a closure or of a function becomes the
// continuation of that call, and its copy continues in the continuation. The
// rest after an `if` or a `match` becomes a continuation that each branch
// calls.
//
//===----------------------------------------------------------------------===//

#include "CPSConverter.h"
#include "FunctionValues.h"
#include "MatchPatterns.h"
#include "OperationCopies.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Text/Parse/Parser.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type *ContinuationTypes::get(Type *T) {
  if (!T || isa<TensorType>(T))
    return T;
  if (Type *New = Known.lookup(T))
    return New;
  Type *New = convert(T);
  return Known[T] = New;
}

Type *ContinuationTypes::convert(Type *T) {
  if (auto *Var = dyn_cast<TypeVarType>(T)) {
    Type *New = Vars.lookup(Var);
    return New ? New : T;
  }
  auto *Func = dyn_cast<FuncType>(T);
  if (!Func)
    return rebuild(Ctx, T, [&](Type *Part) { return get(Part); });
  SmallVector<Type *, 4> Params;
  for (Type *Param : Func->getParams())
    Params.push_back(get(Param));
  Params.push_back(getContinuation(Func->getResult()));
  return Ctx.getFuncType(Func->getTypeParams(), Params, Answer);
}

Type *ContinuationTypes::getContinuation(Type *T) {
  return Ctx.getFuncType({}, {get(T)}, Answer);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

bool relay::keepsDirectStyle(const Function &F) {
  return isExternal(F.getSignature());
}

static LogicalResult reject(const Operation *Op, const Twine &What) {
  return Op->getFunction()->getContext().emitError(
      Op->getLoc(), "'to-cps' does not convert " + What);
}

/// Checks the constructor \p Name, which \p Op uses: definitions of types are
/// not converted.
static LogicalResult checkConstructor(const Operation *Op, StringRef Name) {
  const Constructor *C =
      Op->getFunction()->getModule()->lookupConstructor(Name);
  if (C && llvm::none_of(C->Fields, holdsFunction))
    return success();
  return reject(Op, C ? "the constructor `" + Name +
                            "`, which has a field with a function"
                      : "the undefined constructor `" + Name + "`");
}

static LogicalResult checkPatterns(const Operation *Match) {
  SmallVector<const MatchPattern *, 8> Patterns(Match->getPatterns());
  while (!Patterns.empty()) {
    const MatchPattern *P = Patterns.pop_back_val();
    Patterns.append(P->Children.begin(), P->Children.end());
    if (P->K == MatchPattern::Kind::Constructor &&
        failed(checkConstructor(Match, P->Constructor)))
      return failure();
  }
  return success();
}

/// Checks a call of a function or a reference to one.
static LogicalResult checkNamedFunction(const Operation *Op) {
  const Function *Callee = getNamedFunction(*Op);
  if (!Callee)
    return reject(Op, "uses of the undefined function `@" +
                          getNamedGlobal(*Op) + "`");
  if (!keepsDirectStyle(*Callee))
    return success();
  FuncType *T = Callee->getType();
  if (Op->is(OpCode::GlobalRef) || !T ||
      llvm::any_of(getParts(T), holdsFunction))
    return reject(Op, "`@" + Callee->getName() +
                          "`, whose code is elsewhere, as a value or with "
                          "functions as arguments");
  return success();
}

static LogicalResult check(const Operation *Op) {
  if (!Op->getType())
    return reject(Op, "values of unknown type");
  switch (Op->getCode()) {
  case OpCode::OpRef:
    return reject(Op, "operators as values");
  case OpCode::ConstructorRef:
    return reject(Op, "constructors as values");
  case OpCode::Fn:
    if (isPrimitive(Op->getSignature()) || isExternal(Op->getSignature()))
      return reject(Op, "closures with Primitive, Compiler or Extern");
    return success();
  case OpCode::CallGlobal:
  case OpCode::GlobalRef:
    return checkNamedFunction(Op);
  case OpCode::CallConstructor:
    return checkConstructor(Op,
                            cast<CallConstructorOp>(Op).attrs().constructor());
  case OpCode::Match:
    return checkPatterns(Op);
  default:
    return success();
  }
}

namespace {
/// Finds out how deep the continuations nest.
class NestingCheck : public IRVisitor {
public:
  WalkResult enter(Operation *Op);
  void leave(Operation *Op);
  void enterBlock(Block &B);
  void leaveBlock(Block &B);

private:
  const unsigned Limit = ParserOptions().NestingLimit / 2 - 10;
  unsigned Depth = 0; ///< of the continuation that is evaluated
  SmallVector<unsigned, 8> Outer;
};
} // namespace

static bool isCall(const Operation *Op) {
  return Op->is(OpCode::CallValue) || Op->is(OpCode::CallGlobal);
}

static bool isChoice(const Operation *Op) {
  return Op->is(OpCode::If) || Op->is(OpCode::Match);
}

/// Returns true if \p B is evaluated as a part of the block around it.
static bool isScope(const Block &B) {
  return B.getParentOp() && B.getParentOp()->is(OpCode::Scope);
}

void NestingCheck::enterBlock(Block &B) {
  if (!isScope(B))
    Outer.push_back(Depth++);
}

void NestingCheck::leaveBlock(Block &B) {
  if (!isScope(B))
    Depth = Outer.pop_back_val();
}

WalkResult NestingCheck::enter(Operation *Op) {
  Depth += isCall(Op);
  if (Depth <= Limit)
    return WalkResult::advance();
  return reject(Op,
                "more than " + Twine(Limit) +
                    " nested continuations: each call of a function nests one");
}

void NestingCheck::leave(Operation *Op) { Depth += isChoice(Op); }

LogicalResult relay::checkForCPS(Function &F) {
  if (isPrimitive(F.getSignature()) || F.isSkippedByOptimization())
    return F.getContext().emitError(
        F.getLoc(), "'to-cps' does not convert @" + F.getName() +
                        ", a function with Primitive, Compiler, Extern or "
                        "SkipOptimization");
  if (walk(F, [](Operation *Op) { return check(Op); }).wasInterrupted())
    return failure();
  return failure(traverse(F.getBody(), NestingCheck()).wasInterrupted());
}

//===----------------------------------------------------------------------===//
// The signature
//===----------------------------------------------------------------------===//

CPSConverter::CPSConverter(Rewriter &R, Function &From, Function &To)
    : R(R), Ctx(R.getContext()), From(From), To(To), Types(Ctx),
      Name(Ctx.intern("x")) {
  const Signature &Old = From.getSignature();
  Signature Sig;
  for (TypeVarType *Var : Old.TypeParams) {
    if (&From != &To) {
      TypeVarType *New = Ctx.createTypeVar(Var->getName(), Var->getVarKind());
      Types.replace(Var, New);
      Var = New;
    }
    Sig.TypeParams.push_back(Var);
  }
  Sig.TypeParams.push_back(Ctx.createTypeVar("answer"));
  Types.setAnswer(Sig.TypeParams.back());
  Sig.ResultAnnotation = Types.getAnswer();
  Sig.Attributes = Old.Attributes;
  Type *Result =
      Old.ResultAnnotation ? Old.ResultAnnotation : From.getResultType();
  SmallVector<BlockArgument *, 4> Params(From.getParams());
  R.setSignature(To.getBody(), std::move(Sig));
  for (BlockArgument *Param : Params)
    addArgument(To.getBody(), *Param);
  Continuation =
      R.addArgument(To.getBody(), Ctx.intern("k"),
                    Types.getContinuation(Result), From.getResultLoc());
}

/// Adds to \p To the converted \p Original.
void CPSConverter::addArgument(Block &To, BlockArgument &Original) {
  BlockArgument *New =
      R.addArgument(To, Original.getName(),
                    Types.get(Original.getTypeForCallers()), Original.getLoc());
  if (Attr Device = Original.getVirtualDevice())
    R.setVirtualDevice(New, Device);
  Map[&Original] = New;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Lists the operations of \p B, and finds for each choice the operation from
/// which on only operands of the choice are evaluated. The continuation is
/// created there, as in TVM, unless a later use needs an operand.
CPSConverter::Source CPSConverter::createSource(Block &B) {
  Source S{B.getParentOp(), B.getResult(), {}};
  llvm::DenseMap<const Value *, size_t> Positions;
  SmallVector<size_t, 0> Starts;
  for (Operation &Op : B) {
    if (isAtom(&Op))
      continue;
    size_t Start = S.Ops.size();
    for (Value *V : llvm::reverse(Op.operands())) {
      auto *Operand = dyn_cast<Operation>(V);
      if (!Operand || Operand->isBound() || !Operand->hasOneUse() ||
          Operand->getBlock() != &B || isAtom(Operand))
        continue;
      size_t Position = Positions.lookup(Operand);
      if (Position + 1 != Start)
        break;
      Start = Starts[Position];
    }
    Positions[&Op] = S.Ops.size();
    Starts.push_back(Start);
    S.Ops.push_back(&Op);
    if (isChoice(&Op))
      ChoicesAt[S.Ops[Start]].push_back(&Op);
  }
  return S;
}

void CPSConverter::addTask(Block &From, Block &To, Value *Continuation) {
  Task T;
  T.Sources.push_back(createSource(From));
  T.To = &To;
  T.Continuation = Continuation;
  Tasks.push_back(std::move(T));
}

/// Ends a nested `let` of \p T, or T itself by a call of its continuation.
void CPSConverter::finishSource(Task &T) {
  Source S = T.Sources.pop_back_val();
  R.setInsertionPointToEnd(*T.To);
  Value *Result = lookup(S.Result);
  if (!T.Sources.empty())
    return defineAs(S.Scope, Result);
  R.setResult(*T.To, R.create<CallValueOp>(T.Continuation, ArrayRef(Result)));
}

void CPSConverter::run(Task &T) {
  while (!T.Sources.empty()) {
    Source &S = T.Sources.back();
    if (S.Next == S.Ops.size()) {
      finishSource(T);
      continue;
    }
    Operation *Op = S.Ops[S.Next++];
    R.setInsertionPointToEnd(*T.To);
    R.setLoc(Op->getLoc());
    if (auto It = ChoicesAt.find(Op); It != ChoicesAt.end())
      for (Operation *Choice : llvm::reverse(It->second)) {
        Operation *Fn = createContinuation(Choice->getType());
        R.bind(Fn, Name);
        ChoiceContinuations[Choice] = Fn;
      }
    convert(T, Op);
  }
}

void CPSConverter::createBody(const FunctionMap &Map) {
  Functions = &Map;
  addTask(From.getBody(), To.getBody(), Continuation);
  while (!Tasks.empty()) {
    Task T = Tasks.pop_back_val();
    run(T);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The copy of \p Original.
Value *CPSConverter::lookup(Value *Original) {
  auto *Op = dyn_cast<Operation>(Original);
  return Op && isAtom(Op) ? createAtom(Op) : Map.lookup(Original);
}

SmallVector<Value *, 4> CPSConverter::getOperands(const Operation *Op) {
  SmallVector<Value *, 4> Operands;
  for (Value *V : Op->operands())
    Operands.push_back(lookup(V));
  return Operands;
}

/// Makes \p New the copy of \p Op, bound as Op is.
void CPSConverter::define(Operation *Op, Operation *New) {
  Map[Op] = New;
  if (Op->isBound())
    R.bind(New, Op->getVarName(), Types.get(Op->getVarAnnotation()),
           Op->getVarVirtualDevice());
}

/// Makes \p New, which has a place of its own, the copy of \p Op.
void CPSConverter::defineAs(Operation *Op, Value *New) {
  if (Op->isBound())
    define(Op, R.create<AliasOp>(New));
  else
    Map[Op] = New;
}

/// Binds \p New, the copy of \p Op, in addition to the binding of Op.
void CPSConverter::defineBound(Operation *Op, Operation *New) {
  R.bind(New, Name);
  defineAs(Op, New);
}

//===----------------------------------------------------------------------===//
// Closures
//===----------------------------------------------------------------------===//

/// An empty closure of type \p T. Its body is created later.
Operation *CPSConverter::createClosure(Signature Sig, Type *T) {
  Operation *Fn = R.create<FnOp>();
  Sig.ResultAnnotation = Types.getAnswer();
  R.setSignature(Fn->getRegion(), std::move(Sig));
  R.setTypeOnly(Fn, T);
  return Fn;
}

/// The continuation of a value whose original has type \p T.
Operation *CPSConverter::createContinuation(Type *T) {
  Operation *Fn = createClosure({}, Types.getContinuation(T));
  R.addArgument(Fn->getRegion(), Ctx.intern("arg"), Types.get(T), R.getLoc());
  R.setTypeOnly(Fn, Types.getContinuation(T));
  return Fn;
}

/// Goes on in \p Continuation, which has the value of \p Op as its argument.
void CPSConverter::resume(Task &T, Operation *Op, Operation *Continuation) {
  T.To = &Continuation->getRegion();
  R.setInsertionPointToEnd(*T.To);
  defineAs(Op, T.To->getArgument(0));
}

Operation *CPSConverter::createFn(Operation *Op) {
  Block &Body = Op->getRegion();
  Signature Sig = Op->getSignature();
  Sig.VirtualDevice = {}; // of the result, which the continuation takes
  Operation *New = createClosure(std::move(Sig), Types.get(Op->getType()));
  for (BlockArgument *Arg : Body.getArguments())
    addArgument(New->getRegion(), *Arg);
  Type *Result = cast<FuncType>(Op->getType())->getResult();
  Value *K = R.addArgument(New->getRegion(), Ctx.intern("k"),
                           Types.getContinuation(Result), Op->getLoc());
  R.setTypeOnly(New, Types.get(Op->getType()));
  addTask(Body, New->getRegion(), K);
  return New;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// A copy of \p Op, a constant or a reference to a function.
Operation *CPSConverter::createAtom(Operation *Op) {
  Rewriter::InsertionGuard Guard(R);
  R.setLoc(Op->getLoc());
  if (Op->is(OpCode::GlobalRef))
    return R.create<GlobalRefOp>(
        Functions->lookup(getNamedFunction(*Op))->getName());
  return R.createOperation(Op->getInfo(), {}, Op->getAttrs());
}

/// Creates \p Op, which has no regions, with \p Operands.
Operation *CPSConverter::copyWith(Operation *Op, ArrayRef<Value *> Operands) {
  return copyOperation(R, *Op, Operands, [&](Type *T) { return Types.get(T); });
}

/// Calls the converted function that \p Op calls.
Operation *CPSConverter::createGlobalCall(Operation *Op,
                                          ArrayRef<Value *> Operands) {
  Operation *New = R.create<CallGlobalOp>(
      Operands, Functions->lookup(getNamedFunction(*Op))->getName(),
      cast<CallGlobalOp>(Op).attrs().attributes());
  SmallVector<Type *, 2> TypeArgs;
  for (Type *Arg : Op->getWrittenTypeArgs())
    TypeArgs.push_back(Types.get(Arg));
  if (TypeArgs.empty())
    return New;
  TypeArgs.push_back(Types.getAnswer());
  R.setTypeArgs(New, TypeArgs);
  return New;
}

void CPSConverter::convertCall(Task &T, Operation *Op) {
  SmallVector<Value *, 4> Operands = getOperands(Op);
  Operation *K = createContinuation(Op->getType());
  Operands.push_back(K);
  R.setResult(*T.To, Op->is(OpCode::CallGlobal) ? createGlobalCall(Op, Operands)
                                                : copyWith(Op, Operands));
  resume(T, Op, K);
}

Operation *CPSConverter::createMatch(Operation *Op) {
  Operation *New =
      R.create<MatchOp>(lookup(Op->getOperand(0)), Op->getNumRegions());
  New->setCompleteMatch(Op->isCompleteMatch());
  for (auto [Clause, To] : llvm::zip(Op->getRegions(), New->getRegions()))
    for (BlockArgument *Arg : Clause.getArguments())
      addArgument(To, *Arg);
  SmallVector<MatchPattern *, 8> Patterns;
  for (const MatchPattern *P : Op->getPatterns())
    Patterns.push_back(copyPattern(To, *P, Map));
  R.setPatterns(New, Patterns);
  return New;
}

void CPSConverter::convertChoice(Task &T, Operation *Op) {
  Operation *New =
      Op->is(OpCode::Match)
          ? createMatch(Op)
          : R.create<IfOp>(lookup(Op->getOperand(0))).getOperation();
  R.setTypeOnly(New, Types.getAnswer());
  R.setResult(*T.To, New);
  Operation *K = ChoiceContinuations.lookup(Op);
  for (auto [Branch, To] : llvm::zip(Op->getRegions(), New->getRegions()))
    addTask(Branch, To, K);
  resume(T, Op, K);
}

void CPSConverter::convert(Task &T, Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Constant:
  case OpCode::GlobalRef:
    return define(Op, createAtom(Op));
  case OpCode::RefCreate:
    // One reference, wherever it is used.
    if (Op->isFloating() && !Op->hasOneUse())
      return defineBound(Op, copyWith(Op, getOperands(Op)));
    return define(Op, copyWith(Op, getOperands(Op)));
  case OpCode::Tuple:
  case OpCode::TupleGetItem:
  case OpCode::Alias:
    return define(Op, copyWith(Op, getOperands(Op)));
  case OpCode::Fn:
    return define(Op, createFn(Op));
  case OpCode::Operator:
  case OpCode::CallConstructor:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return defineBound(Op, copyWith(Op, getOperands(Op)));
  case OpCode::CallGlobal:
    if (keepsDirectStyle(*getNamedFunction(*Op)))
      return defineBound(Op, copyWith(Op, getOperands(Op)));
    return convertCall(T, Op);
  case OpCode::CallValue:
    return convertCall(T, Op);
  case OpCode::If:
  case OpCode::Match:
    return convertChoice(T, Op);
  case OpCode::Scope:
    return T.Sources.push_back(createSource(Op->getRegion()));
  case OpCode::OpRef:
  case OpCode::ConstructorRef:
    break;
  }
  llvm_unreachable("rejected by checkForCPS()");
}
