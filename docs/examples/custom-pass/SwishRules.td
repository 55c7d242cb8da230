// The rules of form-swish.

include "CustomOps.td"
include "relay/Ops/Elementwise.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// The function relay::isConstantOne(ConstantOp).
def isOne : Constraint<"isConstantOne">;

// x / (1 + exp(-x))
def SwishOfExp : Rewrite<(DivideOp $x, (AddOp (ExpOp (NegativeOp $x)), (Constant:$one))), (SwishOp $x), [(isOne $one)]>;
// x * sigmoid(x)
def SwishOfSigmoid : Rewrite<(MultiplyOp $x, (SigmoidOp $x)), (SwishOp $x)>;
