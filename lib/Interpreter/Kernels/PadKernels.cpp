//===- PadKernels.cpp - Padding -------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padding of Ops/NN.td and Ops/Dyn.td: each axis of the result has a table of
// source positions.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/NN.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Positions by axis
//===----------------------------------------------------------------------===//

namespace {
/// The position in data of each position along an axis of the result; -1 if
/// there is none.
using AxisPlaces = std::vector<int64_t>;
using AxisPairs = SmallVector<std::pair<int64_t, int64_t>, 4>;

/// The values of positions outside of data.
enum class PadMode { Constant, Edge, Reflect, Symmetric };
} // namespace

/// Elements are moved as integers of their size.
template <typename E>
static void copyPlaces(KernelCall &Call, const Tensor &Data,
                       ArrayRef<AxisPlaces> Places, const Tensor &Fill,
                       Tensor &To) {
  const E *From = reinterpret_cast<const E *>(Data.getBytes().data());
  E Filling = *reinterpret_cast<const E *>(Fill.getBytes().data());
  E *Out = reinterpret_cast<E *>(To.getMutableBytes().data());
  Strides Steps = getStrides(Data.getShape());
  int64_t Length = Places.empty() ? 1 : Places.back().size();
  int64_t NumRows = Length == 0 ? 0 : To.getNumElements() / Length;
  Call.parallelFor(NumRows, 4 * Length, [&](int64_t Begin, int64_t End) {
    for (int64_t Row = Begin; Row != End; ++Row) {
      int64_t Offset = 0, Rest = Row;
      bool IsData = true;
      for (size_t Axis = Places.size(); Axis-- > 1;) {
        const AxisPlaces &P = Places[Axis - 1];
        int64_t Place = P[Rest % P.size()];
        Rest /= P.size();
        IsData &= Place >= 0;
        Offset += Place * Steps[Axis - 1];
      }
      for (int64_t I = 0; I != Length; ++I) {
        int64_t Place = Places.empty() ? 0 : Places.back()[I];
        Out[Row * Length + I] =
            IsData && Place >= 0 ? From[Offset + Place] : Filling;
      }
    }
  });
}

