//===- PassRegistry.cpp - What pipelines can name -------------------------===//
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

using namespace relay;

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

bool PassRegistry::registerPass(const PassInfo &Info, PassFactory Factory) {
  if (ByName.contains(Info.Name) || ByArgument.contains(Info.Argument))
    return false;
  Entry &E = ByArgument[Info.Argument];
  E = {own(Info), std::move(Factory)};
  ByName[Info.Name] = &E.Info;
  return true;
}

bool PassRegistry::addAnalysis(AnalysisInfo Info) {
  Info.Argument = own(Info.Argument);
  Info.Name = own(Info.Name);
  return Analyses.try_emplace(Info.Argument, std::move(Info)).second;
}

bool PassRegistry::registerConfigOption(const PassOptionInfo &Info) {
  return !ConfigOptions.contains(Info.Name) &&
         ConfigOptions.try_emplace(Info.Name, own(Info)).second;
}

const PassInfo *PassRegistry::lookupArgument(StringRef Argument) const {
  auto Found = ByArgument.find(Argument);
  return Found == ByArgument.end() ? nullptr : &Found->second.Info;
}

const PassInfo *PassRegistry::lookupName(StringRef Name) const {
  return ByName.lookup(Name);
}

std::unique_ptr<Pass>
PassRegistry::create(const PassInfo &Info,
                     const PassOptionValues &Options) const {
  const Entry &E = ByArgument.find(Info.Argument)->second;
  return E.Factory(E.Info, Options);
}

const AnalysisInfo *PassRegistry::lookupAnalysis(StringRef Argument) const {
  auto Found = Analyses.find(Argument);
  return Found == Analyses.end() ? nullptr : &Found->second;
}

const PassOptionInfo *PassRegistry::lookupConfigOption(StringRef Name) const {
  auto Found = ConfigOptions.find(Name);
  return Found == ConfigOptions.end() ? nullptr : &Found->second;
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

SmallVector<const PassInfo *> PassRegistry::getPasses() const {
  SmallVector<const PassInfo *> Passes;
  for (StringRef Argument : getArguments())
    Passes.push_back(lookupArgument(Argument));
  return Passes;
}

SmallVector<const AnalysisInfo *> PassRegistry::getAnalyses() const {
  SmallVector<const AnalysisInfo *> Infos;
  for (StringRef Argument : getAnalysisArguments())
    Infos.push_back(lookupAnalysis(Argument));
  return Infos;
}
