// What Sample.td includes: checked, and not emitted for Sample.td.

include "relay/IR/OpBase.td"

class UnaryOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Operands = (ins Tensor:$data);
  let FusionKind = ElemWise;
  let Relation = "inferUnary";
}
def IncludedAttrs : AttrsDef<"sample.IncludedAttrs">;
def IncludedOp : UnaryOp<"sample.included", "declared by another family">;
