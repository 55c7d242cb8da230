//===- Sort.td - Sorting and searching ---------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that order elements, or look for them: `sort`, `argsort`, `topk`,
// `searchsorted`, `unique`, `invert_permutation`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_SORT_TD
#define RELAY_OPS_SORT_TD

include "relay/IR/OpBase.td"

def ArgsortAttrs : AttrsDef<"relay.attrs.ArgsortAttrs"> {
  let Fields = (ins Default<Int, "-1">:$axis, Default<Bool, "True">:$is_ascend,
                    DefaultText<DataType, "">:$dtype);
}
def TopkAttrs : AttrsDef<"relay.attrs.TopkAttrs"> {
  let Fields = (ins Nullable<OptInt>:$k, Default<Int, "-1">:$axis,
                    DefaultText<String, "both">:$ret_type,
                    Default<Bool, "False">:$is_ascend,
                    DefaultText<DataType, "">:$dtype);
}
def SearchSortedAttrs : AttrsDef<"relay.attrs.SearchSortedAttrs"> {
  let Fields = (ins Default<Bool, "False">:$right,
                    DefaultText<DataType, "int32">:$dtype);
}
def UniqueAttrs : AttrsDef<"relay.attrs.UniqueAttrs"> {
  let Fields = (ins Default<Bool, "True">:$sorted,
                    Default<Bool, "False">:$return_counts);
}

def SortOp : Op<"sort"> {
  let Summary = "elements in order along an axis";
  let Operands = (ins Tensor:$data);
  let Attributes = ArgsortAttrs;
  let Relation = "inferSort";
  let ShapeDataDependent = [0];
}
def ArgsortOp : Op<"argsort"> {
  let Summary = "indices that sort the elements along an axis";
  let Operands = (ins Tensor:$data);
  let Attributes = ArgsortAttrs;
  let Relation = "inferArgsort";
  let ShapeDataDependent = [0];
}
def TopkOp : Op<"topk"> {
  let Summary = "the first k elements in sorted order along an axis, their indices, or both";
  let Operands = (ins Tensor:$data);
  let Attributes = TopkAttrs;
  let Relation = "inferTopk";
  let ShapeDataDependent = [0];
}
def SearchSortedOp : Op<"searchsorted"> {
  let Summary = "where values belong in a sorted sequence";
  let Operands = (ins Tensor:$sorted_sequence, Tensor:$values);
  let Attributes = SearchSortedAttrs;
  let Relation = "inferSearchSorted";
  let ShapeDataDependent = [0];
}
def UniqueOp : Op<"unique"> {
  let Summary = "unique elements: (elements, indices, inverse, count, counts)";
  let Operands = (ins Tensor:$data);
  let Attributes = UniqueAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferUnique";
  let ShapeDataDependent = [0];
}
def InvertPermutationOp : Op<"invert_permutation"> {
  let Summary = "inverse permutation of data";
  let Operands = (ins Tensor:$data);
  let FusionKind = Injective;
  let Relation = "inferIdentity";
  let ShapeDataDependent = [0];
}

#endif // RELAY_OPS_SORT_TD
