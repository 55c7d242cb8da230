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
// The list sorts passes by the time spent in them and not in what runs inside;
// it also has the user and system time of processors.
// The tree is laid out as TVM's: `InferType: 8012us [8012us] (51.67%; 51.67%)`,
// total, self, share of all, share of what it runs in, indented by tabs. The
// JSON has the same figures, exactly.
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

  /// One pass in its place in the pipeline.
  struct Node {
    std::string Name;
    Node *Parent = nullptr;
    Duration Elapsed{}; ///< from begin to end
    ProcessorTime Processor;
    unsigned Runs = 0;
    std::vector<Node *> Children;

    /// With what runs inside: the time elapsed or, if passes inside ran on
    /// several threads, all that these spent.
    Duration getTotal() const;
    /// Without what runs inside.
    Duration getSelf() const;
    /// The same of processors.
    ProcessorTime getTotalProcessor() const;
    ProcessorTime getSelfProcessor() const;
  };

  PassTiming(const Options &Opts, const InstrumentationSetup &);
  /// Times are those of all modules.
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
  /// The root, which is no pass: its children are what runs on its own.
  const Node &getRoot() const { return Nodes.front(); }
  /// The node of a sweep (PassRun::getSweep()) of the present pipeline of which
  /// a run has ended. Callbacks at the end of a run that were registered before
  /// these may ask, and what they call by runInOrder().
  const Node &getNode(unsigned Sweep) const { return *BySweep.at(Sweep); }
  /// Writes the report in the format of the options.
  void print(raw_ostream &OS) const;

private:
  void start(const PassRun &Run);
  void stop(const PassRun &Run);
  std::string makeName(StringRef Pass, StringRef Unit);
  Node &addNode(std::string Name, unsigned OuterSweep);

  void printList(raw_ostream &OS) const;
  void printTree(raw_ostream &OS) const;
  void printJSON(raw_ostream &OS) const;

  const Options &Opts;
  std::deque<Node> Nodes; ///< of all modules
  /// Of this module; of 0 the root.
  llvm::DenseMap<unsigned, Node *> BySweep;
  llvm::StringMap<unsigned> NumRuns; ///< by name, for names of runs
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PASSTIMING_H
