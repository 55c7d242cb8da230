//===- QNNKernels.cpp - Quantized numbers ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of Ops/QNN.td that quantize, requantize, and compute with two or
// more tensors. The results equal, bit for bit, those of the operators to which
// TVM's QNN canonicalization lowers them for a CPU.
//
//===----------------------------------------------------------------------===//

#include "Requantizer.h"
#include "relay/Ops/QNN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// From numbers to quantized numbers and back
//===----------------------------------------------------------------------===//

/// data: [..] of float32, scale, zero point: scalars or along the axis.
LogicalResult relay::evalQnnQuantize(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto View =
      getChannels(Call, Data, Call.getAttrs<QuantizeAttrs>().axis(), {1, 2});
  if (failed(View) || failed(checkQuantized(Call, Call.getOutputDType())))
    return failure();
  Saturation Saturate(Call.getOutputDType());
  auto Quantize = [&](const float *X, int64_t *Results, int64_t Count,
                      int64_t Channel) {
    auto Scale = float(getScale(Call, 1, Channel));
    auto Zero = float(getZeroPoint(Call, 2, Channel));
    for (int64_t I = 0; I != Count; ++I)
      Results[I] = Saturate.truncate(std::round(X[I] / Scale) + Zero);
  };
  mapChannels<int64_t, float>(Call, Data, *View, Call.getOutputTensor(),
                              Quantize);
  return success();
}

/// data: [..] of integers, scale, zero point: scalars or along the axis ->
/// float32, or float16, where overflow yields the largest number.
LogicalResult relay::evalQnnDequantize(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  DType T = Call.getOutputDType();
  auto View =
      getChannels(Call, Data, Call.getAttrs<DequantizeAttrs>().axis(), {1, 2});
  if (failed(View) || failed(checkQuantized(Call, Data.getDType())))
    return failure();
  if (!getNumberType(T).isFloat())
    return Call.emitUnsupported(T);
  auto Dequantize = [&](const int64_t *X, float *Results, int64_t Count,
                        int64_t Channel) {
    auto Scale = float(getScale(Call, 1, Channel));
    int32_t Zero = getZeroPoint(Call, 2, Channel);
    for (int64_t I = 0; I != Count; ++I)
      Results[I] =
          float(Wrapping<int32_t>::subtract(int32_t(X[I]), Zero)) * Scale;
    if (T.isFloat(32))
      return;
    for (float &X : MutableArrayRef(Results, Count)) {
      constexpr float Largest = getElementRange<Half>().Highest;
      float Upper = X < Largest ? X : Largest;
      X = Upper > -Largest ? Upper : -Largest;
    }
  };
  mapChannels<float, int64_t>(Call, Data, *View, Call.getOutputTensor(),
                              Dequantize);
  return success();
}

/// Fills the output with \p Data, viewed as \p View, in another scale.
static LogicalResult requantize(KernelCall &Call, const Tensor &Data,
                                const ChannelView &View, const Requantizer &Q) {
  if (failed(checkQuantized(Call, Data.getDType())) ||
      failed(checkQuantized(Call, Call.getOutputDType())))
    return failure();
  Saturation Saturate(Call.getOutputDType());
  auto Scale = [&](const int64_t *X, int64_t *Results, int64_t Count,
                   int64_t Channel) {
    for (int64_t I = 0; I != Count; ++I)
      Results[I] = Saturate(Q.apply(X[I], Channel));
  };
  mapChannels<int64_t, int64_t>(Call, Data, View, Call.getOutputTensor(),
                                Scale);
  return success();
}

/// Returns the mode that the attributes select. The value `None` of an
/// attribute selects the mode of the environment.
static FailureOr<RequantizeMode> getMode(const KernelCall &Call) {
  const auto &A = Call.getAttrs<RequantizeAttrs>();
  RequantizeMode Mode = Call.getEnvironment().Requantize;
  if (A.rounding() != "None") {
    auto Rounding = RequantizeMode::parseRounding(A.rounding());
    if (!Rounding)
      return Call.emitError("unknown rounding \"" + A.rounding() + "\"");
    Mode.Rounding = *Rounding;
  }
  if (A.computeDtype() != "None") {
    auto In = RequantizeMode::parseCompute(A.computeDtype());
    if (!In)
      return Call.emitError("unknown compute_dtype \"" + A.computeDtype() +
                            "\"");
    Mode.In = *In;
  }
  return Mode;
}

