//===- PassTiming.cpp - How long each pass takes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flags and the measuring; PassTimingReport.cpp writes the reports.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/PassTiming.h"
#include "relay/Pass/Pass.h"

using namespace relay;
namespace cl = llvm::cl;

PassTimingFlags::PassTimingFlags(PassTimingOptions &O)
    : Enabled("time-passes", cl::location(O.Enabled),
              cl::desc("Report how long each pass took")),
      Format(
          "time-passes-format", cl::location(O.Format),
          cl::value_desc("list|tree|json"),
          cl::desc("Report how long each pass took, as"),
          cl::values(
              clEnumValN(PassTimingFormat::List, "list",
                         "a list by time (the default)"),
              clEnumValN(PassTimingFormat::Tree, "tree",
                         "TVM's nested profile"),
              clEnumValN(PassTimingFormat::JSON, "json", "the tree as JSON")),
          cl::callback([&O](const PassTimingFormat &) { O.Enabled = true; })),
      PerRun("time-passes-per-run", cl::location(O.PerRun),
             cl::desc("Report how long each run of a pass took"),
             cl::callback([&O](const bool &On) { O.Enabled |= On; })) {}

PassTiming::Clock::duration PassTiming::Node::getTotal() const {
  Clock::duration Inside{};
  for (const Node *Child : Children)
    Inside += Child->getTotal();
  return std::max(Elapsed, Inside);
}

PassTiming::Clock::duration PassTiming::Node::getSelf() const {
  Clock::duration Self = getTotal();
  for (const Node *Child : Children)
    Self -= Child->getTotal();
  return Self;
}

PassTiming::PassTiming(const PassTimingOptions &Options) : Options(Options) {
  Nodes.emplace_back();
  Current = &Nodes.front();
}

PassTiming::Node &PassTiming::addNode(const Pass &P, IRUnit Unit) {
  Node &N = Nodes.emplace_back();
  N.P = &P;
  N.Name = P.getName();
  if (Options.PerRun)
    N.Name +=
        " #" + std::to_string(++NumRuns[P.getName()]) + " on " + Unit.getName();
  N.Parent = Current;
  N.FirstUnit = Unit.getOpaque();
  Current->Children.push_back(&N);
  return N;
}

PassTiming::Node &PassTiming::getNodeOnFunctions(const Pass &P, IRUnit Unit) {
  if (Options.PerRun)
    return addNode(P, Unit);
  size_t First = Current == &Nodes.front() ? FirstOfPipeline : 0;
  auto Siblings = ArrayRef(Current->Children).drop_front(First);
  auto Last = llvm::find_if(llvm::reverse(Siblings),
                            [&](const Node *N) { return N->P == &P; });
  // The first function once more: another run over the module.
  if (Last == Siblings.rend() || (*Last)->FirstUnit == Unit.getOpaque())
    return addNode(P, Unit);
  return **Last;
}

void PassTiming::pause() {
  if (!DeferredOutput::getCurrent())
    PausedSince = Clock::now();
}

void PassTiming::resume() {
  if (DeferredOutput::getCurrent() || !PausedSince)
    return;
  Paused += Clock::now() - *PausedSince;
  PausedSince.reset();
}

void PassTiming::start(const Pass &P, IRUnit Unit) {
  resume();
  if (Unit.getAsFunction()) {
    FunctionStarts[Unit.getOpaque()] = Clock::now();
    return;
  }
  Current = &addNode(P, Unit);
  Starts.push_back(Clock::now() - Paused);
}

void PassTiming::stop(const Pass &P, IRUnit Unit) {
  Clock::time_point Now = Clock::now();
  pause();
  if (Unit.getAsFunction()) {
    Clock::duration Elapsed = Now - FunctionStarts[Unit.getOpaque()];
    runInOrder([this, &P, Unit, Elapsed] {
      Node &N = getNodeOnFunctions(P, Unit);
      N.Elapsed += Elapsed;
      ++N.Runs;
      LastFinished = &N;
    });
    return;
  }
  assert(Current->P == &P && "passes do not nest");
  Current->Elapsed += Now - Paused - Starts.pop_back_val();
  ++Current->Runs;
  LastFinished = Current;
  Current = Current->Parent;
}

void PassTiming::registerFirst(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const Pass &, IRUnit) { pause(); });
}

void PassTiming::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.registerEnterPassContextCallback(
      [this](PassContext &) { FirstOfPipeline = getRoot().Children.size(); });
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const Pass &P, IRUnit Unit) { start(P, Unit); });
  PIC.registerAfterPassCallback(
      [this](const Pass &P, IRUnit Unit, const PreservedAnalyses &) {
        stop(P, Unit);
        return success();
      },
      /*ToFront=*/true);
  PIC.registerAfterPassCallback(
      [this](const Pass &, IRUnit, const PreservedAnalyses &) {
        resume();
        return success();
      });
  PIC.registerAfterPassFailedCallback(
      [this](const Pass &P, IRUnit Unit) { stop(P, Unit); });
}
