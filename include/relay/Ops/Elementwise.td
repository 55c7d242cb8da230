//===- Elementwise.td - Operators element by element -------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that compute each element of the result from the elements at the
// same place, operands being broadcast to the shape of the result: arithmetic,
// `exp` and other functions, comparisons, logic, bits, `clip`, `cast`,
// `where`. Functions of neural networks, such as `nn.relu`, are in NN.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_ELEMENTWISE_TD
#define RELAY_OPS_ELEMENTWISE_TD

include "relay/IR/OpBase.td"

// An operator whose result has the shape and type of its operand.
class ElementwiseOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data);
  let FusionKind = ElemWise;
  let Relation = "inferIdentity";
  let ShapeDataDependent = [0];
}

// An operator of two tensors of one type, broadcast as in numpy.
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

def BitwiseNotOp : ElementwiseOp<"bitwise_not", "each bit inverted">;
def CeilOp : ElementwiseOp<"ceil", "rounding up">;
def CopyOp : ElementwiseOp<"copy", "the same elements in a tensor of its own">;
def ExpOp : ElementwiseOp<"exp", "e to the power of data">;
def FastErfOp : ElementwiseOp<"fast_erf", "approximation of erf">;
def FastExpOp : ElementwiseOp<"fast_exp", "approximation of exp">;
def FastTanhOp : ElementwiseOp<"fast_tanh", "approximation of tanh">;
def FloorOp : ElementwiseOp<"floor", "rounding down">;
def LogOp : ElementwiseOp<"log", "natural logarithm">;
def Log2Op : ElementwiseOp<"log2", "logarithm to base 2">;
def LogicalNotOp : ElementwiseOp<"logical_not", "whether data is false">;
def NegativeOp : ElementwiseOp<"negative", "-data">;
def OnesLikeOp : ElementwiseOp<"ones_like", "ones in the shape of data">;
def RoundOp : ElementwiseOp<"round", "rounding to the nearest integer, halves away from zero">;
def RsqrtOp : ElementwiseOp<"rsqrt", "1 / sqrt(data)">;
def SigmoidOp : ElementwiseOp<"sigmoid", "1 / (1 + exp(-data))">;
def SqrtOp : ElementwiseOp<"sqrt", "square root">;
def TanOp : ElementwiseOp<"tan", "tangent">;
def TanhOp : ElementwiseOp<"tanh", "hyperbolic tangent">;
def ZerosLikeOp : ElementwiseOp<"zeros_like", "zeros in the shape of data">;

