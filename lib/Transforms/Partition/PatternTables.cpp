//===- PatternTables.cpp - Pattern tables of targets ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds what relay-tblgen generates for PatternTables.td, and the checks that
// the tables name. The checks accept what TVM's accept; TVM's fail at some
// operands, which are refused here if they are in the place of the layer, and
// compared by their types if they are the other operand.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Transforms/Passes.h"

namespace relay {
namespace tables {

//===----------------------------------------------------------------------===//
// oneDNN
//===----------------------------------------------------------------------===//

/// Returns the type by which checks compare \p V: as in TVM, that of the first
/// factor of a product. Null if it is not a tensor of a static shape.
static const TensorType *getComparedType(const Value *V) {
  if (isa<MultiplyOp>(V))
    V = V->getDefiningOp()->getOperand(0);
  const auto *T = dyn_cast_or_null<TensorType>(V->getType());
  return T && T->isStatic() ? T : nullptr;
}

/// Returns the sum that \p Root is, or whose activation it is; null if it is
/// neither. Files may name the checks for patterns of any form.
static const Operation *getSum(const Operation &Root) {
  const Operation *Op =
      isa<ReluOp>(&Root) ? Root.getOperand(0)->getDefiningOp() : &Root;
  return llvm::isa_and_present<AddOp>(Op) ? Op : nullptr;
}

/// Returns true if \p Sum adds one number for each channel to its first
/// operand, a convolution with the attribute `channels`.
static bool addsBiasToConv2D(const Operation &Sum) {
  const Operation *Conv = Sum.getOperand(0)->getDefiningOp();
  const TensorType *Bias = getComparedType(Sum.getOperand(1));
  if (!llvm::isa_and_present<Conv2DOp>(Conv) || !Bias || Bias->isScalar())
    return false;
  Attr Channels = Conv->getAttr("channels");
  return Channels && Channels.isInt() &&
         Bias->getNumElements() == Channels.getInt();
}

static bool isBiasOfConv2D(const Operation &Root) {
  const Operation *Sum = getSum(Root);
  return !Sum || addsBiasToConv2D(*Sum);
}

/// Accepts a sum of a biased convolution, the first operand, and a value of the
/// same shape.
static bool isSumOfConv2D(const Operation &Root) {
  const Operation *Sum = getSum(Root);
  if (!Sum)
    return false;
  const Operation *Biased = Sum->getOperand(0)->getDefiningOp();
  if (!llvm::isa_and_present<AddOp>(Biased) || !addsBiasToConv2D(*Biased))
    return false;
  const TensorType *L = getComparedType(Biased);
  const TensorType *R = getComparedType(Sum->getOperand(1));
  return L && R && L->getShape() == R->getShape();
}

#include "relay/Transforms/Partition/PatternTables.inc"

} // namespace tables

void registerPatternTables(PassRegistry &Registry) {
  tables::registerGeneratedPasses(Registry);
}

} // namespace relay
