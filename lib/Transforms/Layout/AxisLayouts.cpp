//===- AxisLayouts.cpp - Layouts of operators along axes ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that name axes follow a layout by renumbering these axes. They do
// not follow if the result would differ over a split axis.
//
//===----------------------------------------------------------------------===//

#include "LayoutUtils.h"
#include "relay/IR/Context.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

/// Returns the position in \p New of the axis \p Axis of \p Old; none if one of
/// the layouts splits the axis.
static std::optional<unsigned> moveWholeAxis(int64_t Axis, const Layout &Old,
                                             const Layout &New) {
  std::optional<unsigned> Moved = moveAxis(Axis, Old, New);
  if (!Moved)
    return std::nullopt;
  char Name = New.getAxes()[*Moved].Name;
  return isSplit(Old, Name) || isSplit(New, Name) ? std::nullopt : Moved;
}

/// Moves the axis in the field `axis` to its position in the new layout of
/// operand 0. Returns null if it is split in one of the layouts or missing in
/// the other.
static const Attrs *moveAxisField(const LayoutChange &Q) {
  int64_t Axis = Q.Attributes->lookup("axis").getInt();
  std::optional<unsigned> Moved = moveWholeAxis(Axis, *Q.Old[0], *Q.New[0]);
  if (!Moved)
    return nullptr;
  return withField(Q.Ctx, *Q.Attributes, "axis", Q.Ctx.getInt(*Moved));
}

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

/// Returns the answer for data in the layout \p Data: [data, vectors along the
/// axis …] -> data, for nn.batch_norm also two vectors.
static LayoutAnswer answerNorm(const LayoutQuery &Q, LayoutRef Data) {
  if (!Q.isLaidOut(0))
    return LayoutAnswer::unknown();
  LayoutRef Vector = Q.Pool.get("C");
  LayoutAnswer A({Data}, {Data});
  A.Inputs.append(Q.Old.size() - 1, Vector);
  if (auto *Results = dyn_cast_or_null<TupleType>(Q.Op.getType()))
    A.Outputs.append(Results->getFields().size() - 1, Vector);
  return A;
}

/// Returns \p A with the field `axis` moved; unknown if it cannot be moved.
static LayoutAnswer withMovedAxis(const LayoutChange &Q, LayoutAnswer A) {
  if (!A.isKnown() || !(A.Attributes = moveAxisField(Q)))
    return LayoutAnswer::unknown();
  return A;
}

LayoutAnswer relay::inferNormLayout(const LayoutQuery &Q) {
  return answerNorm(Q, Q.Old[0]);
}

LayoutAnswer relay::propagateNormLayout(const LayoutChange &Q) {
  return withMovedAxis(Q, answerNorm(Q, Q.New[0]));
}

/// nn.instance_norm takes axis 0 as the batch in every layout, so that the
/// batch must stay axis 0. TVM moves it.
LayoutAnswer relay::propagateInstanceNormLayout(const LayoutChange &Q) {
  if (Q.isLaidOut(0) && moveWholeAxis(0, *Q.Old[0], *Q.New[0]) != 0u)
    return LayoutAnswer::unknown();
  return propagateNormLayout(Q);
}

LayoutAnswer relay::inferL2NormalizeLayout(const LayoutQuery &Q) {
  return LayoutAnswer({Q.Old[0]}, {Q.Old[0]});
}

LayoutAnswer relay::propagateL2NormalizeLayout(const LayoutChange &Q) {
  if (!Q.isLaidOut(0))
    return LayoutAnswer({Q.New[0]}, {Q.New[0]});
  auto &A = static_cast<const L2NormalizeAttrs &>(*Q.Attributes);
  const Layout &New = *Q.New[0];
  if (!A.hasAxis())
    return LayoutAnswer({&New}, {&New});
  SmallVector<int64_t> Axes;
  for (Attr Axis : A.axis()) {
    std::optional<unsigned> Moved =
        moveWholeAxis(Axis.getInt(), *Q.Old[0], New);
    if (!Moved)
      return LayoutAnswer::unknown();
    Axes.push_back(*Moved);
  }
  return LayoutAnswer({&New}, {&New},
                      withField(Q.Ctx, A, "axis", Q.Ctx.getIntArray(Axes)));
}

static LayoutAnswer answerTopk(const LayoutQuery &Q, LayoutRef Data) {
  if (!Q.isLaidOut(0))
    return LayoutAnswer::unknown();
  bool IsPair = isa_and_nonnull<TupleType>(Q.Op.getType());
  return LayoutAnswer({Data}, SmallVector<LayoutRef>(IsPair ? 2 : 1, Data));
}

LayoutAnswer relay::inferTopkLayout(const LayoutQuery &Q) {
  return answerTopk(Q, Q.Old[0]);
}

