// Functions of one operand, functions of two, and softmax, in the layout in
// which the operand was computed.

#include "Lowering.h"
#include "relay/IR/Operation.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace backend;
using relay::Operation;

//===----------------------------------------------------------------------===//
// Functions of one operand
//===----------------------------------------------------------------------===//

static std::optional<dnnl_alg_kind_t> getFunction(StringRef Name) {
  return llvm::StringSwitch<std::optional<dnnl_alg_kind_t>>(Name)
      .Case("nn.relu", dnnl_eltwise_relu)
      .Case("abs", dnnl_eltwise_abs)
      .Case("exp", dnnl_eltwise_exp)
      .Case("log", dnnl_eltwise_log)
      .Case("sigmoid", dnnl_eltwise_logistic)
      .Case("sqrt", dnnl_eltwise_sqrt)
      .Case("tanh", dnnl_eltwise_tanh)
      .Default(std::nullopt);
}

std::optional<Eltwise> backend::getEltwise(const Lowering &L, unsigned N) {
  const Operation &Op = *L.getNode(N).Op;
  if (L.getNode(N).Operands.size() != 1 || !L.isFloat(L.getOperand(N, 0)) ||
      !L.isFloat(L.getResult(N)))
    return std::nullopt;
  StringRef Name = Op.getName();
  if (Name == "negative")
    return Eltwise{dnnl_eltwise_linear, -1, 0};
  if (Name == "nn.leaky_relu")
    return Eltwise{dnnl_eltwise_relu, float(getNumber(Op, "alpha"))};
  if (Name == "clip") {
    float Min = float(getNumber(Op, "a_min")),
          Max = float(getNumber(Op, "a_max"));
    if (!(Min <= Max))
      return std::nullopt;
    return Eltwise{dnnl_eltwise_clip, Min, Max};
  }
  if (std::optional<dnnl_alg_kind_t> Kind = getFunction(Name))
    return Eltwise{*Kind};
  return std::nullopt;
}

/// Creates the primitive of \p E for \p T in the layout \p Layout.
static PrimitiveDesc createEltwise(Lowering &L, const Eltwise &E,
                                   const Desc &Layout) {
  dnnl_eltwise_desc_t D;
  if (dnnl_eltwise_forward_desc_init(&D, dnnl_forward_inference, E.Kind,
                                     Layout.get(), E.Alpha,
                                     E.Beta) != dnnl_success)
    return nullptr;
  return createDesc(L.getEngine(), &D, createAttr());
}

/// Adds the step of a primitive that computes \p Result from \p Data, in the
/// layout \p Layout.
static bool addUnaryStep(Lowering &L, unsigned N, const PrimitiveDesc &PD,
                         TensorId Data, TensorId Result, const Desc &Layout) {
  std::optional<BufferId> B = PD ? L.getBuffer(Data, Layout) : std::nullopt;
  if (!B)
    return false;
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC, *B});
  return L.addStep(N, PD, std::move(Reads), Result, Layout);
}

static bool addEltwise(Lowering &L, unsigned N, const Eltwise &E, TensorId Data,
                       TensorId Result) {
  for (const Desc &Layout : L.getLayoutsToTry(Data))
    if (addUnaryStep(L, N, createEltwise(L, E, Layout), Data, Result, Layout))
      return true;
  return false;
}

bool backend::lowerEltwise(Lowering &L, unsigned N) {
  std::optional<Eltwise> E = getEltwise(L, N);
  return E && addEltwise(L, N, *E, L.getOperand(N, 0), L.getResult(N));
}

bool backend::lowerFunction(Lowering &L, unsigned N) {
  if (L.getNode(N).Operands.empty())
    return false;
  TensorId X = L.getOperand(N, 0);
  std::optional<FunctionMatch> Match = findFunction(L, X);
  if (!Match || !addEltwise(L, N, Match->Function, X, Match->Result))
    return false;
  for (unsigned Part : Match->Nodes)
    L.markLowered(Part);
  return true;
}

//===----------------------------------------------------------------------===//
// Functions of two operands
//===----------------------------------------------------------------------===//

/// Returns \p Shape with leading axes of extent 1 if it can be broadcast to \p
/// To.
static std::optional<Dims> getBroadcastShape(ArrayRef<int64_t> Shape,
                                             ArrayRef<int64_t> To) {
  if (Shape.size() > To.size())
    return std::nullopt;
  Dims Result(To.size() - Shape.size(), 1);
  Result.append(Shape.begin(), Shape.end());
  for (auto [Extent, Full] : llvm::zip(Result, To))
    if (Extent != 1 && Extent != Full)
      return std::nullopt;
  return Result;
}

/// Returns the shape of the operand `bias` with the axes of `data`.
static std::optional<Dims> getBiasShape(const Operation &Op,
                                        ArrayRef<int64_t> Data) {
  int64_t Axis = relay::Attr(Op.getAttr("axis")).getInt();
  Dims Result(Data.size(), 1);
  if (Axis < 0)
    Axis += Data.size();
  Result[Axis] = Data[Axis];
  return Result;
}