/// data: [..] of integers; its scale and zero point: scalars or along the axis.
LogicalResult relay::evalQnnRequantize(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto View =
      getChannels(Call, Data, Call.getAttrs<RequantizeAttrs>().axis(), {1, 2});
  auto Mode = getMode(Call);
  if (failed(View) || failed(Mode))
    return failure();
  auto Q = Requantizer::get(Call, 1, 2, 3, 4, View->Channels, *Mode);
  if (failed(Q))
    return failure();
  return requantize(Call, Data, *View, *Q);
}

//===----------------------------------------------------------------------===//
// Simulated
//===----------------------------------------------------------------------===//

namespace {
/// Operands of the simulated operators: data, data type, scale, zero point.
struct Simulated {
  const Tensor &Data;
  ChannelView View;
  SmallVector<float> Scale, ZeroPoint; ///< by channel
  int64_t Code;                        ///< see getLimits
};
} // namespace

/// The limits of the data types that have a code: int8, uint8, int32. Others
/// leave the data unchanged.
static std::optional<std::pair<float, float>> getLimits(int64_t Code) {
  switch (Code) {
  case 1:
    return std::pair(-128.f, 127.f);
  case 2:
    return std::pair(0.f, 255.f);
  case 3:
    return std::pair(-0x1p31f, 0x1p31f);
  default:
    return std::nullopt;
  }
}

/// Vectors are repeated along the axis. Numbers are floats of up to 32 bits and
/// are computed as float32.
static FailureOr<Simulated> getSimulated(const KernelCall &Call, int64_t Axis) {
  const Tensor &Data = Call.getInput(0);
  if (!Data.getDType().isAnyFloat() || Data.getDType().getBits() > 32)
    return Call.emitUnsupported(Data.getDType());
  for (unsigned I : {1, 2, 3})
    if (Call.getInput(I).getNumElements() == 0)
      return Call.emitError("'" + Call.getInfo().OperandNames[I] +
                            "' is empty");
  Simulated S{Data, {}, {}, {}, Call.getInput(1).getInt()};
  S.View = ChannelView::getWhole(Data.getNumElements());
  if (Data.getRank() != 0) {
    FailureOr<unsigned> Position = getAxis(Call, Axis, Data.getRank());
    if (failed(Position))
      return failure();
    S.View = ChannelView::get(Data.getShape(), *Position);
  }
  const Tensor &Scale = Call.getInput(2), &Zero = Call.getInput(3);
  for (int64_t C = 0; C != S.View.Channels; ++C) {
    S.Scale.push_back(float(Scale.getDouble(C % Scale.getNumElements())));
    S.ZeroPoint.push_back(float(Zero.getDouble(C % Zero.getNumElements())));
  }
  return S;
}

LogicalResult relay::evalQnnSimulatedQuantize(KernelCall &Call) {
  auto S =
      getSimulated(Call, Call.getAttrs<QnnSimulatedQuantizeAttrs>().axis());
  if (failed(S))
    return failure();
  auto Limits = getLimits(S->Code);
  if (!Limits) {
    Call.setOutput(0, Call.getInput(0));
    return success();
  }
  auto [Min, Max] = *Limits;
  auto Quantize = [&, Min = Min, Max = Max](const float *X, float *Results,
                                            int64_t Count, int64_t Channel) {
    for (int64_t I = 0; I != Count; ++I) {
      float Value =
          std::round(X[I] / S->Scale[Channel]) + S->ZeroPoint[Channel];
      float Upper = Value < Max ? Value : Max;
      Results[I] = Upper > Min ? Upper : Min;
    }
  };
  mapChannels<float, float>(Call, S->Data, S->View, Call.getOutputTensor(),
                            Quantize);
  return success();
}

