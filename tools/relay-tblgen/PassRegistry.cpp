//===- PassRegistry.cpp - -gen-pass-registry ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes PassRegistry.inc for Passes.td: the PassInfo and the base class of
// each pass, and the static function registerGeneratedPasses(), which adds them
// to a PassRegistry. It is included once, in the namespace of Passes.h.inc.
//
//===----------------------------------------------------------------------===//

#include "Markdown.h"
#include "Names.h"
#include "PassRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// PassInfo
//===----------------------------------------------------------------------===//

/// Writes an array unless it is empty, and returns its name, or `{}`.
static std::string emitArray(StringRef Type, const Twine &Name,
                             ArrayRef<std::string> Elements, raw_ostream &OS) {
  if (Elements.empty())
    return "{}";
  OS << formatv("static constexpr {0} {1}[] = {{\n    {2}};\n", Type,
                Name.str(), join(Elements, ",\n    "));
  return Name.str();
}

/// Returns the PassOptionInfo of \p Option, called \p Name, as an initializer.
/// First writes the array of its values, \p ValuesName.
static std::string emitOptionInfo(const PassOptionRecord &Option,
                                  StringRef Name, const Twine &ValuesName,
                                  raw_ostream &OS) {
  std::string Info =
      formatv("{{{0}, ::relay::PassOptionKind::{1}, {2}, {3}", quote(Name),
              Option.getKind(), quote(Option.getDefault()),
              quote(Option.getDescription()));
  std::vector<std::string> Values;
  for (StringRef Value : Option.getValues())
    Values.push_back(quote(Value));
  // Most options have default values for the rest.
  if (Option.getShape() != "Scalar" || Option.isOptional() ||
      !Option.getMin().empty() || !Option.getMax().empty() || !Values.empty())
    Info += formatv(",\n     ::relay::PassOptionShape::{0}, "
                    "/*IsOptional=*/{1}, /*IsPositional=*/false,\n"
                    "     {2}, {3}, {4}",
                    Option.getShape(), Option.isOptional() ? "true" : "false",
                    quote(Option.getMin()), quote(Option.getMax()),
                    emitArray("::llvm::StringRef", ValuesName, Values, OS));
  return Info + "}";
}

static std::string emitOptionInfos(const PassRecord &Pass, raw_ostream &OS) {
  std::vector<std::string> Infos;
  for (const PassOptionRecord &Option : Pass.getOptions())
    Infos.push_back(
        emitOptionInfo(Option, Option.getName(),
                       Pass.getName() + Option.getMember() + "Values", OS));
  return emitArray("::relay::PassOptionInfo", Pass.getName() + "OptionInfos",
                   Infos, OS);
}

static std::string emitStatisticInfos(const PassRecord &Pass, raw_ostream &OS) {
  std::vector<std::string> Infos;
  for (const StatisticRecord &Statistic : Pass.getStatistics())
    Infos.push_back("{" + quote(Statistic.getName()) + ", " +
                    quote(Statistic.getDescription()) + "}");
  return emitArray("::relay::PassStatisticInfo",
                   Pass.getName() + "StatisticInfos", Infos, OS);
}

static std::string emitRequires(const PassRecord &Pass, raw_ostream &OS) {
  std::vector<std::string> Names;
  for (StringRef Name : Pass.getRequires())
    Names.push_back(quote(Name));
  return emitArray("::llvm::StringRef", Pass.getName() + "Requires", Names, OS);
}

static std::string emitModuleAnalyses(const PassRecord &Pass, raw_ostream &OS) {
  std::vector<std::string> Functions;
  for (StringRef Analysis : Pass.getModuleAnalyses())
    Functions.push_back(
        formatv("::relay::computeModuleAnalysis<{0}>", Analysis));
  return emitArray("::relay::ModuleAnalysisFn",
                   Pass.getName() + "ModuleAnalyses", Functions, OS);
}

