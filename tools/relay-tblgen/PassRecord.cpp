//===- PassRecord.cpp - Passes of a .td file ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassRecord.h.
//
//===----------------------------------------------------------------------===//

#include "PassRecord.h"
#include "Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"
#include <cmath>

using namespace llvm;
using namespace relay::tblgen;

StringRef StatisticRecord::getName() const {
  return R->getValueAsString("Name");
}
StringRef StatisticRecord::getDescription() const {
  return R->getValueAsString("Description");
}

//===----------------------------------------------------------------------===//
// Tolerances
//===----------------------------------------------------------------------===//

/// Ends with an error at \p Field of \p R unless it is a number, 0 or more.
static void checkNumber(const Record &R, StringRef Field) {
  double Value;
  if (R.getValueAsString(Field).getAsDouble(Value) || !(Value >= 0) ||
      std::isinf(Value))
    PrintFatalError(R.getFieldLoc(Field),
                    "the tolerance '" + R.getValueAsString(Field) +
                        "' is not a number of at least 0");
}

ToleranceRecord::ToleranceRecord(const Record &R) : R(&R) {
  checkNumber(R, "Relative");
  checkNumber(R, "Absolute");
  if (R.getValueAsInt("Steps") < 0)
    PrintFatalError(R.getFieldLoc("Steps"), "the number of steps is negative");
}
StringRef ToleranceRecord::getRelative() const {
  return R->getValueAsString("Relative");
}
StringRef ToleranceRecord::getAbsolute() const {
  return R->getValueAsString("Absolute");
}
StringRef ToleranceRecord::getNotCompared() const {
  return R->getValueAsString("NotCompared");
}
StringRef ToleranceRecord::getReason() const {
  return R->getValueAsString("Reason");
}
bool ToleranceRecord::keepsSpecialValues() const {
  return R->getValueAsBit("KeepsSpecialValues");
}
bool ToleranceRecord::changesFloatTypes() const {
  return R->getValueAsBit("ChangesFloatTypes");
}
bool ToleranceRecord::isExact() const {
  double Relative = 0, Absolute = 0;
  (void)getRelative().getAsDouble(Relative);
  (void)getAbsolute().getAsDouble(Absolute);
  return Relative == 0 && Absolute == 0 && getSteps() == 0;
}
unsigned ToleranceRecord::getSteps() const {
  return unsigned(R->getValueAsInt("Steps"));
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Returns true for a name in kebab case with a parameter: `default<O2>`.
static bool isParametrized(StringRef Argument) {
  auto [Name, Parameter] = Argument.split('<');
  return isKebab(Name) && Parameter.consume_back(">") && !Parameter.empty() &&
         all_of(Parameter, [](char C) { return isAlnum(C) || C == '-'; });
}

PassRecord::PassRecord(const Record &R) : R(&R) {
  for (const Record *Option : R.getValueAsListOfDefs("Options"))
    Options.emplace_back(*Option);
  for (const Record *Statistic : R.getValueAsListOfDefs("Statistics"))
    Statistics.emplace_back(*Statistic);
  if (!isKebab(getArgument()) &&
      !(isPipeline() && isParametrized(getArgument())))
    PrintFatalError(&R, "argument of '" + getName() +
                            "' is not in kebab case: '" + getArgument() + "'");
  if (getOptLevel() < 0)
    PrintFatalError(R.getFieldLoc("OptLevel"),
                    "opt level of '" + getName() + "' is negative");
  if (getSummary().empty() || getSummary().ends_with("."))
    PrintFatalError(&R, "'" + getName() +
                            "' needs a summary, of one line and without a "
                            "full stop");
  if (isPipeline() && !Statistics.empty())
    PrintFatalError(&R, "'" + getName() +
                            "' is a pipeline, which has no statistics of its "
                            "own");
  checkOptions();
  if (isPipeline())
    checkPlaceholders();
}

/// Ends with an error if `$name` in the text of a pipeline is not an option.
void PassRecord::checkPlaceholders() const {
  SmallVector<StringRef> Parts;
  getPipelineText().split(Parts, '$');
  for (StringRef Part : drop_begin(Parts)) {
    StringRef Name =
        Part.take_while([](char C) { return isAlnum(C) || C == '-'; });
    if (none_of(Options, [&](const PassOptionRecord &Option) {
          return Option.getName() == Name;
        }))
      PrintFatalError(R, "pipeline '" + getArgument() + "' has no option '" +
                             Name + "'");
  }
}

void PassRecord::checkOptions() const {
  StringSet<> Members;
  for (const PassOptionRecord &Option : Options) {
    if (!isKebab(Option.getName()))
      PrintFatalError(R->getFieldLoc("Options"),
                      "option of '" + getName() + "' is not in kebab case: '" +
                          Option.getName() + "'");
    if (std::string Wrong = Option.check(); !Wrong.empty())
      PrintFatalError(R->getFieldLoc("Options"), "option '" + Option.getName() +
                                                     "' of '" + getName() +
                                                     "' " + Wrong);
    if (!Members.insert(Option.getName()).second)
      PrintFatalError(R->getFieldLoc("Options"), "'" + getName() +
                                                     "' has two options '" +
                                                     Option.getName() + "'");
  }
  for (const StatisticRecord &Statistic : Statistics)
    if (!isIdentifier(Statistic.getName()) ||
        !Members.insert(Statistic.getName()).second)
      PrintFatalError(R->getFieldLoc("Statistics"),
                      "statistic of '" + getName() +
                          "' is not an identifier or is repeated: '" +
                          Statistic.getName() + "'");
}

StringRef PassRecord::getArgument() const {
  return R->getValueAsString("Argument");
}
StringRef PassRecord::getUnit() const { return R->getValueAsString("Unit"); }
StringRef PassRecord::getSummary() const {
  return R->getValueAsString("Summary");
}
StringRef PassRecord::getDescription() const {
  return R->getValueAsString("Description");
}
int64_t PassRecord::getOptLevel() const { return R->getValueAsInt("OptLevel"); }
bool PassRecord::isRequired() const { return R->getValueAsBit("IsRequired"); }
bool PassRecord::isPipeline() const { return R->isSubClassOf("Pipeline"); }
StringRef PassRecord::getPipelineText() const {
  return R->getValueAsString("Text");
}

std::vector<StringRef> PassRecord::getRequires() const {
  std::vector<StringRef> Names;
  for (const Record *Required : R->getValueAsListOfDefs("Requires"))
    Names.push_back(Required->getName());
  return Names;
}
std::vector<StringRef> PassRecord::getRequiredArguments() const {
  std::vector<StringRef> Arguments;
  for (const Record *Required : R->getValueAsListOfDefs("Requires"))
    Arguments.push_back(Required->getValueAsString("Argument"));
  return Arguments;
}
ToleranceRecord PassRecord::getTolerance() const {
  return ToleranceRecord(*R->getValueAsDef("Tolerance"));
}
std::vector<StringRef> PassRecord::getPreserves() const {
  return R->getValueAsListOfStrings("Preserves");
}
std::vector<StringRef> PassRecord::getModuleAnalyses() const {
  return R->getValueAsListOfStrings("ModuleAnalyses");
}
std::vector<StringRef> PassRecord::getRemarks() const {
  return R->getValueAsListOfStrings("Remarks");
}

//===----------------------------------------------------------------------===//
// Config and files
//===----------------------------------------------------------------------===//

ConfigRecord::ConfigRecord(const Record &R)
    : R(&R), Option(*R.getValueAsDef("Option")) {
  if (std::string Wrong = Option.check(); !Wrong.empty())
    PrintFatalError(&R, "config option '" + getKey() + "' " + Wrong);
}

StringRef ConfigRecord::getKey() const { return R->getValueAsString("Key"); }

/// Returns true if \p Name may be used in `-target=NAME,NAME=value`.
static bool isTargetName(StringRef Name) {
  return !Name.empty() && isLower(Name.front()) && all_of(Name, [](char C) {
    return isLower(C) || isDigit(C) || C == '-' || C == '_';
  });
}

TargetRecord::TargetRecord(const Record &R) : R(&R) {
  if (!isTargetName(getName()))
    PrintFatalError(&R, "'" + getName() +
                            "' cannot be the name of a target: "
                            "letters are in lower case");
  if (getSummary().empty() || getSummary().ends_with("."))
    PrintFatalError(&R, "target '" + getName() +
                            "' needs a summary, of one line and without a "
                            "full stop");
  StringSet<> Names;
  for (const Record *Option : R.getValueAsListOfDefs("Options")) {
    PassOptionRecord &O = Options.emplace_back(*Option);
    std::string Wrong =
        isTargetName(O.getName()) ? O.check() : "has a name in capitals";
    if (Wrong.empty() && !Names.insert(O.getName()).second)
      Wrong = "is there twice";
    if (!Wrong.empty())
      PrintFatalError(&R, "option '" + O.getName() + "' of target '" +
                              getName() + "' " + Wrong);
  }
}
StringRef TargetRecord::getName() const { return R->getValueAsString("Name"); }
StringRef TargetRecord::getSummary() const {
  return R->getValueAsString("Summary");
}
std::vector<StringRef> TargetRecord::getKeys() const {
  return R->getValueAsListOfStrings("Keys");
}
int64_t TargetRecord::getDeviceType() const {
  return R->getValueAsInt("DeviceType");
}

PatternTableRecord::PatternTableRecord(const Record &R) : R(&R) {
  for (StringRef Check : getChecks())
    if (!isIdentifier(Check))
      PrintFatalError(&R, "check '" + Check + "' of the pattern table of '" +
                              getTarget() + "' is not an identifier");
}
StringRef PatternTableRecord::getTargetRecordName() const {
  return R->getValueAsDef("Owner")->getName();
}
StringRef PatternTableRecord::getTarget() const {
  return R->getValueAsDef("Owner")->getValueAsString("Name");
}
std::string PatternTableRecord::readText() const {
  std::string Path;
  auto Text = SrcMgr.OpenIncludeFile(getFile().str(), Path);
  if (!Text)
    PrintFatalError(R, "cannot read '" + getFile() +
                           "': " + Text.getError().message());
  return (*Text)->getBuffer().str();
}

ExtensionPointRecord::ExtensionPointRecord(const Record &R) : R(&R) {
  if (!isKebab(getName()))
    PrintFatalError(&R,
                    "extension point '" + getName() + "' is not in kebab case");
}
StringRef ExtensionPointRecord::getName() const {
  return R->getValueAsString("Name");
}
StringRef ExtensionPointRecord::getDescription() const {
  return R->getValueAsString("Description");
}

StringRef ExtensionRecord::getPoint() const {
  return R->getValueAsString("Point");
}
StringRef ExtensionRecord::getText() const {
  return R->getValueAsString("Text");
}

/// Ends with an error at \p R if \p Text, a pipeline, names a pass that is not
/// in \p Known. The registry checks groups and members with options.
static void checkPipelineText(const Record &R, StringRef Text,
                              const StringSet<> &Known) {
  unsigned Depth = 0; // of `<`
  for (size_t Pos = 0; Pos != Text.size();) {
    if (Depth != 0 || StringRef(",()<>").contains(Text[Pos])) {
      Depth += (Text[Pos] == '<') - (Text[Pos] == '>');
      ++Pos;
      continue;
    }
    StringRef Name = Text.substr(Pos).take_until(
        [](char C) { return StringRef(",()<>").contains(C); });
    Pos += Name.size();
    bool IsPlain = Pos == Text.size() || Text[Pos] == ',' || Text[Pos] == ')';
    Name = Name.trim();
    if (IsPlain && !Name.empty() && !Known.contains(Name))
      PrintFatalError(&R, "'" + Name +
                              "' is not a pass of this file or of one that "
                              "it includes");
  }
  if (Depth != 0)
    PrintFatalError(&R, "unmatched '<' or '>'");
}

void PassFile::checkPipelines(const RecordKeeper &Records) const {
  StringSet<> Known;
  for (const Record *R : getDefinitions(Records, "PassDef"))
    Known.insert(R->getValueAsString("Argument"));
  for (const PassRecord &Pass : Passes)
    if (Pass.isPipeline())
      checkPipelineText(Pass.getRecord(), Pass.getPipelineText(), Known);
  for (const ExtensionRecord &E : Extensions)
    checkPipelineText(E.getRecord(), E.getText(), Known);
}

/// Ends with an error if two passes of the file have the same argument.
static void checkArguments(ArrayRef<PassRecord> Passes) {
  StringMap<const PassRecord *> ByArgument;
  for (const PassRecord &Pass : Passes) {
    auto [Known, New] = ByArgument.try_emplace(Pass.getArgument(), &Pass);
    if (New)
      continue;
    PrintError(&Pass.getRecord(), "'" + Pass.getName() +
                                      "' has the argument '" +
                                      Pass.getArgument() + "' of '" +
                                      Known->second->getName() + "'");
    PrintFatalNote(&Known->second->getRecord(), "which is declared here");
  }
}

PassFile::PassFile(const RecordKeeper &Records) {
  for (const Record *R : getDefinitions(Records, "PassDef"))
    if (isInMainFile(*R))
      Passes.emplace_back(*R);
  for (const Record *R : getDefinitions(Records, "ConfigOption"))
    if (isInMainFile(*R))
      Config.emplace_back(*R);
  for (const Record *R : getDefinitions(Records, "Target"))
    if (isInMainFile(*R))
      Targets.emplace_back(*R);
  for (const Record *R : getDefinitions(Records, "PatternTable"))
    if (isInMainFile(*R))
      PatternTables.emplace_back(*R);
  for (const Record *R : getDefinitions(Records, "AbsentPass"))
    if (isInMainFile(*R))
      AbsentPasses.emplace_back(*R);
  for (const Record *R : getDefinitions(Records, "ReferencePasses"))
    if (isInMainFile(*R))
      append_range(ReferenceNames, R->getValueAsListOfStrings("Names"));
  for (const Record *R : getDefinitions(Records, "ReferenceConfigs"))
    if (isInMainFile(*R))
      append_range(ReferenceConfigs, R->getValueAsListOfStrings("Keys"));
  for (const Record *R : getDefinitions(Records, "ExtensionPoint"))
    if (isInMainFile(*R))
      ExtensionPoints.emplace_back(*R);
  for (const Record *R : getDefinitions(Records, "Extension"))
    if (isInMainFile(*R))
      Extensions.emplace_back(*R);
  checkArguments(Passes);
  checkPipelines(Records);
}
