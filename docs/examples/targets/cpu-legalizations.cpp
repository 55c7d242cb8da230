// Changes what legalize makes of erf for targets with the key cpu, for a
// library that computes erf in float64 only. One file is the plugin.

#include "relay/Ops/Elementwise.h"
#include "relay/Session/Plugin.h"
#include "relay/Transforms/Legalize/Legalization.h"

using namespace relay;

/// Computes erf in float64.
static FailureOr<Value *> legalizeErfByDouble(Rewriter &R, Lowering &Op) {
  const TensorType *T = Op.getTensor(0);
  DType Float64 = DType::getFloat(64);
  if (!T || T->getDType().isFloat(32))
    return nullptr; // no opinion: relay-opt's entry is asked next
  if (T->getDType() == Float64)
    return Op.getOp(); // keeps the operation; relay-opt's entry is not asked
  if (!Op.start(R))
    return nullptr;
  Value *Data = R.create<CastOp>(ErfOp(Op.getOp()).data(), Float64);
  Value *Result = R.create<CastOp>(R.create<ErfOp>(Data), T->getDType());
  return Result;
}

static void registerHooks(Context &Ctx) {
  OpHookRegistration Hooks(Ctx, "cpu-legalizations.cpp", /*Key=*/"cpu",
                           /*Level=*/20);
  Hooks.addHook<Legalization>(ErfOp::getInfo(), "legalizeErfByDouble",
                              legalizeErfByDouble);
}

const PluginInfo *relayGetPluginInfo() {
  static const PluginInfo Info("cpu-legalizations", {registerHooks});
  return &Info;
}
