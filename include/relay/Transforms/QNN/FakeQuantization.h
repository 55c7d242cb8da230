//===- FakeQuantization.h - Integer forms of operators ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments and results of the hooks FakeQuantization, by which
// fake-quantization-to-integer converts operators of floats to operators of
// integers. An affine type defines which real numbers the integers represent.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_QNN_FAKEQUANTIZATION_H
#define RELAY_TRANSFORMS_QNN_FAKEQUANTIZATION_H

#include "relay/IR/Rewriter.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

class ConstantEvaluator;

/// Integers V that represent the numbers Scale * (V - ZeroPoint). Scale and
/// ZeroPoint are scalars, or vectors along Axis of V.
struct AffineType {
  Value *Scale = nullptr, *ZeroPoint = nullptr;
  DType ElementType; ///< of V
  int64_t Axis = -1;

  /// Returns true if scale or zero point have more than one element.
  bool isPerAxis() const;
};

/// A tensor of integers with its affine type, or a tuple of such tensors with
/// a type for each.
struct AffineValue {
  AffineValue() = default;
  AffineValue(Value *V, AffineType T) : V(V), Types{T} {}
  AffineValue(Value *V, ArrayRef<AffineType> Types) : V(V), Types(Types) {}
  explicit operator bool() const { return V; }

  Value *V = nullptr;
  /// Empty if V is a constant of the original region, which is not quantized.
  SmallVector<AffineType, 1> Types;
};

/// The bits of OpHook<FakeQuantization>::getNumber().
struct FakeQuantizationFlags {
  static constexpr int64_t IsOptional = 1, IsForTraining = 2;
};

//===----------------------------------------------------------------------===//
// Creating operations
//===----------------------------------------------------------------------===//

/// Creates the operations of a rule. Their operands may be values of the
/// function. Computations of scales are folded as far as possible.
class AffineBuilder : public Builder {
public:
  AffineBuilder(Block &Into, ConstantEvaluator &Folder)
      : Builder(Into), Folder(Folder) {}

  /// Returns the value of \p V as a constant, or \p V if it does not depend on
  /// constants only.
  Value *fold(Value *V);
  /// Like create(), or the result as a constant if all operands are constants.
  template <typename OpT, typename... Args> Value *createFolded(Args &&...As) {
    return foldCreated(create<OpT>(std::forward<Args>(As)...));
  }

  /// Returns true if \p A and \p B are approximately equal, as constants of one
  /// shape or one of them a single number, or are the same computation. None if
  /// the shapes differ.
  std::optional<bool> isClose(Value *A, Value *B);
  /// Compares scales, zero points and element types by isClose().
  std::optional<bool> isClose(const AffineType &A, const AffineType &B);

  /// Returns true if \p V, one integer or several, is known to be 0.
  bool isZero(Value *V);

  /// Converts \p V of type \p From to \p Scale, \p ZeroPoint and \p T, with \p
  /// From's axis.
  Value *requantize(Value *V, const AffineType &From, Value *Scale,
                    Value *ZeroPoint, DType T);
  Value *requantize(Value *V, const AffineType &From, const AffineType &To) {
    return requantize(V, From, To.Scale, To.ZeroPoint, To.ElementType);
  }
  /// Converts \p V, of floats, to \p T; scales vary along \p Axis of V.
  Value *quantize(Value *V, const AffineType &T, int64_t Axis = -1);

  /// Returns the numbers of type \p Float that \p V represents.
  Value *dequantize(Value *V, const AffineType &T, DType Float);

private:
  Value *foldCreated(Operation *Op);

  ConstantEvaluator &Folder;
};

/// Returns true if \p A and \p B are equal, element by element for constants.
bool isSameAffineType(const AffineType &A, const AffineType &B);

/// Returns the type of the result \p Result of \p Op, which computes the same
/// on integers of type \p T as on the numbers they represent: \p T, with
/// another axis if it varies along an axis that Op moves. None if Op changes
/// the length of this axis or mixes it with others.
std::optional<AffineType> followAxis(Operation *Op, const Type *Result,
                                     AffineType T);

//===----------------------------------------------------------------------===//
// The operation to convert
//===----------------------------------------------------------------------===//

/// The operators from the end of a region along first operands.
class RegionPath {
public:
  /// \p Root is the qnn.quantize at the end.
  explicit RegionPath(Operation *Root) : Root(Root) {}

  Operation *getRoot() const { return Root; }
  /// Returns true if \p Op is on the path, and its user there is not a
  /// qnn.quantize.
  bool isInside(const Operation *Op);

private:
  Operation *Root;
  bool IsFollowed = false;
  llvm::DenseSet<const Operation *> Inside;
};

/// An operation of floats with its converted operands.
class FakeQuantizedOp {
public:
  /// \p Requested is the type to which the region is converted at its end; null
  /// for an operation that is converted alone. \p Path ends there.
  FakeQuantizedOp(Operation *Op, ArrayRef<const AffineValue *> Operands,
                  const AffineType *Requested, RegionPath &Path)
      : Op(Op), Operands(Operands), Requested(Requested), Path(Path) {}

  Operation *getOp() const { return Op; }
  Context &getContext() const;
  /// The converted operand: integers, or the operand itself if it is a constant
  /// of floats.
  Value *getOperand(unsigned I) const { return Operands[I]->V; }
  SmallVector<Value *, 4> getOperands() const;
  /// The affine type of operand \p I. Null if it is a constant of floats or a
  /// tuple; see getFieldTypes().
  const AffineType *getType(unsigned I) const {
    return Operands[I]->Types.size() == 1 ? &Operands[I]->Types.front()
                                          : nullptr;
  }
  /// The affine types of the fields of operand \p I, a tuple.
  ArrayRef<AffineType> getFieldTypes(unsigned I) const {
    return Operands[I]->Types;
  }
  /// See the constructor.
  const AffineType *getRequestedType() const { return Requested; }
  RegionPath &getPath() const { return Path; }

  /// Notes that \p V of type \p T represents operand \p I, a constant of
  /// floats.
  void noteConstant(unsigned I, const Value *V, const AffineType &T) {
    Constants.push_back({I, V, T});
  }
  struct QuantizedConstant {
    unsigned I;
    const Value *V;
    AffineType T;
  };
  ArrayRef<QuantizedConstant> getConstants() const { return Constants; }

  /// Returns no value, because of \p Reason, which continues the sentence
  /// "cannot convert 'add': ".
  AffineValue refuse(const Twine &Why) {
    Reason = Why.str();
    return AffineValue();
  }
  StringRef getReason() const { return Reason; }

private:
  Operation *Op;
  ArrayRef<const AffineValue *> Operands;
  const AffineType *Requested;
  RegionPath &Path;
  std::string Reason;
  SmallVector<QuantizedConstant, 0> Constants;
};

} // namespace relay

#include "relay/Transforms/QNN/FakeQuantization.h.inc"

#endif // RELAY_TRANSFORMS_QNN_FAKEQUANTIZATION_H
