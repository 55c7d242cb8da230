// An op family of another project.
include "relay/IR/OpBase.td"

def SwishOp : Op<"elsewhere.swish"> {
  let Summary = "data * sigmoid(data)";
  let Operands = (ins Tensor:$data);
  let Relation = "inferIdentity";
}
