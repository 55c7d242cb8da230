//===- IRDiff.cpp - Differences between two dumps of a function -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are matched by their text without numbers, including those at the end
// of variable names. A matched pair is the same line if the texts are equal, or
// if every number of one corresponds to the number of the other: values are
// paired at their definitions, constants at their first use.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/IRDiff.h"
#include "relay/Support/Diff.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {

/// A name or a number that depends on the preceding lines.
struct Reference {
  enum Kind : uint8_t {
    Definition, ///< `%12` or `%p01`, at the definition of a value
    Use,        ///< a use of a defined value
    Constant    ///< an index of `meta[…][12]`
  };
  Kind K;
  StringRef Text;
};

/// A parsed line.
struct Line {
  StringRef Text;
  std::string Masked; ///< without numbers
  SmallVector<Reference, 4> References;
};

/// Parses a line, ignoring strings.
class LineReader {
public:
  explicit LineReader(StringRef Text)
      : Rest(Text), IsClause(Text.ends_with("=> {")) {
    Result.Text = Text;
  }
  Line read();

private:
  void take(size_t N) {
    Result.Masked += Rest.take_front(N);
    Rest = Rest.drop_front(N);
  }
  void takeString();
  void takeValue();
  void takeIndex();
  bool isDefinition();
  bool hasFunction();

  StringRef Rest;
  bool IsClause;            ///< the line begins `Cons(%x, %y) => {`
  bool HasFunction = false; ///< `fn (` or `fn [` was read
  size_t NumSearched = 0;   ///< searched characters of the result
  Line Result;
};

} // namespace

