//===- QnnTerms.h - Products of quantized tensors as terms ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The terms of a product of tensors with zero points, which dense layers and
// convolutions share.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_QNN_QNNTERMS_H
#define RELAY_LIB_TRANSFORMS_QNN_QNNTERMS_H

#include "relay/Transforms/QNN/QnnLowering.h"

namespace relay {

/// Product - DataTerm + (ConstantTerm - WeightTerm). A term that is 0 is null;
/// ConstantTerm is null if one of the others is.
struct ProductTerms {
  Value *Product = nullptr;
  Value *DataTerm = nullptr;     ///< weight's zero point * sums of data
  Value *WeightTerm = nullptr;   ///< data's zero point * sums of weights
  Value *ConstantTerm = nullptr; ///< zero points * number of summands
};

/// The zero points of data and weight of a product.
class ProductZeroPoints {
public:
  ProductZeroPoints(Value *Data, Value *Weight) : Data(Data), Weight(Weight) {}

  /// True if both are numbers that are known.
  bool areKnown() const;
  /// True if ProductTerms::DataTerm is not 0, or not known to be 0.
  bool needDataTerm() const;
  /// True if ProductTerms::WeightTerm is not 0, or not known to be 0.
  bool needWeightTerm() const;
  /// Returns ProductTerms::ConstantTerm for \p Count summands; both are known.
  Value *createKnownTerm(Builder &B, int64_t Count) const;

  Value *Data, *Weight;
};

/// Creates the sum of \p Terms, in TVM's order.
Value *combineTerms(Builder &B, const ProductTerms &Terms);

/// The extent of dimension \p Axis of operand \p I; an error if it is not
/// known.
FailureOr<int64_t> getExtent(const QnnLowering &Op, unsigned I, unsigned Axis);

/// Reports a result that is not int32, in which terms of zero points are
/// computed.
LogicalResult checkResultOfTerms(const QnnLowering &Op,
                                 const ProductZeroPoints &Zero);

/// Reports the zero points of the weight, operand 3, unless they are one number
/// or \p Channels.
LogicalResult checkWeightZeroPoint(const QnnLowering &Op, int64_t Channels);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_QNN_QNNTERMS_H
