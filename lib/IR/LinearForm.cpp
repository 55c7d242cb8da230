//===- LinearForm.cpp - Sums of dimensions --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions as sums with integer factors, to decide equality and to simplify.
// A term that is neither a sum nor a multiple (a division, a product of
// variables) is treated as one unknown.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TypeRelation.h"
#include "relay/IR/TypeUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

namespace {
/// A sum of dimensions with integer factors.
class LinearForm {
public:
  /// \p SeesThroughCasts: a cast counts as its operand.
  explicit LinearForm(bool SeesThroughCasts)
      : SeesThroughCasts(SeesThroughCasts) {}

  /// Adds \p Factor times \p D. Returns false on overflow, if `?` occurs, or if
  /// the expression is too large.
  bool add(Dim D, int64_t Factor);
  bool isZero() const {
    return Constant == 0 &&
           llvm::all_of(Terms, [](const auto &T) { return T.second == 0; });
  }
  /// Divides all factors by \p Divisor. Returns false if there is a remainder.
  bool divide(int64_t Divisor);
  /// Returns the sum as a dimension of type \p T.
  Dim build(Context &Ctx, DType T) const;

private:
  /// Performs one step: adds \p D to the form, or its operands to the stack.
  bool addOne(Dim D, int64_t Factor);
  /// Also returns false for sums without an absolute value.
  bool addTo(int64_t &Sum, int64_t Value) {
    return !llvm::AddOverflow(Sum, Value, Sum) &&
           Sum != std::numeric_limits<int64_t>::min();
  }

  static constexpr unsigned MaxSteps = 4096;
  bool SeesThroughCasts;
  int64_t Constant = 0;
  SmallVector<std::pair<Dim, int64_t>, 8> Terms;
  SmallVector<std::pair<Dim, int64_t>, 8> Stack;
};
} // namespace

bool LinearForm::add(Dim D, int64_t Factor) {
  Stack.push_back({D, Factor});
  for (unsigned Step = 0; !Stack.empty(); ++Step) {
    auto [Next, NextFactor] = Stack.pop_back_val();
    if (Step == MaxSteps || !addOne(Next, NextFactor))
      return false;
  }
  return true;
}

bool LinearForm::addOne(Dim D, int64_t Factor) {
  if (D.isAny())
    return false;
  int64_t Product;
  if (D.isConst())
    return !llvm::MulOverflow(D.getInt(), Factor, Product) &&
           addTo(Constant, Product);
  if (D.isExpr()) {
    ArrayRef<Dim> Operands = D.getOperands();
    switch (D.getOp()) {
    case DimOp::Add:
      Stack.append({{Operands[1], Factor}, {Operands[0], Factor}});
      return true;
    case DimOp::Sub:
      if (llvm::MulOverflow(Factor, int64_t(-1), Product))
        return false;
      Stack.append({{Operands[1], Product}, {Operands[0], Factor}});
      return true;
    case DimOp::Cast:
      if (!SeesThroughCasts)
        break;
      Stack.push_back({Operands[0], Factor});
      return true;
    case DimOp::Mul: {
      unsigned C = Operands[0].isConst() ? 0 : 1;
      if (!Operands[C].isConst())
        break;
      Stack.push_back({Operands[1 - C], 0});
      return !llvm::MulOverflow(Operands[C].getInt(), Factor,
                                Stack.back().second);
    }
    default:
      break;
    }
  }
  for (auto &[Atom, Sum] : Terms)
    if (Atom == D)
      return addTo(Sum, Factor);
  Terms.push_back({D, 0});
  return addTo(Terms.back().second, Factor);
}

bool LinearForm::divide(int64_t Divisor) {
  if (Divisor <= 0 || Constant % Divisor != 0)
    return false;
  for (auto &[Atom, Factor] : Terms)
    if (Factor % Divisor != 0)
      return false;
  Constant /= Divisor;
  for (auto &[Atom, Factor] : Terms)
    Factor /= Divisor;
  return true;
}

Dim LinearForm::build(Context &Ctx, DType T) const {
  Dim Sum;
  auto Append = [&](Dim D, bool IsNegative) {
    if (!Sum)
      Sum =
          IsNegative ? Ctx.getDimExpr(DimOp::Sub, {Ctx.getDim(0, T), D}, T) : D;
    else
      Sum = Ctx.getDimExpr(IsNegative ? DimOp::Sub : DimOp::Add, {Sum, D}, T);
  };
  for (auto [Atom, Factor] : Terms)
    if (Factor != 0)
      Append(Ctx.getDimExpr(DimOp::Mul, {Atom, Ctx.getDim(std::abs(Factor), T)},
                            T),
             Factor < 0);
  if (Constant != 0 || !Sum)
    Append(Ctx.getDim(Sum ? std::abs(Constant) : Constant, T),
           Sum && Constant < 0);
  return Sum;
}

bool relay::provablyEqual(Dim A, Dim B) {
  if (A.isConst() && B.isConst())
    return A.getInt() == B.getInt();
  if (A.isAny() || B.isAny())
    return false;
  if (A == B)
    return true;
  LinearForm Difference(/*SeesThroughCasts=*/true);
  return Difference.add(A, 1) && Difference.add(B, -1) && Difference.isZero();
}

Dim relay::simplifyDim(Context &Ctx, Dim D) {
  if (!D.isExpr())
    return D;
  LinearForm Form(/*SeesThroughCasts=*/false);
  DType T = D.getNumberType();
  if (D.getOp() == DimOp::FloorDiv && D.getOperands()[1].isConst()) {
    Dim Whole = D.getOperands()[0];
    if (Form.add(Whole, 1) && Form.divide(D.getOperands()[1].getInt()))
      return Form.build(Ctx, T);
    return D;
  }
  return Form.add(D, 1) ? Form.build(Ctx, T) : D;
}
