// The operators: C++ class SwishOp, text custom.swish(%x).

include "relay/IR/OpBase.td"

def SwishOp : Op<"custom.swish"> {
  let Summary = "data * sigmoid(data)";
  let Operands = (ins Tensor:$data);
  let FusionKind = ElemWise;
  let Relation = "inferIdentity";
}
