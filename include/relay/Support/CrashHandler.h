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
// belongs to the process. There is no other state of this kind.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_CRASHHANDLER_H
#define RELAY_SUPPORT_CRASHHANDLER_H

#include "relay/Support/LLVM.h"
#include <atomic>
#include <string>

namespace relay {

/// Announces the activity of this thread until the end of the scope: `FuseOps`
/// on `@main`. Both texts outlive the scope. Costs a few stores.
class CrashActivity {
public:
  /// Called in the handler, after the crash has been reported, for the
  /// innermost activity that has such a function. Restricted like a signal
  /// handler.
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

  /// The innermost activity of this thread; null if there is none.
  static CrashActivity *getInnermost() { return Innermost; }
  /// The same as text: `FuseOps on @main`, `writing`.
  static std::string describe();
  /// Lets this thread, which does nothing, take part in the activity \p A of
  /// another one until the end of the scope.
  class ThreadScope {
  public:
    explicit ThreadScope(CrashActivity *A);
    ThreadScope(const ThreadScope &) = delete;
    ThreadScope &operator=(const ThreadScope &) = delete;
    ~ThreadScope() { Innermost = nullptr; }
  };

protected:
  /// The innermost activity of this thread with this function, or null.
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

/// A text that a crash is to leave. It must not change while it is set.
struct CrashText {
  /// Where it goes; empty for standard error.
  std::string Path;
  /// `// `, then comes how it ended, `crashed in `, if SaysEnding; then what
  /// was going on, then the text.
  std::string Heading, Text;
  bool SaysEnding = false;
};

/// What several threads hold back till its turn comes. Of a crash in one of
/// them there has to be seen what one thread would have written before it.
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

/// Work after a crash that needs more than a handler may do: memory, streams.
/// It runs in a forked copy of the crashing process, since locks may be held
/// and data may be broken. Only its output remains. It is killed after a
/// time-out.
class CrashTask {
public:
  /// Called on the thread that crashed, after the crash has been reported.
  /// \p Ending is `crashed`, or `stopped` for an error that ended the process.
  /// \returns false if it could not be done, which has been reported.
  virtual bool runAfterCrash(StringRef Ending) = 0;
  /// The task, `write the report`, for the message that it failed.
  virtual const char *getWhat() const = 0;

protected:
  ~CrashTask() = default;
};

class CrashHandler {
public:
  /// Files that a crash can leave; each at most once.
  enum Slot : unsigned { Reproducer, Dump, NumSlots };

  /// Takes over the fatal signals. \p Tool begins messages, \p Status becomes
  /// the exit status. Without effect under sanitizers, which report crashes
  /// themselves.
  static void install(const char *Tool, int Status);
  /// Returns true if a sanitizer is at work.
  static bool isSanitized();
  /// Writes `relay-opt: error: ` with \p Problem and the current activity to
  /// standard error, using only functions allowed in a handler.
  static void printProblem(const char *Problem);
  /// Writes `relay-opt: note: ` with \p Text to standard error; \p Kind is
  /// `note` or `error`. Tasks call it.
  static void printMessage(StringRef Kind, StringRef Text);
  /// Leaves the reproducer and runs the task, as after a crash, for an error
  /// that is about to end the process, a limit, and that has been reported.
  static void leaveForError();
  /// Lets signals be fatal again.
  static void uninstall();
  /// Lets a crash write \p Text, which is alive until it is set anew; null for
  /// nothing.
  static void set(Slot S, const CrashText *Text);
  /// Lets a crash run \p Task, which is alive until it is set anew; null for
  /// nothing.
  static void setTask(CrashTask *Task);
  /// Lets a crash ask \p Output, which is alive until it is set anew; null for
  /// nothing.
  static void setPending(PendingOutput *Output);
  /// Writes \p Text as a handler may. \returns false, and sets errno, if that
  /// cannot be done.
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
