//===- Session.h - Read, run, print, report ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// relay-opt as a library: reads text, infers types, verifies, runs a pipeline,
// verifies, prints, reports. A program does the same in a few lines, with the
// same result:
//
//   Session S("my-tool", llvm::errs(), llvm::errs());
//   FailureOr<ModulePassManager> Pipeline = S.parsePipeline("default<O2>");
//   OwnedModule M = S.read(std::move(Text));
//   if (failed(Pipeline) || !M || failed(S.run(*M, *Pipeline)) ||
//       failed(S.print(*M, llvm::outs())))
//     return 1;
//
// A Session holds the registries, plugins, instrumentations, limits and number
// of threads. It writes only to the given streams and never ends the process:
// exceeding a limit is a diagnostic and a failure. Each module has its own
// Context unless the program requests a shared one, so that destroying a module
// frees all of its memory. A Session may be used by one thread at a time;
// several threads may have one each.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SESSION_SESSION_H
#define RELAY_SESSION_SESSION_H

#include "relay/IR/Context.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Pass/PassManager.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Session/Extension.h"
#include "relay/Support/Flags.h"
#include "relay/Support/OrderedOutput.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"

namespace relay {

class Extensions;

/// A module and the Context that owns its types and constants.
class OwnedModule {
public:
  OwnedModule() = default;
  OwnedModule(std::unique_ptr<Context> Ctx, std::unique_ptr<Module> M)
      : Ctx(std::move(Ctx)), M(std::move(M)) {}
  OwnedModule(OwnedModule &&) = default;
  OwnedModule &operator=(OwnedModule &&Other) {
    M = std::move(Other.M); // before the Context
    Ctx = std::move(Other.Ctx);
    return *this;
  }

  /// Returns true if there is a module.
  explicit operator bool() const { return M != nullptr; }
  Module *get() const { return M.get(); }
  Module &operator*() const { return *M; }
  Module *operator->() const { return M.get(); }
  Context &getContext() const { return *Ctx; }
  /// Releases both without freeing them, for a process that is about to end:
  /// destroying a million operations takes longer than printing them.
  Module *release() {
    (void)Ctx.release();
    return M.release();
  }

private:
  std::unique_ptr<Context> Ctx; ///< destroyed last
  std::unique_ptr<Module> M;
};

/// Limits for each module of a Session.
struct SessionLimits {
  uint64_t Operations = RunLimits::DefaultOperations;
  uint64_t Characters = RunLimits::DefaultCharacters;
  /// Bytes that a Context may hold; by default RunLimits::DefaultMemory and
  /// sixteen times the size of the texts that are read into it.
  std::optional<uint64_t> Memory;

  /// Returns the limits of a Context into which \p InputSize characters are
  /// read.
  RunLimits get(uint64_t InputSize) const;
};

struct ReadOptions : ParserOptions {
  /// Infer types that the text does not contain.
  bool Infer = true;
  /// Verify the module, with its types if they are inferred.
  bool Verify = true;
};

struct RunOptions {
  /// The opt level of the PassContext unless Configure() sets another.
  static constexpr unsigned DefaultOptLevel = 3;

  /// Configures the PassContext: opt level, config, required and disabled
  /// passes, parameters, callbacks. An error makes the run fail.
  std::function<llvm::Error(PassContext &)> Configure;
  /// Verify functions that passes changed.
  bool Verify = true;
  /// Functions, types and constructors may be undefined.
  bool AllowUndefinedGlobals = false;
  /// Fail if the result nests more deeply than text may.
  bool MustNestAsText = true;
};

enum class OutputForm : uint8_t { Text, Json };

struct OutputOptions : PrintOptions {
  OutputForm Form = OutputForm::Text; ///< Json ignores the other options
};

class Session {
public:
  /// Calls \p Write with a stream to the file \p Path.
  using WriteFileFn = function_ref<llvm::Error(
      StringRef Path, function_ref<void(raw_ostream &)> Write)>;

  /// Errors without a position begin with \p Name. Diagnostics and errors go to
  /// \p Messages, dumps and the output of passes to \p Reports, where text of
  /// several threads appears in order. Both streams must outlive the Session.
  Session(StringRef Name, raw_ostream &Messages, raw_ostream &Reports);
  Session(const Session &) = delete;
  ~Session();

  //===--- Set-up ---------------------------------------------------------===//
  StringRef getName() const { return Name; }
  /// Returns the flags of instrumentations and plugins; a tool adds its own.
  FlagSet &getFlags() { return Flags; }
  /// Initially empty; see addStandardInstrumentations().
  InstrumentationList &getInstrumentations() { return Instrumentations; }
  /// Returns the passes of Relay and, after initialize(), of extensions.
  PassRegistry &getRegistry() { return Registry; }
  const PassRegistry &getRegistry() const { return Registry; }

