// Changes what simplify-inference makes of nn.l2_normalize for the target npu,
// which has no division: data * rsqrt(max(sum(data * data), eps)). Other targets
// keep the expansion of relay-opt. One file is the plugin.

#include "relay/Session/Plugin.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Reduce.h"
#include "relay/Transforms/Simplify/Expansion.h"

using namespace relay;

/// Has no opinion on other data than float32, so that relay-opt's expansion is
/// asked next.
static Value *expandByRsqrt(Rewriter &R, ExpandedResult &Result) {
  L2NormalizeOp Norm(Result.getOp());
  auto *Data = dyn_cast_or_null<TensorType>(Norm.data()->getType());
  if (!Data || !Data->getDType().isFloat(32) || !Result.start(R))
    return nullptr;
  ReduceAttrs::Builder Sums(R.getContext());
  Sums.keepdims(true);
  if (Norm.attrs().hasAxis())
    Sums.axis(Norm.attrs().axis());
  Value *Square = R.create<MultiplyOp>(Norm.data(), Norm.data());
  Value *Sum = R.create<SumOp>(Square, Sums.get());
  Value *Bounded = R.create<MaximumOp>(
      Sum, R.constant(Data->getDType(), Norm.attrs().eps()));
  return R.create<MultiplyOp>(Norm.data(), R.create<RsqrtOp>(Bounded));
}

static void registerHooks(Context &Ctx) {
  OpHookRegistration Hooks(Ctx, "npu-expansions.cpp", /*Key=*/"npu");
  Hooks.addHook<Expansion>(L2NormalizeOp::getInfo(), "expandByRsqrt",
                           expandByRsqrt);
}

const PluginInfo *relayGetPluginInfo() {
  static const PluginInfo Info("npu-expansions", {registerHooks});
  return &Info;
}
