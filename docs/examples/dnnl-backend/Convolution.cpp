// Convolutions and products of float32. Constant weights are converted once, to
// the layout that the primitive chooses.

#include "Convolution.h"
#include "PostOperators.h"
#include "relay/IR/Operation.h"

using namespace backend;
using relay::Operation;

static int64_t getProduct(ArrayRef<int64_t> Extents) {
  int64_t Result = 1;
  for (int64_t N : Extents)
    Result *= N;
  return Result;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static Dims getRowMajorStrides(ArrayRef<int64_t> Shape) {
  Dims Strides(Shape.size(), 1);
  for (size_t I = Shape.size(); I > 1; --I)
    Strides[I - 2] = Strides[I - 1] * Shape[I - 1];
  return Strides;
}

/// Divides the channels of a weight into \p Groups. A weight of depthwise
/// convolutions has the axes [C, O / C] in Relay. Returns false for others.
static bool divideChannels(Convolution &C, int64_t Groups) {
  int64_t In = C.Data[1], Out = C.Result[1];
  Dims &Shape = C.Weight, &Strides = C.WeightStrides;
  if (Groups < 1 || In % Groups != 0 || Out % Groups != 0)
    return false;
  int64_t StrideO = Strides[0], StrideI = Strides[1];
  bool IsGrouped = Shape[0] == Out && Shape[1] == In / Groups;
  bool IsDepthwise =
      Groups == In && Shape[0] == Groups && Shape[1] == Out / Groups;
  if (!IsGrouped && !IsDepthwise)
    return false;
  if (Groups == 1)
    return true;
  Shape.erase(Shape.begin(), Shape.begin() + 2);
  Strides.erase(Strides.begin(), Strides.begin() + 2);
  int64_t NewShape[] = {Groups, Out / Groups, In / Groups};
  int64_t Grouped[] = {Out / Groups * StrideO, StrideO, StrideI};
  int64_t Depthwise[] = {StrideO, StrideI, 1};
  Shape.insert(Shape.begin(), std::begin(NewShape), std::end(NewShape));
  const int64_t *First = IsGrouped ? Grouped : Depthwise;
  Strides.insert(Strides.begin(), First, First + 3);
  return true;
}

std::optional<Convolution> Convolution::get(const Lowering &L, unsigned N) {
  const Operation &Op = *L.getNode(N).Op;
  Dims Shape = L.getShape(L.getOperand(N, 0));
  unsigned Rank = Shape.size() - 2;
  StringRef DataLayout[] = {"NCW", "NCHW", "NCDHW"};
  StringRef KernelLayout[] = {"OIW", "OIHW", "OIDHW"};
  StringRef OutLayout = getText(Op, "out_layout");
  if (Rank < 1 || Rank > 3 ||
      (!OutLayout.empty() && OutLayout != getText(Op, "data_layout")))
    return std::nullopt;
  auto DataAxes =
      AxisMap::get(getText(Op, "data_layout"), DataLayout[Rank - 1]);
  auto KernelAxes =
      AxisMap::get(getText(Op, "kernel_layout"), KernelLayout[Rank - 1]);
  std::optional<Window> W = Window::get(Op, Rank);
  Dims Kernel = L.getShape(L.getOperand(N, 1));
  if (!DataAxes || !KernelAxes || !W || Kernel.size() != Rank + 2)
    return std::nullopt;
  Convolution C;
  C.DataAxes = *DataAxes;
  C.W = *W;
  C.Data = DataAxes->getShape(Shape);
  C.Result = DataAxes->getShape(L.getShape(L.getResult(N)));
  C.Weight = KernelAxes->getShape(Kernel);
  C.WeightStrides = KernelAxes->getShape(getRowMajorStrides(Kernel));
  int64_t Groups = Op.getAttr("groups").getInt();
  if (!divideChannels(C, Groups))
    return std::nullopt;
  C.Work = uint64_t(getProduct(C.Result)) *
           uint64_t(getProduct(C.Weight) / C.Result[1]);
  return C;
}

PrimitiveDesc Convolution::create(const Lowering &L, const Desc &Source,
                                  const Desc &Weights, const Desc &Bias,
                                  dnnl_data_type_t To,
                                  const PrimitiveAttr &Attr) const {
  Desc Target = Desc::getAny(Result, To);
  dnnl_convolution_desc_t D;
  if (dnnl_dilated_convolution_forward_desc_init(
          &D, dnnl_forward_inference, dnnl_convolution_direct, Source.get(),
          Weights.get(), Bias ? Bias.get() : nullptr, Target.get(),
          W.Strides.data(), W.Dilation.data(), W.Before.data(),
          W.After.data()) != dnnl_success)
    return nullptr;
  return createDesc(L.getEngine(), &D, Attr);
}

bool backend::lowerConvolution(Lowering &L, unsigned N) {
  TensorId Data = L.getOperand(N, 0), Weight = L.getOperand(N, 1);
  std::optional<Convolution> C = Convolution::get(L, N);
  if (!L.isFloat(Data))
    return lowerQuantizedConvolution(L, N);
  if (!C || !L.isFloat(Data) || !L.isFloat(Weight) ||
      !L.isFloat(L.getResult(N)))
    return false;
  PostOperators Tail(L, N, C->DataAxes.ToRelay[1]);
  Desc Source = Desc::getAny(C->Data, dnnl_f32),
       Weights = Desc::getAny(C->Weight, dnnl_f32),
       Bias = Tail.hasBias() ? Desc::getAny(C->Result[1], dnnl_f32) : Desc();
  PrimitiveDesc PD = Tail.create(C->DataAxes, [&](const PrimitiveAttr &Attr) {
    return C->create(L, Source, Weights, Bias, dnnl_f32, Attr);
  });
  if (!PD)
    return false;
  Source = getDesc(PD, dnnl_query_src_md);
  Weights = getDesc(PD, dnnl_query_weights_md);
  Desc Target = getDesc(PD, dnnl_query_dst_md);
  auto From = L.getBuffer(Data, C->DataAxes.toRelay(Source));
  auto Plain = L.getRowMajor(Weight);
  if (!From || !Plain)
    return false;
  auto By = L.convert(*Plain, C->getWeightView(dnnl_f32), Weights);
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC, *From, Source});
  if (!By || !Tail.addReads(Reads))
    return false;
  Reads.push_back({DNNL_ARG_WEIGHTS, *By});
  if (!L.addStep(N, PD, std::move(Reads), Tail.getResult(),
                 C->DataAxes.toRelay(Target), Target, C->Work))
    return false;
  Tail.markLowered();
  return true;
}

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

