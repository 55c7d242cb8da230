//===- PassTiming.h - Time of passes ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -time-passes and related flags. Times are kept as a tree with a node for each
// position of a pass, so that groups count their own time. The runs of a pass
// on the functions of a module share one node, also if they ran in parallel, or
// have a node each (-time-passes-per-run).
//
// The list sorts passes by the time spent in them, without nested passes; it
// also has user and system time. The tree has TVM's format: `InferType: 8012us
// [8012us] (51.67%; 51.67%)`: total, self, share of the total, share of the
// enclosing pass, indented by tabs. The JSON has the same figures in full
// precision.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_PASSTIMING_H
#define RELAY_INSTRUMENTATION_REPORTS_PASSTIMING_H

#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Support/OrderedOutput.h"
#include <deque>

namespace relay {

enum class PassTimingFormat : uint8_t { List, Tree, JSON };

struct PassTimingOptions : InstrumentationOptions {
  PassTimingOptions() = default;
  explicit PassTimingOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Time and reports") {}

  Flag<bool> Enabled{*this, "-time-passes", "Report the time of each pass"};
  Flag<PassTimingFormat> Format{
      *this, "-time-passes-format", "Report the time of each pass, as",
      flag::OneOf<PassTimingFormat>{
          {"list", PassTimingFormat::List, "a list by time (the default)"},
          {"tree", PassTimingFormat::Tree, "TVM's nested profile"},
          {"json", PassTimingFormat::JSON, "the tree as JSON"}}};
  /// A row for each run of a pass, named `InferType #2 on @main`.
  Flag<bool> PerRun{*this, "-time-passes-per-run",
                    "Report the time of each run of a pass"};

  bool isEnabled() const override {
    bool IsOff = Enabled.isGiven() && !Enabled;
    return !IsOff && (Enabled || PerRun || Format.isGiven());
  }
};

class PassTiming final : public Instrumentation {
public:
  using Options = PassTimingOptions;
  static constexpr StringLiteral Name = "time-passes";

  using Duration = PassRun::Clock::duration;

  /// One pass at its position in the pipeline.
  struct Node {
    std::string Name;
    Node *Parent = nullptr;
    Duration Elapsed{}; ///< from begin to end
    ProcessorTime Processor;
    unsigned Runs = 0;
    std::vector<Node *> Children;
    /// The first child of this module that addNode() examines.
    size_t NextChild = 0;

    /// Returns the time including nested passes: the elapsed time or, if nested
    /// passes ran on several threads, the sum of the threads' times.
    Duration getTotal() const;
    /// Returns the time without nested passes.
    Duration getSelf() const;
    /// Returns the processor time.
    ProcessorTime getTotalProcessor() const;
    ProcessorTime getSelfProcessor() const;
  };

  PassTiming(const Options &Opts, const InstrumentationSetup &);
  /// Times are summed over all modules.
  void takeOver(Instrumentation &Previous) override;
  void registerCallbacks(PassContext &PC) override;
  StringRef getJSONFlag() const override {
    return Opts.Format == PassTimingFormat::JSON ? "-time-passes-format=json"
                                                 : "";
  }
  llvm::Error report(raw_ostream &OS, const ModulePassManager &,
                     bool /*Failed*/) override {
    print(OS);
    return llvm::Error::success();
  }
  /// The root, which is not a pass; its children are the top-level passes.
  const Node &getRoot() const { return Nodes.front(); }
  /// Returns the node of a sweep (PassRun::getSweep()) of the current pipeline
  /// that has an ended run. May be called by callbacks at the end of a run that
  /// were registered before this object's, and from their calls of
  /// runInOrder().
  const Node &getNode(unsigned Sweep) const { return *BySweep.at(Sweep); }
  /// Writes the report in the format of the options.
  void print(raw_ostream &OS) const;

private:
  void start(const PassRun &Run);
  void stop(const PassRun &Run);
  std::string makeName(StringRef Pass, StringRef Unit);
  Node &addNode(std::string Name, unsigned OuterSweep);
  Node *findNode(StringRef Name, Node &Parent) const;

  void printList(raw_ostream &OS) const;
  void printTree(raw_ostream &OS) const;
  void printJSON(raw_ostream &OS) const;

  const Options &Opts;
  std::deque<Node> Nodes; ///< of all modules
  /// Nodes of this module; 0 is the root.
  llvm::DenseMap<unsigned, Node *> BySweep;
  llvm::StringMap<unsigned> NumRuns; ///< by name, for names of runs
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PASSTIMING_H
