//===- Elementwise.td - Operators element by element -------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that compute each element of the result from the elements at the
// same place, operands being broadcast to the shape of the result.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_ELEMENTWISE_TD
#define RELAY_OPS_ELEMENTWISE_TD

include "relay/IR/OpBase.td"

// Of the shape and type of its operand.
class ElementwiseOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data);
  let FusionKind = ElemWise;
  let Relation = "inferIdentity";
  let ShapeDataDependent = [0];
}

// Of two tensors of one type, broadcast as numpy does.
class BroadcastOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$lhs, Tensor:$rhs);
  let FusionKind = Broadcast;
  let Relation = "inferBroadcast";
  let ShapeDataDependent = [0];
}

// As BroadcastOp; the result is of bool.
class CompareOp<string name, string summary> : BroadcastOp<name, summary> {
  let Relation = "inferCompareBroadcast";
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

def SigmoidOp : ElementwiseOp<"sigmoid", "1 / (1 + exp(-data))">;
def TanhOp : ElementwiseOp<"tanh", "hyperbolic tangent">;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

let Traits = [Commutative] in {
def AddOp : BroadcastOp<"add", "sum">;
def MultiplyOp : BroadcastOp<"multiply", "product">;
def EqualOp : CompareOp<"equal", "whether lhs == rhs">;
}
def SubtractOp : BroadcastOp<"subtract", "difference">;

#endif // RELAY_OPS_ELEMENTWISE_TD
