//===- ElementwiseLayouts.cpp - Layouts of elementwise operators ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise operators follow any layout. When operands broadcast, the operand
// of lower rank is transformed to the axes of the other one. As in TVM, an axis
// that it lacks gets the letter of the other operand's axis, or an unused
// letter.
//
//===----------------------------------------------------------------------===//

#include "LayoutUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

/// Adds the layouts of the remaining operands: vectors along the channels, or
/// scalars.
static void addVectors(const LayoutQuery &Q, LayoutAnswer &A) {
  A.Inputs.append(Q.Old.size() - A.Inputs.size(), Q.Pool.get("C"));
}

/// Returns the answer with all operands and results in the layout \p Common.
static LayoutAnswer answerElementwise(const LayoutQuery &Q, LayoutRef Common) {
  auto *Tuple = dyn_cast_or_null<TupleType>(Q.Op.getType());
  unsigned NumOutputs = Tuple ? Tuple->getFields().size() : 1;
  return LayoutAnswer(SmallVector<LayoutRef>(Q.Old.size(), Common),
                      SmallVector<LayoutRef>(NumOutputs, Common));
}

LayoutAnswer relay::inferElementwiseLayout(const LayoutQuery &Q) {
  auto *Known = llvm::find_if(Q.Old, [](LayoutRef L) { return L; });
  return answerElementwise(Q, Known == Q.Old.end() ? nullptr : *Known);
}

