//===- Diff.cpp - Differences between sequences ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), section
// 4b: finds a point in the middle of a shortest edit script by searching from
// both ends at once, then processes the two halves. Halves wait in a list, not
// on the stack.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Diff.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <vector>

using namespace relay;

namespace {

/// A part of both sequences; ends are exclusive.
struct Box {
  long LeftBegin, LeftEnd, RightBegin, RightEnd;

  long width() const { return LeftEnd - LeftBegin; }
  long height() const { return RightEnd - RightBegin; }
  /// Returns the diagonals within reach of \p Cost differences.
  long firstDiagonal(long Cost) const { return -std::min(Cost, height()); }
  long lastDiagonal(long Cost) const { return std::min(Cost, width()); }
};

/// A sequence without the elements that only it has.
struct Side {
  Side(ArrayRef<unsigned> All, const llvm::DenseSet<unsigned> &InOther)
      : Changed(All.size(), true) {
    for (auto [I, Element] : llvm::enumerate(All)) {
      if (!InOther.contains(Element))
        continue;
      Elements.push_back(Element);
      Places.push_back(I);
      Changed[I] = false;
    }
  }

  void markChanged(long Begin, long End) {
    for (long I = Begin; I != End; ++I)
      Changed[Places[I]] = true;
  }

  std::vector<unsigned> Elements;
  /// Their positions in the whole sequence.
  std::vector<size_t> Places;
  /// Flags for the whole sequence.
  std::vector<bool> Changed;
};

class Differ {
public:
  Differ(ArrayRef<unsigned> L, ArrayRef<unsigned> R)
      : Left(L, llvm::DenseSet<unsigned>(R.begin(), R.end())),
        Right(R, llvm::DenseSet<unsigned>(L.begin(), L.end())) {}

  SmallVector<DiffRange, 0> run();

private:
  struct Point {
    long X, Y;
  };
  enum End { Front, Back };
  /// The progress of the search from one end: by diagonal (X - Y, counted from
  /// that end) the largest X, or -1.
  struct Frontier {
    std::vector<long> Furthest;
    long Origin = 0;
    long &operator[](long Diagonal) { return Furthest[Origin + Diagonal]; }
  };

  void trim(Box &B) const;
  void process(Box B);
  Point split(const Box &B);
  std::optional<Point> step(const Box &B, long Cost, End From);
  void advance(const Box &B, long Cost, long Diagonal, End From);
  bool same(const Box &B, Point P, End From) const;
  Point getFurthest(const Box &B);
  SmallVector<DiffRange, 0> collect() const;

  /// Beyond this many differences, a good split is used instead of the best.
  static constexpr long MaxCost = 256;

  Side Left, Right;
  SmallVector<Box, 16> Worklist;
  Frontier Frontiers[2];
};

} // namespace

SmallVector<DiffRange, 0> Differ::run() {
  Worklist.push_back(
      {0, long(Left.Elements.size()), 0, long(Right.Elements.size())});
  while (!Worklist.empty())
    process(Worklist.pop_back_val());
  return collect();
}

void Differ::trim(Box &B) const {
  while (B.width() && B.height() &&
         Left.Elements[B.LeftBegin] == Right.Elements[B.RightBegin])
    ++B.LeftBegin, ++B.RightBegin;
  while (B.width() && B.height() &&
         Left.Elements[B.LeftEnd - 1] == Right.Elements[B.RightEnd - 1])
    --B.LeftEnd, --B.RightEnd;
}

