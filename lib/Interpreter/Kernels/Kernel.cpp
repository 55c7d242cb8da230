//===- Kernel.cpp - Calls of kernels --------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outputs, memory and threads of a call of a kernel.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/Kernel.h"
#include "relay/Support/RunLimits.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>

using namespace relay;

KernelCall::KernelCall(const Environment &Env, const OpInfo &Info,
                       const Attrs *A, Location Loc,
                       ArrayRef<RuntimeValue> Inputs, Type *ResultType)
    : Env(Env), Info(Info), A(A), Loc(Loc), Inputs(Inputs),
      IsTuple(isa_and_nonnull<TupleType>(ResultType)) {
  if (IsTuple)
    llvm::for_each(cast<TupleType>(ResultType)->getFields(),
                   [this](Type *T) { addOutput(T); });
  else if (ResultType)
    addOutput(ResultType);
}

/// Other values are given to setResult().
void KernelCall::addOutput(Type *T) {
  auto *Ty = dyn_cast<TensorType>(T);
  HasOtherOutputs |= !Ty;
  if (!Ty)
    return;
  Output &Out = Outputs.emplace_back();
  Out.Ty = Ty;
  Out.IsStatic = Ty->isStatic();
  if (Out.IsStatic)
    for (Dim D : Ty->getShape())
      Out.Shape.push_back(D.getInt());
}

