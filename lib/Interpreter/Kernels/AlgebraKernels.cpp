//===- AlgebraKernels.cpp - Kernels of Ops/Algebra.td ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of products over named axes.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Contraction/Contraction.h"
#include "relay/Ops/Algebra.h"
#include "relay/Ops/EinsumFormula.h"

using namespace relay;

namespace {
/// The axes of an einsum: the axes of the result, then those summed over, in
/// the order in which the operands name them.
class EinsumAxes {
public:
  explicit EinsumAxes(KernelCall &Call) : Call(Call) {}

  /// Reads the formula of the call; the lengths of axes have been checked.
  LogicalResult read();

  TensorShape Kept, Summed;
  /// The strides of each operand along \c Kept and along \c Summed.
  SmallVector<Strides, 3> KeptSteps, SummedSteps;

private:
  /// An axis of the formula. Axes of the ellipsis have the letter `.` and are
  /// told apart by \p FromEnd, their position counted from its end.
  struct Axis {
    char Letter;
    unsigned FromEnd = 0;
    bool operator==(const Axis &O) const {
      return Letter == O.Letter && FromEnd == O.FromEnd;
    }
  };
  using AxisList = SmallVector<Axis, 6>;

  /// Returns the axes that \p Text names for \p Rank dimensions.
  static AxisList expand(StringRef Text, unsigned Rank);
  void addOperand(ArrayRef<Axis> Own, const Tensor &T);

  KernelCall &Call;
  AxisList All; ///< the kept ones first
  unsigned NumKept = 0;
  TensorShape Extents;
  SmallVector<Strides, 3> Steps;
};
} // namespace

EinsumAxes::AxisList EinsumAxes::expand(StringRef Text, unsigned Rank) {
  AxisList Result;
  unsigned NumLetters = Text.size() - Text.count('.');
  for (char Letter : Text) {
    unsigned Count = Letter == '.' ? Rank - NumLetters : 1;
    for (unsigned I = 0; I != Count; ++I)
      Result.push_back({Letter, Letter == '.' ? Count - I : 0});
  }
  return Result;
}

/// An axis of length 1 is repeated; an axis named twice by an operand is a
/// diagonal.
void EinsumAxes::addOperand(ArrayRef<Axis> Own, const Tensor &T) {
  Steps.emplace_back(All.size(), 0);
  for (auto [Name, Extent, Distance] :
       llvm::zip(Own, T.getShape(), getStrides(T.getShape()))) {
    size_t I = llvm::find(All, Name) - All.begin();
    if (I == All.size()) {
      All.push_back(Name);
      Extents.push_back(1);
      for (Strides &S : Steps)
        S.push_back(0);
    }
    if (Extent == 1)
      continue;
    Extents[I] = Extent;
    Steps.back()[I] += Distance;
  }
}

LogicalResult EinsumAxes::read() {
  auto Formula = EinsumFormula::parse(Call.getAttrs<EinsumAttrs>().equation());
  if (!Formula || !Call.hasOutputShape())
    return Call.emitError("the axes of the result are not known");
  All = expand(Formula->Output, Call.getOutputShape().size());
  NumKept = All.size();
  for (unsigned I = 0; I != NumKept; ++I)
    if (llvm::find(All, All[I]) != All.begin() + I)
      return Call.emitError("the result names an axis twice");
  Extents.assign(NumKept, 1);
  for (auto [Text, T] : llvm::zip(Formula->Inputs, Call.getTuple(0)))
    addOperand(expand(Text, T->getRank()), *T);
  Kept.assign(Extents.begin(), Extents.begin() + NumKept);
  Summed.assign(Extents.begin() + NumKept, Extents.end());
  for (const Strides &S : Steps) {
    KeptSteps.emplace_back(S.begin(), S.begin() + NumKept);
    SummedSteps.emplace_back(S.begin() + NumKept, S.end());
  }
  return success();
}

/// Returns the sum over \p Walk of the products of \p Operands, each at its
/// offset. As in a contraction, each product and sum is rounded.
template <typename T>
static T sumProducts(ArrayRef<const T *> Operands, const StridedWalk &Walk) {
  T Sum = 0;
  Walk.forEachRow([&](int64_t, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I) {
      T Product = 1;
      for (auto [J, Data] : llvm::enumerate(Operands))
        Product = Product * Data[Offsets[J] + I * Walk.getRowStride(J)];
      Sum += Product;
    }
  });
  return Sum;
}

/// data: tensors with the axes in `equation` -> their product, summed over the
/// axes missing in the result.
LogicalResult relay::evalEinsum(KernelCall &Call) {
  DType T = Call.getOutputDType();
  EinsumAxes Axes(Call);
  if (failed(Axes.read()))
    return failure();
  SmallVector<Tensor, 3> Operands;
  for (const Tensor *Operand : Call.getTuple(0)) {
    if (T.isBool())
      return Call.emitUnsupported(T);
    auto Loaded = loadContracted(Call, *Operand, T);
    if (failed(Loaded))
      return failure();
    Operands.push_back(std::move(*Loaded));
  }
  auto Sums = Call.allocate(getContractDType(T), Call.getOutputShape());
  if (!Sums)
    return failure();
  StridedWalk Kept(Axes.Kept, Axes.KeptSteps);
  StridedWalk Summed(Axes.Summed, Axes.SummedSteps);
  uint64_t Cost = Summed.getNumRows() * Summed.getRowLength();
  auto Done = dispatchContraction(Call, T, [&](auto Zero) {
    using C = decltype(Zero);
    C *Out = Sums->template getMutableElements<C>().data();
    auto VisitRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
      SmallVector<const C *, 3> At(Operands.size());
      for (int64_t I = 0; I != Kept.getRowLength(); ++I) {
        for (auto [J, Operand] : llvm::enumerate(Operands))
          At[J] = Operand.template getElements<C>().data() + Offsets[J] +
                  I * Kept.getRowStride(J);
        Out[First + I] = sumProducts<C>(At, Summed);
      }
    };
    return Call.limitedFor(
        Kept.getNumRows(),
        llvm::SaturatingMultiply<uint64_t>(Cost, Kept.getRowLength()),
        [&](int64_t Begin, int64_t End) {
          Kept.forEachRow(Begin, End, VisitRow);
        });
  });
  FailureOr<Tensor> Result = failed(Done) ? FailureOr<Tensor>(failure())
                                          : storeContracted(Call, *Sums, T);
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}
