//===- PassDecls.cpp - -gen-pass-decls ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes Passes.h.inc for Passes.td: for each pass its options, its base class
// and the declaration of createXPass(); and the keys of config options. It is
// included in the namespace of the passes, after PassManager.h.
//
//===----------------------------------------------------------------------===//

#include "Markdown.h"
#include "PassRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

/// Declares the enumeration \p Name of \p Option, if that is an Enum.
static void emitEnum(const PassOptionRecord &Option, StringRef Name,
                     StringRef Indentation, raw_ostream &OS) {
  if (Option.getValues().empty())
    return;
  std::vector<std::string> Enumerators;
  for (StringRef Value : Option.getValues())
    Enumerators.push_back(Option.getEnumerator(Value));
  OS << Indentation
     << formatv("enum class {0} {{ {1} };\n", Name, join(Enumerators, ", "));
}

static void emitOptionMembers(const PassRecord &Pass, raw_ostream &OS) {
  OS << formatv("\n/// Options of `{0}`.\nstruct {1}Options {{\n",
                Pass.getArgument(), Pass.getName());
  for (const PassOptionRecord &Option : Pass.getOptions())
    emitEnum(Option, Option.getEnumName(), "  ", OS);
  for (const PassOptionRecord &Option : Pass.getOptions())
    OS << formatv("  /// {0}\n  {1} {2}{3};\n",
                  toSentence(Option.getDescription()),
                  Option.getCppType(Option.getEnumName()), Option.getMember(),
                  Option.getInitializer());
  OS << "};\n";
}

static void emitCreate(const PassRecord &Pass, raw_ostream &OS) {
  OS << formatv("\n/// `{0}`: {1}.\nstd::unique_ptr<::relay::Pass> "
                "create{2}Pass(",
                Pass.getArgument(), Pass.getSummary(), Pass.getName());
  if (!Pass.getOptions().empty())
    OS << Pass.getName() << "Options Options = {}";
  OS << ");\n";
}

static void emitBaseDecl(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Head = R"(
/// Options, statistics and PassInfo of {0}.
class {0}PassBase : public ::relay::{1}Pass {{
public:
  {2};
  {0}PassBase(const {0}PassBase &O);
  ~{0}PassBase() override;
  static const ::relay::PassInfo &getStaticInfo();
  void printPipeline(::llvm::raw_ostream &OS) const override;

protected:
  /// Returns the analyses that the pass is declared to preserve; all() unless it
  /// \p Changed something.
  static ::relay::PreservedAnalyses preserved(bool Changed);
)";
  std::string Constructor = (Pass.getName() + "PassBase()").str();
  if (!Pass.getOptions().empty())
    Constructor = formatv("explicit {0}PassBase({0}Options Options = {{})",
                          Pass.getName());
  OS << formatv(Head, Pass.getName(), Pass.getUnit(), Constructor);
  if (!Pass.getOptions().empty() || !Pass.getStatistics().empty())
    OS << '\n';
  if (!Pass.getOptions().empty())
    OS << formatv("  const {0}Options Options;\n", Pass.getName());
  for (const StatisticRecord &Statistic : Pass.getStatistics())
    OS << formatv("  /// {0}\n  ::relay::Statistic {1};\n",
                  toSentence(Statistic.getDescription()), Statistic.getName());
  OS << "};\n";
}

static void emitBaseTemplate(const PassRecord &Pass, raw_ostream &OS) {
  constexpr const char *Template = R"(
/// The base of the class {0} in {0}.cpp: `class {0} : public {0}Base<{0}>`.
/// Clones are made by its copy constructor.
template <typename PassT> class {0}Base : public {0}PassBase {{
public:
  using {0}PassBase::{0}PassBase;
  std::unique_ptr<::relay::Pass> clone() const override {{
    return std::make_unique<PassT>(static_cast<const PassT &>(*this));
  }
};
)";
  OS << formatv(Template, Pass.getName());
}

static void emitPass(const PassRecord &Pass, raw_ostream &OS) {
  if (Pass.isPipeline())
    return;
  OS << "\n//===--- " << Pass.getName() << " ---===//\n";
  if (!Pass.getOptions().empty())
    emitOptionMembers(Pass, OS);
  emitCreate(Pass, OS);
  emitBaseDecl(Pass, OS);
  emitBaseTemplate(Pass, OS);
}

static void emitConfigKey(const ConfigRecord &Config, raw_ostream &OS) {
  const PassOptionRecord &Option = Config.getOption();
  std::string EnumName = (Config.getName() + "Value").str();
  OS << '\n';
  emitEnum(Option, EnumName, "", OS);
  OS << formatv("/// {0}\ninline constexpr ::relay::ConfigKey<{1}> {2}{{"
                "\"{3}\"};\n",
                toSentence(Option.getDescription()),
                Option.getCppType(EnumName), Config.getName(), Config.getKey());
}

/// Declares the functions that pattern tables name.
static void emitPatternChecks(const PassFile &File, raw_ostream &OS) {
  for (const PatternTableRecord &Table : File.getPatternTables())
    for (StringRef Check : Table.getChecks())
      OS << formatv("\n/// A check of the pattern table of `{0}`.\n"
                    "bool {1}(const ::relay::Operation &Root);\n",
                    Table.getTarget(), Check);
}

static void emitPassDecls(RecordKeeper &Records, raw_ostream &OS) {
  emitSourceFileHeader("Declarations of passes", OS, Records);
  PassFile File(Records);
  for (const ConfigRecord &Config : File.getConfigOptions())
    emitConfigKey(Config, OS);
  for (const PassRecord &Pass : File.getPasses())
    emitPass(Pass, OS);
  emitPatternChecks(File, OS);
}

static TableGen::Emitter::Opt
    GenPassDecls("gen-pass-decls", emitPassDecls,
                 "Write options, base classes and factories of passes");
