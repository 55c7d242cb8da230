// The targets of targets.test: keys and options of its own, an option of each
// shape, and none.

include "relay/Pass/PassBase.td"

def Near : Target<"near", ["cpu", "vector"], [
  IntOption<"num_cores", 4, "the number of cores", AtLeast<1>>,
  OptionalOption<"float-abi", EnumType<["soft", "hard"]>, "the ABI">,
  ListOption<"features", ["simd"], "the features">]> {
  let Summary = "the processor that is near";
}
def Far : Target<"far_away"> {
  let Summary = "the processor that is far";
}
