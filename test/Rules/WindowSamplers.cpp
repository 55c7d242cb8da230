//===- WindowSamplers.cpp - Instances of operators on windows -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The samplers of padding, convolutions, pools, and blocks of space.
//
//===----------------------------------------------------------------------===//

#include "InstanceMaker.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;
using namespace relay::test;

static bool isSpace(char Letter) { return StringRef("DHW").contains(Letter); }

/// Returns `NCHW` for two spatial axes, or the layout with the channels last.
static ArrayRef<StringRef> getDataLayouts(unsigned NumSpace) {
  static const StringRef Layouts[][2] = {
      {"NCW", "NWC"}, {"NCHW", "NHWC"}, {"NCDHW", "NDHWC"}};
  return Layouts[NumSpace - 1];
}

/// Returns `OIHW` and others for two spatial axes.
static ArrayRef<StringRef> getKernelLayouts(unsigned NumSpace) {
  static const StringRef Layouts[][3] = {{"OIW", "WIO", "OWI"},
                                         {"OIHW", "HWIO", "OHWI"},
                                         {"OIDHW", "DHWIO", "ODHWI"}};
  return Layouts[NumSpace - 1];
}

static DType chooseNumber(CallMaker &C) {
  static const DType Types[] = {DType::getFloat(32), DType::getFloat(32),
                                DType::getFloat(32), DType::getFloat(64),
                                DType::getFloat(16), DType::getInt(8),
                                DType::getInt(32),   DType::getUInt(8)};
  return C.getWish().Element.isVoid() ? C.getChance().pick(ArrayRef(Types))
                                      : C.getWish().Element;
}

static Extents chooseImage(CallMaker &C, StringRef Layout) {
  Extents Shape;
  for (char Letter : Layout)
    Shape.push_back(isSpace(Letter) ? C.getChance().between(2, 5)
                    : Letter == 'N' ? C.getChance().between(1, 2)
                                    : C.getChance().between(1, 4));
  return Shape;
}

/// Makes operand 0 an image of \p Element in \p Layout; returns null on
/// failure.
static const TensorType *sampleImage(CallMaker &C, DType Element,
                                     StringRef Layout) {
  Wish Image = Wish::of(Element, chooseImage(C, Layout));
  Image.Layout = Layout.str();
  return C.staticOperand(0, Image);
}

/// Sets a number for each spatial axis, from \p Least to \p Most; in most cases
/// the default.
static void setSpaceInts(CallMaker &C, StringRef Field, unsigned NumSpace,
                         int64_t Least, int64_t Most) {
  if (C.getChance().percent(50))
    return;
  SmallVector<int64_t, 3> Values;
  for (unsigned I = 0; I != NumSpace; ++I)
    Values.push_back(C.getChance().between(Least, Most));
  C.setInts(Field, Values);
}

/// Sets padding in one of its forms: one number, one per axis, or two per axis.
static void setPadding(CallMaker &C, unsigned NumSpace) {
  Chance &Random = C.getChance();
  if (Random.percent(40))
    return;
  const unsigned Lengths[] = {1, NumSpace, 2 * NumSpace, 2 * NumSpace};
  SmallVector<int64_t, 6> Padding(Random.pick(ArrayRef(Lengths)));
  for (int64_t &Each : Padding)
    Each = Random.between(0, 2);
  C.setInts("padding", Padding);
}

