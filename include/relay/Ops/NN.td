//===- NN.td - Neural networks -----------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of neural networks but convolutions (Conv.td) and pooling (Pool.td).
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

def ReluOp : ElementwiseOp<"nn.relu", "max(data, 0)">;
def SoftmaxOp : Op<"nn.softmax"> {
  let Summary = "exp(data) / sum of exp(data) along an axis";
  let Operands = (ins Tensor:$data);
  let Attributes = SoftmaxAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferIdentity";
  let ShapeDataDependent = [0];
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

def DenseAttrs : AttrsDef<"relay.attrs.DenseAttrs"> {
  let Fields = (ins Nullable<Dim>:$units, DefaultText<DataType, "">:$out_dtype);
}

def DenseOp : Op<"nn.dense"> {
  let Summary = "data * transpose(weight)";
  let Operands = (ins Tensor:$data, Tensor:$weight);
  let Attributes = DenseAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferDense";
  let ShapeDataDependent = [0];
}

//===----------------------------------------------------------------------===//
// Bias, normalization, dropout
//===----------------------------------------------------------------------===//

def BiasAddAttrs : AttrsDef<"relay.attrs.BiasAddAttrs"> {
  let Fields = (ins Default<Int, "1">:$axis);
}
def BatchNormAttrs : AttrsDef<"relay.attrs.BatchNormAttrs"> {
  let Fields = (ins Default<Int, "1">:$axis, Default<Double, "1e-05f">:$epsilon,
                    Default<Bool, "True">:$center, Default<Bool, "True">:$scale);
}
def DropoutAttrs : AttrsDef<"relay.attrs.DropoutAttrs"> {
  let Fields = (ins Default<Double, "0.5f">:$rate);
}

def BiasAddOp : Op<"nn.bias_add"> {
  let Summary = "data + bias along an axis";
  let Operands = (ins Tensor:$data, Tensor:$bias);
  let Attributes = BiasAddAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferBiasAdd";
  let ShapeDataDependent = [0];
}
def BatchNormOp : Op<"nn.batch_norm"> {
  let Summary = "normalization over the batch: (result, mean, variance)";
  let Operands = (ins Tensor:$data, Tensor:$gamma, Tensor:$beta,
                      Tensor:$moving_mean, Tensor:$moving_var);
  let Attributes = BatchNormAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferBatchNorm";
}
def DropoutOp : Op<"nn.dropout"> {
  let Summary = "zeroes elements at random, in training: (result, mask)";
  let Operands = (ins Tensor:$data);
  let Attributes = DropoutAttrs;
  let Traits = [Stateful];
  let Relation = "inferDropout";
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def BatchFlattenOp : Op<"nn.batch_flatten"> {
  let Summary = "all axes but the first as one";
  let Operands = (ins Tensor:$data);
  let FusionKind = Injective;
  let Traits = [ReshapeLike];
  let Relation = "inferBatchFlatten";
  let ShapeDataDependent = [0];
}

#endif // RELAY_OPS_NN_TD
