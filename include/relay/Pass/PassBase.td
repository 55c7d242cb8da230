//===- PassBase.td - Classes for declaring passes ----------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary in which passes are declared.
//
//   def FuseOps : FunctionPass<"fuse-ops"> {
//     let Summary = "groups operations that are compiled as one";
//     let Requires = [InferType];
//     let Options = [IntOption<"fuse-opt-level", -1, "level of fusion">];
//   }
//
// The name of the record is the name of the C++ class and of
// lib/Transforms/Fusion/FuseOps.cpp, and appears in reports. relay-tblgen
// generates the struct FuseOpsOptions, the class template FuseOpsBase, the base
// class of the pass (`class FuseOps : public FuseOpsBase<FuseOps>`), and the
// declaration of createFuseOpsPass(), which FuseOps.cpp defines.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSBASE_TD
#define RELAY_PASS_PASSBASE_TD

//===----------------------------------------------------------------------===//
// Options and statistics
//===----------------------------------------------------------------------===//

// The least and the greatest value of a number, as text; empty for no limit.
class Limits<string min = "", string max = ""> {
  string Min = min;
  string Max = max;
}
class AtLeast<int min> : Limits<!cast<string>(min)>;
class AtMost<int max> : Limits<"", !cast<string>(max)>;
class Between<int min, int max> : Limits<!cast<string>(min), !cast<string>(max)>;

// The type of an option: a scalar, or a list or map of scalars. `kind` is an
// enumerator of PassOptionKind.
class PassOptionType;
class ScalarType<string kind, Limits limits = Limits<>> : PassOptionType {
  string Kind = kind;
  Limits Range = limits;
  list<string> Values = [];
}
def BoolType : ScalarType<"Bool">;
class IntType<Limits limits = Limits<>> : ScalarType<"Int", limits>;
class FloatType<Limits limits = Limits<>> : ScalarType<"Float", limits>;
def StringType : ScalarType<"String">;
// The path of a file that the pass reads.
def FileType : ScalarType<"File">;
// One of `values`; in C++ an enumeration, `ModeValue` of the option `mode`.
class EnumType<list<string> values> : ScalarType<"Enum"> {
  let Values = values;
}
// `a,b,c`
class ListType<ScalarType element = StringType> : PassOptionType {
  ScalarType Element = element;
}
// `nn.conv2d:NHWC:OHWI,nn.dense:NC`: keys, each with one or more values.
class MapType<ScalarType element = StringType> : PassOptionType {
  ScalarType Element = element;
}

// An option with its name in pipeline text, in kebab case; the member of the
// options struct has the name in UpperCamel case. `Default` is the text of the
// default value; for a list or map, the text of each element.
class PassOption<string name, PassOptionType type, list<string> default,
                 string description> {
  string Name = name;
  PassOptionType Type = type;
  list<string> Default = default;
  string Description = description;
  bit IsOptional = 0; // see OptionalOption
}
class BoolOption<string name, bit default, string description>
    : PassOption<name, BoolType, [!if(default, "true", "false")], description>;
class IntOption<string name, int default, string description,
                Limits limits = Limits<>>
    : PassOption<name, IntType<limits>, [!cast<string>(default)], description>;
// TableGen has no literals with a fraction: the default is text, "0.5".
class FloatOption<string name, string default, string description,
                  Limits limits = Limits<>>
    : PassOption<name, FloatType<limits>, [default], description>;
class EnumOption<string name, list<string> values, string default,
                 string description>
    : PassOption<name, EnumType<values>, [default], description>;
class StringOption<string name, string default, string description>
    : PassOption<name, StringType, [default], description>;
class FileOption<string name, string description>
    : PassOption<name, FileType, [""], description>;
class ListOption<string name, list<string> default, string description,
                 ScalarType element = StringType>
    : PassOption<name, ListType<element>, default, description>;
class MapOption<string name, list<string> default, string description,
                ScalarType element = StringType>
    : PassOption<name, MapType<element>, default, description>;

// An option of any type without a default value; in C++ a std::optional.
class OptionalOption<string name, PassOptionType type, string description>
    : PassOption<name, type, [], description> {
  let IsOptional = 1;
}

// A counter; `name` is the name of the member, `NumErased`.
class Statistic<string name, string description> {
  string Name = name;
  string Description = description;
}

//===----------------------------------------------------------------------===//
// Tolerances
//===----------------------------------------------------------------------===//

