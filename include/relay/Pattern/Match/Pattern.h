//===- Pattern.h - Dataflow patterns ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern describes expressions, as TVM's DFPattern does:
//
//   Pattern Conv = isOp<Conv2DOp>()(wildcard(), isConstant()).as("conv");
//   Pattern P = isOp("nn.relu")(Conv.optional([](Pattern Sum) {
//     return isOp("nn.bias_add")(Sum, wildcard());
//   }));
//
// Nodes have identity: a node that occurs twice in a pattern must match the
// same value at both positions. A Pattern is a handle to a node, and cheap to
// copy. PatternKind describes the kinds of nodes; PatternProgram.h compiles
// patterns, Matcher.h runs them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_MATCH_PATTERN_H
#define RELAY_PATTERN_MATCH_PATTERN_H

#include "relay/IR/Module.h"
#include "relay/Pattern/Text/AttrLiteral.h"
#include <memory>

namespace relay {

class PatternGraph;

/// The kinds of nodes, with their meaning and children. "Variable" is a
/// parameter, a free variable, or the use of a value bound by a `let`; patterns
/// do not look through it.
enum class PatternKind : uint8_t {
  Operator,     ///< the operator itself, not a call of it
  Wildcard,     ///< anything; if redirected, matches of its child
  Constant,     ///< any constant
  Variable,     ///< any variable, or the one with a name
  Expression,   ///< structurally equal to a value of the IR
  Call,         ///< callee, arguments (or any number of arguments)
  Tuple,        ///< fields (or any number of fields)
  TupleGetItem, ///< tuple; any index, or a fixed one
  Function,     ///< a closure: parameters (or any number of them), body
  If,           ///< condition, true branch, false branch
  Let,          ///< variable, value, body
  Alternative,  ///< two or more: tried in this order
  Attributes,   ///< inner; attributes of an operator, a call or a closure
  Type,         ///< inner, of a type
  DType,        ///< inner, a tensor of an element type
  Shape,        ///< inner, a tensor of a shape
  Dominator     ///< parent, path, child: see Pattern::dominates()
};

/// Returns the name of a kind in messages: `operator`, `wildcard`, ….
StringRef getPatternKindName(PatternKind Kind);

/// Returns true if a node of \p Kind restricts the match of its child.
bool isDemand(PatternKind Kind);

/// Returns true if a node of \p Kind matches the same expression as one of its
/// children: demands and alternatives.
bool matchesAsChild(PatternKind Kind);

/// An attribute and its required value.
using WantedAttr = std::pair<std::string, AttrLiteral>;

/// One node of a pattern. Read-only outside of Pattern.
class PatternNode {
public:
  PatternKind getKind() const { return Kind; }
  bool is(PatternKind K) const { return Kind == K; }
  ArrayRef<const PatternNode *> getChildren() const { return Children; }
  const PatternNode &getChild(unsigned I) const { return *Children[I]; }
  /// Call, Tuple, Function: true if any number of arguments, fields or
  /// parameters matches; these are then not children.
  bool hasAnyNumber() const { return AnyNumber; }
  /// Call, Tuple, Function: returns the arguments, fields or parameters.
  ArrayRef<const PatternNode *> getList() const;

  /// Operator: its name. Variable: the name; empty if any variable matches.
  StringRef getName() const { return Name; }
  /// TupleGetItem: the index; none if any index matches.
  std::optional<int64_t> getIndex() const { return Index; }
  /// Expression.
  const Value *getExpression() const { return Expression; }
  /// Attributes, in the order in which they are checked.
  ArrayRef<WantedAttr> getAttributes() const { return Attributes; }
  /// Type.
  relay::Type *getType() const { return Type; }
  /// DType.
  relay::DType getDType() const { return DType; }
  /// Shape.
  ArrayRef<Dim> getShape() const { return Shape; }

  /// Returns the name of the node in results; empty if it has none.
  StringRef getLabel() const { return Label; }
  /// Returns the location from which the node was read; unknown for nodes
  /// created in C++.
  Location getLoc() const { return Loc; }

private:
  friend class Pattern;
  friend class PatternGraph;
  explicit PatternNode(PatternKind Kind) : Kind(Kind) {}