LayoutAnswer relay::propagateTopkLayout(const LayoutChange &Q) {
  return withMovedAxis(Q, answerTopk(Q, Q.New[0]));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {

/// The reduced axes, by their letters in the old layout.
struct ReducedAxes {
  bool Keepdims = false, Exclude = false;
  /// The operation names no axis and reduces all, even with `exclude`: TVM then
  /// names none in other layouts either.
  bool StaysNameless = false;
  SmallVector<char, 6> Named;

  /// Returns true if \p A, or the axis that \p A is a block of, is reduced.
  bool covers(Layout::Axis A) const {
    return llvm::is_contained(Named, A.primal()) != Exclude;
  }
  /// Returns the layout of the result for data in the layout \p L. Null for a
  /// scalar, whose layout TVM does not know.
  LayoutRef getResult(LayoutPool &Pool, const Layout &L) const;
  /// Returns the positions of the reduced axes and their blocks in \p L, in
  /// order.
  SmallVector<int64_t> getPlaces(const Layout &L) const;
};

} // namespace

LayoutRef ReducedAxes::getResult(LayoutPool &Pool, const Layout &L) const {
  SmallVector<Layout::Axis, 6> Left;
  for (Layout::Axis A : L.getAxes())
    if (!covers(A))
      Left.push_back(A);
    else if (Keepdims)
      Left.push_back({A.Name, A.isPrimal() ? 0 : 1});
  return Left.empty() ? nullptr : Pool.get(Left);
}

SmallVector<int64_t> ReducedAxes::getPlaces(const Layout &L) const {
  SmallVector<int64_t> Places;
  for (auto [I, A] : llvm::enumerate(L.getAxes()))
    if (!StaysNameless && llvm::is_contained(Named, A.primal()))
      Places.push_back(I);
  return Places;
}

/// Returns none if an axis is out of range.
static std::optional<ReducedAxes> getReducedAxes(const Attrs &A,
                                                 const Layout &L) {
  ReducedAxes R;
  R.Keepdims = A.lookup("keepdims").getBool();
  R.Exclude = A.lookup("exclude").getBool();
  Attr Axes = A.lookup("axis");
  if (!Axes || Axes.getArray().empty()) {
    R.StaysNameless = std::exchange(R.Exclude, false);
    for (Layout::Axis Axis : L.getAxes())
      R.Named.push_back(Axis.primal());
    return R;
  }
  for (Attr Axis : Axes.getArray()) {
    std::optional<unsigned> I = normalizeAxis(Axis.getInt(), L.getRank());
    if (!I || !L.getAxes()[*I].isPrimal())
      return std::nullopt;
    R.Named.push_back(L.getAxes()[*I].Name);
  }
  return R;
}

/// Returns the reduced axes of \p L, in order. An axis directly followed by its
/// blocks is traversed with them and counts as one axis.
static SmallVector<Layout::Axis, 6> getCountedAxes(const ReducedAxes &R,
                                                   const Layout &L) {
  SmallVector<Layout::Axis, 6> Counted;
  for (Layout::Axis A : L.getAxes()) {
    if (!R.covers(A))
      continue;
    if (!A.isPrimal() && !Counted.empty() && Counted.back().Name == A.primal())
      continue;
    Counted.push_back(A);
  }
  return Counted;
}

/// Returns true if the reduced elements have the same order in \p Old and \p
/// New, so that their positions are the same numbers.
static bool keepsOrder(const ReducedAxes &R, const Layout &Old,
                       const Layout &New) {
  return getCountedAxes(R, Old) == getCountedAxes(R, New);
}

/// Returns the reduced axes of \p Q; none if the data does not have the axes of
/// its layout.
static std::optional<ReducedAxes> getReducedAxes(const LayoutQuery &Q) {
  if (!Q.isLaidOut(0))
    return std::nullopt;
  return getReducedAxes(*Q.Attributes, *Q.Old[0]);
}

/// Returns the answer for data in the layout \p Data: [data, for variance also
/// mean] -> data without the axes. Blocks are reduced with their axis.
static LayoutAnswer answerReduce(const LayoutQuery &Q, const ReducedAxes &R,
                                 LayoutRef Data) {
  return LayoutAnswer(SmallVector<LayoutRef>(Q.Old.size(), Data),
                      {R.getResult(Q.Pool, *Data)});
}

LayoutAnswer relay::inferReduceLayout(const LayoutQuery &Q) {
  std::optional<ReducedAxes> R = getReducedAxes(Q);
  return R ? answerReduce(Q, *R, Q.Old[0]) : LayoutAnswer::unknown();
}

/// Does not follow if positions (argmax) would be counted in another order. TVM
/// does.
LayoutAnswer relay::propagateReduceLayout(const LayoutChange &Q) {
  std::optional<ReducedAxes> R = getReducedAxes(Q);
  if (!R)
    return LayoutAnswer::unknown();
  LayoutRef Data = Q.New[0];
  LayoutAnswer A = answerReduce(Q, *R, Data);
  // As in TVM, a reduction over no axis names its axes as before.
  auto IsReduced = [&](Layout::Axis Axis) { return R->covers(Axis); };
  if (llvm::none_of(Q.Old[0]->getAxes(), IsReduced) &&
      Data->getRank() == Q.Old[0]->getRank())
    return A;
  bool IsPosition =
      Q.Attributes->getInfo().getFieldIndex("select_last_index") >= 0;
  if (IsPosition && !keepsOrder(*R, *Q.Old[0], *Data))
    return LayoutAnswer::unknown();
  A.Attributes = withField(Q.Ctx, *Q.Attributes, "axis",
                           Q.Ctx.getIntArray(R->getPlaces(*Data)));
  return A;
}
