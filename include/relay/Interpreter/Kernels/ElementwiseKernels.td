//===- ElementwiseKernels.td - Elementwise kernels ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/ElementwiseKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_ELEMENTWISEKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_ELEMENTWISEKERNELS_TD

include "relay/Ops/Elementwise.td"

// One operand.
def : Kernel<AbsOp, "evalAbs">;
def : Kernel<AcosOp, "evalAcos">;
def : Kernel<AcoshOp, "evalAcosh">;
def : Kernel<AsinOp, "evalAsin">;
def : Kernel<AsinhOp, "evalAsinh">;
def : Kernel<AtanOp, "evalAtan">;
def : Kernel<AtanhOp, "evalAtanh">;
def : Kernel<BitwiseNotOp, "evalBitwiseNot">;
def : Kernel<CeilOp, "evalCeil">;
def : Kernel<ClipOp, "evalClip">;
def : Kernel<CopyOp, "evalCopy">;
def : Kernel<CosOp, "evalCos">;
def : Kernel<CoshOp, "evalCosh">;
def : Kernel<ErfOp, "evalErf">;
def : Kernel<ExpOp, "evalExp">;
def : Kernel<FastErfOp, "evalFastErf">;
def : Kernel<FastExpOp, "evalExp">;
def : Kernel<FastTanhOp, "evalTanh">;
def : Kernel<FixedPointMultiplyOp, "evalFixedPointMultiply">;
def : Kernel<FixedPointMultiplyPerAxisOp, "evalFixedPointMultiplyPerAxis">;
def : Kernel<FloorOp, "evalFloor">;
def : Kernel<IsFiniteOp, "evalIsFinite">;
def : Kernel<IsInfOp, "evalIsInf">;
def : Kernel<IsNanOp, "evalIsNan">;
def : Kernel<LogOp, "evalLog">;
def : Kernel<Log10Op, "evalLog10">;
def : Kernel<Log2Op, "evalLog2">;
def : Kernel<LogicalNotOp, "evalLogicalNot">;
def : Kernel<NegativeOp, "evalNegative">;
def : Kernel<OnesLikeOp, "evalOnesLike">;
def : Kernel<RoundOp, "evalRound">;
def : Kernel<RsqrtOp, "evalRsqrt">;
def : Kernel<SigmoidOp, "evalSigmoid">;
def : Kernel<SignOp, "evalSign">;
def : Kernel<SinOp, "evalSin">;
def : Kernel<SinhOp, "evalSinh">;
def : Kernel<SqrtOp, "evalSqrt">;
def : Kernel<TanOp, "evalTan">;
def : Kernel<TanhOp, "evalTanh">;
def : Kernel<TruncOp, "evalTrunc">;
def : Kernel<ZerosLikeOp, "evalZerosLike">;

// Two operands.
def : Kernel<AddOp, "evalAdd">;
def : Kernel<BitwiseAndOp, "evalBitwiseAnd">;
def : Kernel<BitwiseOrOp, "evalBitwiseOr">;
foreach op = [BitwiseXorOp, LogicalXorOp] in
  def : Kernel<op, "evalBitwiseXor">;
def : Kernel<DivideOp, "evalDivide">;
def : Kernel<EqualOp, "evalEqual">;
def : Kernel<FloorDivideOp, "evalFloorDivide">;
def : Kernel<FloorModOp, "evalFloorMod">;
def : Kernel<GreaterOp, "evalGreater">;
def : Kernel<GreaterEqualOp, "evalGreaterEqual">;
def : Kernel<LeftShiftOp, "evalLeftShift">;
def : Kernel<LessOp, "evalLess">;
def : Kernel<LessEqualOp, "evalLessEqual">;
def : Kernel<LogicalAndOp, "evalLogicalAnd">;
def : Kernel<LogicalOrOp, "evalLogicalOr">;
def : Kernel<MaximumOp, "evalMaximum">;
def : Kernel<MinimumOp, "evalMinimum">;
def : Kernel<ModOp, "evalMod">;
def : Kernel<MultiplyOp, "evalMultiply">;
def : Kernel<NotEqualOp, "evalNotEqual">;
def : Kernel<PowerOp, "evalPower">;
def : Kernel<RightShiftOp, "evalRightShift">;
def : Kernel<SubtractOp, "evalSubtract">;
def : Kernel<TruncDivideOp, "evalTruncDivide">;
def : Kernel<TruncModOp, "evalTruncMod">;

// Conversion and choice.
foreach op = [CastOp, CastLikeOp] in
  def : Kernel<op, "evalCast">;
def : Kernel<ReinterpretOp, "evalReinterpret">;
def : Kernel<WhereOp, "evalWhere">;

#endif // RELAY_INTERPRETER_KERNELS_ELEMENTWISEKERNELS_TD
