//===- TensorKernels.cpp - Creating and reshaping tensors -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Tensor.td.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

LogicalResult relay::checkOutputShape(const KernelCall &Call) {
  if (Call.hasOutputShape())
    return success();
  return Call.emitError("the shape of the result is not known");
}

//===----------------------------------------------------------------------===//
// Creation of tensors
//===----------------------------------------------------------------------===//

void relay::fillTensor(Tensor &Out, const Tensor &Value) {
  Tensor Converted = castScalar(Value, Out.getDType());
  dispatchSize(Out.getDType(), [&](auto Zero) {
    std::fill_n(getMutableRawElements<decltype(Zero)>(Out),
                Out.getNumElements(),
                *getRawElements<decltype(Zero)>(Converted));
  });
}

void relay::fillTensor(Tensor &Out, int64_t Value) {
  fillTensor(Out, Tensor::getScalar(DType::getInt(64), Value));
}

static LogicalResult fillAll(KernelCall &Call, int64_t Value) {
  if (failed(checkOutputShape(Call)))
    return failure();
  fillTensor(Call.getOutputTensor(), Value);
  return success();
}

LogicalResult relay::evalZeros(KernelCall &Call) { return fillAll(Call, 0); }
LogicalResult relay::evalOnes(KernelCall &Call) { return fillAll(Call, 1); }

/// full(fill_value), full_like(data, fill_value).
LogicalResult relay::evalFull(KernelCall &Call) {
  if (failed(checkOutputShape(Call)))
    return failure();
  const Tensor &Value = Call.getInput(Call.getNumInputs() - 1);
  fillTensor(Call.getOutputTensor(), Value);
  return success();
}

LogicalResult relay::fillOneHot(KernelCall &Call, Tensor &Out, unsigned Axis) {
  std::optional<Tensor> Indices = convertToInt64(Call, Call.getInput(0));
  if (!Indices)
    return failure(); // reported
  ArrayRef<int64_t> Index = Indices->getElements<int64_t>();
  ArrayRef<int64_t> Shape = Out.getShape();
  int64_t Depth = Shape[Axis];
  int64_t Inner = *getNumElements(Shape.drop_front(Axis + 1));
  fillTensor(Out, Call.getInput(2));
  Tensor On = castScalar(Call.getInput(1), Out.getDType());
  const Tensor &Indexes = Call.getInput(0);
  bool IsRounded = getNumberType(Indexes.getDType()).isFloat();
  dispatchSize(Out.getDType(), [&](auto Zero) {
    auto *To = getMutableRawElements<decltype(Zero)>(Out);
    for (auto [I, Place] : llvm::enumerate(Index))
      if (Place >= 0 && Place < Depth &&
          (!IsRounded || Indexes.getDouble(I) == double(Place)))
        To[(I / Inner * Depth + Place) * Inner + I % Inner] =
            *getRawElements<decltype(Zero)>(On);
  });
  return success();
}

/// indices: [..] -> [.., depth, ..], with axis -1 at the end.
LogicalResult relay::evalOneHot(KernelCall &Call) {
  int64_t Axis = Call.getAttrs<OneHotAttrs>().axis();
  return fillOneHot(Call, Call.getOutputTensor(),
                    Axis < 0 ? Call.getInput(0).getRank() : Axis);
}

/// Tuple of [a], [b], … -> the same number of [a, b, …].
LogicalResult relay::evalMeshgrid(KernelCall &Call) {
  bool Swaps = Call.getAttrs<MeshgridAttrs>().indexing() == "xy";
  auto Vectors = Call.getTuple(0);
  for (auto [I, Vector] : llvm::enumerate(Vectors)) {
    Tensor &Out = Call.getOutputTensor(I);
    Strides Steps(Vectors.size(), 0);
    bool IsSwapped = Swaps && Vectors.size() > 1 && I < 2;
    Steps[IsSwapped ? 1 - I : I] = 1;
    copyStrided(Call, *Vector, 0, Out, Out.getShape(), Steps);
  }
  return success();
}

/// Returns the number of steps from operand 0 to operand 1.
static FailureOr<int64_t> countSteps(KernelCall &Call) {
  double Start = Call.getInput(0).getDouble();
  double Stop = Call.getInput(1).getDouble();
  double Step = Call.getInput(2).getDouble();
  double Count = std::ceil((Stop - Start) / Step);
  if (Step == 0 || std::isnan(Count))
    return Call.emitError("the steps cannot be counted");
  return int64_t(std::clamp(Count, 0.0, 0x1p62));
}

