//===- Pass.h - Transformations of modules and functions --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The base classes of passes. A pass is declared in a Passes.td. relay-tblgen
// generates a base class of the pass from the declaration, which holds options,
// statistics and PassInfo; the pass itself defines run().
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASS_H
#define RELAY_PASS_PASS_H

#include "relay/IR/Rewriter.h"
#include "relay/Ops/RequantizeMode.h"
#include "relay/Pass/AnalysisManager.h"
#include "relay/Pass/PassInfo.h"
#include "relay/Pass/PassOptions.h"

namespace relay {

class Pass;
class PassContext;
class PassRegistry;
using PassList = std::vector<std::unique_ptr<Pass>>;

/// A counter of one pass object. Not atomic: threads run clones of a pass.
class Statistic {
public:
  Statistic(Pass &Owner, const PassStatisticInfo &Info);
  Statistic(const Statistic &) = delete;

  StringRef getName() const { return Info.Name; }
  StringRef getDescription() const { return Info.Description; }
  uint64_t getValue() const { return Value; }
  Statistic &operator++() {
    ++Value;
    return *this;
  }
  Statistic &operator+=(uint64_t N) {
    Value += N;
    return *this;
  }

private:
  friend class Pass;
  const PassStatisticInfo &Info;
  uint64_t Value = 0;
};

class Pass {
public:
  virtual ~Pass();
  Pass &operator=(const Pass &) = delete;

  const PassInfo &getInfo() const { return Info; }
  StringRef getName() const { return Info.Name; }
  /// Writes the pass as pipeline text that reads back: `fuse-ops<max-depth=4>`.
  virtual void printPipeline(raw_ostream &OS) const = 0;
  /// Returns the text after the argument: `<max-depth=4>`, or `(a,b)` for a
  /// group.
  std::string getOptionText() const;
  /// Returns a copy of the pass and its members; the statistics of the copy are
  /// zero. relay-tblgen generates the definition, by the copy constructor.
  virtual std::unique_ptr<Pass> clone() const = 0;
  /// Calls \p Visit for this pass and its members.
  virtual void forEachPass(function_ref<void(const Pass &)> Visit) const {
    Visit(*this);
  }
  /// Prepares state that the pass and its members need from \p Ctx and
  /// \p Registry, such as rules read from a file. Called on one thread before
  /// the pass runs on modules of Ctx; further calls do nothing. clone() copies
  /// the state. Failure has been reported.
  virtual LogicalResult initialize(Context &, const PassRegistry &) {
    return success();
  }
  /// Returns the method of changes of scale that do not state one, for which
  /// the pass keeps the results of functions (-verify-semantics).
  virtual RequantizeMode getRequantizeMode(const PassContext &) const {
    return {};
  }
  ArrayRef<Statistic *> getStatistics() const { return Statistics; }
  /// Adds the statistics of \p Clone, a clone of this pass, and resets them.
  /// Threads add in module order.
  void takeStatistics(Pass &Clone);

protected:
  explicit Pass(const PassInfo &Info) : Info(Info) {}
  /// Statistics are members of derived classes, which register them anew.
  Pass(const Pass &O) : Info(O.Info) {}

private:
  friend class Statistic;
  const PassInfo &Info;
  SmallVector<Statistic *, 0> Statistics;
};

/// Runs on one function at a time. It reads only the signatures of other
/// functions, and changes neither its own signature nor the module. Functions
/// of other compilers are skipped (Function::isSkippedByOptimization).
class FunctionPass : public Pass {
public:
  /// \returns which analyses of \p F still hold; all() if nothing changed.
  /// Failure has been reported through the Context's diagnostics.
  virtual FailureOr<PreservedAnalyses>
  run(Function &F, FunctionAnalysisManager &AM, PassContext &Ctx) = 0;

  static bool classof(const Pass *P) {
    return P->getInfo().Unit == PassUnit::Function;
  }

protected:
  using Pass::Pass;
};

/// Runs on a whole module.
class ModulePass : public Pass {
public:
  /// \returns which analyses still hold; all() if nothing changed. A pass that
  /// adds or removes functions must not preserve
  /// FunctionAnalysisManagerModuleProxy. Failure has been reported through the
  /// Context's diagnostics.
  virtual FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                           PassContext &Ctx) = 0;

  static bool classof(const Pass *P) {
    return P->getInfo().Unit == PassUnit::Module;
  }

protected:
  using Pass::Pass;
};

} // namespace relay

#endif // RELAY_PASS_PASS_H
