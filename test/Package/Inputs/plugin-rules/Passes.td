include "relay/Transforms/Passes.td"

def DivToSub : FunctionPass<"div-to-sub"> {
  let Summary = "subtracts what divides";
  let Description = [{ `divide(%x, 0f)` becomes `subtract(%x, 0f)`. }];
  let Requires = [InferType];
}
