// The passes.

include "relay/Transforms/Passes.td"

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

def FormSwish : FunctionPass<"form-swish"> {
  let Summary = "makes one operator of what computes swish";
  let Description = [{
    ```
    %0 = exp(negative(%x));
    divide(%x, add(%0, 1f))
    ```
    becomes
    ```
    custom.swish(%x)
    ```
  }];
  let Requires = [InferType];
}

// Runs by its name, `-passes=swish-cleanup`.
def SwishCleanup : Pipeline<"swish-cleanup", "fixpoint(fuse-swish)"> {
  let Summary = "fuses swish until nothing changes";
}

// Takes part in default<O0> to default<O4>.
def : Extension<"before-fusion", "fuse-swish">;
