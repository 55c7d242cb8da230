//===- Relations.cpp - Shared parts of type relations ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Relations.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Relations.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

RelationResult relay::inferIdentity(TypeRelation &R) {
  for (unsigned I = 1; I < R.getNumOperands(); ++I) {
    Type *First = R.getOperand(0);
    if (!First)
      return RelationResult::Unresolved;
    if (failed(R.setOperand(I, First)))
      return RelationResult::Failed;
  }
  return R.setResultLike(0);
}

/// Two tensors of one dtype -> their broadcast shape, of dtype \p Element or,
/// if that is void, of their dtype.
static RelationResult inferBroadcastOf(TypeRelation &R, DType Element) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *L = R.getTensor(0);
  auto T =
      broadcastTypes(R, L, R.getTensor(1), getOutDType(Element, L->getDType()));
  return failed(T) ? RelationResult::Failed : R.setResult(*T);
}

RelationResult relay::inferBroadcast(TypeRelation &R) {
  return inferBroadcastOf(R, DType::getVoid());
}

RelationResult relay::inferCompareBroadcast(TypeRelation &R) {
  return inferBroadcastOf(R, DType::getBool());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::optional<RelationResult> relay::getMissingTensor(TypeRelation &R) {
  std::optional<RelationResult> Missing;
  for (unsigned I = 0; I != R.getNumOperands(); ++I)
    if (!R.getTensor(I) && Missing != RelationResult::Failed)
      Missing = R.unresolved(I);
  return Missing;
}

std::optional<RelationResult>
relay::getMissingTensor(TypeRelation &R, ArrayRef<unsigned> Operands) {
  std::optional<RelationResult> Missing;
  for (unsigned I : Operands)
    if (!R.getTensor(I) && Missing != RelationResult::Failed)
      Missing = R.unresolved(I);
  return Missing;
}

LogicalResult relay::checkSignedIntegers(TypeRelation &R, unsigned I) {
  if (R.getTensor(I)->getDType().isInt())
    return success();
  R.error("operand '" + R.getInfo().OperandNames[I] +
          "' is not of signed integers");
  return failure();
}

FailureOr<unsigned> relay::getVectorLength(TypeRelation &R, unsigned I) {
  const TensorType *T = R.getTensor(I);
  StringRef Name = R.getInfo().OperandNames[I];
  if (T->isScalar() || !T->getDim(0).isConst()) {
    R.error("the length of " + Name + " is not known");
    return failure();
  }
  int64_t Length = T->getDim(0).getInt();
  if (Length >= 0 && Length <= MaxRank)
    return unsigned(Length);
  R.error("the length of " + Name + " is " + Twine(Length));
  return failure();
}

LogicalResult relay::checkIntegers(TypeRelation &R, unsigned I) {
  DType T = R.getTensor(I)->getDType();
  if (T.isInt() || T.isUInt())
    return success();
  R.error("operand '" + R.getInfo().OperandNames[I] + "' is not of integers");
  return failure();
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

std::optional<unsigned> relay::normalizeAxis(int64_t Axis, unsigned Rank) {
  if (Axis < 0)
    Axis += Rank;
  if (Axis < 0 || Axis >= int64_t(Rank))
    return std::nullopt;
  return Axis;
}

FailureOr<unsigned> relay::getAxis(TypeRelation &R, int64_t Axis, unsigned Rank,
                                   StringRef Name) {
  if (std::optional<unsigned> Normal = normalizeAxis(Axis, Rank))
    return *Normal;
  R.error("'" + Name + "' is " + Twine(Axis) + ", out of range for rank " +
          Twine(Rank));
  return failure();
}

FailureOr<SmallVector<unsigned, 6>> relay::getAxes(TypeRelation &R,
                                                   ArrayRef<Dim> Axes,
                                                   unsigned Rank,
                                                   StringRef Name) {
  SmallVector<unsigned, 6> Result;
  for (Dim D : Axes) {
    FailureOr<int64_t> Value = getConstant(R, D, Name);
    if (failed(Value))
      return failure();
    FailureOr<unsigned> Axis = getAxis(R, *Value, Rank, Name);
    if (failed(Axis))
      return failure();
    Result.push_back(*Axis);
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

LogicalResult relay::checkSameDType(TypeRelation &R, const TensorType *A,
                                    const TensorType *B) {
  if (A->getDType() == B->getDType())
    return success();
  R.error("operands have data types " + A->getDType().str() + " and " +
          B->getDType().str());
  return failure();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::string relay::toString(ArrayRef<Dim> Dims) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << '(';
  llvm::interleaveComma(Dims, OS, [&](Dim D) { printDim(OS, D); });
  OS << ')';
  return Text;
}

std::string relay::countOf(uint64_t N, StringRef Singular) {
  if (N == 1)
    return (Twine(N) + " " + Singular).str();
  if (Singular.consume_back("is")) // axis
    return (Twine(N) + " " + Singular + "es").str();
  return (Twine(N) + " " + Singular + "s").str();
}

LogicalResult relay::checkDim(TypeRelation &R, const Twine &What, Dim D,
                              Dim Expected) {
  if (mayEqual(D, Expected))
    return success();
  R.error(What + " is " + Twine(D.getInt()) + ", not " +
          Twine(Expected.getInt()));
  return failure();
}

LogicalResult relay::checkRank(TypeRelation &R, const Twine &What,
                               const TensorType *T, unsigned Rank) {
  if (T->getRank() == Rank)
    return success();
  R.error(What + " has rank " + Twine(T->getRank()) + ", not " + Twine(Rank));
  return failure();
}

Dim relay::broadcastDims(Dim L, Dim R) {
  if (L.isConst(1))
    return R;
  if (R.isConst(1))
    return L;
  if (L.isAny())
    return R;
  if (R.isAny())
    return L;
  return provablyEqual(L, R) ? L : Dim();
}

std::optional<Shape> relay::broadcastShapes(ArrayRef<Dim> L, ArrayRef<Dim> R) {
  if (L.size() < R.size()) {
    Shape Result(R.begin(), R.end());
    size_t Offset = R.size() - L.size();
    for (auto [I, D] : llvm::enumerate(L))
      if (!(Result[Offset + I] = broadcastDims(D, R[Offset + I])))
        return std::nullopt;
    return Result;
  }
  Shape Result(L.begin(), L.end());
  size_t Offset = L.size() - R.size();
  for (auto [I, D] : llvm::enumerate(R))
    if (!(Result[Offset + I] = broadcastDims(L[Offset + I], D)))
      return std::nullopt;
  return Result;
}

FailureOr<Type *> relay::broadcastTypes(TypeRelation &R, const TensorType *A,
                                        const TensorType *B, DType Result) {
  if (failed(checkSameDType(R, A, B)))
    return failure();
  std::optional<Shape> S = broadcastShapes(A->getShape(), B->getShape());
  if (S)
    return R.getTensorType(*S, Result);
  R.error("operands have shapes " + toString(A->getShape()) + " and " +
          toString(B->getShape()) + " that do not broadcast");
  return failure();
}

LogicalResult relay::checkBroadcastsTo(TypeRelation &R, ArrayRef<Dim> From,
                                       ArrayRef<Dim> To) {
  std::optional<Shape> Joined = broadcastShapes(From, To);
  if (Joined && Joined->size() == To.size() &&
      llvm::all_of(llvm::zip(*Joined, To), [](auto Pair) {
        return mayEqual(std::get<0>(Pair), std::get<1>(Pair));
      }))
    return success();
  R.error(toString(From) + " does not broadcast to " + toString(To));
  return failure();
}

FailureOr<int64_t> relay::getConstant(TypeRelation &R, Dim D, StringRef Name) {
  if (D && D.isConst())
    return D.getInt();
  R.error("'" + Name + "' must be constant");
  return failure();
}

LogicalResult relay::checkCount(TypeRelation &R, ArrayRef<Dim> Values,
                                unsigned Count, StringRef Name) {
  if (Values.size() == Count)
    return success();
  R.error("'" + Name + "' has " + countOf(Values.size(), "number") + ", not " +
          Twine(Count));
  return failure();
}

LogicalResult relay::checkAtLeast(TypeRelation &R, ArrayRef<Dim> Values,
                                  unsigned Count, StringRef Name) {
  return checkCount(R, Values.take_front(Count), Count, Name);
}

LogicalResult relay::checkInt32(TypeRelation &R, int64_t Value,
                                StringRef Name) {
  if (Value == int32_t(Value))
    return success();
  R.error("'" + Name + "' is " + Twine(Value) + ", which does not fit 32 bits");
  return failure();
}

LogicalResult relay::checkNonZero(TypeRelation &R, ArrayRef<Dim> Values,
                                  StringRef Name) {
  if (llvm::none_of(Values, [](Dim D) { return D.isConst(0); }))
    return success();
  R.error("'" + Name + "' is zero");
  return failure();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

FailureOr<Layout> relay::getLayout(TypeRelation &R, StringRef Text,
                                   StringRef Name) {
  if (std::optional<Layout> L = Layout::parse(Text))
    return *L;
  R.error("'" + Name + "' is \"" + Text + "\", which is not a layout");
  return failure();
}

FailureOr<LayoutMap> relay::getLayoutMap(TypeRelation &R, StringRef Text,
                                         StringRef Canonical, StringRef Name) {
  FailureOr<Layout> L = getLayout(R, Text, Name);
  if (failed(L))
    return failure();
  if (std::optional<LayoutMap> Map =
          LayoutMap::get(*L, *Layout::parse(Canonical)))
    return *Map;
  R.error("'" + Name + "' is \"" + Text +
          "\", which does not have the axes of " + Canonical);
  return failure();
}

FailureOr<Shape> relay::toCanonical(TypeRelation &R, const LayoutMap &Map,
                                    ArrayRef<Dim> Dims) {
  std::string Why;
  auto Result = Map.forward(R.getContext(), Dims, &Why);
  if (failed(Result))
    R.error(Why);
  return Result;
}

FailureOr<Shape> relay::fromCanonical(TypeRelation &R, const LayoutMap &Map,
                                      ArrayRef<Dim> Dims) {
  std::string Why;
  auto Result = Map.backward(R.getContext(), Dims, &Why);
  if (failed(Result))
    R.error(Why);
  return Result;
}

FailureOr<Shape> relay::getDataShape(TypeRelation &R, StringRef Text,
                                     StringRef Canonical,
                                     std::optional<LayoutMap> &Map) {
  FailureOr<LayoutMap> Found = getLayoutMap(R, Text, Canonical, "layout");
  if (failed(Found))
    return failure();
  Map = *Found;
  return toCanonical(R, *Map, R.getTensor(0)->getShape());
}

RelationResult relay::setResultInLayout(TypeRelation &R, const LayoutMap &Map,
                                        ArrayRef<Dim> Dims, DType Element) {
  FailureOr<Shape> Result = fromCanonical(R, Map, Dims);
  if (failed(Result))
    return RelationResult::Failed;
  DType T = getOutDType(Element, R.getTensor(0)->getDType());
  return R.setResult(R.getTensorType(*Result, T));
}

FailureOr<SmallVector<unsigned, 3>>
relay::getUnsplitAxes(TypeRelation &R, const Layout &L, StringRef Names) {
  SmallVector<unsigned, 3> Positions;
  for (char Name : Names) {
    int Position = L.indexOf(Name);
    if (Position < 0 || L.getBlockSize(Name) != 1) {
      R.error("layout " + L.str() + " has no axis '" + Twine(Name) +
              "' that is not split");
      return failure();
    }
    Positions.push_back(Position);
  }
  return Positions;
}

FailureOr<SmallVector<Dim, 3>>
relay::getPadding(TypeRelation &R, ArrayRef<Dim> Padding, unsigned Spatial) {
  if (auto Totals = getTotalPadding(R.getContext(), Padding, Spatial))
    return *Totals;
  R.error("'padding' has " + countOf(Padding.size(), "number") + " for " +
          countOf(Spatial, "spatial dimension"));
  return failure();
}
