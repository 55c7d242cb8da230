//===- AnalysisManager.h - Cached analyses ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes analyses on request and caches them until a pass runs that does not
// preserve them. An analysis is a class:
//
//   struct PurityAnalysis {
//     using Result = Purity;
//     static AnalysisKey Key;
//     static StringRef name() { return "PurityAnalysis"; }
//     Result run(Module &M, ModuleAnalysisManager &AM);
//   };
//
// An analysis reads the PassContext by AM.getPassContext(). An analysis that
// may fail returns FailureOr<Result>, after a diagnostic; getResult() then
// returns a FailureOr too, which stops the requesting pass. An analysis with
// arguments is an object with `std::string getArguments() const`, which returns
// their text; results are cached for each text (docs/AddingAnAnalysis.md).
//
// A result with `bool invalidate(UnitT &, const PreservedAnalyses &)` decides
// on its own invalidation; other results are invalidated unless preserved.
// Analyses requested during a computation are recorded: the result is
// invalidated together with them. The result of a module is also invalidated
// together with the results of functions that it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_ANALYSISMANAGER_H
#define RELAY_PASS_ANALYSISMANAGER_H

#include "relay/Pass/PassInstrumentation.h"
#include "llvm/ADT/MapVector.h"
#include <atomic>
#include <memory>
#include <optional>
#include <type_traits>

namespace relay {

class PassContext;
template <typename UnitT> class AnalysisManager;
using FunctionAnalysisManager = AnalysisManager<Function>;
using ModuleAnalysisManager = AnalysisManager<Module>;

//===----------------------------------------------------------------------===//
// The results of one unit
//===----------------------------------------------------------------------===//

/// A result without its type.
class AnalysisResult {
public:
  virtual ~AnalysisResult();
  /// Returns true if the result no longer holds.
  virtual bool invalidate(IRUnit Unit, const PreservedAnalyses &PA) = 0;

  /// Unique among the results that one manager computes.
  uint64_t Serial = 0;
};

/// `CountLayersAnalysis<nn.dense>`, or without arguments the name.
std::string getAnalysisName(StringRef Name, StringRef Arguments);

/// Results of one unit, in the order in which they were computed.
class AnalysisCache {
public:
  struct Entry {
    /// Returns the name with arguments, as callbacks receive it.
    std::string getFullName() const;

    AnalysisKey *Key;
    StringRef Name;
    std::string Arguments; ///< as text; mostly empty
    std::unique_ptr<AnalysisResult> Result;
    /// Analyses that the result depends on: of this unit, and of the outer
    /// unit.
    SmallVector<AnalysisKey *, 2> Dependencies, OuterDependencies;
    /// The results of functions that the result depends on: functions, which
    /// may have been erased, and serials.
    SmallVector<std::pair<const Function *, uint64_t>, 0> InnerDependencies;
  };
  /// A removed entry, and the key of the analysis whose invalidation caused the
  /// removal; null if the entry itself was invalidated.
  struct DroppedEntry {
    Entry Which;
    AnalysisKey *Because;
  };

  bool empty() const { return Entries.empty(); }
  ArrayRef<Entry> entries() const { return Entries; }
  /// Returns the result of \p Key for \p Arguments, or null. Records it as a
  /// dependency of the analysis being computed.
  AnalysisResult *lookup(AnalysisKey *Key, StringRef Arguments);
  /// Returns the entry of the result, or null. Changes nothing.
  const Entry *find(AnalysisKey *Key, StringRef Arguments) const;
  /// Starts the computation of \p Key; lookups until finish() or abandon() are
  /// recorded as its dependencies.
  void start(AnalysisKey *Key, StringRef Name, std::string Arguments);
  AnalysisResult &finish(std::unique_ptr<AnalysisResult> Result);
  /// Ends a computation that failed.
  void abandon() { InProgress.pop_back(); }
  /// Records that the analysis being computed uses \p Key of the outer unit.
  void noteOuterUse(AnalysisKey *Key);
  /// Records that the analysis being computed uses a result of \p F.
  void noteInnerUse(const Function *F, uint64_t Serial);
  bool holds(uint64_t Serial) const;
  /// Returns true if \p E, of module \p M, and its dependencies hold where
  /// passes on a function have preserved \p PA (null for all), and no result of
  /// a function is among them.
  bool holdsInFunctions(const Entry &E, Module &M,
                        const PreservedAnalyses *PA) const;
  /// Returns true if results of functions have been dropped since the last
  /// call; \p NumDrops is their total number.
  bool noteInnerDrops(uint64_t NumDrops) {
    return std::exchange(NumInnerDrops, NumDrops) != NumDrops;
  }
  /// Removes the entries for which \p IsStale is true, and their dependents.
  SmallVector<DroppedEntry, 0> drop(function_ref<bool(Entry &)> IsStale);

