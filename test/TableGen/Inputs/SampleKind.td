// Kinds of a hook and of a fact that SampleHooks.td includes.

include "relay/IR/OpBase.td"

class Simplification<OpDef op, string function>
    : OpHook<"Simplification", op, function> {
  let CommonArguments = [RewriterArgument, PassContextArgument, TargetArgument];
  let Arguments = (ins "Operation *":$Op);
  let Result = NullIsNoOpinion<"Value *">;
}

class Supported<OpDef op, string value> : OpFact<"Supported", op, value> {
  let Type = BoolFact;
}
