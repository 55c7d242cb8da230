// Every feature of a pass's record. The output is compiled and tried by test/Unit/Pass/GeneratedPassTest.cpp.
include "relay/Pass/PassBase.td"
include "SamplePassesBase.td"

def SampleModule : ModulePass<"sample-module"> {
  let Summary = "does something to a module";
  let Tolerance = Exact;
  let IsRequired = 1;
  let Preserves = ["SampleAnalysis", "FunctionAnalysisManagerModuleProxy"];
  let Statistics = [Statistic<"NumRuns", "how often it ran">];
}

def SampleFunction : FunctionPass<"sample-function"> {
  let Summary = "does something to a function";
  let Description = [{
    First line.

      indented "quoted" \line
    ```
    %0
    ```
  }];
  let OptLevel = 2;
  let Tolerance = Approximates<"1e-3", "2.5", "it rounds">;
  let Requires = [SampleBase, SampleModule];
  let ModuleAnalyses = ["SampleAnalysis", "OtherAnalysis"];
  let Options = [
    BoolOption<"flag", 0, "off unless given">,
    BoolOption<"on-flag", 1, "on unless taken off">,
    IntOption<"max-depth", -1, "how deep">,
    StringOption<"text", "", "any text">,
    StringOption<"text-with-default", "a \"b\"", "other text">,
    ListOption<"items", [], "nothing at first">,
    ListOption<"more-items", ["x", "y;z"], "something at first">,
    IntOption<"level", 1, "a number within limits", Between<0, 3>>,
    FloatOption<"rate", "0.5", "a real number", Limits<"0", "1">>,
    EnumOption<"mode", ["fast", "very-exact"], "fast", "one of several">,
    ListOption<"axes", ["0", "-1"], "numbers", IntType<AtLeast<-4>>>,
    ListOption<"modes", ["b"], "several of several", EnumType<["a", "b"]>>,
    MapOption<"layouts", ["nn.dense:NC"], "layouts by operator">,
    OptionalOption<"limit", IntType<AtMost<9>>, "may be left out">,
    OptionalOption<"only", ListType<>, "may be left out, or empty">,
    OptionalOption<"on", BoolType, "true, false or left out">
  ];
  let Statistics = [
    Statistic<"NumSeen", "what was seen">,
    Statistic<"NumDone", "what was done">
  ];
  let Remarks = ["unsupported", "too-large"];
}

def SampleGroup : Pipeline<"sample-group", "sample-module,extension<sample-point>,repeat<2>(sample-function)"> {
  let Summary = "does both";
  let OptLevel = 1;
}
def SampleSmall : Pipeline<"sample<small>", "sample-group">;
def SampleDeep : Pipeline<"sample-deep", "sample-function<max-depth=$depth;items=$items>",
                          [IntOption<"depth", 5, "how deep">, ListOption<"items", [], "what">]>;
def : ExtensionPoint<"sample-point", "in the middle">;
def : Extension<"sample-point", "sample-function<flag>">;

def SampleDepth : ConfigOption<"sample.depth", IntOption<"depth", 7, "how deep">>;
def SampleNames : ConfigOption<"sample.names", ListOption<"names", ["a", "b"], "whose">>;
def SampleMode : ConfigOption<"sample.mode", EnumOption<"mode", ["slow", "fast"], "fast", "how fast">>;
def SampleRates : ConfigOption<"sample.rates", MapOption<"rates", [], "rates by operator", FloatType<Limits<"0">>>>;
def SampleLimit : ConfigOption<"sample.limit", OptionalOption<"limit", IntType<>, "may be left out">>;
def Reference : ReferencePasses<["ElsewhereOnly", "SampleModule"]>;
def : AbsentPass<"ElsewhereMeasured", "it measures \"kernels\"">;
def Configs : ReferenceConfigs<["elsewhere.depth", "sample.depth"]>;
