//===- RewriteBase.td - Classes for declaring rules --------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary in which rewriting rules and patterns are declared:
//
//   def isPermutation : Constraint<"isPermutation">;
//   def compose : NativeCode<"composePermutations", "SmallVector<int64_t>">;
//
//   def FoldTransposes
//       : Rewrite<(TransposeOp (TransposeOp $x, $p), $q),
//                 (TransposeOp $x, (compose $p, $q)), [(isPermutation $p)]>;
//
// A pattern is a call of an operator: its operands, then optionally its
// attributes in the order of their fields, or by name in `attrs`.
//
//   $x            anything; a repeated name is the same node
//   ?             anything
//   (AddOp:$a …)  a call, which `$a` names from here on
//   TupleOp, TupleGetItemOp: a tuple, and its field
//   an attribute: `$p` names its value; a number, a text, `true`, `false` or a
//   list, `ints<[1, 1]>`, is its required value; `?` matches any value
//
// Only calls of `add` and `multiply` match with swapped operands, as in TVM.
//
// A replacement consists of calls of operators, with attributes in the same
// notation or default values; calls of C++ functions; and names. A name that it
// defines itself, `(AddOp:$s …)`, may be used later in it.
//
// The build finds each file <Room>/X.td that includes this one, and runs
// `relay-tblgen -gen-rewriters` to generate relay/<Room>/X.h.inc from it:
// declarations of the functions to define, and `std::vector<RewriteRule>
// getXRules()`, `std::vector<NamedPattern> getXPatterns()`. One .cpp includes
// the headers of the operator classes, defines RELAY_DEFINE_RULES and then
// includes the generated file.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_REWRITEBASE_TD
#define RELAY_PATTERN_REWRITE_REWRITEBASE_TD

include "relay/IR/Core.td"

//===----------------------------------------------------------------------===//
// Words of patterns and replacements
//===----------------------------------------------------------------------===//

// `(Constant)`, `(Constant:$c)`: any constant.
def Constant;
// `(Either a, b)`: an expression that matches one of them, tried in this order.
// Names that occur in only one are null in C++ if another one matched.
def Either;
// `(HasDType "float32", a)`, `(HasShape ints<[1, 3]>, a)`: a match of `a` that
// is a tensor of this data type or shape.
def HasDType;
def HasShape;
// After the operands, attributes by name. In a pattern `(attrs $axis,
// "NHWC":$layout)`: `$axis` names the value of the field `axis`, and `layout`
// must be "NHWC". In a replacement `(attrs $conv, ints<[1, 1]>:$strides)`: the
// attributes of the node `$conv`, except for `strides`; without the node, all
// others have default values.
def attrs;
// A list of numbers, which a TableGen dag cannot contain.
class ints<list<int> values> { list<int> Values = values; }
// `(value $x)` is `$x`: as a replacement, or as an attribute of another name,
// `(attrs $conv, (value $block):$dilation)`.
def value;

// A condition, the C++ function `bool function(…)`. Its arguments are written
// after it. Their types are: `Value *` for the name of an operand; the class of
// the operator for the name of a call (`AddOp`); ConstantOp for the name of a
// constant; the return type of the field's accessor for the name of an
// attribute. If `parameters` is not empty, it lists the types of the function,
// and C++ converts: a call to `Value *`.
class Constraint<string function, list<string> parameters = []> {
  string Function = function;
  list<string> Parameters = parameters;
}

// The result of the C++ function `type function(Rewriter &R, …)`, whose
// arguments are written like arguments of constraints. It creates operations
// before the root.
class NativeCode<string function, string type = "Value *",
                 list<string> parameters = []> {
  string Function = function;
  string Type = type;
  list<string> Parameters = parameters;
}

//===----------------------------------------------------------------------===//
// Rules and patterns
//===----------------------------------------------------------------------===//

// Numbers for which a rule changes results, as TVM's rule does:
// docs/Differences.md has the details. The test of rules (docs/Testing.md)
// omits them.
class ExceptedNumbers<string enumerator> { string Enumerator = enumerator; }
// NaN and infinities.
def NotFinite : ExceptedNumbers<"NotFinite">;
// The least and the greatest integer of a type.
def IntegerLimits : ExceptedNumbers<"IntegerLimits">;
// float16 and bfloat16, in which approximations are rounded at each step.
def NarrowFloats : ExceptedNumbers<"NarrowFloats">;

// Calls that match `source`, and for which all `constraints` hold, are replaced
// by `result`, a value of the same type. The name of the record is the name of
// the rule. If several rules match, the one with the greatest benefit is
// applied; the first, if benefits are equal.
//
// The operations that the source matches below its root are removed: there is
// no match if another operation uses one of them, unless all paths from that
// use lead to the root; see SharesInner.
class Rewrite<dag source, dag result, list<dag> constraints = [],
              int benefit = 1> {
  dag Source = source;
  dag Result = result;
  list<dag> Constraints = constraints;
  int Benefit = benefit;
  string Summary = "";  // one line, no full stop
  bit SharesInner = 0;  // nodes below the root may have other uses
  list<ExceptedNumbers> Except = [];
  // Patterns with more specific calls than the source, for which the
  // constraints hold more often. The test of rules (docs/Testing.md) builds its
  // instances from them; it needs them if a constraint inspects expressions
  // that `?` matches.
  list<dag> Examples = [];
}

// A pattern by name, `dnnl.conv2d_relu`.
class CompositePattern<string name, dag source> {
  string Name = name;
  dag Source = source;
}

#endif // RELAY_PATTERN_REWRITE_REWRITEBASE_TD
