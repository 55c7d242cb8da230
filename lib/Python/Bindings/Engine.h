//===- Engine.h - The Session of the Python package -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one Session and the one Context of a process with the Python package, so
// that types and expressions of all modules mix freely. They live until the
// process ends.
//
// One thread works on IR at a time: EngineLock. A thread that forks the process
// holds it, so that no other thread's work is cut off in the child. Diagnostics
// of a piece of work become the exception that it raises, or text on
// sys.stderr.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_ENGINE_H
#define RELAY_LIB_PYTHON_BINDINGS_ENGINE_H

#include "Bridge/LogLevels.h"
#include "ExprConversion.h"
#include "relay/Session/Session.h"
#include "llvm/ADT/DenseSet.h"
#include <atomic>
#include <mutex>
#include <nanobind/nanobind.h>

namespace relay::python {

class Work;

class Engine {
public:
  static Engine &get();

  Session &getSession() { return TheSession; }
  const PassRegistry &getRegistry() const { return TheSession.getRegistry(); }
  Context &getContext() { return *Ctx; }
  SharedNodes &getNodes() { return Nodes; }
  /// The attributes of functions without attributes, an empty dictionary.
  const Attrs *getNoAttrs() const { return NoAttrs; }
  /// The log of passes that run in a PassContext.
  LogLevels &getLog() { return Log; }
  /// The stream for the output of passes.
  raw_ostream &getOutput() { return Stream; }
  /// Keeps the type variables in \p T, which Python has seen, from being used
  /// for other type parameters, until the process ends. Called with EngineLock.
  void keepTypeVars(Type *T);

  /// Called before and after the process forks.
  void prepareFork();
  void continueParent() { unlock(); }
  void continueChild();

private:
  friend class EngineLock;
  friend class Work;
  friend bool tryLockEngine();
  friend void unlockEngine();
  friend void disposeLater(std::shared_ptr<void> Dead);
  Engine();
  void lock();
  bool tryLock();
  void unlock();
  void destroyDead();

  std::string Text; ///< printed diagnostics and output of passes
  llvm::raw_string_ostream Stream{Text};
  Session TheSession{"relay_opt", Stream, Stream};
  LogLevels Log{Stream};
  std::unique_ptr<Context> Ctx;
  const Attrs *NoAttrs;
  SharedNodes Nodes;
  std::recursive_mutex Mutex;
  unsigned LockDepth = 0;    ///< of the thread that holds Mutex
  Work *Innermost = nullptr; ///< the piece of work that records diagnostics
  llvm::DenseSet<Type *> TypesWithVars;
  TypeParamList TypeVars;

  std::mutex DeadMutex;
  std::atomic<bool> HasDead = false;
  std::vector<std::shared_ptr<void>> Dead; ///< protected by DeadMutex
};

inline Context &getContext() { return Engine::get().getContext(); }

/// Holds the right to work on IR. A thread that waits for it does not hold the
/// interpreter's lock, so that the thread that has it can call Python.
class EngineLock {
public:
  EngineLock() { Engine::get().lock(); }
  ~EngineLock() { Engine::get().unlock(); }
  EngineLock(const EngineLock &) = delete;
};

/// The kinds of exceptions, classes of relay_opt.errors.
enum class ErrorKind { Parse, Verify, Pipeline, Pass, Limit, Value };

/// A piece of work that may report diagnostics. The destructor writes those
/// that no exception has taken to sys.stderr.
class Work {
public:
  Work();
  ~Work();
  Work(const Work &) = delete;

  /// Raises the exception of \p Kind for the diagnostics so far, or for \p
  /// Message if there are none. \p Name is the name of the pass, if any.
  [[noreturn]] void raise(ErrorKind Kind, StringRef Message,
                          StringRef Name = {});
  [[noreturn]] void raise(ErrorKind Kind, llvm::Error E, StringRef Name = {});
  /// Raises the exception that a callback of this thread has kept, if any, as
  /// it was: the diagnostics that followed from it are dropped.
  void rethrowKept();
  /// Forgets the diagnostics so far.
  void discard();

private:
  nb::list describe() const;

  EngineLock Lock;
  Work *Outer;
  size_t TextBegin; ///< of the engine's text
  std::vector<Diagnostic> Errors;
};

/// Keeps the exception that a callback of the calling thread has raised.
/// Called in a handler.
void keepException();
/// Raises the exception that was kept, if any.
void rethrowKept();

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_ENGINE_H
