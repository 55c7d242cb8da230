//===- PassTimingReport.cpp - Reports of the times of passes --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list, the tree and the JSON of PassTiming.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassTiming.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace relay;
using Duration = PassTiming::Duration;

static double getSeconds(Duration D) {
  return std::chrono::duration<double>(D).count();
}

/// Returns \p Part of \p Whole in percent; 0 if Whole is 0.
static double getShare(Duration Part, Duration Whole) {
  return Whole.count() > 0 ? 100.0 * Part.count() / Whole.count() : 0;
}

void PassTiming::print(raw_ostream &OS) const {
  switch (Opts.Format) {
  case PassTimingFormat::List:
    return printList(OS);
  case PassTimingFormat::Tree:
    return printTree(OS);
  case PassTimingFormat::JSON:
    return printJSON(OS);
  }
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

namespace {
struct Row {
  StringRef Name;
  Duration Time{};
  ProcessorTime Processor;
  unsigned Runs = 0;

  void add(const PassTiming::Node &N) {
    Time += N.getSelf();
    Processor += N.getSelfProcessor();
  }
};
} // namespace

static void printTime(Duration Part, Duration All, raw_ostream &OS) {
  // Differences between measurements of different clocks may be negative.
  Part = std::max(Part, Duration());
  OS << llvm::format("  %9.6f (%5.1f%%)", getSeconds(Part),
                     getShare(Part, All));
}

static void printRow(const Row &R, const Row &All, raw_ostream &OS) {
  ProcessorTime P = R.Processor, Whole = All.Processor;
  printTime(P.User, Whole.User, OS);
  printTime(P.System, Whole.System, OS);
  printTime(P.User + P.System, Whole.User + Whole.System, OS);
  printTime(R.Time, All.Time, OS);
  if (R.Runs)
    OS << llvm::format("  %8u", R.Runs);
  else
    OS.indent(10);
  OS << "  " << R.Name << '\n';
}

void PassTiming::printList(raw_ostream &OS) const {
  if (Nodes.size() == 1)
    return; // no pass has run here, but perhaps in other processes
  llvm::MapVector<StringRef, Row> Rows;
  Row All;
  All.Name = "Total";
  for (const Node &N : llvm::drop_begin(Nodes)) {
    Row &R = Rows[N.Name];
    R.Name = N.Name;
    R.add(N);
    R.Runs += N.Runs;
    All.add(N);
  }
  auto Sorted = Rows.takeVector();
  llvm::sort(Sorted, [](const auto &A, const auto &B) {
    return std::tuple(B.second.Time, A.first) <
           std::tuple(A.second.Time, B.first);
  });
  std::string Rule = "===" + std::string(73, '-') + "===\n";
  OS << Rule;
  OS.indent(24) << "Pass execution timing report\n" << Rule;
  OS << llvm::format(
      "  Total Execution Time: %.6f seconds (%.6f wall clock)\n\n",
      getSeconds(All.Processor.User + All.Processor.System),
      getSeconds(All.Time));
  OS << "   ---User Time---     --System Time--     --User+System--"
        "     ---Wall Time---    --Runs--  --- Name ---\n";
  for (const auto &[Name, R] : Sorted)
    printRow(R, All, OS);
  printRow(All, All, OS);
  OS << '\n';
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

static long long getMicroseconds(Duration D) {
  return std::chrono::duration_cast<std::chrono::microseconds>(D).count();
}

static void printNode(const PassTiming::Node &N, unsigned Depth, Duration All,
                      raw_ostream &OS) {
  Duration Total = N.getTotal();
  OS << std::string(Depth, '\t') << N.Name
     << llvm::format(": %lldus [%lldus] (%.2f%%; %.2f%%)\n",
                     getMicroseconds(Total), getMicroseconds(N.getSelf()),
                     getShare(Total, All),
                     getShare(Total, N.Parent->getTotal()));
  for (const PassTiming::Node *Child : N.Children)
    printNode(*Child, Depth + 1, All, OS);
}

void PassTiming::printTree(raw_ostream &OS) const {
  for (const Node *N : getRoot().Children)
    printNode(*N, 0, getRoot().getTotal(), OS);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Writes a number with \p Digits digits after the point.
static void writeNumber(llvm::json::OStream &J, StringRef Key, double Number,
                        int Digits) {
  J.attributeBegin(Key);
  J.rawValue(
      [&](raw_ostream &OS) { OS << llvm::format("%.*f", Digits, Number); });
  J.attributeEnd();
}

static void writeTime(llvm::json::OStream &J, StringRef Key, Duration D) {
  writeNumber(J, Key, 1e6 * getSeconds(D), 3); // to the nanosecond
}

static void writeNodes(ArrayRef<PassTiming::Node *> Nodes, Duration All,
                       llvm::json::OStream &J);

static void writeNode(const PassTiming::Node &N, Duration All,
                      llvm::json::OStream &J) {
  Duration Total = N.getTotal();
  J.attribute("name", N.Name);
  J.attribute("runs", N.Runs);
  writeTime(J, "total_us", Total);
  writeTime(J, "self_us", N.getSelf());
  ProcessorTime Processor = N.getTotalProcessor();
  writeTime(J, "user_us", Processor.User);
  writeTime(J, "system_us", Processor.System);
  writeNumber(J, "percent", getShare(Total, All), 2);
  writeNumber(J, "percent_of_parent", getShare(Total, N.Parent->getTotal()), 2);
  writeNodes(N.Children, All, J);
}

static void writeNodes(ArrayRef<PassTiming::Node *> Nodes, Duration All,
                       llvm::json::OStream &J) {
  J.attributeArray("passes", [&] {
    for (const PassTiming::Node *N : Nodes)
      J.object([&] { writeNode(*N, All, J); });
  });
}

void PassTiming::printJSON(raw_ostream &OS) const {
  Duration All = getRoot().getTotal();
  llvm::json::OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("version", 1);
    writeTime(J, "total_us", All);
    writeNodes(getRoot().Children, All, J);
  });
  OS << '\n';
}
