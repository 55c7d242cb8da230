//===- Algebra.cpp - Sums of products and Fourier transforms --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Algebra.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Algebra.h"
#include "relay/Ops/EinsumFormula.h"
#include "relay/Ops/Relations.h"
#include "llvm/ADT/StringExtras.h"

#include "relay/Ops/Algebra.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {
/// The lengths of the axes of a formula, collected operand by operand.
class EinsumShapes {
public:
  explicit EinsumShapes(TypeRelation &R) : R(R) {}
  LogicalResult addOperand(StringRef Axes, ArrayRef<Dim> Dims);
  FailureOr<Shape> getOutput(StringRef Axes);

private:
  LogicalResult addAxis(char Axis, Dim D);
  LogicalResult addEllipsis(ArrayRef<Dim> Dims);

  TypeRelation &R;
  Dim Letters[128];
  Shape Ellipsis;
};
} // namespace

/// Returns \p Text without spaces and with one dot for an ellipsis; none if it
/// has anything but letters and at most one ellipsis.
static std::optional<std::string> readAxes(StringRef Text) {
  std::string Axes;
  while (!Text.empty()) {
    if (Text.consume_front("...")) {
      Axes += '.';
      continue;
    }
    char C = Text.front();
    Text = Text.drop_front();
    if (llvm::isAlpha(C))
      Axes += C;
    else if (C != ' ')
      return std::nullopt;
  }
  if (StringRef(Axes).count('.') > 1)
    return std::nullopt;
  return Axes;
}

std::optional<EinsumFormula> EinsumFormula::parse(StringRef Text) {
  EinsumFormula Formula;
  auto [Left, Right] = Text.split("->");
  bool HasOutput = Left.size() != Text.size();
  SmallVector<StringRef, 2> Operands;
  Left.split(Operands, ',');
  for (StringRef Operand : Operands) {
    std::optional<std::string> Axes = readAxes(Operand);
    if (!Axes)
      return std::nullopt;
    Formula.Inputs.push_back(*Axes);
  }
  std::optional<std::string> Output =
      HasOutput ? readAxes(Right) : Formula.getImplicitOutput();
  if (!Output)
    return std::nullopt;
  Formula.Output = *Output;
  return Formula;
}

std::string EinsumFormula::getImplicitOutput() const {
  std::string All = llvm::join(Inputs, "");
  std::string Output = StringRef(All).contains('.') ? "." : "";
  for (int C = 'A'; C <= 'z'; ++C)
    if (StringRef(All).count(char(C)) == 1)
      Output += char(C);
  return Output;
}

/// Joins dimensions of an einsum, which broadcast: `?` takes precedence over a
/// variable, and a variable over a number; of two expressions, the greater is
/// the result. TVM: topi's BroadcastShape.
static Dim joinEinsumDims(Context &Ctx, Dim L, Dim R) {
  if (L.isAny() || R.isAny())
    return Dim::getAny();
  if (Dim Joined = broadcastDims(L, R))
    return Joined;
  if (L.isConst() && R.isConst())
    return {};
  if (L.isConst() || R.isConst())
    return L.isConst() ? R : L;
  return DimMath(Ctx).max(L, R);
}

LogicalResult EinsumShapes::addAxis(char Axis, Dim D) {
  Dim &Known = Letters[unsigned(Axis)];
  Dim Joined = Known ? joinEinsumDims(R.getContext(), Known, D) : D;
  if (!Joined) {
    R.error("axis '" + Twine(Axis) + "' has different lengths");
    return failure();
  }
  Known = Joined;
  return success();
}

LogicalResult EinsumShapes::addEllipsis(ArrayRef<Dim> Dims) {
  std::optional<Shape> Joined = broadcastShapes(Ellipsis, Dims);
  if (!Joined) {
    R.error("the axes of '...' do not broadcast");
    return failure();
  }
  Ellipsis = *Joined;
  return success();
}

LogicalResult EinsumShapes::addOperand(StringRef Axes, ArrayRef<Dim> Dims) {
  size_t NumLetters = Axes.size() - Axes.count('.');
  bool HasEllipsis = NumLetters != Axes.size();
  if (Dims.size() < NumLetters || (!HasEllipsis && Dims.size() > NumLetters)) {
    R.error("an operand of rank " + Twine(Dims.size()) + " has " +
            countOf(NumLetters, "axis") + " in the equation");
    return failure();
  }
  for (char Axis : Axes) {
    size_t Count = Axis == '.' ? Dims.size() - NumLetters : 1;
    if (failed(Axis == '.' ? addEllipsis(Dims.take_front(Count))
                           : addAxis(Axis, Dims.front())))
      return failure();
    Dims = Dims.drop_front(Count);
    NumLetters -= Axis != '.';
  }
  return success();
}

FailureOr<Shape> EinsumShapes::getOutput(StringRef Axes) {
  Shape Out;
  for (char Axis : Axes) {
    if (Axis == '.') {
      llvm::append_range(Out, Ellipsis);
      continue;
    }
    if (!Letters[unsigned(Axis)]) {
      R.error("no operand has axis '" + Twine(Axis) + "'");
      return failure();
    }
    Out.push_back(Letters[unsigned(Axis)]);
  }
  return Out;
}

RelationResult relay::inferEinsum(TypeRelation &R) {
  RelationResult Outcome;
  auto Tensors = R.getTensorFields(0, Outcome);
  if (failed(Tensors))
    return Outcome;
  StringRef Equation = R.getAttrs<EinsumAttrs>().equation();
  std::optional<EinsumFormula> Formula = EinsumFormula::parse(Equation);
  if (!Formula)
    return R.error("'" + Equation + "' is not an equation");
  if (Formula->Inputs.size() != Tensors->size())
    return R.error("'" + Equation + "' is of " +
                   countOf(Formula->Inputs.size(), "operand") + ", not " +
                   Twine(Tensors->size()));
  EinsumShapes Shapes(R);
  for (auto [Axes, T] : llvm::zip_equal(Formula->Inputs, *Tensors))
    if (failed(checkSameDType(R, Tensors->front(), T)) ||
        failed(Shapes.addOperand(Axes, T->getShape())))
      return RelationResult::Failed;
  FailureOr<Shape> Out = Shapes.getOutput(Formula->Output);
  if (failed(Out))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(*Out, Tensors->front()->getDType()));
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

// re_data, im_data -> a tuple of both.
RelationResult relay::inferDFT(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  return R.setResult(R.getTupleType({R.getOperand(0), R.getOperand(1)}));
}

// data: [batch, length] or [length] -> [batch, frequencies, windows, 2], or
// without the batch.
RelationResult relay::inferStft(TypeRelation &R) {
  if (!R.getTensor(0))
    return R.unresolved(0);
  const auto &A = R.getAttrs<StftAttrs>();
  const TensorType *Data = R.getTensor(0);
  if (Data->getRank() < 1 || Data->getRank() > 2)
    return R.error("data has rank " + Twine(Data->getRank()) +
                   ", neither 1 nor 2");
  if (A.nFft() <= 0 || A.hopLength() <= 0)
    return R.error("'n_fft' or 'hop_length' is not positive");
  DimMath Math(R.getContext());
  Shape Out(Data->getShape().drop_back());
  Out.push_back(Math.get(A.onesided() ? A.nFft() / 2 + 1 : A.nFft()));
  Out.push_back(Math.windows(Data->getShape().back(), Math.get(0),
                             Math.get(A.nFft()), Math.get(A.hopLength())));
  Out.push_back(Math.get(2));
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}
