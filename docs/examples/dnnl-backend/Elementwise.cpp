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

bool backend::lowerEltwise(Lowering &L, unsigned N) {
  std::optional<Eltwise> E = getEltwise(L, N);
  if (!E)
    return false;
  TensorId Data = L.getOperand(N, 0);
  Desc Layout = L.getLayout(Data);
  PrimitiveDesc PD = createEltwise(L, *E, Layout);
  std::optional<BufferId> B = L.getBuffer(Data, Layout);
  if (!PD || !B)
    return false;
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC, *B});
  return L.addStep(N, PD, std::move(Reads), L.getResult(N), Layout);
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

std::optional<Step::Argument> backend::getOther(Lowering &L, const Binary &B,
                                                const Desc &Layout) {
  if (B.OtherShape == L.getShape(B.Other) && Layout) {
    std::optional<BufferId> Same = L.getBuffer(B.Other, Layout);
    return Same ? std::optional(Step::Argument{0, *Same, Layout})
                : std::nullopt;
  }
  std::optional<BufferId> Plain = L.getRowMajor(B.Other);
  if (!Plain)
    return std::nullopt;
  return Step::Argument{0, *Plain, Desc::getRowMajor(B.OtherShape, dnnl_f32)};
}

bool backend::lowerBinary(Lowering &L, unsigned N) {
  std::optional<Binary> B = getBinary(L, N, L.getOperand(N, 0));
  if (!B)
    B = getBinary(L, N, L.getOperand(N, 1));
  if (!B || L.getShape(B->Data).empty())
    return false;
  Desc Layout = L.getLayout(B->Data);
  bool HasAllAxes = B->OtherShape == L.getShape(B->Data);
  std::optional<Step::Argument> Other =
      getOther(L, *B, HasAllAxes ? Layout : Desc());
  if (!Other || !Other->View)
    return false;
  dnnl_binary_desc_t D;
  if (dnnl_binary_desc_init(&D, B->Kind, Layout.get(), Other->View.get(),
                            Layout.get()) != dnnl_success)
    return false;
  PrimitiveDesc PD = createDesc(L.getEngine(), &D, createAttr());
  std::optional<BufferId> Data = L.getBuffer(B->Data, Layout);
  if (!PD || !Data)
    return false;
  Other->Name = DNNL_ARG_SRC_1;
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC_0, *Data});
  Reads.push_back(std::move(*Other));
  return L.addStep(N, PD, std::move(Reads), L.getResult(N), Layout);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

bool backend::lowerSoftmax(Lowering &L, unsigned N) {
  const Operation &Op = *L.getNode(N).Op;
  TensorId Data = L.getOperand(N, 0);
  Desc Layout = L.getLayout(Data);
  int64_t Axis = Op.getAttr("axis").getInt();
  int64_t Rank = L.getShape(Data).size();
  if (!L.isFloat(Data) || Rank == 0)
    return false;
  int Index = int(Axis < 0 ? Axis + Rank : Axis);
  dnnl_softmax_v2_desc_t D;
  dnnl_alg_kind_t Kind =
      Op.getName() == "nn.softmax" ? dnnl_softmax_accurate : dnnl_softmax_log;
  if (dnnl_softmax_v2_forward_desc_init(&D, dnnl_forward_inference, Kind,
                                        Layout.get(), Layout.get(),
                                        Index) != dnnl_success)
    return false;
  PrimitiveDesc PD = createDesc(L.getEngine(), &D, createAttr());
  std::optional<BufferId> B = L.getBuffer(Data, Layout);
  if (!PD || !B)
    return false;
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC, *B});
  return L.addStep(N, PD, std::move(Reads), L.getResult(N), Layout);
}
