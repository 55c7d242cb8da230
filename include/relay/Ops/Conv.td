//===- Conv.td - Convolutions ------------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of neural networks that slide a kernel over a tensor: `nn.conv*`,
// their transposes, gradients, weight transforms and forms for particular
// algorithms, `nn.deformable_conv2d`, `nn.bitserial_conv2d`, `nn.correlation`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_CONV_TD
#define RELAY_OPS_CONV_TD

include "relay/IR/OpBase.td"

class ConvOp<string name, string summary, AttrsDef attributes> : Op<name> {
  let Summary = summary;
  let Description = [{
    If `channels` or `kernel_size` is `None`, it is taken from the weight; if
    `out_layout` is empty, it is `data_layout`; if `out_dtype` is empty, it is the
    type of the data. In layouts N is the batch, C or I a channel of the data, O a
    channel of the result; other letters are spatial axes.
  }];
  let Operands = (ins Tensor:$data, Tensor:$weight);
  let Attributes = attributes;
  let FusionKind = OutEWiseFusable;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//
class ConvFields<string ones, string zeros, string layout, string kernelLayout,
                 FieldKind layoutKind> {
  dag Fields = (ins Default<DimArray, ones>:$strides,
                    Default<DimArray, zeros>:$padding,
                    Default<DimArray, ones>:$dilation,
                    Default<Int, "1">:$groups,
                    Default<Dim, "None">:$channels,
                    Default<DimArray, "None">:$kernel_size,
                    DefaultText<layoutKind, layout>:$data_layout,
                    DefaultText<layoutKind, kernelLayout>:$kernel_layout,
                    DefaultText<layoutKind, "">:$out_layout,
                    DefaultText<DataType, "">:$out_dtype);
}
class ConvAttrs<string key, string ones, string zeros, string layout,
                string kernelLayout> : AttrsDef<key> {
  let Fields =
      ConvFields<ones, zeros, layout, kernelLayout, StringObject>.Fields;
}

def Conv1DAttrs : ConvAttrs<"relay.attrs.Conv1DAttrs", "[1]", "[0, 0]", "NCW",
                            "OIW">;
def Conv2DAttrs : ConvAttrs<"relay.attrs.Conv2DAttrs", "[1, 1]", "[0, 0]",
                            "NCHW", "OIHW">;
def Conv3DAttrs : ConvAttrs<"relay.attrs.Conv3DAttrs", "[1, 1, 1]", "[0, 0, 0]",
                            "NCDHW", "OIDHW">;

let ShapeDataDependent = [0] in {
def Conv1DOp : ConvOp<"nn.conv1d", "convolution in one dimension", Conv1DAttrs> {
  let Relation = "inferConv1D";
}
def Conv2DOp : ConvOp<"nn.conv2d", "convolution in two dimensions", Conv2DAttrs> {
  let Relation = "inferConv2D";
}
def Conv3DOp
    : ConvOp<"nn.conv3d", "convolution in three dimensions", Conv3DAttrs> {
  let Relation = "inferConv3D";
}
}
def Conv2DBackwardWeightOp
    : ConvOp<"nn.conv2d_backward_weight",
             "gradient of a convolution for its weight", Conv2DAttrs> {
  let Description = [{
    `grad` has the layout `kernel_layout`, `data` has `data_layout`, and the result
    has `out_layout`.
  }];
  let Operands = (ins Tensor:$grad, Tensor:$data);
  let Relation = "inferConv2DBackwardWeight";
}

//===----------------------------------------------------------------------===//
// Transposed convolutions
//===----------------------------------------------------------------------===//
class ConvTransposeAttrs<string key, string ones, string zeros, string layout,
                         string kernelLayout, FieldKind layoutKind = String>
    : AttrsDef<key> {
  let Fields = (ins Default<Dim, "None">:$channels,
                    Default<DimArray, "None">:$kernel_size,
                    Default<DimArray, ones>:$strides,
                    Default<DimArray, zeros>:$output_padding,
                    Default<DimArray, zeros>:$padding,
                    Default<DimArray, ones>:$dilation,
                    Default<Int, "1">:$groups,
                    DefaultText<layoutKind, layout>:$data_layout,
                    DefaultText<layoutKind, kernelLayout>:$kernel_layout,
                    DefaultText<layoutKind, "">:$out_layout,
                    DefaultText<DataType, "">:$out_dtype);
}

def Conv1DTransposeAttrs
    : ConvTransposeAttrs<"relay.attrs.Conv1DTransposeAttrs", "[1]", "[0]", "NCW",
                         "IOW">;
def Conv2DTransposeAttrs
    : ConvTransposeAttrs<"relay.attrs.Conv2DTransposeAttrs", "[1, 1]", "[0, 0]",
                         "NCHW", "IOHW">;
def Conv3DTransposeAttrs
    : ConvTransposeAttrs<"relay.attrs.Conv3DTransposeAttrs", "[1, 1, 1]",
                         "[0, 0, 0]", "NCDHW", "IODHW", StringObject>;

let ShapeDataDependent = [0] in {
def Conv1DTransposeOp
    : ConvOp<"nn.conv1d_transpose", "transposed convolution in one dimension",
             Conv1DTransposeAttrs> {
  let Relation = "inferConv1DTranspose";
}
def Conv2DTransposeOp
    : ConvOp<"nn.conv2d_transpose", "transposed convolution in two dimensions",
             Conv2DTransposeAttrs> {
  let Relation = "inferConv2DTranspose";
}
}
def Conv3DTransposeOp
    : ConvOp<"nn.conv3d_transpose", "transposed convolution in three dimensions",
             Conv3DTransposeAttrs> {
  let Relation = "inferConv3DTranspose";
}

//===----------------------------------------------------------------------===//
// Deformable convolutions
//===----------------------------------------------------------------------===//
def DeformableConv2DAttrs : AttrsDef<"relay.attrs.DeformableConv2DAttrs"> {
  let Fields = (ins Default<DimArray, "[1, 1]">:$strides,
                    Default<DimArray, "[0, 0]">:$padding,
                    Default<DimArray, "[1, 1]">:$dilation,
                    Default<Int, "1">:$deformable_groups,
                    Default<Int, "1">:$groups,
                    Default<Dim, "None">:$channels,
                    Default<DimArray, "None">:$kernel_size,
                    DefaultText<String, "NCHW">:$data_layout,
                    DefaultText<String, "OIHW">:$kernel_layout,
                    DefaultText<String, "">:$out_layout,
                    DefaultText<DataType, "">:$out_dtype);
}
def DeformableConv2DOp
    : ConvOp<"nn.deformable_conv2d",
             "convolution whose kernel reads at places moved by offset",
             DeformableConv2DAttrs> {
  let Operands = (ins Tensor:$data, Tensor:$offset, Tensor:$weight);
  let Relation = "inferDeformableConv2D";
}

//===----------------------------------------------------------------------===//
// Convolutions with transformed or packed weights
//===----------------------------------------------------------------------===//
class WinogradAttrs<string key, string ones, string zeros, string layout,
                    string kernelLayout, FieldKind layoutKind> : AttrsDef<key> {
  let Fields = !con((ins Int:$tile_size),
                    ConvFields<ones, zeros, layout, kernelLayout,
                               layoutKind>.Fields);
}
def Conv2DWinogradAttrs
    : WinogradAttrs<"relay.attrs.Conv2DWinogradAttrs", "[1, 1]", "[0, 0]", "NCHW",
                    "OIHW", StringObject>;
def Conv3DWinogradAttrs
    : WinogradAttrs<"relay.attrs.Conv3DWinogradAttrs", "[1, 1, 1]", "[0, 0, 0]",
                    "NCDHW", "OIDHW", String>;

// The weight may have any shape; `channels` and `kernel_size` are required.
def ContribConv2DNCHWcOp
    : ConvOp<"nn.contrib_conv2d_NCHWc", "convolution in blocks of channels",
             Conv2DAttrs> {
  let Relation = "inferPackedConv2D";
  let ShapeDataDependent = [0];
}
def ContribDepthwiseConv2DNCHWcOp
    : ConvOp<"nn.contrib_depthwise_conv2d_NCHWc",
             "depthwise convolution in blocks of channels", Conv2DAttrs> {
  let Relation = "inferConv2D";
}
def ContribConv2DGemmWithoutWeightTransformOp
    : ConvOp<"nn.contrib_conv2d_gemm_without_weight_transform",
             "convolution as a product of matrices", Conv2DAttrs> {
  let Relation = "inferPackedConv2D";
}
def ContribConv2DWinogradWithoutWeightTransformOp
    : ConvOp<"nn.contrib_conv2d_winograd_without_weight_transform",
             "convolution by Winograd's method in two dimensions",
             Conv2DWinogradAttrs> {
  let Relation = "inferConv2DWinograd";
}
def ContribConv3DWinogradWithoutWeightTransformOp
    : ConvOp<"nn.contrib_conv3d_winograd_without_weight_transform",
             "convolution by Winograd's method in three dimensions",
             Conv3DWinogradAttrs> {
  let Relation = "inferConv3DWinograd";
}

class WeightTransformOp<string name, string summary, AttrsDef attributes>
    : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$weight);
  let Attributes = attributes;
  let FusionKind = OutEWiseFusable;
}
def ConvGemmWeightTransformAttrs
    : AttrsDef<"relay.attrs.ConvGemmWeightTransformAttrs"> {
  let Fields = (ins Int:$tile_N, Int:$tile_K);
}
def ConvWinogradWeightTransformAttrs
    : AttrsDef<"relay.attrs.ConvWinogradWeightTransformAttrs"> {
  let Fields = (ins Int:$tile_size);
}
def Conv2DWinogradNNPACKWeightTransformAttrs
    : AttrsDef<"relay.attrs.Conv2DWinogradNNPACKWeightTransformAttrs"> {
  let Fields = (ins Int:$convolution_algorithm,
                    DefaultText<DataType, "">:$out_dtype);
}
def ContribConv2DGemmWeightTransformOp
    : WeightTransformOp<"nn.contrib_conv2d_gemm_weight_transform",
                        "weight in tiles of a matrix",
                        ConvGemmWeightTransformAttrs> {
  let Operands = (ins Tensor:$weights);
  let Relation = "inferConv2DGemmWeightTransform";
}
def ContribConv2DWinogradWeightTransformOp
    : WeightTransformOp<"nn.contrib_conv2d_winograd_weight_transform",
                        "weight for Winograd's method in two dimensions",
                        ConvWinogradWeightTransformAttrs> {
  let Relation = "inferConv2DWinogradWeightTransform";
}
def ContribConv3DWinogradWeightTransformOp
    : WeightTransformOp<"nn.contrib_conv3d_winograd_weight_transform",
                        "weight for Winograd's method in three dimensions",
                        ConvWinogradWeightTransformAttrs> {
  let Relation = "inferConv3DWinogradWeightTransform";
}
def ContribConv2DWinogradNNPACKWeightTransformOp
    : WeightTransformOp<"nn.contrib_conv2d_winograd_nnpack_weight_transform",
                        "weight for NNPACK's form of Winograd's method",
                        Conv2DWinogradNNPACKWeightTransformAttrs> {
  let FusionKind = Opaque;
  let Relation = "inferConv2DWinogradNNPACKWeightTransform";
}

