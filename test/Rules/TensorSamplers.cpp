//===- TensorSamplers.cpp - Instances of operators on tensors -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The samplers of operators that create, convert, reduce and rearrange tensors.
//
//===----------------------------------------------------------------------===//

#include "InstanceMaker.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"

#define RELAY_DEFINE_OP_HOOKS
#include "InstanceSamplers.h.inc"

using namespace relay;
using namespace relay::test;

//===----------------------------------------------------------------------===//
// Tensors of one number
//===----------------------------------------------------------------------===//

/// Returns the requested element type in most cases, otherwise any.
static DType chooseElement(CallMaker &C, unsigned Share = 100) {
  bool IsWanted = !C.getWish().Element.isVoid() && C.getChance().percent(Share);
  return IsWanted ? C.getWish().Element : C.getChance().dtype();
}

static Extents chooseShape(CallMaker &C) {
  const Wish &W = C.getWish();
  return W.Shape ? *W.Shape : C.getChance().shape(W.Rank);
}

bool relay::sampleInit(CallMaker &C) {
  Extents Shape = chooseShape(C);
  for (int64_t &Extent : Shape)
    Extent = Extent == Unknown ? 1 : Extent;
  DType T = chooseElement(C);
  C.setInts("shape", Shape);
  C.set("dtype", Attr::get(T));
  if (C.getOp().NumOperands == 0)
    return true;
  DType OfValue = C.getChance().percent(80) ? T : C.getChance().dtype();
  return C.operand(0, Wish::of(OfValue, {})) != nullptr;
}

bool relay::sampleInitLike(CallMaker &C) {
  const TensorType *Like = C.operand(0, C.getWish());
  if (!Like || C.getOp().NumOperands == 1)
    return Like;
  DType OfValue =
      C.getChance().percent(80) ? Like->getDType() : C.getChance().dtype();
  return C.operand(1, Wish::of(OfValue, {})) != nullptr;
}

//===----------------------------------------------------------------------===//
// Shapes and data types from another operand
//===----------------------------------------------------------------------===//

bool relay::sampleReshapeLike(CallMaker &C) {
  const TensorType *Like = C.staticOperand(1, C.getWish());
  return Like &&
         C.operand(0, Wish::of(chooseElement(C),
                               C.getChance().reshaped(getExtents(Like))));
}

bool relay::sampleCollapseSumLike(CallMaker &C) {
  Extents Whole = C.getChance().shape();
  const TensorType *T = C.operand(0, Wish::of(chooseElement(C), Whole));
  return T && C.operand(1, Wish::of(T->getDType(),
                                    C.getChance().narrower(getExtents(T))));
}

bool relay::sampleBroadcastToLike(CallMaker &C) {
  const TensorType *Like = C.operand(1, C.getWish());
  return Like &&
         C.operand(0, Wish::of(Like->getDType(),
                               C.getChance().narrower(getExtents(Like))));
}

bool relay::sampleCastLike(CallMaker &C) {
  return C.operand(0, Wish::of(C.getChance().dtype(), chooseShape(C))) &&
         C.operand(1, Wish::of(chooseElement(C), C.getChance().shape()));
}

bool relay::sampleCast(CallMaker &C) {
  DType To = C.chooseDType("dtype", chooseElement(C));
  DType From = C.getChance().percent(25) ? To : C.getChance().dtype();
  return C.operand(0, Wish::of(From, chooseShape(C))) != nullptr;
}

/// Returns the least and the greatest number of \p T, of at most 32 bits if it
/// is an integer.
static std::pair<double, double> getBounds(DType T) {
  if (T.isFloat() || T.isBFloat()) {
    double Max = T.isFloat(64)   ? 0x1.fffffffffffffp+1023
                 : T.isFloat(32) ? 0x1.fffffep+127
                 : T.isFloat()   ? 65504
                                 : 0x1.fep+127;
    return {-Max, Max};
  }
  double Size = std::ldexp(1.0, T.getBits() - T.isInt());
  return {T.isInt() ? -Size : 0, Size - 1};
}

