//===- Evaluator.cpp - Evaluates Relay ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop over instructions. Frames of calls are on a separate stack; a tail
// call replaces its caller's frame.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "CallStack.h"
#include "OperatorCall.h"
#include "relay/IR/Core.h"

using namespace relay;

EvaluationListener::~EvaluationListener() = default;

//===----------------------------------------------------------------------===//
// Evaluator::Impl
//===----------------------------------------------------------------------===//

class Evaluator::Impl {
public:
  Impl(Module &M, const EvaluatorOptions &Options);

  FailureOr<RuntimeValue> call(const EvaluationPlan &Code,
                               ArrayRef<RuntimeValue> Args, Location Loc);
  FailureOr<RuntimeValue> callOperator(const Operation &Op,
                                       ArrayRef<RuntimeValue> Inputs);

  Module &M;
  EvaluatorOptions Options;
  MemoryMeterRef Meter;
  EvaluationPlanCache Plans;
  OpHooks<Kernel> Kernels;
  std::string LastError;
  bool HitLimit = false; ///< of steps or elements
  WorkMeter Work;
  InFlightDiagnostic emitError(Location Loc, const Twine &Message) {
    return getDiagnostics().emitError(getLoc(Loc), Message);
  }

private:
  DiagnosticEngine &getDiagnostics() {
    return Options.ReportsErrors ? M.getContext().getDiagnostics() : Quiet;
  }
  /// Unreported diagnostics need no position.
  Location getLoc(Location Loc) const {
    return Options.ReportsErrors ? Loc : Location();
  }
  InFlightDiagnostic emitError(const Instruction &I, const Twine &Message);
  LogicalResult countStep(const Instruction &I);
  LogicalResult countElements(const Instruction &I, const RuntimeValue &V);
  LogicalResult checkMemory(const Instruction &I);
  LogicalResult checkFreed(const CallFrame &Frame, const Instruction &I);

  RuntimeValue &slot(Slot S) { return Stack.top().Slots[S]; }
  RuntimeValue &operand(const Instruction &I, unsigned N) {
    return slot(I.Operands[N]);
  }
  SmallVector<RuntimeValue, 4> takeOperands(const Instruction &I);
  void kill(const Instruction &I) {
    for (Slot S : I.Kills)
      slot(S) = RuntimeValue();
  }
  void finish(const Instruction &I, RuntimeValue V);

  LogicalResult run();
  LogicalResult step(const Instruction &I);
  LogicalResult load(const Instruction &I);
  LogicalResult callKernel(const Instruction &I);
  LogicalResult runOperator(const Instruction &I, const OperatorCall &Call,
                            ArrayRef<RuntimeValue> Args);
  FailureOr<RuntimeValue> runExternal(const EvaluationPlan &Code,
                                      ArrayRef<RuntimeValue> Args,
                                      Location Loc);
  FailureOr<bool> callExternal(const Instruction &I, const EvaluationPlan &Code,
                               ArrayRef<RuntimeValue> Args);
  LogicalResult callGlobal(const Instruction &I);
  LogicalResult callValue(const Instruction &I);
  void bindParams(const EvaluationPlan &Code,
                  ArrayRef<RuntimeValue> Args) const;
  LogicalResult enterCall(const Instruction &I, const EvaluationPlan &Code,
                          const RuntimeValue &Callee,
                          MutableArrayRef<RuntimeValue> Args);
  LogicalResult callSymbol(const Instruction &I, const RuntimeValue &Callee,
                           ArrayRef<RuntimeValue> Args);
  LogicalResult construct(const Instruction &I, const Constructor *C,
                          ArrayRef<RuntimeValue> Args);
  void branch(const Instruction &I);
  bool match(const MatchPattern &Root, RuntimeValue Data);
  void returnValue(const Instruction &I);

  DiagnosticEngine Quiet;
  KernelCall::Environment Env;
  ReferenceList References;
  CallStack Stack;
  uint64_t NumSteps = 0, NumElements = 0; ///< of the current evaluation
  RuntimeValue Result;
};

