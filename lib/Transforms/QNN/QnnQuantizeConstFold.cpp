//===- QnnQuantizeConstFold.cpp - Quantize constants ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the rule of QnnQuantizeConstFold.td. The interpreter computes the
// integers.
//
//===----------------------------------------------------------------------===//

#include "../Fold/ConstantCalls.h"
#include "relay/IR/Core.h"
#include "relay/Ops/QNN.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Transforms/Passes.h"

#define RELAY_DEFINE_RULES
#include "relay/Transforms/QNN/QnnQuantizeConstFold.h.inc"

using namespace relay;

/// Returns true if the data of \p C is known and \p IsValid holds for each
/// element.
template <typename Fn> static bool allElements(ConstantOp C, Fn &&IsValid) {
  const ConstantData *Data = getKnownData(C);
  if (!Data)
    return false;
  for (size_t I = 0, E = Data->getNumElements(); I != E; ++I)
    if (!IsValid(Data->getDouble(I)))
      return false;
  return true;
}

bool relay::isMeaningfulQuantization(ConstantOp Data, ConstantOp Scale,
                                     ConstantOp ZeroPoint) {
  auto IsPositive = [](double X) { return X > 0 && std::isfinite(X); };
  return getKnownData(ZeroPoint) && allElements(Scale, IsPositive) &&
         allElements(Data, [](double X) { return std::isfinite(X); });
}

/// Leaves room for the integers, of at most four bytes each, in the memory that
/// evaluateForConstants() takes.
bool relay::fitsInMemory(ConstantOp Data) {
  const Context &Ctx = Data->getFunction()->getContext();
  uint64_t Elements = Data.attrs().value().getConstant()->getNumElements();
  return Elements < (uint64_t(1) << 24) &&
         Elements < Ctx.getLimits().Memory / 128;
}

Value *relay::evaluateQuantize(Rewriter &R, QnnQuantizeOp Call) {
  Value *Folded = evaluateForConstants(R, Call->getInfo(), Call->getAttrs(),
                                       Call->getOperandVector());
  if (!Folded)
    R.getContext().emitError(
        Call->getLoc(),
        "'qnn-quantize-const-fold' cannot evaluate 'qnn.quantize'");
  return Folded;
}

namespace {
class QnnQuantizeConstFold
    : public RulePass<QnnQuantizeConstFoldBase<QnnQuantizeConstFold>> {
public:
  QnnQuantizeConstFold() : RulePass(getQnnQuantizeConstFoldRules()) {}
};
} // namespace

std::unique_ptr<Pass> relay::createQnnQuantizeConstFoldPass() {
  return std::make_unique<QnnQuantizeConstFold>();
}
