include "relay/Ops/Elementwise.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// relay-opt's is false for a zero, and its function gives the inverse.
def hasReciprocal : Constraint<"hasReciprocal">;
def reciprocal : NativeCode<"createReciprocal">;
def isNoProduct : Constraint<"isNoProduct", ["Value *"]>;

def DivideByConstant : Rewrite<(DivideOp $x, (Constant:$c)), (SubtractOp $x, (reciprocal $c)),
                               [(hasReciprocal $c), (isNoProduct $x)]>;