  /// Sets the analyses of the module that passes on this function have
  /// preserved, before the module is invalidated; null for all. \p PA must live
  /// until the next call.
  void setPreservedOutside(const PreservedAnalyses *PA) {
    PreservedOutside = PA;
  }
  const PreservedAnalyses *getPreservedOutside() const {
    return PreservedOutside;
  }

private:
  // Finished entries, and entries being computed, innermost last.
  SmallVector<Entry, 0> Entries, InProgress;
  uint64_t NumInnerDrops = 0;
  const PreservedAnalyses *PreservedOutside = nullptr;
};

//===----------------------------------------------------------------------===//
// Analysis managers
//===----------------------------------------------------------------------===//

namespace detail {

template <typename ResultT, typename UnitT, typename = void>
struct HasInvalidate : std::false_type {};
template <typename ResultT, typename UnitT>
struct HasInvalidate<
    ResultT, UnitT,
    std::void_t<decltype(std::declval<ResultT &>().invalidate(
        std::declval<UnitT &>(), std::declval<const PreservedAnalyses &>()))>>
    : std::true_type {};

template <typename AnalysisT, typename = void>
struct HasArguments : std::false_type {};
template <typename AnalysisT>
struct HasArguments<
    AnalysisT,
    std::void_t<decltype(std::declval<const AnalysisT &>().getArguments())>>
    : std::true_type {};

template <typename AnalysisT> std::string getArguments(const AnalysisT &A) {
  if constexpr (HasArguments<AnalysisT>::value)
    return A.getArguments();
  else
    return {};
}

/// True if \p AnalysisT may fail on \p UnitT.
template <typename AnalysisT, typename UnitT>
constexpr bool MayFail =
    !std::is_same_v<decltype(std::declval<AnalysisT &>().run(
                        std::declval<UnitT &>(),
                        std::declval<AnalysisManager<UnitT> &>())),
                    typename AnalysisT::Result>;

/// The return type of getResult().
template <typename AnalysisT, typename UnitT>
using ResultOrFailure =
    std::conditional_t<MayFail<AnalysisT, UnitT>,
                       FailureOr<typename AnalysisT::Result *>,
                       typename AnalysisT::Result &>;

template <typename AnalysisT, typename UnitT>
class AnalysisResultOf final : public AnalysisResult {
public:
  using ResultT = typename AnalysisT::Result;
  explicit AnalysisResultOf(ResultT Result) : Result(std::move(Result)) {}

  bool invalidate(IRUnit Unit, const PreservedAnalyses &PA) override {
    if constexpr (HasInvalidate<ResultT, UnitT>::value)
      return Result.invalidate(Unit.getAs<UnitT>(), PA);
    else
      return !PA.isPreserved(&AnalysisT::Key, AllAnalysesOn<UnitT>::id());
  }

