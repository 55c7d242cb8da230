//===- LayoutKernels.cpp - Conversions between layouts --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// layout_transform and auto_scheduler_layout_transform of Ops/Rearrange.td.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/Rearrange.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// layout_transform
//===----------------------------------------------------------------------===//

namespace {
/// The reads of one letter, such as C, of the source in the destination. A
/// position is that on the axis C times the block size, plus that in the block
/// c.
struct LetterMap {
  int64_t FromBlock, ToBlock; ///< 1 if the axis is not split
  int64_t Step, BlockStep;    ///< in the source
  int64_t FromLength;         ///< number of positions in the source

  /// Returns the offset of position \p P in the source.
  int64_t getOffset(int64_t P) const {
    return P / FromBlock * Step + P % FromBlock * BlockStep;
  }
};

/// The axes of the destination, split so that each is read by one stride.
struct LayoutWalk {
  TensorShape Shape;
  Strides Steps;

  void add(int64_t Extent, int64_t Step) {
    Shape.push_back(Extent);
    Steps.push_back(Step);
  }
  /// Adds an axis of \p Extent positions; blocks if \p IsBlock is set.
  void addAxis(const LetterMap &M, int64_t Extent, bool IsBlock);
};
} // namespace

void LayoutWalk::addAxis(const LetterMap &M, int64_t Extent, bool IsBlock) {
  if (M.FromBlock % M.ToBlock == 0) {
    int64_t Ratio = M.FromBlock / M.ToBlock;
    if (IsBlock)
      return add(Extent, M.BlockStep);
    add(Extent / Ratio, M.Step);
    return add(Ratio, M.ToBlock * M.BlockStep);
  }
  int64_t Ratio = M.ToBlock / M.FromBlock;
  if (!IsBlock)
    return add(Extent, Ratio * M.Step);
  add(Ratio, M.Step);
  add(M.FromBlock, M.BlockStep);
}

static LetterMap getLetterMap(const Layout &From, const Layout &To, char Letter,
                              ArrayRef<int64_t> Shape) {
  Strides Steps = getStrides(Shape);
  int Axis = From.indexOf(Letter);
  int Block = From.indexOf(llvm::toLower(Letter));
  LetterMap M;
  M.FromBlock = From.getBlockSize(Letter);
  M.ToBlock = To.getBlockSize(Letter);
  M.Step = Steps[Axis];
  M.BlockStep = Block < 0 ? 0 : Steps[Block];
  M.FromLength = Shape[Axis] * M.FromBlock;
  return M;
}

/// Fills the output element by element, with 0 where the source has none
/// because its length is not a multiple of a block.
static void transformPadded(KernelCall &Call, const Layout &To,
                            ArrayRef<LetterMap> Letters) {
  const Tensor &Data = Call.getInput(0);
  Tensor &Out = Call.getOutputTensor();
  Strides Steps = getStrides(Out.getShape());
  SmallVector<unsigned, 6> Primal; // for each axis of To: the axis of its
                                   // letter
  for (Layout::Axis Axis : To.getAxes())
    Primal.push_back(To.indexOf(Axis.primal()));
  auto GetOffset = [&](int64_t I) -> std::optional<int64_t> {
    SmallVector<int64_t, 6> Places(Primal.size(), 0);
    for (auto [Axis, Of] : llvm::enumerate(Primal)) {
      int64_t Place = I / Steps[Axis] % Out.getDim(Axis);
      Places[Of] += Axis == Of ? Place * Letters[Axis].ToBlock : Place;
    }
    int64_t Offset = 0;
    for (auto [Axis, Of] : llvm::enumerate(Primal)) {
      if (Axis != Of)
        continue;
      if (Places[Axis] >= Letters[Axis].FromLength)
        return std::nullopt;
      Offset += Letters[Axis].getOffset(Places[Axis]);
    }
    return Offset;
  };
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *Elements = getMutableRawElements<E>(Out);
    for (int64_t I = 0; I != Out.getNumElements(); ++I) {
      std::optional<int64_t> Offset = GetOffset(I);
      Elements[I] = Offset ? From[*Offset] : E(0);
    }
  });
}

/// data: [..] of src_layout -> [..] of dst_layout.
LogicalResult relay::evalLayoutTransform(KernelCall &Call) {
  const auto &A = Call.getAttrs<LayoutTransformAttrs>();
  std::optional<LayoutMap> Map = LayoutMap::get(A.srcLayout(), A.dstLayout());
  const Tensor &Data = Call.getInput(0);
  const Layout &From = Map->getFrom(), &To = Map->getTo();
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  LayoutWalk Walk;
  SmallVector<LetterMap, 6> Letters; // for each axis of To
  bool IsStrided = true;
  for (auto [I, Axis] : llvm::enumerate(To.getAxes())) {
    char Letter = Axis.primal();
    LetterMap M = getLetterMap(From, To, Letter, Data.getShape());
    Letters.push_back(M);
    IsStrided &= Shape[To.indexOf(Letter)] * M.ToBlock == M.FromLength &&
                 (M.FromBlock % M.ToBlock == 0 || M.ToBlock % M.FromBlock == 0);
    if (IsStrided)
      Walk.addAxis(M, Shape[I], !Axis.isPrimal());
  }
  if (IsStrided)
    copyStrided(Call, Data, 0, Call.getOutputTensor(), Walk.Shape, Walk.Steps);
  else
    transformPadded(Call, To, Letters);
  return success();
}

//===----------------------------------------------------------------------===//
// auto_scheduler_layout_transform
//===----------------------------------------------------------------------===//

/// Returns the letters of a layout such as `8N4C2n`.
static std::string getLetters(StringRef Text) {
  std::string Letters;
  llvm::copy_if(Text, std::back_inserter(Letters), llvm::isAlpha);
  return Letters;
}

/// A letter that occurs several times in dst_layout is split, outer part first.
LogicalResult relay::evalAutoSchedulerLayoutTransform(KernelCall &Call) {
  const auto &A = Call.getAttrs<AutoSchedulerLayoutTransformAttrs>();
  const Tensor &Data = Call.getInput(0);
  std::string From = getLetters(A.srcLayout()), To = getLetters(A.dstLayout());
  if (From.size() != Data.getRank())
    return Call.emitError("data of rank " + Twine(Data.getRank()) +
                          " is not of the layout " + A.srcLayout());
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  if (Call.getOutputTensor().getNumElements() == 0)
    return success();
  Strides FromSteps = getStrides(Data.getShape()), Steps(Shape.size(), 0);
  for (auto [Axis, Letter] : llvm::enumerate(From)) {
    int64_t Length = 1;
    for (size_t I = Shape.size(); I-- != 0;) {
      if (To[I] != Letter)
        continue;
      Steps[I] += FromSteps[Axis] * Length;
      Length *= Shape[I];
    }
    if (Length > Data.getDim(Axis))
      return Call.emitError("the layout " + A.dstLayout() + " has " +
                            Twine(Length) + " places for an axis of " +
                            Twine(Data.getDim(Axis)));
  }
  copyStrided(Call, Data, Steps);
  return success();
}
