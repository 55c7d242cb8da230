//===- OperationTwins.cpp - Operations and their originals ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows created, copied, replaced and erased operations. See
// OperationTwins.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/OperationTwins.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"

using namespace relay;

static SmallVector<const Operation *, 0> listOperations(Function &F) {
  SmallVector<const Operation *, 0> Operations;
  walk(F, [&](Operation *Op) { Operations.push_back(Op); });
  return Operations;
}

/// The canonical order of a clone equals that of the original.
void OperationTwins::start(const Module &M, const Module &Copy) {
  clear();
  for (Function &Cloned : Copy.functions()) {
    SmallVector<const Operation *, 0> Clones = listOperations(Cloned);
    SmallVector<const Operation *, 0> Originals =
        listOperations(*M.lookupFunction(Cloned.getName()));
    assert(Clones.size() == Originals.size() && "no clone");
    for (auto [Clone, Original] : llvm::zip(Clones, Originals))
      Twins[Original] = Clone;
  }
}

void OperationTwins::clear() {
  Twins.clear();
  Quantized.clear();
  QuantizedBy.clear();
  NumRegions = 0;
}

/// Records that \p Op, if it is new, originates from \p From.
void OperationTwins::inherit(const Operation *Op, const Operation *From) {
  if (const Operation *Twin = lookup(From))
    Twins.try_emplace(Op, Twin);
}

void OperationTwins::notifyCloned(const Operation *From, Operation *New) {
  inherit(New, From);
}

void OperationTwins::notifyReplaced(Operation *Op, Value *New) {
  if (const Operation *NewOp = New->getDefiningOp())
    inherit(NewOp, Op);
}

/// Scales that are not used after the pass are erased, but not constant data.
void OperationTwins::notifyQuantized(ArrayRef<QuantizedOperation> Region) {
  for (const QuantizedOperation &Each : Region) {
    const Operation *Old = lookup(Each.Op);
    if (!Old)
      continue;
    QuantizedTwin Twin{Old,       Each.New, {},        {},
                       nullptr,   nullptr,  Each.Axis, Each.IsApproximate,
                       NumRegions};
    auto Set = [](const Value *V, Tensor &Data, const Value *&Param) {
      if (const ConstantData *Known = getKnownData(V))
        Data = Tensor::get(*Known);
      else if (isa<BlockArgument>(V))
        Param = V;
    };
    Set(Each.Scale, Twin.ScaleData, Twin.Scale);
    Set(Each.ZeroPoint, Twin.ZeroPointData, Twin.ZeroPoint);
    QuantizedBy[Each.New].push_back(Quantized.size());
    Quantized.push_back(std::move(Twin));
  }
  ++NumRegions;
}

void OperationTwins::notifyErased(Operation *Op) {
  Twins.erase(Op);
  auto Found = QuantizedBy.find(Op);
  if (Found == QuantizedBy.end())
    return;
  for (size_t I : Found->second)
    Quantized[I].New = nullptr;
  QuantizedBy.erase(Found);
}

void OperationTwins::notifyFunctionErased(Function &F) {
  walk(F, [this](Operation *Op) { Twins.erase(Op); });
}