bool relay::sampleClip(CallMaker &C) {
  const TensorType *T = C.operand(0, C.getWish());
  if (!T)
    return false;
  Chance &Random = C.getChance();
  auto [Low, High] =
      getBounds(Random.percent(50) ? T->getDType() : Random.dtype());
  if (Random.percent(35))
    Low = double(Random.between(-12, 4)) / 2;
  if (Random.percent(35))
    High = Low + double(Random.between(0, 12)) / 2;
  C.setNumber("a_min", Low);
  C.setNumber("a_max", High);
  return true;
}

//===----------------------------------------------------------------------===//
// Rearranging
//===----------------------------------------------------------------------===//

bool relay::sampleReshape(CallMaker &C) {
  Chance &Random = C.getChance();
  const Wish &W = C.getWish();
  Wish Data = {chooseElement(C), std::nullopt, std::nullopt, ""};
  if (W.Shape && !llvm::is_contained(*W.Shape, Unknown))
    Data.Shape = Random.reshaped(*W.Shape);
  const TensorType *T = C.operand(0, Data);
  if (!T)
    return false;
  Extents From = getExtents(T), To;
  if (!T->isStatic())
    To = {Unknown};
  else if (W.Shape && From == *Data.Shape)
    To = *W.Shape;
  else
    To = Random.reshaped(From);
  if (!To.empty() && Random.percent(30))
    To[Random.below(To.size())] = -1;
  if (Random.percent(20))
    for (size_t I = 0; I != std::min(From.size(), To.size()); ++I)
      if (From[I] == To[I])
        To[I] = 0; // a copy
  C.setInts("newshape", To);
  return true;
}

bool relay::sampleTranspose(CallMaker &C) {
  Chance &Random = C.getChance();
  const Wish &W = C.getWish();
  Extents Result = chooseShape(C);
  bool IsReversed = Random.percent(20);
  auto ChooseAxes = [&](size_t Rank) {
    auto Axes = llvm::to_vector<6>(llvm::seq<int64_t>(0, Rank));
    if (IsReversed)
      std::reverse(Axes.begin(), Axes.end());
    else if (Random.percent(80))
      Axes = Random.permutation(Rank);
    return Axes;
  };
  SmallVector<int64_t, 6> Axes = ChooseAxes(Result.size());
  Extents Data(Result.size());
  for (auto [I, Axis] : llvm::enumerate(Axes))
    Data[Axis] = Result[I];
  const TensorType *T = C.operand(0, {W.Element, Data, std::nullopt, ""});
  if (!T)
    return false;
  if (T->getRank() != Axes.size())
    Axes = ChooseAxes(T->getRank());
  for (int64_t &Axis : Axes)
    if (Random.percent(10))
      Axis -= int64_t(Axes.size());
  if (!IsReversed)
    C.setInts("axes", Axes);
  return true;
}

/// Returns layouts of one set of axes.
static ArrayRef<StringRef> getLayouts(unsigned Family) {
  static const StringRef Images[] = {"NCHW",   "NHWC",   "HWNC",
                                     "NCHW2c", "NCHW4c", "NHWC2c"};
  static const StringRef Lines[] = {"NCW", "NWC", "WNC", "NCW2c"};
  static const StringRef Weights[] = {"OIHW", "HWIO", "OHWI", "OIHW2i2o"};
  static const ArrayRef<StringRef> Families[] = {Images, Lines, Weights};
  return Families[Family];
}

/// Returns a shape of \p From that blocks of \p To divide in most cases.
static Extents getLayoutShape(CallMaker &C, const Layout &From,
                              const Layout &To) {
  Extents Shape;
  for (Layout::Axis Axis : From.getAxes()) {
    if (!Axis.isPrimal()) {
      Shape.push_back(Axis.Factor);
      continue;
    }
    int64_t Block = To.getBlockSize(Axis.Name);
    int64_t Blocks = C.getChance().between(1, 3);
    bool IsWhole = Block % From.getBlockSize(Axis.Name) == 0;
    Shape.push_back(IsWhole ? Blocks * Block / From.getBlockSize(Axis.Name)
                            : Blocks);
  }
  return Shape;
}