void Differ::process(Box B) {
  trim(B);
  if (!B.width() || !B.height()) {
    Left.markChanged(B.LeftBegin, B.LeftEnd);
    Right.markChanged(B.RightBegin, B.RightEnd);
    return;
  }
  Point P = split(B);
  long X = B.LeftBegin + P.X, Y = B.RightBegin + P.Y;
  Worklist.push_back({X, B.LeftEnd, Y, B.RightEnd});
  Worklist.push_back({B.LeftBegin, X, B.RightBegin, Y});
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Returns true if the elements after \p P, counted from an end, are equal.
bool Differ::same(const Box &B, Point P, End From) const {
  if (P.X >= B.width() || P.Y >= B.height())
    return false;
  if (From == Back)
    return Left.Elements[B.LeftEnd - 1 - P.X] ==
           Right.Elements[B.RightEnd - 1 - P.Y];
  return Left.Elements[B.LeftBegin + P.X] == Right.Elements[B.RightBegin + P.Y];
}

/// Advances on \p Diagonal as far as \p Cost differences allow.
void Differ::advance(const Box &B, long Cost, long Diagonal, End From) {
  Frontier &F = Frontiers[From];
  long X = Cost ? -1 : 0;
  long Remove = F[Diagonal - 1], Add = F[Diagonal + 1];
  if (Remove >= 0 && Remove < B.width())
    X = Remove + 1;
  if (Add >= 0 && Add - Diagonal <= B.height())
    X = std::max(X, Add);
  if (X < 0)
    return;
  while (same(B, {X, X - Diagonal}, From))
    ++X;
  F[Diagonal] = std::max(F[Diagonal], X);
}

/// Allows the search from one end \p Cost differences; returns the point where
/// it meets the other search, if it does.
std::optional<Differ::Point> Differ::step(const Box &B, long Cost, End From) {
  Frontier &Current = Frontiers[From], &Opposite = Frontiers[1 - From];
  long Delta = B.width() - B.height();
  for (long K = B.firstDiagonal(Cost); K <= B.lastDiagonal(Cost); ++K) {
    if ((K - Cost) % 2) // one more difference leads to an adjacent diagonal
      continue;
    advance(B, Cost, K, From);
    long Mirrored = Delta - K;
    if (Mirrored < B.firstDiagonal(MaxCost) ||
        Mirrored > B.lastDiagonal(MaxCost) || Current[K] < 0 ||
        Opposite[Mirrored] < 0 || Current[K] + Opposite[Mirrored] < B.width())
      continue;
    if (From == Front)
      return Point{Current[K], Current[K] - K};
    return Point{B.width() - Current[K], B.height() - (Current[K] - K)};
  }
  return std::nullopt;
}

/// Returns a point, neither the first nor the last, on a short edit script of
/// \p B. The first elements of B differ, and so do the last.
Differ::Point Differ::split(const Box &B) {
  for (Frontier &F : Frontiers) {
    F.Origin = 1 - B.firstDiagonal(MaxCost);
    F.Furthest.assign(F.Origin + B.lastDiagonal(MaxCost) + 2, -1);
  }
  for (long Cost = 0; Cost <= MaxCost; ++Cost)
    for (End From : {Front, Back})
      if (std::optional<Point> Met = step(B, Cost, From))
        return *Met;
  return getFurthest(B);
}

/// Returns the point where the search from the front has progressed most.
Differ::Point Differ::getFurthest(const Box &B) {
  Point Best{0, 0};
  for (long K = B.firstDiagonal(MaxCost); K <= B.lastDiagonal(MaxCost); ++K) {
    Point P{Frontiers[Front][K], Frontiers[Front][K] - K};
    if (P.X >= 0 && P.X + P.Y > Best.X + Best.Y)
      Best = P;
  }
  return Best;
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// Returns the end of the run of changed elements that starts at \p I.
static size_t skipChanged(const std::vector<bool> &Changed, size_t I) {
  return std::find(Changed.begin() + I, Changed.end(), false) - Changed.begin();
}

SmallVector<DiffRange, 0> Differ::collect() const {
  SmallVector<DiffRange, 0> Ranges;
  size_t L = 0, R = 0;
  while (L != Left.Changed.size() || R != Right.Changed.size()) {
    DiffRange Range{L, skipChanged(Left.Changed, L), R,
                    skipChanged(Right.Changed, R)};
    bool Same = Range.LeftEnd == L && Range.RightEnd == R;
    if (!Same)
      Ranges.push_back(Range);
    L = Range.LeftEnd + Same;
    R = Range.RightEnd + Same;
  }
  return Ranges;
}

SmallVector<DiffRange, 0> relay::diffSequences(ArrayRef<unsigned> Left,
                                               ArrayRef<unsigned> Right) {
  return Differ(Left, Right).run();
}

//===----------------------------------------------------------------------===//
// Hunks
//===----------------------------------------------------------------------===//

SmallVector<DiffHunkRange, 0>
relay::groupIntoHunks(ArrayRef<DiffRange> Differences, size_t LeftSize,
                      size_t Context) {
  SmallVector<DiffHunkRange, 0> Hunks;
  while (!Differences.empty()) {
    size_t N = 1;
    while (N != Differences.size() &&
           Differences[N].LeftBegin - Differences[N - 1].LeftEnd <= 2 * Context)
      ++N;
    const DiffRange &First = Differences.front(), &Last = Differences[N - 1];
    size_t Lead = std::min(First.LeftBegin, Context);
    size_t Trail = std::min(LeftSize - Last.LeftEnd, Context);
    Hunks.push_back({{First.LeftBegin - Lead, Last.LeftEnd + Trail,
                      First.RightBegin - Lead, Last.RightEnd + Trail},
                     Differences.take_front(N)});
    Differences = Differences.drop_front(N);
  }
  return Hunks;
}
