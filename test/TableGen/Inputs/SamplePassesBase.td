// What a file includes is known there and not generated again.
include "relay/Pass/PassBase.td"

def SampleBase : ModulePass<"sample-base"> {
  let Summary = "is defined elsewhere";
}
def SampleBaseConfig : ConfigOption<"sample.base", IntOption<"base", 0, "elsewhere too">>;
