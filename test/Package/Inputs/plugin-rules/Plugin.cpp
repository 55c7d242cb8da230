#include "relay/Session/Plugin.h"
#include "relay/IR/Builder.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Pattern/Rewrite/RulePass.h"

namespace custom {
using relay::Pass;
#include "Passes.h.inc"
} // namespace custom

#define RELAY_DEFINE_RULES
#include "DivToMul.h.inc"

using namespace relay;

namespace custom {
#include "PassRegistry.inc"
} // namespace custom

bool relay::hasReciprocal(ConstantOp) { return true; }
Value *relay::createReciprocal(Rewriter &, ConstantOp C) { return C; }
#ifndef LEAVE_OUT
bool relay::isNoProduct(Value *V) { return !isa<MultiplyOp>(V); }
#endif

namespace {
class DivToSub : public RulePass<custom::DivToSubBase<DivToSub>> {
public:
  DivToSub() : RulePass(getDivToMulRules()) {}
};
} // namespace

std::unique_ptr<Pass> custom::createDivToSubPass() {
  return std::make_unique<DivToSub>();
}

static void registerPasses(PassRegistry &Registry) {
  custom::registerGeneratedPasses(Registry);
}

const relay::PluginInfo *relayGetPluginInfo() {
  static const relay::PluginInfo Info("plugin-rules",
                                      {nullptr, registerPasses});
  return &Info;
}