  /// Adds an extension of the program.
  void add(const Extension &E);
  /// Loads a plugin, which stays loaded until the end of the process.
  llvm::Error loadPlugin(StringRef Path);
  /// Registers the passes of extensions and checks their operators; returns an
  /// error if one of them exists already. Needed only after add() and
  /// loadPlugin().
  llvm::Error initialize();
  /// Adds the facts of operators in \p File (OpFactFile.h) to each Context that
  /// is created from now on. Call it after initialize(). Reports every error
  /// and fails if there is one. Warns of entries that are hidden for the target
  /// with the keys \p TargetKeys.
  LogicalResult addOpFacts(std::unique_ptr<llvm::MemoryBuffer> File,
                           ArrayRef<StringRef> TargetKeys = {});
  /// Sets flags of instrumentations (`-time-passes`) and enables the requested
  /// instrumentations. Returns an error if a flag names an unknown pass or a
  /// file that cannot be written. Call it after initialize(). Tools read more
  /// flags and call setUp() of the list.
  llvm::Error setFlags(ArrayRef<const char *> Arguments);

  void setLimits(const SessionLimits &New) { Limits = New; }
  /// Process functions on this many threads; initially 1.
  void setNumThreads(unsigned Number) { NumThreads = Number; }
  unsigned getNumThreads() const { return NumThreads; }
  /// See Context::setMinParallelWork().
  void setMinParallelWork(uint64_t Work) { MinParallelWork = Work; }
  /// Makes \p Handler report errors without a position, instead of a line
  /// `name: error: text` in the stream of messages.
  void setErrorHandler(std::function<void(llvm::Error)> Handler) {
    ErrorHandler = std::move(Handler);
  }

  //===--- Modules --------------------------------------------------------===//
  /// Creates a Context with all operators and the Session's limits and threads.
  std::unique_ptr<Context> createContext() const;
  /// Attaches instrumentations that log and count to \p Ctx.
  void watch(Context &Ctx);

  /// Reads \p Text, Relay text or TVM's JSON, into \p Ctx; null after errors.
  std::unique_ptr<Module> read(std::unique_ptr<llvm::MemoryBuffer> Text,
                               Context &Ctx, const ReadOptions &O = {});
  /// Reads \p Text into a new Context, which is watched.
  OwnedModule read(std::unique_ptr<llvm::MemoryBuffer> Text,
                   const ReadOptions &O = {});

  /// Parses the pipeline \p Text; messages name it \p TextName.
  FailureOr<ModulePassManager>
  parsePipeline(StringRef Text, StringRef TextName = "pipeline") const;
  /// Checks the configuration before anything is read: returns the error of \p
  /// O.Configure, or an error if a flag names an unknown pass or a file that
  /// cannot be written.
  llvm::Error check(const RunOptions &O) const;
  /// Runs \p Pipeline. After a failure \p M may be invalid IR: destroy it.
  LogicalResult run(Module &M, ModulePassManager &Pipeline,
                    const RunOptions &O = {});
  /// Checks that the text of \p M reads back as the same module. Types are
  /// inferred again if \p O.Infer is set, which requires that no pass has run.
  LogicalResult checkRoundTrip(Module &M, ReadOptions O);
  /// Prints \p M. After a failure \p OS may have the beginning of a text.
  LogicalResult print(Module &M, raw_ostream &OS, const OutputOptions &O = {});

  //===--- Reports --------------------------------------------------------===//
  /// Writes the reports of instrumentations on all modules to \p OS, except
  /// reports with their own files. \p Failed tells whether a run failed.
  llvm::Error report(raw_ostream &OS, const ModulePassManager &Pipeline,
                     bool Failed = false);
  /// Writes the other reports to their files by \p WriteFile.
  llvm::Error writeReportFiles(WriteFileFn WriteFile,
                               const ModulePassManager &Pipeline,
                               bool Failed = false);

private:
  LogicalResult fail(llvm::Error E) const;
  LogicalResult readFacts(const llvm::MemoryBuffer &File, Context &Ctx,
                          ArrayRef<StringRef> TargetKeys) const;
  LogicalResult runPasses(Module &M, ModulePassManager &Pipeline,
                          const RunOptions &O);

  std::string Name;
  raw_ostream &Messages;
  OrderedStream Reports;
  FlagSet Flags;
  InstrumentationList Instrumentations;
  std::unique_ptr<Extensions> LoadedExtensions;
  PassRegistry Registry;
  /// Files of facts, which each Context reads.
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> FactFiles;
  SessionLimits Limits;
  unsigned NumThreads = 1;
  uint64_t MinParallelWork = Context::DefaultMinParallelWork;
  std::function<void(llvm::Error)> ErrorHandler;
};

} // namespace relay

#endif // RELAY_SESSION_SESSION_H