static std::string emitRemarkKinds(const PassRecord &Pass, raw_ostream &OS) {
  std::vector<std::string> Names;
  for (StringRef Name : Pass.getRemarks())
    Names.push_back(quote(Name));
  return emitArray("::llvm::StringRef", Pass.getName() + "Remarks", Names, OS);
}

static void emitInfo(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Info =
      R"(static constexpr ::relay::PassInfo {0}Info = {{
    "{0}", "{1}", ::relay::PassUnit::{2}, /*OptLevel=*/{3},
    /*IsRequired=*/{4}, /*IsGroup=*/{5}, {6},
    {7},
    {8}, {9},
    {{{10}, {11}, {12}, {13}, {14}, {15}}, {16},
    {17}, {18}};
)";
  std::string Options = emitOptionInfos(Pass, OS);
  std::string Statistics = emitStatisticInfos(Pass, OS);
  std::string Requires = emitRequires(Pass, OS);
  std::string ModuleAnalyses = emitModuleAnalyses(Pass, OS);
  std::string Remarks = emitRemarkKinds(Pass, OS);
  ToleranceRecord Tolerance = Pass.getTolerance();
  OS << formatv(
      Info, Pass.getName(), Pass.getArgument(), Pass.getUnit(),
      Pass.getOptLevel(), Pass.isRequired() ? "true" : "false",
      Pass.isPipeline() ? "true" : "false", Requires, quote(Pass.getSummary()),
      Options, Statistics, Tolerance.getRelative(), Tolerance.getAbsolute(),
      quote(Tolerance.getNotCompared()),
      Tolerance.keepsSpecialValues() ? "true" : "false", Tolerance.getSteps(),
      Tolerance.changesFloatTypes() ? "true" : "false", ModuleAnalyses,
      quote(dedent(Pass.getDescription())), Remarks);
}

//===----------------------------------------------------------------------===//
// The base class
//===----------------------------------------------------------------------===//

/// Writes the initializers of a constructor other than the options.
static void emitStatisticInitializers(const PassRecord &Pass, raw_ostream &OS) {
  for (auto [I, Statistic] : enumerate(Pass.getStatistics()))
    OS << formatv(",\n      {0}(*this, {1}StatisticInfos[{2}])",
                  Statistic.getName(), Pass.getName(), I);
  OS << " {}\n";
}

static void emitConstructors(const PassRecord &Pass, raw_ostream &OS) {
  bool HasOptions = !Pass.getOptions().empty();
  OS << formatv("{0}PassBase::{0}PassBase(", Pass.getName());
  if (HasOptions)
    OS << Pass.getName() << "Options Options";
  OS << formatv(")\n    : {0}Pass({1}Info)", Pass.getUnit(), Pass.getName());
  if (HasOptions)
    OS << ", Options(std::move(Options))";
  emitStatisticInitializers(Pass, OS);
  OS << formatv("{0}PassBase::{0}PassBase(const {0}PassBase &O)\n"
                "    : {1}Pass(O)",
                Pass.getName(), Pass.getUnit());
  if (HasOptions)
    OS << ", Options(O.Options)";
  emitStatisticInitializers(Pass, OS);
  OS << formatv("{0}PassBase::~{0}PassBase() = default;\n", Pass.getName());
}

static void emitPrintPipeline(const PassRecord &Pass, raw_ostream &OS) {
  OS << formatv(
      "void {0}PassBase::printPipeline(::llvm::raw_ostream &OS) const {{\n"
      "  ::relay::PassOptionPrinter P(OS, {0}Info.Argument);\n",
      Pass.getName());
  if (!Pass.getOptions().empty())
    OS << formatv("  const {0}Options Default;\n", Pass.getName());
  for (auto [I, Option] : enumerate(Pass.getOptions()))
    OS << formatv("  P.print({0}OptionInfos[{1}], Options.{2}, "
                  "Default.{2});\n",
                  Pass.getName(), I, Option.getMember());
  OS << "}\n";
}

