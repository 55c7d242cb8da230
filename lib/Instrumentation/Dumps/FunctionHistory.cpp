//===- FunctionHistory.cpp - Changes of a function ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the lines and operators added and removed by a pass. See
// FunctionHistory.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/FunctionHistory.h"
#include "relay/IR/OpInfo.h"
#include "relay/Support/Diff.h"
#include "relay/Text/Print/Printer.h"

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

/// Returns the lines of \p Range, at most \p LinesLeft, and subtracts their
/// number from LinesLeft.
static DiffHunk makeHunk(const DiffHunkRange &Range, ArrayRef<unsigned> Before,
                         ArrayRef<unsigned> After, size_t &LinesLeft) {
  using Side = DiffHunk::Side;
  DiffHunk Hunk = {Range.Whole.LeftBegin + 1, Range.Whole.RightBegin + 1, {}};
  auto Add = [&](Side Where, ArrayRef<unsigned> Numbers, size_t Begin,
                 size_t End) {
    size_t Count = std::min(End - Begin, LinesLeft);
    for (unsigned Number : Numbers.slice(Begin, Count))
      Hunk.Lines.push_back({Where, Number});
    LinesLeft -= Count;
  };
  size_t Same = Range.Whole.LeftBegin;
  for (const DiffRange &D : Range.Differences) {
    Add(Side::Both, Before, Same, D.LeftBegin);
    Add(Side::Before, Before, D.LeftBegin, D.LeftEnd);
    Add(Side::After, After, D.RightBegin, D.RightEnd);
    Same = D.LeftEnd;
  }
  Add(Side::Both, Before, Same, Range.Whole.LeftEnd);
  return Hunk;
}

//===----------------------------------------------------------------------===//
// FunctionHistory
//===----------------------------------------------------------------------===//

FunctionDelta FunctionHistory::replace(std::vector<unsigned> NewLines,
                                       OpCounts NewCounts) {
  FunctionDelta Change;
  Change.Name = Name;
  SmallVector<DiffRange, 0> Differences = diffSequences(Lines, NewLines);
  for (const DiffRange &D : Differences) {
    Change.LinesRemoved += D.LeftEnd - D.LeftBegin;
    Change.LinesAdded += D.RightEnd - D.RightBegin;
  }
  size_t LinesLeft = FunctionDelta::MaxLines;
  for (const DiffHunkRange &Range : groupIntoHunks(Differences, Lines.size()))
    if (LinesLeft)
      Change.Hunks.push_back(makeHunk(Range, Lines, NewLines, LinesLeft));
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
