//===- PassContext.h - The environment in which passes run ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's PassContext as an object that is passed: opt level, required and
// disabled passes, config, instruments; and the callbacks.
//
// When a hook of an instrument fails, of A, B (the failing one), C installed in
// this order:
//
//   enter      C is not entered; A exits (reverse order); all are dropped; the
//              scope is not entered; the error goes to the caller
//   exit       C does not exit; all are dropped; the scope is left; the error
//              goes to the caller
//   shouldRun  C is not asked; no before hook
//   before     C's does not run, nor the pass, nor any after hook
//   after      C's does not run
//
// In the last three the pipeline stops with failure, takeInstrumentError()
// hands out the error, and the instruments stay installed: they exit when the
// scope is left, or, outside of a scope, when they are overridden.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSCONTEXT_H
#define RELAY_PASS_PASSCONTEXT_H

#include "relay/IR/Constant.h"
#include "relay/IR/Context.h"
#include "relay/Pass/PassInstrument.h"
#include "relay/Pass/PassInstrumentation.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/ADT/StringSet.h"

namespace relay {

class PassContext {
public:
  /// TVM's default; relay-opt sets 3.
  static constexpr unsigned DefaultOptLevel = 2;

  /// Passes print to \p Output.
  PassContext(Context &Ctx, const PassRegistry &Registry,
              raw_ostream &Output = llvm::errs());
  PassContext(const PassContext &) = delete;
  ~PassContext();

  Context &getContext() const { return Ctx; }
  DiagnosticEngine &getDiagnostics() const { return Ctx.getDiagnostics(); }
  const PassRegistry &getRegistry() const { return Registry; }
  /// The stream for the output of passes. Text of functions processed in
  /// parallel is printed in module order.
  raw_ostream &getOutput() { return Output; }

  //===--- Which passes run -----------------------------------------------===//
  unsigned getOptLevel() const { return OptLevel; }
  void setOptLevel(unsigned Level) { OptLevel = Level; }
  /// \p Name is a pass's name or argument; TVM's passes that are not
  /// implemented here have no effect. Unknown names are an error that suggests
  /// the nearest.
  llvm::Error addRequiredPass(StringRef Name) { return add(Required, Name); }
  llvm::Error addDisabledPass(StringRef Name) { return add(Disabled, Name); }
  /// Adds the name of a pass that is not registered: of the program itself.
  void addRequiredName(StringRef Name) { Required.insert(Name); }
  void addDisabledName(StringRef Name) { Disabled.insert(Name); }
  /// Returns true if a group runs the pass: it is not disabled, and it is
  /// required or within the opt level.
  bool isPassEnabled(const PassInfo &Info) const {
    return getSkipReason(Info).empty();
  }
  /// Returns why a group does not run the pass: `disable-pass` or `opt-level`;
  /// empty if it does.
  StringRef getSkipReason(const PassInfo &Info) const;
  /// Applies isPassEnabled() to passes outside of groups too.
  void setGatesBarePasses(bool On) { GatesBarePasses = On; }
  bool gatesBarePasses() const { return GatesBarePasses; }

  /// Runs `infer-type` after each function pass, inside its run, as TVM does.
  /// Function passes then run on all functions one after the other. For
  /// programs that promise what TVM's passes return.
  void setInfersAfterFunctionPasses(bool On) { InfersTypes = On; }
  bool infersAfterFunctionPasses() const { return InfersTypes; }
  /// Returns true if a function pass runs on all functions before the next one
  /// begins.
  bool runsPassByPass() const { return InfersTypes || !Instruments.empty(); }

  //===--- Threads --------------------------------------------------------===//
  /// Returns true if callbacks or instruments require passes to process one
  /// function after the other, regardless of the threads of the Context.
  bool requiresSingleThread() const;

  //===--- Numbers of runs ------------------------------------------------===//
  /// Reserves \p Count consecutive numbers of sweeps (PassRun::getSweep()) and
  /// returns the first.
  unsigned takeSweeps(unsigned Count = 1) {
    return std::exchange(NextSweep, NextSweep + Count);
  }
  /// Returns the number of the run that begins (PassRun::getNumber()).
  unsigned takeRunNumber() { return ++NumRuns; }
  /// Sets the number of the next run to \p Number + 1, so that pipelines on
  /// several modules are numbered as one.
  void setNumRuns(unsigned Number) { NumRuns = Number; }

  //===--- Config ---------------------------------------------------------===//
  /// Sets the declared option \p Key to the value \p Text. Returns an error
  /// once the context has been entered or has run a pass: results of analyses
  /// depend on the config. TVM's options that are not implemented here have no
  /// effect.
  llvm::Error setConfig(StringRef Key, StringRef Text);
  /// Fixes the config; called by the pass managers. Asserts that no inner
  /// context replaces this one.
  void noteRun() {
    assert(!Inner && "an inner context is entered");
    HasRun = true;
  }
  /// Returns the value of \p Key, or its declared default.
  template <typename T> T getConfig(ConfigKey<T> Key) const {
    T Value{};
    if (std::optional<PassOptionValue> Found = getConfigValue(Key.Name))
      readOption(*Found, Value);
    return Value;
  }

  //===--- Target ---------------------------------------------------------===//
  /// Sets the target, `llvm,mcpu=skylake`. Returns an error if the target, an
  /// option or a value is not known, or once the context has been entered or
  /// has run a pass.
  llvm::Error setTarget(StringRef Text);
  /// Null if there is none.
  const Target *getTarget() const { return TheTarget ? &*TheTarget : nullptr; }
  /// The keys under which passes look up hooks and facts of operators.
  ArrayRef<StringRef> getTargetKeys() const {
    return TheTarget ? TheTarget->getKeys() : ArrayRef<StringRef>();
  }

