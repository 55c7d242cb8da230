// Hooks of the operators: simplify-inference expands custom.swish, the interpreter evaluates it.

include "relay/Interpreter/Kernels/Kernels.td"
include "relay/Transforms/Simplify/Expansions.td"
include "CustomOps.td"

def : Expansion<SwishOp, "expandSwish">;
def : Kernel<SwishOp, "evalSwish">;