/// Fills \p To from \p Data by \p Places, one entry per axis; positions outside
/// of data get \p Fill, a scalar of the same type.
static void gatherPlaces(KernelCall &Call, const Tensor &Data,
                         ArrayRef<AxisPlaces> Places, const Tensor &Fill,
                         Tensor &To) {
  switch (Data.getDType().getByteSize()) {
  case 1:
    return copyPlaces<uint8_t>(Call, Data, Places, Fill, To);
  case 2:
    return copyPlaces<uint16_t>(Call, Data, Places, Fill, To);
  case 4:
    return copyPlaces<uint32_t>(Call, Data, Places, Fill, To);
  default:
    return copyPlaces<uint64_t>(Call, Data, Places, Fill, To);
  }
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Returns the pairs of numbers of the attribute \p Name, whose form has been
/// checked.
static FailureOr<AxisPairs> getPairs(KernelCall &Call, ArrayRef<Attr> Rows,
                                     StringRef Name) {
  AxisPairs Pairs;
  for (Attr Row : Rows) {
    auto Numbers = getInts(Call, toDims(Row.getArray()), Name);
    if (failed(Numbers))
      return failure();
    Pairs.push_back({(*Numbers)[0], (*Numbers)[1]});
  }
  return Pairs;
}

/// Returns the source of position \p I of an axis of \p Length; -1 if \p Mode
/// has none.
static int64_t getPaddedPlace(int64_t I, int64_t Length, PadMode Mode) {
  if (I >= 0 && I < Length)
    return I;
  int64_t Mirror = Mode == PadMode::Symmetric ? 1 : 0;
  switch (Mode) {
  case PadMode::Constant:
    return -1;
  case PadMode::Edge:
    return Length == 0 ? -1 : I < 0 ? 0 : Length - 1;
  case PadMode::Reflect:
  case PadMode::Symmetric:
    I = I < 0 ? -I - Mirror : 2 * (Length - 1) + Mirror - I;
    return I >= 0 && I < Length ? I : -1;
  }
  llvm_unreachable("a mode of padding");
}

/// Pads operand 0 by \p Pairs, one per axis; reports a mirror image that is
/// longer than its source.
static LogicalResult pad(KernelCall &Call, const AxisPairs &Pairs, PadMode Mode,
                         const Tensor &Fill) {
  const Tensor &Data = Call.getInput(0);
  TensorShape Shape(Data.getShape());
  for (auto [Extent, Pair] : llvm::zip_equal(Shape, Pairs))
    if (llvm::AddOverflow(Extent, Pair.first, Extent) ||
        llvm::AddOverflow(Extent, Pair.second, Extent))
      return Call.emitError("pad_width holds " + Twine(Pair.first) + " and " +
                            Twine(Pair.second));
  Tensor *Out = Call.createOutput(0, Shape);
  if (!Out)
    return failure(); // reported
  if (Out->getNumElements() == 0)
    return success();
  std::vector<AxisPlaces> Places;
  for (auto [I, Extent] : llvm::enumerate(Shape)) {
    AxisPlaces &P = Places.emplace_back(Extent);
    for (int64_t J = 0; J != Extent; ++J) {
      P[J] = getPaddedPlace(J - Pairs[I].first, Data.getDim(I), Mode);
      if (P[J] < 0 && Mode != PadMode::Constant)
        return Call.emitError("axis " + Twine(I) + " of length " +
                              Twine(Data.getDim(I)) +
                              " is too short for its padding");
    }
  }
  gatherPlaces(Call, Data, Places, Fill, *Out);
  return success();
}

/// Like pad(), with the mode of the attributes and \p Value around the data.
static LogicalResult padWith(KernelCall &Call, const AxisPairs &Pairs,
                             const Tensor &Value) {
  StringRef Name = Call.getAttrs<PadAttrs>().padMode();
  auto Mode = llvm::StringSwitch<std::optional<PadMode>>(Name)
                  .Case("constant", PadMode::Constant)
                  .Case("edge", PadMode::Edge)
                  .Case("reflect", PadMode::Reflect)
                  .Default(std::nullopt);
  if (!Mode)
    return Call.emitError("'pad_mode' is '" + Name +
                          "', expected 'constant', 'edge' or 'reflect'");
  auto Fill = castTensor(Call, Value, Call.getOutputDType());
  if (failed(Fill))
    return failure();
  if (Fill->getNumElements() != 1)
    return Call.emitError("the padding value is not a scalar");
  return pad(Call, Pairs, *Mode, *Fill);
}

LogicalResult relay::evalPad(KernelCall &Call) {
  auto Pairs =
      getPairs(Call, Call.getAttrs<PadAttrs>().padWidth(), "pad_width");
  return failed(Pairs) ? failure() : padWith(Call, *Pairs, Call.getInput(1));
}

/// data: [..], pad_width: [rank, 2], pad_val: scalar -> [..], like nn.pad.
LogicalResult relay::evalDynPad(KernelCall &Call) {
  const Tensor &Width = Call.getInput(1);
  int64_t Rank = Call.getInput(0).getRank();
  if (Width.getShape() != ArrayRef<int64_t>({Rank, 2}))
    return Call.emitError("pad_width has the shape " +
                          toString(Width.getShape()) + ", not " +
                          toString({Rank, 2}));
  AxisPairs Pairs;
  for (int64_t I = 0; I != Rank; ++I)
    Pairs.push_back({Width.getInt(2 * I), Width.getInt(2 * I + 1)});
  return padWith(Call, Pairs, Call.getInput(2));
}

/// Returns a scalar of \p Value in the type of the output.
static FailureOr<Tensor> getFilling(KernelCall &Call, double Value) {
  return castTensor(Call, Tensor::getScalar(DType::getFloat(64), Value),
                    Call.getOutputDType());
}

LogicalResult relay::evalMirrorPad(KernelCall &Call) {
  const auto &A = Call.getAttrs<MirrorPadAttrs>();
  auto Pairs = getPairs(Call, A.padWidth(), "pad_width");
  auto Fill = getFilling(Call, 0);
  if (failed(Pairs) || failed(Fill))
    return failure();
  if (A.mode() == "SYMMETRIC")
    return pad(Call, *Pairs, PadMode::Symmetric, *Fill);
  if (A.mode() == "REFLECT")
    return pad(Call, *Pairs, PadMode::Reflect, *Fill);
  return Call.emitError("'mode' is '" + A.mode() +
                        "', neither 'SYMMETRIC' nor 'REFLECT'");
}

/// x: [..] -> [..] with `strides` - 1 additional elements between adjacent
/// ones.
LogicalResult relay::evalDilate(KernelCall &Call) {
  const auto &A = Call.getAttrs<DilateAttrs>();
  auto Steps = getInts(Call, A.strides(), "strides");
  auto Fill = getFilling(Call, A.dilationValue());
  if (failed(Steps) || failed(Fill))
    return failure();
  std::vector<AxisPlaces> Places;
  for (auto [Step, Extent, Length] :
       llvm::zip(*Steps, Call.getOutputShape(), Call.getInput(0).getShape())) {
    if (Step <= 0)
      return Call.emitError("'strides' holds " + Twine(Step));
    AxisPlaces &P = Places.emplace_back(Extent);
    for (int64_t I = 0; I != Extent; ++I)
      P[I] = I % Step == 0 && I / Step < Length ? I / Step : -1;
  }
  gatherPlaces(Call, Call.getInput(0), Places, *Fill, Call.getOutputTensor());
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks of space and the batch
//===----------------------------------------------------------------------===//

/// Returns the positions of an axis of \p Length after \p Before additional
/// ones, \p Extent in total.
static AxisPlaces getShiftedPlaces(int64_t Length, int64_t Before,
                                   int64_t Extent) {
  AxisPlaces P(Extent);
  for (int64_t I = 0; I != Extent; ++I)
    P[I] = getPaddedPlace(I - Before, Length, PadMode::Constant);
  return P;
}

/// Returns the axes (block.., N, spatial.., rest..) of the batch of blocks, and
/// their steps in a tensor [N, spatial.. * block.., rest..] of \p Shape.
static std::pair<TensorShape, Strides> getBlockAxes(ArrayRef<int64_t> Shape,
                                                    ArrayRef<int64_t> Blocks) {
  Strides Own = getStrides(Shape), Steps;
  TensorShape Extents;
  auto Add = [&](int64_t Extent, int64_t Step) {
    Extents.push_back(Extent);
    Steps.push_back(Step);
  };
  for (auto [I, Block] : llvm::enumerate(Blocks))
    Add(Block, Own[1 + I]);
  Add(Shape[0], Own[0]);
  for (auto [I, Block] : llvm::enumerate(Blocks))
    Add(Shape[1 + I] / Block, Own[1 + I] * Block);
  for (size_t I = 1 + Blocks.size(); I != Shape.size(); ++I)
    Add(Shape[I], Own[I]);
  return {Extents, Steps};
}

/// [N, spatial.., rest..] -> [blocks * N, (spatial + paddings) / block..,
/// rest..]: positions in a block become entries of the batch.
LogicalResult relay::evalSpaceToBatchND(KernelCall &Call) {
  const auto &A = Call.getAttrs<SpaceToBatchNDAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Blocks = getInts(Call, A.blockShape(), "block_shape");
  auto Pairs = getPairs(Call, A.paddings(), "paddings");
  auto Fill = getFilling(Call, A.padValue());
  if (failed(Blocks) || failed(Pairs) || failed(Fill))
    return failure();
  std::vector<AxisPlaces> Places;
  TensorShape Shape(Data.getShape());
  for (unsigned I = 0; I != Shape.size(); ++I) {
    bool IsSpace = I != 0 && I <= Blocks->size();
    auto [Before, After] = IsSpace ? (*Pairs)[I - 1] : std::pair(0L, 0L);
    Shape[I] += Before + After;
    int64_t Block = IsSpace ? (*Blocks)[I - 1] : 1;
    if (Block <= 0 || Shape[I] < 0 || Shape[I] % Block != 0)
      return Call.emitError("axis " + Twine(I) + " of length " +
                            Twine(Shape[I]) + " is not in blocks of " +
                            Twine(Block));
    Places.push_back(getShiftedPlaces(Data.getDim(I), Before, Shape[I]));
  }
  std::optional<Tensor> Padded = Call.allocate(Data.getDType(), Shape);
  if (!Padded)
    return failure();
  gatherPlaces(Call, Data, Places, *Fill, *Padded);
  auto [Extents, Steps] = getBlockAxes(Shape, *Blocks);
  copyStrided(Call, *Padded, 0, Call.getOutputTensor(), Extents, Steps);
  return success();
}

/// The inverse: [blocks * N, spatial.., rest..] -> [N, spatial * block -
/// crops.., rest..].
LogicalResult relay::evalBatchToSpaceND(KernelCall &Call) {
  const auto &A = Call.getAttrs<BatchToSpaceNDAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Blocks = getInts(Call, A.blockShape(), "block_shape");
  auto Pairs = getPairs(Call, A.crops(), "crops");
  auto Fill = getFilling(Call, 0);
  if (failed(Blocks) || failed(Pairs) || failed(Fill))
    return failure();
  TensorShape Whole(Data.getShape());
  for (auto [I, Block] : llvm::enumerate(*Blocks)) {
    if (Block <= 0 || Whole[0] % Block != 0)
      return Call.emitError("a batch of " + Twine(Data.getDim(0)) +
                            " is not in blocks of " + Twine(Block));
    Whole[0] /= Block;
    Whole[1 + I] *= Block;
  }
  std::optional<Tensor> Joined = Call.allocate(Data.getDType(), Whole);
  if (!Joined)
    return failure();
  // The axes of data are the axes of the blocks, in the order of the whole.
  unsigned NumBlocks = Blocks->size(), Rank = Data.getRank();
  TensorShape Blocked(Blocks->begin(), Blocks->end());
  llvm::append_range(Blocked, Data.getShape());
  Blocked[NumBlocks] = Whole[0];
  Strides Own = getStrides(Blocked), Steps;
  TensorShape Places;
  for (unsigned I = 0; I != Rank; ++I) {
    Places.push_back(Blocked[NumBlocks + I]);
    Steps.push_back(Own[NumBlocks + I]);
    if (I == 0 || I > NumBlocks)
      continue;
    Places.push_back(Blocked[I - 1]);
    Steps.push_back(Own[I - 1]);
  }
  copyStrided(Call, Data, 0, *Joined, Places, Steps);
  std::vector<AxisPlaces> Kept;
  for (auto [I, Extent] : llvm::enumerate(Call.getOutputShape()))
    Kept.push_back(getShiftedPlaces(
        Whole[I], I != 0 && I <= NumBlocks ? -(*Pairs)[I - 1].first : 0,
        Extent));
  gatherPlaces(Call, *Joined, Kept, *Fill, Call.getOutputTensor());
  return success();
}
