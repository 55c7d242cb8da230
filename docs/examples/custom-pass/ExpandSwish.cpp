// custom.swish(x) becomes multiply(x, sigmoid(x)) in simplify-inference.

#include "Custom.h"
#include "relay/Ops/Elementwise.h"

#define RELAY_DEFINE_OP_HOOKS
#include "CustomHooks.h.inc"

using namespace relay;

Value *relay::expandSwish(Rewriter &R, Operation *Op, Operation *Root) {
  if (!R.startRewrite(Op->getName(), Root))
    return nullptr;
  Value *Data = SwishOp(Op).data();
  return R.create<MultiplyOp>(Data, R.create<SigmoidOp>(Data));
}
