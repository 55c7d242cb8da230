//===- LayoutConverter.h - Conversion of layouts in a function --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits the operations of a function, operands first. Where a layout is
// requested for an operation, or the layouts of its operands have changed, a
// new operation in other layouts is created next to it. The new operation
// replaces the old result, together with the old and the new layout, until a
// user without layout rules needs the value: that user gets the value
// transformed back to the old layout. An operation that is not replaced
// therefore never gets an operand of another type.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTCONVERTER_H
#define RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTCONVERTER_H

#include "LayoutTransforms.h"
#include "relay/IR/Core.h"
#include "relay/IR/OpHooks.h"
#include "relay/IR/TypeTable.h"
#include "relay/Transforms/Layout/LayoutHooks.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

namespace relay {

/// Returns true if \p V is a tuple construction that is not bound by `let`.
bool isTupleInPlace(Value *V);

/// Returns the operation in the requested layouts; none if no layouts are
/// requested for it. Operations are inserted before it, after an announcement.
using ConvertOpFn =
    function_ref<FailureOr<ConvertedOp>(Rewriter &, Operation &)>;

/// The replacement of a tensor: a value, the layout of the original tensor
/// (Old) and the layout of the value (New). Unknown layouts are null; V is then
/// the original tensor.
struct PlacedValue {
  Value *V = nullptr;
  LayoutRef Old = nullptr, New = nullptr;
};

class LayoutConverter {
public:
  /// Hooks are looked up under \p Keys. \p Convert outlives the converter. \p
  /// NoRequest is the reason, for remarks, why an operation gets no layouts.
  LayoutConverter(Function &F, ConvertOpFn Convert, ArrayRef<StringRef> Keys,
                  StringRef NoRequest);

  /// Visits the operations of the function and erases the replaced ones. Fails
  /// if an operator does not support the layouts that it is to get, or if a
  /// changed type does not fit.
  LogicalResult run();

  bool hasChanged() const { return R.getNumRewrites() != 0; }
  uint64_t getNumConverted() const { return NumConverted; }
  uint64_t getNumFollowed() const { return NumFollowed; }
  uint64_t getNumTransforms() const { return Transforms.getNumMade(); }

private:
  class Visitor;

  /// The replacements of the fields of a tuple that \c Producer yields. The
  /// values are null until the first use.
  struct PlacedTuple {
    Operation *Producer = nullptr;
    SmallVector<PlacedValue, 2> Fields;
  };
  /// The operands of an operation; tuples are expanded into their fields.
  struct FlatOperands {
    SmallVector<PlacedValue, 6> Values;
    SmallVector<Type *, 6> Types;
    /// The types of the fields according to the producer of the tuple, for
    /// fields whose value may be null.
    SmallVector<Type *, 6> FieldTypes;
    /// The number of fields of each operand; none if the operand is not a
    /// tuple.
    SmallVector<std::optional<unsigned>, 6> Counts;
  };
  /// How an operation is to be replaced.
  struct ConversionPlan {
    ConvertedOp Is;
    FlatOperands Operands;
    /// For each operand: the layout of the original operand, the layout of its
    /// replacement, and the layout that the new operation needs.
    SmallVector<LayoutRef, 6> Old, New, Needed;
    SmallVector<LayoutRef, 2> OldOutputs, NewOutputs;
    /// The type of the new operation; null if it is unknown or depends on the
    /// values of operands.
    Type *ResultType = nullptr;
    bool IsConverted = false;
    /// Returns true if the replacement of operand \p I must be restored first:
    /// its recorded original layout differs from the layout that the operation
    /// assumes.
    bool isMisplaced(unsigned I) const {
      return Operands.Values[I].Old && Operands.Values[I].Old != Old[I];
    }
    /// Returns the layout from which operand \p I is transformed.
    LayoutRef getSource(unsigned I) const {
      return isMisplaced(I) ? Old[I] : New[I];
    }
  };

