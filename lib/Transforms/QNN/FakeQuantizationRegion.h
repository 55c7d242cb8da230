//===- FakeQuantizationRegion.h - Conversion of one region ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts the operations between qnn.dequantize and one operation of floats.
// The integers are created in a draft, which the function gets only if all of
// them could be created.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_QNN_FAKEQUANTIZATIONREGION_H
#define RELAY_LIB_TRANSFORMS_QNN_FAKEQUANTIZATIONREGION_H

#include "Fold/ConstantEvaluator.h"
#include "relay/IR/OpHooks.h"
#include "relay/Ops/QNN.h"
#include "relay/Transforms/QNN/FakeQuantization.h"

namespace relay {

/// Why an operation cannot be converted.
struct FakeQuantizationFailure {
  Operation *Op = nullptr;
  std::string Reason;
};

class RegionConversion {
public:
  /// \p Root is the qnn.quantize at the end of the region, or an operation that
  /// is converted alone.
  RegionConversion(Operation *Root, const OpHooks<FakeQuantization> &Hooks,
                   ConstantEvaluator &Folder);

  /// Creates the operations of the draft. Returns a value of the type of Root,
  /// or null; see getFailure().
  Value *run();
  const FakeQuantizationFailure &getFailure() const { return Failure; }
  Draft &getDraft() { return D; }
  /// Forgets the operations of the draft, before they are erased with it.
  void forgetDraft();
  size_t getNumOperations() const { return Converted.size(); }
  /// Returns the operations whose floats the integers of the draft represent,
  /// operands before users.
  ArrayRef<QuantizedOperation> getQuantized() const { return Quantized; }

private:
  bool convertAll();
  AffineValue convert(Operation *Op);
  AffineValue convertTuple(Operation *Op);
  AffineValue convertField(Operation *Op);
  AffineValue convertDequantize(QnnDequantizeOp Op);
  AffineValue convertQuantize(QnnQuantizeOp Op);
  AffineValue convertOperator(Operation *Op);
  Value *dequantizeRoot(const AffineValue &Result);
  bool checkTypes(Value *Result);
  bool isApproximate(const Value *Of) const;
  void noteQuantized(const Value *Of, const Value *V, const AffineType &T);
  AffineValue fail(Operation *Op, const Twine &Reason);

  Operation *Root;
  const OpHooks<FakeQuantization> &Hooks;
  ConstantEvaluator &Folder;
  Draft D;
  AffineBuilder B;
  RegionPath Path;
  /// The type that Root, a qnn.quantize, converts to.
  std::optional<AffineType> Requested;
  llvm::DenseMap<const Value *, AffineValue> Converted;
  SmallVector<QuantizedOperation, 0> Quantized;
  FakeQuantizationFailure Failure;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_QNN_FAKEQUANTIZATIONREGION_H