LogicalResult relay::evalQnnSimulatedDequantize(KernelCall &Call) {
  auto S = getSimulated(Call, Call.getAttrs<DequantizeAttrs>().axis());
  if (failed(S))
    return failure();
  if (!getLimits(S->Code)) {
    Call.setOutput(0, Call.getInput(0));
    return success();
  }
  auto Dequantize = [&](const float *X, float *Results, int64_t Count,
                        int64_t Channel) {
    for (int64_t I = 0; I != Count; ++I)
      Results[I] = (X[I] - S->ZeroPoint[Channel]) * S->Scale[Channel];
  };
  mapChannels<float, float>(Call, S->Data, S->View, Call.getOutputTensor(),
                            Dequantize);
  return success();
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

// Operands are lhs, rhs, scale and zero point of lhs, of rhs, of the result.
static constexpr unsigned OutScale = 6, OutZeroPoint = 7;

/// Returns the axis of operand \p I along which its scale and zero point are
/// given. For a vector it is axis 0, regardless of the attribute.
static int64_t getSideAxis(const KernelCall &Call, unsigned I) {
  const auto &A = Call.getAttrs<BroadcastAttrs>();
  if (Call.getInput(I).getRank() == 1)
    return 0;
  return I == 0 ? A.lhsAxis() : A.rhsAxis();
}

/// Returns operand \p I viewed by the channels of its scale and zero point.
static FailureOr<ChannelView> getSideChannels(const KernelCall &Call,
                                              unsigned I) {
  return getChannels(Call, Call.getInput(I), getSideAxis(Call, I),
                     {2 + 2 * I, 3 + 2 * I});
}

/// Returns a tensor of int32 with the results of \p F for the elements of
/// operand \p I and their channels in \p View.
static std::optional<Tensor>
mapSide(KernelCall &Call, unsigned I, const ChannelView &View,
        function_ref<int32_t(int64_t X, int64_t Channel)> F) {
  const Tensor &Data = Call.getInput(I);
  auto Result = Call.allocate(DType::getInt(32), Data.getShape());
  if (!Result || failed(checkQuantized(Call, Data.getDType())))
    return std::nullopt;
  auto Map = [&](const int64_t *X, int64_t *Results, int64_t Count,
                 int64_t Channel) {
    for (int64_t J = 0; J != Count; ++J)
      Results[J] = F(X[J], Channel);
  };
  mapChannels<int64_t, int64_t>(Call, Data, View, *Result, Map);
  return Result;
}

/// Returns operand \p I in the result's scale and zero point.
static std::optional<Tensor> requantizeSide(KernelCall &Call, unsigned I) {
  auto View = getSideChannels(Call, I);
  if (failed(View))
    return std::nullopt;
  auto Q = Requantizer::get(Call, 2 + 2 * I, 3 + 2 * I, OutScale, OutZeroPoint,
                            View->Channels);
  if (failed(Q))
    return std::nullopt;
  if (Call.getInput(2 + 2 * I).getRank() == 0 &&
      Call.getInput(3 + 2 * I).getRank() == 0)
    Q->keepEqual();
  return mapSide(Call, I, *View,
                 [&](int64_t X, int64_t C) { return Q->apply(X, C); });
}

/// \p F takes lhs, rhs, both in the result's scale, and the zero point.
template <typename Fn>
static LogicalResult mapRequantized(KernelCall &Call, Fn &&F) {
  std::optional<Tensor> Left = requantizeSide(Call, 0);
  std::optional<Tensor> Right =
      Left ? requantizeSide(Call, 1) : std::optional<Tensor>();
  if (!Right)
    return failure();
  if (failed(checkQuantized(Call, Call.getOutputDType())))
    return failure();
  int32_t Zero = getZeroPoint(Call, OutZeroPoint, 0);
  Saturation Saturate(Call.getOutputDType());
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  mapNumberPairs<int64_t, int64_t>(
      Call, StridedOperand::getBroadcast(*Left, Shape),
      StridedOperand::getBroadcast(*Right, Shape), Call.getOutputTensor(),
      [=](int64_t L, int64_t R) {
        return Saturate(F(int32_t(L), int32_t(R), Zero));
      });
  return success();
}

LogicalResult relay::evalQnnAdd(KernelCall &Call) {
  using W = Wrapping<int32_t>;
  return mapRequantized(Call, [](int32_t L, int32_t R, int32_t Zero) {
    return W::subtract(W::add(L, R), Zero);
  });
}
LogicalResult relay::evalQnnSubtract(KernelCall &Call) {
  using W = Wrapping<int32_t>;
  return mapRequantized(Call, [](int32_t L, int32_t R, int32_t Zero) {
    return W::add(W::subtract(L, R), Zero);
  });
}

/// Returns the view of the result by the channels of operands 0 and 1, \p
/// Views. Reports an error if these are along different axes.
static FailureOr<ChannelView> getProductChannels(const KernelCall &Call,
                                                 ArrayRef<int64_t> Shape,
                                                 ArrayRef<ChannelView> Views) {
  std::optional<unsigned> Axis;
  for (unsigned I : {0, 1}) {
    if (Views[I].Channels == 1)
      continue;
    unsigned Rank = Call.getInput(I).getRank();
    int64_t Own = getSideAxis(Call, I);
    auto Position =
        unsigned(Own < 0 ? Shape.size() + Own : Shape.size() - Rank + Own);
    if (Axis && *Axis != Position)
      return Call.emitError("lhs and rhs have scales along different axes");
    Axis = Position;
  }
  return Axis ? ChannelView::get(Shape, *Axis)
              : ChannelView::getWhole(*getNumElements(Shape));
}

/// Returns the product of the operands without their zero points, whose scale
/// is the product of their scales, rounded to float32.
LogicalResult relay::evalQnnMul(KernelCall &Call) {
  std::optional<Tensor> Sides[2];
  ChannelView Views[2];
  for (unsigned I : {0, 1}) {
    auto View = getSideChannels(Call, I);
    if (failed(View))
      return failure();
    Views[I] = *View;
    Sides[I] = mapSide(Call, I, *View, [&](int64_t X, int64_t C) {
      return Wrapping<int32_t>::subtract(int32_t(X),
                                         getZeroPoint(Call, 3 + 2 * I, C));
    });
    if (!Sides[I])
      return failure();
  }
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  auto View = getProductChannels(Call, Shape, Views);
  auto Product = Call.allocate(DType::getInt(32), Shape);
  if (failed(View) || !Product)
    return failure();
  mapNumberPairs<int64_t, int64_t>(
      Call, StridedOperand::getBroadcast(*Sides[0], Shape),
      StridedOperand::getBroadcast(*Sides[1], Shape), *Product,
      [](int64_t L, int64_t R) { return L * R; });
  Requantizer Q(getZeroPoint(Call, OutZeroPoint, 0),
                Call.getEnvironment().Requantize);
  for (int64_t C = 0; C != View->Channels; ++C) {
    float Scale = float(getScale(Call, 2, C)) * float(getScale(Call, 4, C));
    if (failed(
            Q.addChannel(Call, Scale, 0, float(getScale(Call, OutScale, 0)))))
      return failure();
  }
  return requantize(Call, *Product, *View, Q);
}

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// data, scales, zero points: tuples; scale and zero point of the result.
LogicalResult relay::evalQnnConcatenate(KernelCall &Call) {
  auto Data = Call.getTuple(0), Scales = Call.getTuple(1),
       Zeros = Call.getTuple(2);
  if (Scales.size() != Data.size() || Zeros.size() != Data.size())
    return Call.emitError(
        "the numbers of scales, zero points and tensors differ");
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  FailureOr<unsigned> Axis =
      getAxis(Call, Call.getAttrs<ConcatenateAttrs>().axis(), Shape.size());
  if (failed(Axis))
    return failure();
  ChannelView Out = ChannelView::get(Shape, *Axis);
  if (failed(checkQuantized(Call, Call.getOutputDType())))
    return failure();
  Saturation Saturate(Call.getOutputDType());
  ElementWriter<int64_t> To(Call.getOutputTensor());
  int64_t First = 0; // in the first row
  for (auto [T, Scale, Zero] : llvm::zip(Data, Scales, Zeros)) {
    Requantizer Q(getZeroPoint(Call, 4, 0), Call.getEnvironment().Requantize);
    Q.keepEqual();
    if (failed(Q.addChannel(Call, float(Scale->getDouble()),
                            int32_t(Zero->getInt()),
                            float(getScale(Call, 3, 0)))))
      return failure();
    ElementReader<int64_t> From(*T);
    int64_t Length = T->getDim(*Axis) * Out.Inner;
    for (int64_t Row = 0; Row != Out.Outer; ++Row)
      for (int64_t I = 0; I != Length; ++I) {
        int64_t Result = Saturate(Q.apply(From[Row * Length + I]));
        To.write(First + Row * Out.Channels * Out.Inner + I, 1, &Result);
      }
    First += Length;
  }
  return success();
}
