//===- CrashHandler.h - Reports crashes -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts a fatal signal (a failed assertion, a segmentation fault, a stack
// overflow) to an error line that names the current activity, a file that was
// prepared for this case, and exit status 1.
//
// A signal handler can use static storage only, so the state of these functions
// belongs to the process. Nothing else in the library is process-wide.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_CRASHHANDLER_H
#define RELAY_SUPPORT_CRASHHANDLER_H

#include "relay/Support/LLVM.h"
#include <atomic>
#include <string>

namespace relay {

/// Announces the activity of this thread until the end of the scope: `FuseOps`
/// on `@main`. Both texts must outlive the scope. Costs a few stores.
class CrashActivity {
public:
  /// Called in the handler, after the crash has been reported, for the
  /// innermost activity that has such a function. Subject to the restrictions
  /// of a signal handler.
  using CrashFn = void (*)(CrashActivity &);

  explicit CrashActivity(StringRef What, StringRef Where = "",
                         CrashFn OnCrash = nullptr);
  CrashActivity(const CrashActivity &) = delete;
  CrashActivity &operator=(const CrashActivity &) = delete;
  ~CrashActivity() { Innermost = Outer; }

  /// Notes that this thread's activity has exceeded a limit and that the error
  /// has been reported.
  static void noteExceededLimit();
  /// Returns true if this activity, or one inside it, has exceeded a limit.
  bool hasExceededLimit() const { return ExceededLimit; }

  /// Returns the innermost activity of this thread; null if there is none.
  static CrashActivity *getInnermost() { return Innermost; }
  /// Returns the innermost activity as text: `FuseOps on @main`, `writing`.
  static std::string describe();
  /// Makes this thread, which must be idle, take part in the activity \p A of
  /// another thread until the end of the scope.
  class ThreadScope {
  public:
    explicit ThreadScope(CrashActivity *A);
    ThreadScope(const ThreadScope &) = delete;
    ThreadScope &operator=(const ThreadScope &) = delete;
    ~ThreadScope() { Innermost = nullptr; }
  };

protected:
  /// Returns the innermost activity of this thread with this function, or null.
  static CrashActivity *findInnermost(CrashFn OnCrash) {
    CrashActivity *A = Innermost;
    while (A && A->OnCrash != OnCrash)
      A = A->Outer;
    return A;
  }

private:
  friend class CrashHandler;

  static void prepareThread();

  StringRef What, Where;
  CrashFn OnCrash;
  CrashActivity *Outer;
  std::atomic<bool> ExceededLimit{false};

  static thread_local CrashActivity *Innermost;
};

/// A text that is written after a crash. It must not change while it is set.
struct CrashText {
  /// The path of the output file; empty for standard error.
  std::string Path;
  /// The output is the heading, `crashed in ` if SaysEnding, the activity, and
  /// the text.
  std::string Heading, Text;
  bool SaysEnding = false;
};

/// Output of several threads that waits for its turn. If one of the threads
/// crashes, the output that a single thread would have written before the crash
/// must appear.
class PendingOutput {
public:
  /// Called in the handler, on each crashing thread. Writes output that
  /// precedes the crash, as far as possible without taking a lock.
  /// \returns false if another crash precedes this one, which then is not
  /// reported.
  virtual bool finishBeforeCrash() = 0;

protected:
  ~PendingOutput() = default;
};

/// Work after a crash that needs more than a handler may use: memory, streams.
/// It runs in a forked copy of the crashing process, since locks may be held
/// and data may be corrupt. Only its output remains. It is killed after a
/// time-out.
class CrashTask {
public:
  /// Called on the thread that crashed, after the crash has been reported. \p
  /// Ending is `crashed`, or `stopped` for an error that ended the process.
  /// \returns false on failure, which has been reported.
  virtual bool runAfterCrash(StringRef Ending) = 0;
  /// Returns the task, `write the report`, for the message about its failure.
  virtual const char *getWhat() const = 0;

protected:
  ~CrashTask() = default;
};

class CrashHandler {
public:
  /// Files that a crash can write; each at most once.
  enum Slot : unsigned { Reproducer, Dump, NumSlots };

  /// Installs handlers for the fatal signals. \p Tool begins messages, \p
  /// Status becomes the exit status. Does nothing under sanitizers, which
  /// report crashes themselves.
  static void install(const char *Tool, int Status);
  /// Returns true if a sanitizer is active.
  static bool isSanitized();
  /// Writes `relay-opt: error: ` with \p Problem and the current activity to
  /// standard error, using only functions allowed in a handler.
  static void printProblem(const char *Problem);
  /// Writes `relay-opt: <Kind>: <Text>` to standard error; \p Kind is `note` or
  /// `error`. Tasks call it.
  static void printMessage(StringRef Kind, StringRef Text);
  /// Writes the reproducer and runs the task, as after a crash, for a reported
  /// error about a limit that is about to end the process.
  static void leaveForError();
  /// Restores the default handling of signals.
  static void uninstall();
  /// Sets the text that a crash writes; null for none. \p Text must live until
  /// the next call.
  static void set(Slot S, const CrashText *Text);
  /// Sets the task that a crash runs; null for none. \p Task must live until
  /// the next call.
  static void setTask(CrashTask *Task);
  /// Sets the pending output that a crash finishes; null for none. \p Output
  /// must live until the next call.
  static void setPending(PendingOutput *Output);
  /// Writes \p Text with functions allowed in a handler. \returns false, and
  /// sets errno, on failure.
  static bool write(int File, StringRef Text);

private:
  friend class CrashActivity;
  static void handle(int Signal, void *Address);
  static void report(const char *Problem);
  static bool printActivity(int File);
  static bool writeFile(const CrashText &Text, const char *Ending);
  static bool writeText(int File, const CrashText &Text, const char *Ending);
  static void leave(const CrashText &Text, const char *Ending);
  static void notifyActivity();
  static void runTask(const char *Ending);
  static void prepareThread();
};

} // namespace relay

#endif // RELAY_SUPPORT_CRASHHANDLER_H