  PatternKind Kind;
  bool AnyNumber = false;
  SmallVector<const PatternNode *, 3> Children;
  std::string Name, Label;
  std::optional<int64_t> Index;
  const Value *Expression = nullptr;
  /// Keeps Expression alive if the pattern owns it.
  std::shared_ptr<const void> ExpressionOwner;
  std::vector<WantedAttr> Attributes;
  relay::Type *Type = nullptr;
  relay::DType DType;
  SmallVector<Dim, 4> Shape;
  Location Loc;
  SourceTextRef Text; ///< that the pattern of this root was read from
};

/// Returns the nodes reachable from \p Root, each once, in post-order. A node
/// with an edge back to a node being visited comes before that node.
SmallVector<const PatternNode *, 0> listNodes(const PatternNode &Root);

/// Matches any number of arguments, fields or parameters:
/// `isOp("zeros")(AnyNumber)`.
struct AnyNumberT {};
inline constexpr AnyNumberT AnyNumber{};

/// A handle to a node, never null. The node lives as long as any handle to a
/// pattern that it is connected with.
class Pattern {
public:
  //===--- Larger patterns ------------------------------------------------===//
  /// A call whose callee matches this, with exactly these arguments. Only calls
  /// of `add` and `multiply`, directly by isOp(), match with swapped arguments.
  template <typename... Ps> Pattern operator()(const Ps &...Arguments) const {
    return call({Arguments...});
  }
  Pattern operator()(AnyNumberT) const;
  Pattern call(ArrayRef<Pattern> Arguments) const;
  /// Matches either pattern; this one is tried first.
  Pattern operator|(const Pattern &Other) const {
    return getAlternative({*this, Other});
  }
  /// Matches this, or the pattern that \p MakeUser creates from it.
  Pattern optional(function_ref<Pattern(Pattern)> MakeUser) const {
    return *this | MakeUser(*this);
  }
  /// Matches this if the attribute \p Name is \p Value: for an operator a
  /// registered property (`TOpPattern`), for a call a field, for a closure an
  /// attribute.
  Pattern hasAttr(StringRef Name, AttrLiteral Value) const;
  Pattern hasAttrs(std::vector<WantedAttr> Attributes) const;
  /// Matches this if its type is structurally equal to \p T.
  Pattern hasType(Type *T) const;
  /// Matches this if it is a tensor with elements of \p T.
  Pattern hasDType(DType T) const;
  /// Matches this if it is a tensor of \p Shape; `?` equals only `?`.
  Pattern hasShape(ArrayRef<Dim> Shape) const;
  Pattern hasShape(std::initializer_list<int32_t> Shape) const;
  /// Matches this if each path up from it leads to \p Parent through any number
  /// of values that \p Path matches, and all flow out of \p Parent leads here.
  Pattern dominates(const Pattern &Parent, const Pattern &Path) const;
  Pattern dominates(const Pattern &Parent) const;

  //===--- This node ------------------------------------------------------===//
  /// Names the node in results. A node has one name.
  Pattern as(StringRef Label) const;
  /// Sets the location from which the node was read.
  Pattern at(Location Loc) const;
  /// Holds \p Text, from which nodes of the pattern were read.
  Pattern readFrom(SourceTextRef Text) const;
  /// Makes a wildcard match the same expressions as \p Target. The wildcard may
  /// be a part of Target: patterns of any depth.
  void redirectTo(const Pattern &Target) const;

  const PatternNode &getNode() const { return *Node; }
  const PatternNode *operator->() const { return Node; }
  /// Returns true if both are the same node.
  bool operator==(const Pattern &O) const { return Node == O.Node; }
  bool operator!=(const Pattern &O) const { return Node != O.Node; }

