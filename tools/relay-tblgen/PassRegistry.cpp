//===- PassRegistry.cpp - -gen-pass-registry ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes PassRegistry.inc of Passes.td: the PassInfo and the base class of each
// pass, and the static function registerGeneratedPasses(), which adds them to a
// PassRegistry. To be included once, in the namespace of Passes.h.inc.
//
//===----------------------------------------------------------------------===//

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

static std::string getOptionInfo(const PassOptionRecord &Option,
                                 StringRef Name) {
  return formatv("{{{0}, ::relay::PassOptionKind::{1}, {2}, {3}}", quote(Name),
                 Option.getKind(), quote(Option.getDefault()),
                 quote(Option.getDescription()));
}

/// Writes an array unless it is empty, and returns its name, or `{}`.
static std::string emitArray(StringRef Type, const Twine &Name,
                             ArrayRef<std::string> Elements, raw_ostream &OS) {
  if (Elements.empty())
    return "{}";
  OS << formatv("static constexpr {0} {1}[] = {{\n    {2}};\n", Type,
                Name.str(), join(Elements, ",\n    "));
  return Name.str();
}

static std::string emitOptionInfos(const PassRecord &Pass, raw_ostream &OS) {
  std::vector<std::string> Infos;
  for (const PassOptionRecord &Option : Pass.getOptions())
    Infos.push_back(getOptionInfo(Option, Option.getName()));
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

static void emitInfo(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Info =
      R"(static constexpr ::relay::PassInfo {0}Info = {{
    "{0}", "{1}", ::relay::PassUnit::{2}, /*OptLevel=*/{3},
    /*IsRequired=*/{4}, /*IsGroup=*/{5}, {6},
    {7},
    {8}, {9}};
)";
  std::string Options = emitOptionInfos(Pass, OS);
  std::string Statistics = emitStatisticInfos(Pass, OS);
  std::string Requires = emitRequires(Pass, OS);
  OS << formatv(Info, Pass.getName(), Pass.getArgument(), Pass.getUnit(),
                Pass.getOptLevel(), Pass.isRequired() ? "true" : "false",
                Pass.isGroup() ? "true" : "false", Requires,
                quote(Pass.getSummary()), Options, Statistics);
}

//===----------------------------------------------------------------------===//
// The base class
//===----------------------------------------------------------------------===//

static void emitConstructor(const PassRecord &Pass, raw_ostream &OS) {
  bool HasOptions = !Pass.getOptions().empty();
  OS << formatv("{0}Base::{0}Base(", Pass.getName());
  if (HasOptions)
    OS << Pass.getName() << "Options Options";
  OS << formatv(")\n    : {0}Pass({1}Info)", Pass.getUnit(), Pass.getName());
  if (HasOptions)
    OS << ", Options(std::move(Options))";
  for (auto [I, Statistic] : enumerate(Pass.getStatistics()))
    OS << formatv(",\n      {0}(*this, {1}StatisticInfos[{2}])",
                  Statistic.getName(), Pass.getName(), I);
  OS << formatv(" {{}\n{0}Base::~{0}Base() = default;\n", Pass.getName());
}

static void emitPrintPipeline(const PassRecord &Pass, raw_ostream &OS) {
  OS << formatv(
      "void {0}Base::printPipeline(::llvm::raw_ostream &OS) const {{\n"
      "  ::relay::PassOptionPrinter P(OS, {0}Info.Argument);\n",
      Pass.getName());
  if (!Pass.getOptions().empty())
    OS << formatv("  const {0}Options Default;\n", Pass.getName());
  for (const PassOptionRecord &Option : Pass.getOptions())
    OS << formatv("  P.print(\"{0}\", Options.{1}, Default.{1});\n",
                  Option.getName(), Option.getMember());
  OS << "}\n";
}

static void emitPreserved(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Head =
      R"(::relay::PreservedAnalyses {0}Base::preserved(bool Changed) {{
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
  constexpr const char *Members =
      R"(const ::relay::PassInfo &{0}Base::getStaticInfo() {{ return {0}Info; }
std::unique_ptr<::relay::Pass> {0}Base::clone() const {{
  return create{0}Pass({1});
}
)";
  emitConstructor(Pass, OS);
  OS << formatv(Members, Pass.getName(),
                Pass.getOptions().empty() ? "" : "Options");
  emitPrintPipeline(Pass, OS);
  emitPreserved(Pass, OS);
}

//===----------------------------------------------------------------------===//
// The registry
//===----------------------------------------------------------------------===//

static void emitRegistration(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Head = R"(  R.registerPass(
      {0}Info,
      [](const ::relay::PassOptionValues &{1})
          -> std::unique_ptr<::relay::Pass> {{
)";
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

static void emitLists(const PassFile &File, raw_ostream &OS) {
  std::vector<std::string> Infos, Names;
  for (const ConfigRecord &Config : File.getConfigOptions())
    Infos.push_back(getOptionInfo(Config.getOption(), Config.getKey()));
  for (StringRef Name : File.getReferenceNames())
    Names.push_back(quote(Name));
  OS << '\n';
  emitArray("::relay::ConfigOptionInfo", "ConfigOptionInfos", Infos, OS);
  emitArray("::llvm::StringRef", "ReferenceNames", Names, OS);
}

static void emitTable(const PassFile &File, raw_ostream &OS) {
  OS << "\nstatic void registerGeneratedPasses(::relay::PassRegistry &R) {\n";
  for (const PassRecord &Pass : File.getPasses())
    emitRegistration(Pass, OS);
  if (!File.getConfigOptions().empty())
    OS << "  for (const ::relay::ConfigOptionInfo &Info : ConfigOptionInfos)\n"
          "    R.registerConfigOption(Info);\n";
  if (!File.getReferenceNames().empty())
    OS << "  for (::llvm::StringRef Name : ReferenceNames)\n"
          "    R.addReferenceName(Name);\n";
  OS << "}\n";
}

static void emitPassRegistry(RecordKeeper &Records, raw_ostream &OS) {
  emitSourceFileHeader("Definitions and registry of passes", OS, Records);
  PassFile File(Records);
  for (const PassRecord &Pass : File.getPasses()) {
    OS << "\n//===--- " << Pass.getName() << " ---===//\n\n";
    emitInfo(Pass, OS);
    if (Pass.isGroup())
      OS << formatv("const ::relay::PassInfo &get{0}PassInfo() {{ return "
                    "{0}Info; }\n",
                    Pass.getName());
    else
      emitBase(Pass, OS);
  }
  emitLists(File, OS);
  emitTable(File, OS);
}

static TableGen::Emitter::Opt
    GenPassRegistry("gen-pass-registry", emitPassRegistry,
                    "Write definitions and the registry of passes");
