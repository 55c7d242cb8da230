// See Lowering.h.

#include "Lowering.h"
#include "relay/IR/Operation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace backend;
using namespace relay;

/// Returns the function for the operator \p Name; null if there is none.
static LowerFn getLowering(StringRef Name) {
  return llvm::StringSwitch<LowerFn>(Name)
      .Cases("nn.conv1d", "nn.conv2d", "nn.conv3d", lowerConvolution)
      .Case("nn.dense", lowerDense)
      .Cases("nn.max_pool2d", "nn.avg_pool2d", "nn.max_pool3d", "nn.avg_pool3d",
             lowerPool)
      .Cases("nn.global_avg_pool2d", "nn.global_max_pool2d", lowerPool)
      .Cases("nn.softmax", "nn.log_softmax", lowerSoftmax)
      .Cases("add", "subtract", "multiply", "divide", "nn.bias_add",
             lowerBinary)
      .Case("qnn.conv2d", lowerQuantizedConvolution)
      .Case("qnn.dense", lowerQuantizedDense)
      .Default(lowerEltwise);
}

Lowering::Lowering(const Graph &G, Plan &P)
    : G(G), P(P), IsLowered(G.Nodes.size()), BuffersOf(G.Tensors.size()) {}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

static Dims getStaticShape(const TensorType &T) {
  Dims Shape;
  for (Dim D : T.getShape())
    Shape.push_back(D.getInt());
  return Shape;
}

Dims Lowering::getShape(TensorId T) const {
  return getStaticShape(*G.Tensors[T].Type);
}

std::optional<unsigned> Lowering::getOpenUser(TensorId T) const {
  std::optional<unsigned> User = G.getOnlyUser(T);
  return User && !IsLowered[*User] && isPossible(*User) ? User : std::nullopt;
}

ArrayRef<unsigned> Lowering::getTwoUsers(TensorId T) const {
  const GraphTensor &Tensor = G.Tensors[T];
  auto IsOpen = [this](unsigned N) { return !IsLowered[N] && isPossible(N); };
  if (Tensor.NumUses != 2 || Tensor.Users.size() != 2 ||
      !llvm::all_of(Tensor.Users, IsOpen))
    return {};
  return Tensor.Users;
}

/// Returns true if node \p N has operands and results that primitives take:
/// tensors with elements.
bool Lowering::isPossible(unsigned N) const {
  auto HasElements = [this](const GraphValue &V) {
    return !V.IsTuple && !llvm::is_contained(getShape(V.Tensors[0]), 0);
  };
  const GraphNode &Node = G.Nodes[N];
  return HasElements(Node.Result) && llvm::all_of(Node.Operands, HasElements);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Adds a row-major buffer of \p T. Its layout is invalid if primitives lack
/// the type.
BufferId Lowering::addTensor(TensorId T) {
  TensorType *Type = G.Tensors[T].Type;
  Dims Shape = getStaticShape(*Type);
  if (Shape.empty())
    Shape.push_back(1);
  Buffer B;
  B.Type = Type;
  if (auto Element = getDataType(Type->getDType()))
    B.Layout = Desc::getRowMajor(Shape, *Element);
  if (const ConstantData *Data = G.Tensors[T].Constant) {
    B.Constant = Tensor::get(*Data);
    if (!B.Constant.isAligned())
      B.Constant = B.Constant.copy();
  }
  BuffersOf[T].push_back(P.Buffers.size());
  P.Buffers.push_back(std::move(B));
  return BuffersOf[T].back();
}

Desc Lowering::getLayout(TensorId T) {
  if (BuffersOf[T].empty())
    addTensor(T); // a constant
  return P.Buffers[BuffersOf[T][0]].Layout;
}

SmallVector<Desc, 2> Lowering::getLayoutsToTry(TensorId T) {
  Desc Own = getLayout(T);
  if (!Own)
    return {};
  Desc RowMajor = Desc::getRowMajor(Own.getShape(), *getDataType(getDType(T)));
  if (RowMajor == Own)
    return {Own};
  return {Own, RowMajor};
}

BufferId Lowering::addConstant(const Tensor &T) {
  Buffer B;
  B.Layout = Desc::getRowMajor(T.getShape(), *getDataType(T.getDType()));
  B.Constant = T;
  P.Buffers.push_back(std::move(B));
  return P.Buffers.size() - 1;
}

std::optional<BufferId> Lowering::convert(BufferId From, const Desc &View,
                                          const Desc &Want, int32_t Zero) {
  PrimitiveAttr Attr = createAttr();
  dnnl_primitive_desc_t Raw = nullptr;
  if (!Attr || !View || !Want ||
      (Zero && dnnl_primitive_attr_set_zero_points(Attr.get(), DNNL_ARG_SRC, 1,
                                                   0, &Zero) != dnnl_success) ||
      dnnl_reorder_primitive_desc_create(&Raw, View.get(), P.TheEngine.get(),
                                         Want.get(), P.TheEngine.get(),
                                         Attr.get()) != dnnl_success)
    return std::nullopt;
  PrimitiveDesc PD(Raw);
  BufferId To = P.addBuffer(Want);
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_FROM, From, View});
  if (!P.addPrimitive(nullptr, PD, std::move(Reads), {DNNL_ARG_TO, To}) ||
      (P.Buffers[From].Constant && !P.runLastStep()))
    return std::nullopt;
  return To;
}

