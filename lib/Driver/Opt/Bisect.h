//===- Bisect.h - The first bad pass and rewrite ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -bisect[=COMMAND]: finds the first pass of a pipeline, and the first rewrite
// of that pass, that breaks the input, and prints its changes.
//
// A candidate is broken if it crashes, if a pass or the verifier fails, or if
// COMMAND rejects it. COMMAND is run by the shell with the IR in a file; the
// name of the file replaces `{}` or is appended. A nonzero exit status means
// that the IR is broken. A candidate or COMMAND that exceeds the time limit is
// broken, too. Each candidate runs in a forked process. Both searches are
// binary and assume that later candidates stay broken.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_BISECT_H
#define RELAY_LIB_DRIVER_OPT_BISECT_H

#include "relay/IR/Module.h"
#include "relay/Instrumentation/Control/BisectGate.h"
#include "llvm/Support/Error.h"

namespace relay {

/// Reports that all candidates are good.
class NothingBrokenError
    : public llvm::ErrorInfo<NothingBrokenError, llvm::StringError> {
public:
  static char ID;
  explicit NothingBrokenError(const Twine &Message)
      : ErrorInfo(Message, llvm::inconvertibleErrorCode()) {}
};

class Bisect {
public:
  /// Runs the pipeline on \p M with the gate's callbacks and verifies the
  /// result. Called in a process that ends afterwards.
  using RunFn = function_ref<LogicalResult(Module &M, BisectGate &Gate)>;

  /// \p Command is empty if there is none. \p Timeout is in seconds.
  Bisect(Module &M, RunFn Run, StringRef Command, unsigned Timeout)
      : M(M), Run(Run), Command(Command), Timeout(Timeout) {}

  /// Searches and prints the result to \p OS. Returns a NothingBrokenError if
  /// all candidates are good, and another error if the input is broken or a
  /// candidate cannot be run.
  llvm::Error run(raw_ostream &OS);

private:
  /// The outcome of a candidate.
  struct Outcome {
    /// The reason why it is broken; empty if it is good.
    std::string Reason;
    BisectProgress Progress;
    /// A dump of its IR; empty if the run ended before.
    std::string Text;
  };

  llvm::Expected<Outcome> tryOut(BisectLimit Limit) const;
  std::string describeTimeout() const;
  llvm::Error judge(Outcome &Result, StringRef Module) const;
  llvm::Expected<Outcome>
  findFirstBad(uint64_t Good, uint64_t &Bad, Outcome BadOutcome,
               function_ref<BisectLimit(uint64_t)> GetLimit) const;
  llvm::Error searchPass(uint64_t N, Outcome BadPass, raw_ostream &OS) const;
  llvm::Error printChange(const Outcome &Bad, BisectLimit BeforeBad,
                          raw_ostream &OS) const;

  Module &M;
  RunFn Run;
  StringRef Command;
  unsigned Timeout;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_BISECT_H
