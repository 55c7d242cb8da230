//===- Layout.cpp - Names of the axes of tensors --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing of layouts and conversion of shapes; see Layout.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Layout.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Ops/DimMath.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

std::optional<Layout> Layout::get(ArrayRef<Axis> Axes) {
  Layout L;
  for (Axis A : Axes) {
    if (A.isPrimal() && L.contains(A.Name))
      return std::nullopt;
    L.Axes.push_back(A);
  }
  for (Axis A : Axes)
    if (!L.contains(A.primal()))
      return std::nullopt;
  return L;
}

std::optional<Layout> Layout::parse(StringRef Text) {
  constexpr int32_t MaxFactor = 1 << 24;
  SmallVector<Axis, 6> Axes;
  int32_t Factor = 0;
  for (char C : Text) {
    if (llvm::isDigit(C)) {
      Factor = Factor * 10 + (C - '0');
      if (Factor > MaxFactor)
        return std::nullopt;
      continue;
    }
    bool IsPrimal = C >= 'A' && C <= 'Z';
    if (!llvm::isAlpha(C) || IsPrimal != (Factor == 0))
      return std::nullopt;
    Axes.push_back({C, Factor});
    Factor = 0;
  }
  if (Factor || Axes.empty())
    return std::nullopt;
  return get(Axes);
}

int Layout::indexOf(char Name) const {
  for (auto [I, A] : llvm::enumerate(Axes))
    if (A.Name == Name)
      return I;
  return -1;
}

bool Layout::hasAxes(StringRef Names) const {
  return llvm::equal(Axes, Names,
                     [](const Axis &A, char Name) { return A.Name == Name; });
}

unsigned Layout::getNumPrimal() const {
  return llvm::count_if(Axes, [](Axis A) { return A.isPrimal(); });
}

int64_t Layout::getBlockSize(char Primal) const {
  int64_t Size = 1;
  for (Axis A : Axes)
    if (!A.isPrimal() && A.primal() == Primal)
      Size *= A.Factor;
  return Size;
}

bool Layout::hasSameAxes(const Layout &O) const {
  auto IsIn = [](const Layout &L) {
    return [&L](Axis A) { return L.contains(A.primal()); };
  };
  return llvm::all_of(O.Axes, IsIn(*this)) && llvm::all_of(Axes, IsIn(O));
}

std::string Layout::str() const {
  std::string Text;
  for (Axis A : Axes) {
    if (!A.isPrimal())
      Text += std::to_string(A.Factor);
    Text += A.Name;
  }
  return Text;
}

//===----------------------------------------------------------------------===//
// LayoutMap
//===----------------------------------------------------------------------===//

std::optional<LayoutMap> LayoutMap::get(const Layout &From, const Layout &To) {
  if (!From.hasSameAxes(To))
    return std::nullopt;
  return LayoutMap(From, To);
}

std::optional<LayoutMap> LayoutMap::get(StringRef From, StringRef To) {
  std::optional<Layout> L = Layout::parse(From), R = Layout::parse(To);
  if (!L || !R)
    return std::nullopt;
  return get(*L, *R);
}

static LogicalResult checkShape(const Layout &L, ArrayRef<Dim> Shape,
                                std::string *Why) {
  auto Fail = [&](const Twine &Message) {
    if (Why)
      *Why = Message.str();
    return failure();
  };
  if (Shape.size() != L.getRank())
    return Fail("a tensor of layout " + L.str() + " has rank " +
                Twine(L.getRank()) + ", not " + Twine(Shape.size()));
  for (auto [A, D] : llvm::zip(L.getAxes(), Shape))
    if (!A.isPrimal() && D.isConst() && D.getInt() != A.Factor)
      return Fail("axis '" + Twine(A.Name) + "' of layout " + L.str() + " is " +
                  Twine(A.Factor) + ", not " + Twine(D.getInt()));
  return success();
}

static FailureOr<SmallVector<Dim, 6>> convert(Context &Ctx, const Layout &From,
                                              const Layout &To,
                                              ArrayRef<Dim> Shape,
                                              std::string *Why) {
  if (failed(checkShape(From, Shape, Why)))
    return failure();
  DimMath Math(Ctx);
  SmallVector<Dim, 6> Result;
  for (Layout::Axis A : To.getAxes()) {
    if (!A.isPrimal()) {
      Result.push_back(Math.get(A.Factor));
      continue;
    }
    Dim Size = Math.toInt32(Shape[From.indexOf(A.Name)]);
    Size = Math.mul(Size, From.getBlockSize(A.Name));
    Size = Math.ceilDiv(Size, To.getBlockSize(A.Name));
    Result.push_back(simplifyDim(Ctx, Size));
  }
  return Result;
}

FailureOr<SmallVector<Dim, 6>>
LayoutMap::forward(Context &Ctx, ArrayRef<Dim> Shape, std::string *Why) const {
  return convert(Ctx, From, To, Shape, Why);
}

FailureOr<SmallVector<Dim, 6>>
LayoutMap::backward(Context &Ctx, ArrayRef<Dim> Shape, std::string *Why) const {
  return convert(Ctx, To, From, Shape, Why);
}
