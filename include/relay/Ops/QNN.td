//===- QNN.td - Quantized networks -------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators on integers that represent real numbers by a scale and a zero
// point: `qnn.*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_QNN_TD
#define RELAY_OPS_QNN_TD

include "relay/Ops/Conv.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"
include "relay/Ops/Tensor.td"

// A quantized tensor represents scale * (data - zero_point). Scales are
// float32, zero points int32. They are scalars or, where a table says so,
// vectors with a number for each position of an axis.
//===----------------------------------------------------------------------===//
// Conversions to and from quantized numbers
//===----------------------------------------------------------------------===//
def QuantizeAttrs : AttrsDef<"relay.attrs.QuantizeAttrs"> {
  let Fields = (ins DataType:$out_dtype, Default<Int, "-1">:$axis);
}
def DequantizeAttrs : AttrsDef<"relay.attrs.DequantizeAttrs"> {
  let Fields = (ins DataType:$out_dtype, Default<Int, "-1">:$axis);
}
def RequantizeAttrs : AttrsDef<"relay.attrs.RequantizeAttrs"> {
  let Fields = (ins Default<Int, "-1">:$axis,
                    DefaultText<String, "None">:$rounding,
                    DefaultText<String, "None">:$compute_dtype,
                    DefaultText<DataType, "">:$out_dtype);
}
def QnnSimulatedQuantizeAttrs : AttrsDef<"relay.attrs.SimulatedQuantizeAttrs"> {
  let Fields = (ins Default<Int, "-1">:$axis);
}

def QnnQuantizeOp : Op<"qnn.quantize"> {
  let Summary = "data / output_scale + output_zero_point, rounded and cut to out_dtype";
  let Operands = (ins Tensor:$data, Tensor:$output_scale, Tensor:$output_zero_point);
  let Attributes = QuantizeAttrs;
  let FusionKind = ElemWise;
  let Traits = [NonComputational];
  let Relation = "inferQnnQuantize";
}
def QnnDequantizeOp : Op<"qnn.dequantize"> {
  let Summary = "input_scale * (data - input_zero_point)";
  let Operands = (ins Tensor:$data, Tensor:$input_scale, Tensor:$input_zero_point);
  let Attributes = DequantizeAttrs;
  let FusionKind = ElemWise;
  let Traits = [NonComputational];
  let Relation = "inferQnnDequantize";
}
def QnnRequantizeOp : Op<"qnn.requantize"> {
  let Summary = "data of one scale and zero point in another";
  let Operands = (ins Tensor:$data, Tensor:$input_scale, Tensor:$input_zero_point,
                      Tensor:$output_scale, Tensor:$output_zero_point);
  let Attributes = RequantizeAttrs;
  let FusionKind = ElemWise;
  let Traits = [NonComputational];
  let Relation = "inferQnnRequantize";
}
def QnnSimulatedQuantizeOp : Op<"qnn.simulated_quantize"> {
  let Summary = "simulated quantization of data to a data type given at run time";
  let Operands = (ins Tensor:$data, Tensor:$out_dtype, Tensor:$output_scale,
                      Tensor:$output_zero_point);
  let Attributes = QnnSimulatedQuantizeAttrs;
  let FusionKind = ElemWise;
  let Relation = "inferQnnSimulated";
}
def QnnSimulatedDequantizeOp : Op<"qnn.simulated_dequantize"> {
  let Summary = "inverse of qnn.simulated_quantize";
  let Operands = (ins Tensor:$data, Tensor:$in_dtype, Tensor:$input_scale,
                      Tensor:$input_zero_point);
  let Attributes = DequantizeAttrs;
  let FusionKind = ElemWise;
  let Relation = "inferQnnSimulated";
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//
def BroadcastAttrs : AttrsDef<"relay.attrs.BroadcastAttrs"> {
  let Fields = (ins Default<Int, "-1">:$lhs_axis,
                    Default<Int, "-1">:$rhs_axis);
}

class QnnBroadcastOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$lhs, Tensor:$rhs, Tensor:$lhs_scale,
                      Tensor:$lhs_zero_point, Tensor:$rhs_scale,
                      Tensor:$rhs_zero_point, Tensor:$output_scale,
                      Tensor:$output_zero_point);
  let Attributes = BroadcastAttrs;
  let FusionKind = Broadcast;
  let Traits = [NonComputational];
  let Relation = "inferQnnBroadcast";
}
def QnnAddOp : QnnBroadcastOp<"qnn.add", "lhs + rhs">;
def QnnMulOp : QnnBroadcastOp<"qnn.mul", "lhs * rhs">;
def QnnSubtractOp : QnnBroadcastOp<"qnn.subtract", "lhs - rhs">;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//
// `scale` and `zero_point` belong to data.
class QnnUnaryOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data, Tensor:$scale, Tensor:$zero_point,
                      Tensor:$output_scale, Tensor:$output_zero_point);
  let Traits = [NonComputational];
  let Relation = "inferQnnUnary";
}
def QnnAbsOp : QnnUnaryOp<"qnn.abs", "absolute value">;
def QnnErfOp : QnnUnaryOp<"qnn.erf", "error function">;
def QnnExpOp : QnnUnaryOp<"qnn.exp", "e to the power of data">;
def QnnHardSwishOp : QnnUnaryOp<"qnn.hardswish", "data * clip(data + 3, 0, 6) / 6">;
def QnnLogOp : QnnUnaryOp<"qnn.log", "natural logarithm">;
def QnnRsqrtOp : QnnUnaryOp<"qnn.rsqrt", "1 / sqrt(data)">;
def QnnSigmoidOp : QnnUnaryOp<"qnn.sigmoid", "1 / (1 + exp(-data))">;
def QnnSqrtOp : QnnUnaryOp<"qnn.sqrt", "square root">;
def QnnTanhOp : QnnUnaryOp<"qnn.tanh", "hyperbolic tangent"> {
  let FusionKind = ElemWise;
}
def QnnSoftmaxOp : QnnUnaryOp<"qnn.softmax", "nn.softmax of int8"> {
  let Attributes = SoftmaxAttrs;
  let Relation = "inferQnnSoftmax";
}
def QnnLeakyReluOp
    : QnnUnaryOp<"qnn.leaky_relu", "data, times alpha where negative"> {
  let Operands = (ins Tensor:$data, Tensor:$input_scale,
                      Tensor:$input_zero_point, Tensor:$output_scale,
                      Tensor:$output_zero_point);
  let Attributes = LeakyReluAttrs;
}
def QnnAvgPool2DOp : QnnUnaryOp<"qnn.avg_pool2d", "mean of windows"> {
  let Operands = (ins Tensor:$data, Tensor:$input_scale,
                      Tensor:$input_zero_point, Tensor:$output_scale,
                      Tensor:$output_zero_point);
  let Attributes = AvgPool2DAttrs;
  let FusionKind = OutEWiseFusable;
  let Traits = [];
  let Relation = "inferQnnAvgPool2D";
}

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//
def QnnConcatenateOp : Op<"qnn.concatenate"> {
  let Summary = "tensors one after the other, in one scale and zero point";
  let Operands = (ins TensorTuple:$data, TensorTuple:$input_scales,
                      TensorTuple:$input_zero_points, Tensor:$output_scale,
                      Tensor:$output_zero_point);
  let Attributes = ConcatenateAttrs;
  let FusionKind = Injective;
  let Traits = [NonComputational];
  let Relation = "inferQnnConcatenate";
}

