//===- LayoutConverter.h - Bring a function into layouts --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits the operations of a function, operands first, and makes beside each
// that a layout is wished for, or that follows its operands, a new one in other
// layouts. What the old one yields is from then on the new value and the two
// layouts, until something uses it that knows no layouts: that gets it brought
// back to the old layout. So no operation that stays gets an operand of another
// type.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTCONVERTER_H
#define RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTCONVERTER_H

#include "LayoutTransforms.h"
#include "relay/IR/Core.h"
#include "relay/IR/OpHooks.h"
#include "relay/Transforms/Layout/LayoutInference.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

namespace relay {

/// The layouts that are wished for, by operator.
using DesiredLayouts = llvm::DenseMap<const OpInfo *, ArrayRef<std::string>>;

/// What stands for a tensor: a value, its layout, and that of the tensor. The
/// layouts are null where they are not known; the value is then the tensor, as
/// it was.
struct PlacedValue {
  Value *V = nullptr;
  LayoutRef Old = nullptr, New = nullptr;
};

class LayoutConverter {
public:
  /// Hooks are looked up under \p Keys.
  LayoutConverter(Function &F, const DesiredLayouts &Desired,
                  ArrayRef<StringRef> Keys);

  /// Visits \p Op, whose operands have been visited. Fails when the layouts
  /// that are wished for are not those of the operator.
  LogicalResult visit(Operation *Op);
  /// Visits the result of \p B, whose operations have been visited.
  void visitResult(Block &B);
  /// Erases what others stand for, after everything has been visited.
  void eraseReplaced();

  bool hasChanged() const { return R.getNumRewrites() != 0; }
  /// Whether a value has another type than before.
  bool hasChangedTypes() const { return ChangedTypes; }
  uint64_t getNumConverted() const { return NumConverted; }
  uint64_t getNumFollowed() const { return NumFollowed; }
  uint64_t getNumTransforms() const { return Transforms.getNumMade(); }

private:
  /// The fields of a tuple that \c Producer yields. Their values are null till
  /// somebody uses them.
  struct PlacedTuple {
    Operation *Producer = nullptr;
    SmallVector<PlacedValue, 2> Fields;
  };
  /// The operands of an operation, those that are tuples field by field.
  struct FlatOperands {
    SmallVector<PlacedValue, 6> Values;
    SmallVector<Type *, 6> Types;
    /// The types of fields by what produces the tuple, of values that may be
    /// null.
    SmallVector<Type *, 6> FieldTypes;
    /// For each operand the number of its fields; none where it is one value.
    SmallVector<std::optional<unsigned>, 6> Counts;
  };
  /// What an operation is to become.
  struct ConversionPlan {
    ConvertedOp Is;
    FlatOperands Operands;
    /// The layouts of the operands: that which the operation has the tensor in,
    /// that which its value has, and the one that is needed.
    SmallVector<LayoutRef, 6> Old, New, Needed;
    SmallVector<LayoutRef, 2> OldOutputs, NewOutputs;
    bool IsConverted = false;
    /// Whether what stands for operand \p I has to be brought back first: it
    /// comes from another layout than the one that the operation has it in.
    bool isMisplaced(unsigned I) const {
      return Operands.Values[I].Old && Operands.Values[I].Old != Old[I];
    }
    /// The layout that what operand \p I is made of is in.
    LayoutRef getSource(unsigned I) const {
      return isMisplaced(I) ? Old[I] : New[I];
    }
  };

  //===--- What stands for values -----------------------------------------===//
  PlacedValue lookup(Value *V) const;
  PlacedValue getField(PlacedTuple &Tuple, unsigned I);
  bool isTuple(Value *V) const;
  bool isPlaced(Value *V) const;
  Value *restore(const PlacedValue &P);
  Value *restore(Value *V);
  Value *restoreTuple(Value *Tuple);

  //===--- Operations -----------------------------------------------------===//
  void keep(Operation *Op);
  void visitTuple(Operation *Tuple);
  bool visitProjection(TupleGetItemOp Op);
  void project(TupleGetItemOp Op, const PlacedValue &Field);
  bool hasOtherEffects(TupleOp Tuple, unsigned I) const;
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
  Type *getPlannedType(const ConversionPlan &P);
  bool isPossible(Operation *Op, const ConversionPlan &P);
  Operation *makeOperation(Operation *Op, ConversionPlan &P);
  Value *makeTupleOperand(Value *Original, ConversionPlan &P, unsigned First,
                          unsigned Count);
  Value *makeOperand(const ConversionPlan &P, unsigned I);
  void place(Operation *Op, Operation *New, const ConversionPlan &P);
  void placeBound(Operation *Op, Value *New);

  Context &Ctx;
  Rewriter R;
  LayoutTransforms Transforms;
  const DesiredLayouts &Desired;
  OpHooks<LayoutInference> Inferences;
  OpHooks<LayoutPropagation> Propagations;
  OpHooks<LayoutConversion> Conversions;
  LayoutPool Pool;
  /// What stands for tensors, but for those that `let` binds, which are in the
  /// layouts that they had.
  llvm::DenseMap<Value *, PlacedValue> Placed;
  /// What stands for tuples that operators yield.
  llvm::DenseMap<Value *, PlacedTuple> Tuples;
  /// Tuples that are made of something placed.
  llvm::DenseSet<Value *> PlacedTuples;
  /// Tuples of fields in the layouts that they had.
  llvm::DenseMap<Value *, Value *> Restored;
  /// Floating operations of the original function whose evaluation has an
  /// effect.
  llvm::DenseSet<const Value *> Effects;
  /// Operations and what stands for them; null where that is nothing.
  SmallVector<std::pair<Operation *, Value *>, 0> Replaced;
  uint64_t NumConverted = 0, NumFollowed = 0;
  bool ChangedTypes = false;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_LAYOUT_LAYOUTCONVERTER_H
