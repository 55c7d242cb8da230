//===- Pattern.cpp - Dataflow patterns ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes belong to graphs. If a node gets children of another graph, the two
// graphs are merged: redirected wildcards make cycles, which reference counts
// of nodes would never free.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/Pattern.h"
#include "relay/IR/Context.h"
#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Attribute values
//===----------------------------------------------------------------------===//

Attr AttrLiteral::get(Context &Ctx) const {
  if (auto *Bool = std::get_if<bool>(&Value))
    return Attr::getBool(*Bool);
  if (auto *Int = std::get_if<Number<int64_t>>(&Value))
    return Ctx.getInt(Int->Value, Int->Type);
  if (auto *Float = std::get_if<Number<double>>(&Value))
    return Ctx.getFloat(Float->Value, Float->Type);
  if (auto *Text = std::get_if<std::string>(&Value))
    return Ctx.getString(*Text);
  return Ctx.getArray(llvm::map_to_vector(
      std::get<List>(Value),
      [&](const AttrLiteral &Element) { return Element.get(Ctx); }));
}

void AttrLiteral::print(raw_ostream &OS) const {
  char Buffer[MaxNumberLength];
  if (auto *Bool = std::get_if<bool>(&Value)) {
    OS << (*Bool ? "True" : "False");
  } else if (auto *Int = std::get_if<Number<int64_t>>(&Value)) {
    OS << Int->Value << getScalarSuffix(Int->Type).value_or("");
  } else if (auto *Float = std::get_if<Number<double>>(&Value)) {
    OS << StringRef(Buffer,
                    writeFloat(Buffer, Float->Value, Float->Type.getBits()) -
                        Buffer)
       << getScalarSuffix(Float->Type).value_or("");
  } else if (auto *Text = std::get_if<std::string>(&Value)) {
    llvm::SmallString<32> Quoted;
    writeString(Quoted, *Text);
    OS << Quoted;
  } else {
    OS << '[';
    llvm::interleaveComma(std::get<List>(Value), OS,
                          [&](const AttrLiteral &A) { A.print(OS); });
    OS << ']';
  }
}

//===----------------------------------------------------------------------===//
// Graphs and nodes
//===----------------------------------------------------------------------===//

class relay::PatternGraph {
public:
  using Ptr = std::shared_ptr<PatternGraph>;

  /// Returns the graph that \p G has been merged into.
  static Ptr find(Ptr G) {
    while (G->MergedInto)
      G = G->MergedInto;
    return G;
  }
  /// Merges \p A and \p B: moves the nodes of the smaller graph to the other.
  static Ptr merge(const Ptr &A, const Ptr &B) {
    Ptr Into = find(A), From = find(B);
    if (Into == From)
      return Into;
    if (Into->Nodes.size() < From->Nodes.size())
      std::swap(Into, From);
    llvm::append_range(Into->Nodes,
                       llvm::make_range(std::move_iterator(From->Nodes.begin()),
                                        std::move_iterator(From->Nodes.end())));
    From->Nodes.clear();
    From->MergedInto = Into;
    return Into;
  }
  PatternNode *create(PatternKind Kind) {
    Nodes.emplace_back(new PatternNode(Kind));
    return Nodes.back().get();
  }

private:
  std::vector<std::unique_ptr<PatternNode>> Nodes;
  Ptr MergedInto;
};

bool relay::isDemand(PatternKind Kind) {
  switch (Kind) {
  case PatternKind::Attributes:
  case PatternKind::Type:
  case PatternKind::DType:
  case PatternKind::Shape:
    return true;
  default:
    return false;
  }
}

bool relay::matchesAsChild(PatternKind Kind) {
  return Kind == PatternKind::Alternative || isDemand(Kind);
}

SmallVector<const PatternNode *, 0> relay::listNodes(const PatternNode &Root) {
  SmallVector<const PatternNode *, 0> Order;
  SmallVector<std::pair<const PatternNode *, unsigned>, 0> Stack = {{&Root, 0}};
  llvm::DenseSet<const PatternNode *> Seen = {&Root};
  while (!Stack.empty()) {
    auto &[Node, Next] = Stack.back();
    if (Next == Node->getChildren().size()) {
      Order.push_back(Node);
      Stack.pop_back();
      continue;
    }
    const PatternNode *Child = Node->getChildren()[Next++];
    if (Seen.insert(Child).second)
      Stack.push_back({Child, 0});
  }
  return Order;
}

StringRef relay::getPatternKindName(PatternKind Kind) {
  switch (Kind) {
  case PatternKind::Operator:
    return "operator";
  case PatternKind::Wildcard:
    return "wildcard";
  case PatternKind::Constant:
    return "constant";
  case PatternKind::Variable:
    return "variable";
  case PatternKind::Expression:
    return "expression";
  case PatternKind::Call:
    return "call";
  case PatternKind::Tuple:
    return "tuple";
  case PatternKind::TupleGetItem:
    return "projection";
  case PatternKind::Function:
    return "function";
  case PatternKind::If:
    return "if";
  case PatternKind::Let:
    return "let";
  case PatternKind::Alternative:
    return "alternative";
  case PatternKind::Attributes:
    return "attributes";
  case PatternKind::Type:
    return "type";
  case PatternKind::DType:
    return "dtype";
  case PatternKind::Shape:
    return "shape";
  case PatternKind::Dominator:
    return "dominator";
  }
  llvm_unreachable("unknown kind of pattern");
}

ArrayRef<const PatternNode *> PatternNode::getList() const {
  switch (Kind) {
  case PatternKind::Call:
    return ArrayRef(Children).drop_front();
  case PatternKind::Tuple:
    return Children;
  case PatternKind::Function:
    return ArrayRef(Children).drop_back();
  default:
    llvm_unreachable("this kind of pattern has no list");
  }
}

