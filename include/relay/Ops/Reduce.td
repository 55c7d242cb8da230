//===- Reduce.td - Reductions and scans --------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that combine the elements along axes to one element (`sum`,
// `prod`, `mean`, `variance`, `min`, `max`, `all`, `any`, `argmin`, `argmax`,
// `collapse_sum_*`), or to all partial results (`cumsum`, `cumprod`).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_REDUCE_TD
#define RELAY_OPS_REDUCE_TD

include "relay/Ops/Tensor.td"

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// `axis` None means all axes. With `exclude`, all axes except `axis` are
// reduced. With `keepdims`, a reduced axis remains, with length 1.
def ReduceAttrs : AttrsDef<"relay.attrs.ReduceAttrs"> {
  let Fields = (ins Default<IntArray, "None">:$axis,
                    Default<Bool, "False">:$keepdims,
                    Default<Bool, "False">:$exclude);
}
def ArgReduceAttrs : AttrsDef<"relay.attrs.ArgReduceAttrs"> {
  let Fields = (ins Default<IntArray, "None">:$axis,
                    Default<Bool, "False">:$keepdims,
                    Default<Bool, "False">:$select_last_index,
                    Default<Bool, "False">:$exclude);
}
def VarianceAttrs : AttrsDef<"relay.attrs.VarianceAttrs"> {
  let Fields = (ins Default<IntArray, "None">:$axis,
                    Default<Bool, "False">:$keepdims,
                    Default<Bool, "False">:$exclude,
                    Default<Bool, "False">:$unbiased);
}

class ReduceOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Description = [{
    Reduces along `axis`; along all axes if it is `None`; with `exclude`, along all
    other axes. `keepdims` keeps reduced axes with length 1.
  }];
  let Operands = (ins Tensor:$data);
  let Attributes = ReduceAttrs;
  let FusionKind = CommReduce;
  let Relation = "inferReduce";
  let ShapeDataDependent = [0];
}
class ArgReduceOp<string name, string summary> : ReduceOp<name, summary> {
  let Attributes = ArgReduceAttrs;
  let Relation = "inferArgReduce";
}

def AllOp : ReduceOp<"all", "whether all elements along axes are true">;
def AnyOp : ReduceOp<"any", "whether an element along axes is true"> {
  let ShapeDataDependent = []<int>;
}
def MaxOp : ReduceOp<"max", "largest element along axes">;
def MeanOp : ReduceOp<"mean", "mean along axes">;
def MinOp : ReduceOp<"min", "smallest element along axes">;
def ProdOp : ReduceOp<"prod", "product along axes">;
def SumOp : ReduceOp<"sum", "sum along axes">;
def ArgmaxOp : ArgReduceOp<"argmax", "position of the largest element along axes">;
def ArgminOp : ArgReduceOp<"argmin", "position of the smallest element along axes">;
def VarianceOp : Op<"variance"> {
  let Summary = "variance along axes of data, given the mean";
  let Operands = (ins Tensor:$data, Tensor:$mean);
  let Attributes = VarianceAttrs;
  let FusionKind = CommReduce;
  let Relation = "inferVariance";
  let ShapeDataDependent = [0];
}

//===----------------------------------------------------------------------===//
// Undoing a broadcast
//===----------------------------------------------------------------------===//

def CollapseSumLikeOp : Op<"collapse_sum_like"> {
  let Summary = "sum to the shape of collapse_type, which broadcasts to that of data";
  let Operands = (ins Tensor:$data, Tensor:$collapse_type);
  let FusionKind = CommReduce;
  let Relation = "inferCollapseSumLike";
}
def CollapseSumToOp : Op<"collapse_sum_to"> {
  let Summary = "sum to the shape shape, which broadcasts to that of data";
  let Operands = (ins Tensor:$data, Tensor:$shape);
  let Attributes = InitOpAttrs;
  let FusionKind = CommReduce;
  let Traits = [AttrsAsMeta];
  let Relation = "inferCollapseSumTo";
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

// `axis` None means all elements in row-major order. With `exclusive`, the
// element at the position itself is omitted.
def ScanopAttrs : AttrsDef<"relay.attrs.ScanopAttrs"> {
  let Fields = (ins Default<OptInt, "None">:$axis,
                    DefaultText<DataType, "">:$dtype,
                    Default<BoolObject, "False">:$exclusive);
}

class ScanOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data);
  let Attributes = ScanopAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferScan";
  let ShapeDataDependent = [0];
}

def CumsumOp : ScanOp<"cumsum", "sums of the elements up to each place">;
def CumprodOp : ScanOp<"cumprod", "products of the elements up to each place">;

#endif // RELAY_OPS_REDUCE_TD
