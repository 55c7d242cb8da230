//===- NN.td - Neural networks -----------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of neural networks except convolutions (Conv.td) and pooling
// (Pool.td): activations, softmax, products of matrices (`nn.dense`,
// `nn.matmul`, `nn.batch_matmul`), `nn.bias_add`, normalization, `nn.dropout`,
// losses, padding, rearranging of blocks, `nn.upsampling*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_NN_TD
#define RELAY_OPS_NN_TD

include "relay/Ops/Elementwise.td"

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//
def SoftmaxAttrs : AttrsDef<"relay.attrs.SoftmaxAttrs"> {
  let Fields = (ins Default<Int, "-1">:$axis);
}
def LeakyReluAttrs : AttrsDef<"relay.attrs.LeakyReluAttrs"> {
  let Fields = (ins Default<Double, "0.25f">:$alpha);
}
def PReluAttrs : AttrsDef<"relay.attrs.PReluAttrs"> {
  let Fields = (ins Default<Int, "1">:$axis);
}

def ReluOp : ElementwiseOp<"nn.relu", "max(data, 0)">;
def LeakyReluOp : ElementwiseOp<"nn.leaky_relu", "data, times alpha where negative"> {
  let Attributes = LeakyReluAttrs;
}
def PReluOp : Op<"nn.prelu"> {
  let Summary = "data, times the alpha of its channel where negative";
  let Operands = (ins Tensor:$data, Tensor:$alpha);
  let Attributes = PReluAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferPRelu";
  let ShapeDataDependent = [0];
}

class SoftmaxOpBase<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data);
  let Attributes = SoftmaxAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferSoftmax";
  let ShapeDataDependent = [0];
}
def SoftmaxOp
    : SoftmaxOpBase<"nn.softmax", "exp(data) / sum of exp(data) along an axis">;
def FastSoftmaxOp
    : SoftmaxOpBase<"nn.fast_softmax", "approximation of nn.softmax">;
