//===- Pool.td - Pooling -----------------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of neural networks that reduce windows of a tensor:
// `nn.max_pool*`, `nn.avg_pool*`, `nn.global_*_pool2d`, `nn.adaptive_*_pool*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_POOL_TD
#define RELAY_OPS_POOL_TD

include "relay/IR/OpBase.td"

class PoolOp<string name, string summary, AttrsDef attributes> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data);
  let Attributes = attributes;
  let FusionKind = OutEWiseFusable;
}

class PoolFields<string ones, string zeros, string layout,
                 FieldKind layoutKind> {
  dag Fields = (ins DimArray:$pool_size,
                    Default<DimArray, ones>:$strides,
                    Default<DimArray, ones>:$dilation,
                    Default<DimArray, zeros>:$padding,
                    DefaultText<layoutKind, layout>:$layout,
                    DefaultText<StringObject, "">:$out_layout,
                    Default<Bool, "False">:$ceil_mode);
}
// TVM's two-dimensional pools keep the layout as an object (`layoutKind`).
class PoolAttrs<string key, string ones, string zeros, string layout,
                FieldKind layoutKind = String> : AttrsDef<key> {
  let Fields = PoolFields<ones, zeros, layout, layoutKind>.Fields;
}
// The fields of PoolAttrs, in the same order, and one more.
class AvgPoolAttrs<string key, string ones, string zeros, string layout,
                   FieldKind layoutKind = String> : AttrsDef<key> {
  let Fields = !con(PoolFields<ones, zeros, layout, layoutKind>.Fields,
                    (ins Default<Bool, "False">:$count_include_pad));
}
class GlobalPoolAttrs<string key, string layout> : AttrsDef<key> {
  let Fields = (ins DefaultText<StringObject, layout>:$layout,
                    DefaultText<StringObject, "">:$out_layout);
}
class AdaptivePoolAttrs<string key, string layout> : AttrsDef<key> {
  let Fields = (ins Default<DimArray, "[]">:$output_size,
                    DefaultText<String, layout>:$layout,
                    DefaultText<StringObject, "">:$out_layout);
}

//===----------------------------------------------------------------------===//
// Windows of fixed size
//===----------------------------------------------------------------------===//
def MaxPool1DAttrs : PoolAttrs<"relay.attrs.MaxPool1DAttrs", "[1]", "[0]",
                               "NCW">;
def AvgPool1DAttrs : AvgPoolAttrs<"relay.attrs.AvgPool1DAttrs", "[1]", "[0]",
                                  "NCW">;
def MaxPool2DAttrs : PoolAttrs<"relay.attrs.MaxPool2DAttrs", "[1, 1]", "[0, 0]",
                               "NCHW", StringObject>;
def AvgPool2DAttrs : AvgPoolAttrs<"relay.attrs.AvgPool2DAttrs", "[1, 1]", "[0, 0]",
                                  "NCHW", StringObject>;
def MaxPool3DAttrs : PoolAttrs<"relay.attrs.MaxPool3DAttrs", "[1, 1, 1]", "[0, 0, 0]",
                               "NCDHW">;
def AvgPool3DAttrs : AvgPoolAttrs<"relay.attrs.AvgPool3DAttrs", "[1, 1, 1]", "[0, 0, 0]",
                                  "NCDHW">;

let Relation = "inferPool1D" in {
def MaxPool1DOp : PoolOp<"nn.max_pool1d", "maximum of windows", MaxPool1DAttrs>;
def AvgPool1DOp : PoolOp<"nn.avg_pool1d", "mean of windows", AvgPool1DAttrs>;
}
let ShapeDataDependent = [0], Relation = "inferPool2D" in {
def MaxPool2DOp : PoolOp<"nn.max_pool2d", "maximum of windows", MaxPool2DAttrs>;
def AvgPool2DOp : PoolOp<"nn.avg_pool2d", "mean of windows", AvgPool2DAttrs>;
}
let Relation = "inferPool3D" in {
def MaxPool3DOp : PoolOp<"nn.max_pool3d", "maximum of windows", MaxPool3DAttrs>;
def AvgPool3DOp : PoolOp<"nn.avg_pool3d", "mean of windows", AvgPool3DAttrs>;
}

// Gradients, of the type of data. TVM names the operands in reverse order, and
// registers nn.avg_pool2d_grad with attributes that differ from its calls'.
let Operands = (ins Tensor:$grad, Tensor:$data), Relation = "inferPoolGrad" in {
def MaxPool2DGradOp
    : PoolOp<"nn.max_pool2d_grad", "gradient of nn.max_pool2d", MaxPool2DAttrs>;
let Traits = [AttrsAsMeta] in
def AvgPool2DGradOp
    : PoolOp<"nn.avg_pool2d_grad", "gradient of nn.avg_pool2d", AvgPool2DAttrs>;
}

//===----------------------------------------------------------------------===//
// Global pooling
//===----------------------------------------------------------------------===//
def GlobalPool2DAttrs : GlobalPoolAttrs<"relay.attrs.GlobalPool2DAttrs",
                                        "NCHW">;

let ShapeDataDependent = [0], Relation = "inferGlobalPool2D" in {
def GlobalAvgPool2DOp : PoolOp<"nn.global_avg_pool2d", "mean of each channel",
                               GlobalPool2DAttrs>;
def GlobalMaxPool2DOp
    : PoolOp<"nn.global_max_pool2d", "maximum of each channel",
             GlobalPool2DAttrs>;
}

//===----------------------------------------------------------------------===//
// Adaptive windows: outputs of fixed size
//===----------------------------------------------------------------------===//
def AdaptivePool1DAttrs : AdaptivePoolAttrs<"relay.attrs.AdaptivePool1DAttrs",
                                            "NCW">;
def AdaptivePool2DAttrs : AdaptivePoolAttrs<"relay.attrs.AdaptivePool2DAttrs",
                                            "NCHW">;
def AdaptivePool3DAttrs : AdaptivePoolAttrs<"relay.attrs.AdaptivePool3DAttrs",
                                            "NCDHW">;

let Relation = "inferAdaptivePool1D" in {
def AdaptiveAvgPool1DOp
    : PoolOp<"nn.adaptive_avg_pool1d", "mean of windows that give output_size",
             AdaptivePool1DAttrs>;
def AdaptiveMaxPool1DOp
    : PoolOp<"nn.adaptive_max_pool1d",
             "maximum of windows that give output_size", AdaptivePool1DAttrs>;
}

let Relation = "inferAdaptivePool2D" in {
def AdaptiveAvgPool2DOp
    : PoolOp<"nn.adaptive_avg_pool2d", "mean of windows that give output_size",
             AdaptivePool2DAttrs>;
def AdaptiveMaxPool2DOp
    : PoolOp<"nn.adaptive_max_pool2d",
             "maximum of windows that give output_size", AdaptivePool2DAttrs>;
}

let Relation = "inferAdaptivePool3D" in {
def AdaptiveAvgPool3DOp
    : PoolOp<"nn.adaptive_avg_pool3d", "mean of windows that give output_size",
             AdaptivePool3DAttrs>;
def AdaptiveMaxPool3DOp
    : PoolOp<"nn.adaptive_max_pool3d",
             "maximum of windows that give output_size", AdaptivePool3DAttrs>;
}

#endif // RELAY_OPS_POOL_TD
