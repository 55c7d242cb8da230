//===- CompositePass.h - Passes that merge composites -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function pass that creates composites from a pattern table:
//
//   class MergeDnnl : public CompositePass<MergeDnnlBase<MergeDnnl>> {
//   public:
//     MergeDnnl() : CompositePass(getDnnlTable()) {}
//   };
//
// Each name in the table is a statistic of the pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_COMPOSITE_COMPOSITEPASS_H
#define RELAY_PATTERN_COMPOSITE_COMPOSITEPASS_H

#include "relay/Pattern/Composite/Composites.h"
#include "relay/Pattern/Rewrite/PatternPass.h"

namespace relay {

/// The pattern table of a pass and the numbers of composites that it created.
class CompositeApplier {
public:
  using Entries = std::vector<CompositePattern>;
  /// Returns the pattern table of a pass for a Context. The names are the same
  /// for each Context. Failure has been reported.
  using Source =
      std::function<FailureOr<Entries>(Context &, const PassRegistry &)>;

  /// \p Table belongs to no Context.
  CompositeApplier(Pass &Owner, Entries Table)
      : CompositeApplier(
            Owner, [Table = std::move(Table)](Context &, const PassRegistry &) {
              return FailureOr<Entries>(Table);
            }) {}
  /// \p GetTable is called when the table is compiled.
  CompositeApplier(Pass &Owner, Source GetTable)
      : GetTable(std::move(GetTable)), NumMade(Owner) {}
  /// Creates the same table for \p Owner, a clone of the pass.
  CompositeApplier(Pass &Owner, const CompositeApplier &Other)
      : GetTable(Other.GetTable), NumMade(Owner, Other.NumMade),
        StatisticOf(Other.StatisticOf), Compiled(Other.Compiled) {}

  /// Compiles the table for \p Ctx unless that has been done.
  LogicalResult compile(Context &Ctx, const PassRegistry &Registry);
  /// Creates composites in \p F, for whose Context the table is compiled.
  /// Returns true if anything changed.
  FailureOr<bool> apply(Function &F);

private:
  void declare(const Entries &Table);

  Source GetTable;
  NamedStatistics NumMade;
  /// For each entry of the table: its statistic, shared by entries of the same
  /// name.
  std::vector<unsigned> StatisticOf;
  CompiledForContext<CompositeTable> Compiled;
};

template <typename BaseT>
class CompositePass : public PatternPass<BaseT, CompositeApplier> {
public:
  using PatternPass<BaseT, CompositeApplier>::PatternPass;
};

} // namespace relay

#endif // RELAY_PATTERN_COMPOSITE_COMPOSITEPASS_H
