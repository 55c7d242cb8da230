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

#include "LayoutOffsets.h"
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

/// Returns true if \p L splits the axis \p Letter more than once.
static bool hasNestedBlocks(const Layout &L, char Letter) {
  return llvm::count_if(L.getAxes(), [Letter](Layout::Axis A) {
           return A.primal() == Letter;
         }) > 2;
}

/// Copies elements one by one: of layouts with blocks in blocks, or of a length
/// that is not a multiple of a block. Elements of the output that the source
/// does not have are 0.
static LogicalResult transformByIndex(KernelCall &Call, const Layout &To) {
  const auto &A = Call.getAttrs<LayoutTransformAttrs>();
  const Tensor &Data = Call.getInput(0);
  Tensor &Out = Call.getOutputTensor();
  std::string Letters;
  for (Layout::Axis Axis : To.getAxes())
    if (Axis.isPrimal())
      Letters.push_back(Axis.Name);
  auto Source =
      LayoutOffsets::get(Call, A.srcLayout(), Letters, Data.getShape());
  auto Target =
      LayoutOffsets::get(Call, A.dstLayout(), Letters, Out.getShape());
  if (failed(Source) || failed(Target))
    return failure();
  TensorShape Extents;
  for (unsigned I = 0; I != Letters.size(); ++I)
    Extents.push_back(std::min(Source->getExtent(I), Target->getExtent(I)));
  int64_t NumElements = *getNumElements(Extents);
  Strides Steps = getStrides(Extents);
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *Elements = getMutableRawElements<E>(Out);
    std::fill_n(Elements, Out.getNumElements(), E(0));
    for (int64_t I = 0; I != NumElements; ++I) {
      int64_t Read = 0, Written = 0;
      for (unsigned L = 0; L != Letters.size(); ++L) {
        int64_t Index = I / Steps[L] % Extents[L];
        Read += (*Source)[L][Index];
        Written += (*Target)[L][Index];
      }
      Elements[Written] = From[Read];
    }
  });
  return success();
}

/// data: [..] of src_layout -> [..] of dst_layout.
LogicalResult relay::evalLayoutTransform(KernelCall &Call) {
  const auto &A = Call.getAttrs<LayoutTransformAttrs>();
  std::optional<LayoutMap> Map = LayoutMap::get(A.srcLayout(), A.dstLayout());
  const Tensor &Data = Call.getInput(0);
  const Layout &From = Map->getFrom(), &To = Map->getTo();
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  LayoutWalk Walk;
  bool IsStrided = true;
  for (auto [I, Axis] : llvm::enumerate(To.getAxes())) {
    char Letter = Axis.primal();
    LetterMap M = getLetterMap(From, To, Letter, Data.getShape());
    IsStrided &= !hasNestedBlocks(From, Letter) &&
                 !hasNestedBlocks(To, Letter) &&
                 Shape[To.indexOf(Letter)] * M.ToBlock == M.FromLength &&
                 (M.FromBlock % M.ToBlock == 0 || M.ToBlock % M.FromBlock == 0);
    if (IsStrided)
      Walk.addAxis(M, Shape[I], !Axis.isPrimal());
  }
  if (!IsStrided)
    return transformByIndex(Call, To);
  copyStrided(Call, Data, 0, Call.getOutputTensor(), Walk.Shape, Walk.Steps);
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