/// Sets the common attributes of convolutions and pools.
static void setWindow(CallMaker &C, unsigned NumSpace) {
  setSpaceInts(C, "strides", NumSpace, 1, 2);
  setSpaceInts(C, "dilation", NumSpace, 1, 2);
  setPadding(C, NumSpace);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

bool relay::samplePad(CallMaker &C) {
  Chance &Random = C.getChance();
  const TensorType *T = C.operand(0, C.getWish());
  if (!T || !C.operand(1, Wish::of(T->getDType(), {})))
    return false;
  StringRef Layout = C.getWish().Layout;
  bool IsOfSpace = Layout.size() == T->getRank() && Random.percent(90);
  SmallVector<std::array<int64_t, 2>> Widths;
  for (unsigned I = 0; I != T->getRank(); ++I)
    Widths.push_back(IsOfSpace && !isSpace(Layout[I])
                         ? std::array<int64_t, 2>{0, 0}
                         : std::array<int64_t, 2>{Random.between(0, 2),
                                                  Random.between(0, 2)});
  if (!Widths.empty() && Random.percent(3))
    Widths[Random.below(Widths.size())][0] = -1;
  C.setPairs("pad_width", Widths);
  return true;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static unsigned getNumSpace(const CallMaker &C) {
  return C.get("strides").getArray().size();
}

/// Samples the weight for \p Data, and attributes that fit it.
static bool sampleWeight(CallMaker &C, unsigned Operand, DType OfWeight,
                         StringRef DataLayout, const TensorType *Data) {
  Chance &Random = C.getChance();
  Extents Image = getExtents(Data);
  if (Image.size() != DataLayout.size())
    return false;
  int64_t Inputs = std::max<int64_t>(1, Image[DataLayout.find('C')]);
  int64_t Groups = Random.percent(80)                      ? 1
                   : Random.percent(50) || Inputs % 2 != 0 ? Inputs
                                                           : 2;
  int64_t Outputs = Groups * Random.between(1, 3);
  StringRef KernelLayout =
      C.chooseText("kernel_layout", getKernelLayouts(getNumSpace(C)));
  SmallVector<int64_t, 3> Kernel;
  Extents Weight;
  bool HasStyle = Random.percent(60);
  for (char Letter : KernelLayout) {
    if (isSpace(Letter)) {
      Kernel.push_back(HasStyle ? C.getStyle().Kernel[Kernel.size()]
                                : Random.between(1, 3));
      Weight.push_back(Kernel.back());
    } else {
      Weight.push_back(Letter == 'O' ? Outputs : Inputs / Groups);
    }
  }
  C.setInt("groups", Groups);
  C.setInts("kernel_size", Kernel);
  C.setInt("channels", Outputs);
  return C.operand(Operand, Wish::of(OfWeight, Weight)) != nullptr;
}

bool relay::sampleConv(CallMaker &C) {
  unsigned NumSpace = getNumSpace(C);
  StringRef Layout = C.chooseText("data_layout", getDataLayouts(NumSpace));
  const TensorType *Data = sampleImage(C, chooseNumber(C), Layout);
  if (!Data || !sampleWeight(C, 1, Data->getDType(), Layout, Data))
    return false;
  setWindow(C, NumSpace);
  return true;
}

bool relay::sampleQnnConv2D(CallMaker &C) {
  Chance &Random = C.getChance();
  StringRef Layout = C.chooseText("data_layout", getDataLayouts(2));
  DType Narrow = Random.percent(50) ? DType::getInt(8) : DType::getUInt(8);
  const TensorType *Data = sampleImage(C, Narrow, Layout);
  if (!Data || !sampleWeight(C, 1, DType::getInt(8), Layout, Data))
    return false;
  C.set("out_dtype", Attr::get(DType::getInt(32)));
  setWindow(C, 2);
  Wish ZeroPoint = Wish::of(DType::getInt(32), {});
  Wish Scale = Wish::of(DType::getFloat(32), {});
  return C.operand(2, ZeroPoint) && C.operand(3, ZeroPoint) &&
         C.operand(4, Scale) && C.operand(5, Scale);
}

bool relay::samplePool(CallMaker &C) {
  unsigned NumSpace = getNumSpace(C);
  StringRef Layout = C.chooseText("layout", getDataLayouts(NumSpace));
  if (!sampleImage(C, chooseNumber(C), Layout))
    return false;
  SmallVector<int64_t, 3> Window;
  for (unsigned I = 0; I != NumSpace; ++I)
    Window.push_back(C.getChance().between(1, 3));
  C.setInts("pool_size", Window);
  setWindow(C, NumSpace);
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks of space
//===----------------------------------------------------------------------===//

// As frameworks write a dilated convolution: the padding for the window of the
// convolution, half of it on each side, and the padding of the last blocks,
// which is cropped again.

bool relay::sampleSpaceToBatch(CallMaker &C) {
  Chance &Random = C.getChance();
  InstanceStyle &Style = C.getStyle();
  SmallVector<std::array<int64_t, 2>> Paddings;
  Extents Shape = {Random.between(1, 2)};
  for (unsigned I : {0, 1}) {
    int64_t Total = Style.Block[I] * (Style.Kernel[I] - 1);
    Paddings.push_back({Total / 2, Total - Total / 2 + Style.Crop[I]});
    int64_t Padded = Paddings[I][0] + Paddings[I][1];
    int64_t Blocks = Padded / Style.Block[I] + Random.between(1, 2);
    Shape.push_back(Blocks * Style.Block[I] - Padded);
  }
  Shape.push_back(Random.between(1, 3));
  C.setInts("block_shape", Style.Block);
  C.setPairs("paddings", Paddings);
  if (Random.percent(80))
    C.setNumber("pad_value", 0);
  return C.operand(0, Wish::of(chooseNumber(C), Shape)) != nullptr;
}

bool relay::sampleBatchToSpace(CallMaker &C) {
  InstanceStyle &Style = C.getStyle();
  C.setInts("block_shape", Style.Block);
  C.setPairs("crops", {{0, Style.Crop[0]}, {0, Style.Crop[1]}});
  Extents Shape = {2 * Style.Block[0] * Style.Block[1], 3, 3, 2};
  return C.operand(0, Wish::of(C.getWish().Element, Shape)) != nullptr;
}