// The largest allowed difference of the results of functions before and after
// the pass, checked by -verify-semantics. Integers must be equal unless steps
// are allowed.
class PassTolerance {
  string Relative = "0";    // of floats: to the element before the pass
  string Absolute = "0";    // of floats: for a tensor of elements up to 1; grows
                            // with the largest
  string NotCompared = "";  // why results are not compared; empty if they are
  int Steps = 0;            // of integers that replace floats
  string Reason = "";       // why results may differ
  bit KeepsSpecialValues = 1;  // whether NaN and infinities are preserved
  bit ChangesFloatTypes = 0;   // see InOtherFloats
}
// Results are the same, element by element and bit by bit.
def Exact : PassTolerance;
// Floats may differ by rounding.
class Within<string relative, string absolute, string reason> : PassTolerance {
  let Relative = relative;
  let Absolute = absolute;
  let Reason = reason;
}
// As Within, but results computed from NaN or an infinity are not compared.
class Approximates<string relative, string absolute, string reason>
    : Within<relative, absolute, reason> {
  let KeepsSpecialValues = 0;
}
// As Approximates, but floats may have another data type after the pass.
// Elements that become NaN or infinite are not compared either, since the range
// may be smaller. Nor are integers and truth values: they may come from
// comparisons of rounded floats.
class InOtherFloats<string relative, string absolute, string reason>
    : Approximates<relative, absolute, reason> {
  let ChangesFloatTypes = 1;
}
// The pass computes floats by integers (Rewriter::noteQuantized). These may
// differ by this many steps from the result of the float operation on the floats
// that the integers of its operands represent. The rest of the function is
// compared exactly, on the results of regions before the pass.
class WithinSteps<int steps, string reason> : PassTolerance {
  let Steps = steps;
  let Reason = reason;
}
// The tolerance of a pass that declares none.
def DefaultTolerance : Within<"1e-5", "1e-6", "the pass declares no tolerance">;
// The pass changes the results of functions, or their parameters.
class NotCompared<string reason> : PassTolerance {
  let NotCompared = reason;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

class PassDef<string argument, string unit> {
  string Argument = argument;      // in pipeline text, in kebab case
  string Unit = unit;              // enumerator of PassUnit
  string Summary = "";             // one line, no full stop
  string Description = "";         // Markdown, with IR before and after
  int OptLevel = 0;                // least level at which a group runs it
  bit IsRequired = 0;              // instruments cannot skip it
  bit IsGroup = 0;                 // see Pipeline
  list<PassDef> Requires = [];     // run before it in a group, in this order
  list<string> Preserves = [];     // C++ classes of analyses
  // The analyses of the module that a function pass reads (C++ classes). They
  // are computed before it runs on the first function.
  list<string> ModuleAnalyses = [];
  PassTolerance Tolerance = DefaultTolerance;
  list<PassOption> Options = [];
  list<Statistic> Statistics = [];
  list<string> Remarks = [];       // kinds of remarks, see emitMissedRemark()
}

class ModulePass<string argument> : PassDef<argument, "Module">;
class FunctionPass<string argument> : PassDef<argument, "Function">;

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

// A named pipeline: a pass whose members are the elements of `text`, each
// subject to opt level, disabled passes and required passes. The argument may
// have a parameter: `default<O2>`. `text` names passes and pipelines of this
// file and of included files, groups, and extension points. A pipeline has no
// class.
//
//   def Tidy : Pipeline<"tidy", "fixpoint(inline,dead-code-elimination)">;
//
// In `text`, `$name` stands for the value of the option `name`:
//
//   def Shrink : Pipeline<"shrink", "repeat<$rounds>(inline)",
//                         [IntOption<"rounds", 2, "the number of rounds">]>;
class Pipeline<string argument, string text, list<PassOption> options = []>
    : PassDef<argument, "Module"> {
  string Text = text;
  let IsGroup = 1;
  let Summary = "a pipeline";
  let Options = options;
}

// A position in pipelines, written `extension<name>`, where other files add
// passes.
class ExtensionPoint<string name, string description> {
  string Name = name;
  string Description = description;
}

// Adds the passes of `text` at the extension point `point`.
class Extension<string point, string text> {
  string Point = point;
  string Text = text;
}

//===----------------------------------------------------------------------===//
// Config
//===----------------------------------------------------------------------===//

// An option of the PassContext by TVM's key. relay-tblgen generates a
// ConfigKey, named as the record, by which passes read it.
class ConfigOption<string key, PassOption option> {
  string Key = key;
  PassOption Option = option;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

// Options of every target, as in TVM.
defvar TargetOptions = [
  OptionalOption<"device", StringType, "a key that comes before the others">,
  ListOption<"keys", [], "keys that replace the declared ones">,
  ListOption<"libs", [], "libraries to call">,
  OptionalOption<"model", StringType, "the model of the device">
];

// A device or library to compile for: `-target=dnnl,threads=4`. Lookups of hooks
// and facts use its name and `keys`, in this order. Names of options are in kebab case
// or in TVM's with underscores.
//
//   def DNNL : Target<"dnnl", ["cpu"],
//                     [IntOption<"threads", 1, "the number of threads">]> {
//     let Summary = "Intel's library";
//   }
class Target<string name, list<string> keys = [],
             list<PassOption> options = []> {
  string Name = name;
  string Summary = ""; // one line, no full stop
  list<string> Keys = keys;
  list<PassOption> Options = !listconcat(options, TargetOptions);
  int DeviceType = 1; // the number of its devices in DLPack: 1 is cpu
}

// The pattern table of `target`, which merge-composite<targets=...> reads.
// `file`, a file of patterns on the include path, becomes a part of the program.
// `checks` are C++ functions `bool f(const Operation &Root)`, which the file
// names: `pattern "..." {check="f"} = ...`.
//
//   def : PatternTable<DNNL, "dnnl.patterns", ["isBiasOfConv2D"]>;
class PatternTable<Target target, string file, list<string> checks = []> {
  Target Owner = target;
  string File = file;
  list<string> Checks = checks;
}

//===----------------------------------------------------------------------===//
// TVM's names
//===----------------------------------------------------------------------===//

// Names of TVM's passes; -disable-pass and -required-pass accept them whether
// or not the pass is implemented here.
class ReferencePasses<list<string> names> {
  list<string> Names = names;
}

// A pass of TVM that is not implemented, and why, for the error in pipelines.
class AbsentPass<string name, string reason> {
  string Name = name;
  string Reason = reason;
}

// Keys of TVM's config options; -pass-config accepts them whether or not the
// option is implemented here.
class ReferenceConfigs<list<string> keys> {
  list<string> Keys = keys;
}

#endif // RELAY_PASS_PASSBASE_TD