  ResultT Result;
};

} // namespace detail

template <typename UnitT> class AnalysisManager {
public:
  AnalysisManager(PassContext &Ctx, const PassInstrumentationCallbacks *PIC)
      : Ctx(Ctx), PI(PIC) {}
  AnalysisManager(const AnalysisManager &) = delete;
  AnalysisManager &operator=(const AnalysisManager &) = delete;

  /// The context of the requesting passes.
  PassContext &getPassContext() const { return Ctx; }

  /// Returns the result of \p A for \p Unit and computes it if it is not
  /// cached: a reference or, if the analysis may fail, a FailureOr of a
  /// pointer.
  template <typename AnalysisT>
  detail::ResultOrFailure<AnalysisT, UnitT> getResult(UnitT &Unit,
                                                      AnalysisT A = {}) {
    dropStale(Unit);
    AnalysisCache &Cache = getCache(Unit);
    std::string Arguments = detail::getArguments(A);
    AnalysisResult *Result = Cache.lookup(&AnalysisT::Key, Arguments);
    if (!Result)
      Result = compute(Unit, A, std::move(Arguments), Cache);
    if (Result)
      noteUse(Unit, *Result);
    if constexpr (!detail::MayFail<AnalysisT, UnitT>)
      return getAs<AnalysisT>(*Result);
    else if (!Result)
      return failure();
    else
      return &getAs<AnalysisT>(*Result);
  }

  /// Returns the cached result, or null.
  template <typename AnalysisT>
  typename AnalysisT::Result *getCachedResult(UnitT &Unit,
                                              const AnalysisT &A = {}) {
    dropStale(Unit);
    auto Found = Caches.find(&Unit);
    if (Found == Caches.end())
      return nullptr;
    AnalysisResult *Known =
        Found->second->lookup(&AnalysisT::Key, detail::getArguments(A));
    if (!Known)
      return nullptr;
    noteUse(Unit, *Known);
    return &getAs<AnalysisT>(*Known);
  }
  /// Returns the result if it is valid for function passes on the function of
  /// \p Cache: passes on that function have preserved it and its dependencies,
  /// and it does not depend on results of functions, which may be invalidated
  /// concurrently. Returns null otherwise. Thread-safe.
  template <typename AnalysisT>
  const typename AnalysisT::Result *getResultFor(const AnalysisCache &Cache,
                                                 UnitT &Unit) const {
    auto Found = Caches.find(&Unit);
    if (Found == Caches.end())
      return nullptr;
    const AnalysisCache::Entry *E =
        Found->second->find(&AnalysisT::Key, detail::getArguments(AnalysisT()));
    if (!E ||
        !Found->second->holdsInFunctions(*E, Unit, Cache.getPreservedOutside()))
      return nullptr;
    return &getAs<AnalysisT>(*E->Result);
  }

  /// For function passes: returns the result of \p AnalysisT for the module of
  /// \p Unit, as ModuleAnalysisManagerFunctionProxy does, without creating the
  /// proxy. Records no dependency, since passes have none.
  template <typename AnalysisT>
  const typename AnalysisT::Result *getModuleResult(UnitT &Unit) {
    static_assert(std::is_same_v<UnitT, Function>);
    return Other->template getResultFor<AnalysisT>(getCache(Unit),
                                                   *Unit.getModule());
  }

  /// Drops the results of \p Unit that \p PA does not preserve.
  void invalidate(UnitT &Unit, const PreservedAnalyses &PA);
  /// Drops the results of \p Key, or only the one for \p Arguments, and their
  /// dependents.
  void invalidate(UnitT &Unit, AnalysisKey *Key,
                  std::optional<StringRef> Arguments = std::nullopt);
  /// Drops the results of functions that were computed from \p OuterKeys.
  void invalidateDependents(ArrayRef<AnalysisKey *> OuterKeys);
  /// Drops the results of \p Unit, a module, that depend on dropped results of
  /// functions. Requests for results do so too.
  void dropStale(UnitT &Unit);
  /// Drops all results of \p Unit, which may be about to be erased.
  void clear(UnitT &Unit, StringRef Name);
  /// Drops all results of all units, which may have been erased.
  void clear() {
    Caches.clear();
    ++NumDrops;
  }

  /// Returns the results of \p Unit; creates an empty cache if there is none.
  AnalysisCache &getCache(UnitT &Unit) {
    std::unique_ptr<AnalysisCache> &Cache = Caches[&Unit];
    if (!Cache)
      Cache = std::make_unique<AnalysisCache>();
    return *Cache;
  }

  /// The manager for functions of a manager for modules, and vice versa;
  /// reached through the proxies below.
  AnalysisManager<
      std::conditional_t<std::is_same_v<UnitT, Module>, Function, Module>> *
  getOther() const {
    return Other;
  }

private:
  friend class AnalysisManagers;

  template <typename AnalysisT>
  static typename AnalysisT::Result &getAs(AnalysisResult &R) {
    return static_cast<detail::AnalysisResultOf<AnalysisT, UnitT> &>(R).Result;
  }
  /// Computes \p A; returns null after failure.
  template <typename AnalysisT>
  AnalysisResult *compute(UnitT &Unit, AnalysisT &A, std::string Arguments,
                          AnalysisCache &Cache) {
    std::string Name = getAnalysisName(AnalysisT::name(), Arguments);
    PI.runBeforeAnalysis(Name, Unit);
    Cache.start(&AnalysisT::Key, AnalysisT::name(), std::move(Arguments));
    ++NumComputing;
    auto Result = A.run(Unit, *this);
    --NumComputing;
    if constexpr (detail::MayFail<AnalysisT, UnitT>)
      if (failed(Result)) {
        Cache.abandon();
        PI.runAnalysisFailed(Name, Unit);
        return nullptr;
      }
    auto Take = [&]() -> typename AnalysisT::Result && {
      if constexpr (detail::MayFail<AnalysisT, UnitT>)
        return std::move(*Result);
      else
        return std::move(Result);
    };
    AnalysisResult &Kept = Cache.finish(
        std::make_unique<detail::AnalysisResultOf<AnalysisT, UnitT>>(Take()));
    Kept.Serial = ++NumComputed;
    PI.runAfterAnalysis(Name, Unit);
    return &Kept;
  }
  /// Drops stale entries of \p Cache and notifies callbacks and inner units.
  void drop(UnitT &Unit, AnalysisCache &Cache,
            function_ref<bool(AnalysisCache::Entry &)> IsStale);
  /// Records that the module analysis being computed depends on \p Result, of a
  /// function.
  void noteUse(UnitT &Unit, const AnalysisResult &Result);
  bool holds(const UnitT *Unit, uint64_t Serial) const;

  PassContext &Ctx;
  PassInstrumentation PI;
  /// In the order in which results of units were first requested.
  llvm::MapVector<UnitT *, std::unique_ptr<AnalysisCache>> Caches;
  AnalysisManager<std::conditional_t<std::is_same_v<UnitT, Module>, Function,
                                     Module>> *Other = nullptr;
  template <typename> friend class AnalysisManager;
  /// The number of analyses being computed. Function passes, which may run on
  /// several threads, never run while an analysis of a module is computed.
  std::atomic<unsigned> NumComputing{0};
  std::atomic<uint64_t> NumComputed{0};
  /// How often results were dropped that results of a module may depend on.
  std::atomic<uint64_t> NumDrops{0};
};

extern template class AnalysisManager<Function>;
extern template class AnalysisManager<Module>;

/// Computes \p AnalysisT of \p M unless it is cached: a ModuleAnalysisFn, for
/// PassInfo::ModuleAnalyses.
template <typename AnalysisT>
LogicalResult computeModuleAnalysis(Module &M, ModuleAnalysisManager &AM) {
  if constexpr (detail::MayFail<AnalysisT, Module>) {
    return AM.getResult<AnalysisT>(M);
  } else {
    AM.getResult<AnalysisT>(M);
    return success();
  }
}

/// The managers for modules and for functions of a run, linked to each other.
class AnalysisManagers {
public:
  /// Creates managers whose analyses read \p Ctx and that notify its callbacks.
  explicit AnalysisManagers(PassContext &Ctx);
  /// Creates managers that notify \p PIC; no callbacks if that is null.
  AnalysisManagers(PassContext &Ctx, const PassInstrumentationCallbacks *PIC)
      : Functions(Ctx, PIC), Modules(Ctx, PIC) {
    Functions.Other = &Modules;
    Modules.Other = &Functions;
  }

