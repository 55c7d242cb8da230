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
class PassComposites {
public:
  using Entries = std::vector<CompositePattern>;
  /// Returns the pattern table of a pass for a Context. The names are the same
  /// for each Context. Failure has been reported.
  using Source = std::function<FailureOr<Entries>(Context &)>;

  /// \p Table belongs to no Context.
  PassComposites(Pass &Owner, Entries Table)
      : PassComposites(Owner, [Table = std::move(Table)](Context &) {
          return FailureOr<Entries>(Table);
        }) {}
  /// \p GetTable is called when the table is compiled.
  PassComposites(Pass &Owner, Source GetTable)
      : GetTable(std::move(GetTable)), Made(Owner) {}
  /// Creates the same table for \p Owner, a clone of the pass.
  PassComposites(Pass &Owner, const PassComposites &Other)
      : GetTable(Other.GetTable), Made(Owner, Other.Made),
        Counters(Other.Counters), Compiled(Other.Compiled) {}

  /// Compiles the table for \p Ctx unless that has been done.
  LogicalResult compile(Context &Ctx);
  /// Creates composites in \p F. Returns true if anything changed.
  FailureOr<bool> apply(Function &F);

private:
  void declare(const Entries &Table);

  Source GetTable;
  NamedStatistics Made;
  /// For each entry of the table: its statistic, shared by entries of the same
  /// name.
  std::vector<unsigned> Counters;
  CompiledForContext<CompositeTable> Compiled;
};

template <typename BaseT>
class CompositePass : public PatternPass<BaseT, PassComposites> {
public:
  using PatternPass<BaseT, PassComposites>::PatternPass;
};

} // namespace relay

#endif // RELAY_PATTERN_COMPOSITE_COMPOSITEPASS_H