// TVM registers no TShapeDataDependent for these.
let ShapeDataDependent = []<int> in {
def AbsOp : ElementwiseOp<"abs", "absolute value">;
def AcosOp : ElementwiseOp<"acos", "arc cosine">;
def AcoshOp : ElementwiseOp<"acosh", "inverse hyperbolic cosine">;
def AsinOp : ElementwiseOp<"asin", "arc sine">;
def AsinhOp : ElementwiseOp<"asinh", "inverse hyperbolic sine">;
def AtanOp : ElementwiseOp<"atan", "arc tangent">;
def AtanhOp : ElementwiseOp<"atanh", "inverse hyperbolic tangent">;
def CosOp : ElementwiseOp<"cos", "cosine">;
def CoshOp : ElementwiseOp<"cosh", "hyperbolic cosine">;
def ErfOp : ElementwiseOp<"erf", "error function">;
def Log10Op : ElementwiseOp<"log10", "logarithm to base 10">;
def SignOp : ElementwiseOp<"sign", "-1, 0 or 1 by the sign">;
def SinOp : ElementwiseOp<"sin", "sine">;
def SinhOp : ElementwiseOp<"sinh", "hyperbolic sine">;
def TruncOp : ElementwiseOp<"trunc", "rounding towards zero">;

let Relation = "inferPredicate" in {
def IsFiniteOp : ElementwiseOp<"isfinite", "whether data is neither infinite nor nan">;
def IsInfOp : ElementwiseOp<"isinf", "whether data is infinite">;
def IsNanOp : ElementwiseOp<"isnan", "whether data is nan">;
}
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

let Traits = [Commutative] in {
def AddOp : BroadcastOp<"add", "lhs + rhs">;
def BitwiseAndOp : BroadcastOp<"bitwise_and", "bits that are set in both">;
def BitwiseOrOp : BroadcastOp<"bitwise_or", "bits that are set in any">;
def BitwiseXorOp : BroadcastOp<"bitwise_xor", "bits that differ">;
def LogicalAndOp : BroadcastOp<"logical_and", "whether both are true">;
def LogicalOrOp : BroadcastOp<"logical_or", "whether any is true">;
def LogicalXorOp : BroadcastOp<"logical_xor", "whether one of them is true">;
def MaximumOp : BroadcastOp<"maximum", "the larger one">;
def MinimumOp : BroadcastOp<"minimum", "the smaller one">;
def MultiplyOp : BroadcastOp<"multiply", "lhs * rhs">;
def EqualOp : CompareOp<"equal", "lhs == rhs">;
def NotEqualOp : CompareOp<"not_equal", "lhs != rhs">;
}

def DivideOp : BroadcastOp<"divide", "lhs / rhs; integers round towards zero">;
def FloorDivideOp : BroadcastOp<"floor_divide", "lhs / rhs, rounded down">;
def FloorModOp : BroadcastOp<"floor_mod", "what floor_divide leaves; it has the sign of rhs">;
def LeftShiftOp : BroadcastOp<"left_shift", "lhs shifted left by rhs bits">;
def ModOp : BroadcastOp<"mod", "what divide leaves; it has the sign of lhs">;
def PowerOp : BroadcastOp<"power", "lhs to the power of rhs">;
def RightShiftOp : BroadcastOp<"right_shift", "lhs shifted right by rhs bits">;
def SubtractOp : BroadcastOp<"subtract", "lhs - rhs">;
def TruncDivideOp : BroadcastOp<"trunc_divide", "lhs / rhs, rounded towards zero">;
def TruncModOp : BroadcastOp<"trunc_mod", "what trunc_divide leaves; it has the sign of lhs">;
def GreaterOp : CompareOp<"greater", "lhs > rhs">;
def GreaterEqualOp : CompareOp<"greater_equal", "lhs >= rhs">;
def LessOp : CompareOp<"less", "lhs < rhs">;
def LessEqualOp : CompareOp<"less_equal", "lhs <= rhs">;

//===----------------------------------------------------------------------===//
// With attributes
//===----------------------------------------------------------------------===//

def ClipAttrs : AttrsDef<"relay.attrs.ClipAttrs"> {
  let Fields = (ins Double:$a_min, Double:$a_max);
}
def FixedPointMultiplyAttrs : AttrsDef<"relay.attrs.FixedPointMultiplyAttrs"> {
  let Fields = (ins Int:$multiplier, Int:$shift);
}

def ClipOp : ElementwiseOp<"clip", "data, but no less than a_min and no more than a_max"> {
  let Attributes = ClipAttrs;
}
def FixedPointMultiplyOp
    : ElementwiseOp<"fixed_point_multiply",
                    "data * multiplier * 2^(shift - 31), rounded"> {
  let Attributes = FixedPointMultiplyAttrs;
  let ShapeDataDependent = []<int>;
}

def FixedPointMultiplyPerAxisAttrs
    : AttrsDef<"relay.attrs.FixedPointMultiplyPerAxisAttrs"> {
  let Fields = (ins Default<Bool, "False">:$is_lshift_required,
                    Default<Bool, "False">:$is_rshift_required,
                    IntArray:$axes);
}
def FixedPointMultiplyPerAxisOp : Op<"fixed_point_multiply_per_axis"> {
  let Summary = "fixed_point_multiply with numbers for each place on axes";
  let Operands = (ins Tensor:$data, Tensor:$fp_multiplier, Tensor:$left_shift,
                      Tensor:$right_shift);
  let Attributes = FixedPointMultiplyPerAxisAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferFixedPointMultiplyPerAxis";
}

// Conversions of elements to another type.
def CastAttrs : AttrsDef<"relay.attrs.CastAttrs"> {
  let Fields = (ins DataType:$dtype);
}
let FusionKind = ElemWise in {
def CastOp : Op<"cast"> {
  let Summary = "data converted to dtype";
  let Operands = (ins Tensor:$data);
  let Attributes = CastAttrs;
  let Relation = "inferCast";
  let ShapeDataDependent = [0];
}
def ReinterpretOp : Op<"reinterpret"> {
  let Summary = "the bits of data reinterpreted as dtype";
  let Operands = (ins Tensor:$data);
  let Attributes = CastAttrs;
  let Relation = "inferCast";
}
def CastLikeOp : Op<"cast_like"> {
  let Summary = "data converted to the data type of dtype_like";
  let Operands = (ins Tensor:$data, Tensor:$dtype_like);
  let Relation = "inferCastLike";
  let ShapeDataDependent = [0];
}
}

def WhereOp : Op<"where"> {
  let Summary = "x where condition is true, else y";
  let Operands = (ins Tensor:$condition, Tensor:$x, Tensor:$y);
  let FusionKind = Broadcast;
  let Relation = "inferWhere";
  let ShapeDataDependent = [0];
}

#endif // RELAY_OPS_ELEMENTWISE_TD
