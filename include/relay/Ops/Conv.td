//===- Conv.td - Convolutions ------------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of neural networks that slide a kernel over a tensor.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_CONV_TD
#define RELAY_OPS_CONV_TD

include "relay/IR/OpBase.td"

// In every convolution, `channels` and `kernel_size` are those of the weight when
// None, `out_layout` is `data_layout` when empty, and `out_dtype` is the type of
// the data when void.
class ConvOp<string name, string summary, AttrsDef attributes> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data, Tensor:$weight);
  let Attributes = attributes;
  let FusionKind = OutEWiseFusable;
  let ShapeDataDependent = [0];
}

class ConvAttrs<string key, string ones, string zeros, string layout,
                string kernelLayout> : AttrsDef<key> {
  let Fields = (ins Default<DimArray, ones>:$strides,
                    Default<DimArray, zeros>:$padding,
                    Default<DimArray, ones>:$dilation,
                    Default<Int, "1">:$groups,
                    Default<Dim, "None">:$channels,
                    Default<DimArray, "None">:$kernel_size,
                    DefaultText<StringObject, layout>:$data_layout,
                    DefaultText<StringObject, kernelLayout>:$kernel_layout,
                    DefaultText<StringObject, "">:$out_layout,
                    DefaultText<DataType, "">:$out_dtype);
}
class ConvTransposeAttrs<string key, string ones, string zeros, string layout,
                         string kernelLayout> : AttrsDef<key> {
  let Fields = (ins Default<Dim, "None">:$channels,
                    Default<DimArray, "None">:$kernel_size,
                    Default<DimArray, ones>:$strides,
                    Default<DimArray, zeros>:$output_padding,
                    Default<DimArray, zeros>:$padding,
                    Default<DimArray, ones>:$dilation,
                    Default<Int, "1">:$groups,
                    DefaultText<String, layout>:$data_layout,
                    DefaultText<String, kernelLayout>:$kernel_layout,
                    DefaultText<String, "">:$out_layout,
                    DefaultText<DataType, "">:$out_dtype);
}

def Conv2DAttrs : ConvAttrs<"relay.attrs.Conv2DAttrs", "[1, 1]", "[0, 0]",
                            "NCHW", "OIHW">;
def Conv3DAttrs : ConvAttrs<"relay.attrs.Conv3DAttrs", "[1, 1, 1]", "[0, 0, 0]",
                            "NCDHW", "OIDHW">;
def Conv2DTransposeAttrs
    : ConvTransposeAttrs<"relay.attrs.Conv2DTransposeAttrs", "[1, 1]", "[0, 0]",
                         "NCHW", "IOHW">;

def Conv2DOp : ConvOp<"nn.conv2d", "convolution in two dimensions", Conv2DAttrs> {
  let Relation = "inferConv2D";
}
def Conv3DOp : ConvOp<"nn.conv3d", "convolution in three dimensions", Conv3DAttrs> {
  let Relation = "inferConv3D";
}
def Conv2DTransposeOp
    : ConvOp<"nn.conv2d_transpose", "transposed convolution in two dimensions",
             Conv2DTransposeAttrs> {
  let Relation = "inferConv2DTranspose";
}

#endif // RELAY_OPS_CONV_TD
