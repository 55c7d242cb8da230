//===- Requantizer.cpp - Conversion between scales ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the parameters of channels: scales and zero points.
//
//===----------------------------------------------------------------------===//

#include "Requantizer.h"

using namespace relay;

ChannelView ChannelView::get(ArrayRef<int64_t> Shape, unsigned Axis) {
  ChannelView View;
  for (int64_t Extent : Shape.take_front(Axis))
    View.Outer *= Extent;
  View.Channels = Shape[Axis];
  for (int64_t Extent : Shape.drop_front(Axis + 1))
    View.Inner *= Extent;
  return View;
}

template <typename R, typename N>
void relay::mapChannels(
    const KernelCall &Call, const Tensor &Data, const ChannelView &View,
    Tensor &Out,
    function_ref<void(const N *X, R *Results, int64_t Count, int64_t Channel)>
        F) {
  ElementReader<N> Numbers(Data);
  ElementWriter<R> Writer(Out);
  // Adjacent elements have the same channel up to the end of a run.
  int64_t Run = View.Channels == 1 ? Data.getNumElements() : View.Inner;
  auto MapBlock = [&](const N *X, R *Results, int64_t First, int64_t Count) {
    for (int64_t I = 0, Size; I != Count; I += Size) {
      int64_t At = First + I;
      Size = std::min(Count - I, Run - At % Run);
      F(X + I, Results + I, Size, At / Run % View.Channels);
    }
  };
  Call.parallelFor(Data.getNumElements(), 8, [&](int64_t Begin, int64_t End) {
    mapRange(Numbers, Writer, Begin, End, MapBlock);
  });
}

template void relay::mapChannels(
    const KernelCall &, const Tensor &, const ChannelView &, Tensor &,
    function_ref<void(const int64_t *, int64_t *, int64_t, int64_t)>);
template void relay::mapChannels(
    const KernelCall &, const Tensor &, const ChannelView &, Tensor &,
    function_ref<void(const int64_t *, float *, int64_t, int64_t)>);
template void relay::mapChannels(
    const KernelCall &, const Tensor &, const ChannelView &, Tensor &,
    function_ref<void(const float *, int64_t *, int64_t, int64_t)>);
template void relay::mapChannels(
    const KernelCall &, const Tensor &, const ChannelView &, Tensor &,
    function_ref<void(const float *, float *, int64_t, int64_t)>);

LogicalResult relay::checkQuantized(const KernelCall &Call, DType T) {
  if (T.isBool() || getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  return success();
}

Saturation::Saturation(DType T) {
  if (T.isInt())
    std::tie(Min, Max) = getIntegerLimits<int64_t>(T);
  else
    std::tie(Min, Max) = getIntegerLimits<uint64_t>(T);
  FloatMin = T.isInt() ? float(Min) : 0;
  FloatMax = T.isUInt(64) ? 0x1p64f : float(Max);
  if (T.getByteSize() >= 4) {
    Min = T.isInt() ? std::numeric_limits<int32_t>::min() : 0;
    Max = std::numeric_limits<int32_t>::max();
  }
}

FailureOr<ChannelView> relay::getChannels(const KernelCall &Call,
                                          const Tensor &Data, int64_t Axis,
                                          ArrayRef<unsigned> Params) {
  auto IsScalar = [&](unsigned I) {
    return Call.getInput(I).getNumElements() == 1;
  };
  if (llvm::all_of(Params, IsScalar) || Data.getRank() == 0)
    return ChannelView::getWhole(Data.getNumElements());
  FailureOr<unsigned> Position = getAxis(Call, Axis, Data.getRank());
  if (failed(Position))
    return failure();
  ChannelView View = ChannelView::get(Data.getShape(), *Position);
  for (unsigned I : Params)
    if (!IsScalar(I) && Call.getInput(I).getNumElements() != View.Channels)
      return Call.emitError("'" + Call.getInfo().OperandNames[I] + "' has " +
                            Twine(Call.getInput(I).getNumElements()) +
                            " numbers for " + Twine(View.Channels) +
                            " channels");
  return View;
}

FailureOr<Requantizer> Requantizer::get(const KernelCall &Call, unsigned Scale,
                                        unsigned ZeroPoint, unsigned OutScale,
                                        unsigned OutZeroPoint,
                                        int64_t NumChannels) {
  return get(Call, Scale, ZeroPoint, OutScale, OutZeroPoint, NumChannels,
             Call.getEnvironment().Requantize);
}

FailureOr<Requantizer> Requantizer::get(const KernelCall &Call, unsigned Scale,
                                        unsigned ZeroPoint, unsigned OutScale,
                                        unsigned OutZeroPoint,
                                        int64_t NumChannels, RequantizeMode M) {
  Requantizer Result(getZeroPoint(Call, OutZeroPoint, 0), M);
  for (int64_t I = 0; I != NumChannels; ++I)
    if (failed(Result.addChannel(Call, float(getScale(Call, Scale, I)),
                                 getZeroPoint(Call, ZeroPoint, I),
                                 float(getScale(Call, OutScale, 0)))))
      return failure();
  return Result;
}

LogicalResult Requantizer::addChannel(const KernelCall &Call, float Scale,
                                      int32_t ZeroPoint, float OutScale) {
  double Ratio = double(Scale) / double(OutScale);
  if (!std::isfinite(Ratio))
    return Call.emitError("the quotient of the scales is not finite");
  Channels.push_back({ZeroPoint, FixedPoint::get(Ratio), Ratio});
  return success();
}
