//===- RequestedLayouts.cpp - Operators in requested layouts --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the operators and attributes for the layouts requested by the option
// desired-layouts: the hooks LayoutConversion of Layouts.td. Convolutions in
// blocks of channels become another operator. LayoutConverter transforms the
// operands.
//
//===----------------------------------------------------------------------===//

#include "LayoutUtils.h"
#include "relay/IR/Context.h"
#include "relay/Ops/Conv.h"
#include "relay/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

static constexpr StringLiteral Default = "default";

/// Reports that \p Op expects a layout for each of \p Expected:
/// `'nn.conv2d' expects 2 desired layouts, 'nn.conv2d:<data>:<weight>', got 1,
/// 'nn.conv2d:NHWC'`.
static LogicalResult checkNumLayouts(Context &Ctx, const Operation &Op,
                                     ArrayRef<std::string> Desired,
                                     ArrayRef<StringRef> Expected) {
  if (Desired.size() == Expected.size())
    return success();
  StringRef Name = Op.getName();
  auto Diag = Ctx.emitError(Op.getLoc());
  Diag << "'" << Name << "' expects " << Expected.size() << " desired layout"
       << (Expected.size() == 1 ? "" : "s") << ", '" << Name;
  for (StringRef What : Expected)
    Diag << ":<" << What << '>';
  return Diag << "', got " << Desired.size() << ", '" << Name << ':'
              << llvm::join(Desired, ":") << "'";
}

/// Reports that \p Op has no default layout.
static LogicalResult checkNotDefault(Context &Ctx, const Operation &Op,
                                     StringRef Layout) {
  if (Layout != Default)
    return success();
  return Ctx.emitError(Op.getLoc()) << "the desired layout of the data of '"
                                    << Op.getName() << "' cannot be 'default'";
}

/// Reports that \p Wanted does not have the axes of \p What, whose present
/// layout is in the field \p Field of \p Op. \p Known, appended to the message,
/// lists the common layouts.
static LogicalResult checkAxes(Context &Ctx, const Operation &Op,
                               StringRef Field, StringRef Wanted,
                               StringRef What, const Twine &Known = "") {
  std::optional<Layout> Present = Layout::parse(Op.getAttr(Field).getString());
  std::optional<Layout> L = Layout::parse(Wanted);
  if (!Present || (L && L->hasSameAxes(*Present)))
    return success();
  return Ctx.emitError(Op.getLoc())
         << "'" << Wanted << "' is not a layout of the " << What << " of '"
         << Op.getName() << "', which has the axes of '" << Present->str()
         << "'" << Known.str();
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

/// A layout of the data and the corresponding layout of the weight.
struct LayoutPair {
  StringLiteral Data, Weight;
  /// The layout of a depthwise weight.
  StringLiteral DepthwiseWeight = Weight;
};

} // namespace

/// Returns the length of operand \p I of \p Op along the axis \p Axis of the
/// layout in the field \p Field; none if it is unknown.
static Dim getLength(const Operation &Op, unsigned I, StringRef Field,
                     char Axis) {
  auto *T = dyn_cast_or_null<TensorType>(Op.getOperand(I)->getType());
  std::optional<Layout> L = Layout::parse(Op.getAttr(Field).getString());
  int Place = L ? L->indexOf(Axis) : -1;
  if (!T || Place < 0 || unsigned(Place) >= T->getRank())
    return {};
  return T->getDim(Place);
}

/// Returns true if the convolution is depthwise.
static bool isDepthwise(const Operation &Op) {
  int64_t Groups = Op.getAttr("groups").getInt();
  Dim Channels = getLength(Op, 0, "data_layout", 'C');
  Dim Filters = getLength(Op, 1, "kernel_layout", 'O');
  return Channels && Channels.isConst(Groups) && Filters &&
         Filters.isConst(Groups);
}

/// Returns the layout of the weight that corresponds to the layout \p Data of
/// the data.
static FailureOr<StringRef> getDefaultWeight(Context &Ctx, const Operation &Op,
                                             StringRef Data,
                                             ArrayRef<LayoutPair> Known) {
  auto *It =
      llvm::find_if(Known, [&](const LayoutPair &P) { return P.Data == Data; });
  if (It != Known.end())
    return StringRef(isDepthwise(Op) ? It->DepthwiseWeight : It->Weight);
  auto Diag = Ctx.emitError(Op.getLoc());
  Diag << "'" << Op.getName() << "' has no default layout of the weight for '"
       << Data << "', but for ";
  llvm::interleaveComma(
      Known, Diag, [&](const LayoutPair &P) { Diag << "'" << P.Data << "'"; });
  return failure();
}

