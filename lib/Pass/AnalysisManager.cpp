//===- AnalysisManager.cpp - Cached analyses ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AnalysisManager.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/AnalysisManager.h"
#include "relay/Pass/PassContext.h"

using namespace relay;

AnalysisSetKey PreservedAnalyses::AllKey;

void PreservedAnalyses::intersect(const PreservedAnalyses &Other) {
  if (Preserved.contains(&AllKey)) {
    Preserved = Other.Preserved;
  } else if (!Other.Preserved.contains(&AllKey)) {
    SmallVector<void *, 8> Lost;
    for (void *Key : Preserved)
      if (!Other.Preserved.contains(Key))
        Lost.push_back(Key);
    for (void *Key : Lost)
      Preserved.erase(Key);
  }
  Abandoned.insert(Other.Abandoned.begin(), Other.Abandoned.end());
  for (AnalysisKey *Key : Abandoned)
    Preserved.erase(Key);
}

//===----------------------------------------------------------------------===//
// AnalysisCache
//===----------------------------------------------------------------------===//

AnalysisResult::~AnalysisResult() = default;

std::string relay::getAnalysisName(StringRef Name, StringRef Arguments) {
  return Arguments.empty() ? Name.str() : (Name + "<" + Arguments + ">").str();
}

std::string AnalysisCache::Entry::getFullName() const {
  return getAnalysisName(Name, Arguments);
}

AnalysisResult *AnalysisCache::lookup(AnalysisKey *Key, StringRef Arguments) {
  auto Is = [&](const Entry &E) {
    return E.Key == Key && E.Arguments == Arguments;
  };
  assert(llvm::none_of(InProgress, Is) && "an analysis asks for itself");
  auto Found = llvm::find_if(Entries, Is);
  if (Found == Entries.end())
    return nullptr;
  if (!InProgress.empty())
    InProgress.back().Dependencies.push_back(Key);
  return Found->Result.get();
}

void AnalysisCache::start(AnalysisKey *Key, StringRef Name,
                          std::string Arguments) {
  if (!InProgress.empty())
    InProgress.back().Dependencies.push_back(Key);
  InProgress.push_back({Key, Name, std::move(Arguments), nullptr, {}, {}});
}

AnalysisResult &AnalysisCache::finish(std::unique_ptr<AnalysisResult> Result) {
  Entries.push_back(InProgress.pop_back_val());
  Entries.back().Result = std::move(Result);
  return *Entries.back().Result;
}

void AnalysisCache::noteOuterUse(AnalysisKey *Key) {
  if (!InProgress.empty())
    InProgress.back().OuterDependencies.push_back(Key);
}

SmallVector<AnalysisCache::Entry, 0>
AnalysisCache::drop(function_ref<bool(Entry &)> IsStale) {
  assert(InProgress.empty() && "invalidation while analyses are computed");
  SmallVector<Entry, 0> Kept, Dropped;
  // What an entry depends on stands before it.
  for (Entry &E : Entries) {
    bool Stale = llvm::any_of(Dropped, [&](const Entry &Gone) {
      return llvm::is_contained(E.Dependencies, Gone.Key);
    });
    (Stale || IsStale(E) ? Dropped : Kept).push_back(std::move(E));
  }
  Entries = std::move(Kept);
  return Dropped;
}

//===----------------------------------------------------------------------===//
// AnalysisManager
//===----------------------------------------------------------------------===//

template <typename UnitT>
void AnalysisManager<UnitT>::drop(
    UnitT &Unit, AnalysisCache &Cache,
    function_ref<bool(AnalysisCache::Entry &)> IsStale) {
  if (Cache.empty())
    return;
  auto Dropped = Cache.drop(IsStale);
  if (Dropped.empty())
    return;
  SmallVector<AnalysisKey *, 4> Keys;
  for (AnalysisCache::Entry &E : Dropped) {
    PI.runAnalysisInvalidated(E.getFullName(), Unit);
    Keys.push_back(E.Key);
  }
  if constexpr (std::is_same_v<UnitT, Module>)
    if (Other)
      Other->invalidateDependents(Keys);
}

template <typename UnitT>
void AnalysisManager<UnitT>::invalidate(UnitT &Unit,
                                        const PreservedAnalyses &PA) {
  if (PA.areAllPreserved())
    return;
  auto Found = Caches.find(&Unit);
  if (Found != Caches.end())
    drop(Unit, *Found->second, [&](AnalysisCache::Entry &E) {
      return E.Result->invalidate(Unit, PA);
    });
}

template <typename UnitT>
void AnalysisManager<UnitT>::invalidate(UnitT &Unit, AnalysisKey *Key,
                                        std::optional<StringRef> Arguments) {
  auto Found = Caches.find(&Unit);
  if (Found != Caches.end())
    drop(Unit, *Found->second, [&](AnalysisCache::Entry &E) {
      return E.Key == Key && (!Arguments || E.Arguments == *Arguments);
    });
}

template <typename UnitT>
void AnalysisManager<UnitT>::invalidateDependents(
    ArrayRef<AnalysisKey *> OuterKeys) {
  for (auto &[Unit, Cache] : Caches)
    drop(*Unit, *Cache, [&](AnalysisCache::Entry &E) {
      return llvm::any_of(E.OuterDependencies, [&](AnalysisKey *Key) {
        return llvm::is_contained(OuterKeys, Key);
      });
    });
}

template <typename UnitT>
void AnalysisManager<UnitT>::clear(UnitT &Unit, StringRef Name) {
  if (Caches.erase(&Unit))
    PI.runAnalysesCleared(Name);
}

AnalysisManagers::AnalysisManagers(PassContext &Ctx)
    : AnalysisManagers(Ctx, &Ctx.getCallbacks()) {}

template class relay::AnalysisManager<Function>;
template class relay::AnalysisManager<Module>;

//===----------------------------------------------------------------------===//
// Proxies
//===----------------------------------------------------------------------===//

AnalysisKey FunctionAnalysisManagerModuleProxy::Key;
AnalysisKey ModuleAnalysisManagerFunctionProxy::Key;

FunctionAnalysisManagerModuleProxy::Result
FunctionAnalysisManagerModuleProxy::run(Module &, ModuleAnalysisManager &MAM) {
  return Result(*MAM.getOther());
}

bool FunctionAnalysisManagerModuleProxy::Result::invalidate(
    Module &M, const PreservedAnalyses &PA) {
  if (!PA.isPreserved(&Key, AllAnalysesOn<Module>::id())) {
    FAM->clear();
    return true;
  }
  if (!PA.allPreservedInSet<AllAnalysesOn<Function>>())
    for (Function &F : M.functions())
      FAM->invalidate(F, PA);
  return false;
}

ModuleAnalysisManagerFunctionProxy::Result
ModuleAnalysisManagerFunctionProxy::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  return Result(*FAM.getOther(), FAM.getCache(F));
}
