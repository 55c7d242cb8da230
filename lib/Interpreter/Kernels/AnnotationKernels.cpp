//===- AnnotationKernels.cpp - Marks for passes ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Annotation.td, and of operators in Ops/Memory.td that are
// meaningful without a device.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Annotation.h"
#include "relay/Ops/Memory.h"

using namespace relay;

/// Returns the operand, of any type.
LogicalResult relay::evalIdentity(KernelCall &Call) {
  Call.setResult(Call.getValue(0));
  return success();
}

/// Returns ().
LogicalResult relay::evalNothing(KernelCall &) { return success(); }

/// data: [..], shape: [n] -> [..].
LogicalResult relay::evalVMReshapeTensor(KernelCall &Call) {
  return setReshaped(Call, Call.getInput(0), Call.getInput(1).getInts());
}

//===----------------------------------------------------------------------===//
// simulated_quantize
//===----------------------------------------------------------------------===//

namespace {
/// Divides, clips, rounds and multiplies, and rounds to the element type after
/// each step but the last.
template <typename N> struct Quantizer {
  N Scale, Min, Max;
  ElementRounding<N> Round;

  N operator()(N X) const {
    N Scaled = Round(X / Scale);
    N Below = Scaled < Max ? Scaled : Max;
    N Clipped = Below > Min ? Below : Min;
    return Round(std::round(Clipped)) * Scale;
  }
};
} // namespace

/// data: [..], dom_scale, clip_min, clip_max: scalars. Kind 0 is the identity.
LogicalResult relay::evalSimulatedQuantize(KernelCall &Call) {
  const auto &A = Call.getAttrs<SimulatedQuantizeAttrs>();
  if (!A.sign() || A.rounding() != "round")
    return Call.emitError(
        "only signed numbers, rounded by \"round\", are quantized");
  if (A.kind() == 0)
    return evalIdentity(Call);
  for (unsigned I : {1, 2, 3})
    if (Call.getInput(I).getNumElements() != 1 ||
        Call.getInput(I).getDType() != Call.getOutputDType())
      return Call.emitError(Call.getInfo().OperandNames[I] +
                            " is not a scalar of the data type of data");
  DType T = Call.getOutputDType();
  return dispatchFloatNumbers(Call, T, [&](auto Zero) {
    using N = decltype(Zero);
    auto Get = [&](unsigned I) {
      return ElementReader<N>(Call.getInput(I))[0];
    };
    Quantizer<N> Q = {Get(1), Get(2), Get(3), ElementRounding<N>(T)};
    return mapNumbers<N>(Call, Q);
  });
}
