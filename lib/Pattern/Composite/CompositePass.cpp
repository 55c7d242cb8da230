//===- CompositePass.cpp - Passes that merge composites -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CompositePass.h. Several entries of a table may share a name, as in TVM.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Composite/CompositePass.h"
#include "llvm/ADT/StringMap.h"

using namespace relay;

/// Creates a statistic for each name in \p Table.
void CompositeApplier::declare(const Entries &Table) {
  NamedStatistics::NamesAndDescriptions Texts;
  llvm::StringMap<unsigned> ByName;
  for (const CompositePattern &Entry : Table) {
    auto [It, IsNew] = ByName.try_emplace(Entry.Name, Texts.size());
    if (IsNew)
      Texts.emplace_back(Entry.Name, "composites of " + Entry.Name);
    StatisticOf.push_back(It->second);
  }
  NumMade.declare(std::move(Texts));
}

LogicalResult CompositeApplier::compile(Context &Ctx,
                                        const PassRegistry &Registry) {
  auto GetEntries = [&](Context &) { return GetTable(Ctx, Registry); };
  auto Declare = [this](const Entries &Table) {
    if (!NumMade.areDeclared())
      declare(Table);
    assert(Table.size() == StatisticOf.size() &&
           "tables differ between contexts");
  };
  return Compiled.compile(Ctx, GetEntries, NumMade.areDeclared(), Declare);
}

FailureOr<bool> CompositeApplier::apply(Function &F) {
  std::shared_ptr<const CompositeTable> Table = Compiled.lookup(F.getContext());
  auto OnMerged = [&](unsigned Entry, unsigned Number) {
    NumMade[StatisticOf[Entry]] += Number;
  };
  Rewriter R(F);
  if (failed(mergeComposites(F, R, *Table, OnMerged)))
    return failure();
  return R.getNumRewrites() != 0;
}
