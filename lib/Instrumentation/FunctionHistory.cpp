//===- FunctionHistory.cpp - What changed in a function -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FunctionHistory.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/FunctionHistory.h"
#include "relay/IR/OpInfo.h"
#include "relay/Support/Diff.h"
#include "relay/Text/Printer.h"

using namespace relay;

std::vector<unsigned> LineTable::add(StringRef Text) {
  std::vector<unsigned> Added;
  std::lock_guard<std::mutex> Guard(Lock);
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    auto [Entry, IsNew] = Numbers.try_emplace(Line, Lines.size());
    if (IsNew)
      Lines.push_back(Entry->getKey());
    Added.push_back(Entry->getValue());
  }
  return Added;
}

//===----------------------------------------------------------------------===//
// Hunks
//===----------------------------------------------------------------------===//

namespace {

/// Puts differences and what is around them into hunks.
class HunkBuilder {
public:
  HunkBuilder(ArrayRef<unsigned> Before, ArrayRef<unsigned> After,
              FunctionDelta &Change)
      : Before(Before), After(After), Change(Change) {}

  void add(const DiffRange &D);
  void finish();

private:
  static constexpr size_t ContextLines = 3;
  using Side = DiffHunk::Side;

  void addContext(size_t N);
  void addLine(Side Where, unsigned Number);

  ArrayRef<unsigned> Before, After;
  FunctionDelta &Change;
  /// Lines that are behind us.
  size_t AtBefore = 0, AtAfter = 0;
  size_t NumKept = 0;
};

} // namespace

void HunkBuilder::addLine(Side Where, unsigned Number) {
  if (NumKept == FunctionDelta::MaxLines)
    return;
  ++NumKept;
  Change.Hunks.back().Lines.push_back({Where, Number});
}

/// Ends the last hunk.
void HunkBuilder::finish() {
  addContext(ContextLines);
  if (!Change.Hunks.empty() && Change.Hunks.back().Lines.empty())
    Change.Hunks.pop_back();
}

/// The next \p N lines, which are the same on both sides.
void HunkBuilder::addContext(size_t N) {
  for (; N && AtBefore != Before.size() && !Change.Hunks.empty(); --N) {
    addLine(Side::Both, Before[AtBefore++]);
    ++AtAfter;
  }
}

void HunkBuilder::add(const DiffRange &D) {
  Change.LinesRemoved += D.LeftEnd - D.LeftBegin;
  Change.LinesAdded += D.RightEnd - D.RightBegin;
  if (NumKept == FunctionDelta::MaxLines)
    return;
  size_t Same = D.LeftBegin - AtBefore;
  if (Change.Hunks.empty() || Same > 2 * ContextLines) {
    addContext(ContextLines);
    size_t Lead = std::min(D.LeftBegin, ContextLines);
    AtBefore = D.LeftBegin - Lead;
    AtAfter = D.RightBegin - Lead;
    Change.Hunks.push_back({AtBefore + 1, AtAfter + 1, {}});
    Same = Lead;
  }
  addContext(Same);
  for (unsigned Number : Before.slice(D.LeftBegin, D.LeftEnd - D.LeftBegin))
    addLine(Side::Before, Number);
  for (unsigned Number : After.slice(D.RightBegin, D.RightEnd - D.RightBegin))
    addLine(Side::After, Number);
  AtBefore = D.LeftEnd;
  AtAfter = D.RightEnd;
}

//===----------------------------------------------------------------------===//
// FunctionHistory
//===----------------------------------------------------------------------===//

FunctionDelta FunctionHistory::replace(std::vector<unsigned> NewLines,
                                       OpCounts NewCounts) {
  FunctionDelta Change;
  Change.Name = Name;
  HunkBuilder Hunks(Lines, NewLines, Change);
  for (const DiffRange &D : diffSequences(Lines, NewLines))
    Hunks.add(D);
  Hunks.finish();
  for (auto [Info, Count] : NewCounts.getChanges(Counts))
    Change.Operations[Info->Name.str()] = Count;
  Lines = std::move(NewLines);
  Counts = std::move(NewCounts);
  return Change;
}

FunctionDelta FunctionHistory::update(Function &F) {
  PrintOptions O = PrintOptions::forDumps();
  O.Numbers = &Numbers;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printFunction(F, OS, O);
  FunctionDelta Change = replace(Table.add(Text), OpCounts(F));
  if (!IsThere)
    Change.K = FunctionDelta::Kind::Added;
  IsThere = true;
  return Change;
}

FunctionDelta FunctionHistory::update(StringRef Definitions) {
  FunctionDelta Change = replace(Table.add(Definitions), OpCounts());
  Change.K = FunctionDelta::Kind::Definitions;
  return Change;
}

FunctionDelta FunctionHistory::remove() {
  FunctionDelta Change = replace({}, OpCounts());
  Change.K = FunctionDelta::Kind::Removed;
  IsThere = false;
  return Change;
}
