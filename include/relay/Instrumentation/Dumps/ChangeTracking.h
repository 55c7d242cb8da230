//===- ChangeTracking.h - Changes of each pass ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Determines which functions a pass changed, added and removed, and whether it
// changed type definitions or attributes of the module, and notifies listeners:
// -print-changed, reports. A pass that reports no change is not checked;
// otherwise fingerprints of functions are compared. Fingerprints and texts are
// kept from pass to pass, so that a pass over one function costs nothing for
// the others.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_CHANGETRACKING_H
#define RELAY_INSTRUMENTATION_DUMPS_CHANGETRACKING_H

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <mutex>
#include <string>

namespace relay {

class StableNumbers;

/// The dump of a function; null if there is none.
using FunctionText = std::shared_ptr<const std::string>;
/// Prints \p F; numbers values by \p Numbers if that is not null.
FunctionText getFunctionText(Function &F, StableNumbers *Numbers = nullptr);

/// Prints the type definitions and attributes of \p M.
FunctionText getDefinitionsText(Module &M);

/// The change of one function, or of the definitions of the module.
struct FunctionChange {
  enum class Kind : uint8_t {
    Changed,
    Added,
    Removed,
    Definitions ///< type definitions or attributes of the module changed
  };
  Kind K;
  StringRef Name; ///< without `@`; interned; Definitions: of the module
  Function *F;    ///< null: Removed, Definitions
  /// Before is set for Changed and Removed, After for Changed and Added; only
  /// if texts are kept. Both are always set for Definitions.
  FunctionText Before, After;
};

/// Returns the change of Definitions from \p Before to \p After.
FunctionChange makeDefinitionsChange(FunctionText Before, FunctionText After);

class ChangeTracker {
public:
  /// Called after \p Run with its changes: definitions, then functions in
  /// module order, removed ones last; not called for a run without changes.
  /// Called on the thread of the pass.
  using ChangeFn =
      std::function<void(const PassRun &Run, ArrayRef<FunctionChange>)>;

  void addListener(ChangeFn C) { Listeners.push_back(std::move(C)); }
  /// How functions are numbered in texts.
  enum class Numbering : uint8_t {
    OfDumps, ///< from %0 in the order of the text
    Stable   ///< a value keeps its number (StableNumbers)
  };
  /// Makes changes hold the texts of functions.
  void keepTexts(Numbering N) {
    KeepsTexts = true;
    IsStable = N == Numbering::Stable;
  }
  /// As above; \p P prints the texts.
  using PrintFn = std::function<void(Function &, raw_ostream &)>;
  void keepTexts(PrintFn P) {
    keepTexts(Numbering::OfDumps);
    Print = std::move(P);
  }
  /// Restricts notifications to passes for which \p Wanted returns true. By
  /// default all passes except groups are tracked.
  void setFilter(std::function<bool(const Pass &)> Wanted) {
    IsWanted = std::move(Wanted);
  }

  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  struct State {
    bool IsCurrent = false; ///< false: outdated
    uint64_t Fingerprint = 0;
    FunctionText Text;
    std::shared_ptr<StableNumbers> Numbers; ///< null if not stable
  };
  /// The state of each function of a module, in order, and of the definitions.
  struct Snapshot {
    std::vector<std::pair<StringRef, State>> Functions;
    FunctionText Definitions;
  };

  bool isTracked(const Pass &P) const;
  State &getState(StringRef Name);
  const State &update(Function &F);
  void invalidate(IRUnit Unit);
  void invalidateChanged(const PassRun &Run);
  Snapshot takeSnapshot(Module &M);
  FunctionText makeText(Function &F, State &S) const;
  static std::vector<FunctionChange>
  compare(const Snapshot &Old, const Snapshot &New, const Module &M);
  void before(const PassRun &Run);
  std::vector<FunctionChange> findChanges(Function &F);
  std::vector<FunctionChange> findChanges(const PassRun &Run, Module &M);
  void after(const PassRun &Run);

  std::vector<ChangeFn> Listeners;
  std::function<bool(const Pass &)> IsWanted;
  PrintFn Print; ///< null: as in dumps
  bool KeepsTexts = false, IsStable = false;
  /// Guards States, but not its elements: only one thread uses a function at a
  /// time.
  std::mutex Mutex;
  /// By name, since a pass may replace a function by a new one.
  llvm::StringMap<State> States;
  /// The definitions of the module; null if they are outdated.
  FunctionText Definitions;
  /// The state before each run on the module.
  StateMap<Snapshot> Snapshots;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_CHANGETRACKING_H
