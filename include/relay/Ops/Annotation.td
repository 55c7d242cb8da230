//===- Annotation.td - Marks for passes --------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that compute nothing and mark values for passes: `annotation.*`,
// `debug`, and the `simulated_quantize` of `relay.quantize`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_ANNOTATION_TD
#define RELAY_OPS_ANNOTATION_TD

include "relay/IR/OpBase.td"

def CompilerAttrs : AttrsDef<"relay.attrs.CompilerAttrs"> {
  let Fields = (ins String:$compiler);
}
def CastHintAttrs : AttrsDef<"relay.attrs.CastHintAttrs"> {
  let Fields = (ins DataType:$dtype);
}
def WithFuncIdAttrs : AttrsDef<"relay.attrs.WithFuncIdAttrs"> {
  let Fields = (ins Default<Int, "-1">:$fid);
}
def SimulatedQuantizeAttrs : AttrsDef<"relay.attrs.SimulatedQuantizeAttrs"> {
  let Fields = (ins Int:$kind, Default<Bool, "True">:$sign,
                    DefaultText<String, "round">:$rounding);
}
def DebugAttrs : AttrsDef<"relay.attrs.DebugAttrs"> {
  let Fields = (ins Object:$debug_func);
}

// The operand has any type; the result has the same type.
class AnnotationOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Expr:$data);
  let Relation = "inferIdentity";
}
def CompilerBeginOp
    : AnnotationOp<"annotation.compiler_begin", "a part for a compiler begins"> {
  let Attributes = CompilerAttrs;
  let Traits = [AttrsAsMeta];
}
def CompilerEndOp
    : AnnotationOp<"annotation.compiler_end", "a part for a compiler ends"> {
  let Attributes = CompilerAttrs;
  let Traits = [AttrsAsMeta];
}
def StopFusionOp
    : AnnotationOp<"annotation.stop_fusion", "no operator is fused across this">;
def CheckpointOp
    : AnnotationOp<"annotation.checkpoint",
                   "marks a value to be recomputed for the gradient">;
def BitpackStartOp
    : AnnotationOp<"annotation.bitpack_start", "packing of bits begins">;
def BitpackEndOp : AnnotationOp<"annotation.bitpack_end", "packing of bits ends">;
def CastHintOp
    : AnnotationOp<"annotation.cast_hint", "data may be computed in dtype"> {
  let Attributes = CastHintAttrs;
  let Traits = [AttrsAsMeta];
}
def WithFuncIdOp : AnnotationOp<"annotation.with_funcid", "numbers a function"> {
  let Operands = (ins Expr:$func);
  let Attributes = WithFuncIdAttrs;
  let Traits = [AttrsAsMeta];
}
def DebugOp : AnnotationOp<"debug", "stops a debugger here"> {
  let Operands = (ins Expr:$program);
  let Attributes = DebugAttrs;
}
def SimulatedQuantizeOp : Op<"relay.op.annotation.simulated_quantize"> {
  let Summary = "simulated quantization of data";
  let Operands = (ins Tensor:$data, Tensor:$dom_scale, Tensor:$clip_min,
                      Tensor:$clip_max);
  let Attributes = SimulatedQuantizeAttrs;
  let FusionKind = ElemWise;
  let Relation = "inferSimulatedQuantize";
}

#endif // RELAY_OPS_ANNOTATION_TD