LayoutAnswer relay::propagateElementwiseLayout(const LayoutChange &Q) {
  return answerElementwise(Q, Q.New[0]);
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// Returns the axes of \p L that are not blocks.
static SmallVector<char, 6> getPrimalAxes(const Layout &L) {
  SmallVector<char, 6> Names;
  for (Layout::Axis A : L.getAxes())
    if (A.isPrimal())
      Names.push_back(A.Name);
  return Names;
}

namespace {

/// Names of the axes of the operand of higher rank in the layout of the other
/// one. Axes are aligned from the last.
class AxisNames {
public:
  AxisNames(const Layout &Large, const Layout &Small)
      : Large(getPrimalAxes(Large)), Small(getPrimalAxes(Small)) {
    Used.append(this->Small.begin(), this->Small.end());
  }

  /// Returns the letter in the smaller layout for the axis \p Name of the
  /// larger one. Chooses an unused letter if there is none; 0 if all letters
  /// are used.
  char map(char Name) {
    auto *It = llvm::find(Large, Name);
    if (It == Large.end())
      return 0;
    size_t FromEnd = Large.end() - It;
    if (FromEnd <= Small.size())
      return *(Small.end() - FromEnd);
    if (llvm::is_contained(Used, Name))
      for (Name = 'A'; llvm::is_contained(Used, Name); ++Name)
        if (Name == 'Z')
          return 0;
    Used.push_back(Name);
    return Name;
  }

private:
  SmallVector<char, 6> Large, Small, Used;
};

} // namespace

/// Returns true if \p T, whose layout is \p L, has length 1 along the axis \p
/// Name, or no such axis.
static bool isOne(const TensorType *T, const Layout &L, char Name) {
  int Index = L.indexOf(Name);
  if (Index < 0)
    return true;
  return T && unsigned(Index) < T->getRank() && T->getDim(Index).isConst(1) &&
         L.getBlockSize(Name) == 1;
}

/// Returns the layout of the operand of \p Type, presently \p Small, whose axes
/// are ordered like those of the other operand, which moves from the layout \p
/// Large to \p New. Blocks of an axis of length 1 have size 1.
static LayoutRef alignToLarge(LayoutPool &Pool, const Layout &Large,
                              const Layout &New, const Layout &Small,
                              const TensorType *Type) {
  AxisNames Names(Large, Small);
  SmallVector<std::pair<char, char>, 6> Renamed;
  for (Layout::Axis A : New.getAxes()) {
    if (!A.isPrimal())
      continue;
    char Name = Names.map(A.Name);
    if (!Name)
      return nullptr;
    Renamed.push_back({A.Name, Name});
  }
  SmallVector<Layout::Axis, 6> Axes;
  for (Layout::Axis A : New.getAxes()) {
    char Primal = A.primal();
    char Name = llvm::find_if(Renamed, [&](auto &P) {
                  return P.first == Primal;
                })->second;
    if (A.isPrimal())
      Axes.push_back({Name, 0});
    else
      Axes.push_back(
          {char(Name - 'A' + 'a'), isOne(Type, Small, Name) ? 1 : A.Factor});
  }
  return Pool.get(Axes);
}

/// Returns the layout for an operand of \p Rank axes whose layout is unknown:
/// the last axes of \p Known, the layout of the other operand of \p KnownRank
/// axes.
static LayoutRef takeLastAxes(LayoutPool &Pool, const Layout &Known,
                              unsigned KnownRank, unsigned Rank) {
  unsigned First = KnownRank - Rank;
  if (First + Rank > Known.getRank())
    return nullptr;
  return Pool.get(Known.getAxes().slice(First, Rank));
}

/// Returns the operand of higher rank; for equal ranks the first one, as in
/// TVM. None if an operand is not known to be a tensor.
static std::optional<unsigned> getLarge(const LayoutQuery &Q) {
  const TensorType *Types[] = {Q.getTensor(0), Q.getTensor(1)};
  if (!Types[0] || !Types[1])
    return std::nullopt;
  return Types[0]->getRank() >= Types[1]->getRank() ? 0 : 1;
}

/// Returns the answer for operands in the layouts \p L and a result in the
/// layout of operand \p Large.
static LayoutAnswer answerBroadcast(const LayoutQuery &Q, ArrayRef<LayoutRef> L,
                                    unsigned Large) {
  LayoutAnswer A(L, {L[Large]});
  addVectors(Q, A);
  return A;
}

LayoutAnswer relay::inferBroadcastLayout(const LayoutQuery &Q) {
  std::optional<unsigned> Large = getLarge(Q);
  LayoutRef L[] = {Q.Old[0], Q.Old[1]};
  if (!Large || (!L[0] && !L[1]))
    return LayoutAnswer::unknown();
  if (L[0] && L[1])
    return answerBroadcast(Q, L, L[*Large]->getRank() ? *Large : 1 - *Large);
  unsigned Known = L[0] ? 0 : 1, Unknown = 1 - Known;
  unsigned KnownRank = Q.getTensor(Known)->getRank();
  unsigned UnknownRank = Q.getTensor(Unknown)->getRank();
  if (KnownRank < UnknownRank)
    return LayoutAnswer::unknown();
  L[Unknown] = takeLastAxes(Q.Pool, *L[Known], KnownRank, UnknownRank);
  return answerBroadcast(Q, L, Known);
}

LayoutAnswer relay::propagateBroadcastLayout(const LayoutChange &Q) {
  std::optional<unsigned> Large = getLarge(Q);
  if (!Large)
    return LayoutAnswer::unknown();
  LayoutRef L[] = {Q.New[0], Q.New[1]};
  unsigned Small = 1 - *Large;
  if (!L[*Large]->getRank())
    return answerBroadcast(Q, L, Small);
  if (L[Small]->getRank())
    L[Small] = alignToLarge(Q.Pool, *Q.Old[*Large], *L[*Large], *Q.Old[Small],
                            Q.getTensor(Small));
  return answerBroadcast(Q, L, *Large);
}

//===----------------------------------------------------------------------===//
// Operators with per-channel operands
//===----------------------------------------------------------------------===//

/// Keeps the present layout.
LayoutAnswer relay::inferPReluLayout(const LayoutQuery &Q) {
  LayoutAnswer A({Q.Old[0]}, {Q.Old[0]});
  addVectors(Q, A);
  return A;
}

LayoutAnswer relay::inferSimulatedQuantizeLayout(const LayoutQuery &Q) {
  LayoutAnswer A({Q.Old[0]}, {Q.Old[0]});
  addVectors(Q, A);
  return A;
}

LayoutAnswer relay::propagateSimulatedQuantizeLayout(const LayoutChange &Q) {
  LayoutAnswer A({Q.New[0]}, {Q.New[0]});
  addVectors(Q, A);
  return A;
}

/// Returns the positions in \p New of the axes \p Names and of their blocks, in
/// the order of New.
static SmallVector<int64_t> findAxes(const Layout &New, ArrayRef<char> Names) {
  SmallVector<int64_t> Found;
  for (auto [I, A] : llvm::enumerate(New.getAxes()))
    if (llvm::is_contained(Names, A.primal()))
      Found.push_back(I);
  return Found;
}

/// Returns the answer of fixed_point_multiply_per_axis for data in the layout
/// \p Data: the multipliers lie along the axes `axes`.
static LayoutAnswer answerMultiplyPerAxis(const LayoutQuery &Q,
                                          LayoutRef Data) {
  if (!Q.isLaidOut(0))
    return LayoutAnswer::unknown();
  auto &A = static_cast<const FixedPointMultiplyPerAxisAttrs &>(*Q.Attributes);
  const Layout &Old = *Q.Old[0];
  SmallVector<char, 4> Names;
  for (Attr Axis : A.axes()) {
    if (Axis.getInt() < 0 || Axis.getInt() >= int64_t(Old.getRank()))
      return LayoutAnswer::unknown();
    Names.push_back(Old.getAxes()[Axis.getInt()].primal());
  }
  if (Names.size() != 1)
    return LayoutAnswer::unknown();
  SmallVector<int64_t> Axes = findAxes(*Data, Names);
  SmallVector<Layout::Axis, 4> Along;
  for (int64_t I : Axes)
    Along.push_back(Data->getAxes()[I]);
  LayoutRef Numbers = Q.Pool.get(Along);
  return LayoutAnswer({Data, Numbers, Numbers, Numbers}, {Data},
                      withField(Q.Ctx, A, "axes", Q.Ctx.getIntArray(Axes)));
}

LayoutAnswer relay::inferMultiplyPerAxisLayout(const LayoutQuery &Q) {
  return answerMultiplyPerAxis(Q, Q.Old[0]);
}

LayoutAnswer relay::propagateMultiplyPerAxisLayout(const LayoutChange &Q) {
  return answerMultiplyPerAxis(Q, Q.New[0]);
}

LayoutAnswer relay::inferRequantizeLayout(const LayoutQuery &Q) {
  LayoutAnswer Answer({Q.Old[0]}, {Q.Old[0]});
  addVectors(Q, Answer);
  return Answer;
}

/// qnn.requantize does not follow if its parameters are per-channel and the
/// channels are split.
LayoutAnswer relay::propagateRequantizeLayout(const LayoutChange &Q) {
  LayoutRef Data = Q.New[0];
  const Attrs *Attributes = nullptr;
  auto &A = static_cast<const RequantizeAttrs &>(*Q.Attributes);
  std::optional<unsigned> Axis = moveAxis(A.axis(), *Q.Old[0], *Data);
  if (!Axis)
    return LayoutAnswer::unknown();
  const TensorType *Scale = Q.getTensor(1);
  bool PerChannel = !Scale || Scale->getRank();
  if (PerChannel && isSplit(*Data, Data->getAxes()[*Axis].Name))
    Data = Q.Old[0];
  else
    Attributes = withField(Q.Ctx, A, "axis", Q.Ctx.getInt(*Axis));
  LayoutAnswer Answer({Data}, {Data}, Attributes);
  addVectors(Q, Answer);
  return Answer;
}
