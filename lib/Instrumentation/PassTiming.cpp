//===- PassTiming.cpp - How long each pass takes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassTiming.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/PassTiming.h"
#include "relay/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

using namespace relay;

PassTimingFlags::PassTimingFlags(PassTimingOptions &Options)
    : Enabled("time-passes", llvm::cl::location(Options.Enabled),
              llvm::cl::desc("Report how long each pass took")) {}

PassTiming::Clock::duration PassTiming::Node::getSelf() const {
  Clock::duration Self = Total;
  for (const Node *Child : Children)
    Self -= Child->Total;
  return Self;
}

PassTiming::PassTiming() {
  Nodes.emplace_back();
  Current = &Nodes.front();
}

/// The node of \p P below \p Parent for a further function, if there is one.
static PassTiming::Node *findNode(const PassTiming::Node &Parent,
                                  const Pass &P) {
  auto Found = llvm::find_if(Parent.Children, [&](const PassTiming::Node *N) {
    return N->P == &P && N->Name == P.getName();
  });
  return Found == Parent.Children.end() ? nullptr : *Found;
}

void PassTiming::start(const Pass &P, IRUnit Unit) {
  Node *N = Unit.getAsFunction() ? findNode(*Current, P) : nullptr;
  if (!N) {
    N = &Nodes.emplace_back();
    N->P = &P;
    N->Name = P.getName();
    N->Parent = Current;
    Current->Children.push_back(N);
  }
  Current = N;
  Starts.push_back(Clock::now());
}

void PassTiming::stop(const Pass &P) {
  assert(Current->P == &P && "passes do not nest");
  (void)P;
  Current->Total += Clock::now() - Starts.pop_back_val();
  ++Current->Runs;
  Current = Current->Parent;
}

void PassTiming::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeNonSkippedPassCallback(
      [this](const Pass &P, IRUnit Unit) { start(P, Unit); });
  PIC.registerAfterPassCallback(
      [this](const Pass &P, IRUnit, const PreservedAnalyses &) {
        stop(P);
        return success();
      },
      /*ToFront=*/true);
  PIC.registerAfterPassFailedCallback(
      [this](const Pass &P, IRUnit) { stop(P); });
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

static double getSeconds(PassTiming::Clock::duration D) {
  return std::chrono::duration<double>(D).count();
}

namespace {
struct Row {
  StringRef Name;
  PassTiming::Clock::duration Time{};
  unsigned Runs = 0;
};
} // namespace

static void printRow(const Row &R, double All, raw_ostream &OS) {
  double Seconds = getSeconds(R.Time);
  OS << llvm::format("  %10.6f (%5.1f%%)", Seconds,
                     All > 0 ? 100 * Seconds / All : 0.0);
  if (R.Runs)
    OS << llvm::format("  %8u", R.Runs);
  else
    OS.indent(10);
  OS << "  " << R.Name << '\n';
}

void PassTiming::printList(raw_ostream &OS) const {
  llvm::MapVector<StringRef, Row> Rows;
  Row All{"Total"};
  for (const Node &N : llvm::drop_begin(Nodes)) {
    Row &R = Rows[N.Name];
    R.Name = N.Name;
    R.Time += N.getSelf();
    R.Runs += N.Runs;
    All.Time += N.getSelf();
  }
  auto Sorted = Rows.takeVector();
  llvm::sort(Sorted, [](const auto &A, const auto &B) {
    return std::tuple(B.second.Time, A.first) <
           std::tuple(A.second.Time, B.first);
  });
  std::string Rule = "===" + std::string(73, '-') + "===\n";
  OS << Rule;
  OS.indent(24) << "Pass execution timing report\n" << Rule;
  double Seconds = getSeconds(All.Time);
  OS << llvm::format("  Total Execution Time: %.6f seconds\n\n", Seconds);
  OS << "   ----Wall Time----    --Runs--  --- Name ---\n";
  for (const auto &[Name, R] : Sorted)
    printRow(R, Seconds, OS);
  printRow(All, Seconds, OS);
  OS << '\n';
}
