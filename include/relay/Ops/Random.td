//===- Random.td - Random numbers --------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that create random numbers from a key: `random.*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_RANDOM_TD
#define RELAY_OPS_RANDOM_TD

include "relay/IR/OpBase.td"

// The state of a generator is its key, a tensor of ten uint64. It is an operand
// and, advanced, a part of the result, so that these operators are pure.
def ThreefryGenerateAttrs : AttrsDef<"relay.attrs.ThreefryGenerateAttrs"> {
  let Fields = (ins IntArray:$out_shape);
}
def UniformAttrs : AttrsDef<"relay.attrs.UniformAttrs"> {
  let Fields = (ins IntArray:$out_shape, DefaultText<DataType, "">:$out_dtype);
}
def NormalAttrs : AttrsDef<"relay.attrs.NormalAttrs"> {
  let Fields = (ins IntArray:$out_shape, DefaultText<DataType, "">:$out_dtype);
}
def MultinomialAttrs : AttrsDef<"relay.attrs.MultinomialAttrs"> {
  let Fields = (ins Default<Integer, "1">:$num_samples);
}

def ThreefryGenerateOp : Op<"random.threefry_generate"> {
  let Summary = "random bits: (key, bits)";
  let Operands = (ins Tensor:$key);
  let Attributes = ThreefryGenerateAttrs;
  let Relation = "inferThreefryGenerate";
}
def ThreefrySplitOp : Op<"random.threefry_split"> {
  let Summary = "two keys for independent generators";
  let Operands = (ins Tensor:$key);
  let Relation = "inferThreefrySplit";
}
def UniformOp : Op<"random.uniform"> {
  let Summary = "numbers between low and high: (key, numbers)";
  let Operands = (ins Tensor:$key, Tensor:$low, Tensor:$high);
  let Attributes = UniformAttrs;
  let Relation = "inferUniform";
}
def NormalOp : Op<"random.normal"> {
  let Summary = "normally distributed numbers: (key, numbers)";
  let Operands = (ins Tensor:$key, Tensor:$mean, Tensor:$scale);
  let Attributes = NormalAttrs;
  let Relation = "inferNormal";
}
def MultinomialOp : Op<"random.multinomial"> {
  let Summary = "random indices with the probabilities probs: (key, indices)";
  let Operands = (ins Tensor:$key, Tensor:$probs);
  let Attributes = MultinomialAttrs;
  let Relation = "inferMultinomial";
}

#endif // RELAY_OPS_RANDOM_TD