/// `; common layouts: 'NCHW:OIHW', 'NHWC:HWIO'`.
static std::string listKnown(ArrayRef<LayoutPair> Known) {
  std::string Text = "; common layouts: ";
  llvm::raw_string_ostream OS(Text);
  llvm::interleaveComma(Known, OS, [&](const LayoutPair &P) {
    OS << "'" << P.Data << ':' << P.Weight << "'";
  });
  return Text;
}

/// Returns the attributes of \p Op for the layouts \p Desired of data and
/// weight.
static FailureOr<const Attrs *> convertConv(Context &Ctx, const Operation &Op,
                                            ArrayRef<std::string> Desired,
                                            ArrayRef<LayoutPair> Known) {
  if (failed(checkNumLayouts(Ctx, Op, Desired, {"data", "weight"})) ||
      failed(checkNotDefault(Ctx, Op, Desired[0])))
    return failure();
  std::string KnownText = listKnown(Known);
  if (failed(checkAxes(Ctx, Op, "data_layout", Desired[0], "data", KnownText)))
    return failure();
  StringRef Weight = Desired[1];
  if (Weight != Default &&
      failed(checkAxes(Ctx, Op, "kernel_layout", Weight, "weight", KnownText)))
    return failure();
  if (Weight == Default) {
    auto Found = getDefaultWeight(Ctx, Op, Desired[0], Known);
    if (failed(Found))
      return failure();
    Weight = *Found;
  }
  const Attrs *A =
      spellOutPadding(Ctx, *Op.getAttrs(), Known[0].Data.size() - 2);
  A = withField(Ctx, *A, "data_layout", Ctx.getString(Desired[0]));
  return withField(Ctx, *A, "kernel_layout", Ctx.getString(Weight));
}

static FailureOr<ConvertedOp> keepOperator(const Operation &Op,
                                           FailureOr<const Attrs *> A) {
  if (failed(A))
    return failure();
  return ConvertedOp{&Op.getInfo(), *A};
}

/// Keeps the present layouts if the channels are not divisible into blocks.
FailureOr<ConvertedOp> relay::convertConv2D(Rewriter &R, const Target *,
                                            Operation &Op,
                                            ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  static constexpr LayoutPair Known[] = {
      {"NCHW", "OIHW"}, {"NHWC", "HWIO", "HWOI"}, {"HWNC", "HWOI"}};
  auto A = convertConv(Ctx, Op, Desired, Known);
  if (failed(A))
    return failure();
  std::optional<Layout> Data = Layout::parse(Desired[0]);
  if (!Data || !Data->hasAxes("NCHWc"))
    return ConvertedOp{&Op.getInfo(), *A};
  Dim Channels = getLength(Op, 0, "data_layout", 'C');
  if (!Channels || !Channels.isConst() ||
      Channels.getInt() % Data->getBlockSize('C')) {
    if (takesMissedRemarks())
      emitMissedRemark(&Op, "kept-layout",
                       "its channels are not known to be divisible into the "
                       "blocks of '" +
                           Desired[0] + "'");
    return ConvertedOp{&Op.getInfo(), spellOutPadding(Ctx, *Op.getAttrs(), 2)};
  }
  return ConvertedOp{&ContribConv2DNCHWcOp::getInfo(), *A};
}

FailureOr<ConvertedOp> relay::convertQnnConv2D(Rewriter &R, const Target *,
                                               Operation &Op,
                                               ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  static constexpr LayoutPair Known[] = {{"NCHW", "OIHW"},
                                         {"NHWC", "HWIO", "HWOI"}};
  return keepOperator(Op, convertConv(Ctx, Op, Desired, Known));
}

FailureOr<ConvertedOp> relay::convertConv3D(Rewriter &R, const Target *,
                                            Operation &Op,
                                            ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  static constexpr LayoutPair Known[] = {{"NCDHW", "OIDHW"},
                                         {"NDHWC", "DHWIO"}};
  return keepOperator(Op, convertConv(Ctx, Op, Desired, Known));
}

/// Converts nn.conv2d_transpose and qnn.conv2d_transpose.
FailureOr<ConvertedOp>
relay::convertConv2DTranspose(Rewriter &R, const Target *, Operation &Op,
                              ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  static constexpr LayoutPair Known[] = {{"NCHW", "IOHW"}, {"NHWC", "HWIO"}};
  return keepOperator(Op, convertConv(Ctx, Op, Desired, Known));
}

