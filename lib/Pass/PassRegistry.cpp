//===- PassRegistry.cpp - Names in pipelines ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassRegistry.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassRegistry.h"
#include "StandardGroups.h"
#include "relay/Pass/PipelineParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

PassRegistry::PassRegistry() {
  registerStandardGroups(*this);
  registerAnalysisPasses(*this);
  registerStandardTargets(*this);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

template <typename T> ArrayRef<T> PassRegistry::own(ArrayRef<T> List) {
  T *Copy = Memory.Allocate<T>(List.size());
  for (size_t I = 0; I != List.size(); ++I)
    new (Copy + I) T(own(List[I]));
  return {Copy, List.size()};
}

PassOptionInfo PassRegistry::own(const PassOptionInfo &Info) {
  PassOptionInfo Copy = Info;
  for (StringRef *Text :
       {&Copy.Name, &Copy.Default, &Copy.Description, &Copy.Min, &Copy.Max})
    *Text = own(*Text);
  Copy.Values = own(Info.Values);
  return Copy;
}

PassStatisticInfo PassRegistry::own(const PassStatisticInfo &Info) {
  return {own(Info.Name), own(Info.Description)};
}

PassInfo PassRegistry::own(const PassInfo &Info) {
  PassInfo Copy = Info;
  for (StringRef *Text : {&Copy.Name, &Copy.Argument, &Copy.Summary})
    *Text = own(*Text);
  Copy.Requires = own(Info.Requires);
  Copy.Options = own(Info.Options);
  Copy.Statistics = own(Info.Statistics);
  return Copy;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

bool PassRegistry::refuse(const Twine &What) {
  Refused.push_back(What.str());
  return false;
}

/// Passes, pipelines, groups and extension points share one syntax.
bool PassRegistry::isTaken(StringRef Argument) const {
  return ByArgument.contains(Argument) || Groups.contains(Argument) ||
         Argument == ExtensionArgument;
}

bool PassRegistry::registerStaticPass(const PassInfo &Info,
                                      PassFactory Factory) {
  if (ByName.contains(Info.Name) || isTaken(Info.Argument))
    return refuse((Info.IsGroup ? "pipeline '" : "pass '") + Info.Argument +
                  "'");
  ByArgument[Info.Argument] = {&Info, std::move(Factory)};
  ByName[Info.Name] = &Info;
  return true;
}

bool PassRegistry::registerPass(const PassInfo &Info, PassFactory Factory) {
  return registerStaticPass(*new (Memory) PassInfo(own(Info)),
                            std::move(Factory));
}

bool PassRegistry::registerGroup(const PassInfo &Info, GroupRule Rule,
                                 GroupFactory Factory) {
  if (isTaken(Info.Argument))
    return refuse("group '" + Info.Argument + "'");
  Groups[Info.Argument] = {own(Info), Rule, std::move(Factory)};
  return true;
}

bool PassRegistry::registerPipeline(const PassInfo &Info, StringRef Text) {
  assert(Info.IsGroup && Info.Unit == PassUnit::Module);
  auto Create = [this](const PassInfo &Own, const PassOptionValues &Options) {
    return createPipeline(*lookupPipeline(Own.Argument), *this, Options);
  };
  if (!registerPass(Info, Create))
    return false;
  Pipelines[Info.Argument] = {*lookupArgument(Info.Argument), own(Text)};
  return true;
}

bool PassRegistry::registerPipeline(StringRef Argument, StringRef Text) {
  PassInfo Info;
  Info.Name = Info.Argument = Argument;
  Info.IsGroup = true;
  Info.Summary = "a pipeline";
  return registerPipeline(Info, Text);
}

bool PassRegistry::registerExtensionPoint(StringRef Name,
                                          StringRef Description) {
  ExtensionPoint &Point = ExtensionPoints[Name];
  if (std::exchange(Point.IsDeclared, true))
    return refuse("extension point '" + Name + "'");
  Point.Name = own(Name);
  Point.Description = own(Description);
  return true;
}

void PassRegistry::registerExtension(StringRef Point, StringRef Text) {
  ExtensionPoint &P = ExtensionPoints[Point];
  if (P.Name.empty())
    P.Name = own(Point);
  P.Texts.push_back(own(Text));
}

bool PassRegistry::registerAnalysisPass(AnalysisPassInfo Info) {
  Info.Argument = own(Info.Argument);
  Info.Summary = own(Info.Summary);
  return AnalysisPasses.try_emplace(Info.Argument, std::move(Info)).second ||
         refuse("'" + Info.Argument + "<...>'");
}

bool PassRegistry::addAnalysis(AnalysisInfo Info) {
  Info.Argument = own(Info.Argument);
  Info.Name = own(Info.Name);
  Info.Options = own(Info.Options);
  return Analyses.try_emplace(Info.Argument, std::move(Info)).second ||
         refuse("analysis '" + Info.Argument + "'");
}

/// Returns the new entry, which refers to the texts of \p Info; null if it is
/// refused.
TargetInfo *PassRegistry::addTarget(const TargetInfo &Info) {
  auto [Entry, New] = Targets.try_emplace(Info.Name, Info);
  if (New)
    return &Entry->second;
  refuse("target '" + Info.Name + "'");
  return nullptr;
}

bool PassRegistry::registerTarget(const TargetInfo &Info) {
  TargetInfo *Entry = addTarget(Info);
  if (Entry)
    *Entry = {own(Info.Name), own(Info.Summary), own(Info.Keys),
              own(Info.Options)};
  return Entry != nullptr;
}

void PassRegistry::registerStaticTargets(ArrayRef<TargetInfo> Infos) {
  for (const TargetInfo &Info : Infos)
    addTarget(Info);
}

bool PassRegistry::registerPatternTable(const PatternTableInfo &Info) {
  if (!PatternTables.try_emplace(Info.Target, Info).second)
    return refuse("pattern table of target '" + Info.Target + "'");
  for (const PatternCheck &Check : Info.Checks)
    if (!PatternChecks.try_emplace(Check.Name, Check).second)
      return refuse("pattern check '" + Check.Name + "'");
  return true;
}

bool PassRegistry::registerConfigOption(const PassOptionInfo &Info) {
  return (!ConfigOptions.contains(Info.Name) &&
          ConfigOptions.try_emplace(Info.Name, own(Info)).second) ||
         refuse("config option '" + Info.Name + "'");
}

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

/// Returns the value of \p Name in \p Map, or null.
template <typename T>
static const T *lookupIn(const llvm::StringMap<T> &Map, StringRef Name) {
  auto Found = Map.find(Name);
  return Found == Map.end() ? nullptr : &Found->second;
}

const PassInfo *PassRegistry::lookupArgument(StringRef Argument) const {
  const Entry *E = lookupIn(ByArgument, Argument);
  return E ? E->Info : nullptr;
}
const PassInfo *PassRegistry::lookupName(StringRef Name) const {
  return ByName.lookup(Name);
}

const PassInfo *PassRegistry::findPass(StringRef Name) const {
  if (const PassInfo *Info = lookupArgument(Name))
    return Info;
  if (const GroupInfo *Group = lookupGroup(Name))
    return &Group->Info;
  // In sorted order, so that the result does not depend on the hash table.
  for (StringRef Argument : getArguments())
    if (const PassInfo *Info = lookupArgument(Argument); Info->isCalled(Name))
      return Info;
  for (StringRef Argument : getGroupArguments())
    if (const GroupInfo *Group = lookupGroup(Argument);
        Group->Info.isCalled(Name))
      return &Group->Info;
  return nullptr;
}

bool PassRegistry::isReferenceName(StringRef Name) const {
  return llvm::any_of(ReferenceNames, [&](StringRef Known) {
    return isSamePassName(Known, Name);
  });
}

StringRef PassRegistry::getAbsenceReason(StringRef Name) const {
  for (const auto &[Known, Reason] : AbsenceReasons)
    if (isSamePassName(Known, Name))
      return Reason;
  return "this pass of TVM is not implemented";
}

const GroupInfo *PassRegistry::lookupGroup(StringRef Argument) const {
  return lookupIn(Groups, Argument);
}
bool PassRegistry::isPlace(StringRef Name) const {
  const GroupInfo *Group = lookupGroup(Name);
  return Name == ExtensionArgument ||
         (Group && Group->Rule == GroupRule::FunctionPasses);
}
const PipelineInfo *PassRegistry::lookupPipeline(StringRef Argument) const {
  return lookupIn(Pipelines, Argument);
}
const ExtensionPoint *PassRegistry::lookupExtensionPoint(StringRef Name) const {
  const ExtensionPoint *Point = lookupIn(ExtensionPoints, Name);
  return Point && Point->IsDeclared ? Point : nullptr;
}
const AnalysisPassInfo *
PassRegistry::lookupAnalysisPass(StringRef Argument) const {
  return lookupIn(AnalysisPasses, Argument);
}
const AnalysisInfo *PassRegistry::lookupAnalysis(StringRef Argument) const {
  return lookupIn(Analyses, Argument);
}
const PassOptionInfo *PassRegistry::lookupConfigOption(StringRef Name) const {
  return lookupIn(ConfigOptions, Name);
}
const TargetInfo *PassRegistry::lookupTarget(StringRef Name) const {
  return lookupIn(Targets, Name);
}
const PatternTableInfo *
PassRegistry::lookupPatternTable(StringRef Target) const {
  return lookupIn(PatternTables, Target);
}
const PatternCheck *PassRegistry::lookupPatternCheck(StringRef Name) const {
  return lookupIn(PatternChecks, Name);
}

std::unique_ptr<Pass>
PassRegistry::create(const PassInfo &Info,
                     const PassOptionValues &Options) const {
  const Entry &E = ByArgument.find(Info.Argument)->second;
  return E.Factory(*E.Info, Options);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

template <typename MapT>
static SmallVector<StringRef> getSortedKeys(const MapT &Map) {
  SmallVector<StringRef> Keys(Map.keys());
  llvm::sort(Keys);
  return Keys;
}

SmallVector<StringRef> PassRegistry::getElementNames() const {
  SmallVector<StringRef> Names = getArguments();
  Names.append(getGroupArguments());
  Names.append(getAnalysisPassArguments());
  Names.push_back(ExtensionArgument);
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  return Names;
}
SmallVector<StringRef> PassRegistry::getGroupArguments() const {
  return getSortedKeys(Groups);
}
SmallVector<StringRef> PassRegistry::getAnalysisPassArguments() const {
  return getSortedKeys(AnalysisPasses);
}
SmallVector<StringRef> PassRegistry::getExtensionPointNames() const {
  SmallVector<StringRef> Names = getSortedKeys(ExtensionPoints);
  llvm::erase_if(Names,
                 [&](StringRef Name) { return !lookupExtensionPoint(Name); });
  return Names;
}
SmallVector<StringRef> PassRegistry::getArguments() const {
  return getSortedKeys(ByArgument);
}
SmallVector<StringRef> PassRegistry::getNames() const {
  return getSortedKeys(ByName);
}
SmallVector<StringRef> PassRegistry::getAnalysisArguments() const {
  return getSortedKeys(Analyses);
}
SmallVector<StringRef> PassRegistry::getConfigNames() const {
  return getSortedKeys(ConfigOptions);
}
SmallVector<StringRef> PassRegistry::getTargetNames() const {
  return getSortedKeys(Targets);
}
SmallVector<StringRef> PassRegistry::getPatternTableNames() const {
  return getSortedKeys(PatternTables);
}
SmallVector<StringRef> PassRegistry::getPatternCheckNames() const {
  return getSortedKeys(PatternChecks);
}
SmallVector<StringRef> PassRegistry::getTargetKeys() const {
  SmallVector<StringRef> Keys = getTargetNames();
  for (const auto &Entry : Targets)
    llvm::append_range(Keys, Entry.second.Keys);
  llvm::sort(Keys);
  Keys.erase(llvm::unique(Keys), Keys.end());
  return Keys;
}

/// Returns the values of \p Map sorted by key.
template <typename T>
static SmallVector<const T *> getSortedValues(const llvm::StringMap<T> &Map) {
  SmallVector<const T *> Values;
  for (StringRef Key : getSortedKeys(Map))
    Values.push_back(lookupIn(Map, Key));
  return Values;
}

SmallVector<const PassInfo *> PassRegistry::getPasses() const {
  SmallVector<const PassInfo *> Passes;
  for (StringRef Argument : getArguments())
    if (!Pipelines.contains(Argument))
      Passes.push_back(lookupArgument(Argument));
  return Passes;
}
SmallVector<const PipelineInfo *> PassRegistry::getPipelines() const {
  return getSortedValues(Pipelines);
}
SmallVector<const ExtensionPoint *> PassRegistry::getExtensionPoints() const {
  return getSortedValues(ExtensionPoints);
}
SmallVector<const AnalysisInfo *> PassRegistry::getAnalyses() const {
  return getSortedValues(Analyses);
}
