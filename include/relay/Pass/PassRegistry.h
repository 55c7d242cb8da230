//===- PassRegistry.h - What pipelines can name -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes, analyses and config options that pipeline text, `requires` and
// options can name. Filled explicitly (registerAllPasses, plugins); it outlives
// what is made of it. Entries are closures, and the registry copies what it is
// told about them, so that a program can add what it makes up as it runs.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSREGISTRY_H
#define RELAY_PASS_PASSREGISTRY_H

#include "relay/Pass/Pass.h"
#include "relay/Pass/PassConfig.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <functional>

namespace relay {

/// Makes the pass of checked options. The PassInfo is the registry's own, which
/// lives as long as the pass.
using PassFactory = std::function<std::unique_ptr<Pass>(
    const PassInfo &, const PassOptionValues &)>;

/// An analysis by the name that `require<…>`, `invalidate<…>` and `print<…>`
/// take.
struct AnalysisInfo {
  StringRef Argument; ///< `op-counts`
  StringRef Name;     ///< of the class, as callbacks hear it
  PassUnit Unit;
  AnalysisKey *Key;
  /// Computes the result and, given a stream, prints it. The one of its unit is
  /// set.
  std::function<void(Module &, ModuleAnalysisManager &, raw_ostream *)>
      GetOnModule;
  std::function<void(Function &, FunctionAnalysisManager &, raw_ostream *)>
      GetOnFunction;
};

class PassRegistry {
public:
  PassRegistry() = default;
  PassRegistry(const PassRegistry &) = delete;

  /// Adds a pass. Refused when its name or argument is taken.
  bool registerPass(const PassInfo &Info, PassFactory Factory);
  /// Adds \p AnalysisT under the name \p Argument; its result has
  /// `void print(raw_ostream &) const`.
  template <typename UnitT, typename AnalysisT>
  bool registerAnalysis(StringRef Argument);
  /// Adds an option of the PassContext.
  bool registerConfigOption(const PassOptionInfo &Info);
  /// Makes \p Name, a pass of TVM's that need not be here, known to
  /// -disable-pass and -required-pass.
  void addReferenceName(StringRef Name) {
    ReferenceNames.push_back(Strings.save(Name));
  }

  /// The pass with this argument; or with this name; or null.
  const PassInfo *lookupArgument(StringRef Argument) const;
  const PassInfo *lookupName(StringRef Name) const;
  /// The pass \p Info, which is registered, with these options.
  std::unique_ptr<Pass> create(const PassInfo &Info,
                               const PassOptionValues &Options = {}) const;
  const AnalysisInfo *lookupAnalysis(StringRef Argument) const;
  const PassOptionInfo *lookupConfigOption(StringRef Name) const;
  bool isReferenceName(StringRef Name) const {
    return llvm::is_contained(ReferenceNames, Name);
  }

  /// Registered passes, and analyses, in the order of their arguments.
  SmallVector<const PassInfo *> getPasses() const;
  SmallVector<const AnalysisInfo *> getAnalyses() const;
  /// Names, sorted, for suggestions.
  SmallVector<StringRef> getArguments() const;
  SmallVector<StringRef> getNames() const;
  SmallVector<StringRef> getAnalysisArguments() const;
  SmallVector<StringRef> getConfigNames() const;

private:
  bool addAnalysis(AnalysisInfo Info);
  template <typename T> ArrayRef<T> own(ArrayRef<T> List);
  StringRef own(StringRef Text) { return Strings.save(Text); }
  PassOptionInfo own(const PassOptionInfo &Info);
  PassStatisticInfo own(const PassStatisticInfo &Info);
  PassInfo own(const PassInfo &Info);

  struct Entry {
    PassInfo Info;
    PassFactory Factory;
  };
  /// Holds what entries refer to.
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Strings{Memory};
  llvm::StringMap<Entry> ByArgument;
  llvm::StringMap<const PassInfo *> ByName;
  llvm::StringMap<AnalysisInfo> Analyses;
  llvm::StringMap<PassOptionInfo> ConfigOptions;
  SmallVector<StringRef, 0> ReferenceNames;
};

template <typename UnitT, typename AnalysisT>
bool PassRegistry::registerAnalysis(StringRef Argument) {
  auto Get = [](UnitT &Unit, AnalysisManager<UnitT> &AM, raw_ostream *OS) {
    const auto &Result = AM.template getResult<AnalysisT>(Unit);
    if (OS)
      Result.print(*OS);
  };
  if constexpr (std::is_same_v<UnitT, Module>)
    return addAnalysis({Argument,
                        AnalysisT::name(),
                        PassUnit::Module,
                        &AnalysisT::Key,
                        Get,
                        {}});
  else
    return addAnalysis({Argument,
                        AnalysisT::name(),
                        PassUnit::Function,
                        &AnalysisT::Key,
                        {},
                        Get});
}

} // namespace relay

#endif // RELAY_PASS_PASSREGISTRY_H
