//===- PassTiming.h - How long each pass takes ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -time-passes and what belongs to it. Times are kept as a tree, a node a pass
// in its place, so that groups count what they spend themselves; runs of a pass
// on the functions of a module add up in one node, also when several threads
// ran at once, or have a node each (-time-passes-per-run).
//
// The list sorts passes by the time spent in them and not in what runs inside.
// The tree is laid out as TVM's: `InferType: 8012us [8012us] (51.67%; 51.67%)`,
// total, self, share of all, share of what it runs in, indented by tabs. The
// JSON has the same figures, exactly.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_PASSTIMING_H
#define RELAY_INSTRUMENTATION_PASSTIMING_H

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/Support/CommandLine.h"
#include <chrono>
#include <deque>
#include <optional>

namespace relay {

enum class PassTimingFormat : uint8_t { List, Tree, JSON };

struct PassTimingOptions {
  bool Enabled = false;
  PassTimingFormat Format = PassTimingFormat::List;
  /// A row for each run of a pass, named `InferType #2 on @main`.
  bool PerRun = false;
};

struct PassTimingFlags {
  explicit PassTimingFlags(PassTimingOptions &Options);
  llvm::cl::opt<bool, true> Enabled;
  llvm::cl::opt<PassTimingFormat, true> Format;
  llvm::cl::opt<bool, true> PerRun;
};

class PassTiming {
public:
  using Clock = std::chrono::steady_clock;

  /// One pass in its place in the pipeline.
  struct Node {
    const Pass *P = nullptr;
    std::string Name;
    Node *Parent = nullptr;
    Clock::duration Elapsed{}; ///< from begin to end
    unsigned Runs = 0;
    std::vector<Node *> Children;
    /// The unit that it ran on first.
    const void *FirstUnit = nullptr;

    /// With what runs inside: the time elapsed or, if passes inside ran on
    /// several threads, all that these spent.
    Clock::duration getTotal() const;
    /// Without what runs inside.
    Clock::duration getSelf() const;
  };

  explicit PassTiming(const PassTimingOptions &Options);
  /// Called before other callbacks are registered, so that what these spend
  /// between the passes of a group does not count as the group's.
  void registerFirst(PassInstrumentationCallbacks &PIC);
  /// Called when the others are registered.
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// The root, which is no pass: its children are what runs on its own.
  const Node &getRoot() const { return Nodes.front(); }
  /// The pass that has ended last: in callbacks after a pass, and in what they
  /// call by runInOrder(), that pass.
  const Node &getLastFinished() const { return *LastFinished; }
  /// Writes the report in the format of the options.
  void print(raw_ostream &OS) const;

private:
  void start(const Pass &P, IRUnit Unit);
  void stop(const Pass &P, IRUnit Unit);
  /// Begin and end of what callbacks do before and after a pass. Only the
  /// thread that runs groups counts it.
  void pause();
  void resume();
  Node &addNode(const Pass &P, IRUnit Unit);
  /// The node below Current where a run of \p P on the function \p Unit counts.
  Node &getNodeOnFunctions(const Pass &P, IRUnit Unit);

  void printList(raw_ostream &OS) const;
  void printTree(raw_ostream &OS) const;
  void printJSON(raw_ostream &OS) const;

  const PassTimingOptions &Options;
  std::deque<Node> Nodes;
  /// The pass on the module that is running.
  Node *Current;
  const Node *LastFinished = nullptr;
  /// When each node from the root to Current was entered, less Paused then.
  SmallVector<Clock::time_point, 8> Starts;
  /// What callbacks have spent so far, and since when they run, if they do.
  Clock::duration Paused{};
  std::optional<Clock::time_point> PausedSince;
  /// Where the pipeline that is running begins among the root's children.
  size_t FirstOfPipeline = 0;
  UnitStates<Clock::time_point> FunctionStarts;
  llvm::StringMap<unsigned> NumRuns; ///< by name, for names of runs
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_PASSTIMING_H