Line LineReader::read() {
  while (!Rest.empty()) {
    take(std::min(Rest.size(), Rest.find_first_of("\"%m")));
    if (Rest.starts_with("\"")) {
      takeString();
    } else if (Rest.starts_with("%")) {
      takeValue();
    } else if (Rest.starts_with("meta[")) {
      take(std::min(Rest.size(), Rest.find("][") + 2));
      takeIndex();
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

/// Returns true if a closure begins in the text read so far. Each character is
/// searched once, since lines may be long.
bool LineReader::hasFunction() {
  constexpr size_t Length = 4;
  StringRef New = StringRef(Result.Masked).drop_front(NumSearched);
  HasFunction |= New.contains("fn (") || New.contains("fn [");
  NumSearched += New.size() - std::min(New.size(), Length - 1);
  return HasFunction;
}

/// Returns true if the next value is a definition: `%1 = …`, `let %x`, and the
/// parameters of `def`, `fn` and clauses.
bool LineReader::isDefinition() {
  StringRef Before = StringRef(Result.Masked).ltrim();
  if (Before.empty())
    return Rest.drop_front().ltrim("0123456789").starts_with(" = ");
  return IsClause || Before == "let " || Before == "free_var " ||
         Before.starts_with("def @") || hasFunction();
}

/// Reads `%12`, and `%p01` as `%p`: final digits may have been added to make a
/// name unique.
void LineReader::takeValue() {
  auto Kind = isDefinition() ? Reference::Definition : Reference::Use;
  StringRef Name = Rest.take_while(
      [](char C) { return llvm::isAlnum(C) || C == '%' || C == '_'; });
  Rest = Rest.drop_front(Name.size());
  Result.Masked += Name.rtrim("0123456789");
  Result.References.push_back({Kind, Name});
}

void LineReader::takeIndex() {
  StringRef Digits = Rest.take_while(llvm::isDigit);
  if (Digits.empty())
    return;
  Rest = Rest.drop_front(Digits.size());
  Result.References.push_back({Reference::Constant, Digits});
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

/// Pairs the names and numbers of two texts.
class ReferencePairs {
public:
  /// Returns true if \p Before and \p After, which are equal without numbers,
  /// are the same line.
  bool match(const Line &Before, const Line &After);

private:
  bool matchUse(StringRef Before, StringRef After) const;
  bool matchIndex(StringRef Before, StringRef After);

  llvm::DenseMap<StringRef, StringRef> Values, Indices, IndicesBack;
};

} // namespace

bool ReferencePairs::match(const Line &Before, const Line &After) {
  bool Same = true;
  for (auto [B, A] : llvm::zip_equal(Before.References, After.References)) {
    switch (B.K) {
    case Reference::Definition:
      Values[B.Text] = A.Text;
      break;
    case Reference::Use:
      Same &= matchUse(B.Text, A.Text);
      break;
    case Reference::Constant:
      Same &= matchIndex(B.Text, A.Text);
      break;
    }
  }
  return Same || Before.Text == After.Text;
}

/// A name without a pair, such as a parameter if the signature differs, is
/// paired with itself; a number is not.
bool ReferencePairs::matchUse(StringRef Before, StringRef After) const {
  auto It = Values.find(Before);
  if (It != Values.end())
    return It->second == After;
  return Before == After && !llvm::all_of(Before.drop_front(), llvm::isDigit);
}

bool ReferencePairs::matchIndex(StringRef Before, StringRef After) {
  auto [There, NewThere] = Indices.try_emplace(Before, After);
  auto [Back, NewBack] = IndicesBack.try_emplace(After, Before);
  return There->second == After && Back->second == Before;
}

/// Returns numbers that identify the masked text of each line.
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

/// Collects the lines of a diff. Added lines are kept back until the adjacent
/// removed lines have been emitted.
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

/// Returns true if the line \p Text defines a value and is therefore unique.
static bool isDefinition(StringRef Text) {
  Text = Text.ltrim();
  return Text.starts_with("let %") ||
         (Text.consume_front("%") &&
          Text.ltrim("0123456789").starts_with(" = "));
}

/// Marks lines that were removed at one position and added at another as moved.
static void markMoved(std::vector<DiffLine> &Lines) {
  llvm::DenseMap<StringRef, DiffLine *> Removed;
  for (DiffLine &L : Lines)
    if (L.K == DiffLine::Kind::Removed && isDefinition(L.Before))
      Removed[L.Before] = &L;
  for (DiffLine &L : Lines) {
    DiffLine *From =
        L.K == DiffLine::Kind::Added ? Removed.lookup(L.After) : nullptr;
    if (!From)
      continue;
    From->K = DiffLine::Kind::MovedAway;
    L.K = DiffLine::Kind::MovedHere;
    Removed.erase(L.After);
  }
}

std::vector<DiffLine> relay::diffDumps(StringRef BeforeText,
                                       StringRef AfterText) {
  std::vector<Line> Before = readLines(BeforeText);
  std::vector<Line> After = readLines(AfterText);
  SmallVector<DiffRange, 0> Ranges = matchLines(Before, After);
  Ranges.push_back({Before.size(), Before.size(), After.size(), After.size()});
  DiffLines Lines;
  ReferencePairs Pairs;
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
  std::vector<DiffLine> Result = Lines.take();
  markMoved(Result);
  return Result;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Returns the ranges of differing lines of both texts.
static SmallVector<DiffRange, 0> getDifferences(ArrayRef<DiffLine> Lines) {
  SmallVector<DiffRange, 0> Differences;
  size_t Before = 0, After = 0;
  bool Same = true;
  for (const DiffLine &L : Lines) {
    bool WasSame = std::exchange(Same, L.K == DiffLine::Kind::Same);
    if (WasSame && !Same)
      Differences.push_back({Before, Before, After, After});
    Before += L.isBefore();
    After += L.isAfter();
    if (!Same) {
      Differences.back().LeftEnd = Before;
      Differences.back().RightEnd = After;
    }
  }
  return Differences;
}

/// Shortens \p Text, a line of context, to its beginning and end if it is long,
/// as signatures of models are.
static std::string shorten(StringRef Text) {
  constexpr size_t MaxSize = 200, HeadSize = 140, TailSize = 30;
  if (Text.size() <= MaxSize)
    return Text.str();
  size_t NumLeftOut = Text.size() - HeadSize - TailSize;
  return (Text.take_front(HeadSize) + " ... " + Twine(NumLeftOut) +
          " characters ... " + Text.take_back(TailSize))
      .str();
}

static StringRef getColor(DiffLine::Kind K) {
  switch (K) {
  case DiffLine::Kind::Same:
    return "";
  case DiffLine::Kind::Removed:
    return "\033[31m";
  case DiffLine::Kind::Added:
    return "\033[32m";
  case DiffLine::Kind::MovedAway:
  case DiffLine::Kind::MovedHere:
    return "\033[36m";
  }
  llvm_unreachable("unknown kind of line");
}

static void printLine(const DiffLine &L, raw_ostream &OS, bool Color) {
  if (L.K == DiffLine::Kind::Same) {
    OS << ' ' << shorten(L.After) << '\n';
    return;
  }
  OS << (Color ? getColor(L.K) : "") << char(L.K)
     << (L.isBefore() ? L.Before : L.After) << (Color ? "\033[0m" : "") << '\n';
}

/// Prints the header of a range. An empty range is placed after the preceding
/// line.
static void printRange(char Sign, size_t First, size_t Count, raw_ostream &OS) {
  OS << ' ' << Sign << (Count ? First : First - 1) << ',' << Count;
}

void relay::printUnifiedDiff(ArrayRef<DiffLine> Lines, raw_ostream &OS,
                             bool Color) {
  SmallVector<DiffRange, 0> Differences = getDifferences(Lines);
  size_t NumBefore =
      llvm::count_if(Lines, [](const DiffLine &L) { return L.isBefore(); });
  size_t Before = 0, After = 0;
  auto Next = [&] {
    const DiffLine &L = Lines.front();
    Lines = Lines.drop_front();
    Before += L.isBefore();
    After += L.isAfter();
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
