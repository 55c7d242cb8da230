//===- PassReportWriter.cpp - The report as JSON and as a page ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/schemas/pass-report.schema.json describes the JSON. The page is
// Reports/PassReport/Page.html with the same JSON, which its script displays.
//
//===----------------------------------------------------------------------===//

#include "Reports/FormatReport/Writer.h"
#include "Reports/ReportPage.h"
#include "relay/Instrumentation/Reports/PassReport.h"
#include "relay/Pass/Pass.h"
#include "relay/Support/Version.h"
#include "llvm/Support/JSON.h"

using namespace relay;
namespace json = llvm::json;

/// Incremented by changes that break readers of older reports.
static constexpr int SchemaVersion = 1;
/// The maximum number of lines of diffs, divided among the passes.
static constexpr size_t MaxLines = 20000;

namespace {

class Writer {
public:
  Writer(const LineTable &Lines, size_t LinesPerPass, raw_ostream &OS,
         unsigned Indent)
      : Lines(Lines), J(OS, Indent), LinesPerPass(LinesPerPass) {}

  void write(StringRef Input, StringRef Pipeline,
             ArrayRef<PassReport::ModuleRecord> Modules, bool Failed);

private:
  void writeLimits();
  void writeModule(const PassReport::ModuleRecord &M);
  void writePass(const PassRecord &R);
  void writeMemory(const PassRecord &R);
  void writeOperations(const PassRecord &R);
  void writeChanges(const PassRecord &R);
  void writeChange(const FunctionDelta &C, size_t &LinesLeft);
  void writeHunk(const DiffHunk &H, size_t &LinesLeft);
  void writeText(StringRef Name, StringRef Text) {
    J.attribute(Name, json::fixUTF8(Text));
  }
  void writeCounts(StringRef Name,
                   const std::map<std::string, uint64_t> &Counts) {
    J.attributeObject(Name, [&] {
      for (const auto &[Key, Count] : Counts)
        writeSize(json::fixUTF8(Key), Count);
    });
  }
  void writeSize(StringRef Name, uint64_t Size) {
    J.attribute(Name, int64_t(Size));
  }

  const LineTable &Lines;
  json::OStream J;
  size_t LinesPerPass;
  unsigned NextId = 1;
  llvm::DenseMap<const PassRecord *, unsigned> Ids;
};

} // namespace

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Writes lines as in a unified diff, with a leading character.
void Writer::writeHunk(const DiffHunk &H, size_t &LinesLeft) {
  J.object([&] {
    writeSize("before", H.FirstBefore);
    writeSize("after", H.FirstAfter);
    J.attributeArray("lines", [&] {
      for (const DiffHunk::Line &L : H.Lines) {
        if (!LinesLeft)
          return;
        --LinesLeft;
        J.value(json::fixUTF8(char(L.Where) + Lines.getLine(L.Number).str()));
      }
    });
  });
}

static StringRef getName(FunctionDelta::Kind K) {
  switch (K) {
  case FunctionDelta::Kind::Changed:
    return "changed";
  case FunctionDelta::Kind::Added:
    return "added";
  case FunctionDelta::Kind::Removed:
    return "removed";
  case FunctionDelta::Kind::Definitions:
    return "definitions";
  }
  llvm_unreachable("unknown kind");
}

/// Returns the number of differing lines of \p C among the first \p MaxLines.
static size_t countDifferences(const FunctionDelta &C, size_t MaxLines) {
  size_t Count = 0;
  for (const DiffHunk &H : C.Hunks)
    for (const DiffHunk::Line &L : H.Lines) {
      if (!MaxLines--)
        return Count;
      Count += L.Where != DiffHunk::Side::Both;
    }
  return Count;
}

void Writer::writeChange(const FunctionDelta &C, size_t &LinesLeft) {
  J.object([&] {
    writeText("function", C.Name);
    J.attribute("kind", getName(C.K));
    writeSize("linesAdded", C.LinesAdded);
    writeSize("linesRemoved", C.LinesRemoved);
    writeSize("linesOmitted",
              C.LinesAdded + C.LinesRemoved - countDifferences(C, LinesLeft));
    J.attributeArray("hunks", [&] {
      for (const DiffHunk &H : C.Hunks)
        if (LinesLeft)
          writeHunk(H, LinesLeft);
    });
  });
}

void Writer::writeChanges(const PassRecord &R) {
  size_t LinesLeft = LinesPerPass;
  J.attributeArray("changes", [&] {
    for (const FunctionDelta &C : R.Changes)
      writeChange(C, LinesLeft);
  });
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Writes the changes of operator counts, the largest first.
void Writer::writeOperations(const PassRecord &R) {
  std::vector<std::pair<StringRef, int64_t>> Sorted(R.Operations.begin(),
                                                    R.Operations.end());
  llvm::stable_sort(Sorted, [](const auto &A, const auto &B) {
    return std::abs(A.second) > std::abs(B.second);
  });
  J.attributeObject("operations", [&] {
    writeSize("before", R.Before.Operations);
    writeSize("after", R.After.Operations);
    J.attributeObject("changes", [&] {
      for (auto [Name, Count] : Sorted)
        J.attribute(Name, Count);
    });
  });
}

void Writer::writeMemory(const PassRecord &R) {
  J.attributeObject("memory", [&] {
    writeSize("arenaBytesBefore", R.Before.ArenaBytes);
    writeSize("arenaBytesAfter", R.After.ArenaBytes);
    writeSize("peakBytes", R.PeakMemory);
  });
}

static StringRef getStatus(const PassRecord &R) {
  if (!R.FailedOn.empty())
    return "failed";
  switch (R.S) {
  case PassRecord::State::Skipped:
    return "skipped";
  case PassRecord::State::Unchanged:
    return "unchanged";
  case PassRecord::State::Changed:
    return "changed";
  }
  llvm_unreachable("unknown state");
}

static StringRef getKind(const PassInfo &Info) {
  if (Info.IsGroup)
    return "group";
  return Info.Unit == PassUnit::Module ? "module" : "function";
}

static int64_t getNanoseconds(PassTiming::Duration D) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(D).count();
}