static uint64_t getMaxWork(const EvaluatorOptions &Options) {
  return Options.MaxWork.value_or(llvm::SaturatingMultiply(
      Options.MaxSteps, EvaluatorOptions::WorkPerStep));
}

Evaluator::Impl::Impl(Module &M, const EvaluatorOptions &Options)
    : M(M), Options(Options), Meter(new MemoryMeter(Options.MaxMemory)),
      Plans(M.getContext(), &M), Kernels(M.getContext()),
      Work{getMaxWork(Options), this->Options.LimitFlag},
      Env{M.getContext(),   getDiagnostics(),  Meter.get(), Work,
          /*NumThreads=*/1, Options.Requantize},
      Stack(*Meter) {
  Quiet.pushHandler([this](const Diagnostic &D) {
    LastError = D.Message;
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Errors and limits
//===----------------------------------------------------------------------===//

/// Returns `'nn.relu'`, `call of @f`, `match`.
static std::string describeOperation(const Operation &Op) {
  if (auto Call = dyn_cast<CallGlobalOp>(&Op))
    return ("call of @" + Call.attrs().callee()).str();
  if (Op.is(OpCode::CallValue))
    return "call of a function as a value";
  StringRef Name = Op.getName();
  return Name.consume_front("relay.") ? Name.str() : ("'" + Name + "'").str();
}

InFlightDiagnostic Evaluator::Impl::emitError(const Instruction &I,
                                              const Twine &Message) {
  if (!I.Op)
    return emitError(Location(), Message);
  return emitError(I.Op->getLoc(), describeOperation(*I.Op) + ": " + Message);
}

LogicalResult Evaluator::Impl::countStep(const Instruction &I) {
  if (LLVM_LIKELY(++NumSteps <= Options.MaxSteps))
    return success();
  HitLimit = true;
  return emitError(I, describeLimit(Options.MaxSteps, "steps of evaluation",
                                    Options.LimitFlag));
}

/// Counts the elements of \p V, the result of \p I.
LogicalResult Evaluator::Impl::countElements(const Instruction &I,
                                             const RuntimeValue &V) {
  if (V.isTensor())
    NumElements += V.getTensor().getNumElements();
  else if (V.isTuple())
    for (const RuntimeValue &Field : V.getFields())
      NumElements += Field.isTensor() ? Field.getTensor().getNumElements() : 0;
  if (LLVM_LIKELY(NumElements <= Options.MaxElements))
    return success();
  HitLimit = true;
  return emitError(I, describeLimit(Options.MaxElements, "computed elements",
                                    Options.LimitFlag));
}

/// Called after \p I: kernels check the size of their results before.
LogicalResult Evaluator::Impl::checkMemory(const Instruction &I) {
  if (LLVM_LIKELY(Meter->hasRoomFor(0)))
    return success();
  return emitError(I, "values and calls take more memory than is allowed");
}

static StringRef getVariableName(const Value &V) {
  if (auto *Op = dyn_cast<Operation>(&V))
    return Op->getVarName();
  return cast<BlockArgument>(V).getName();
}

/// Reports an operand of \p I whose variable memory.kill has freed.
LogicalResult Evaluator::Impl::checkFreed(const CallFrame &Frame,
                                          const Instruction &I) {
  for (Slot S : I.Operands) {
    auto It = Frame.Code->Freed.find(S);
    if (It == Frame.Code->Freed.end() || slot(S))
      continue;
    const Operation &Kill = *It->second;
    return emitError((I.Op ? I.Op : &Kill)->getLoc(),
                     "'%" + getVariableName(*Kill.getOperand(0)) +
                         "' is used after memory.kill");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

FailureOr<RuntimeValue> Evaluator::Impl::call(const EvaluationPlan &Code,
                                              ArrayRef<RuntimeValue> Args,
                                              Location Loc) {
  if (Args.size() != Code.Params.size())
    return emitError(Loc, Code.Name + " takes " + Twine(Code.Params.size()) +
                              " arguments, not " + Twine(Args.size()));
  NumSteps = NumElements = Work.Used = 0;
  Env.NumThreads = getNumKernelThreads(M.getContext());
  FailureOr<RuntimeValue> V = runExternal(Code, Args, Loc);
  if (failed(V) || *V)
    return V;
  bindParams(Code, Args);
  SmallVector<RuntimeValue, 4> Copies(Args);
  Stack.push(Code, Copies, 0);
  LogicalResult Outcome = run();
  Stack.clear();
  if (failed(Outcome))
    return failure();
  return std::exchange(Result, RuntimeValue());
}

LogicalResult Evaluator::Impl::run() {
  while (!Stack.empty()) {
    CallFrame &Top = Stack.top();
    const Instruction &I = Top.Code->Code[Top.Next++];
    if (failed(countStep(I)))
      return failure();
    if (LLVM_UNLIKELY(!Top.Code->Freed.empty()) && failed(checkFreed(Top, I)))
      return failure();
    if (failed(step(I)) || failed(checkMemory(I)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Moves values out of slots at their last use.
SmallVector<RuntimeValue, 4>
Evaluator::Impl::takeOperands(const Instruction &I) {
  SmallVector<RuntimeValue, 4> Values;
  for (Slot S : I.Operands)
    Values.push_back(slot(S));
  kill(I);
  return Values;
}

/// Kills come first: one of them is the target itself if it is unused.
void Evaluator::Impl::finish(const Instruction &I, RuntimeValue V) {
  if (I.Op && I.K != Instruction::Kind::Load) {
    for (EvaluationListener *Listener : Options.Listeners)
      Listener->substitute(*I.Op, V);
    for (EvaluationListener *Listener : Options.Listeners)
      Listener->afterOperation(*I.Op, V);
  }
  if (!llvm::is_contained(I.Kills, I.Target))
    slot(I.Target) = std::move(V);
}

LogicalResult Evaluator::Impl::step(const Instruction &I) {
  using Kind = Instruction::Kind;
  switch (I.K) {
  case Kind::Load:
    return load(I);
  case Kind::Kernel:
    return callKernel(I);
  case Kind::Call:
    return callGlobal(I);
  case Kind::CallValue:
    return callValue(I);
  case Kind::Tuple:
    finish(I, RuntimeValue::getTuple(takeOperands(I), Meter.get()));
    return success();
  case Kind::Project: {
    RuntimeValue Field = operand(I, 0).getFields()[I.Number];
    kill(I);
    finish(I, std::move(Field));
    return success();
  }
  case Kind::Construct:
    return construct(I, I.Constructor, takeOperands(I));
  case Kind::Closure:
    finish(I, RuntimeValue::getClosure(*I.Code, takeOperands(I), Meter.get()));
    return success();
  case Kind::RefCreate: {
    RuntimeValue Cell =
        RuntimeValue::getReference(takeOperands(I)[0], Meter.get());
    References.add(Cell);
    finish(I, std::move(Cell));
    return success();
  }
  case Kind::RefRead:
    finish(I, takeOperands(I)[0].getFields()[0]);
    return success();
  case Kind::RefWrite: {
    SmallVector<RuntimeValue, 4> Operands = takeOperands(I);
    Operands[0].setContents(std::move(Operands[1]));
    finish(I, RuntimeValue::getTuple({}, Meter.get()));
    return success();
  }
  case Kind::Move:
    finish(I, takeOperands(I)[0]);
    return success();
  case Kind::Branch:
    branch(I);
    return success();
  case Kind::MatchClause:
    if (match(*I.Pattern, operand(I, 0)))
      kill(I);
    else
      Stack.top().Next = I.Number;
    return success();
  case Kind::NoMatch:
    return emitError(I, "no clause matches the value");
  case Kind::Jump:
    kill(I);
    Stack.top().Next = I.Number;
    return success();
  case Kind::Return:
    returnValue(I);
    return success();
  }
  llvm_unreachable("covered switch");
}

LogicalResult Evaluator::Impl::load(const Instruction &I) {
  if (*I.Value) {
    finish(I, *I.Value);
    return success();
  }
  if (const ConstantData *Missing = getConstantData(I.Op))
    return emitError(I, Missing->describeMissingData());
  return emitError(I, "use of an undefined name");
}

void Evaluator::Impl::branch(const Instruction &I) {
  bool Condition = operand(I, 0).getTensor().getInt() != 0;
  kill(I);
  if (!Condition)
    Stack.top().Next = I.Number;
}

void Evaluator::Impl::returnValue(const Instruction &I) {
  RuntimeValue V = operand(I, 0);
  Slot Target = Stack.top().Target;
  Stack.pop();
  if (Stack.empty())
    Result = std::move(V);
  else
    slot(Target) = std::move(V);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Binds the variables of \p Root even if it does not match as a whole: the
/// next clause has other slots.
bool Evaluator::Impl::match(const MatchPattern &Root, RuntimeValue Data) {
  using Kind = MatchPattern::Kind;
  SmallVector<std::pair<const MatchPattern *, RuntimeValue>, 8> Worklist;
  Worklist.push_back({&Root, std::move(Data)});
  while (!Worklist.empty()) {
    auto [P, V] = Worklist.pop_back_val();
    if (P->K == Kind::Var) {
      for (EvaluationListener *Listener : Options.Listeners)
        Listener->afterBinding(*P->Variable, V);
      slot(Stack.top().Code->PatternSlots.lookup(P->Variable)) = V;
    }
    if (P->K == Kind::Var || P->K == Kind::Wildcard)
      continue;
    if (P->K == Kind::Constructor && V.getConstructor().Name != P->Constructor)
      return false;
    for (auto [Child, Field] : llvm::zip(P->Children, V.getFields()))
      Worklist.push_back({Child, Field});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::Impl::callKernel(const Instruction &I) {
  const Operation &Op = *I.Op;
  for (EvaluationListener *Listener : Options.Listeners)
    Listener->beforeOperation(Op);
  OperatorCall Call{Op.getInfo(),
                    Op.getAttrs(),
                    getLoc(Op.getLoc()),
                    &Op,
                    OpHook<Kernel>(I.Function),
                    I.StaticType};
  return runOperator(I, Call, takeOperands(I));
}

LogicalResult Evaluator::Impl::runOperator(const Instruction &I,
                                           const OperatorCall &Call,
                                           ArrayRef<RuntimeValue> Args) {
  for (EvaluationListener *Listener : Options.Listeners)
    Listener->beforeOperator(*I.Op, Call.Info);
  FailureOr<RuntimeValue> V = Call.run(Env, Args);
  if (failed(V) || failed(countElements(I, *V)))
    return failure();
  for (EvaluationListener *Listener : Options.Listeners)
    Listener->afterOperator(*I.Op, Call.Info, *V);
  finish(I, std::move(*V));
  return success();
}

FailureOr<RuntimeValue>
Evaluator::Impl::callOperator(const Operation &Op,
                              ArrayRef<RuntimeValue> Inputs) {
  assert(Op.is(OpCode::Operator) && Op.getNumOperands() == Inputs.size());
  OperatorCall Call{Op.getInfo(), Op.getAttrs(), getLoc(Op.getLoc()), &Op,
                    Kernels.lookup(Op)};
  Env.NumThreads = getNumKernelThreads(M.getContext());
  return Call.run(Env, Inputs);
}

void Evaluator::Impl::bindParams(const EvaluationPlan &Code,
                                 ArrayRef<RuntimeValue> Args) const {
  for (EvaluationListener *Listener : Options.Listeners)
    for (auto [Param, Arg] : llvm::zip_equal(Code.Params, Args))
      Listener->afterBinding(*Param, Arg);
}

/// Returns no value if \p Code is to be run by its instructions.
FailureOr<RuntimeValue>
Evaluator::Impl::runExternal(const EvaluationPlan &Code,
                             ArrayRef<RuntimeValue> Args, Location Loc) {
  if (LLVM_LIKELY(!Code.External))
    return RuntimeValue();
  return callExternally(*Code.External, *Code.Global, getLoc(Loc), Env, Args);
}

/// Returns true if a library has evaluated the call \p I. Listeners see an
/// operator of the name of the call.
FailureOr<bool> Evaluator::Impl::callExternal(const Instruction &I,
                                              const EvaluationPlan &Code,
                                              ArrayRef<RuntimeValue> Args) {
  for (EvaluationListener *Listener : Options.Listeners)
    Listener->beforeOperator(*I.Op, I.Op->getInfo());
  FailureOr<RuntimeValue> V = runExternal(Code, Args, I.Op->getLoc());
  if (failed(V))
    return failure();
  if (!*V)
    return false;
  if (failed(countElements(I, *V)))
    return failure();
  for (EvaluationListener *Listener : Options.Listeners)
    Listener->afterOperator(*I.Op, I.Op->getInfo(), *V);
  finish(I, std::move(*V));
  return true;
}

/// Moves \p Args to the frame of the callee. A tail call replaces the frame.
LogicalResult Evaluator::Impl::enterCall(const Instruction &I,
                                         const EvaluationPlan &Code,
                                         const RuntimeValue &Callee,
                                         MutableArrayRef<RuntimeValue> Args) {
  if (Args.size() != Code.Params.size())
    return emitError(I, Code.Name + " takes " + Twine(Code.Params.size()) +
                            " arguments, not " + Twine(Args.size()));
  if (Code.External)
    if (FailureOr<bool> IsDone = callExternal(I, Code, Args);
        failed(IsDone) || *IsDone)
      return LogicalResult(IsDone);
  Slot Target = I.Target;
  if (I.IsTail) {
    Target = Stack.top().Target;
    Stack.pop();
  }
  bindParams(Code, Args);
  Stack.push(Code, Args, Target);
  if (!Callee)
    return success();
  Slot Next = Code.Params.size();
  for (const RuntimeValue &Captured : Callee.getFields())
    slot(Next++) = Captured;
  if (Code.Self)
    slot(*Code.Self) = Callee;
  return success();
}

LogicalResult Evaluator::Impl::callGlobal(const Instruction &I) {
  CallGlobalOp Call(I.Op);
  if (!I.Code)
    return emitError(I, "undefined function `@" + Call.attrs().callee() + "`");
  if (!I.Code->hasCode())
    Plans.get(*M.lookupFunction(Call.attrs().callee()));
  SmallVector<RuntimeValue, 4> Args = takeOperands(I);
  return enterCall(I, *I.Code, RuntimeValue(), Args);
}

LogicalResult Evaluator::Impl::callValue(const Instruction &I) {
  SmallVector<RuntimeValue, 4> Operands = takeOperands(I);
  RuntimeValue Callee = std::move(Operands[0]);
  MutableArrayRef<RuntimeValue> Args = MutableArrayRef(Operands).drop_front();
  if (Callee.is(RuntimeValue::Kind::Closure))
    return enterCall(I, Callee.getClosureCode(), Callee, Args);
  if (Callee.is(RuntimeValue::Kind::GlobalFunction))
    return enterCall(I, Plans.get(Callee.getGlobalFunction()), RuntimeValue(),
                     Args);
  return callSymbol(I, Callee, Args);
}

/// Evaluates a call of an operator or a constructor as a value.
LogicalResult Evaluator::Impl::callSymbol(const Instruction &I,
                                          const RuntimeValue &Callee,
                                          ArrayRef<RuntimeValue> Args) {
  if (Callee.is(RuntimeValue::Kind::Constructor))
    return construct(I, &Callee.getConstructor(), Args);
  const OpInfo &Info = Callee.getOperatorInfo();
  OperatorCall Call{Info, nullptr, getLoc(I.Op->getLoc()), nullptr,
                    Kernels.lookup(Info)};
  return runOperator(I, Call, Args);
}

LogicalResult Evaluator::Impl::construct(const Instruction &I,
                                         const Constructor *C,
                                         ArrayRef<RuntimeValue> Args) {
  if (!C)
    return emitError(I, "the constructor is not defined");
  finish(I, RuntimeValue::getData(*C, Args, Meter.get()));
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluator
//===----------------------------------------------------------------------===//

Evaluator::Evaluator(Module &M, const EvaluatorOptions &Options)
    : TheImpl(std::make_unique<Impl>(M, Options)) {}
Evaluator::~Evaluator() = default;

FailureOr<RuntimeValue> Evaluator::evaluate(Function &F,
                                            ArrayRef<RuntimeValue> Args) {
  for (auto [Param, Arg] : llvm::zip(F.getParams(), Args)) {
    std::string Problem = checkValue(Arg, Param->getType());
    if (!Problem.empty())
      return TheImpl->emitError(
          Param->getLoc(), "argument %" + Param->getName() + ": " + Problem);
  }
  return TheImpl->call(TheImpl->Plans.get(F), Args, F.getLoc());
}

FailureOr<RuntimeValue>
Evaluator::evaluateClosure(const Operation &Fn, ArrayRef<RuntimeValue> Args) {
  const EvaluationPlan &Code = TheImpl->Plans.get(Fn);
  if (!Code.Captures.empty() || Code.Self)
    return TheImpl->emitError(Fn.getLoc(), "the closure captures variables");
  return TheImpl->call(Code, Args, Fn.getLoc());
}

FailureOr<RuntimeValue> Evaluator::evaluate(const Operation &Op,
                                            ArrayRef<RuntimeValue> Operands) {
  return TheImpl->callOperator(Op, Operands);
}

bool Evaluator::hasKernel(const OpInfo &Info) const {
  return bool(TheImpl->Kernels.lookup(Info));
}
StringRef Evaluator::getError() const { return TheImpl->LastError; }
bool Evaluator::hasHitLimit() const {
  return TheImpl->HitLimit || TheImpl->Work.isBeyondLimit() ||
         TheImpl->Meter->hasRefused();
}
const MemoryMeter &Evaluator::getMemory() const { return *TheImpl->Meter; }

FailureOr<RuntimeValue>
relay::evaluateOperator(Context &Ctx, const OpInfo &Info, const Attrs *A,
                        ArrayRef<RuntimeValue> Operands, uint64_t MaxMemory,
                        WorkMeter &Work) {
  MemoryMeterRef Meter(new MemoryMeter(MaxMemory));
  DiagnosticEngine Quiet;
  Quiet.pushHandler([](const Diagnostic &) { return true; });
  OperatorCall Call{Info, A, Location(), /*Op=*/nullptr,
                    OpHooks<Kernel>(Ctx).lookup(Info)};
  return Call.run({Ctx, Quiet, Meter.get(), Work}, Operands);
}

std::string relay::checkValue(const RuntimeValue &V, Type *T) {
  if (auto *Tuple = dyn_cast_or_null<TupleType>(T)) {
    if (!V.isTuple() || V.getFields().size() != Tuple->getNumFields())
      return "the type is " + toString(T) + ", but the value is " +
             V.describe().str();
    for (auto [Field, FieldType] : llvm::zip(V.getFields(), Tuple->getFields()))
      if (std::string Problem = checkValue(Field, FieldType); !Problem.empty())
        return Problem;
    return "";
  }
  if (!T || isa<TypeVarType, IncompleteType>(T))
    return "";
  auto *Expected = dyn_cast<TensorType>(T);
  if (!Expected && !V.isTensor() && !V.isTuple())
    return "";
  if (!Expected || !V.isTensor())
    return "the type is " + toString(T) + ", but the value is " +
           V.describe().str();
  const Tensor &Value = V.getTensor();
  bool Fits = Value.getDType() == Expected->getDType() &&
              Value.getRank() == Expected->getRank();
  for (unsigned I = 0; Fits && I != Value.getRank(); ++I)
    Fits = !Expected->getDim(I).isConst() ||
           Expected->getDim(I).getInt() == Value.getDim(I);
  if (Fits)
    return "";
  return "the type is " + toString(T) + ", but the value is a tensor of " +
         toString(Value.getShape()) + " and " + Value.getDType().str();
}
