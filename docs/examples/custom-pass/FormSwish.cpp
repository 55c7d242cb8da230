// Applies the rules of SwishRules.td.

#include "Custom.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Pattern/Rewrite/RulePass.h"

#define RELAY_DEFINE_RULES
#include "SwishRules.h.inc"

using namespace relay;

bool relay::isConstantOne(ConstantOp C) {
  return C.attrs().value().getConstant()->getScalar<float>() == 1;
}

namespace {
class FormSwish : public RulePass<custom::FormSwishBase<FormSwish>> {
public:
  FormSwish() : RulePass(getSwishRulesRules()) {}
};
} // namespace

std::unique_ptr<Pass> custom::createFormSwishPass() {
  return std::make_unique<FormSwish>();
}
