//===- Annotation.td - Marks for later passes --------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that compute nothing and tell passes what to do.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_ANNOTATION_TD
#define RELAY_OPS_ANNOTATION_TD

include "relay/IR/OpBase.td"

def StopFusionOp : Op<"annotation.stop_fusion"> {
  let Summary = "data, which FuseOps does not fuse with what comes after";
  let Operands = (ins Expr:$data);
  let Relation = "inferIdentity";
}

#endif // RELAY_OPS_ANNOTATION_TD