//===----------------------------------------------------------------------===//
// Convolutions of bits, and of two tensors
//===----------------------------------------------------------------------===//
def BinaryConv2DAttrs : AttrsDef<"relay.attrs.BinaryConv2DAttrs"> {
  let Fields = (ins Default<DimArray, "[1, 1]">:$strides,
                    Default<DimArray, "[0, 0]">:$padding,
                    Default<DimArray, "[3, 3]">:$kernel_size,
                    Default<Dim, "None">:$channels,
                    Default<Int, "1">:$activation_bits,
                    Default<Int, "1">:$weight_bits,
                    DefaultText<String, "NCHW">:$data_layout,
                    DefaultText<String, "OIHW">:$kernel_layout,
                    DefaultText<DataType, "">:$pack_dtype,
                    DefaultText<DataType, "">:$out_dtype,
                    Default<Bool, "True">:$unipolar);
}
def CorrelationAttrs : AttrsDef<"relay.attrs.CorrelationAttrs"> {
  let Fields = (ins Default<Int, "1">:$kernel_size,
                    Default<Int, "1">:$max_displacement,
                    Default<Int, "1">:$stride1, Default<Int, "1">:$stride2,
                    Default<DimArray, "[0, 0]">:$padding,
                    Default<Bool, "True">:$is_multiply,
                    DefaultText<StringObject, "NCHW">:$layout);
}

def BitserialConv2DOp
    : ConvOp<"nn.bitserial_conv2d", "convolution of numbers of few bits",
             BinaryConv2DAttrs> {
  let Description = "";
  let Relation = "inferBitserialConv2D";
}
def CorrelationOp
    : ConvOp<"nn.correlation", "correlation of patches of two tensors",
             CorrelationAttrs> {
  let Description = "";
  let Operands = (ins Tensor:$data1, Tensor:$data2);
  let Relation = "inferCorrelation";
}

#endif // RELAY_OPS_CONV_TD