  //===--- Converted values -----------------------------------------------===//
  PlacedValue lookup(Value *V) const;
  PlacedValue getField(PlacedTuple &Tuple, unsigned I);
  bool isTuple(Value *V) const;
  bool isPlaced(Value *V) const;
  Value *restore(const PlacedValue &P);
  Value *restore(Value *V);
  Value *restoreTuple(Value *Tuple);

  //===--- Remarks --------------------------------------------------------===//
  std::string describePlaced(Operation *Op) const;
  void remarkKept(Operation *Op) const;
  void remarkNotConverted(Operation *Op, const ConvertedOp &Converted) const;
  void remarkUnchanged(Operation *Op) const;
  void remarkRestored(Operation *Op, const ConversionPlan &P) const;

  //===--- Operations -----------------------------------------------------===//

  LogicalResult visit(Operation *Op);
  void visitResult(Block &B);
  void eraseReplaced();
  void keep(Operation *Op);
  void visitTuple(Operation *Tuple);
  bool visitProjection(TupleGetItemOp Op);
  void project(TupleGetItemOp Op, const PlacedValue &Field);
  bool hasOtherEffects(TupleOp Tuple, unsigned I);
  FailureOr<bool> visitOperator(Operation *Op);
  bool tryPlan(Operation *Op, const ConvertedOp *Converted);
  std::optional<FlatOperands> flattenOperands(Operation *Op);
  bool addFields(FlatOperands &To, Value *Tuple);
  std::optional<ConversionPlan> makePlan(Operation *Op,
                                         const ConvertedOp *Converted);
  LayoutAnswer infer(const OpInfo &Info, const LayoutQuery &Q);
  LayoutAnswer propagate(const OpInfo &Info, const LayoutChange &Q);
  static void replaceOperands(Operation *Op, ConversionPlan &P);
  bool changesNothing(Operation *Op, const ConversionPlan &P) const;
  Type *getOperandType(const ConversionPlan &P, unsigned I);
  Type *inferPlannedType(ConversionPlan &P);
  bool isPossible(Operation *Op, ConversionPlan &P);
  Operation *makeOperation(Operation *Op, ConversionPlan &P);
  Value *makeTupleOperand(Value *Original, ConversionPlan &P, unsigned First,
                          unsigned Count);
  Value *makeOperand(const ConversionPlan &P, unsigned I);
  void place(Operation *Op, Operation *New, const ConversionPlan &P);
  void placeBound(Operation *Op, Value *New);

  Context &Ctx;
  Rewriter R;
  LayoutTransforms Transforms;
  Function &F;
  ConvertOpFn Convert;
  StringRef NoRequest;
  OpHooks<LayoutInference> Inferences;
  OpHooks<LayoutPropagation> Propagations;
  LayoutPool Pool;
  /// The types of planned operations that depend on the operand types alone.
  TypeTable PlannedTypes;
  /// The replacements of tensors. Values bound by `let` are not included: they
  /// keep their layouts.
  llvm::DenseMap<Value *, PlacedValue> Placed;
  /// The replacements of tuples that operators yield.
  llvm::DenseMap<Value *, PlacedTuple> Tuples;
  /// Tuples with a field that has a replacement.
  llvm::DenseSet<Value *> PlacedTuples;
  /// Tuples whose fields are restored to their original layouts.
  llvm::DenseMap<Value *, Value *> Restored;
  /// Floating operations of the original function whose evaluation has an
  /// effect.
  llvm::DenseSet<const Value *> Effects;
  /// The number of fields in \c Effects, by tuple.
  llvm::DenseMap<Operation *, unsigned> NumEffects;
  /// Replaced operations and their new values; null if there is no single new
  /// value.
  SmallVector<std::pair<Operation *, Value *>, 0> Replaced;
  uint64_t NumConverted = 0, NumFollowed = 0;
  bool ChangedTypes = false;
  bool TakesRemarks;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTCONVERTER_H
