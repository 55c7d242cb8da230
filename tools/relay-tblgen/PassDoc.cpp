//===- PassDoc.cpp - -gen-pass-doc ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the reference of the passes of a .td file in Markdown: a table of all
// passes, a section for each in the order of their arguments, and the options
// of the config. -gen-target-doc writes the reference of targets.
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

static StringRef getUnit(const PassRecord &Pass) {
  return Pass.getUnit() == "Module" ? "module" : "function";
}

/// Returns \p Argument as code, linked if its pass is on this page.
static std::string getReference(StringRef Argument, ArrayRef<PassRecord> Page) {
  bool Here = any_of(Page, [&](const PassRecord &Pass) {
    return Pass.getArgument() == Argument;
  });
  return Here ? linkTo(Argument) : "`" + Argument.str() + "`";
}

static void emitFacts(const PassRecord &Pass, ArrayRef<PassRecord> Page,
                      raw_ostream &OS) {
  OS << formatv("\n`{0}`, a {1} pass; opt level {2}", Pass.getName(),
                getUnit(Pass), Pass.getOptLevel());
  if (Pass.isRequired())
    OS << "; never skipped";
  std::vector<std::string> Requires;
  for (StringRef Argument : Pass.getRequiredArguments())
    Requires.push_back(getReference(Argument, Page));
  if (!Requires.empty())
    OS << "; requires " << join(Requires, ", ");
  std::vector<StringRef> Preserves = Pass.getPreserves();
  if (!Preserves.empty())
    OS << "; preserves `" << join(Preserves, "`, `") << "`";
  std::vector<StringRef> Analyses = Pass.getModuleAnalyses();
  if (!Analyses.empty())
    OS << "; reads `" << join(Analyses, "`, `") << "` of the module";
  OS << ".\n";
}

/// Writes the tolerance of the pass under -verify-semantics.
static void emitTolerance(const PassRecord &Pass, raw_ostream &OS) {
  ToleranceRecord T = Pass.getTolerance();
  OS << "\nResults under `-verify-semantics`: ";
  if (!T.getNotCompared().empty())
    OS << "not compared, since " << T.getNotCompared() << ".\n";
  else if (T.isExact())
    OS << "equal.\n";
  else if (T.getSteps())
    OS << formatv("each operation on floats that becomes one on integers is "
                  "within {0} {1} of quantization, since {2}.\n",
                  T.getSteps(), T.getSteps() == 1 ? "step" : "steps",
                  T.getReason());
  else
    OS << formatv("{0} within {1} (relative) and {2} (absolute), since {3}.\n",
                  T.changesFloatTypes()    ? "finite floats of any type"
                  : T.keepsSpecialValues() ? "floats"
                                           : "finite floats",
                  T.getRelative(), T.getAbsolute(), T.getReason());
}

static std::string getDefault(const PassOptionRecord &Option) {
  if (Option.isOptional())
    return "none";
  std::string Default = Option.getDefault();
  return Default.empty() ? "empty" : "`" + Default + "`";
}

/// Writes the row of \p Option, under the name \p Name.
static void emitOption(StringRef Name, const PassOptionRecord &Option,
                       raw_ostream &OS) {
  OS << formatv("| `{0}` | {1} | {2} | {3} |\n", Name,
                toCell(Option.getTypeText()), getDefault(Option),
                toCell(Option.getDescription()));
}

static void emitOptionTable(const PassRecord &Pass, raw_ostream &OS) {
  if (Pass.getOptions().empty())
    return;
  OS << "\n| option | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const PassOptionRecord &Option : Pass.getOptions())
    emitOption(Option.getName(), Option, OS);
}

static void emitStatistics(const PassRecord &Pass, raw_ostream &OS) {
  if (Pass.getStatistics().empty())
    return;
  OS << "\n| statistic | meaning |\n| --- | --- |\n";
  for (const StatisticRecord &Statistic : Pass.getStatistics())
    OS << formatv("| `{0}` | {1} |\n", Statistic.getName(),
                  Statistic.getDescription());
}

