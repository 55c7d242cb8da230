//===- LayoutAlterations.cpp - Layouts for x86 ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions and dense layers in blocks of channels as wide as the vectors of
// the processor: the hooks LayoutAlteration of Layouts.td. Blocks
// have the sizes that TVM 0.18 uses without tuning.
//
//===----------------------------------------------------------------------===//

#include "LayoutUtils.h"
#include "TargetFeatures.h"
#include "TensorUtils.h"
#include "relay/IR/Context.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/NN.h"
#include "relay/Pass/Target.h"
#include "llvm/TargetParser/Triple.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

/// Returns true if \p T is an Arm processor, for which TVM has other kernels.
static bool isForArm(const Target &T) {
  if (llvm::is_contained(T.getKeys(), "arm_cpu"))
    return true;
  if (T.getName() != "llvm")
    return false;
  llvm::Triple Triple(
      T.getOption<std::optional<std::string>>("mtriple").value_or(""));
  return Triple.isARM() || Triple.isThumb() || Triple.isAArch64();
}

/// Returns true if \p T has \p Library, which computes in plain layouts.
static bool usesLibrary(const Target &T, StringRef Library) {
  return llvm::is_contained(T.getOption<std::vector<std::string>>("libs"),
                            Library);
}

/// Returns the number of floats in a vector register of \p T.
static int64_t getNumLanes(const Target *T) {
  if (hasX86Feature(T, "avx512f") && hasX86Feature(T, "avx512bw"))
    return 16;
  return hasX86Feature(T, "avx2") ? 8 : 4;
}

/// Returns the largest divisor of \p Extent that is a multiple of \p Step and
/// at most \p Largest; none if there is none.
static std::optional<int64_t> findBlock(int64_t Extent, int64_t Largest,
                                        int64_t Step = 1) {
  for (int64_t Block = Largest - Largest % Step; Block > 0; Block -= Step)
    if (Extent % Block == 0)
      return Block;
  return std::nullopt;
}

/// Returns the extent of \p V along \p Axis of \p Layout; none if it is unknown
/// or 0.
static std::optional<int64_t> getLength(const Value *V, StringRef Layout,
                                        char Axis) {
  Dim Extent = getExtent(V, Layout, Axis);
  if (!Extent || !Extent.isConst() || Extent.getInt() == 0)
    return std::nullopt;
  return Extent.getInt();
}

//===----------------------------------------------------------------------===//
// nn.conv2d
//===----------------------------------------------------------------------===//

namespace {

/// Operators that compute nn.conv2d in blocks of channels.
enum class ConvForm { Plain, Bytes, Depthwise };

/// The numbers of channels in a block.
struct ChannelBlocks {
  int64_t Input, Output;
};

} // namespace

/// Returns true if \p Conv multiplies uint8 by int8, for which x86 has
/// instructions.
static bool multipliesBytes(Conv2DOp Conv, const Target *T) {
  return hasX86Feature(T, "sse4.2") &&
         getDType(Conv.data()) == DType::getUInt(8) &&
         getDType(Conv.weight()) == DType::getInt(8);
}

/// Returns the form of \p Conv, a convolution in NCHW of a weight of \p Filters
/// for \p Channels; none if no operator in blocks computes it.
static std::optional<ConvForm> getForm(Conv2DOp Conv, const Target *T,
                                       int64_t Channels, int64_t Filters) {
  const Conv2DAttrs &A = Conv.attrs();
  int64_t Groups = A.groups();
  if (Groups == 1)
    return multipliesBytes(Conv, T) ? ConvForm::Bytes : ConvForm::Plain;
  bool IsDilated =
      llvm::any_of(A.dilation(), [](Dim D) { return !D.isConst(1); });
  if (Groups == Channels && Groups == Filters && !IsDilated)
    return ConvForm::Depthwise;
  return std::nullopt;
}

/// Returns none if the channels are not divisible into blocks.
static std::optional<ChannelBlocks>
findBlocks(ConvForm Form, const Target *T, int64_t Channels, int64_t Filters) {
  if (Form == ConvForm::Bytes) {
    std::optional<int64_t> Input = findBlock(Channels, 16, 4);
    if (!Input || Filters % 16)
      return std::nullopt;
    return ChannelBlocks{*Input, 16};
  }
  int64_t Output = *findBlock(Filters, getNumLanes(T));
  return ChannelBlocks{*findBlock(Channels, Output), Output};
}

static std::string getKernelLayout(ConvForm Form, ChannelBlocks Blocks) {
  std::string Output = std::to_string(Blocks.Output) + "o";
  switch (Form) {
  case ConvForm::Plain:
    return "OIHW" + std::to_string(Blocks.Input) + "i" + Output;
  case ConvForm::Bytes:
    return "OIHW" + std::to_string(Blocks.Input / 4) + "i" + Output + "4i";
  case ConvForm::Depthwise:
    return "OIHW1i" + Output;
  }
  llvm_unreachable("a form without a layout");
}

/// Returns the product of the extents of \p V along axis \p Axis and along the
/// block \p Block; none if one is unknown.
static std::optional<int64_t> getLength(const Value *V, unsigned Axis,
                                        unsigned Block) {
  const TensorType *T = getTensor(V);
  if (!T || T->getRank() <= std::max(Axis, Block) ||
      !T->getDim(Axis).isConst() || !T->getDim(Block).isConst())
    return std::nullopt;
  return int64_t(T->getDim(Axis).getInt()) * T->getDim(Block).getInt();
}

