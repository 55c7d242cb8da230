//===- PartialCalls.cpp - Calls during partial evaluation -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of operators are evaluated if their operands are known. Calls of known
// functions and closures are unfolded: the body is evaluated in place of the
// call. A call that cannot be unfolded stays, which is always possible, since
// the new body has every closure.
//
//===----------------------------------------------------------------------===//

#include "PartialEvaluator.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Ops/Memory.h"

using namespace relay;

using Kind = KnownValue::Kind;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

ConstantCalculator::ConstantCalculator(Module &M) : M(M) {
  // As fold-constant: one evaluation takes a part of the memory.
  constexpr uint64_t MaxMemory = 1 << 28;
  MaxRoom = std::min(MaxMemory, M.getContext().getLimits().Memory / 8) /
            std::max<size_t>(M.getNumFunctions(), 1);
  reset();
}

void ConstantCalculator::reset() {
  Room = MaxRoom;
  Work = {uint64_t(1) << 34, EvaluatorOptions().LimitFlag};
}

/// The value of \p V, a known tensor or a tuple of known tensors; none
/// otherwise. Nothing that is evaluated takes nested tuples.
static RuntimeValue getRuntimeValue(const PartialValue &V) {
  if (!V.Known)
    return RuntimeValue();
  if (V.Known->K == Kind::Tensor)
    return Tensor::get(*V.Known->Elements);
  if (V.Known->K != Kind::Tuple)
    return RuntimeValue();
  SmallVector<RuntimeValue, 4> Fields;
  for (const PartialValue *Field : V.Known->Fields) {
    if (!Field->Known || Field->Known->K != Kind::Tensor)
      return RuntimeValue();
    Fields.push_back(Tensor::get(*Field->Known->Elements));
  }
  return RuntimeValue::getTuple(Fields);
}

static std::optional<SmallVector<RuntimeValue, 4>>
getRuntimeValues(ArrayRef<PartialValue *> Arguments) {
  SmallVector<RuntimeValue, 4> Values;
  for (const PartialValue *Argument : Arguments) {
    Values.push_back(getRuntimeValue(*Argument));
    if (!Values.back())
      return std::nullopt;
  }
  return Values;
}

/// \p Result if it consists of tensors for which there is room.
std::optional<RuntimeValue>
ConstantCalculator::accept(FailureOr<RuntimeValue> Result) {
  if (failed(Result) || !(Result->isTensor() || Result->isTuple()))
    return std::nullopt;
  uint64_t Bytes = 0;
  ArrayRef<RuntimeValue> Fields =
      Result->isTuple() ? Result->getFields() : ArrayRef(*Result);
  for (const RuntimeValue &Field : Fields) {
    if (!Field.isTensor())
      return std::nullopt;
    Bytes += Field.getTensor().getByteSize();
  }
  if (Bytes > Room)
    return std::nullopt;
  Room -= Bytes;
  return *Result;
}

std::optional<RuntimeValue>
ConstantCalculator::evaluate(const OpInfo &Info, const Attrs *A,
                             ArrayRef<PartialValue *> Arguments) {
  if (!Info.isRegistered() || Info.hasTrait(OpTrait::Stateful) ||
      Info.hasTrait(OpTrait::NonComputational) ||
      &Info == &DeviceCopyOp::getInfo())
    return std::nullopt;
  auto Values = getRuntimeValues(Arguments);
  if (!Values)
    return std::nullopt;
  return accept(evaluateOperator(M.getContext(), Info, A, *Values, Room, Work));
}

Evaluator &ConstantCalculator::getEvaluator() {
  if (!TheEvaluator) {
    EvaluatorOptions Options;
    Options.ReportsErrors = false;
    Options.MaxSteps = 1 << 20;
    Options.MaxMemory = MaxRoom;
    TheEvaluator.emplace(M, Options);
  }
  return *TheEvaluator;
}