def LogSoftmaxOp
    : SoftmaxOpBase<"nn.log_softmax", "logarithm of nn.softmax"> {
  let ShapeDataDependent = []<int>;
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//
// `units`, the number of columns of the result, is the number of columns of the
// second operand if None; `out_dtype` is the type of the first operand if void.
def DenseAttrs : AttrsDef<"relay.attrs.DenseAttrs"> {
  let Fields = (ins Nullable<Dim>:$units,
                    DefaultText<DataType, "">:$out_dtype);
}
def MatmulAttrs : AttrsDef<"relay.attrs.MatmulAttrs"> {
  let Fields = (ins Nullable<Dim>:$units, DefaultText<DataType, "">:$out_dtype,
                    Default<Bool, "False">:$transpose_a,
                    Default<Bool, "False">:$transpose_b);
}
def BatchMatmulAttrs : AttrsDef<"relay.attrs.BatchMatmulAttrs"> {
  let Fields = (ins DefaultText<DataType, "">:$out_dtype,
                    Default<Bool, "False">:$transpose_a,
                    Default<Bool, "False">:$transpose_b);
}
def DensePackAttrs : AttrsDef<"relay.attrs.DensePackAttrs"> {
  let Fields = (ins Nullable<Dim>:$units, DefaultText<DataType, "">:$out_dtype,
                    DefaultText<StringObject, "NC">:$weight_layout);
}
def BinaryDenseAttrs : AttrsDef<"relay.attrs.BinaryDenseAttrs"> {
  let Fields = (ins Nullable<Dim>:$units, Default<Int, "1">:$data_bits,
                    Default<Int, "1">:$weight_bits,
                    DefaultText<DataType, "">:$pack_dtype,
                    DefaultText<DataType, "">:$out_dtype,
                    Default<Bool, "True">:$unipolar);
}
def BitPackAttrs : AttrsDef<"relay.attrs.BitPackAttrs"> {
  let Fields = (ins Default<Int, "1">:$bits, Default<Int, "1">:$pack_axis,
                    Default<Int, "-1">:$bit_axis,
                    DefaultText<DataType, "">:$pack_type,
                    DefaultText<String, "BitPack">:$name);
}

def DenseOp : Op<"nn.dense"> {
  let Summary = "data * transpose(weight)";
  let Description = [{
    `data: [.., k]`, `weight: [units, k]` -> `[.., units]`, with the type `out_dtype`
    if given.
  }];
  let Operands = (ins Tensor:$data, Tensor:$weight);
  let Attributes = DenseAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferDense";
  let ShapeDataDependent = [0];
}
def MatmulOp : Op<"nn.matmul"> {
  let Summary = "tensor_a * tensor_b, each transposed or not";
  let Operands = (ins Tensor:$tensor_a, Tensor:$tensor_b);
  let Attributes = MatmulAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferMatmul";
  let ShapeDataDependent = [0];
}
def BatchMatmulOp : Op<"nn.batch_matmul"> {
  let Summary = "products of matrices, a pair an entry of the batch";
  let Description = [{
    `[batch, m, k]`, `[batch, n, k]` -> `[batch, m, n]` with `transpose_b` (usual);
    without it the second operand is `[batch, k, n]`. A batch of 1 is repeated.
  }];
  let Operands = (ins Tensor:$tensor_a, Tensor:$tensor_b);
  let Attributes = BatchMatmulAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferBatchMatmul";
  let ShapeDataDependent = [0];
}
def ContribDensePackOp : Op<"nn.contrib_dense_pack"> {
  let Summary = "nn.dense of a weight in blocks: NC8n as [N / 8, C, 8]";
  let Operands = (ins Tensor:$data, Tensor:$weight);
  let Attributes = DensePackAttrs;
  let FusionKind = OutEWiseFusable;
  let Traits = [AttrsAsMeta];
  let Relation = "inferDensePack";
  let ShapeDataDependent = [0];
}
def BitserialDenseOp : Op<"nn.bitserial_dense"> {
  let Summary = "nn.dense of numbers of few bits";
  let Operands = (ins Tensor:$data, Tensor:$weight);
  let Attributes = BinaryDenseAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferBitserialDense";
}
def BitPackOp : Op<"nn.bitpack"> {
  let Summary = "the low bits of numbers, packed into words";
  let Operands = (ins Tensor:$data);
  let Attributes = BitPackAttrs;
  let FusionKind = Injective;
  let Relation = "inferBitPack";
}

//===----------------------------------------------------------------------===//
// Bias, normalization, dropout
//===----------------------------------------------------------------------===//
def BiasAddAttrs : AttrsDef<"relay.attrs.BiasAddAttrs"> {
  let Fields = (ins Default<Int, "1">:$axis);
}
def BatchNormAttrs : AttrsDef<"relay.attrs.BatchNormAttrs"> {
  let Fields = (ins Default<Int, "1">:$axis,
                    Default<Double, "1e-05f">:$epsilon,
                    Default<Bool, "True">:$center,
                    Default<Bool, "True">:$scale);
}
def InstanceNormAttrs : AttrsDef<"relay.attrs.InstanceNormAttrs"> {
  let Fields = (ins Default<Int, "1">:$axis,
                    Default<Double, "1e-05f">:$epsilon,
                    Default<Bool, "True">:$center,
                    Default<Bool, "True">:$scale);
}
def LayerNormAttrs : AttrsDef<"relay.attrs.LayerNormAttrs"> {
  let Fields = (ins Default<Int, "-1">:$axis,
                    Default<Double, "1e-05f">:$epsilon,
                    Default<Bool, "True">:$center,
                    Default<Bool, "True">:$scale);
}
def GroupNormAttrs : AttrsDef<"relay.attrs.GroupNormAttrs"> {
  let Fields = (ins Default<Int, "0">:$num_groups, Default<Int, "1">:$axis,
                    Default<Double, "1e-05f">:$epsilon,
                    Default<Bool, "True">:$center,
                    Default<Bool, "True">:$scale);
}
def L2NormalizeAttrs : AttrsDef<"relay.attrs.L2NormalizeAttrs"> {
  let Fields = (ins Double:$eps, Nullable<IntArray>:$axis);
}
def LRNAttrs : AttrsDef<"relay.attrs.LRNAttrs"> {
  let Fields = (ins Default<Int, "5">:$size, Default<Int, "1">:$axis,
                    Default<Double, "2f">:$bias,
                    Default<Double, "0.0001f">:$alpha,
                    Default<Double, "0.75f">:$beta);
}
def DropoutAttrs : AttrsDef<"relay.attrs.DropoutAttrs"> {
  let Fields = (ins Default<Double, "0.5f">:$rate);
}

def BiasAddOp : Op<"nn.bias_add"> {
  let Summary = "data + bias along an axis";
  let Description = [{
    `data: [.., c at axis, ..]`, `bias: [c]` -> the type of `data`.
  }];
  let Operands = (ins Tensor:$data, Tensor:$bias);
  let Attributes = BiasAddAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferBiasAdd";
  let ShapeDataDependent = [0];
}
def BatchNormOp : Op<"nn.batch_norm"> {
  let Summary = "normalization over the batch: (result, mean, variance)";
  let Description = [{
    `data: [n, c at axis, ..]`, other operands `[c]` -> (the type of `data`, `[c]`, `[c]`).
    The first field is `(data - moving_mean) / sqrt(moving_var + epsilon)`, times
    `gamma` if `scale`, plus `beta` if `center`.
  }];
  let Operands = (ins Tensor:$data, Tensor:$gamma, Tensor:$beta,
                      Tensor:$moving_mean, Tensor:$moving_var);
  let Attributes = BatchNormAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferBatchNorm";
}

class NormOp<string name, string summary, AttrsDef attributes> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data, Tensor:$gamma, Tensor:$beta);
  let Attributes = attributes;
}
def InstanceNormOp
    : NormOp<"nn.instance_norm", "normalization of each channel of each entry",
             InstanceNormAttrs> {
  let Relation = "inferInstanceNorm";
}
def LayerNormOp : NormOp<"nn.layer_norm", "normalization along an axis",
                         LayerNormAttrs> {
  let Relation = "inferLayerNorm";
}
def GroupNormOp
    : NormOp<"nn.group_norm", "normalization of groups of channels",
             GroupNormAttrs> {
  let Relation = "inferGroupNorm";
}
def L2NormalizeOp : Op<"nn.l2_normalize"> {
  let Summary = "data over its Euclidean norm along axes";
  let Operands = (ins Tensor:$data);
  let Attributes = L2NormalizeAttrs;
  let Relation = "inferIdentity";
}
def LRNOp : Op<"nn.lrn"> {
  let Summary = "normalization by the neighbouring channels";
  let Operands = (ins Tensor:$data);
  let Attributes = LRNAttrs;
  let Relation = "inferIdentity";
}
def DropoutOp : Op<"nn.dropout"> {
  let Summary = "zeroes elements at random, in training: (result, mask)";
  let Operands = (ins Tensor:$data);
  let Attributes = DropoutAttrs;
  let Traits = [Stateful];
  let Relation = "inferDropout";
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//
def NLLLossAttrs : AttrsDef<"relay.attrs.NLLLossAttrs"> {
  let Fields = (ins DefaultText<String, "mean">:$reduction, Int:$ignore_index);
}

def CrossEntropyOp : Op<"nn.cross_entropy"> {
  let Summary = "cross entropy of predictions x and targets y";
  let Operands = (ins Tensor:$x, Tensor:$y);
  let Relation = "inferCrossEntropy";
}
def CrossEntropyWithLogitsOp : Op<"nn.cross_entropy_with_logits"> {
  let Summary = "cross entropy of unscaled predictions x and targets y";
  let Operands = (ins Tensor:$x, Tensor:$y);
  let Relation = "inferCrossEntropy";
}
def NLLLossOp : Op<"nn.nll_loss"> {
  let Summary = "negative log likelihood of the targets";
  let Operands = (ins Tensor:$predictions, Tensor:$targets, Tensor:$weights);
  let Attributes = NLLLossAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferNLLLoss";
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//
def PadAttrs : AttrsDef<"relay.attrs.PadAttrs"> {
  let Fields = (ins IntMatrix:$pad_width,
                    DefaultText<StringObject, "constant">:$pad_mode);
}
def MirrorPadAttrs : AttrsDef<"relay.attrs.MirrorPadAttrs"> {
  let Fields = (ins DefaultText<String, "SYMMETRIC">:$mode,
                    DimMatrix:$pad_width);
}
def DilateAttrs : AttrsDef<"relay.attrs.DilateAttrs"> {
  let Fields = (ins Default<DimArray, "[1, 1]">:$strides,
                    Default<Double, "0f">:$dilation_value);
}

def PadOp : Op<"nn.pad"> {
  let Summary = "data padded with pad_val, or according to pad_mode";
  let Description = [{
    `pad_width` has a pair for each axis: the elements added before and after.
  }];
  let Operands = (ins Tensor:$data, Tensor:$pad_val);
  let Attributes = PadAttrs;
  let FusionKind = Injective;
  let Relation = "inferPad";
  let ShapeDataDependent = [0];
}
def MirrorPadOp : Op<"nn.mirror_pad"> {
  let Summary = "data with its mirror image around it";
  let Operands = (ins Tensor:$data);
  let Attributes = MirrorPadAttrs;
  let FusionKind = Injective;
  let Relation = "inferMirrorPad";
  let ShapeDataDependent = [0];
}
def DilateOp : Op<"nn.dilate"> {
  let Summary = "data with dilation_value between its elements";
  let Operands = (ins Tensor:$x);
  let Attributes = DilateAttrs;
  let FusionKind = Injective;
  let Traits = [AttrsAsMeta];
  let Relation = "inferDilate";
  let ShapeDataDependent = [0];
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//
def SubPixelAttrs : AttrsDef<"relay.attrs.SubPixelAttrs"> {
  let Fields = (ins Default<Int, "1">:$block_size,
                    DefaultText<String, "NCHW">:$layout,
                    DefaultText<String, "DCR">:$mode);
}
def SpaceToBatchNDAttrs : AttrsDef<"relay.attrs.SpaceToBatchNDAttrs"> {
  let Fields = (ins Default<IntArray, "[1, 1]">:$block_shape,
                    DimMatrix:$paddings, Default<Double, "0f">:$pad_value);
}
def BatchToSpaceNDAttrs : AttrsDef<"relay.attrs.BatchToSpaceNDAttrs"> {
  let Fields = (ins Default<IntArray, "[1, 1]">:$block_shape,
                    DimMatrix:$crops);
}
def UpSamplingAttrs : AttrsDef<"relay.attrs.UpSamplingAttrs"> {
  let Fields = (ins Double:$scale_h, Double:$scale_w,
                    DefaultText<StringObject, "NCHW">:$layout,
                    DefaultText<StringObject, "nearest_neighbor">:$method,
                    Default<Bool, "False">:$align_corners);
}
def UpSampling3DAttrs : AttrsDef<"relay.attrs.UpSampling3DAttrs"> {
  let Fields = (ins Double:$scale_d, Double:$scale_h, Double:$scale_w,
                    DefaultText<String, "NCDHW">:$layout,
                    DefaultText<String, "nearest_neighbor">:$method,
                    DefaultText<String, "half_pixel">:$coordinate_transformation_mode);
}
def FIFOBufferAttrs : AttrsDef<"relay.attrs.FIFOBufferAttrs"> {
  let Fields = (ins Default<Int, "0">:$axis);
}

def BatchFlattenOp : Op<"nn.batch_flatten"> {
  let Summary = "all axes but the first as one";
  let Operands = (ins Tensor:$data);
  let FusionKind = Injective;
  let Traits = [ReshapeLike];
  let Relation = "inferBatchFlatten";
  let ShapeDataDependent = [0];
}
def DepthToSpaceOp : Op<"nn.depth_to_space"> {
  let Summary = "blocks of channels as blocks of space";
  let Operands = (ins Tensor:$data);
  let Attributes = SubPixelAttrs;
  let FusionKind = Injective;
  let Relation = "inferDepthToSpace";
}
def SpaceToDepthOp : Op<"nn.space_to_depth"> {
  let Summary = "blocks of space as blocks of channels";
  let Operands = (ins Tensor:$data);
  let Attributes = SubPixelAttrs;
  let FusionKind = Injective;
  let Relation = "inferSpaceToDepth";
}
def SpaceToBatchNDOp : Op<"nn.space_to_batch_nd"> {
  let Summary = "blocks of padded space as entries of the batch";
  let Operands = (ins Tensor:$data);
  let Attributes = SpaceToBatchNDAttrs;
  let FusionKind = Injective;
  let Relation = "inferSpaceToBatchND";
}
def BatchToSpaceNDOp : Op<"nn.batch_to_space_nd"> {
  let Summary = "entries of the batch as blocks of space, then cropped";
  let Operands = (ins Tensor:$data);
  let Attributes = BatchToSpaceNDAttrs;
  let FusionKind = Injective;
  let Relation = "inferBatchToSpaceND";
}
def UpSamplingOp : Op<"nn.upsampling"> {
  let Summary = "larger image, by factors";
  let Operands = (ins Tensor:$data);
  let Attributes = UpSamplingAttrs;
  let FusionKind = Injective;
  let Relation = "inferUpSampling";
}
def UpSampling3DOp : Op<"nn.upsampling3d"> {
  let Summary = "larger volume, by factors";
  let Operands = (ins Tensor:$data);
  let Attributes = UpSampling3DAttrs;
  let FusionKind = Injective;
  let Relation = "inferUpSampling3D";
}
def FIFOBufferOp : Op<"nn.fifo_buffer"> {
  let Summary = "buffer with data pushed in at the end of an axis";
  let Operands = (ins Tensor:$data, Tensor:$buffer);
  let Attributes = FIFOBufferAttrs;
  let Relation = "inferFIFOBuffer";
}

#endif // RELAY_OPS_NN_TD
