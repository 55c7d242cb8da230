//===- OrderedOutput.h - Deterministic output of threads --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While passes run on several functions in parallel, their output, diagnostics
// and counts must be the same as in a sequential run. A thread collects them in
// the DeferredOutput of its function, and the owner of the threads flushes
// these in module order. Outside of parallel work the same calls take effect at
// once.
//
//   OrderedStream OS(llvm::errs());      // dumps: text comes out in order
//   runInOrder([&] { ++Runs; });         // counts: a call comes in order
//   StateMap<std::string> Before;        // state from one callback to another
//
// Diagnostics need no such wrapper: the DiagnosticEngine orders them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_ORDEREDOUTPUT_H
#define RELAY_SUPPORT_ORDEREDOUTPUT_H

#include "relay/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FunctionExtras.h"

namespace relay {

/// The output, diagnostics and counts of one piece of parallel work, until its
/// turn comes.
class DeferredOutput {
public:
  using Action = llvm::unique_function<void()>;

  /// Returns the DeferredOutput in which this thread collects, or null.
  static DeferredOutput *getCurrent() { return Current; }

  /// Makes this thread collect in \p Output until the end of the scope.
  class Scope {
  public:
    explicit Scope(DeferredOutput &Output) {
      assert(!Current && "output is deferred already");
      Current = &Output;
    }
    ~Scope() { Current = nullptr; }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
  };

  void write(raw_ostream &OS, StringRef Text);
  void report(DiagnosticEngine &Engine, const Diagnostic &D);
  void add(Action A);
  /// Performs everything collected, in its original order.
  void flush();
  /// Writes all texts, of dumps and of diagnostics, to \p File, with functions
  /// allowed in a crash handler.
  void writeAfterCrash(int File) const;

private:
  /// Text for a stream, or an action, possibly with the text of a diagnostic.
  struct Entry {
    raw_ostream *OS = nullptr;
    std::string Text;
    Action A;
  };
  std::vector<Entry> Entries;

  static thread_local DeferredOutput *Current;
};

/// A stream that forwards to another one in order. It is unbuffered, and
/// several threads may write to it at once.
class OrderedStream final : public raw_ostream {
public:
  explicit OrderedStream(raw_ostream &OS)
      : raw_ostream(/*unbuffered=*/true), OS(OS) {}

private:
  void write_impl(const char *Text, size_t Size) override;
  uint64_t current_pos() const override { return OS.tell(); }

  raw_ostream &OS;
};

/// Calls \p A, now or when the output of this thread's task is flushed. Calls
/// run one at a time.
void runInOrder(DeferredOutput::Action A);

/// State that callbacks keep from the begin of an event to its end: a StateT
/// for each address, of a run of a pass (&Run) or of a unit
/// (IRUnit::getOpaque()). Several threads may call it concurrently, each for
/// its own address.
template <typename StateT> class StateMap {
public:
  /// Returns the state of \p Key, creating it if needed; its address is stable.
  StateT &operator[](const void *Key) {
    std::lock_guard<std::mutex> Guard(Lock);
    std::unique_ptr<StateT> &State = States[Key];
    if (!State)
      State = std::make_unique<StateT>();
    return *State;
  }
  /// Removes the state of \p Key and returns it; null if there is none.
  std::unique_ptr<StateT> take(const void *Key) {
    std::lock_guard<std::mutex> Guard(Lock);
    auto Found = States.find(Key);
    if (Found == States.end())
      return nullptr;
    std::unique_ptr<StateT> State = std::move(Found->second);
    States.erase(Found);
    return State;
  }

private:
  std::mutex Lock;
  llvm::DenseMap<const void *, std::unique_ptr<StateT>> States;
};

} // namespace relay

#endif // RELAY_SUPPORT_ORDEREDOUTPUT_H
