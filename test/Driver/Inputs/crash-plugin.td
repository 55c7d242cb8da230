include "relay/Pass/PassBase.td"

def PluginCrash : FunctionPass<"plugin-crash"> {
  let Summary = "crashes";
  let Options = [StringOption<"function", "", "on this function">];
}
