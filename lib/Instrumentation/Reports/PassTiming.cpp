//===- PassTiming.cpp - Times of passes -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flags and measurement; PassTimingReport.cpp writes the reports.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassTiming.h"

using namespace relay;

PassTiming::Duration PassTiming::Node::getTotal() const {
  Duration Inside{};
  for (const Node *Child : Children)
    Inside += Child->getTotal();
  return std::max(Elapsed, Inside);
}

PassTiming::Duration PassTiming::Node::getSelf() const {
  Duration Self = getTotal();
  for (const Node *Child : Children)
    Self -= Child->getTotal();
  return Self;
}

ProcessorTime PassTiming::Node::getTotalProcessor() const {
  ProcessorTime Inside;
  for (const Node *Child : Children)
    Inside += Child->getTotalProcessor();
  return {std::max(Processor.User, Inside.User),
          std::max(Processor.System, Inside.System)};
}

ProcessorTime PassTiming::Node::getSelfProcessor() const {
  ProcessorTime Self = getTotalProcessor();
  for (const Node *Child : Children)
    Self -= Child->getTotalProcessor();
  return Self;
}

PassTiming::PassTiming(const Options &Opts, const InstrumentationSetup &)
    : Opts(Opts) {
  BySweep[0] = &Nodes.emplace_back();
}

void PassTiming::takeOver(Instrumentation &Previous) {
  auto &Old = static_cast<PassTiming &>(Previous);
  Nodes = std::move(Old.Nodes); // their addresses are unchanged
  NumRuns = std::move(Old.NumRuns);
  BySweep[0] = &Nodes.front();
  for (Node &N : Nodes)
    N.NextChild = 0;
}

/// Returns the node that an earlier module has for the next run of the pass \p
/// Name in \p Parent; null if there is none, or if each run has a node.
PassTiming::Node *PassTiming::findNode(StringRef Name, Node &Parent) const {
  if (!Opts.isEnabled() || Opts.PerRun) // not a report of sums
    return nullptr;
  auto From = Parent.Children.begin() + Parent.NextChild;
  auto Found = std::find_if(From, Parent.Children.end(),
                            [&](Node *N) { return N->Name == Name; });
  if (Found == Parent.Children.end())
    return nullptr;
  Parent.NextChild = Found - Parent.Children.begin() + 1;
  return *Found;
}

PassTiming::Node &PassTiming::addNode(std::string Name, unsigned OuterSweep) {
  Node &Parent = *BySweep.at(OuterSweep);
  if (Node *Known = findNode(Name, Parent))
    return *Known;
  Node &N = Nodes.emplace_back();
  N.Name = std::move(Name);
  N.Parent = &Parent;
  Parent.Children.push_back(&N);
  Parent.NextChild = Parent.Children.size();
  return N;
}

/// Returns `InferType`, or `InferType #2 on @main`.
std::string PassTiming::makeName(StringRef Pass, StringRef Unit) {
  if (!Opts.PerRun)
    return Pass.str();
  return (Pass + " #" + Twine(++NumRuns[Pass]) + " on " + Unit).str();
}

/// Creates the node of a run on a module before the nodes of the runs inside.
void PassTiming::start(const PassRun &Run) {
  if (!Run.getUnit().getAsModule())
    return;
  Node &N =
      addNode(makeName(Run.getName(), IRUnit::ModuleName), Run.getOuterSweep());
  BySweep[Run.getSweep()] = &N;
}

void PassTiming::stop(const PassRun &Run) {
  bool IsRow = Opts.PerRun && Run.getUnit().getAsFunction();
  runInOrder([this, IsRow, Pass = Run.getName(), Sweep = Run.getSweep(),
              Unit = IsRow ? Run.getUnit().getName() : "",
              OuterSweep = Run.getOuterSweep(), Elapsed = Run.getElapsed(),
              Processor = Run.getProcessorTime()] {
    Node *&N = BySweep[Sweep];
    if (!N || IsRow)
      N = &addNode(makeName(Pass, Unit), OuterSweep);
    N->Elapsed += Elapsed;
    N->Processor += Processor;
    ++N->Runs;
  });
}

void PassTiming::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  if (Opts.isEnabled())
    PIC.requireProcessorTimes();
  else // for a report
    PIC.requireTimes();
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const PassRun &Run) { start(Run); });
  PIC.registerEndPassCallback([this](const PassRun &Run) { stop(Run); });
}
