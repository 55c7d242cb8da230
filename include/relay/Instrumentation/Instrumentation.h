//===- Instrumentation.h - Observers of passes ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instrumentation is a class with two parts: its flags, which are declared
// once, and the object that observes the passes of one module, created for each
// part of an input (-split-input-file):
//
//   class PassLog : public Instrumentation {
//   public:
//     struct Options : InstrumentationOptions {
//       explicit Options(FlagSet &Flags)
//           : InstrumentationOptions(Flags, "Debugging") {}
//       Flag<bool> Enabled{*this, "-log-passes", "Log passes as they begin"};
//       bool isEnabled() const override { return Enabled; }
//     };
//     static constexpr StringLiteral Name = "pass-log";
//
//     PassLog(const Options &, const InstrumentationSetup &Setup)
//         : OS(*Setup.Stream) {}
//     void registerCallbacks(PassContext &PC) override;
//     ...
//   };
//
// `List.add<PassLog>()`, a line of StandardInstrumentations.cpp or of a plugin,
// adds it to the InstrumentationList. Nothing else is edited.
//
// Function passes may run on several functions in parallel, and their callbacks
// then run on several threads: they count with runInOrder()
// (relay/Support/OrderedOutput.h).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_INSTRUMENTATION_H
#define RELAY_INSTRUMENTATION_INSTRUMENTATION_H

#include "relay/Pass/PassManager.h"
#include "relay/Support/Flags.h"
#include <chrono>

namespace relay {

/// Settings that the program passes to its instrumentations.
struct InstrumentationSetup {
  /// The stream for dumps; text of several threads appears in order.
  raw_ostream *Stream = &llvm::errs();
  /// As written by the user.
  std::string Input, Output, Pipeline;
  /// Further levels of the debug log, in the syntax of TVM's variable
  /// RELAY_LOG_DEBUG: `FuseOps=2,DEFAULT=1`.
  std::string LogLevels;
  /// Functions, types and constructors may be undefined.
  bool AllowUndefinedGlobals = false;
  /// Print the origins of operations in dumps.
  bool PrintSpans = false;
  /// Elide constants with more elements than this in dumps of modules.
  std::optional<uint64_t> ElideConstantsLargerThan;
};

/// An output file that a flag names.
struct InstrumentationFile {
  StringRef Flag;
  std::string Path;
};

/// The flags of an instrumentation, as members.
class InstrumentationOptions : public FlagGroup {
public:
  using FlagGroup::FlagGroup;
  virtual ~InstrumentationOptions();
  /// Returns true if the flags request the instrumentation.
  virtual bool isEnabled() const = 0;
  /// Returns true if the flags or the setup request the instrumentation.
  virtual bool isEnabled(const InstrumentationSetup &) const {
    return isEnabled();
  }
  /// Returns an error if a flag is present without the flag that it modifies.
  virtual llvm::Error check() const { return llvm::Error::success(); }
};

/// Observes the passes on one module.
class Instrumentation {
public:
  virtual ~Instrumentation();

  /// Returns an error if the value of a flag is invalid.
  virtual llvm::Error checkFlags() const { return llvm::Error::success(); }
  /// Appends the files that it writes, which must differ.
  virtual void addFiles(SmallVectorImpl<InstrumentationFile> &) const {}
  /// Returns the path for the reproducer of a failing run if -crash-reproducer
  /// is absent; empty for none.
  virtual std::string getReproducerPath() const { return ""; }
  /// Called before anything is read. Returns an error if a flag names an
  /// unknown entry of \p Registry or a file that cannot be written.
  virtual llvm::Error prepare(const PassRegistry &) const {
    return llvm::Error::success();
  }
  /// Takes over state for the whole input, counts and reports, from the object
  /// of the previous module. No other state is kept.
  virtual void takeOver(Instrumentation & /*Previous*/) {}
  /// Called before the module is read.
  virtual void configure(Context &, const PassRegistry &) {}
  /// Adds callbacks and instruments to the context of the pipeline.
  virtual void registerCallbacks(PassContext &) {}
  /// Called before the first pass.
  virtual void start(Module &) {}
  /// Called after the last pass, or the pass that failed. Only the first error
  /// of the list is reported.
  virtual llvm::Error finish(Module &, bool /*Failed*/) {
    return llvm::Error::success();
  }
  /// Returns true if a reported problem makes the run fail without stopping the
  /// passes.
  virtual bool hasFailed() const { return false; }
  /// Called when a phase of the program, such as reading, has ended; it lasted
  /// from \p Begin to \p End.
  virtual void notePhase(StringRef /*Name*/,
                         PassRun::Clock::time_point /*Begin*/,
                         PassRun::Clock::time_point /*End*/) {}

