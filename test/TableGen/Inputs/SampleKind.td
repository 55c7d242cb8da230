// A kind of hook that SampleHooks.td includes.

include "relay/IR/OpBase.td"

class Simplification<OpDef op, string function>
    : OpHook<"Simplification", "Value *(Rewriter &R, Operation *Op)", op,
             function>;
