//===- Composites.h - Composite functions of a pattern table ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's MergeComposite: partitions a function by each pattern of a table, in
// order. Each closure has the name of its pattern as its attribute Composite.
// Operations in composites of an earlier pattern are unavailable to later
// patterns, but a later match may contain whole composites.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_COMPOSITE_COMPOSITES_H
#define RELAY_PATTERN_COMPOSITE_COMPOSITES_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Composite/Partition.h"
#include "relay/Pattern/Text/PatternText.h"

namespace relay {

/// An entry of a pattern table.
struct CompositePattern {
  CompositePattern(std::string Name, Pattern P,
                   std::function<bool(Operation *Root)> Check = nullptr)
      : Name(std::move(Name)), P(std::move(P)), Check(std::move(Check)) {}
  CompositePattern(NamedPattern Named)
      : Name(std::move(Named.Name)), P(std::move(Named.P)) {
    if (Named.Check)
      Check = [Accepts = Named.Check](Operation *Root) {
        return Accepts(*Root);
      };
  }

  std::string Name;
  Pattern P;
  /// See PartitionOptions::Check. Several threads may call it.
  std::function<bool(Operation *Root)> Check;
};

/// A pattern table, compiled.
class CompositeTable {
public:
  /// Reports patterns that cannot be compiled.
  static FailureOr<CompositeTable>
  compile(Context &Ctx, std::vector<CompositePattern> Entries);

  Context &getContext() const { return Ctx; }
  const PatternProgram &getProgram() const { return Program; }
  ArrayRef<CompositePattern> getEntries() const { return Entries; }

private:
  CompositeTable(Context &Ctx, std::vector<CompositePattern> Entries,
                 PatternProgram Program)
      : Ctx(Ctx), Entries(std::move(Entries)), Program(std::move(Program)) {}

  Context &Ctx;
  std::vector<CompositePattern> Entries;
  PatternProgram Program;
};

/// Creates composites for the matches of \p Table in \p F, which must be
/// normalized and typed, and normalizes it again. \p R announces each composite
/// by the name of its pattern; \p OnMerged is called with the number of an
/// entry and the number of its composites, if any. Fails if matching takes too
/// long.
///
/// From level 2 on, the debug log of the running pass has the reason for each
/// operation at which a pattern may match but forms no composite.
LogicalResult
mergeComposites(Function &F, Rewriter &R, const CompositeTable &Table,
                function_ref<void(unsigned Entry, unsigned Number)> OnMerged);

} // namespace relay

#endif // RELAY_PATTERN_COMPOSITE_COMPOSITES_H