  //===--- Values of parameters -------------------------------------------===//
  /// Keeps the constant \p Value of the parameter \p Name of @main, for passes
  /// that bind it.
  void setParameter(StringRef Name, Attr Value) {
    Parameters[Name] = {Value, ConstantRef(Value)};
  }
  /// Returns the value of the parameter \p Name; null if there is none.
  Attr getParameter(StringRef Name) const {
    return Parameters.lookup(Name).first;
  }
  /// Removes the parameter \p Name; an operation now holds its value.
  void dropParameter(StringRef Name) { Parameters.erase(Name); }

  //===--- Callbacks and instruments --------------------------------------===//
  PassInstrumentationCallbacks &getCallbacks() { return Callbacks; }
  PassInstrumentation getInstrumentation() const { return &Callbacks; }

  ArrayRef<PassInstrument *> getInstruments() const { return Instruments; }
  /// Installs instruments for the next scope, after those that the context
  /// owns. Replaces the instruments of an earlier call. Only valid outside of
  /// scopes.
  void setInstruments(ArrayRef<PassInstrument *> New);
  /// Installs a further instrument, which the context owns, for the next scope.
  void addInstrument(std::unique_ptr<PassInstrument> New);
  /// Exits the current instruments, whether or not the end of a scope did so
  /// before, and enters the \p New ones immediately. The new ones are not
  /// installed if an exit fails. The context does not own them.
  llvm::Error overrideInstruments(ArrayRef<PassInstrument *> New);

  /// Asks all instruments whether \p Info is to run on \p M; none if the pass
  /// is required by its declaration or by the context. \returns the first that
  /// refuses; null if the pass is to run.
  llvm::Expected<const PassInstrument *> findRefusal(Module &M,
                                                     const PassInfo &Info);
  llvm::Error runBeforePass(Module &M, const PassInfo &Info);
  llvm::Error runAfterPass(Module &M, const PassInfo &Info);
  void runAfterFailedPass(Module &M, const PassInfo &Info);

  /// Keeps \p E, which stopped a pipeline, for takeInstrumentError().
  LogicalResult fail(llvm::Error E);
  /// Returns the error of the instrument that stopped the last pipeline;
  /// success if no instrument did.
  llvm::Error takeInstrumentError();

  //===--- Scope ----------------------------------------------------------===//
  /// The time between enter() and exit(), in which instruments are active.
  /// The destructor exits, and reports an error that was not taken.
  ///
  /// A scope may be nested in that of \p Outer, as TVM nests `with
  /// PassContext()`: \p Ctx then replaces it and inherits nothing. The outer
  /// instruments neither exit nor are notified of passes in the inner scope. If
  /// the inner instruments fail to enter or exit, the outer context is
  /// unchanged.
  class Scope {
  public:
    static llvm::Expected<Scope> enter(PassContext &Ctx,
                                       PassContext *Outer = nullptr);
    Scope(Scope &&O) : Ctx(O.Ctx) { O.Ctx = nullptr; }
    Scope &operator=(Scope &&) = delete;
    ~Scope();
    llvm::Error exit();

  private:
    explicit Scope(PassContext &Ctx) : Ctx(&Ctx) {}
    PassContext *Ctx;
  };

private:
  llvm::Error add(llvm::StringSet<> &Set, StringRef Name);
  std::optional<PassOptionValue> getConfigValue(StringRef Name) const;
  llvm::Error enterInstruments();
  llvm::Error exitInstruments();

  Context &Ctx;
  const PassRegistry &Registry;
  OrderedStream Output;
  unsigned OptLevel = DefaultOptLevel;
  unsigned NextSweep = 1, NumRuns = 0;
  bool GatesBarePasses = false;
  bool InfersTypes = false;
  bool InScope = false;
  bool HasRun = false;
  /// For nested scopes: the context of the enclosing scope, and the context
  /// that replaces this one.
  PassContext *Outer = nullptr, *Inner = nullptr;
  /// Names of passes.
  llvm::StringSet<> Required, Disabled;
  PassConfig Config;
  std::optional<Target> TheTarget;
  llvm::StringMap<std::pair<Attr, ConstantRef>> Parameters;
  PassInstrumentationCallbacks Callbacks;
  SmallVector<PassInstrument *, 4> Instruments;
  SmallVector<std::unique_ptr<PassInstrument>, 0> OwnedInstruments;
  llvm::Error InstrumentError = llvm::Error::success();
};

namespace detail {
void forEachFunction(Module &M, const PassContext &Ctx,
                     function_ref<void(size_t, Function &)> Visit);
} // namespace detail

/// For module passes that work function by function: returns the results of \p
/// Visit for each function of \p M, in order. Several threads call it if that
/// is worthwhile and no callback requires one thread. It may change its
/// function, but not the function's type, and reads only the types of other
/// functions.
template <typename T>
std::vector<T> mapFunctions(Module &M, const PassContext &Ctx,
                            function_ref<T(Function &)> Visit) {
  static_assert(!std::is_same_v<T, bool>,
                "threads cannot write neighbours of a vector<bool>: use char");
  std::vector<T> Results(M.getNumFunctions());
  detail::forEachFunction(
      M, Ctx, [&](size_t I, Function &F) { Results[I] = Visit(F); });
  return Results;
}

} // namespace relay

#endif // RELAY_PASS_PASSCONTEXT_H
