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

bool PassRegistry::registerPass(const PassInfo &Info, PassFactory Factory) {
  if (ByName.contains(Info.Name) ||
      !ByArgument.try_emplace(Info.Argument, Entry{&Info, Factory}).second)
    return false;
  ByName[Info.Name] = &Info;
  return true;
}

bool PassRegistry::addAnalysis(const AnalysisInfo &Info) {
  return Analyses.try_emplace(Info.Argument, Info).second;
}

bool PassRegistry::registerConfigOption(const ConfigOptionInfo &Info) {
  return ConfigOptions.try_emplace(Info.Name, &Info).second;
}

const PassInfo *PassRegistry::lookupArgument(StringRef Argument) const {
  auto Found = ByArgument.find(Argument);
  return Found == ByArgument.end() ? nullptr : Found->second.Info;
}

const PassInfo *PassRegistry::lookupName(StringRef Name) const {
  return ByName.lookup(Name);
}

std::unique_ptr<Pass>
PassRegistry::create(const PassInfo &Info,
                     const PassOptionValues &Options) const {
  return ByArgument.find(Info.Argument)->second.Factory(Options);
}

const AnalysisInfo *PassRegistry::lookupAnalysis(StringRef Argument) const {
  auto Found = Analyses.find(Argument);
  return Found == Analyses.end() ? nullptr : &Found->second;
}

const ConfigOptionInfo *PassRegistry::lookupConfigOption(StringRef Name) const {
  return ConfigOptions.lookup(Name);
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