/// The nesting of groups is that of the pipeline's text, which is small.
void Writer::writePass(const PassRecord &R) {
  J.object([&] {
    Ids[&R] = NextId;
    writeSize("id", NextId++);
    writeText("name", R.Info->Name);
    writeText("argument", R.Info->Argument);
    writeText("text", R.Text);
    J.attribute("kind", getKind(*R.Info));
    J.attribute("status", getStatus(R));
    if (!R.FailedOn.empty())
      writeText("failedOn", R.FailedOn);
    writeSize("runs", R.NumRuns);
    J.attribute("totalNs", R.Time ? getNanoseconds(R.Time->getTotal()) : 0);
    J.attribute("selfNs", R.Time ? getNanoseconds(R.Time->getSelf()) : 0);
    writeOperations(R);
    writeCounts("rewrites", R.Rewrites.Rules);
    writeCounts("layers", R.Rewrites.Layers);
    writeConversionChanges(J, R.Conversions);
    writeMemory(R);
    writeSize("functionsChanged", R.NumChanges);
    writeChanges(R);
    J.attributeArray("passes", [&] {
      for (const PassRecord *Inner : R.Inside)
        writePass(*Inner);
    });
  });
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

static int64_t getTotalNs(const PassReport::ModuleRecord &M) {
  int64_t Sum = 0;
  for (const PassRecord *R : M.Passes)
    Sum += R->Time ? getNanoseconds(R->Time->getTotal()) : 0;
  return Sum;
}

void Writer::writeModule(const PassReport::ModuleRecord &M) {
  J.object([&] {
    J.attribute("status", M.Failed ? "failed" : "succeeded");
    J.attributeArray("errors", [&] {
      for (StringRef Error : M.Errors)
        J.value(json::fixUTF8(Error));
    });
    J.attribute("totalNs", getTotalNs(M));
    writeSize("operationsBefore", M.Before.Operations);
    writeSize("operationsAfter", M.After.Operations);
    J.attributeArray("passes", [&] {
      for (const PassRecord *R : M.Passes)
        writePass(*R);
    });
    writeFormats(J, M.Formats, M.Conversions, [&](unsigned Sweep) {
      return Ids.lookup(M.BySweep.lookup(Sweep));
    });
  });
}

void Writer::writeLimits() {
  J.attributeObject("limits", [&] {
    writeSize("lines", MaxLines);
    writeSize("linesPerPass", LinesPerPass);
    writeSize("linesPerFunction", FunctionDelta::MaxLines);
    writeSize("functionsPerPass", PassRecord::MaxChanges);
    writeSize("layers", FormatSummary::MaxLayers);
    writeSize("conversions", FormatSummary::MaxConversions);
  });
}

void Writer::write(StringRef Input, StringRef Pipeline,
                   ArrayRef<PassReport::ModuleRecord> Modules, bool Failed) {
  J.object([&] {
    J.attribute("schema", "relay-opt-pass-report");
    J.attribute("version", SchemaVersion);
    J.attribute("tool", "relay-opt " RELAY_VERSION_STRING);
    writeText("input", Input);
    writeText("pipeline", Pipeline);
    J.attribute("status", Failed ? "failed" : "succeeded");
    writeSize("peakBytes", getPeakMemory());
    writeLimits();
    J.attributeArray("modules", [&] {
      for (const PassReport::ModuleRecord &M : Modules)
        writeModule(M);
    });
  });
}

void PassReport::writeJSON(raw_ostream &OS, bool Failed,
                           unsigned Indent) const {
  size_t NumChanged = llvm::count_if(
      All->Records, [](const PassRecord &R) { return !R.Changes.empty(); });
  size_t LinesPerPass = MaxLines / std::max<size_t>(NumChanged, 1);
  Writer(All->Lines, LinesPerPass, OS, Indent)
      .write(Input, Pipeline, All->Modules, Failed);
}

llvm::Error PassReport::report(raw_ostream &OS, const ModulePassManager &,
                               bool Failed) {
  if (!StringRef(*Opts.File).ends_with_insensitive(".html")) {
    writeJSON(OS, Failed, /*Indent=*/2);
    OS << '\n';
    return llvm::Error::success();
  }
  std::string Data;
  llvm::raw_string_ostream DataOS(Data);
  writeJSON(DataOS, Failed, /*Indent=*/0);
  writeReportPage(OS, PassReportPage, Data);
  return llvm::Error::success();
}