std::optional<BufferId> Lowering::getBuffer(TensorId T, const Desc &Want) {
  Desc First = getLayout(T);
  for (BufferId B : BuffersOf[T])
    if (P.Buffers[B].Layout == Want)
      return B;
  std::optional<BufferId> New = convert(BuffersOf[T][0], First, Want);
  if (New)
    BuffersOf[T].push_back(*New);
  return New;
}

std::optional<BufferId> Lowering::getRowMajor(TensorId T) {
  getLayout(T);
  for (BufferId B : BuffersOf[T])
    if (P.Buffers[B].Type)
      return B;
  BufferId From = BuffersOf[T][0];
  std::optional<BufferId> New =
      convert(From, P.Buffers[From].Layout,
              Desc::getRowMajor(getShape(T), *getDataType(getDType(T))));
  if (!New)
    return std::nullopt;
  P.Buffers[*New].Type = G.Tensors[T].Type;
  BuffersOf[T].push_back(*New);
  return New;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool Lowering::addStep(unsigned N, const PrimitiveDesc &PD,
                       std::vector<Step::Argument> Reads, TensorId T,
                       const Desc &Layout, const Desc &View, uint64_t Work) {
  BufferId B = addTensor(T);
  if (!(P.Buffers[B].Layout == Layout))
    P.Buffers[B] = Buffer{Layout, nullptr, {}};
  if (P.addPrimitive(G.Nodes[N].Op, PD, std::move(Reads),
                     {DNNL_ARG_DST, B, View}, Work))
    return true;
  BuffersOf[T].pop_back();
  return false;
}

bool Lowering::addConvertedStep(unsigned N, const PrimitiveDesc &PD,
                                std::vector<Step::Argument> Reads,
                                const Desc &Layout, const Desc &View,
                                uint64_t Work) {
  TensorId T = getResult(N);
  BufferId B = P.addBuffer(Layout);
  if (!P.addPrimitive(G.Nodes[N].Op, PD, std::move(Reads),
                      {DNNL_ARG_DST, B, View}, Work))
    return false;
  std::optional<BufferId> To = convert(
      B, Layout, Desc::getRowMajor(getShape(T), *getDataType(getDType(T))));
  if (!To)
    return false;
  P.Buffers[*To].Type = G.Tensors[T].Type;
  BuffersOf[T].push_back(*To);
  return true;
}

bool Lowering::lowerNode(unsigned N) {
  return isPossible(N) && (lowerFunction(*this, N) ||
                           getLowering(G.Nodes[N].Op->getName())(*this, N));
}

/// Adds a step of the interpreter.
bool Lowering::evaluateNode(unsigned N) {
  const GraphNode &Node = G.Nodes[N];
  Step S;
  S.Op = Node.Op;
  for (const GraphValue &V : Node.Operands) {
    Step::Operand &O = S.Operands.emplace_back(Step::Operand{V.IsTuple, {}});
    for (TensorId T : V.Tensors) {
      std::optional<BufferId> B = getRowMajor(T);
      if (!B)
        return false;
      O.Buffers.push_back(*B);
      S.Reads.push_back(*B);
    }
  }
  S.HasTupleResult = Node.Result.IsTuple;
  for (TensorId T : Node.Result.Tensors)
    S.Writes.push_back(addTensor(T));
  P.Steps.push_back(std::move(S));
  return true;
}

bool Lowering::run() {
  for (const GraphValue &Param : G.Params) {
    auto &Buffers = P.Params.emplace_back();
    for (TensorId T : Param.Tensors)
      Buffers.push_back(addTensor(T));
  }
  for (unsigned N = 0; N != G.Nodes.size(); ++N)
    if (!IsLowered[N] && !lowerNode(N) && !evaluateNode(N))
      return false;
  for (TensorId T : G.Result.Tensors) {
    std::optional<BufferId> B = getRowMajor(T);
    if (!B)
      return false;
    P.Results.push_back(*B);
  }
  P.finish();
  return P.getNumPrimitives() != 0;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::optional<Dims> backend::getInts(const Operation &Op, StringRef Name) {
  Attr A = Op.getAttr(Name);
  if (!A || !A.isArray())
    return std::nullopt;
  Dims Result;
  for (Attr Element : A.getArray()) {
    if (!Element || !Element.isInt())
      return std::nullopt;
    Result.push_back(Element.getInt());
  }
  return Result;
}

StringRef backend::getText(const Operation &Op, StringRef Name) {
  Attr A = Op.getAttr(Name);
  return A && A.isString() ? A.getString() : "";
}

double backend::getNumber(const Operation &Op, StringRef Name) {
  Attr A = Op.getAttr(Name);
  return A.isFloat() ? A.getFloat() : double(A.getInt());
}

bool backend::getBool(const Operation &Op, StringRef Name) {
  Attr A = Op.getAttr(Name);
  return A && A.isBool() && A.getBool();
}

//===----------------------------------------------------------------------===//
// Axes and windows
//===----------------------------------------------------------------------===//

std::optional<AxisMap> AxisMap::get(StringRef Layout, StringRef Canonical) {
  AxisMap Map;
  if (Layout.size() != Canonical.size())
    return std::nullopt;
  Map.FromRelay.resize(Canonical.size());
  for (auto [I, Axis] : llvm::enumerate(Canonical)) {
    size_t Position = Layout.find(Axis);
    if (Position == StringRef::npos)
      return std::nullopt;
    Map.ToRelay.push_back(int(Position));
    Map.FromRelay[Position] = int(I);
  }
  return Map;
}

AxisMap AxisMap::getIdentity(unsigned Rank) {
  AxisMap Map;
  for (unsigned I = 0; I != Rank; ++I)
    Map.ToRelay.push_back(int(I));
  Map.FromRelay = Map.ToRelay;
  return Map;
}

Dims AxisMap::getShape(ArrayRef<int64_t> Relay) const {
  Dims Shape;
  for (int Axis : ToRelay)
    Shape.push_back(Relay[Axis]);
  return Shape;
}

std::optional<Window> Window::get(const Operation &Op, unsigned Rank) {
  std::optional<Dims> Strides = getInts(Op, "strides"),
                      Dilation = getInts(Op, "dilation"),
                      Padding = getInts(Op, "padding");
  if (!Strides || !Dilation || !Padding)
    return std::nullopt;
  Window W{*Strides, *Dilation, {}, {}};
  size_t Count = Padding->size();
  if (Count != 1 && Count != Rank && Count != 2 * Rank)
    return std::nullopt;
  for (unsigned I = 0; I != Rank; ++I) {
    W.Before.push_back((*Padding)[Count == 1 ? 0 : I]);
    W.After.push_back((*Padding)[Count == 2 * Rank ? Rank + I
                                 : Count == 1      ? 0
                                                   : I]);
  }
  for (Dims *List : {&W.Strides, &W.Dilation})
    if (List->size() == 1)
      List->assign(Rank, List->front());
  for (int64_t &D : W.Dilation)
    --D;
  if (W.Strides.size() != Rank || W.Dilation.size() != Rank)
    return std::nullopt;
  return W;
}