  //===--- Nodes without a pattern to begin with --------------------------===//
  static Pattern getOperator(StringRef Name);
  static Pattern getWildcard();
  static Pattern getConstant();
  static Pattern getVariable(StringRef Name);
  static Pattern getExpression(const Value *V,
                               std::shared_ptr<const void> Owner);
  static Pattern getTuple(ArrayRef<Pattern> Fields);
  static Pattern getTuple(AnyNumberT);
  static Pattern getTupleGetItem(const Pattern &Tuple,
                                 std::optional<int64_t> Index);
  static Pattern getFunction(ArrayRef<Pattern> Params, const Pattern &Body);
  static Pattern getFunction(AnyNumberT, const Pattern &Body);
  static Pattern getIf(const Pattern &Condition, const Pattern &True,
                       const Pattern &False);
  static Pattern getLet(const Pattern &Variable, const Pattern &Value,
                        const Pattern &Body);
  static Pattern getAlternative(ArrayRef<Pattern> Choices);

private:
  Pattern(std::shared_ptr<PatternGraph> Graph, PatternNode *Node)
      : Graph(std::move(Graph)), Node(Node) {}
  static Pattern make(PatternKind Kind, ArrayRef<Pattern> Children = {});

  std::shared_ptr<PatternGraph> Graph;
  PatternNode *Node;
};

//===----------------------------------------------------------------------===//
// Short forms
//===----------------------------------------------------------------------===//

/// Matches the operator \p Name; the program checks that it is declared.
inline Pattern isOp(StringRef Name) { return Pattern::getOperator(Name); }
template <typename OpT> Pattern isOp() {
  return Pattern::getOperator(OpT::getInfo().Name);
}
inline Pattern wildcard() { return Pattern::getWildcard(); }
inline Pattern isConstant() { return Pattern::getConstant(); }
/// Matches a variable; only the one named \p Name (without `%`) if that is not
/// empty.
inline Pattern isVar(StringRef Name = "") { return Pattern::getVariable(Name); }
/// Matches expressions structurally equal to \p V. \p V must outlive \p Owner
/// or, if that is null, the pattern. Free variables equal only themselves.
inline Pattern isExpr(const Value *V,
                      std::shared_ptr<const void> Owner = nullptr) {
  return Pattern::getExpression(V, std::move(Owner));
}
inline Pattern isTuple(ArrayRef<Pattern> Fields) {
  return Pattern::getTuple(Fields);
}
inline Pattern isTuple(AnyNumberT) { return Pattern::getTuple(AnyNumber); }
/// Matches field \p Index, or any field, of a tuple that \p Tuple matches.
inline Pattern isTupleGetItem(const Pattern &Tuple,
                              std::optional<int64_t> Index = std::nullopt) {
  return Pattern::getTupleGetItem(Tuple, Index);
}
/// Matches a closure. Its type, type parameters and attributes are ignored.
inline Pattern isFn(ArrayRef<Pattern> Params, const Pattern &Body) {
  return Pattern::getFunction(Params, Body);
}
inline Pattern isFn(AnyNumberT, const Pattern &Body) {
  return Pattern::getFunction(AnyNumber, Body);
}
inline Pattern isIf(const Pattern &Condition, const Pattern &True,
                    const Pattern &False) {
  return Pattern::getIf(Condition, True, False);
}
/// Matches a `let`: \p Variable matches its variable, \p Value its value.
inline Pattern isLet(const Pattern &Variable, const Pattern &Value,
                     const Pattern &Body) {
  return Pattern::getLet(Variable, Value, Body);
}

/// Matches the first of \p Choices, two or more, that matches.
inline Pattern anyOf(ArrayRef<Pattern> Choices) {
  return Pattern::getAlternative(Choices);
}

inline Pattern operator+(const Pattern &L, const Pattern &R) {
  return isOp("add")(L, R);
}
inline Pattern operator-(const Pattern &L, const Pattern &R) {
  return isOp("subtract")(L, R);
}
inline Pattern operator*(const Pattern &L, const Pattern &R) {
  return isOp("multiply")(L, R);
}
inline Pattern operator/(const Pattern &L, const Pattern &R) {
  return isOp("divide")(L, R);
}

} // namespace relay

#endif // RELAY_PATTERN_MATCH_PATTERN_H
