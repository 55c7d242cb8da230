//===- SimplifyBinomial.cpp - Factor quadratic forms ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// a x x + b x y + c y y is a (x + p y) (x + q y) with
//
//   p, q = (b +- sqrt(D)) / 2a,  D = b b - 4 a c.
//
// Which of the two values is x decides how the result
// is written; that is TVM's choice. TVM computes p and q of integers by
// divisions that round; here they have to be integers.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Simplify/SimplifyExpr.h.inc"

using namespace relay;

namespace {

/// A product of two values and perhaps a constant.
struct BinomialTerm {
  Value *Factors[2];
  Operation *Coefficient = nullptr;
  /// The one that leads, by the form of the product.
  Value *Leading;

  bool isSquare() const { return Factors[0] == Factors[1]; }
};

/// The form, and what its factors are.
struct Binomial {
  Value *X, *Y;
  Operation *A; ///< null where it is 1
  double P, Q;
};

} // namespace

/// A scalar, or a constant of one number that does not change shapes.
static Operation *getCoefficient(Value *V) {
  auto C = dyn_cast<ConstantOp>(V);
  return C && C->isFloating() ? C.getOperation() : nullptr;
}

/// The product \p V; null if it is none. It may have other users, as in TVM.
static MultiplyOp getInnerProduct(Value *V) {
  auto Product = dyn_cast<MultiplyOp>(V);
  return Product && Product->isFloating() ? Product : MultiplyOp();
}

static std::optional<BinomialTerm> readTerm(Value *V) {
  MultiplyOp Product = getInnerProduct(V);
  if (!Product)
    return std::nullopt;
  Value *Sides[] = {Product.lhs(), Product.rhs()};
  for (unsigned I : {0, 1}) {
    Operation *C = getCoefficient(Sides[I]);
    MultiplyOp Inner = getInnerProduct(Sides[1 - I]);
    if (C && Inner) // c * (v * w)
      return BinomialTerm{{Inner.lhs(), Inner.rhs()}, C, Inner.lhs()};
  }
  for (unsigned I : {0, 1}) {
    MultiplyOp Inner = getInnerProduct(Sides[I]);
    if (!Inner)
      continue;
    Value *Other = Sides[1 - I];
    if (Operation *C = getCoefficient(Inner.lhs())) // (c * v) * w
      return BinomialTerm{{Inner.rhs(), Other}, C, Other};
    if (Operation *C = getCoefficient(Inner.rhs()))
      return BinomialTerm{{Inner.lhs(), Other}, C, Other};
  }
  return BinomialTerm{{Sides[0], Sides[1]}, nullptr, Sides[0]};
}

/// Returns the three terms of \p Sum, those of \p Inner first; none if they do
/// not form a quadratic form of two values.
static std::optional<std::array<BinomialTerm, 3>> readTerms(AddOp Sum,
                                                            AddOp Inner) {
  Value *Other = Sum.lhs() == Inner ? Sum.rhs() : Sum.lhs();
  auto P = readTerm(Inner.lhs()), Q = readTerm(Inner.rhs());
  auto R = readTerm(Other);
  if (!P || !Q || !R || P->isSquare() + Q->isSquare() + R->isSquare() != 2)
    return std::nullopt;
  return std::array<BinomialTerm, 3>{*P, *Q, *R};
}

/// The value that leads among \p Terms, as TVM sees it.
static Value *chooseLeading(const std::array<BinomialTerm, 3> &Terms,
                            bool IsLeftNested) {
  SmallVector<Value *, 2> Plain;
  for (const BinomialTerm &T : Terms)
    if (T.isSquare() && !T.Coefficient)
      Plain.push_back(T.Factors[0]);
  if (Plain.size() == 1)
    return Plain.front();
  if (IsLeftNested)
    return Terms[0].Leading;
  if (!Terms[2].isSquare())
    return Terms[2].Leading;
  return Terms[Terms[0].isSquare() ? 0 : 1].Leading;
}

/// The number of \p C, 1 if there is none; nullopt if it has several.
static std::optional<double> getNumber(Operation *C) {
  if (!C)
    return 1;
  return getConstantData(C)->getSplat<double>();
}

/// Returns true if \p X has full precision: not infinite, NaN or subnormal.
template <typename F> static bool isPrecise(F X) {
  return X == 0 || std::isnormal(X);
}

