//===- ConstantBudget.cpp - Memory limit of new constants -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ConstantBudget.h. One walk over each function finds its constants and an
// upper bound of the constants that folding creates.
//
//===----------------------------------------------------------------------===//

#include "ConstantBudget.h"
#include "relay/IR/Core.h"
#include "relay/IR/Module.h"
#include "relay/IR/Threading.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

uint64_t relay::getStaticBytes(const Type *T) {
  if (auto *Tensor = dyn_cast_or_null<TensorType>(T)) {
    std::optional<uint64_t> Count = Tensor->getNumElements();
    return Count ? llvm::SaturatingMultiply<uint64_t>(
                       *Count, Tensor->getDType().getByteSize())
                 : 0;
  }
  uint64_t Total = 0;
  if (auto *Tuple = dyn_cast_or_null<TupleType>(T))
    for (const Type *Field : Tuple->getFields())
      if (isa_and_nonnull<TensorType>(Field))
        Total = llvm::SaturatingAdd(Total, getStaticBytes(Field));
  return Total;
}

namespace {
/// The constants of one function.
struct ConstantUse {
  llvm::DenseSet<const ConstantData *> Held;
  uint64_t Wanted = 0; ///< bytes of constants that folding may create
};
} // namespace

/// Finds values that folding may treat as constants. This overestimates, so the
/// budget suffices.
static ConstantUse getConstantUse(Function &F) {
  ConstantUse Use;
  llvm::DenseSet<const Value *> Known;
  walk(F, [&](Operation *Op) {
    if (auto Constant = dyn_cast<ConstantOp>(Op)) {
      Use.Held.insert(Constant.attrs().value().getConstant());
      Known.insert(Op);
      return;
    }
    bool IsKnown = Op->is(OpCode::Scope)
                       ? Known.contains(Op->getRegion().getResult())
                       : Op->getNumOperands() &&
                             llvm::all_of(Op->operands(), [&](Value *V) {
                               return Known.contains(V);
                             });
    if (!IsKnown)
      return;
    Known.insert(Op);
    if (Op->is(OpCode::Operator))
      Use.Wanted =
          llvm::SaturatingAdd(Use.Wanted, getStaticBytes(Op->getType()));
  });
  return Use;
}

/// The bytes of the constants of \p Uses, each counted once. Mapped data does
/// not count, since the system can drop it.
static uint64_t getBytesHeld(ArrayRef<ConstantUse> Uses) {
  llvm::DenseSet<const ConstantData *> Seen;
  uint64_t Total = 0;
  for (const ConstantUse &Use : Uses)
    for (const ConstantData *Data : Use.Held)
      if (Seen.insert(Data).second && !Data->getBuffer().isMapped())
        Total += Data->getBuffer().size();
  return Total;
}

ConstantBudget::ConstantBudget(ArrayRef<Function *> Functions) {
  if (Functions.empty())
    return;
  LargeEvaluations = std::make_unique<std::mutex>();
  uint64_t Half = Functions.front()->getContext().getLimits().Memory / 2;
  std::vector<ConstantUse> Uses(Functions.size());
  forEachInParallel(Functions,
                    [&](size_t I) { Uses[I] = getConstantUse(*Functions[I]); });
  uint64_t Held = getBytesHeld(Uses), Rest = Half > Held ? Half - Held : 0;
  for (auto [F, Use] : llvm::zip_equal(Functions, Uses)) {
    uint64_t Granted = std::min(Use.Wanted, Rest);
    Rest -= Granted;
    Bytes[F] = Granted;
  }
  for (Function *F : Functions)
    Bytes[F] += Rest / Functions.size();
}

uint64_t ConstantBudget::get(const Function &F) const {
  auto It = Bytes.find(&F);
  return It == Bytes.end() ? UINT64_MAX : It->second;
}

/// Returns true if the operands and the result of \p Op may take more than
/// \p Max bytes.
static bool mayTakeMore(const Operation &Op, uint64_t Max) {
  if (isDynamic(Op.getType()))
    return true;
  uint64_t Total = getStaticBytes(Op.getType());
  for (const Value *V : Op.operands())
    Total = llvm::SaturatingAdd(Total, getStaticBytes(V->getType()));
  return Total > Max;
}

std::unique_lock<std::mutex>
ConstantBudget::lockEvaluation(const Operation &Op) const {
  // Small enough for all threads at once.
  constexpr uint64_t SmallPart = 256;
  if (!LargeEvaluations ||
      !mayTakeMore(Op, Op.getFunction()->getContext().getLimits().Memory /
                           SmallPart))
    return {};
  return std::unique_lock<std::mutex>(*LargeEvaluations);
}

AnalysisKey ConstantBudgetAnalysis::Key;

ConstantBudget ConstantBudgetAnalysis::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<Function *, 0> Functions;
  for (Function &F : M.functions())
    if (!F.isSkippedByOptimization())
      Functions.push_back(&F);
  return ConstantBudget(Functions);
}
