//===- PrecisionConverter.h - Lower precision in a function -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts the operators of a function to a data type of lower precision.
// PrecisionCategories tells which; ToMixedPrecision.cpp is the pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PRECISION_PRECISIONCONVERTER_H
#define RELAY_LIB_TRANSFORMS_PRECISION_PRECISIONCONVERTER_H

#include "FloatCasts.h"
#include "relay/IR/OpHooks.h"
#include "relay/Pass/PassContext.h"
#include "relay/Support/PointerHash.h"

#include "relay/Transforms/Precision/MixedPrecision.h.inc"

namespace relay {

/// The facts MixedPrecision, with changes.
class PrecisionCategories {
public:
  PrecisionCategories(Context &Ctx, ArrayRef<StringRef> TargetKeys)
      : Facts(Ctx, TargetKeys) {}

  /// Returns false if the category of \p Op has been set before.
  bool set(const OpInfo &Op, MixedPrecisionValue Category) {
    return Changed.try_emplace(&Op, Category).second;
  }
  /// Returns none if \p Op has no category.
  std::optional<MixedPrecisionValue> lookup(const OpInfo &Op) const;

private:
  OpFacts<MixedPrecision> Facts;
  llvm::DenseMap<const OpInfo *, MixedPrecisionValue> Changed;
};

/// The data types of to-mixed-precision.
struct PrecisionTypes {
  DType Low;          ///< of the operands of converted operators
  DType Accumulation; ///< of the results of operators that can state a type
};

class PrecisionConverter {
public:
  PrecisionConverter(Function &F, const PrecisionCategories &Categories,
                     const PrecisionTypes &Types,
                     ArrayRef<StringRef> TargetKeys);

  /// Converts the function. Its result keeps its type if \p KeepsResult.
  /// Returns true if anything has changed.
  bool run(bool KeepsResult);

  unsigned NumLowered = 0, NumKept = 0;

private:
  /// The operands, attributes and result of a call after its conversion.
  struct CallPlan {
    SmallVector<Type *, 4> Operands;
    const Attrs *Attributes = nullptr;
    Type *Result = nullptr;
  };

  Value *getConverted(Value *V) const;
  Type *getOldType(Value *V) const;
  Value *restore(Value *V);
  void restoreOperands(Operation *Op, unsigned First = 0);
  void followOperands(Operation *Op);
  void changeType(Operation *Op, Type *T);
  void updateType(Operation *Op);

  void visit(Operation *Op);
  void visitRegions(Operation *Op);
  void visitClosure(Operation *Op);
  void restoreResult(Block &Body);
  void updateResultAnnotation(Block &Body);
  void useNewResult(Block &Body);

  void visitCall(Operation *Op);
  bool isLow(Value *V);
  bool areNumbersInRange(const Operation &Op) const;
  bool lower(Operation *Op);
  void keepFullPrecision(Operation *Op);
  const Attrs *getLowAttrs(const Operation &Op) const;
  CallPlan planCall(const Operation &Op, FloatTypes &Types, const Attrs *A);
  CallPlan planLowered(const Operation &Op);
  CallPlan planUnchanged(const Operation &Op) const;
  bool changes(const Operation &Op, const CallPlan &Plan) const;
  void apply(Operation *Op, const CallPlan &Plan);
  void emitRemark(const Operation *Op, const Twine &Reason) const;
  std::string describeFullOperand(const Operation &Op);

  Function &F;
  Context &Ctx;
  const PrecisionCategories &Categories;
  OpFacts<ResultTypeAttribute> ResultTypeAttributes;
  OpHooks<PrecisionCheck> Checks;
  Rewriter R;
  FloatCasts Casts;
  FloatTypes LowTypes, FullTypes;
  DType Accumulation;
  const bool TakesRemarks;
  /// The types of values before the pass, where they have changed.
  PointerMap<const Value, Type *> OldTypes;
  /// The results of operations that accumulate in another type, cast to the
  /// lower precision.
  PointerMap<const Value, Value *> Results;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PRECISION_PRECISIONCONVERTER_H
