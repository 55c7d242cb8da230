//===- Legalizations.td - Forms that targets take ----------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks that replace operators by forms for which the target has code. The hooks
// of quantized operators are in QNN/QnnLowerings.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_LEGALIZE_LEGALIZATIONS_TD
#define RELAY_TRANSFORMS_LEGALIZE_LEGALIZATIONS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/Index.td"
include "relay/Ops/NN.td"

// Replaces an operation by a form for which the target has code. The function:
// 1. Returns null if the hook does not apply; the next entry is called.
// 2. Calls `Op.start(R)`; returns null if it refuses.
// 3. Creates operations with `R` and returns a value of the same or a less
//    dynamic type, by which legalize replaces the operation.
// Instead of 2 and 3, it may return `Op.getOp()` to keep the operation, so that
// no other entry is called, or `Op.emitError(...)` to report an error.
class Legalization<OpDef op, string function>
    : OpHook<"Legalization", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "Lowering &":$Op);
  let Result = MayFailNullIsNoOpinion<"Value *">;
}

def : Legalization<ClipOp, "legalizeClip">;
def : Legalization<TakeOp, "legalizeTake">;
def : Legalization<Conv2DBackwardWeightOp, "legalizeConv2DBackwardWeight">;
def : Legalization<Conv2DTransposeOp, "legalizeConv2DTransposeLayout">;
def : Legalization<Conv3DTransposeOp, "legalizeConv3DTransposeLayout">;

let Key = "cpu" in {
  def : Legalization<ErfOp, "legalizeErf">;
  def : Legalization<Conv2DOp, "legalizeByteConv2D">;
  def : Legalization<DenseOp, "legalizeByteDense">;
  def : Legalization<BatchMatmulOp, "legalizeByteBatchMatmul">;
}

#endif // RELAY_TRANSFORMS_LEGALIZE_LEGALIZATIONS_TD
