//===- LossKernels.cpp - Losses -------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Losses of Ops/NN.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/NN.h"

using namespace relay;

/// x, y: [n, classes] -> the sum of \p F of x times y, over -n; integers, bool
/// and narrower floats in y are converted to the type of x.
static LogicalResult evalEntropy(KernelCall &Call, double (*F)(double)) {
  DType T = Call.getInput(0).getDType(), YType = Call.getInput(1).getDType();
  if (YType.isAnyFloat() && YType.getBits() >= T.getBits() && YType != T)
    return Call.emitUnsupported(YType);
  if (failed(Call.countWork(Call.getInput(0).getNumElements(), 16)))
    return failure(); // reported
  auto Y = castTensor(Call, Call.getInput(1), T);
  if (failed(Y))
    return failure();
  if (!getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  // Steps of the narrow floats are computed in float32, and then rounded.
  ElementRounding<double> Compute(getNumberType(T)), Round(T),
      RoundSum(getSumType(T));
  ElementReader<double> Data(Call.getInput(0)), Factors(*Y);
  double Sum = 0;
  for (int64_t I = 0; I != Call.getInput(0).getNumElements(); ++I) {
    double Product = Compute(Compute(F(Data[I])) * Factors[I]);
    Sum = RoundSum(Sum + Round(Product));
  }
  double Count = Compute(double(Call.getInput(0).getDim(0)));
  double Mean = Compute(-Round(Sum) / Count);
  ElementWriter<double>(Call.getOutputTensor()).write(0, 1, &Mean);
  return success();
}

LogicalResult relay::evalCrossEntropy(KernelCall &Call) {
  return evalEntropy(Call, [](double X) { return std::log(X); });
}
LogicalResult relay::evalCrossEntropyWithLogits(KernelCall &Call) {
  return evalEntropy(Call, [](double X) { return X; });
}

/// predictions: [n, classes, ..], targets: [n, ..], weights: [classes]. Each
/// position contributes minus its target's prediction times its weight, or 0 if
/// the target is `ignore_index`; a mean is weighted.
LogicalResult relay::evalNLLLoss(KernelCall &Call) {
  const auto &A = Call.getAttrs<NLLLossAttrs>();
  const Tensor &Predictions = Call.getInput(0), &Targets = Call.getInput(1);
  int64_t Classes = Predictions.getDim(1), Inner = 1;
  TensorShape Places(Predictions.getShape());
  Places.erase(Places.begin() + 1);
  if (Targets.getShape() != ArrayRef<int64_t>(Places) ||
      Call.getInput(2).getNumElements() != Classes)
    return Call.emitError(
        "targets have the shape " + toString(Targets.getShape()) +
        ", weights " + toString(Call.getInput(2).getShape()) +
        ", of predictions " + toString(Predictions.getShape()));
  for (int64_t Extent : Predictions.getShape().drop_front(2))
    Inner *= Extent;
  if (A.reduction() != "none" && A.reduction() != "sum" &&
      A.reduction() != "mean")
    return Call.emitError("'reduction' is '" + A.reduction() + "'");
  if (failed(Call.countWork(Targets.getNumElements(), 16)))
    return failure(); // reported
  for (int64_t I = 0; I != Targets.getNumElements(); ++I)
    if (int64_t Target = Targets.getInt(I);
        Target != A.ignoreIndex() && (Target < 0 || Target >= Classes))
      return Call.emitError("target " + Twine(Target) +
                            " is out of range for " + Twine(Classes) +
                            " classes");
  DType T = Call.getOutputDType();
  if (!getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  ElementRounding<double> Round(T), RoundSum(getSumType(T));
  ElementReader<double> In(Call.getInput(0)), Weights(Call.getInput(2));
  ElementWriter<double> Out(Call.getOutputTensor());
  double Sum = 0, Weight = 0;
  for (int64_t I = 0; I != Targets.getNumElements(); ++I) {
    int64_t Target = Targets.getInt(I);
    double Loss = 0;
    if (Target != A.ignoreIndex()) {
      double X = In[(I / Inner * Classes + Target) * Inner + I % Inner];
      Loss = Round(-X * Weights[Target]);
      Weight = RoundSum(Weight + Weights[Target]);
    }
    if (A.reduction() == "none")
      Out.write(I, 1, &Loss);
    Sum = RoundSum(Sum + Loss);
  }
  if (A.reduction() == "mean")
    Sum = Round(Sum) / Round(Weight);
  if (A.reduction() != "none")
    Out.write(0, 1, &Sum);
  return success();
}