/// Returns the operator in blocks that computes \p Conv, whose data and weight
/// are in blocks; none for other layouts.
static ConvertedOp alterBlocked(Rewriter &R, Conv2DOp Conv) {
  const Conv2DAttrs &A = Conv.attrs();
  std::optional<Layout> Data = Layout::parse(A.dataLayout()),
                        Weight = Layout::parse(A.kernelLayout());
  if (!Data || !Data->hasAxes("NCHWc") || !Weight || !Weight->hasAxes("OIHWio"))
    return ConvertedOp();
  bool IsDepthwise = getLength(Conv.data(), 1, 4) == A.groups() &&
                     getLength(Conv.weight(), 0, 5) == A.groups();
  return {A.groups() != 1 && IsDepthwise
              ? &ContribDepthwiseConv2DNCHWcOp::getInfo()
              : &ContribConv2DNCHWcOp::getInfo(),
          spellOutPadding(R.getContext(), A, 2)};
}

FailureOr<ConvertedOp> relay::alterConv2D(Rewriter &R, const Target *T,
                                          Operation &Op) {
  Conv2DOp Conv(&Op);
  const Conv2DAttrs &A = Conv.attrs();
  if (isForArm(*T))
    return ConvertedOp();
  if (A.dataLayout() != "NCHW" || A.kernelLayout() != "OIHW")
    return alterBlocked(R, Conv);
  std::optional<int64_t> Channels = getLength(Conv.data(), "NCHW", 'C'),
                         Filters = getLength(Conv.weight(), "OIHW", 'O');
  if (!Channels || !Filters)
    return ConvertedOp();
  std::optional<ConvForm> Form = getForm(Conv, T, *Channels, *Filters);
  if (!Form || (*Form != ConvForm::Depthwise && usesLibrary(*T, "dnnl")))
    return ConvertedOp();
  std::optional<ChannelBlocks> Blocks =
      findBlocks(*Form, T, *Channels, *Filters);
  if (!Blocks)
    return ConvertedOp();
  Context &Ctx = R.getContext();
  auto GetLayout = [&](int64_t Block) {
    return Ctx.getString("NCHW" + std::to_string(Block) + "c");
  };
  const Attrs *New = &A;
  auto Set = [&](StringRef Name, Attr Value) {
    New = withField(Ctx, *New, Name, Value);
  };
  Set("channels", Ctx.getInt(*Filters));
  Set("data_layout", GetLayout(Blocks->Input));
  Set("kernel_layout", Ctx.getString(getKernelLayout(*Form, *Blocks)));
  Set("out_layout", GetLayout(Blocks->Output));
  const OpInfo &Info = *Form == ConvForm::Depthwise
                           ? ContribDepthwiseConv2DNCHWcOp::getInfo()
                           : ContribConv2DNCHWcOp::getInfo();
  return ConvertedOp{&Info, spellOutPadding(Ctx, *New, 2)};
}

//===----------------------------------------------------------------------===//
// nn.dense
//===----------------------------------------------------------------------===//

/// Returns the layout of a weight of \p Units by \p Channels.
static std::string getPackedLayout(DenseOp Dense, const Target *T,
                                   int64_t Units, int64_t Channels) {
  if (getDType(Dense.data()) == DType::getUInt(8) && getNumLanes(T) == 16 &&
      Channels % 4 == 0 && Units % 16 == 0)
    return "NC16n4c";
  return "NC" + std::to_string(*findBlock(Units, 2 * getNumLanes(T))) + "n";
}

/// Returns true if a library of \p T computes \p Dense.
static bool isComputedByLibrary(DenseOp Dense, const Target &T) {
  DType Data = getDType(Dense.data()), Weight = getDType(Dense.weight()),
        Result = getDType(Dense);
  bool IsSame = Data == Weight && Data == Result;
  bool IsSingle = IsSame && Data.isFloat(32);
  bool IsFloat = IsSingle || (IsSame && Data.isFloat(64));
  bool IsBytes = Data == DType::getUInt(8) && Weight == DType::getInt(8) &&
                 Result == DType::getInt(32);
  return (IsSingle && usesLibrary(T, "dnnl")) ||
         (IsFloat && usesLibrary(T, "cblas")) ||
         ((IsFloat || IsBytes) && usesLibrary(T, "mkl"));
}

FailureOr<ConvertedOp> relay::alterDense(Rewriter &R, const Target *T,
                                         Operation &Op) {
  DenseOp Dense(&Op);
  std::optional<int64_t> Units = getLength(Dense.weight(), "NC", 'N'),
                         Channels = getLength(Dense.weight(), "NC", 'C');
  const TensorType *Result = getTensor(Dense);
  if (!Units || !Channels || !Result || Result->getRank() != 2 ||
      isForArm(*T) || isComputedByLibrary(Dense, *T))
    return ConvertedOp();
  return ConvertedOp{
      &ContribDensePackOp::getInfo(),
      DensePackAttrs::get(R.getContext(), std::nullopt, Result->getDType(),
                          getPackedLayout(Dense, T, *Units, *Channels))};
}
