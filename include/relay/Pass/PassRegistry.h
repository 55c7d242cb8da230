//===- PassRegistry.h - Names in pipelines ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes, groups, pipelines, analyses, extension points, config options and
// targets that pipeline text, `requires` and options can name. The parser,
// listings, completion and dumps use no other names. The registry is filled
// explicitly (registerAllPasses, plugins) and outlives the objects created from
// it. Entries are closures, and the registry copies their descriptions, so that
// a program can add entries at run time.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSREGISTRY_H
#define RELAY_PASS_PASSREGISTRY_H

#include "relay/Pass/Pass.h"
#include "relay/Pass/PassConfig.h"
#include "relay/Pass/Target.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <functional>

namespace relay {

/// Creates the pass from checked options. The PassInfo belongs to the registry
/// and outlives the pass.
using PassFactory = std::function<std::unique_ptr<Pass>(
    const PassInfo &, const PassOptionValues &)>;

/// An analysis with the name that `require<…>`, `invalidate<…>` and `print<…>`
/// accept.
struct AnalysisInfo {
  StringRef Argument; ///< `op-counts`
  StringRef Name;     ///< of the class, as in callbacks
  PassUnit Unit;
  AnalysisKey *Key;
  /// The options for the arguments of the analysis: `count-layers<nn.dense>`.
  ArrayRef<PassOptionInfo> Options;
  /// Computes the result and, if the stream is not null, prints it. One of the
  /// two members is set, according to the unit. Failure has been reported.
  std::function<LogicalResult(Module &, ModuleAnalysisManager &,
                              const PassOptionValues &, raw_ostream *)>
      GetOnModule;
  std::function<LogicalResult(Function &, FunctionAnalysisManager &,
                              const PassOptionValues &, raw_ostream *)>
      GetOnFunction;
};

/// The pass that `require<…>`, `invalidate<…>` or `print<…>` creates for an
/// analysis.
struct AnalysisPassInfo {
  StringRef Argument, Summary;
  std::function<std::unique_ptr<Pass>(const AnalysisInfo &,
                                      const PassOptionValues &Arguments)>
      Factory;
};

/// How a group runs its members.
enum class GroupRule : uint8_t {
  FunctionPasses, ///< only function passes; the group runs them itself
  Gated,          ///< members obey opt levels and required passes
  AsAround,       ///< members run as if they replaced the group
};

using GroupFactory = std::function<std::unique_ptr<Pass>(
    const PassInfo &, const PassOptionValues &, PassList Members)>;

/// `repeat` of `repeat<3>(a,b)`.
struct GroupInfo {
  PassInfo Info;
  GroupRule Rule;
  GroupFactory Factory;
};

/// A named pipeline: a gated group with the members of \p Text, in which
/// `$name` stands for the value of an option.
struct PipelineInfo {
  PassInfo Info; ///< its argument may have a parameter, `default<O2>`
  StringRef Text;
};

/// A C++ function that decides about the matches of patterns that name it.
struct PatternCheck {
  StringRef Name;
  bool (*Accepts)(const Operation &Root);
};

/// The pattern table of a target, in the format of -match-file.
struct PatternTableInfo {
  StringRef Target, File, Text;
  ArrayRef<PatternCheck> Checks;
};

/// A position in pipelines, `extension<before-fusion>`, for passes of plugins.
struct ExtensionPoint {
  StringRef Name, Description;
  bool IsDeclared = false;
  /// Pipelines to run at the point, in the order of registration.
  SmallVector<StringRef, 1> Texts;
};

class PassRegistry {
public:
  /// The name of extension points in pipeline text.
  static constexpr StringLiteral ExtensionArgument = "extension";

  /// Creates a registry with the predefined groups and analysis passes.
  PassRegistry();
  PassRegistry(const PassRegistry &) = delete;

  // A registration under a name that is taken is refused: it returns false and
  // adds an entry to getRefusedRegistrations(). Passes, pipelines and groups
  // share one name space.

