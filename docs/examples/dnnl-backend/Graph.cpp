// See Graph.h.

#include "Graph.h"
#include "relay/IR/Core.h"
#include "llvm/ADT/DenseMap.h"

using namespace backend;
using namespace relay;

namespace {

class GraphBuilder {
public:
  /// Returns false if the function cannot be represented.
  bool build(Function &F);
  Graph G;

private:
  /// Closures that call themselves, or that nest so that their calls multiply,
  /// are left to the interpreter.
  static constexpr size_t MaxDepth = 64, MaxOperations = 1'000'000;

  /// A body that is being visited, and the call whose value is its result.
  struct Level {
    Block *B;
    Block::iterator It;
    const Operation *Call;
  };

  std::optional<GraphValue> add(Type *T);
  bool addTensor(GraphValue &V, Type *T);
  bool visit(const Operation &Op);
  bool enterCall(const Operation &Op);
  bool addNode(const Operation &Op);
  bool addConstant(const Operation &Op);
  bool addTuple(const Operation &Op);
  bool addProjection(const Operation &Op);
  void countUses();

  llvm::DenseMap<const Value *, GraphValue> Values;
  std::vector<Level> Levels;
};

} // namespace

bool GraphBuilder::addTensor(GraphValue &V, Type *T) {
  auto *Tensor = dyn_cast_or_null<TensorType>(T);
  if (!Tensor || !Tensor->isStatic())
    return false;
  V.Tensors.push_back(G.Tensors.size());
  G.Tensors.emplace_back().Type = Tensor;
  return true;
}

/// Creates the tensors of a value of the type \p T.
std::optional<GraphValue> GraphBuilder::add(Type *T) {
  GraphValue V;
  auto *Tuple = dyn_cast_or_null<TupleType>(T);
  V.IsTuple = Tuple;
  if (!Tuple)
    return addTensor(V, T) ? std::optional(V) : std::nullopt;
  for (Type *Field : Tuple->getFields())
    if (!addTensor(V, Field))
      return std::nullopt;
  return V;
}

bool GraphBuilder::addNode(const Operation &Op) {
  std::optional<GraphValue> Result = add(Op.getType());
  if (!Result)
    return false;
  GraphNode &Node = G.Nodes.emplace_back(GraphNode{&Op, {}, *Result});
  for (Value *Operand : Op.operands()) {
    auto Found = Values.find(Operand);
    if (Found == Values.end()) // a function
      return false;
    Node.Operands.push_back(Found->second);
  }
  Values[&Op] = *Result;
  return true;
}

bool GraphBuilder::addConstant(const Operation &Op) {
  const ConstantData *Data = getKnownData(&Op);
  std::optional<GraphValue> V = add(Op.getType());
  if (!Data || !V)
    return false;
  G.Tensors.back().Constant = Data;
  Values[&Op] = *V;
  return true;
}

bool GraphBuilder::addTuple(const Operation &Op) {
  GraphValue Result;
  Result.IsTuple = true;
  for (Value *Field : Op.operands()) {
    auto Found = Values.find(Field);
    if (Found == Values.end() || Found->second.IsTuple)
      return false;
    Result.Tensors.push_back(Found->second.Tensors[0]);
  }
  Values[&Op] = Result;
  return true;
}

bool GraphBuilder::addProjection(const Operation &Op) {
  GraphValue Field;
  Field.Tensors.push_back(
      Values[Op.getOperand(0)].Tensors[TupleGetItemOp(&Op).attrs().index()]);
  Values[&Op] = Field;
  return true;
}

/// Visits the closure that \p Op calls, in place of the call.
bool GraphBuilder::enterCall(const Operation &Op) {
  const Operation *Fn = Op.getOperand(0)->getDefiningOp();
  if (!Fn || !Fn->is(OpCode::Fn) || Levels.size() == MaxDepth)
    return false;
  Block &B = Fn->getRegion();
  for (auto [I, Param] : llvm::enumerate(B.getArguments()))
    Values[Param] = GraphValue(Values.lookup(Op.getOperand(I + 1)));
  Levels.push_back({&B, B.begin(), &Op});
  return true;
}

bool GraphBuilder::visit(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::Operator:
    return addNode(Op);
  case OpCode::Constant:
    return addConstant(Op);
  case OpCode::Tuple:
    return addTuple(Op);
  case OpCode::TupleGetItem:
    return addProjection(Op);
  case OpCode::Alias:
    Values[&Op] = GraphValue(Values.lookup(Op.getOperand(0)));
    return true;
  case OpCode::Fn:
    return true; // its calls visit it
  case OpCode::CallValue:
    return enterCall(Op);
  default:
    return false;
  }
}

void GraphBuilder::countUses() {
  for (auto [I, Node] : llvm::enumerate(G.Nodes))
    for (const GraphValue &Operand : Node.Operands)
      for (TensorId T : Operand.Tensors) {
        G.Tensors[T].Users.push_back(I);
        ++G.Tensors[T].NumUses;
      }
  for (TensorId T : G.Result.Tensors)
    ++G.Tensors[T].NumUses;
}

bool GraphBuilder::build(Function &F) {
  for (BlockArgument *Param : F.getParams()) {
    std::optional<GraphValue> V = add(Param->getType());
    if (!V)
      return false;
    G.Params.push_back(*V);
    Values[Param] = *V;
  }
  Levels.push_back({&F.getBody(), F.getBody().begin(), nullptr});
  for (size_t Count = 0; !Levels.empty(); ++Count) {
    Level &L = Levels.back();
    if (Count == MaxOperations)
      return false;
    if (L.It != L.B->end()) {
      if (!visit(*L.It++))
        return false;
      continue;
    }
    auto Found = Values.find(L.B->getResult());
    if (Found == Values.end())
      return false;
    GraphValue Result = Found->second;
    (L.Call ? Values[L.Call] : G.Result) = Result;
    Levels.pop_back();
  }
  countUses();
  return true;
}

std::optional<Graph> Graph::get(Function &F) {
  GraphBuilder Builder;
  if (!Builder.build(F))
    return std::nullopt;
  return std::move(Builder.G);
}