static void emitPreserved(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Head =
      R"(::relay::PreservedAnalyses {0}PassBase::preserved(bool Changed) {{
  if (!Changed)
    return ::relay::PreservedAnalyses::all();
)";
  OS << formatv(Head, Pass.getName());
  if (Pass.getPreserves().empty()) {
    OS << "  return ::relay::PreservedAnalyses::none();\n}\n";
    return;
  }
  OS << "  ::relay::PreservedAnalyses PA;\n";
  for (StringRef Analysis : Pass.getPreserves())
    OS << formatv("  PA.preserve<{0}>();\n", Analysis);
  OS << "  return PA;\n}\n";
}

static void emitBase(const PassRecord &Pass, raw_ostream &OS) {
  emitConstructors(Pass, OS);
  OS << formatv("const ::relay::PassInfo &{0}PassBase::getStaticInfo() {{ "
                "return {0}Info; }\n",
                Pass.getName());
  emitPrintPipeline(Pass, OS);
  emitPreserved(Pass, OS);
}

//===----------------------------------------------------------------------===//
// The registry
//===----------------------------------------------------------------------===//

static void emitRegistration(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Head = R"(  R.registerStaticPass(
      {0}Info,
      [](const ::relay::PassInfo &, const ::relay::PassOptionValues &{1})
          -> std::unique_ptr<::relay::Pass> {{
)";
  if (Pass.isPipeline()) {
    OS << formatv("  R.registerPipeline(\n      {0}Info,\n      {1});\n",
                  Pass.getName(), quote(Pass.getPipelineText()));
    return;
  }
  bool HasOptions = !Pass.getOptions().empty();
  OS << formatv(Head, Pass.getName(), HasOptions ? "Values" : "");
  if (HasOptions)
    OS << formatv("        {0}Options Options;\n", Pass.getName());
  for (const PassOptionRecord &Option : Pass.getOptions())
    OS << formatv("        Values.get(\"{0}\", Options.{1});\n",
                  Option.getName(), Option.getMember());
  OS << formatv("        return create{0}Pass({1});\n      });\n",
                Pass.getName(), HasOptions ? "std::move(Options)" : "");
}

/// Writes the tables that the TargetInfo of \p Target refers to, and returns
/// the TargetInfo.
static std::string emitTargetInfo(const TargetRecord &Target, raw_ostream &OS) {
  std::vector<std::string> Keys, Options;
  for (StringRef Key : Target.getKeys())
    Keys.push_back(quote(Key));
  std::string Name = (Target.getRecordName() + "Target").str();
  for (const PassOptionRecord &Option : Target.getOptions())
    Options.push_back(emitOptionInfo(Option, Option.getName(),
                                     Name + Option.getMember() + "Values", OS));
  std::string KeysName =
      emitArray("::llvm::StringRef", Name + "Keys", Keys, OS);
  std::string OptionsName =
      emitArray("::relay::PassOptionInfo", Name + "Options", Options, OS);
  return formatv("{{{0}, {1}, {2}, {3}, {4}}", quote(Target.getName()),
                 quote(Target.getSummary()), KeysName, OptionsName,
                 Target.getDeviceType());
}

static void emitTargets(const PassFile &File, raw_ostream &OS) {
  std::vector<std::string> Infos;
  for (const TargetRecord &Target : File.getTargets())
    Infos.push_back(emitTargetInfo(Target, OS));
  emitArray("::relay::TargetInfo", "TargetInfos", Infos, OS);
}

/// Writes the PatternTableInfo of \p Table; its text line by line.
static void emitPatternTable(const PatternTableRecord &Table, raw_ostream &OS) {
  std::vector<std::string> Checks;
  std::string Name = (Table.getTargetRecordName() + "PatternTable").str();
  for (StringRef Check : Table.getChecks())
    Checks.push_back("{" + quote(Check) + ", " + Check.str() + "}");
  std::string ChecksName =
      emitArray("::relay::PatternCheck", Name + "Checks", Checks, OS);
  OS << formatv("static constexpr ::relay::PatternTableInfo {0} = {{\n    "
                "{1}, {2},",
                Name, quote(Table.getTarget()), quote(Table.getFile()));
  std::string Text = Table.readText();
  SmallVector<StringRef> Lines;
  StringRef(Text).split(Lines, '\n');
  for (auto [I, Line] : enumerate(Lines))
    OS << "\n    "
       << quote(I + 1 == Lines.size() ? Line.str() : (Line + "\n").str());
  OS << formatv(",\n    {0}};\n", ChecksName);
}

static void emitLists(const PassFile &File, raw_ostream &OS) {
  std::vector<std::string> Infos, Names, Keys;
  OS << '\n';
  for (const ConfigRecord &Config : File.getConfigOptions())
    Infos.push_back(emitOptionInfo(Config.getOption(), Config.getKey(),
                                   Config.getName() + "Values", OS));
  for (StringRef Name : File.getReferenceNames())
    Names.push_back(quote(Name));
  for (StringRef Key : File.getReferenceConfigs())
    Keys.push_back(quote(Key));
  emitArray("::relay::PassOptionInfo", "ConfigOptionInfos", Infos, OS);
  emitArray("::llvm::StringRef", "ReferenceNames", Names, OS);
  emitArray("::llvm::StringRef", "ReferenceConfigs", Keys, OS);
}

static void emitTable(const PassFile &File, raw_ostream &OS) {
  OS << "\nstatic void registerGeneratedPasses(::relay::PassRegistry &R) {\n";
  for (const PassRecord &Pass : File.getPasses())
    emitRegistration(Pass, OS);
  for (const ExtensionPointRecord &Point : File.getExtensionPoints())
    OS << formatv("  R.registerExtensionPoint({0}, {1});\n",
                  quote(Point.getName()), quote(Point.getDescription()));
  for (const ExtensionRecord &E : File.getExtensions())
    OS << formatv("  R.registerExtension({0}, {1});\n", quote(E.getPoint()),
                  quote(E.getText()));
  if (!File.getConfigOptions().empty())
    OS << "  for (const ::relay::PassOptionInfo &Info : ConfigOptionInfos)\n"
          "    R.registerConfigOption(Info);\n";
  if (!File.getTargets().empty())
    OS << "  R.registerStaticTargets(TargetInfos);\n";
  for (const PatternTableRecord &Table : File.getPatternTables())
    OS << formatv("  R.registerPatternTable({0}PatternTable);\n",
                  Table.getTargetRecordName());
  if (!File.getReferenceNames().empty())
    OS << "  R.addReferenceNames(ReferenceNames);\n";
  for (const AbsentPassRecord &Pass : File.getAbsentPasses())
    OS << formatv("  R.addAbsentPass({0}, {1});\n", quote(Pass.getName()),
                  quote(Pass.getReason()));
  if (!File.getReferenceConfigs().empty())
    OS << "  R.addReferenceConfigs(ReferenceConfigs);\n";
  OS << "}\n";
}

static void emitPassRegistry(RecordKeeper &Records, raw_ostream &OS) {
  emitSourceFileHeader("Definitions and registry of passes", OS, Records);
  PassFile File(Records);
  for (const PassRecord &Pass : File.getPasses()) {
    OS << "\n//===--- " << Pass.getName() << " ---===//\n\n";
    emitInfo(Pass, OS);
    if (!Pass.isPipeline())
      emitBase(Pass, OS);
  }
  emitLists(File, OS);
  emitTargets(File, OS);
  for (const PatternTableRecord &Table : File.getPatternTables())
    emitPatternTable(Table, OS);
  emitTable(File, OS);
}

static TableGen::Emitter::Opt
    GenPassRegistry("gen-pass-registry", emitPassRegistry,
                    "Write definitions and the registry of passes");
