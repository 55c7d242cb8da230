//===- PassTiming.h - How long each pass takes ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -time-passes. Times are kept as a tree, a node a pass in its place, so that
// groups count what they spend themselves; runs of a pass on the functions of
// a module add up in one node.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_PASSTIMING_H
#define RELAY_INSTRUMENTATION_PASSTIMING_H

#include "relay/Pass/PassInstrumentation.h"
#include "llvm/Support/CommandLine.h"
#include <chrono>
#include <deque>

namespace relay {

struct PassTimingOptions {
  bool Enabled = false;
};

/// The flags of PassTimingOptions.
struct PassTimingFlags {
  explicit PassTimingFlags(PassTimingOptions &Options);
  llvm::cl::opt<bool, true> Enabled;
};

class PassTiming {
public:
  using Clock = std::chrono::steady_clock;

  /// One pass in its place in the pipeline.
  struct Node {
    const Pass *P = nullptr;
    StringRef Name;
    Node *Parent = nullptr;
    Clock::duration Total{}; ///< with what runs inside
    unsigned Runs = 0;
    std::vector<Node *> Children;

    Clock::duration getSelf() const;
  };

  PassTiming();
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// The root, which is no pass: its children are what runs on its own.
  const Node &getRoot() const { return Nodes.front(); }
  /// A row a pass, by the time spent in it and not in what runs inside.
  void printList(raw_ostream &OS) const;

private:
  void start(const Pass &P, IRUnit Unit);
  void stop(const Pass &P);

  std::deque<Node> Nodes;
  Node *Current;
  /// When each node from the root to Current was entered.
  SmallVector<Clock::time_point, 8> Starts;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_PASSTIMING_H