/// p and q, in the precision of F; nullopt if there are none, if rounding
/// prevents their product and sum from giving \p B and \p C, or if the factors
/// overflow for operands of 1 before the multiplication by \p A.
template <typename F>
static std::optional<std::pair<double, double>> solve(F A, F B, F C) {
  F D = B * B - 4 * A * C;
  if (!(A != 0) || !(D >= 0))
    return std::nullopt;
  F Root = std::sqrt(D);
  F P = (B + Root) / (2 * A), Q = (B - Root) / (2 * A);
  if (!llvm::all_of(std::initializer_list<F>{A, B, C, D, P, Q, P * Q},
                    isPrecise<F>))
    return std::nullopt;
  F Slack = F(1e-5) * std::max({std::abs(A), std::abs(B), std::abs(C)});
  if (!(std::abs(A * (P + Q) - B) <= Slack) ||
      !(std::abs(A * P * Q - C) <= Slack))
    return std::nullopt;
  return std::pair<double, double>(P, Q);
}

static std::optional<std::pair<double, double>> solve(DType T, double A,
                                                      double B, double C) {
  if (T.isFloat(32))
    return solve<float>(A, B, C);
  if (T.isFloat(64))
    return solve<double>(A, B, C);
  auto Roots = T.isInt(32) ? solve<double>(A, B, C) : std::nullopt;
  if (!Roots)
    return std::nullopt;
  auto [P, Q] = *Roots;
  // Multiplying back detects rounding.
  bool IsExact = std::abs(P) < 0x1p31 && std::abs(Q) < 0x1p31 &&
                 P == std::trunc(P) && Q == std::trunc(Q) && A * (P + Q) == B &&
                 A * P * Q == C;
  return IsExact ? Roots : std::nullopt;
}

/// Returns true if the result has the shape of \p Sum: constants may have a
/// shape of their own.
static bool keepsShape(const std::array<BinomialTerm, 3> &Terms, AddOp Sum) {
  auto IsScalar = [](const BinomialTerm &T) {
    return !T.Coefficient ||
           cast<TensorType>(T.Coefficient->getType())->isScalar();
  };
  return llvm::all_of(Terms, IsScalar) ||
         llvm::any_of(Terms, [&](const BinomialTerm &T) {
           return T.Factors[0]->getType() == Sum->getType();
         });
}

static std::optional<Binomial> readBinomial(AddOp Sum, AddOp Inner) {
  auto *T = dyn_cast_or_null<TensorType>(Sum->getType());
  auto Terms = readTerms(Sum, Inner);
  if (!T || !Terms || !keepsShape(*Terms, Sum))
    return std::nullopt;
  Binomial Form;
  Form.X = chooseLeading(*Terms, Sum.lhs() == Inner);
  Form.A = nullptr;
  Form.Y = nullptr;
  std::optional<double> A, B, C;
  const BinomialTerm *Mixed = nullptr;
  for (const BinomialTerm &Term : *Terms) {
    if (!Term.isSquare()) {
      Mixed = &Term;
      B = getNumber(Term.Coefficient);
    } else if (Term.Factors[0] == Form.X && !A) {
      A = getNumber(Term.Coefficient);
      Form.A = Term.Coefficient;
    } else {
      C = getNumber(Term.Coefficient);
      Form.Y = Term.Factors[0];
    }
  }
  if (!A || !B || !C || Form.X == Form.Y)
    return std::nullopt;
  Value *const *F = Mixed->Factors;
  if (!(F[0] == Form.X && F[1] == Form.Y) &&
      !(F[1] == Form.X && F[0] == Form.Y))
    return std::nullopt;
  auto Roots = solve(T->getDType(), *A, *B, *C);
  if (!Roots)
    return std::nullopt;
  std::tie(Form.P, Form.Q) = *Roots;
  return Form;
}

bool relay::isBinomial(AddOp Sum, AddOp Inner) {
  return readBinomial(Sum, Inner).has_value();
}

Value *relay::createFactors(Rewriter &R, AddOp Sum, AddOp Inner) {
  Binomial Form = *readBinomial(Sum, Inner);
  DType T = cast<TensorType>(Sum->getType())->getDType();
  auto CreateFactor = [&](double Root) {
    Value *Scaled = R.create<MultiplyOp>(Form.Y, R.constant(T, Root));
    return R.create<AddOp>(Form.X, Scaled);
  };
  Value *First = CreateFactor(Form.P);
  Value *Second = Form.P == Form.Q ? First : CreateFactor(Form.Q);
  Value *Product = R.create<MultiplyOp>(First, Second);
  return Form.A ? R.create<MultiplyOp>(Form.A, Product).getOperation()
                : Product;
}