std::optional<Product> Product::get(const Lowering &L, unsigned N) {
  Dims Data = L.getShape(L.getOperand(N, 0)),
       Weight = L.getShape(L.getOperand(N, 1));
  if (Data.empty() || Weight.size() != 2 || Data.back() != Weight[1])
    return std::nullopt;
  return Product{getProduct(ArrayRef(Data).drop_back()), Weight[0], Weight[1]};
}

PrimitiveDesc Product::create(const Lowering &L, const Desc &Weights,
                              const Desc &Bias, dnnl_data_type_t From,
                              dnnl_data_type_t To,
                              const PrimitiveAttr &Attr) const {
  Desc Source = getSource(From), Target = Desc::getRowMajor({M, N}, To);
  dnnl_inner_product_desc_t D;
  if (dnnl_inner_product_forward_desc_init(
          &D, dnnl_forward_inference, Source.get(), Weights.get(),
          Bias ? Bias.get() : nullptr, Target.get()) != dnnl_success)
    return nullptr;
  return createDesc(L.getEngine(), &D, Attr);
}

/// Weights that are not constant keep their layout, since a conversion takes as
/// long as the product.
bool backend::lowerDense(Lowering &L, unsigned N) {
  TensorId Data = L.getOperand(N, 0), Weight = L.getOperand(N, 1);
  std::optional<Product> P = Product::get(L, N);
  if (!L.isFloat(Data))
    return lowerQuantizedDense(L, N);
  Dims Shape = L.getShape(L.getResult(N));
  if (!P || Shape.size() != 2 || !L.isFloat(Data) || !L.isFloat(Weight) ||
      !L.isFloat(L.getResult(N)))
    return false;
  PostOperators Tail(L, N, /*ChannelAxis=*/1);
  Desc View = P->getWeights(dnnl_f32);
  Desc Weights =
      L.getConstant(Weight) ? Desc::getAny({P->N, P->K}, dnnl_f32) : View;
  Desc Bias = Tail.hasBias() ? Desc::getAny(P->N, dnnl_f32) : Desc();
  PrimitiveDesc PD =
      Tail.create(AxisMap::getIdentity(2), [&](const PrimitiveAttr &Attr) {
        return P->create(L, Weights, Bias, dnnl_f32, dnnl_f32, Attr);
      });
  if (!PD)
    return false;
  Weights = getDesc(PD, dnnl_query_weights_md);
  auto From = L.getRowMajor(Data), By = L.getRowMajor(Weight);
  if (By && !(Weights == View))
    By = L.convert(*By, View, Weights);
  std::vector<Step::Argument> Reads;
  if (!From || !By || !Tail.addReads(Reads))
    return false;
  Reads.push_back({DNNL_ARG_SRC, *From, P->getSource(dnnl_f32)});
  Reads.push_back({DNNL_ARG_WEIGHTS, *By});
  Desc Target = getDesc(PD, dnnl_query_dst_md);
  if (!L.addStep(N, PD, std::move(Reads), Tail.getResult(), Target, Target,
                 uint64_t(P->M) * P->N * P->K))
    return false;
  Tail.markLowered();
  return true;
}
