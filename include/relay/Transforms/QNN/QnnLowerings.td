//===- QnnLowerings.td - Lowerings of QNN.td ---------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks that lower quantized operators: qnn-legalize adapts them to a target,
// qnn-canonicalize replaces them by operators on integers and floats.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_QNN_QNNLOWERINGS_TD
#define RELAY_TRANSFORMS_QNN_QNNLOWERINGS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/QNN.td"

// Computes the result of `Op` by operations that it creates with `R`, and
// returns a value of the same or a less dynamic type; qnn-canonicalize puts it
// in place. Before it creates any, it announces the rewrite by Op.start(R).
// Returns null and has created nothing if it does not apply or if start()
// returns false. Fails after it has reported why with Op.emitError(). See
// QnnLowering.h.
class QnnCanonicalization<OpDef op, string function>
    : OpHook<"QnnCanonicalization", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "QnnLowering &":$Op);
  let Result = MayFailNullIsNoOpinion<"Value *">;
}

// Like QnnCanonicalization, for qnn-legalize. The result may contain quantized
// operators; the operation itself means that the target keeps it, so that
// entries of other keys are not asked.
class QnnLegalization<OpDef op, string function>
    : OpHook<"QnnLegalization", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "QnnLowering &":$Op);
  let Result = MayFailNullIsNoOpinion<"Value *">;
}

//===----------------------------------------------------------------------===//
// qnn-canonicalize
//===----------------------------------------------------------------------===//

def : QnnCanonicalization<QnnQuantizeOp, "canonicalizeQuantize">;
def : QnnCanonicalization<QnnDequantizeOp, "canonicalizeDequantize">;
def : QnnCanonicalization<QnnRequantizeOp, "canonicalizeRequantize">;

def : QnnCanonicalization<QnnAddOp, "canonicalizeQnnAdd">;
def : QnnCanonicalization<QnnSubtractOp, "canonicalizeQnnSubtract">;
def : QnnCanonicalization<QnnMulOp, "canonicalizeQnnMul">;

foreach op = [QnnAbsOp, QnnErfOp, QnnExpOp, QnnHardSwishOp, QnnLogOp,
              QnnRsqrtOp, QnnSigmoidOp, QnnSqrtOp, QnnTanhOp] in
  def : QnnCanonicalization<op, "canonicalizeQnnUnary">;
def : QnnCanonicalization<QnnLeakyReluOp, "canonicalizeQnnLeakyRelu">;
def : QnnCanonicalization<QnnSoftmaxOp, "canonicalizeQnnSoftmax">;
def : QnnCanonicalization<QnnAvgPool2DOp, "canonicalizeQnnAvgPool2D">;
def : QnnCanonicalization<QnnConcatenateOp, "canonicalizeQnnConcatenate">;

def : QnnCanonicalization<QnnConv2DOp, "canonicalizeQnnConv2D">;
def : QnnCanonicalization<QnnDenseOp, "canonicalizeQnnDense">;
def : QnnCanonicalization<QnnBatchMatmulOp, "canonicalizeQnnBatchMatmul">;
def : QnnCanonicalization<QnnDensePackOp, "refuseQnnDensePack">;

//===----------------------------------------------------------------------===//
// qnn-legalize
//===----------------------------------------------------------------------===//

foreach op = [QnnAbsOp, QnnErfOp, QnnExpOp, QnnHardSwishOp, QnnLogOp,
              QnnRsqrtOp, QnnSigmoidOp, QnnSqrtOp, QnnTanhOp] in
  def : QnnLegalization<op, "legalizeByTable">;
def : QnnLegalization<QnnConv2DTransposeOp, "legalizeConv2DTranspose">;

let Key = "cpu" in {
  def : QnnLegalization<QnnConv2DOp, "legalizeConv2DForCPU">;
  def : QnnLegalization<QnnDenseOp, "legalizeDenseForCPU">;
}
let Key = "arm_cpu" in {
  def : QnnLegalization<QnnConv2DOp, "legalizeConv2DForArm">;
  def : QnnLegalization<QnnDenseOp, "legalizeDenseForArm">;
}
foreach op = [QnnConv2DOp, QnnDenseOp] in {
  foreach key = ["cuda", "rocm"] in
    let Key = key in
    def : QnnLegalization<op, "legalizeToInt8">;
  let Key = "vulkan" in
  def : QnnLegalization<op, "legalizeToSameType">;
}
let Key = "hexagon" in {
  def : QnnLegalization<QnnConv2DOp, "padConv2DForHexagon">;
  def : QnnLegalization<QnnDenseOp, "padDenseForHexagon">;
}

#endif // RELAY_TRANSFORMS_QNN_QNNLOWERINGS_TD