std::optional<Binary> backend::getBinary(const Lowering &L, unsigned N,
                                         TensorId Data) {
  const Operation &Op = *L.getNode(N).Op;
  auto Kind = llvm::StringSwitch<std::optional<dnnl_alg_kind_t>>(Op.getName())
                  .Cases("add", "nn.bias_add", dnnl_binary_add)
                  .Case("subtract", dnnl_binary_sub)
                  .Case("multiply", dnnl_binary_mul)
                  .Case("divide", dnnl_binary_div)
                  .Default(std::nullopt);
  if (!Kind || !L.isFloat(L.getResult(N)) || !L.isFloat(L.getOperand(N, 0)) ||
      L.getShape(Data) != L.getShape(L.getResult(N)))
    return std::nullopt;
  bool IsSecond = L.getOperand(N, 0) != Data;
  bool MaySwap = *Kind == dnnl_binary_mul || Op.getName() == "add";
  if (IsSecond && !MaySwap)
    return std::nullopt;
  TensorId Other = L.getOperand(N, IsSecond ? 0 : 1);
  std::optional<Dims> Shape =
      Op.getName() == "nn.bias_add"
          ? getBiasShape(Op, L.getShape(Data))
          : getBroadcastShape(L.getShape(Other), L.getShape(Data));
  if (!Shape)
    return std::nullopt;
  return Binary{*Kind, Data, Other, *Shape};
}

Desc backend::getOtherDesc(Lowering &L, const Binary &B, const Desc &Full) {
  return L.getShape(B.Other) == L.getShape(B.Data)
             ? Full
             : Desc::getRowMajor(B.OtherShape, dnnl_f32);
}

std::optional<BufferId> backend::getOther(Lowering &L, const Binary &B,
                                          const Desc &Layout) {
  if (L.getShape(B.Other) == L.getShape(B.Data))
    return L.getBuffer(B.Other, Layout);
  Desc View = Desc::getRowMajor(B.OtherShape, dnnl_f32);
  std::optional<BufferId> Plain = L.getRowMajor(B.Other);
  return !Plain || View == Layout ? Plain : L.convert(*Plain, View, Layout);
}

/// Adds the step of \p B with data in the layout \p Layout and the other
/// operand in the layout \p Second.
static bool addBinaryStep(Lowering &L, unsigned N, const Binary &B,
                          const Desc &Layout, const Desc &Second) {
  dnnl_binary_desc_t D;
  if (dnnl_binary_desc_init(&D, B.Kind, Layout.get(), Second.get(),
                            Layout.get()) != dnnl_success)
    return false;
  PrimitiveDesc PD = createDesc(L.getEngine(), &D, createAttr());
  if (!PD)
    return false;
  std::optional<BufferId> Data = L.getBuffer(B.Data, Layout),
                          Other = getOther(L, B, Second);
  if (!Data || !Other)
    return false;
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC_0, *Data});
  Reads.push_back({DNNL_ARG_SRC_1, *Other, Second});
  return L.addStep(N, PD, std::move(Reads), L.getResult(N), Layout);
}

/// Primitives on blocked data take an operand that is repeated row-major or in
/// the same blocks, depending on its shape.
bool backend::lowerBinary(Lowering &L, unsigned N) {
  std::optional<Binary> B = getBinary(L, N, L.getOperand(N, 0));
  if (!B)
    B = getBinary(L, N, L.getOperand(N, 1));
  if (!B || B->OtherShape.empty())
    return false;
  for (const Desc &Layout : L.getLayoutsToTry(B->Data))
    for (const Desc &Second :
         {getOtherDesc(L, *B, Layout), Layout.withShape(B->OtherShape)})
      if (addBinaryStep(L, N, *B, Layout, Second))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static PrimitiveDesc createSoftmax(Lowering &L, const Operation &Op,
                                   const Desc &Layout) {
  int64_t Axis = Op.getAttr("axis").getInt();
  int64_t Rank = Layout.getShape().size();
  dnnl_alg_kind_t Kind =
      Op.getName() == "nn.softmax" ? dnnl_softmax_accurate : dnnl_softmax_log;
  dnnl_softmax_v2_desc_t D;
  if (dnnl_softmax_v2_forward_desc_init(
          &D, dnnl_forward_inference, Kind, Layout.get(), Layout.get(),
          int(Axis < 0 ? Axis + Rank : Axis)) != dnnl_success)
    return nullptr;
  return createDesc(L.getEngine(), &D, createAttr());
}

bool backend::lowerSoftmax(Lowering &L, unsigned N) {
  TensorId Data = L.getOperand(N, 0);
  if (!L.isFloat(Data) || L.getShape(Data).empty())
    return false;
  for (const Desc &Layout : L.getLayoutsToTry(Data))
    if (addUnaryStep(L, N, createSoftmax(L, *L.getNode(N).Op, Layout), Data,
                     L.getResult(N), Layout))
      return true;
  return false;
}