  FunctionAnalysisManager Functions;
  ModuleAnalysisManager Modules;
};

//===----------------------------------------------------------------------===//
// Proxies
//===----------------------------------------------------------------------===//

/// Gives module passes and analyses the results of functions. While a module
/// pass preserves the proxy, results of functions are invalidated one by one;
/// otherwise all are dropped. Passes that add or remove functions must not
/// preserve it.
struct FunctionAnalysisManagerModuleProxy {
  class Result {
  public:
    explicit Result(FunctionAnalysisManager &FAM) : FAM(&FAM) {}
    FunctionAnalysisManager &getManager() const { return *FAM; }
    bool invalidate(Module &M, const PreservedAnalyses &PA);

  private:
    FunctionAnalysisManager *FAM;
  };
  static AnalysisKey Key;
  static StringRef name() { return "FunctionAnalysisManagerModuleProxy"; }
  Result run(Module &M, ModuleAnalysisManager &MAM);
};

/// Gives function passes and analyses access to cached results of the module.
/// Only results are returned that are valid for the function after the passes
/// that have run on it, and that do not depend on results of functions. The
/// result of a function that uses one is invalidated together with it.
struct ModuleAnalysisManagerFunctionProxy {
  class Result {
  public:
    Result(ModuleAnalysisManager &MAM, AnalysisCache &Cache)
        : MAM(&MAM), Cache(&Cache) {}
    template <typename AnalysisT>
    const typename AnalysisT::Result *getCachedResult(Module &M) const {
      Cache->noteOuterUse(&AnalysisT::Key);
      return MAM->getResultFor<AnalysisT>(*Cache, M);
    }
    bool invalidate(Function &, const PreservedAnalyses &) { return false; }

  private:
    ModuleAnalysisManager *MAM;
    AnalysisCache *Cache;
  };
  static AnalysisKey Key;
  static StringRef name() { return "ModuleAnalysisManagerFunctionProxy"; }
  Result run(Function &F, FunctionAnalysisManager &FAM);
};

} // namespace relay

#endif // RELAY_PASS_ANALYSISMANAGER_H