  /// Adds a pass.
  bool registerPass(const PassInfo &Info, PassFactory Factory);
  /// Adds a pass without a copy: \p Info outlives the registry.
  bool registerStaticPass(const PassInfo &Info, PassFactory Factory);
  /// Adds a group of passes.
  bool registerGroup(const PassInfo &Info, GroupRule Rule,
                     GroupFactory Factory);
  /// Adds a pipeline by name, a group. Names in \p Text may be registered
  /// later.
  bool registerPipeline(const PassInfo &Info, StringRef Text);
  /// Adds a pipeline, called \p Argument.
  bool registerPipeline(StringRef Argument, StringRef Text);
  /// Declares a position at which pipelines can be extended.
  bool registerExtensionPoint(StringRef Name, StringRef Description);
  /// Adds the pipeline \p Text at \p Point, which may be declared later.
  void registerExtension(StringRef Point, StringRef Text);
  /// Adds a pass that is written `argument<analysis>`.
  bool registerAnalysisPass(AnalysisPassInfo Info);
  /// Adds \p AnalysisT under the name \p Argument; its result has
  /// `void print(raw_ostream &) const`. An analysis with arguments has
  /// `static ArrayRef<PassOptionInfo> getOptions()`, and a constructor that
  /// takes PassOptionValues.
  template <typename UnitT, typename AnalysisT>
  bool registerAnalysis(StringRef Argument);
  /// Adds an option of the PassContext.
  bool registerConfigOption(const PassOptionInfo &Info);
  /// Adds a target, for PassContext::setTarget().
  bool registerTarget(const TargetInfo &Info);
  /// Adds targets without a copy: they outlive the registry.
  void registerStaticTargets(ArrayRef<TargetInfo> Infos);
  /// Adds a pattern table without a copy: what \p Info refers to outlives the
  /// registry.
  bool registerPatternTable(const PatternTableInfo &Info);
  /// Makes \p Names, passes of TVM that may be missing here, known to
  /// -disable-pass and -required-pass. The texts outlive the registry.
  void addReferenceNames(ArrayRef<StringRef> Names) {
    llvm::append_range(ReferenceNames, Names);
  }
  /// Makes \p Name, a pass of TVM that is missing for \p Reason, known like
  /// addReferenceNames().
  void addAbsentPass(StringRef Name, StringRef Reason) {
    ReferenceNames.push_back(Name);
    AbsenceReasons[Name] = Reason;
  }
  /// Makes \p Keys, config options of TVM that may be missing here, known to
  /// -pass-config. The texts outlive the registry.
  void addReferenceConfigs(ArrayRef<StringRef> Keys) {
    llvm::append_range(ReferenceConfigs, Keys);
  }

  /// Refused registrations, in order: `pass 'fuse-ops'`, `analysis 'purity'`.
  ArrayRef<std::string> getRefusedRegistrations() const { return Refused; }

  /// Returns the pass with this argument; otherwise the pass with this name; or
  /// null.
  const PassInfo *lookupArgument(StringRef Argument) const;
  const PassInfo *lookupName(StringRef Name) const;
  /// Creates the registered pass \p Info with these options.
  std::unique_ptr<Pass> create(const PassInfo &Info,
                               const PassOptionValues &Options = {}) const;
  const GroupInfo *lookupGroup(StringRef Argument) const;
  /// Returns true if \p Name in pipeline text does not run anything itself, but
  /// is a position for passes: `function`, `extension`.
  bool isPlace(StringRef Name) const;
  const PipelineInfo *lookupPipeline(StringRef Argument) const;
  const ExtensionPoint *lookupExtensionPoint(StringRef Name) const;
  const AnalysisPassInfo *lookupAnalysisPass(StringRef Argument) const;
  const AnalysisInfo *lookupAnalysis(StringRef Argument) const;
  const PassOptionInfo *lookupConfigOption(StringRef Name) const;
  const TargetInfo *lookupTarget(StringRef Name) const;
  /// Returns the pattern table of the target \p Target, or null.
  const PatternTableInfo *lookupPatternTable(StringRef Target) const;
  /// Returns the function \p Name of a pattern table, or null.
  const PatternCheck *lookupPatternCheck(StringRef Name) const;
  /// Returns the pass, pipeline or group called \p Name, see
  /// PassInfo::isCalled(), or null. An exact argument takes precedence.
  const PassInfo *findPass(StringRef Name) const;
  /// Returns true if \p Name is a pass of TVM, implemented here or not, in any
  /// spelling of isSamePassName().
  bool isReferenceName(StringRef Name) const;
  /// Returns why the pass \p Name of TVM is missing, for messages.
  StringRef getAbsenceReason(StringRef Name) const;
  ArrayRef<StringRef> getReferenceNames() const { return ReferenceNames; }
  bool isReferenceConfig(StringRef Key) const {
    return llvm::is_contained(ReferenceConfigs, Key);
  }