//===----------------------------------------------------------------------===//
// Products and convolutions
//===----------------------------------------------------------------------===//
// The result has the wider `out_dtype`; its scale is the product of both
// scales.
class QnnProductOp<string name, string summary, AttrsDef attributes>
    : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data, Tensor:$weight, Tensor:$input_zero_point,
                      Tensor:$weight_zero_point, Tensor:$input_scale,
                      Tensor:$weight_scale);
  let Attributes = attributes;
  let FusionKind = OutEWiseFusable;
  let Traits = [NonComputational];
}
def QnnConv2DOp
    : QnnProductOp<"qnn.conv2d", "convolution in two dimensions", Conv2DAttrs> {
  let Relation = "inferQnnConv2D";
}
def QnnConv2DTransposeOp
    : QnnProductOp<"qnn.conv2d_transpose",
                   "transposed convolution in two dimensions",
                   Conv2DTransposeAttrs> {
  let FusionKind = Opaque;
  let Relation = "inferQnnConv2DTranspose";
}
def QnnDenseOp
    : QnnProductOp<"qnn.dense", "data * transpose(weight)", DenseAttrs> {
  let Relation = "inferQnnDense";
}
def QnnDensePackOp
    : QnnProductOp<"qnn.contrib_dense_pack",
                   "qnn.dense of a weight in blocks: [N / n, C / c, n, c]",
                   DensePackAttrs> {
  let Relation = "inferQnnDensePack";
}
def QnnBatchMatmulOp
    : QnnProductOp<"qnn.batch_matmul",
                   "products of matrices, a pair an entry of the batch",
                   BatchMatmulAttrs> {
  let Operands = (ins Tensor:$x, Tensor:$y, Tensor:$x_zero_point,
                      Tensor:$y_zero_point, Tensor:$x_scale, Tensor:$y_scale);
  let Relation = "inferQnnBatchMatmul";
}

#endif // RELAY_OPS_QNN_TD
