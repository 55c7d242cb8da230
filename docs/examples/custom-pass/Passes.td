// The passes.

include "relay/Pass/PassBase.td"

def FuseSwish : FunctionPass<"fuse-swish"> {
  let Summary = "makes one operator of a product with its own sigmoid";
  let Description = [{
    ```
    %0 = sigmoid(%x);
    multiply(%x, %0)
    ```
    becomes
    ```
    custom.swish(%x)
    ```
  }];
  let OptLevel = 1;
  let Options = [BoolOption<"keep-shared", 0, "leave products whose sigmoid has other uses">];
  let Statistics = [Statistic<"NumFused", "products replaced">];
}