FailureOr<ConvertedOp>
relay::convertConv3DTranspose(Rewriter &R, const Target *, Operation &Op,
                              ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  static constexpr LayoutPair Known[] = {{"NCDHW", "IODHW"},
                                         {"NDHWC", "DHWOI"}};
  return keepOperator(Op, convertConv(Ctx, Op, Desired, Known));
}

FailureOr<ConvertedOp>
relay::convertDeformableConv2D(Rewriter &R, const Target *, Operation &Op,
                               ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  static constexpr LayoutPair Known[] = {{"NCHW", "OIHW"}, {"NHWC", "HWIO"}};
  return keepOperator(Op, convertConv(Ctx, Op, Desired, Known));
}

/// The first layout is that of the data and the gradient, the second that of
/// the result.
FailureOr<ConvertedOp>
relay::convertConv2DBackwardWeight(Rewriter &R, const Target *, Operation &Op,
                                   ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  if (failed(checkNumLayouts(Ctx, Op, Desired, {"data", "result"})) ||
      failed(checkNotDefault(Ctx, Op, Desired[0])))
    return failure();
  if (Desired[1] == Default)
    return Ctx.emitError(Op.getLoc())
           << "the desired layout of the result of '" << Op.getName()
           << "' cannot be 'default'";
  Attr Data = Ctx.getString(Desired[0]);
  const Attrs *A = withField(Ctx, *Op.getAttrs(), "data_layout", Data);
  A = withField(Ctx, *A, "kernel_layout", Data);
  A = withField(Ctx, *A, "out_layout", Ctx.getString(Desired[1]));
  return ConvertedOp{&Op.getInfo(), spellOutPadding(Ctx, *A, 2)};
}

//===----------------------------------------------------------------------===//
// Other operators
//===----------------------------------------------------------------------===//

/// Converts nn.max_pool2d and nn.avg_pool2d.
FailureOr<ConvertedOp> relay::convertPool2D(Rewriter &R, const Target *T,
                                            Operation &Op,
                                            ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  FailureOr<ConvertedOp> Converted = convertPool(R, T, Op, Desired);
  if (succeeded(Converted))
    Converted->Attributes = spellOutPadding(Ctx, *Converted->Attributes, 2);
  return Converted;
}

/// Ignores layouts after the first, as TVM does.
FailureOr<ConvertedOp> relay::convertPool(Rewriter &R, const Target *,
                                          Operation &Op,
                                          ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  if (failed(checkNotDefault(Ctx, Op, Desired[0])) ||
      failed(checkAxes(Ctx, Op, "layout", Desired[0], "data")))
    return failure();
  Attr Data = Ctx.getString(Desired[0]);
  const Attrs *A = withField(Ctx, *Op.getAttrs(), "layout", Data);
  return ConvertedOp{&Op.getInfo(), withField(Ctx, *A, "out_layout", Data)};
}

FailureOr<ConvertedOp> relay::convertResize(Rewriter &R, const Target *,
                                            Operation &Op,
                                            ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  if (failed(checkNumLayouts(Ctx, Op, Desired, {"data"})) ||
      failed(checkNotDefault(Ctx, Op, Desired[0])) ||
      failed(checkAxes(Ctx, Op, "layout", Desired[0], "data")))
    return failure();
  return ConvertedOp{&Op.getInfo(), withField(Ctx, *Op.getAttrs(), "layout",
                                              Ctx.getString(Desired[0]))};
}

/// Ignores the layout of the regions, as TVM does.
FailureOr<ConvertedOp> relay::convertRegions(Rewriter &R, const Target *,
                                             Operation &Op,
                                             ArrayRef<std::string> Desired) {
  Context &Ctx = R.getContext();
  if (failed(checkNumLayouts(Ctx, Op, Desired, {"data", "regions"})) ||
      failed(checkNotDefault(Ctx, Op, Desired[0])))
    return failure();
  if (Desired[0] != "NCHW" && Desired[0] != "NHWC")
    return Ctx.emitError(Op.getLoc())
           << "'" << Op.getName()
           << "' expects data in layout 'NCHW' or 'NHWC', got '" << Desired[0]
           << "'";
  return ConvertedOp{&Op.getInfo(), withField(Ctx, *Op.getAttrs(), "layout",
                                              Ctx.getString(Desired[0]))};
}
