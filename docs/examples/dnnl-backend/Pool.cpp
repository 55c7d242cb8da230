// Pooling: maximum, average with and without padding, and global pooling.

#include "Lowering.h"
#include "relay/IR/Operation.h"

using namespace backend;
using relay::Operation;

namespace {
struct PoolParams {
  dnnl_alg_kind_t Kind;
  Window W;
  Dims Kernel;
};
} // namespace

/// Returns the parameters of a pool over all of \p Shape, [N, C, spatial..].
static PoolParams getGlobalPool(const Operation &Op, ArrayRef<int64_t> Shape) {
  PoolParams P;
  P.Kind = Op.getName().contains("max") ? dnnl_pooling_max
                                        : dnnl_pooling_avg_exclude_padding;
  P.Kernel.assign(Shape.begin() + 2, Shape.end());
  size_t Rank = P.Kernel.size();
  P.W = {Dims(Rank, 1), Dims(Rank, 0), Dims(Rank, 0), Dims(Rank, 0)};
  return P;
}

/// Returns the parameters of another pool; none if oneDNN computes something
/// else: with `ceil_mode`, windows end beyond the padding.
static std::optional<PoolParams> getPool(const Operation &Op, unsigned Rank) {
  std::optional<Window> W = Window::get(Op, Rank);
  std::optional<Dims> Kernel = getInts(Op, "pool_size");
  if (!W || !Kernel || Kernel->size() != Rank || getBool(Op, "ceil_mode"))
    return std::nullopt;
  bool IsMax = Op.getName().contains("max");
  // Averages of dilated windows that exclude padding count other elements.
  if (!IsMax && llvm::any_of(W->Dilation, [](int64_t D) { return D != 0; }))
    return std::nullopt;
  dnnl_alg_kind_t Kind = IsMax ? dnnl_pooling_max
                         : getBool(Op, "count_include_pad")
                             ? dnnl_pooling_avg_include_padding
                             : dnnl_pooling_avg_exclude_padding;
  return PoolParams{Kind, *W, *Kernel};
}

/// Adds the step of \p P with data in the layout \p Layout.
static bool addPoolStep(Lowering &L, unsigned N, const PoolParams &P,
                        const AxisMap &Map, const Desc &Layout) {
  TensorId Data = L.getOperand(N, 0), Result = L.getResult(N);
  Desc Source = Map.toLibrary(Layout);
  Desc Target = Desc::getAny(Map.getShape(L.getShape(Result)), dnnl_f32);
  dnnl_pooling_v2_desc_t D;
  if (dnnl_pooling_v2_forward_desc_init(
          &D, dnnl_forward_inference, P.Kind, Source.get(), Target.get(),
          P.W.Strides.data(), P.Kernel.data(), P.W.Dilation.data(),
          P.W.Before.data(), P.W.After.data()) != dnnl_success)
    return false;
  PrimitiveDesc PD = createDesc(L.getEngine(), &D, createAttr());
  std::optional<BufferId> B = PD ? L.getBuffer(Data, Layout) : std::nullopt;
  if (!B)
    return false;
  Target = getDesc(PD, dnnl_query_dst_md);
  std::vector<Step::Argument> Reads;
  Reads.push_back({DNNL_ARG_SRC, *B, Source});
  return L.addStep(N, PD, std::move(Reads), Result, Map.toRelay(Target),
                   Target);
}

bool backend::lowerPool(Lowering &L, unsigned N) {
  const Operation &Op = *L.getNode(N).Op;
  TensorId Data = L.getOperand(N, 0);
  bool Is3D = Op.getName().ends_with("3d");
  StringRef DataLayout = getText(Op, "layout"),
            OutLayout = getText(Op, "out_layout");
  std::optional<AxisMap> Map =
      AxisMap::get(DataLayout, Is3D ? "NCDHW" : "NCHW");
  if (!L.isFloat(Data) || !Map ||
      (!OutLayout.empty() && OutLayout != DataLayout))
    return false;
  bool IsGlobal = Op.getName().contains("global");
  std::optional<PoolParams> P =
      IsGlobal ? getGlobalPool(Op, Map->getShape(L.getShape(Data)))
               : getPool(Op, Is3D ? 3 : 2);
  if (!P)
    return false;
  for (const Desc &Layout : L.getLayoutsToTry(Data))
    if (addPoolStep(L, N, *P, *Map, Layout))
      return true;
  return false;
}
