//===- IRDiff.cpp - Differences between two dumps of a function -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are matched by their text with numbers left out. A matched pair is the
// same line if every number of the one stands for what the other's stands for:
// values are paired where they are defined, constants where they are first met.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/IRDiff.h"
#include "relay/Support/Diff.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

using namespace relay;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {

/// A number that depends on what stands before it.
struct Number {
  bool IsValue; ///< `%12`; else an index of `meta[…][12]`
  uint64_t N;
};

/// A line taken apart.
struct Line {
  StringRef Text;
  std::string Masked; ///< without numbers
  SmallVector<Number, 4> Numbers;

  /// `%12 = …`
  bool isDefinition() const {
    return StringRef(Masked).ltrim().starts_with("% = ");
  }
};

/// Takes a line apart, outside of strings.
class LineReader {
public:
  explicit LineReader(StringRef Text) : Rest(Text) { Result.Text = Text; }
  Line read();

private:
  void take(size_t N) {
    Result.Masked += Rest.take_front(N);
    Rest = Rest.drop_front(N);
  }
  void takeString();
  void takeNumber(bool IsValue);

  StringRef Rest;
  Line Result;
};

} // namespace

Line LineReader::read() {
  while (!Rest.empty()) {
    take(std::min(Rest.size(), Rest.find_first_of("\"%m")));
    if (Rest.starts_with("\"")) {
      takeString();
    } else if (Rest.starts_with("%")) {
      take(1);
      takeNumber(/*IsValue=*/true);
    } else if (Rest.starts_with("meta[")) {
      take(std::min(Rest.size(), Rest.find("][") + 2));
      takeNumber(/*IsValue=*/false);
    } else {
      take(std::min<size_t>(Rest.size(), 1));
    }
  }
  return std::move(Result);
}

void LineReader::takeString() {
  size_t End = 1;
  while (End < Rest.size() && Rest[End] != '"')
    End += Rest[End] == '\\' ? 2 : 1;
  take(std::min(Rest.size(), End + 1));
}

void LineReader::takeNumber(bool IsValue) {
  StringRef Digits = Rest.take_while(llvm::isDigit);
  uint64_t N;
  if (Digits.getAsInteger(10, N))
    return; // a name
  Rest = Rest.drop_front(Digits.size());
  Result.Numbers.push_back({IsValue, N});
}

