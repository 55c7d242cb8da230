//===- RunProgress.h - What a long evaluation is doing ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a terminal, an evaluation of more than a second shows one line that is
// rewritten: `12 of 345 operations, nn.conv2d in layer 'conv1', 2.3 s`.
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

  /// Shows an evaluation of \p M, which is told about as to a listener.
  void start(Module &M);
  void stop();

  /// The stream in front of the terminal's for whatever else is written.
  raw_ostream &getStream() { return Line.getStream(); }
  void beforeOperator(const Operation &Op, const OpInfo &Info) override;

private:
  bool print(raw_ostream &OS) const;

  Context &Ctx;
  /// The operators of the module, each once: what runs, where nothing repeats.
  uint64_t NumOperators = 0;
  std::atomic<uint64_t> NumDone{0};
  std::atomic<const Operation *> Current{nullptr};
  std::atomic<const OpInfo *> CurrentInfo{nullptr};
  StatusLineOptions Options;
  /// The last member: its thread stops before what it prints goes.
  StatusLine Line;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNPROGRESS_H