  /// Returns registered passes without pipelines, pipelines, extension points
  /// (including undeclared ones) and analyses, sorted by name.
  SmallVector<const PassInfo *> getPasses() const;
  SmallVector<const PipelineInfo *> getPipelines() const;
  SmallVector<const ExtensionPoint *> getExtensionPoints() const;
  SmallVector<const AnalysisInfo *> getAnalyses() const;
  /// Returns sorted names, for suggestions. Arguments are names of passes and
  /// pipelines; elements are all names that can begin an element of pipeline
  /// text.
  SmallVector<StringRef> getElementNames() const;
  SmallVector<StringRef> getArguments() const;
  SmallVector<StringRef> getGroupArguments() const;
  SmallVector<StringRef> getAnalysisPassArguments() const;
  SmallVector<StringRef> getExtensionPointNames() const;
  SmallVector<StringRef> getNames() const;
  SmallVector<StringRef> getAnalysisArguments() const;
  SmallVector<StringRef> getConfigNames() const;
  SmallVector<StringRef> getTargetNames() const;
  SmallVector<StringRef> getPatternTableNames() const;
  SmallVector<StringRef> getPatternCheckNames() const;
  /// Every key that a lookup for a target may use, sorted.
  SmallVector<StringRef> getTargetKeys() const;

private:
  bool refuse(const Twine &What);
  bool isTaken(StringRef Argument) const;
  bool addAnalysis(AnalysisInfo Info);
  TargetInfo *addTarget(const TargetInfo &Info);
  template <typename T> ArrayRef<T> own(ArrayRef<T> List);
  StringRef own(StringRef Text) { return Strings.save(Text); }
  PassOptionInfo own(const PassOptionInfo &Info);
  PassStatisticInfo own(const PassStatisticInfo &Info);
  PassInfo own(const PassInfo &Info);

  struct Entry {
    const PassInfo *Info;
    PassFactory Factory;
  };
  /// Owns the texts that entries refer to.
  std::vector<std::string> Refused;
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Strings{Memory};
  llvm::StringMap<Entry> ByArgument;
  llvm::StringMap<const PassInfo *> ByName;
  llvm::StringMap<GroupInfo> Groups;
  llvm::StringMap<PipelineInfo> Pipelines;
  llvm::StringMap<ExtensionPoint> ExtensionPoints;
  llvm::StringMap<AnalysisPassInfo> AnalysisPasses;
  llvm::StringMap<AnalysisInfo> Analyses;
  llvm::StringMap<PassOptionInfo> ConfigOptions;
  llvm::StringMap<TargetInfo> Targets;
  llvm::StringMap<PatternTableInfo> PatternTables; ///< by target
  llvm::StringMap<PatternCheck> PatternChecks;
  llvm::StringMap<StringRef> AbsenceReasons;
  SmallVector<StringRef, 0> ReferenceNames, ReferenceConfigs;
};

template <typename UnitT, typename AnalysisT>
bool PassRegistry::registerAnalysis(StringRef Argument) {
  constexpr bool HasArguments = detail::HasArguments<AnalysisT>::value;
  auto Get = [](UnitT &Unit, AnalysisManager<UnitT> &AM,
                const PassOptionValues &Arguments,
                raw_ostream *OS) -> LogicalResult {
    auto Compute = [&]() -> detail::ResultOrFailure<AnalysisT, UnitT> {
      if constexpr (HasArguments)
        return AM.getResult(Unit, AnalysisT(Arguments));
      else
        return AM.template getResult<AnalysisT>(Unit);
    };
    auto &&Result = Compute();
    if constexpr (detail::MayFail<AnalysisT, UnitT>) {
      if (failed(Result))
        return failure();
      if (OS)
        (*Result)->print(*OS);
    } else if (OS) {
      Result.print(*OS);
    }
    return success();
  };
  AnalysisInfo Info{
      Argument, AnalysisT::name(), PassUnit::Module, &AnalysisT::Key, {}, {},
      {}};
  if constexpr (HasArguments)
    Info.Options = AnalysisT::getOptions();
  if constexpr (std::is_same_v<UnitT, Module>) {
    Info.GetOnModule = Get;
  } else {
    Info.Unit = PassUnit::Function;
    Info.GetOnFunction = Get;
  }
  return addAnalysis(std::move(Info));
}

} // namespace relay

#endif // RELAY_PASS_PASSREGISTRY_H
