//===- Index.td - Reading and writing parts of tensors -----*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that pick elements of tensors by position, or replace them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_INDEX_TD
#define RELAY_OPS_INDEX_TD

include "relay/IR/OpBase.td"

def TakeAttrs : AttrsDef<"relay.attrs.TakeAttrs"> {
  let Fields = (ins Default<Integer, "0">:$batch_dims, Default<OptInt, "None">:$axis,
                    Default<StringObject, "\"clip\"">:$mode);
}

def TakeOp : Op<"take"> {
  let Summary = "elements of data, along an axis or of all, at indices";
  let Operands = (ins Tensor:$data, Tensor:$indices);
  let Attributes = TakeAttrs;
  let FusionKind = Injective;
  let Relation = "inferTake";
  let ShapeDataDependent = [0];
}

#endif // RELAY_OPS_INDEX_TD
