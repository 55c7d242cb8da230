//===- Instrumentation.h - What watches passes ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instrumentation is a class with two parts: its flags, which are declared
// once, and the object that watches the passes of one module, made afresh for
// each part of an input (-split-input-file):
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
  /// Where dumps go; text of several threads comes out in order.
  raw_ostream *Stream = &llvm::errs();
  /// As the user wrote them.
  std::string Input, Output, Pipeline;
  /// Further levels of the debug log, in the form of TVM's variable
  /// RELAY_LOG_DEBUG: `FuseOps=2,DEFAULT=1`.
  std::string LogLevels;
  /// Functions, types and constructors need not be defined.
  bool AllowUndefinedGlobals = false;
  /// Dumps show where operations come from.
  bool PrintSpans = false;
  /// Modules in dumps leave out constants with more elements than this.
  std::optional<uint64_t> ElideConstantsLargerThan;
};

/// A file that a flag names, to be written.
struct InstrumentationFile {
  StringRef Flag;
  std::string Path;
};

/// The flags of an instrumentation, as members.
class InstrumentationOptions : public FlagGroup {
public:
  using FlagGroup::FlagGroup;
  virtual ~InstrumentationOptions();
  /// Returns true if the flags ask for the instrumentation.
  virtual bool isEnabled() const = 0;
  /// Returns true if the flags or the setup request the instrumentation.
  virtual bool isEnabled(const InstrumentationSetup &) const {
    return isEnabled();
  }
  /// Returns an error if a flag is given without the flag that it modifies.
  virtual llvm::Error check() const { return llvm::Error::success(); }
};

/// Watches the passes on one module.
class Instrumentation {
public:
  virtual ~Instrumentation();

  /// An error if a value of a flag makes no sense.
  virtual llvm::Error checkFlags() const { return llvm::Error::success(); }
  /// The files that it writes, which have to be different ones.
  virtual void addFiles(SmallVectorImpl<InstrumentationFile> &) const {}
  /// Where a run that fails is kept, as by -crash-reproducer, if that does not
  /// say where; empty for nowhere.
  virtual std::string getReproducerPath() const { return ""; }
  /// Before anything is read: an error if a flag names what \p Registry does
  /// not know, or what cannot be written to.
  virtual llvm::Error prepare(const PassRegistry &) const {
    return llvm::Error::success();
  }
  /// Takes over state for the whole input, counts and reports, from the object
  /// of the previous module. Nothing else is taken over.
  virtual void takeOver(Instrumentation & /*Previous*/) {}
  /// Before the module is read.
  virtual void configure(Context &, const PassRegistry &) {}
  /// Adds callbacks and instruments to the context of the pipeline.
  virtual void registerCallbacks(PassContext &) {}
  /// Before the first pass.
  virtual void start(Module &) {}
  /// After the last pass, or the one that failed. Only the first error of the
  /// list is seen.
  virtual llvm::Error finish(Module &, bool /*Failed*/) {
    return llvm::Error::success();
  }
  /// Returns true if something that has been reported makes the run fail,
  /// though it did not stop the passes.
  virtual bool hasFailed() const { return false; }
  /// A phase of the program, such as reading, took from \p Begin to \p End.
  virtual void notePhase(StringRef /*Name*/,
                         PassRun::Clock::time_point /*Begin*/,
                         PassRun::Clock::time_point /*End*/) {}

  /// The file that the report goes to; empty for the stream.
  virtual StringRef getReportFile() const { return ""; }
  /// The flag that requests a JSON report on the stream; empty if there is
  /// none. Only one instrumentation may have it.
  virtual StringRef getJSONFlag() const { return ""; }
  /// After all modules: writes the report on them. \p Failed tells how things
  /// went on the whole. An error makes the run fail, if it has not.
  virtual llvm::Error report(raw_ostream &, const ModulePassManager &,
                             bool /*Failed*/) {
    return llvm::Error::success();
  }
};

/// All instrumentations in the order in which their callbacks are registered,
/// and the objects of the enabled ones.
class InstrumentationList {
public:
  /// Flags are declared with \p Flags; dumps and reports go to \p Stream, where
  /// text of several threads comes out in order.
  InstrumentationList(FlagSet &Flags, raw_ostream &Stream)
      : Flags(Flags), Stream(Stream) {}
  InstrumentationList(const InstrumentationList &) = delete;

  /// Adds a kind of instrumentation and declares its flags; before the one
  /// whose `Name` is \p Before, or at the end if that is empty. A name that
  /// none has is an error of checkPlaces().
  template <typename T> void add(StringRef Before = "") {
    auto Options = std::make_unique<typename T::Options>(Flags);
    auto Make = [O = Options.get()](const InstrumentationSetup &Setup) {
      return std::unique_ptr<Instrumentation>(std::make_unique<T>(*O, Setup));
    };
    insert({T::Name, std::move(Options), std::move(Make), nullptr}, Before);
  }
  raw_ostream &getStream() const { return Stream; }
  /// Returns an error if an instrumentation was to be added before an unknown
  /// one.
  llvm::Error checkPlaces() const;

  /// After the flags were read: makes the first objects and checks the flags;
  /// returns the first error. The stream is set.
  [[nodiscard]] llvm::Error setUp(InstrumentationSetup NewSetup);
  /// Creates new objects for another module. Must be called before the Context
  /// of the previous module is destroyed.
  void startModule();

  // Each of these calls the function of all instrumentations; the first error
  // counts.
  SmallVector<InstrumentationFile> getFiles() const;
  /// The first that is not empty.
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
  /// Instrumentations with the unknown name before which they were to be added.
  std::vector<std::pair<StringRef, std::string>> WithoutPlace;
  InstrumentationSetup Setup;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_INSTRUMENTATION_H