bool relay::sampleLayoutTransform(CallMaker &C) {
  Chance &Random = C.getChance();
  const Wish &W = C.getWish();
  std::optional<unsigned> Rank = W.Rank;
  if (W.Shape)
    Rank = W.Shape->size();
  ArrayRef<StringRef> Layouts = getLayouts(Rank == 3 ? 1 : Random.below(3));
  StringRef Known = C.getStyle().Layout;
  for (unsigned I : {0, 1, 2})
    if (llvm::is_contained(getLayouts(I), Known))
      Layouts = getLayouts(I);
  StringRef To =
      !Known.empty() && Random.percent(80) ? Known : Random.pick(Layouts);
  To = C.chooseText("dst_layout", To);
  StringRef From = C.chooseText("src_layout",
                                Random.percent(15) ? To : Random.pick(Layouts));
  C.getStyle().Layout = From.str();
  auto Source = Layout::parse(From), Target = Layout::parse(To);
  return Source && Target &&
         C.operand(0, {W.Element, getLayoutShape(C, *Source, *Target),
                       std::nullopt, ""});
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

bool relay::sampleAlongAxis(CallMaker &C) {
  Wish Data = C.getWish();
  if (!Data.Shape || Data.Shape->empty())
    Data.Shape = C.getChance().shape(C.getChance().between(1, 4));
  const TensorType *T = C.operand(0, Data);
  if (!T || T->getRank() == 0)
    return false;
  int64_t Rank = T->getRank();
  C.setInt("axis", C.getChance().between(-Rank, Rank - 1));
  C.set("dtype", Attr::get(DType::getInt(32)));
  return true;
}

bool relay::sampleReduction(CallMaker &C) {
  const TensorType *T =
      C.operand(0, {C.getWish().Element, std::nullopt, std::nullopt, ""});
  if (!T)
    return false;
  Chance &Random = C.getChance();
  SmallVector<int64_t, 6> Axes = Random.permutation(T->getRank());
  Axes.truncate(Random.below(Axes.size() + 1));
  if (Random.percent(80))
    C.setInts("axis", Axes);
  return true;
}

/// Requests operand 0 of \p Element, and the operands \p Scale and \p Scale +
/// 1, numbers or vectors along an axis.
static bool sampleQuantized(CallMaker &C, DType Element, unsigned Scale) {
  Chance &Random = C.getChance();
  const TensorType *T = C.operand(0, Wish::of(Element, chooseShape(C)));
  if (!T)
    return false;
  int64_t Rank = T->getRank();
  int64_t Axis = Rank ? Random.between(0, Rank - 1) : -1;
  C.setInt("axis", Axis);
  Extents OfAxis;
  if (Rank && Random.percent(30))
    OfAxis = {getExtents(T)[Axis]};
  return C.operand(Scale, Wish::of(DType::getFloat(32), OfAxis)) &&
         C.operand(Scale + 1, Wish::of(DType::getInt(32), OfAxis));
}

bool relay::sampleDequantize(CallMaker &C) {
  static const DType Narrow[] = {DType::getInt(8), DType::getUInt(8),
                                 DType::getInt(16), DType::getInt(32)};
  Chance &Random = C.getChance();
  C.set("out_dtype", Attr::get(DType::getFloat(Random.percent(80) ? 32 : 16)));
  return sampleQuantized(C, Random.pick(ArrayRef(Narrow)), 1);
}

bool relay::sampleQuantize(CallMaker &C) {
  static const DType Narrow[] = {DType::getInt(8), DType::getUInt(8),
                                 DType::getInt(16), DType::getInt(32)};
  C.set("out_dtype", Attr::get(C.getChance().pick(ArrayRef(Narrow))));
  return sampleQuantized(C, DType::getFloat(32), 1);
}

bool relay::sampleRequantize(CallMaker &C) {
  static const DType Narrow[] = {DType::getInt(8), DType::getUInt(8)};
  Chance &Random = C.getChance();
  C.set("out_dtype",
        Attr::get(Random.percent(80) ? DType::getInt(32)
                                     : Random.pick(ArrayRef(Narrow))));
  DType Element =
      Random.percent(60) ? DType::getInt(32) : Random.pick(ArrayRef(Narrow));
  return sampleQuantized(C, Element, 1) &&
         C.operand(3, Wish::of(DType::getFloat(32), {})) &&
         C.operand(4, Wish::of(DType::getInt(32), {}));
}