static void emitRemarks(const PassRecord &Pass, raw_ostream &OS) {
  std::vector<StringRef> Remarks = Pass.getRemarks();
  if (!Remarks.empty())
    OS << "\nRemarks under `-pass-remarks-missed`: `"
       << llvm::join(Remarks, "`, `") << "`.\n";
}

static void emitPass(const PassRecord &Pass, ArrayRef<PassRecord> Page,
                     raw_ostream &OS) {
  OS << formatv("\n## `{0}`\n\n{1}\n", Pass.getArgument(),
                toSentence(Pass.getSummary()));
  emitFacts(Pass, Page, OS);
  emitTolerance(Pass, OS);
  if (!Pass.getDescription().empty())
    OS << '\n' << dedent(Pass.getDescription()) << '\n';
  emitOptionTable(Pass, OS);
  emitStatistics(Pass, OS);
  emitRemarks(Pass, OS);
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

static void emitContents(ArrayRef<PassRecord> Passes, raw_ostream &OS) {
  OS << "\n| pass | unit | opt level | summary |\n"
        "| --- | --- | --- | --- |\n";
  for (const PassRecord &Pass : Passes)
    OS << formatv("| {0} | {1} | {2} | {3} |\n", linkTo(Pass.getArgument()),
                  getUnit(Pass), Pass.getOptLevel(), toCell(Pass.getSummary()));
  OS << "\nOptions are written in angle brackets: "
        "`-passes='a<flag;depth=4>,b'`. Opt levels and required passes apply "
        "within `sequential(...)`.\n";
}

static void emitPipelines(const PassFile &File, raw_ostream &OS) {
  if (!any_of(File.getPasses(),
              [](const PassRecord &Pass) { return Pass.isPipeline(); }))
    return;
  OS << "\n## Pipelines\n\n| pipeline | opt level | summary | passes |\n"
        "| --- | --- | --- | --- |\n";
  for (const PassRecord &Pass : File.getPasses())
    if (Pass.isPipeline())
      OS << formatv("| `{0}` | {1} | {2} | `{3}` |\n", Pass.getArgument(),
                    Pass.getOptLevel(), toCell(Pass.getSummary()),
                    Pass.getPipelineText());
  for (const PassRecord &Pass : File.getPasses()) {
    if (!Pass.isPipeline() || Pass.getOptions().empty())
      continue;
    OS << formatv("\nOptions of `{0}`:\n", Pass.getArgument());
    emitOptionTable(Pass, OS);
  }
  if (File.getExtensionPoints().empty())
    return;
  OS << "\n| extension point | place |\n| --- | --- |\n";
  for (const ExtensionPointRecord &Point : File.getExtensionPoints())
    OS << formatv("| `{0}` | {1} |\n", Point.getName(),
                  toCell(Point.getDescription()));
}

static void emitConfig(ArrayRef<ConfigRecord> Config, raw_ostream &OS) {
  if (Config.empty())
    return;
  OS << "\n## Config options\n\nOf the context, not of one pass: "
        "`-pass-config=key=value`.\n\n"
        "| key | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const ConfigRecord &Option : Config)
    emitOption(Option.getKey(), Option.getOption(), OS);
}

/// Returns the letters and digits of \p Name, in lower case: the command line
/// takes `QnnLegalize`, `qnn-legalize` and `qnn.Legalize` for the same name.
static std::string getPlainName(StringRef Name) {
  std::string Plain;
  for (char C : Name)
    if (isAlnum(C))
      Plain += toLower(C);
  return Plain;
}

static void emitReferenceNames(const PassFile &File, raw_ostream &OS) {
  std::vector<StringRef> Absent = File.getReferenceNames();
  erase_if(Absent, [&](StringRef Name) {
    return any_of(File.getPasses(), [&](const PassRecord &Pass) {
      return getPlainName(Name) == getPlainName(Pass.getName()) ||
             getPlainName(Name) == getPlainName(Pass.getArgument());
    });
  });
  if (!Absent.empty())
    OS << "\n## Passes of TVM that are not implemented\n\n`-disable-pass` and "
          "`-required-pass` accept these names without effect: `"
       << join(Absent, "`, `") << "`.\n";
  for (const AbsentPassRecord &Pass : File.getAbsentPasses())
    OS << formatv("\nLikewise `{0}`: {1}.\n", Pass.getName(), Pass.getReason());
}

static void emitReferenceConfigs(const PassFile &File, raw_ostream &OS) {
  std::vector<StringRef> Absent = File.getReferenceConfigs();
  erase_if(Absent, [&](StringRef Key) {
    return any_of(File.getConfigOptions(), [&](const ConfigRecord &Option) {
      return Option.getKey() == Key;
    });
  });
  if (!Absent.empty())
    OS << "\n## Config options of TVM's that are not here\n\n`-pass-config` "
          "takes these keys and does nothing: `"
       << join(Absent, "`, `") << "`.\n";
}

static void emitPassDoc(RecordKeeper &Records, raw_ostream &OS) {
  PassFile File(Records);
  std::vector<PassRecord> Sorted = File.getPasses();
  erase_if(Sorted, [](const PassRecord &Pass) { return Pass.isPipeline(); });
  sort(Sorted, [](const PassRecord &A, const PassRecord &B) {
    return A.getArgument() < B.getArgument();
  });
  OS << formatv("<!-- Generated by relay-tblgen -gen-pass-doc from {0}.td: "
                "edit that. -->\n\n# Passes\n",
                getFileStem(Records));
  emitContents(Sorted, OS);
  for (const PassRecord &Pass : Sorted)
    emitPass(Pass, Sorted, OS);
  emitPipelines(File, OS);
  emitConfig(File.getConfigOptions(), OS);
  emitReferenceNames(File, OS);
  emitReferenceConfigs(File, OS);
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// Returns `` `cuda`, `gpu` ``, in the order of lookups.
static std::string listKeys(const TargetRecord &Target) {
  std::string Text = "`" + Target.getName().str() + "`";
  for (StringRef Key : Target.getKeys())
    if (Key != Target.getName())
      Text += ", `" + Key.str() + "`";
  return Text;
}

static void emitTargetDoc(RecordKeeper &Records, raw_ostream &OS) {
  PassFile File(Records);
  std::vector<TargetRecord> Sorted = File.getTargets();
  sort(Sorted, [](const TargetRecord &A, const TargetRecord &B) {
    return A.getName() < B.getName();
  });
  OS << formatv("<!-- Generated by relay-tblgen -gen-target-doc from {0}.td: "
                "edit that. -->\n\n# Targets\n\n"
                "`-target=NAME[,option=value...]` sets the target, whose keys "
                "select [hooks and facts](../Hooks.md).\n\n"
                "| target | summary | keys |\n| --- | --- | --- |\n",
                getFileStem(Records));
  for (const TargetRecord &Target : Sorted)
    OS << formatv("| {0} | {1} | {2} |\n", linkTo(Target.getName()),
                  toCell(Target.getSummary()), listKeys(Target));
  for (const TargetRecord &Target : Sorted) {
    OS << formatv("\n## `{0}`\n\n{1}\n\n"
                  "| option | type | default | meaning |\n"
                  "| --- | --- | --- | --- |\n",
                  Target.getName(), toSentence(Target.getSummary()));
    for (const PassOptionRecord &Option : Target.getOptions())
      emitOption(Option.getName(), Option, OS);
  }
}

static TableGen::Emitter::Opt
    GenTargetDoc("gen-target-doc", emitTargetDoc,
                 "Write the reference of targets in Markdown");

static TableGen::Emitter::Opt
    GenPassDoc("gen-pass-doc", emitPassDoc,
               "Write the reference of passes in Markdown");
