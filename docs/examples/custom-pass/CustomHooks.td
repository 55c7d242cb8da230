// What passes do with the operators: simplify-inference spells custom.swish out.

include "relay/Transforms/Simplify/Expansions.td"
include "CustomOps.td"

def : Expansion<SwishOp, "expandSwish">;