Pattern Pattern::make(PatternKind Kind, ArrayRef<Pattern> Children) {
  PatternGraph::Ptr Graph = Children.empty()
                                ? std::make_shared<PatternGraph>()
                                : PatternGraph::find(Children.front().Graph);
  for (const Pattern &Child : Children)
    Graph = PatternGraph::merge(Graph, Child.Graph);
  PatternNode *Node = Graph->create(Kind);
  for (const Pattern &Child : Children)
    Node->Children.push_back(Child.Node);
  return Pattern(std::move(Graph), Node);
}

Pattern Pattern::getOperator(StringRef Name) {
  Pattern P = make(PatternKind::Operator);
  P.Node->Name = Name.str();
  return P;
}

Pattern Pattern::getWildcard() { return make(PatternKind::Wildcard); }

Pattern Pattern::getConstant() { return make(PatternKind::Constant); }

Pattern Pattern::getVariable(StringRef Name) {
  Pattern P = make(PatternKind::Variable);
  P.Node->Name = Name.str();
  return P;
}

Pattern Pattern::getExpression(const Value *V,
                               std::shared_ptr<const void> Owner) {
  Pattern P = make(PatternKind::Expression);
  P.Node->Expression = V;
  P.Node->ExpressionOwner = std::move(Owner);
  return P;
}

Pattern Pattern::getTuple(ArrayRef<Pattern> Fields) {
  return make(PatternKind::Tuple, Fields);
}

Pattern Pattern::getTuple(AnyNumberT) {
  Pattern P = make(PatternKind::Tuple);
  P.Node->AnyNumber = true;
  return P;
}

Pattern Pattern::getTupleGetItem(const Pattern &Tuple,
                                 std::optional<int64_t> Index) {
  Pattern P = make(PatternKind::TupleGetItem, Tuple);
  P.Node->Index = Index;
  return P;
}

Pattern Pattern::getFunction(ArrayRef<Pattern> Params, const Pattern &Body) {
  SmallVector<Pattern, 4> Children(Params);
  Children.push_back(Body);
  return make(PatternKind::Function, Children);
}

Pattern Pattern::getFunction(AnyNumberT, const Pattern &Body) {
  Pattern P = make(PatternKind::Function, Body);
  P.Node->AnyNumber = true;
  return P;
}

Pattern Pattern::getIf(const Pattern &Condition, const Pattern &True,
                       const Pattern &False) {
  return make(PatternKind::If, {Condition, True, False});
}

Pattern Pattern::getLet(const Pattern &Variable, const Pattern &Value,
                        const Pattern &Body) {
  return make(PatternKind::Let, {Variable, Value, Body});
}

//===----------------------------------------------------------------------===//
// Larger patterns
//===----------------------------------------------------------------------===//

Pattern Pattern::call(ArrayRef<Pattern> Arguments) const {
  SmallVector<Pattern, 4> Children = {*this};
  llvm::append_range(Children, Arguments);
  return make(PatternKind::Call, Children);
}

Pattern Pattern::operator()(AnyNumberT) const {
  Pattern P = make(PatternKind::Call, *this);
  P.Node->AnyNumber = true;
  return P;
}

Pattern Pattern::getAlternative(ArrayRef<Pattern> Choices) {
  assert(Choices.size() >= 2 && "no choice");
  return make(PatternKind::Alternative, Choices);
}

Pattern Pattern::hasAttr(StringRef Name, AttrLiteral Value) const {
  return hasAttrs({{Name.str(), std::move(Value)}});
}

Pattern Pattern::hasAttrs(std::vector<WantedAttr> Attributes) const {
  Pattern P = make(PatternKind::Attributes, *this);
  P.Node->Attributes = std::move(Attributes);
  return P;
}

Pattern Pattern::hasType(Type *T) const {
  Pattern P = make(PatternKind::Type, *this);
  P.Node->Type = T;
  return P;
}

Pattern Pattern::hasDType(DType T) const {
  Pattern P = make(PatternKind::DType, *this);
  P.Node->DType = T;
  return P;
}

Pattern Pattern::hasShape(ArrayRef<Dim> Shape) const {
  Pattern P = make(PatternKind::Shape, *this);
  P.Node->Shape.assign(Shape.begin(), Shape.end());
  return P;
}

Pattern Pattern::hasShape(std::initializer_list<int32_t> Shape) const {
  return hasShape(llvm::map_to_vector(
      Shape, [](int32_t Extent) { return Dim::get(Extent); }));
}

Pattern Pattern::dominates(const Pattern &Parent, const Pattern &Path) const {
  return make(PatternKind::Dominator, {Parent, Path, *this});
}

Pattern Pattern::dominates(const Pattern &Parent) const {
  return dominates(Parent, getWildcard());
}

//===----------------------------------------------------------------------===//
// This node
//===----------------------------------------------------------------------===//

Pattern Pattern::as(StringRef Label) const {
  assert((Node->Label.empty() || Node->Label == Label) &&
         "the node has another name");
  Node->Label = Label.str();
  return *this;
}

Pattern Pattern::at(Location Loc) const {
  Node->Loc = Loc;
  return *this;
}

Pattern Pattern::readFrom(SourceTextRef Text) const {
  Node->Text = std::move(Text);
  return *this;
}

void Pattern::redirectTo(const Pattern &Target) const {
  assert(Node->is(PatternKind::Wildcard) && "only wildcards are redirected");
  PatternGraph::merge(Graph, Target.Graph);
  Node->Children.assign(1, Target.Node);
}
