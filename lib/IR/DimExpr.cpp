//===- DimExpr.cpp - Arithmetic of dimensions -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folding of dimension expressions: constants, neutral elements, `?`.
//
//===----------------------------------------------------------------------===//

#include "ValueFolding.h"
#include "relay/IR/Context.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

/// Returns `L Op R` for constants; none on overflow or division by zero.
static std::optional<int64_t> evaluate(DimOp Op, int64_t L, int64_t R) {
  int64_t Result;
  bool DivisionFails =
      R == 0 || (R == -1 && L == std::numeric_limits<int64_t>::min());
  switch (Op) {
  case DimOp::Add:
    if (llvm::AddOverflow(L, R, Result))
      return std::nullopt;
    return Result;
  case DimOp::Sub:
    if (llvm::SubOverflow(L, R, Result))
      return std::nullopt;
    return Result;
  case DimOp::Mul:
    if (llvm::MulOverflow(L, R, Result))
      return std::nullopt;
    return Result;
  case DimOp::Div:
    return DivisionFails ? std::nullopt : std::optional(L / R);
  case DimOp::Mod:
    return DivisionFails ? std::nullopt : std::optional(L % R);
  case DimOp::FloorDiv:
    if (DivisionFails)
      return std::nullopt;
    return L / R - (L % R != 0 && (L < 0) != (R < 0));
  case DimOp::FloorMod:
    if (DivisionFails)
      return std::nullopt;
    return L % R + (L % R != 0 && (L < 0) != (R < 0) ? R : 0);
  case DimOp::Min:
    return std::min(L, R);
  case DimOp::Max:
    return std::max(L, R);
  case DimOp::Cast:
    break; // has one operand
  }
  llvm_unreachable("unknown operator");
}

/// Returns `L Op R` if one side is neutral or absorbing; null otherwise.
static Dim foldNeutral(DimOp Op, Dim L, Dim R) {
  switch (Op) {
  case DimOp::Add:
    return L.isConst(0) ? R : R.isConst(0) ? L : Dim();
  case DimOp::Sub:
    return R.isConst(0) ? L : Dim();
  case DimOp::Mul:
    if (L.isConst(0) || R.isConst(1))
      return L;
    return L.isConst(1) || R.isConst(0) ? R : Dim();
  case DimOp::Div:
  case DimOp::FloorDiv:
    return R.isConst(1) ? L : Dim();
  case DimOp::Min:
  case DimOp::Max:
    return L == R ? L : Dim();
  default:
    return {};
  }
}

Dim relay::foldDimExpr(DimOp Op, ArrayRef<Dim> Operands, DType T,
                       Context &Ctx) {
  for (Dim D : Operands)
    if (D.isAny())
      return D;
  if (Op == DimOp::Cast) {
    if (Operands[0].isConst())
      return Ctx.getDim(Operands[0].getInt(), T);
    return Operands[0].getNumberType() == T ? Operands[0] : Dim();
  }
  if (Operands[0].isConst() && Operands[1].isConst())
    if (std::optional<int64_t> Value =
            evaluate(Op, Operands[0].getInt(), Operands[1].getInt()))
      return Ctx.getDim(*Value, T);
  return foldNeutral(Op, Operands[0], Operands[1]);
}

Dim Context::getDimExpr(DimOp Op, Dim L, Dim R) {
  bool Wide = L.getNumberType() == DType::getInt(64) ||
              R.getNumberType() == DType::getInt(64);
  return getDimExpr(Op, {L, R}, DType::getInt(Wide ? 64 : 32));
}
