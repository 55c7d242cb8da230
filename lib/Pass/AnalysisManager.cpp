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

const AnalysisCache::Entry *AnalysisCache::find(AnalysisKey *Key,
                                                StringRef Arguments) const {
  auto Is = [&](const Entry &E) {
    return E.Key == Key && E.Arguments == Arguments;
  };
  assert(llvm::none_of(InProgress, Is) && "an analysis asks for itself");
  auto Found = llvm::find_if(Entries, Is);
  return Found == Entries.end() ? nullptr : &*Found;
}

AnalysisResult *AnalysisCache::lookup(AnalysisKey *Key, StringRef Arguments) {
  const Entry *Found = find(Key, Arguments);
  if (!Found)
    return nullptr;
  if (!InProgress.empty())
    InProgress.back().Dependencies.push_back(Key);
  return Found->Result.get();
}

bool AnalysisCache::holds(uint64_t Serial) const {
  return llvm::any_of(
      Entries, [&](const Entry &E) { return E.Result->Serial == Serial; });
}

bool AnalysisCache::holdsInFunctions(const Entry &E, Module &M,
                                     const PreservedAnalyses *PA) const {
  SmallVector<AnalysisKey *, 4> Needed = {E.Key};
  // The dependencies of an entry precede it.
  for (size_t I = &E - Entries.begin() + 1; I != 0; --I) {
    const Entry &Each = Entries[I - 1];
    if (&Each != &E && !llvm::is_contained(Needed, Each.Key))
      continue;
    if (!Each.InnerDependencies.empty() ||
        Each.Key == &FunctionAnalysisManagerModuleProxy::Key)
      return false;
    if (PA && Each.Result->invalidate(M, *PA))
      return false;
    Needed.append(Each.Dependencies);
  }
  return true;
}

void AnalysisCache::start(AnalysisKey *Key, StringRef Name,
                          std::string Arguments) {
  if (!InProgress.empty())
    InProgress.back().Dependencies.push_back(Key);
  InProgress.push_back({Key, Name, std::move(Arguments), nullptr, {}, {}, {}});
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

void AnalysisCache::noteInnerUse(const Function *F, uint64_t Serial) {
  if (!InProgress.empty())
    InProgress.back().InnerDependencies.push_back({F, Serial});
}

SmallVector<AnalysisCache::DroppedEntry, 0>
AnalysisCache::drop(function_ref<bool(Entry &)> IsStale) {
  assert(InProgress.empty() && "invalidation while analyses are computed");
  SmallVector<Entry, 0> Kept;
  SmallVector<DroppedEntry, 0> Dropped;
  // The dependencies of an entry precede it.
  for (Entry &E : Entries) {
    auto Because = llvm::find_if(Dropped, [&](const DroppedEntry &Gone) {
      return llvm::is_contained(E.Dependencies, Gone.Which.Key);
    });
    if (IsStale(E))
      Dropped.push_back({std::move(E), nullptr});
    else if (Because != Dropped.end())
      Dropped.push_back({std::move(E), Because->Which.Key});
    else
      Kept.push_back(std::move(E));
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
  for (auto &[E, Because] : Dropped) {
    auto Reason = llvm::find_if(
        Dropped, [Key = Because](const auto &D) { return D.Which.Key == Key; });
    PI.runAnalysisInvalidated(
        E.getFullName(), Unit,
        Reason == Dropped.end() ? "" : Reason->Which.getFullName());
    Keys.push_back(E.Key);
  }
  if constexpr (std::is_same_v<UnitT, Module>) {
    if (Other)
      Other->invalidateDependents(Keys);
  } else {
    ++NumDrops;
  }
}

template <typename UnitT>
void AnalysisManager<UnitT>::noteUse(UnitT &Unit,
                                     const AnalysisResult &Result) {
  if constexpr (std::is_same_v<UnitT, Function>)
    if (Other && Other->NumComputing && Unit.getModule())
      Other->getCache(*Unit.getModule()).noteInnerUse(&Unit, Result.Serial);
}

template <typename UnitT>
bool AnalysisManager<UnitT>::holds(const UnitT *Unit, uint64_t Serial) const {
  auto Found = Caches.find(const_cast<UnitT *>(Unit));
  return Found != Caches.end() && Found->second->holds(Serial);
}

template <typename UnitT> void AnalysisManager<UnitT>::dropStale(UnitT &Unit) {
  if constexpr (std::is_same_v<UnitT, Module>) {
    if (!Other || NumComputing)
      return;
    auto Found = Caches.find(&Unit);
    if (Found != Caches.end() && Found->second->noteInnerDrops(Other->NumDrops))
      drop(Unit, *Found->second, [&](AnalysisCache::Entry &E) {
        return llvm::any_of(E.InnerDependencies, [&](const auto &D) {
          return !Other->holds(D.first, D.second);
        });
      });
  }
}

/// Returns true if \p E depends on results of the outer unit that \p PA does
/// not preserve and that are invalidated later.
static bool usesLost(const AnalysisCache::Entry &E,
                     const PreservedAnalyses &PA) {
  return llvm::any_of(E.OuterDependencies, [&](AnalysisKey *Key) {
    return !PA.isPreserved(Key, AllAnalysesOn<Module>::id());
  });
}

template <typename UnitT>
void AnalysisManager<UnitT>::invalidate(UnitT &Unit,
                                        const PreservedAnalyses &PA) {
  dropStale(Unit);
  if (PA.areAllPreserved())
    return;
  auto Found = Caches.find(&Unit);
  if (Found != Caches.end())
    drop(Unit, *Found->second, [&](AnalysisCache::Entry &E) {
      return E.Result->invalidate(Unit, PA) || usesLost(E, PA);
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
  if (!Caches.erase(&Unit))
    return;
  ++NumDrops;
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