/// start, stop, step -> [n]: start + step * i. Each product and sum is rounded,
/// as in TVM. If the length depends on data, TVM truncates floats before
/// counting; here it is counted as for constants.
LogicalResult relay::evalArange(KernelCall &Call) {
  if (!Call.hasOutputShape()) {
    FailureOr<int64_t> Count = countSteps(Call);
    if (failed(Count) || !Call.createOutput(0, *Count))
      return failure(); // reported
  }
  DType T = Call.getOutputDType();
  return dispatchNumbers(Call, T, [&](auto Zero) {
    using N = decltype(Zero);
    N Start = ElementReader<N>(Call.getInput(0))[0];
    N Step = ElementReader<N>(Call.getInput(2))[0];
    ElementWriter<N> Out(Call.getOutputTensor());
    for (int64_t I = 0; I != Call.getOutputTensor().getNumElements(); ++I) {
      N Number;
      if constexpr (std::is_integral_v<N>) {
        Number = Wrapping<N>::add(Start, Wrapping<N>::multiply(Step, N(I)));
      } else {
        N Way = Step * N(ElementRounding<double>(T)(double(I)));
        Number = Start + ElementRounding<N>(T)(Way);
      }
      Out.write(I, 1, &Number);
    }
    return success();
  });
}

static LogicalResult storeNumbers(KernelCall &Call, ArrayRef<int64_t> Values) {
  ElementWriter<int64_t>(Call.getOutputTensor())
      .write(0, Values.size(), Values.data());
  return success();
}

/// [..] -> [rank].
LogicalResult relay::evalShapeOf(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  if (Data.getRank() == 0)
    return Call.emitError("a scalar has no shape that a tensor can hold");
  return storeNumbers(Call, Data.getShape());
}

LogicalResult relay::evalNdarraySize(KernelCall &Call) {
  return storeNumbers(Call, Call.getInput(0).getNumElements());
}

//===----------------------------------------------------------------------===//
// Changes of shape
//===----------------------------------------------------------------------===//

LogicalResult relay::setReshaped(KernelCall &Call, const Tensor &Data,
                                 ArrayRef<int64_t> Shape) {
  if (getNumElements(Shape) != Data.getNumElements())
    return Call.emitError("data of " + toString(Data.getShape()) +
                          " does not have the elements of " + toString(Shape));
  Call.setOutput(0, Data.reshape(Shape));
  return success();
}

/// The elements are unchanged; the type relation computes the shape.
LogicalResult relay::evalReshape(KernelCall &Call) {
  if (failed(checkOutputShape(Call)))
    return failure();
  return setReshaped(Call, Call.getInput(0), Call.getOutputShape());
}

//===----------------------------------------------------------------------===//
// Concatenation and splitting
//===----------------------------------------------------------------------===//

/// Fills output 0 with the first of \p Outer equal parts of each tensor of the
/// tuple, then the second, and so on.
static void interleaveParts(KernelCall &Call, int64_t Outer) {
  char *To = Call.getOutputTensor().getMutableBytes().data();
  if (Outer == 0)
    return;
  size_t Whole = Call.getOutputTensor().getByteSize() / Outer, Offset = 0;
  for (const Tensor *T : Call.getTuple(0)) {
    size_t Part = T->getByteSize() / Outer;
    if (Part == 0)
      continue;
    const char *From = T->getBytes().data();
    for (int64_t I = 0; I != Outer; ++I)
      std::memcpy(To + I * Whole + Offset, From + I * Part, Part);
    Offset += Part;
  }
}

/// Tuple of [.., n, ..] -> [.., sum of n, ..].
LogicalResult relay::evalConcatenate(KernelCall &Call) {
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  auto Axis =
      getAxis(Call, Call.getAttrs<ConcatenateAttrs>().axis(), Shape.size());
  if (failed(Axis))
    return failure(); // reported
  interleaveParts(Call, *getNumElements(Shape.take_front(*Axis)));
  return success();
}

/// Tuple of n [..] -> [.., n, ..].
LogicalResult relay::evalStack(KernelCall &Call) {
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  auto Axis = getAxis(Call, Call.getAttrs<StackAttrs>().axis(), Shape.size());
  if (failed(Axis))
    return failure(); // reported
  interleaveParts(Call, *getNumElements(Shape.take_front(*Axis)));
  return success();
}

/// [.., n, ..] -> tuple of parts, whose lengths the type relation computes.
LogicalResult relay::evalSplit(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Axis = getAxis(Call, Call.getAttrs<SplitAttrs>().axis(), Data.getRank());
  if (failed(Axis))
    return failure(); // reported
  Strides Steps = getStrides(Data.getShape());
  int64_t Offset = 0;
  for (unsigned I = 0; I != Call.getNumOutputs(); ++I) {
    Tensor &Part = Call.getOutputTensor(I);
    copyStrided(Call, Data, Offset, Part, Part.getShape(), Steps);
    Offset += Part.getDim(*Axis) * Steps[*Axis];
  }
  return success();
}
