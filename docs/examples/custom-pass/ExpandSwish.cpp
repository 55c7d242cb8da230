// custom.swish(x) becomes multiply(x, sigmoid(x)) in simplify-inference.

#include "Custom.h"
#include "relay/Ops/Elementwise.h"

#define RELAY_DEFINE_OP_HOOKS
#include "CustomHooks.h.inc"

using namespace relay;

Value *relay::expandSwish(Rewriter &R, ExpandedResult &Result) {
  if (!Result.start(R))
    return nullptr;
  Value *Data = SwishOp(Result.getOp()).data();
  return R.create<MultiplyOp>(Data, R.create<SigmoidOp>(Data));
}
