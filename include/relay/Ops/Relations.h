//===- Relations.h - What type relations have in common ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Relations that many families name in their records, and the checks that
// relations are made of. A check that fails has reported why through the
// relation; the caller returns RelationResult::Failed. Arithmetic of dimensions
// is in DimMath.h, layouts in Layout.h, convolutions in ConvRelations.h.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_RELATIONS_H
#define RELAY_OPS_RELATIONS_H

#include "relay/IR/TypeRelation.h"
#include "relay/Ops/DimMath.h"
#include "relay/Ops/Layout.h"

namespace relay {

using Shape = SmallVector<Dim, 6>;

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

/// The result is of the type of operand 0, and so are the other operands.
RelationResult inferIdentity(TypeRelation &R);
/// Two tensors of one dtype: [..] x [..] -> their broadcast shape.
RelationResult inferBroadcast(TypeRelation &R);
/// As inferBroadcast; the result is of bool.
RelationResult inferCompareBroadcast(TypeRelation &R);

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// What to return when not every operand is known to be a tensor; none when
/// they all are.
std::optional<RelationResult> getMissingTensor(TypeRelation &R);
/// The same for \p Operands only; other operands may be anything, as in TVM.
std::optional<RelationResult> getMissingTensor(TypeRelation &R,
                                               ArrayRef<unsigned> Operands);
/// Reports an error unless operand \p I is of integers.
LogicalResult checkIntegers(TypeRelation &R, unsigned I);
/// Reports an error unless operand \p I is of signed integers.
LogicalResult checkSignedIntegers(TypeRelation &R, unsigned I);
/// The length of the first axis of operand \p I, which says how many axes a
/// result has; reports where it is not known or more than MaxRank.
FailureOr<unsigned> getVectorLength(TypeRelation &R, unsigned I);

/// The greatest rank that an operand or an attribute may ask for.
constexpr int64_t MaxRank = 1024;

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// \p Axis in [-Rank, Rank), counted from the front.
std::optional<unsigned> normalizeAxis(int64_t Axis, unsigned Rank);
/// As normalizeAxis; otherwise reports that the attribute \p Name is out of
/// range.
FailureOr<unsigned> getAxis(TypeRelation &R, int64_t Axis, unsigned Rank,
                            StringRef Name = "axis");
/// Each of \p Axes by getAxis, in their order; one may be there twice.
FailureOr<SmallVector<unsigned, 6>> getAxes(TypeRelation &R, ArrayRef<Dim> Axes,
                                            unsigned Rank,
                                            StringRef Name = "axis");

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

/// \p Wanted, an attribute such as `out_dtype`, or \p Default when it is void.
inline DType getOutDType(DType Wanted, DType Default) {
  return Wanted.isVoid() ? Default : Wanted;
}
/// Reports when the two tensors are of different data types.
LogicalResult checkSameDType(TypeRelation &R, const TensorType *A,
                             const TensorType *B);

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// `(3, ?, n)`.
std::string toString(ArrayRef<Dim> Dims);
/// `1 tensor`, `2 tensors`.
std::string countOf(uint64_t N, StringRef Singular);

/// Returns true if \p A and \p B may be the same number: false only for two
/// different constants. TVM's TypeReporter::AssertEQ.
inline bool mayEqual(Dim A, Dim B) {
  return !A.isConst() || !B.isConst() || A.getInt() == B.getInt();
}
/// Reports when \p D and \p Expected cannot be the same; \p What names D.
LogicalResult checkDim(TypeRelation &R, const Twine &What, Dim D, Dim Expected);
LogicalResult checkRank(TypeRelation &R, const Twine &What, const TensorType *T,
                        unsigned Rank);

/// What two dimensions broadcast to; null when they do not.
Dim broadcastDims(Dim L, Dim R);
/// The shape that \p L and \p R broadcast to, as numpy does; none when they do
/// not. `?` broadcasts with everything.
std::optional<Shape> broadcastShapes(ArrayRef<Dim> L, ArrayRef<Dim> R);
/// The type that two tensors broadcast to, with \p Result as element type;
/// reports when data types or shapes do not fit.
FailureOr<Type *> broadcastTypes(TypeRelation &R, const TensorType *A,
                                 const TensorType *B, DType Result);

/// Reports an error unless \p From broadcasts to \p To and not beyond it.
LogicalResult checkBroadcastsTo(TypeRelation &R, ArrayRef<Dim> From,
                                ArrayRef<Dim> To);

/// The value of an integer attribute that has to be known (a pool size), or
/// failure with a report.
FailureOr<int64_t> getConstant(TypeRelation &R, Dim D, StringRef Name);
/// Reports when \p Values (the attribute \p Name) are not \p Count numbers.
LogicalResult checkCount(TypeRelation &R, ArrayRef<Dim> Values, unsigned Count,
                         StringRef Name);
/// As checkCount; there may be more, which do not count, as in TVM.
LogicalResult checkAtLeast(TypeRelation &R, ArrayRef<Dim> Values,
                           unsigned Count, StringRef Name);
/// Reports when \p Value, of the attribute \p Name, is no 32 bit integer, which
/// it is in TVM.
LogicalResult checkInt32(TypeRelation &R, int64_t Value, StringRef Name);
/// Reports when one of \p Values (the attribute \p Name), which things are
/// divided by, is zero.
LogicalResult checkNonZero(TypeRelation &R, ArrayRef<Dim> Values,
                           StringRef Name);

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The layout \p Text, or failure with a report; \p Name is the attribute.
FailureOr<Layout> getLayout(TypeRelation &R, StringRef Text, StringRef Name);
/// The map from the layout \p Text of the attribute \p Name to \p Canonical;
/// reports when there is none.
FailureOr<LayoutMap> getLayoutMap(TypeRelation &R, StringRef Text,
                                  StringRef Canonical, StringRef Name);
/// \p Dims by \p Map, forward or backward; reports when they do not fit.
FailureOr<Shape> toCanonical(TypeRelation &R, const LayoutMap &Map,
                             ArrayRef<Dim> Dims);
FailureOr<Shape> fromCanonical(TypeRelation &R, const LayoutMap &Map,
                               ArrayRef<Dim> Dims);
/// The shape of operand 0, whose layout the attribute `layout` says to be
/// \p Text, in the layout \p Canonical; sets \p Map to the map there.
FailureOr<Shape> getDataShape(TypeRelation &R, StringRef Text,
                              StringRef Canonical,
                              std::optional<LayoutMap> &Map);
/// Sets the result to the canonical shape \p Dims, back by \p Map; its dtype is
/// that of operand 0 unless \p Element says another.
RelationResult setResultInLayout(TypeRelation &R, const LayoutMap &Map,
                                 ArrayRef<Dim> Dims,
                                 DType Element = DType::getVoid());
/// Positions of the axes \p Names ("HW") in \p L; reports when one is not there
/// or is split into blocks.
FailureOr<SmallVector<unsigned, 3>>
getUnsplitAxes(TypeRelation &R, const Layout &L, StringRef Names);

/// What padding adds to each of \p Spatial axes; reports a wrong count.
FailureOr<SmallVector<Dim, 3>>
getPadding(TypeRelation &R, ArrayRef<Dim> Padding, unsigned Spatial);

} // namespace relay

#endif // RELAY_OPS_RELATIONS_H