static std::vector<Line> readLines(StringRef Text) {
  std::vector<Line> Lines;
  while (!Text.empty()) {
    StringRef First;
    std::tie(First, Text) = Text.split('\n');
    Lines.push_back(LineReader(First).read());
  }
  return Lines;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {

/// Which numbers of two texts stand for the same.
class NumberPairs {
public:
  /// Whether \p Before and \p After, alike without numbers, are the same line.
  bool match(const Line &Before, const Line &After);

private:
  bool matchIndex(uint64_t Before, uint64_t After);

  llvm::DenseMap<uint64_t, uint64_t> Values, Indices, IndicesBack;
};

} // namespace

bool NumberPairs::match(const Line &Before, const Line &After) {
  bool Same = true;
  for (auto [I, B, A] : llvm::enumerate(Before.Numbers, After.Numbers)) {
    if (I == 0 && Before.isDefinition()) {
      Values[B.N] = A.N;
    } else if (B.IsValue) {
      auto It = Values.find(B.N);
      Same &= It != Values.end() && It->second == A.N;
    } else {
      Same &= matchIndex(B.N, A.N);
    }
  }
  return Same;
}

bool NumberPairs::matchIndex(uint64_t Before, uint64_t After) {
  auto [There, NewThere] = Indices.try_emplace(Before, After);
  auto [Back, NewBack] = IndicesBack.try_emplace(After, Before);
  return There->second == After && Back->second == Before;
}

/// Numbers that stand for the masked text of each line.
static std::vector<unsigned> getKeys(ArrayRef<Line> Lines,
                                     llvm::StringMap<unsigned> &Known) {
  std::vector<unsigned> Keys;
  for (const Line &L : Lines)
    Keys.push_back(Known.try_emplace(L.Masked, Known.size()).first->second);
  return Keys;
}

static SmallVector<DiffRange, 0> matchLines(ArrayRef<Line> Before,
                                            ArrayRef<Line> After) {
  llvm::StringMap<unsigned> Known;
  std::vector<unsigned> Left = getKeys(Before, Known);
  std::vector<unsigned> Right = getKeys(After, Known);
  return diffSequences(Left, Right);
}

namespace {

/// Collects the lines of a diff. Added lines wait until the removed ones beside
/// them are there.
class DiffLines {
public:
  void addSame(const Line &Before, const Line &After) {
    flush();
    Result.push_back({DiffLine::Kind::Same, Before.Text, After.Text});
  }
  void addRemoved(const Line &L) {
    Result.push_back({DiffLine::Kind::Removed, L.Text, {}});
  }
  void addAdded(const Line &L) { Added.push_back(L.Text); }
  std::vector<DiffLine> take() {
    flush();
    return std::move(Result);
  }

private:
  void flush() {
    for (StringRef Text : Added)
      Result.push_back({DiffLine::Kind::Added, {}, Text});
    Added.clear();
  }

  std::vector<DiffLine> Result;
  SmallVector<StringRef, 8> Added;
};

} // namespace

std::vector<DiffLine> relay::diffDumps(StringRef BeforeText,
                                       StringRef AfterText) {
  std::vector<Line> Before = readLines(BeforeText);
  std::vector<Line> After = readLines(AfterText);
  SmallVector<DiffRange, 0> Ranges = matchLines(Before, After);
  Ranges.push_back({Before.size(), Before.size(), After.size(), After.size()});
  DiffLines Lines;
  NumberPairs Pairs;
  size_t L = 0, R = 0;
  for (const DiffRange &Range : Ranges) {
    for (; L != Range.LeftBegin; ++L, ++R) {
      if (Pairs.match(Before[L], After[R])) {
        Lines.addSame(Before[L], After[R]);
        continue;
      }
      Lines.addRemoved(Before[L]);
      Lines.addAdded(After[R]);
    }
    for (; L != Range.LeftEnd; ++L)
      Lines.addRemoved(Before[L]);
    for (; R != Range.RightEnd; ++R)
      Lines.addAdded(After[R]);
  }
  return Lines.take();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Where lines of \p Lines differ, as ranges of the lines of both texts.
static SmallVector<DiffRange, 0> getDifferences(ArrayRef<DiffLine> Lines) {
  SmallVector<DiffRange, 0> Differences;
  size_t Before = 0, After = 0;
  bool Same = true;
  for (const DiffLine &L : Lines) {
    bool WasSame = std::exchange(Same, L.K == DiffLine::Kind::Same);
    if (WasSame && !Same)
      Differences.push_back({Before, Before, After, After});
    Before += L.K != DiffLine::Kind::Added;
    After += L.K != DiffLine::Kind::Removed;
    if (!Same) {
      Differences.back().LeftEnd = Before;
      Differences.back().RightEnd = After;
    }
  }
  return Differences;
}

static void printLine(const DiffLine &L, raw_ostream &OS, bool Color) {
  StringRef Text = L.K == DiffLine::Kind::Removed ? L.Before : L.After;
  if (!Color || L.K == DiffLine::Kind::Same) {
    OS << char(L.K) << Text << '\n';
    return;
  }
  StringRef Start = L.K == DiffLine::Kind::Removed ? "\033[31m" : "\033[32m";
  OS << Start << char(L.K) << Text << "\033[0m\n";
}

/// An empty range is said to stand behind the line before it.
static void printRange(char Sign, size_t First, size_t Count, raw_ostream &OS) {
  OS << ' ' << Sign << (Count ? First : First - 1) << ',' << Count;
}

void relay::printUnifiedDiff(ArrayRef<DiffLine> Lines, raw_ostream &OS,
                             bool Color) {
  SmallVector<DiffRange, 0> Differences = getDifferences(Lines);
  size_t NumBefore = llvm::count_if(
      Lines, [](const DiffLine &L) { return L.K != DiffLine::Kind::Added; });
  size_t Before = 0, After = 0;
  auto Next = [&] {
    const DiffLine &L = Lines.front();
    Lines = Lines.drop_front();
    Before += L.K != DiffLine::Kind::Added;
    After += L.K != DiffLine::Kind::Removed;
    return L;
  };
  for (const DiffHunkRange &H : groupIntoHunks(Differences, NumBefore)) {
    const DiffRange &R = H.Whole;
    while (Before != R.LeftBegin || After != R.RightBegin)
      Next();
    OS << "@@";
    printRange('-', R.LeftBegin + 1, R.LeftEnd - R.LeftBegin, OS);
    printRange('+', R.RightBegin + 1, R.RightEnd - R.RightBegin, OS);
    OS << " @@\n";
    while (Before != R.LeftEnd || After != R.RightEnd)
      printLine(Next(), OS, Color);
  }
}
