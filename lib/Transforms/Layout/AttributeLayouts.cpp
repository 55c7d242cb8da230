//===- AttributeLayouts.cpp - Layouts given by attributes -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions have the layouts in their attributes and do not follow their
// operands; pooling and resizing follow by changing the attribute.
//
//===----------------------------------------------------------------------===//

#include "LayoutUtils.h"
#include "relay/IR/Context.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

/// Returns the layout of the result: `out_layout`, or \p Data if it is empty or
/// missing.
static LayoutRef getOutLayout(const LayoutQuery &Q, LayoutRef Data) {
  Attr Out = Q.Attributes->lookup("out_layout");
  if (!Out || !Out.isString() || Out.getString().empty())
    return Data;
  return Q.Pool.get(Out.getString());
}

/// Adds the layout \p L of per-channel vectors, or scalars, for the remaining
/// operands.
static void addVectors(const LayoutQuery &Q, LayoutAnswer &A, StringRef L) {
  if (Q.Old.size() > A.Inputs.size())
    A.Inputs.append(Q.Old.size() - A.Inputs.size(), Q.Pool.get(L));
}

//===----------------------------------------------------------------------===//
// Convolutions and products
//===----------------------------------------------------------------------===//

/// [data, weight, scales and zero points of qnn.conv2d …].
LayoutAnswer relay::inferConvLayout(const LayoutQuery &Q) {
  LayoutRef Data = getLayoutField(Q, "data_layout");
  LayoutAnswer A({Data, getLayoutField(Q, "kernel_layout")},
                 {getOutLayout(Q, Data)});
  addVectors(Q, A, "C");
  return A;
}

/// [data, offset, weight].
LayoutAnswer relay::inferDeformableConvLayout(const LayoutQuery &Q) {
  LayoutRef Data = getLayoutField(Q, "data_layout");
  return LayoutAnswer({Data, Data, getLayoutField(Q, "kernel_layout")},
                      {getOutLayout(Q, Data)});
}

/// [grad, data]: the layout of the gradient is `kernel_layout`; that of the
/// result, the gradient of the weight, is `out_layout`.
LayoutAnswer relay::inferConvBackwardWeightLayout(const LayoutQuery &Q) {
  LayoutRef Data = getLayoutField(Q, "data_layout");
  return LayoutAnswer({getLayoutField(Q, "kernel_layout"), Data},
                      {getOutLayout(Q, Data)});
}

LayoutAnswer relay::inferCorrelationLayout(const LayoutQuery &Q) {
  LayoutRef Data = getLayoutField(Q, "layout");
  return LayoutAnswer({Data, Data}, {Data});
}

/// [data, weight, scales and zero points of qnn.dense …].
LayoutAnswer relay::inferDenseLayout(const LayoutQuery &Q) {
  LayoutRef Matrix = Q.Pool.get("NC");
  LayoutAnswer A({Matrix, Matrix}, {Matrix});
  addVectors(Q, A, "N");
  return A;
}

LayoutAnswer relay::inferDensePackLayout(const LayoutQuery &Q) {
  LayoutRef Matrix = Q.Pool.get("NC");
  LayoutAnswer A({Matrix, getLayoutField(Q, "weight_layout")}, {Matrix});
  addVectors(Q, A, "N");
  return A;
}

//===----------------------------------------------------------------------===//
// Pooling and resizing
//===----------------------------------------------------------------------===//

/// Returns the answer of an operator that follows its data to \p L, the new
/// value of the field `layout`.
static LayoutAnswer goAlong(const LayoutQuery &Q, LayoutRef L) {
  LayoutAnswer A({L}, {L});
  if (L && L != getLayoutField(Q, "layout"))
    A.Attributes =
        withField(Q.Ctx, *Q.Attributes, "layout", Q.Ctx.getString(L->str()));
  return A;
}

/// [data, scales and zero points of qnn.avg_pool2d …].
LayoutAnswer relay::inferPoolLayout(const LayoutQuery &Q) {
  LayoutRef Data = getLayoutField(Q, "layout");
  LayoutAnswer A({Data}, {getOutLayout(Q, Data)});
  addVectors(Q, A, "C");
  return A;
}

/// Does not follow if the attributes name a layout of the result.
LayoutAnswer relay::propagatePoolLayout(const LayoutChange &Q) {
  Attr Out = Q.Attributes->lookup("out_layout");
  if (!Out || !Out.getString().empty())
    return inferPoolLayout(Q);
  LayoutAnswer A = goAlong(Q, Q.New[0]);
  addVectors(Q, A, "C");
  return A;
}

LayoutAnswer relay::inferResizeLayout(const LayoutQuery &Q) {
  return goAlong(Q, getLayoutField(Q, "layout"));
}

/// Follows a permutation of the axes, but not blocks, unless the operator
/// itself has been converted.
LayoutAnswer relay::propagateResizeLayout(const LayoutChange &Q) {
  LayoutRef Data = getLayoutField(Q, "layout");
  if (Data == Q.Old[0] && !Q.New[0]->isBlocked() && !Data->isBlocked())
    Data = Q.New[0];
  return goAlong(Q, Data);
}

/// Returns true if the spatial axes have the same positions in \p L and \p
/// Other and are not split.
static bool hasSameSpace(const Layout &L, const Layout &Other) {
  return llvm::all_of(StringRef("DHW"), [&](char Axis) {
    return L.indexOf(Axis) == Other.indexOf(Axis) && !isSplit(L, Axis);
  });
}

/// Returns the answer for data in the layout \p Data: [data, factors of
/// dyn.nn.upsampling …].
static LayoutAnswer answerUpSampling(const LayoutQuery &Q, LayoutRef Data) {
  LayoutAnswer A = goAlong(Q, Data);
  A.Inputs.append(Q.Old.size() - 1, getLayoutField(Q, "layout"));
  return A;
}

LayoutAnswer relay::inferUpSamplingLayout(const LayoutQuery &Q) {
  return answerUpSampling(Q, getLayoutField(Q, "layout"));
}

LayoutAnswer relay::propagateUpSamplingLayout(const LayoutChange &Q) {
  LayoutRef Data = getLayoutField(Q, "layout");
  if (Data && hasSameSpace(*Q.New[0], *Data))
    Data = Q.New[0];
  return answerUpSampling(Q, Data);
}

/// [data, regions]: the regions are a table, whose layout does not change.
LayoutAnswer relay::inferRegionsLayout(const LayoutQuery &Q) {
  LayoutRef Data = getLayoutField(Q, "layout");
  LayoutRef Regions = Q.Old[1] ? Q.Old[1] : Q.Pool.get("NC");
  return LayoutAnswer({Data, Regions}, {Data});
}
