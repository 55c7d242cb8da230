// See PostOperators.h.

#include "PostOperators.h"

using namespace backend;

PostOperators::PostOperators(Lowering &L, unsigned N, unsigned ChannelAxis)
    : L(L), Start(L.getResult(N)) {
  find(ChannelAxis);
}

/// Returns true if \p B adds one number per channel.
bool PostOperators::isBias(const Binary &B, unsigned ChannelAxis) const {
  if (B.Kind != dnnl_binary_add)
    return false;
  Dims Expected(B.OtherShape.size(), 1);
  Expected[ChannelAxis] = L.getShape(B.Data)[ChannelAxis];
  return B.OtherShape == Expected;
}

/// Returns what computes a function of \p T, and nothing else uses \p T.
std::optional<PostOperators::Part> PostOperators::findPart(TensorId T) const {
  if (std::optional<FunctionMatch> Match = findFunction(L, T))
    return Part{Match->Nodes, Match->Result, Match->Function, std::nullopt};
  std::optional<unsigned> User = L.getOpenUser(T);
  if (!User)
    return std::nullopt;
  Part P{{*User}, L.getResult(*User), getEltwise(L, *User), std::nullopt};
  if (!P.Function)
    P.Pair = getBinary(L, *User, T);
  if (!P.Function && (!P.Pair || !(L.getConstant(P.Pair->Other) ||
                                   L.isComputed(P.Pair->Other))))
    return std::nullopt;
  return P;
}

void PostOperators::find(unsigned ChannelAxis) {
  TensorId T = Start;
  while (Parts.size() != MaxParts) {
    std::optional<Part> P = findPart(T);
    if (!P)
      return;
    T = P->Result;
    if (P->Pair && !Bias && Parts.empty() && isBias(*P->Pair, ChannelAxis))
      Bias = P;
    else
      Parts.push_back(*P);
  }
}

/// Creates attributes for all parts; null if oneDNN cannot express one.
PrimitiveAttr PostOperators::createAttr(const AxisMap &Map) {
  PrimitiveAttr Attr = backend::createAttr();
  dnnl_post_ops_t Raw = nullptr;
  if (!Attr || dnnl_post_ops_create(&Raw) != dnnl_success)
    return nullptr;
  PostOps Ops(Raw);
  Others.clear();
  for (auto [I, P] : llvm::enumerate(Parts)) {
    if (P.Function) {
      if (dnnl_post_ops_append_eltwise(Raw, 1, P.Function->Kind,
                                       P.Function->Alpha,
                                       P.Function->Beta) != dnnl_success)
        return nullptr;
      continue;
    }
    Desc Layout = getOtherDesc(L, *P.Pair, L.getLayout(P.Pair->Other));
    std::optional<BufferId> Other = getOther(L, *P.Pair, Layout);
    Desc View = Map.toLibrary(Layout);
    if (!Other || !View ||
        dnnl_post_ops_append_binary(Raw, P.Pair->Kind, View.get()) !=
            dnnl_success)
      return nullptr;
    Others.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(int(I)) | DNNL_ARG_SRC_1,
                      *Other, View});
  }
  if (dnnl_primitive_attr_set_post_ops(Attr.get(), Raw) != dnnl_success)
    return nullptr;
  return Attr;
}

PrimitiveDesc PostOperators::create(
    const AxisMap &Map,
    llvm::function_ref<PrimitiveDesc(const PrimitiveAttr &)> Create) {
  while (true) {
    if (PrimitiveAttr Attr = createAttr(Map))
      if (PrimitiveDesc PD = Create(Attr))
        return PD;
    if (Parts.empty())
      return nullptr;
    Parts.pop_back();
  }
}

bool PostOperators::addReads(std::vector<Step::Argument> &Reads) {
  if (Bias) {
    std::optional<BufferId> B = L.getRowMajor(Bias->Pair->Other);
    if (!B)
      return false;
    int64_t Count = 1;
    for (int64_t Extent : Bias->Pair->OtherShape)
      Count *= Extent;
    Reads.push_back({DNNL_ARG_BIAS, *B, Desc::getRowMajor(Count, dnnl_f32)});
  }
  for (Step::Argument &Other : Others)
    Reads.push_back(std::move(Other));
  return true;
}

TensorId PostOperators::getResult() const {
  if (!Parts.empty())
    return Parts.back().Result;
  return Bias ? Bias->Result : Start;
}

void PostOperators::markLowered() {
  if (Bias)
    L.markLowered(Bias->Nodes[0]);
  for (const Part &P : Parts)
    for (unsigned N : P.Nodes)
      L.markLowered(N);
}
