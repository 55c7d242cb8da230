//===- Bisect.h - The first bad pass and rewrite ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -bisect[=COMMAND]: finds the first pass of a pipeline, and of that the first
// rewrite, that breaks the input, and shows what it changed.
//
// Broken is what crashes, what fails (a pass, the verifier) and, with a
// COMMAND, what that does not accept: it is run by the shell with the IR in a
// file whose name stands for `{}` or, where there is none, behind it, and an
// exit status other than 0 says that the IR is broken. What takes too long, the
// candidate or the COMMAND, is broken, too. Each candidate runs in a process of
// its own, made by fork. Both searches halve, and so take for
// granted, as all bisection does, that what is broken stays so.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_BISECT_H
#define RELAY_LIB_DRIVER_OPT_BISECT_H

#include "relay/IR/Module.h"
#include "relay/Instrumentation/Control/BisectGate.h"
#include "llvm/Support/Error.h"

namespace relay {

/// All candidates are good.
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

  /// \p Command is empty for none. \p Timeout is in seconds.
  Bisect(Module &M, RunFn Run, StringRef Command, unsigned Timeout)
      : M(M), Run(Run), Command(Command), Timeout(Timeout) {}

  /// Searches and writes what it found to \p OS. A NothingBrokenError if there
  /// is nothing to find; another error if the input is broken or a candidate
  /// cannot be run.
  llvm::Error run(raw_ostream &OS);

private:
  /// How one candidate ended.
  struct Outcome {
    /// Why it is broken; empty if it is not.
    std::string Reason;
    BisectProgress Progress;
    /// Its IR as a dump; empty if it did not get so far.
    std::string Text;
  };

  llvm::Expected<Outcome> tryOut(BisectLimit Limit) const;
  std::string describeTimeout() const;
  llvm::Error judge(Outcome &Result, StringRef Module) const;
  llvm::Expected<Outcome>
  findFirstBad(uint64_t Good, uint64_t &Bad, Outcome OfBad,
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
