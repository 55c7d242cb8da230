//===- PartitionReport.cpp - Report on offloaded operations ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects remarks during the pipeline and summarizes the resulting modules.
// The writers are in folder PartitionReport.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PartitionReport.h"
#include "Reports/PartitionReport/Summary.h"
#include "Reports/ReportPage.h"
#include "relay/Pass/PassContext.h"

using namespace relay;
using llvm::Error;

struct PartitionReport::Data {
  PartitionSummary::ReasonTable Remarks; ///< of the present module
  std::vector<PartitionSummary> Modules;
};

static bool hasExtension(StringRef File, StringRef Extension) {
  return File.ends_with_insensitive(Extension);
}

PartitionReport::PartitionReport(const Options &Opts,
                                 const InstrumentationSetup &Setup)
    : Opts(Opts), Input(Setup.Input), Pipeline(Setup.Pipeline),
      Collected(std::make_unique<Data>()) {}

PartitionReport::~PartitionReport() = default;

Error PartitionReport::checkFlags() const {
  StringRef File = *Opts.File;
  for (StringRef Extension : {".html", ".json", ".svg"})
    if (hasExtension(File, Extension))
      return Error::success();
  return llvm::createStringError("option -partition-report: expects a name "
                                 "that ends in .html, .json or .svg, got '" +
                                 File + "'");
}

void PartitionReport::takeOver(Instrumentation &Previous) {
  Collected->Modules =
      std::move(static_cast<PartitionReport &>(Previous).Collected->Modules);
}

void PartitionReport::note(const PassRun &Run, const MissedRemark &Remark) {
  PartitionSummary::Reason Why{Run.getInfo().Argument.str(), Remark.Name.str(),
                               Remark.Message};
  uint32_t Loc = Remark.Op->getLoc().getRaw();
  runInOrder([this, Loc, Op = Remark.Op->getName().str(),
              Why = std::move(Why)]() mutable {
    PartitionSummary::Reasons &Known = Collected->Remarks[{Loc, Op}];
    if (!llvm::is_contained(Known, Why))
      Known.push_back(std::move(Why));
  });
}

void PartitionReport::registerCallbacks(PassContext &PC) {
  PC.getCallbacks().registerMissedRemarkCallback(
      [this](const PassRun &Run, const MissedRemark &Remark) {
        note(Run, Remark);
      });
}

Error PartitionReport::finish(Module &M, bool Failed) {
  Collected->Modules.push_back(
      PartitionSummary::create(M, Collected->Remarks, Failed));
  Collected->Remarks.clear();
  return Error::success();
}

/// Writes the pictures of small modules into the page, for the script.
void PartitionReport::writePage(raw_ostream &OS) const {
  std::string JSON, Pictures;
  llvm::raw_string_ostream JSONOS(JSON), PicturesOS(Pictures);
  writePartitionJSON(Collected->Modules, Input, Pipeline, JSONOS,
                     /*Indent=*/0);
  for (const PartitionSummary &Summary : Collected->Modules) {
    PicturesOS << "<template class=\"picture\">";
    if (Summary.Nodes.size() <= MaxDrawnNodes)
      drawPartition(Summary, PicturesOS);
    PicturesOS << "</template>\n";
  }
  auto [Head, Tail] = StringRef(PartitionReportPage).split("@PICTURES@");
  OS << Head << Pictures;
  writeReportPage(OS, Tail, JSON);
}

Error PartitionReport::report(raw_ostream &OS, const ModulePassManager &,
                              bool) {
  StringRef File = *Opts.File;
  if (hasExtension(File, ".html")) {
    writePage(OS);
  } else if (hasExtension(File, ".json")) {
    writePartitionJSON(Collected->Modules, Input, Pipeline, OS, /*Indent=*/2);
    OS << '\n';
  } else if (Collected->Modules.size() != 1) {
    return llvm::createStringError(
        "option -partition-report: a picture shows one module, the input has " +
        llvm::Twine(Collected->Modules.size()));
  } else if (Collected->Modules.front().Nodes.size() > MaxDrawnNodes) {
    return llvm::createStringError(
        "option -partition-report: a picture has at most " +
        llvm::Twine(MaxDrawnNodes) + " operations, the module has " +
        llvm::Twine(Collected->Modules.front().Nodes.size()));
  } else {
    drawPartition(Collected->Modules.front(), OS);
  }
  return Error::success();
}