SmallVector<const Tensor *, 8> KernelCall::getTuple(unsigned I) const {
  SmallVector<const Tensor *, 8> Tensors;
  for (const RuntimeValue &Field : Inputs[I].getFields())
    Tensors.push_back(&Field.getTensor());
  return Tensors;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Returns the size of a tensor; the maximum on overflow.
static uint64_t getTensorBytes(DType T, ArrayRef<int64_t> Shape) {
  std::optional<int64_t> Count = getNumElements(Shape);
  return Count ? llvm::SaturatingMultiply<uint64_t>(*Count, T.getByteSize())
               : UINT64_MAX;
}

static std::string describeTensor(DType T, ArrayRef<int64_t> Shape) {
  return "a tensor of " + toString(Shape) + " and " + T.str();
}

bool KernelCall::makeEmptyOutputs() {
  auto IsEmpty = [](const Output &Out) {
    return Out.IsStatic && llvm::is_contained(Out.Shape, 0);
  };
  if (Outputs.empty() || HasOtherOutputs || !llvm::all_of(Outputs, IsEmpty))
    return false;
  for (unsigned I = 0; I != Outputs.size(); ++I)
    getOutputTensor(I);
  return true;
}

LogicalResult KernelCall::emitOutOfMemory(const Twine &What) const {
  Env.Ctx.noteOutOfMemory();
  return emitError("not enough memory for " + What);
}

LogicalResult KernelCall::checkOutputs() {
  uint64_t Bytes = 0;
  for (const Output &Out : Outputs) {
    if (!hasElementType(Out.Ty->getDType()))
      return emitUnsupported(Out.Ty->getDType());
    if (Out.IsStatic &&
        llvm::any_of(Out.Shape, [](int64_t N) { return N < 0; }))
      return emitError(describeTensor(Out.Ty->getDType(), Out.Shape) +
                       " cannot be made");
    if (Out.IsStatic)
      Bytes = llvm::SaturatingAdd(
          Bytes, getTensorBytes(Out.Ty->getDType(), Out.Shape));
  }
  if (Env.Meter && !Env.Meter->hasRoomFor(Bytes))
    return emitError("the result takes more memory than is allowed")
           << (Outputs.empty()
                   ? ""
                   : ": " + describeTensor(getOutputDType(), Outputs[0].Shape));
  if (!TensorBuffer::canAllocate(Bytes))
    return emitOutOfMemory(describeTensor(getOutputDType(), Outputs[0].Shape));
  return success();
}

Tensor &KernelCall::getOutputTensor(unsigned I) {
  Output &Out = Outputs[I];
  if (!Out.Value) {
    assert(Out.IsStatic && "an output whose shape depends on data");
    Out.Value = Tensor::allocate(Out.Ty->getDType(), Out.Shape, Env.Meter);
  }
  return Out.Value;
}

/// Returns true if a tensor of \p Shape may have the type \p T.
static bool fitsType(const TensorType &T, ArrayRef<int64_t> Shape) {
  return T.getRank() == Shape.size() &&
         llvm::all_of(llvm::zip(T.getShape(), Shape), [](auto Pair) {
           auto [D, Extent] = Pair;
           return !D.isConst() || D.getInt() == Extent;
         });
}

Tensor *KernelCall::createOutput(unsigned I, ArrayRef<int64_t> Shape) {
  Output &Out = Outputs[I];
  if (!fitsType(*Out.Ty, Shape)) {
    emitError("the result has the shape " + toString(Shape) +
              ", but the type " + toString(Out.Ty));
    return nullptr;
  }
  std::optional<Tensor> Made = allocate(Out.Ty->getDType(), Shape);
  if (!Made)
    return nullptr;
  Out.Value = std::move(*Made);
  return &Out.Value;
}

std::optional<Tensor> KernelCall::allocate(DType T, ArrayRef<int64_t> Shape) {
  uint64_t Bytes = getTensorBytes(T, Shape);
  bool IsShape = getNumElements(Shape).has_value();
  if (!IsShape || (Env.Meter && !Env.Meter->hasRoomFor(Bytes))) {
    emitError(
        describeTensor(T, Shape) +
        (IsShape ? " takes more memory than is allowed" : " cannot be made"));
    return std::nullopt;
  }
  if (!TensorBuffer::canAllocate(Bytes)) {
    (void)emitOutOfMemory(describeTensor(T, Shape));
    return std::nullopt;
  }
  return Tensor::allocate(T, Shape, Env.Meter);
}

FailureOr<RuntimeValue> KernelCall::takeResult() {
  if (Result)
    return std::move(Result);
  SmallVector<RuntimeValue, 4> Fields;
  for (Output &Out : Outputs) {
    if (!Out.Value)
      return emitError("the kernel left an output undefined");
    Fields.emplace_back(std::move(Out.Value), Env.Meter);
  }
  if (IsTuple)
    return RuntimeValue::getTuple(Fields, Env.Meter);
  if (Fields.empty())
    return emitError("the kernel left its result undefined");
  return std::move(Fields[0]);
}

//===----------------------------------------------------------------------===//
// Threads and errors
//===----------------------------------------------------------------------===//

/// The cost of starting threads and waiting for them, in operations.
static constexpr uint64_t MinOperationsPerThread = 400000;
static constexpr uint64_t PartsPerThread = 8;

void KernelCall::countedFor(
    int64_t Count, uint64_t Cost,
    function_ref<void(int64_t Begin, int64_t End)> Work) const {
  uint64_t Total = llvm::SaturatingMultiply<uint64_t>(Count, Cost);
  uint64_t Workers = std::min<uint64_t>(
      {Env.NumThreads, uint64_t(Count), Total / MinOperationsPerThread});
  if (Workers < 2)
    return Work(0, Count);
  // Idle threads take the next part, since a core may be busy with other work.
  int64_t Size =
      std::max<int64_t>(Count / int64_t(Workers * PartsPerThread), 1);
  std::atomic<int64_t> Next = 0;
  auto TakeParts = [&] {
    for (int64_t Begin; (Begin = Next.fetch_add(Size)) < Count;)
      Work(Begin, std::min(Begin + Size, Count));
  };
  llvm::ThreadPoolTaskGroup Group(Env.Ctx.getThreadPool(Workers - 1));
  for (uint64_t I = 1; I != Workers; ++I)
    Group.async(TakeParts);
  TakeParts();
  Group.wait();
}

void KernelCall::parallelFor(
    int64_t Count, uint64_t Cost,
    function_ref<void(int64_t Begin, int64_t End)> Work) const {
  Env.Work.add(Count, Cost);
  if (LLVM_LIKELY(!Env.Work.isBeyondLimit()))
    countedFor(Count, Cost, Work);
}

LogicalResult KernelCall::limitedFor(
    int64_t Count, uint64_t Cost,
    function_ref<void(int64_t Begin, int64_t End)> Work) const {
  if (failed(countWork(Count, Cost)))
    return failure();
  countedFor(Count, Cost, Work);
  return success();
}

LogicalResult KernelCall::countWork(int64_t Count, uint64_t Cost) const {
  Env.Work.add(Count, Cost);
  if (LLVM_LIKELY(!Env.Work.isBeyondLimit()))
    return success();
  return emitError(describeLimit(Env.Work.Limit, "operations on elements",
                                 Env.Work.LimitFlag));
}

InFlightDiagnostic KernelCall::emitError(const Twine &Message) const {
  if (!FunctionName.empty())
    return Env.Diags.emitError(Loc, "@" + FunctionName + ": " + Message);
  return Env.Diags.emitError(Loc, "'" + Info.Name + "': " + Message);
}

LogicalResult KernelCall::emitUnsupported(DType T) const {
  return emitError("no kernel for elements of " + T.str());
}
