//===- Relations.h - Shared parts of type relations -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Relations that records of many families name, and the checks that relations
// consist of. A check that fails has reported the reason through the relation;
// the caller returns RelationResult::Failed. DimMath.h has arithmetic of
// dimensions, Layout.h layouts, ConvRelations.h convolutions.
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

/// The result and the other operands have the type of operand 0.
RelationResult inferIdentity(TypeRelation &R);
/// Two tensors of one dtype: [..] x [..] -> their broadcast shape.
RelationResult inferBroadcast(TypeRelation &R);
/// As inferBroadcast; the result is of bool.
RelationResult inferCompareBroadcast(TypeRelation &R);

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Returns the result of a relation if some operand is not known to be a
/// tensor; none if all are.
std::optional<RelationResult> getMissingTensor(TypeRelation &R);
/// As above, for \p Operands only; other operands may be anything, as in TVM.
std::optional<RelationResult> getMissingTensor(TypeRelation &R,
                                               ArrayRef<unsigned> Operands);
/// Reports an error unless operand \p I is of integers.
LogicalResult checkIntegers(TypeRelation &R, unsigned I);
/// Reports an error unless operand \p I is of signed integers.
LogicalResult checkSignedIntegers(TypeRelation &R, unsigned I);
/// Returns the length of the first axis of operand \p I, which is the rank of a
/// result; reports lengths that are unknown or greater than MaxRank.
FailureOr<unsigned> getVectorLength(TypeRelation &R, unsigned I);

/// The greatest rank that an operand or an attribute may request.
constexpr int64_t MaxRank = 1024;

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Converts \p Axis in [-Rank, Rank) to an index counted from the front.
std::optional<unsigned> normalizeAxis(int64_t Axis, unsigned Rank);
/// As normalizeAxis; otherwise reports that the attribute \p Name is out of
/// range.
FailureOr<unsigned> getAxis(TypeRelation &R, int64_t Axis, unsigned Rank,
                            StringRef Name = "axis");
/// Converts each of \p Axes by getAxis, in order; duplicates are allowed.
FailureOr<SmallVector<unsigned, 6>> getAxes(TypeRelation &R, ArrayRef<Dim> Axes,
                                            unsigned Rank,
                                            StringRef Name = "axis");

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

/// Returns \p Wanted, an attribute such as `out_dtype`, or \p Default if it is
/// void.
inline DType getOutDType(DType Wanted, DType Default) {
  return Wanted.isVoid() ? Default : Wanted;
}
/// Reports an error if the two tensors have different data types.
LogicalResult checkSameDType(TypeRelation &R, const TensorType *A,
                             const TensorType *B);

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Returns `(3, ?, n)`.
std::string toString(ArrayRef<Dim> Dims);
/// Returns `1 tensor`, `2 tensors`.
std::string countOf(uint64_t N, StringRef Singular);

/// Returns true if \p A and \p B may be the same number: false only for two
/// different constants. TVM's TypeReporter::AssertEQ.
inline bool mayEqual(Dim A, Dim B) {
  return !A.isConst() || !B.isConst() || A.getInt() == B.getInt();
}
/// Reports an error if \p D and \p Expected cannot be equal; \p What names D.
LogicalResult checkDim(TypeRelation &R, const Twine &What, Dim D, Dim Expected);
LogicalResult checkRank(TypeRelation &R, const Twine &What, const TensorType *T,
                        unsigned Rank);

/// Returns the dimension that two dimensions broadcast to; null if they do not.
Dim broadcastDims(Dim L, Dim R);
/// Returns the shape that \p L and \p R broadcast to, as in numpy; none if they
/// do not. `?` broadcasts with everything.
std::optional<Shape> broadcastShapes(ArrayRef<Dim> L, ArrayRef<Dim> R);
/// Returns the type that two tensors broadcast to, with \p Result as element
/// type; reports data types or shapes that do not fit.
FailureOr<Type *> broadcastTypes(TypeRelation &R, const TensorType *A,
                                 const TensorType *B, DType Result);

/// Reports an error unless \p From broadcasts to exactly \p To.
LogicalResult checkBroadcastsTo(TypeRelation &R, ArrayRef<Dim> From,
                                ArrayRef<Dim> To);

/// Returns the value of an integer attribute that must be known (a pool size),
/// or failure with a report.
FailureOr<int64_t> getConstant(TypeRelation &R, Dim D, StringRef Name);
/// Reports an error if \p Values (the attribute \p Name) are not \p Count
/// numbers.
LogicalResult checkCount(TypeRelation &R, ArrayRef<Dim> Values, unsigned Count,
                         StringRef Name);
/// As checkCount, but ignores additional numbers, as TVM does.
LogicalResult checkAtLeast(TypeRelation &R, ArrayRef<Dim> Values,
                           unsigned Count, StringRef Name);
/// Reports an error if \p Value, of the attribute \p Name, does not fit into 32
/// bits, its size in TVM.
LogicalResult checkInt32(TypeRelation &R, int64_t Value, StringRef Name);
/// Reports an error if one of \p Values (the attribute \p Name), which are
/// divisors, is zero.
LogicalResult checkNonZero(TypeRelation &R, ArrayRef<Dim> Values,
                           StringRef Name);

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Returns the layout \p Text, or failure with a report; \p Name is the
/// attribute.
FailureOr<Layout> getLayout(TypeRelation &R, StringRef Text, StringRef Name);
/// Returns the map from the layout \p Text of the attribute \p Name to \p
/// Canonical; reports if there is none.
FailureOr<LayoutMap> getLayoutMap(TypeRelation &R, StringRef Text,
                                  StringRef Canonical, StringRef Name);
/// Converts \p Dims by \p Map, forward or backward; reports dimensions that do
/// not fit.
FailureOr<Shape> toCanonical(TypeRelation &R, const LayoutMap &Map,
                             ArrayRef<Dim> Dims);
FailureOr<Shape> fromCanonical(TypeRelation &R, const LayoutMap &Map,
                               ArrayRef<Dim> Dims);
/// Returns the shape of operand 0, whose layout is \p Text, the attribute
/// `layout`, in the layout \p Canonical; sets \p Map to the map to it.
FailureOr<Shape> getDataShape(TypeRelation &R, StringRef Text,
                              StringRef Canonical,
                              std::optional<LayoutMap> &Map);
/// Sets the result to the canonical shape \p Dims, converted back by \p Map;
/// its dtype is \p Element or, if that is void, the dtype of operand 0.
RelationResult setResultInLayout(TypeRelation &R, const LayoutMap &Map,
                                 ArrayRef<Dim> Dims,
                                 DType Element = DType::getVoid());
/// Returns the positions of the axes \p Names ("HW") in \p L; reports axes that
/// are missing or split into blocks.
FailureOr<SmallVector<unsigned, 3>>
getUnsplitAxes(TypeRelation &R, const Layout &L, StringRef Names);

/// Returns the total padding of each of \p Spatial axes; reports a wrong count.
FailureOr<SmallVector<Dim, 3>>
getPadding(TypeRelation &R, ArrayRef<Dim> Padding, unsigned Spatial);

} // namespace relay

#endif // RELAY_OPS_RELATIONS_H