std::optional<RuntimeValue>
ConstantCalculator::evaluate(const Operation &Fn,
                             ArrayRef<PartialValue *> Arguments) {
  auto Values = getRuntimeValues(Arguments);
  if (!Values)
    return std::nullopt;
  return accept(getEvaluator().evaluateClosure(Fn, *Values));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

void PartialEvaluator::visitOperator(Operation &Op) {
  callOperator(Op, Op.getInfo(), Op.getAttrs(), useOperands(Op));
}

void PartialEvaluator::callOperator(Operation &Call, const OpInfo &Info,
                                    const Attrs *A,
                                    ArrayRef<PartialValue *> Arguments) {
  if (!isDynamic(Call.getType()))
    if (std::optional<RuntimeValue> V =
            Constants.evaluate(Info, A, Arguments)) {
      ++Done.NumEvaluated;
      return define(Call, emitValue(Call, *V));
    }
  define(Call, makeValue(emit(Call, Info, Arguments, A)));
}

//===----------------------------------------------------------------------===//
// Calls that stay
//===----------------------------------------------------------------------===//

SmallVector<Type *, 2>
PartialEvaluator::getTypeArgs(const Operation &Call) const {
  SmallVector<Type *, 2> Types;
  for (Type *T : Call.getTypeArgs())
    Types.push_back(instantiate(T));
  return Types;
}

/// Makes \p New, which calls what \p Call does, its value.
void PartialEvaluator::keepCall(Operation &Call, Operation *New,
                                bool MayWrite) {
  if (!Call.getTypeArgs().empty()) {
    New->setTypeArgs(F, getTypeArgs(Call), Call.hasInferredTypeArgs());
    finishType(New, Call);
  }
  if (MayWrite)
    Store.invalidate();
  define(Call, makeValue(New));
}

void PartialEvaluator::keepCallOf(Operation &Call, PartialValue *Callee,
                                  ArrayRef<PartialValue *> Arguments,
                                  bool MayWrite) {
  SmallVector<PartialValue *, 4> Operands = {Callee};
  llvm::append_range(Operands, Arguments);
  keepCall(Call, emit(Call, CallValueOp::getInfo(), Operands, Call.getAttrs()),
           MayWrite);
}

//===----------------------------------------------------------------------===//
// Unfolding
//===----------------------------------------------------------------------===//

/// What remains of the fuel of \p Body after a call with \p Arguments; none if
/// it does not suffice.
std::optional<Fuel>
PartialEvaluator::spendFuel(const Block &Body,
                            ArrayRef<PartialValue *> Arguments) const {
  auto Before = Fuels.find(&Body);
  Fuel New(Arguments);
  return Before == Fuels.end() ? New : Before->second.spend(New);
}

/// Replaces the fuel of \p Body until the current frame is left.
void PartialEvaluator::saveFuel(const Block &Body, Fuel New) {
  auto [It, IsNew] = Fuels.try_emplace(&Body, New);
  std::optional<Fuel> Before;
  if (!IsNew) {
    Before = std::move(It->second);
    It->second = std::move(New);
  }
  SavedFuels.push_back({&Body, std::move(Before)});
  top().HasFuel = true;
}

/// Returns true if the evaluation of \p Body stays within the limits.
bool PartialEvaluator::isWithinLimits(const BodyLayout &Layout) const {
  // Far below the depth that the parser reads.
  constexpr uint32_t MaxNesting = 1000;
  return Layout.NumOperations < Budget &&
         top().Depth + Layout.Nesting <= MaxNesting;
}

/// Returns true if \p Arguments, in the frame of the body, and the result of \p
/// Body may take the place of what \p Call has.
bool PartialEvaluator::keepsTypes(Block &Body,
                                  ArrayRef<PartialValue *> Arguments,
                                  Type *CallType) const {
  for (auto [Arg, V] : llvm::zip_equal(Body.getArguments(), Arguments))
    if (!mayReplace(Arg->getType(), *V))
      return false;
  Type *ResultType = instantiate(Body.getResult()->getType());
  return ResultType == CallType || !ResultType || !CallType ||
         (!isDynamic(ResultType) && !isDynamic(CallType));
}

/// Evaluates \p Body in place of \p Call. Returns false if the call must stay.
bool PartialEvaluator::unfold(Operation &Call, Block &Body,
                              const Signature &Sig, ProgramFunction &Of,
                              Activation *Outer,
                              ArrayRef<PartialValue *> Arguments) {
  const BodyLayout &Layout = Of.getLayout(Body);
  SmallVector<Type *, 2> TypeArgs = getTypeArgs(Call);
  if (!Body.getResult() || Body.getNumArguments() != Arguments.size() ||
      TypeArgs.size() != Sig.TypeParams.size() || !isWithinLimits(Layout))
    return false;
  std::optional<Fuel> Rest = spendFuel(Body, Arguments);
  if (!Rest)
    return false;
  Type *CallType = instantiate(Call.getType());
  Activation *Env = createActivation(Of, Layout, Outer);
  bindTypes(*Env, Sig.TypeParams, TypeArgs);
  enterInPlace(Body, Env, Call);
  if (!keepsTypes(Body, Arguments, CallType)) {
    Frames.pop_back();
    return false;
  }
  saveFuel(Body, std::move(*Rest));
  createSlots(*Env, Layout);
  for (auto [Arg, V] : llvm::zip_equal(Body.getArguments(), Arguments))
    getSlot(Arg) = V;
  Budget -= Layout.NumOperations + 1;
  ++Done.NumUnfolded;
  return true;
}

//===----------------------------------------------------------------------===//
// Calls of functions
//===----------------------------------------------------------------------===//

void PartialEvaluator::visitCallGlobal(Operation &Op) {
  auto Call = cast<CallGlobalOp>(&Op);
  callGlobal(Op, Call.attrs().callee(), Call.attrs().attributes(),
             useOperands(Op));
}

void PartialEvaluator::callGlobal(Operation &Call, StringRef Name,
                                  Attr Attributes,
                                  ArrayRef<PartialValue *> Arguments) {
  Function *Callee = P.getModule().lookupFunction(Name);
  if (Callee && !Callee->isSkippedByOptimization() &&
      !isPrimitive(Callee->getSignature()) &&
      unfold(Call, Callee->getBody(), Callee->getSignature(), P.get(*Callee),
             nullptr, Arguments))
    return;
  const Attrs *A = CallGlobalAttrs::get(Ctx, Name, Attributes);
  keepCall(Call, emit(Call, CallGlobalOp::getInfo(), Arguments, A),
           P.mayWrite(Name));
}

void PartialEvaluator::visitCallConstructor(Operation &Op) {
  callConstructor(Op, &cast<CallConstructorOp>(&Op).attrs(), useOperands(Op));
}

void PartialEvaluator::callConstructor(Operation &Call,
                                       const CallConstructorAttrs *A,
                                       ArrayRef<PartialValue *> Arguments) {
  Operation *New = emit(Call, CallConstructorOp::getInfo(), Arguments, A);
  KnownValue *Known = makeKnown(Kind::Data, Arguments);
  Known->Constructor = A->constructor();
  if (!Call.getTypeArgs().empty())
    New->setTypeArgs(F, getTypeArgs(Call), Call.hasInferredTypeArgs());
  define(Call, makeValue(New, Known));
}

void PartialEvaluator::visitCallValue(Operation &Op) {
  PartialValue *Callee = use(Op.getOperand(0));
  SmallVector<PartialValue *, 4> Arguments = useOperands(Op, 1);
  const KnownValue *Known = Callee->Known;
  if (Known && Known->K == Kind::Closure)
    return callClosure(Op, Callee, Arguments);
  if (Known && Known->K == Kind::Symbol)
    return callSymbol(Op, Callee, cast<CallValueOp>(&Op).attrs().attributes(),
                      Arguments);
  keepCallOf(Op, Callee, Arguments, P.hasEffects());
}

void PartialEvaluator::callClosure(Operation &Call, PartialValue *Callee,
                                   ArrayRef<PartialValue *> Arguments) {
  KnownValue &Known = *Callee->Known;
  Operation *Fn = Known.Op;
  ProgramFunction &Of = *Known.Env->Function;
  if (Known.IsOpaque) {
    if (isPrimitiveFn(Fn) && !Known.HasCaptures && !Of.mayWrite(*Fn) &&
        !isDynamic(Call.getType()))
      if (std::optional<RuntimeValue> V = Constants.evaluate(*Fn, Arguments)) {
        ++Done.NumEvaluated;
        return define(Call, emitValue(Call, *V));
      }
  } else if (unfold(Call, Fn->getRegion(), Fn->getSignature(), Of, Known.Env,
                    Arguments)) {
    return;
  }
  keepCallOf(Call, Callee, Arguments, Of.mayWrite(*Fn));
}

/// A call of a function, an operator or a constructor by a variable.
void PartialEvaluator::callSymbol(Operation &Call, PartialValue *Callee,
                                  Attr Attributes,
                                  ArrayRef<PartialValue *> Arguments) {
  Operation *Symbol = Callee->Known->Op;
  if (auto Global = dyn_cast<GlobalRefOp>(Symbol))
    return callGlobal(Call, Global.attrs().symbol(), Attributes, Arguments);
  if (auto Constructor = dyn_cast<ConstructorRefOp>(Symbol))
    return callConstructor(Call,
                           CallConstructorAttrs::get(
                               Ctx, Constructor.attrs().symbol(), Attributes),
                           Arguments);
  keepCallOf(Call, Callee, Arguments, /*MayWrite=*/false);
}
