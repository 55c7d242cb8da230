//===- RunProgress.h - Progress of a long evaluation ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a terminal, an evaluation of more than a second displays one line that is
// updated: `12 of 345 operations, nn.conv2d in layer 'conv1', 2.3 s`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_RUNPROGRESS_H
#define RELAY_LIB_DRIVER_RUN_RUNPROGRESS_H

#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Support/StatusLine.h"
#include <atomic>

namespace relay {

class RunProgress final : public EvaluationListener {
public:
  RunProgress(Context &Ctx, raw_ostream &OS);

  /// Displays an evaluation of \p M, which notifies this object as a listener.
  void start(Module &M);
  void stop();

  /// Returns a stream for other output to the terminal, which keeps the line
  /// intact.
  raw_ostream &getStream() { return Line.getStream(); }
  void beforeOperator(const Operation &Op, const OpInfo &Info) override;

private:
  bool print(raw_ostream &OS) const;

  Context &Ctx;
  /// The number of operators in the module; the number of evaluated operators
  /// if none is repeated.
  uint64_t NumOperators = 0;
  std::atomic<uint64_t> NumDone{0};
  std::atomic<const Operation *> Current{nullptr};
  std::atomic<const OpInfo *> CurrentInfo{nullptr};
  StatusLineOptions Options;
  /// The last member, so that its thread stops before the members that it
  /// prints are destroyed.
  StatusLine Line;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNPROGRESS_H