  /// Returns the file of the report; empty for the stream.
  virtual StringRef getReportFile() const { return ""; }
  /// Returns the flag that requests a JSON report on the stream; empty if there
  /// is none. Only one instrumentation may have it.
  virtual StringRef getJSONFlag() const { return ""; }
  /// Called after all modules: writes the report on them. \p Failed is true if
  /// any run failed. An error makes the run fail.
  virtual llvm::Error report(raw_ostream &, const ModulePassManager &,
                             bool /*Failed*/) {
    return llvm::Error::success();
  }
};

/// All instrumentations in the order in which their callbacks are registered,
/// and the objects of the enabled ones.
class InstrumentationList {
public:
  /// Declares flags in \p Flags. Dumps and reports go to \p Stream, where texts
  /// of several threads appear in order.
  InstrumentationList(FlagSet &Flags, raw_ostream &Stream)
      : Flags(Flags), Stream(Stream) {}
  InstrumentationList(const InstrumentationList &) = delete;

  /// Adds a kind of instrumentation and declares its flags: before the one
  /// whose `Name` is \p Before, or at the end if that is empty. checkPlaces()
  /// reports unknown names.
  template <typename T> void add(StringRef Before = "") {
    auto Options = std::make_unique<typename T::Options>(Flags);
    auto Make = [O = Options.get()](const InstrumentationSetup &Setup) {
      return std::unique_ptr<Instrumentation>(std::make_unique<T>(*O, Setup));
    };
    insert({T::Name, std::move(Options), std::move(Make), nullptr}, Before);
  }
  raw_ostream &getStream() const { return Stream; }
  /// Returns an error if an add() had an unknown name.
  llvm::Error checkPlaces() const;

  /// Must be called after flags are parsed: creates the first objects and
  /// checks the flags; returns the first error. Sets the stream of \p NewSetup.
  [[nodiscard]] llvm::Error setUp(InstrumentationSetup NewSetup);
  /// Creates new objects for another module. Must be called before the Context
  /// of the previous module is destroyed.
  void startModule();

  // Each of these calls the function of all instrumentations; the first error
  // is returned.
  SmallVector<InstrumentationFile> getFiles() const;
  /// Returns the first path that is not empty.
  std::string getReproducerPath() const;
  llvm::Error prepare(const PassRegistry &Registry) const;
  void configure(Context &Ctx, const PassRegistry &Registry);
  void registerCallbacks(PassContext &PC);
  void start(Module &M);
  llvm::Error finish(Module &M, bool Failed);
  bool hasFailed() const;
  /// Calls \p Visit for each object, in order.
  void forEach(function_ref<void(Instrumentation &)> Visit) const;

  /// A phase of the program, from its construction to the end of its scope.
  class Phase {
  public:
    Phase(InstrumentationList &List, StringRef Name)
        : List(List), Name(Name), Begin(PassRun::Clock::now()) {}
    ~Phase();
    Phase(const Phase &) = delete;
    Phase &operator=(const Phase &) = delete;

  private:
    InstrumentationList &List;
    StringRef Name;
    PassRun::Clock::time_point Begin;
  };

private:
  struct Kind {
    StringRef Name;
    std::unique_ptr<InstrumentationOptions> Options;
    std::function<std::unique_ptr<Instrumentation>(
        const InstrumentationSetup &)>
        Make;
    std::unique_ptr<Instrumentation> Object; ///< null if it is not enabled
  };

  void insert(Kind K, StringRef Before);
  /// Calls checkFlags() of all instrumentations.
  llvm::Error checkFlags() const;
  llvm::Error
  findError(function_ref<llvm::Error(Instrumentation &)> Check) const;

  FlagSet &Flags;
  raw_ostream &Stream;
  std::vector<Kind> Kinds;
  /// Instrumentations with the unknown name in their add().
  std::vector<std::pair<StringRef, std::string>> WithoutPlace;
  InstrumentationSetup Setup;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_INSTRUMENTATION_H
