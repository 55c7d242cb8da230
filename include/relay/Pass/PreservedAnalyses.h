//===- PreservedAnalyses.h - Analyses that a pass preserves -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a pass: the analyses that are still valid. all() also states
// that nothing changed; then nothing is normalized, invalidated, printed or
// verified.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PRESERVEDANALYSES_H
#define RELAY_PASS_PRESERVEDANALYSES_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace relay {

/// The identity of an analysis is the address of its `static AnalysisKey Key`.
struct alignas(8) AnalysisKey {};

/// The identity of a set of analyses that can be preserved as one.
struct alignas(8) AnalysisSetKey {};

/// The set of all analyses of units of a kind. Function passes preserve it for
/// the module after they have invalidated results per function.
template <typename UnitT> struct AllAnalysesOn {
  static AnalysisSetKey *id() { return &Key; }

private:
  static AnalysisSetKey Key;
};
template <typename UnitT> AnalysisSetKey AllAnalysesOn<UnitT>::Key;

class PreservedAnalyses {
public:
  /// Everything changed.
  static PreservedAnalyses none() { return PreservedAnalyses(); }
  /// Nothing changed.
  static PreservedAnalyses all() {
    PreservedAnalyses PA;
    PA.Preserved.insert(&AllKey);
    return PA;
  }

  template <typename AnalysisT> PreservedAnalyses &preserve() {
    return preserve(&AnalysisT::Key);
  }
  PreservedAnalyses &preserve(AnalysisKey *Key) {
    Abandoned.erase(Key);
    if (!areAllPreserved())
      Preserved.insert(Key);
    return *this;
  }
  template <typename SetT> PreservedAnalyses &preserveSet() {
    if (!areAllPreserved())
      Preserved.insert(SetT::id());
    return *this;
  }
  /// Marks an analysis as not preserved, even if a preserved set contains it.
  template <typename AnalysisT> PreservedAnalyses &abandon() {
    return abandon(&AnalysisT::Key);
  }
  PreservedAnalyses &abandon(AnalysisKey *Key) {
    Preserved.erase(Key);
    Abandoned.insert(Key);
    return *this;
  }

  /// Keeps only analyses that \p Other preserves too.
  void intersect(const PreservedAnalyses &Other);

  /// Returns true if nothing changed.
  bool areAllPreserved() const {
    return Abandoned.empty() && Preserved.contains(&AllKey);
  }
  template <typename AnalysisT> bool isPreserved() const {
    return isPreserved(&AnalysisT::Key);
  }
  /// Returns true if \p Key is preserved, by itself or because all analyses
  /// are.
  bool isPreserved(AnalysisKey *Key) const {
    return !Abandoned.contains(Key) &&
           (Preserved.contains(&AllKey) || Preserved.contains(Key));
  }
  /// Returns true if \p Key, of the set \p Set, is preserved by itself or by
  /// the set.
  bool isPreserved(AnalysisKey *Key, AnalysisSetKey *Set) const {
    return isPreserved(Key) ||
           (!Abandoned.contains(Key) && Preserved.contains(Set));
  }
  template <typename SetT> bool allPreservedInSet() const {
    return Abandoned.empty() &&
           (Preserved.contains(&AllKey) || Preserved.contains(SetT::id()));
  }

private:
  static AnalysisSetKey AllKey;

  llvm::SmallPtrSet<void *, 2> Preserved;
  llvm::SmallPtrSet<AnalysisKey *, 2> Abandoned;
};

} // namespace relay

#endif // RELAY_PASS_PRESERVEDANALYSES_H
