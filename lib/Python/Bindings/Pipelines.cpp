//===- Pipelines.cpp - Pipelines with instrumentations in Python ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the text of a pipeline as relay-opt does, with the flags of its
// instrumentations, and returns what they printed and which passes ran.
//
//===----------------------------------------------------------------------===//

#include "ModuleObject.h"
#include "Objects.h"
#include "PassObjects.h"
#include "relay/Instrumentation/StandardInstrumentations.h"
#include "llvm/Support/FileSystem.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace relay;
using namespace relay::python;

namespace {

/// One run of a pass.
struct RunRecord {
  std::string Pass, Unit, SkippedBy;
  unsigned Depth = 0;
  bool IsChanged = false, IsSkipped = false;
  int64_t Nanoseconds = 0;
};

class PipelineObject {
public:
  PipelineObject(const std::string &Pipeline,
                 const std::vector<std::string> &Flags);
  PipelineObject(const PipelineObject &) = delete;

  nb::tuple run(ModuleObject &M, unsigned OptLevel, nb::dict Config,
                nb::object Target);
  std::string getText() const;

private:
  void recordRuns(PassContext &PC);
  std::string takeText() { return std::exchange(Text, std::string()); }

  std::string Text;
  llvm::raw_string_ostream Stream{Text};
  Session TheSession{"relay_opt", Stream, Stream};
  ModulePassManager PM;
  std::vector<RunRecord> Records;
};

} // namespace

PipelineObject::PipelineObject(const std::string &Pipeline,
                               const std::vector<std::string> &Flags) {
  Work W;
  addStandardInstrumentations(TheSession.getInstrumentations());
  std::vector<const char *> Arguments;
  for (const std::string &Flag : Flags)
    Arguments.push_back(Flag.c_str());
  llvm::Error E = TheSession.initialize();
  if (!E)
    E = TheSession.setFlags(Arguments);
  if (E)
    W.raise(ErrorKind::Pipeline, std::move(E));
  FailureOr<ModulePassManager> Parsed = TheSession.parsePipeline(Pipeline);
  if (failed(Parsed))
    W.raise(ErrorKind::Pipeline, StringRef(takeText()).rtrim());
  PM = std::move(*Parsed);
}

std::string PipelineObject::getText() const {
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  PM.printPipeline(OS);
  return Printed;
}

void PipelineObject::recordRuns(PassContext &PC) {
  PassInstrumentationCallbacks &Callbacks = PC.getCallbacks();
  Callbacks.requireTimes();
  auto Record = [this](const PassRun &Run) {
    RunRecord New;
    New.Pass = Run.getName().str();
    New.Unit = Run.getUnit().getName();
    New.Depth = Run.getDepth();
    New.IsChanged = Run.getOutcome() == PassRun::Outcome::Changed;
    New.IsSkipped = Run.getOutcome() == PassRun::Outcome::Skipped;
    New.SkippedBy = Run.getSkippedBy().str();
    if (!New.IsSkipped)
      New.Nanoseconds = std::chrono::nanoseconds(Run.getElapsed()).count();
    Records.push_back(std::move(New));
  };
  Callbacks.registerAfterPassCallback([Record](const PassRun &Run) {
    Record(Run);
    return success();
  });
  Callbacks.registerBeforeSkippedPassCallback(Record);
}

/// Writes the file of a report.
static llvm::Error writeFile(StringRef Path,
                             function_ref<void(raw_ostream &)> Write) {
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC, llvm::sys::fs::OF_Text);
  if (EC)
    return llvm::createFileError(Path, EC);
  Write(OS);
  OS.close();
  if (!OS.has_error())
    return llvm::Error::success();
  EC = OS.error();
  OS.clear_error();
  return llvm::createFileError(Path, EC);
}

nb::tuple PipelineObject::run(ModuleObject &M, unsigned OptLevel,
                              nb::dict Config, nb::object Target) {
  Work W;
  std::unique_ptr<Module> Copy = M.copyIR(W);
  Context &Ctx = Engine::get().getContext();
  ModulePassManager ThisPM = PM.clone();
  Records.clear();
  RunOptions Options;
  Options.Configure = [&](PassContext &PC) {
    nb::gil_scoped_acquire Acquire;
    PC.setOptLevel(OptLevel);
    recordRuns(PC);
    return configure(PC, Config, Target);
  };
  bool Failed;
  llvm::Error E = [&] {
    nb::gil_scoped_release Release;
    TheSession.watch(Ctx);
    Failed = failed(TheSession.run(*Copy, ThisPM, Options));
    if (llvm::Error E = TheSession.report(Stream, ThisPM, Failed))
      return E;
    return TheSession.writeReportFiles(writeFile, ThisPM, Failed);
  }();
  std::string Printed = takeText();
  if (E)
    W.raise(ErrorKind::Pass, std::move(E), "pipeline");
  if (Failed)
    W.raise(ErrorKind::Pass,
            Printed.empty() ? StringRef("the pipeline failed")
                            : StringRef(Printed).rtrim(),
            "pipeline");
  nb::list Runs;
  for (const RunRecord &R : Records)
    Runs.append(nb::make_tuple(R.Pass, R.Unit, R.Depth, R.IsChanged,
                               R.IsSkipped, R.SkippedBy, R.Nanoseconds));
  return nb::make_tuple(
      nb::cast(nb::ref<ModuleObject>(new ModuleObject(std::move(Copy)))),
      Printed, Runs);
}

void relay::python::bindPipelines(nb::module_ &M) {
  nb::class_<PipelineObject>(M, "Pipeline")
      .def(nb::init<const std::string &, const std::vector<std::string> &>())
      .def("run", &PipelineObject::run, nb::arg("mod"), nb::arg("opt_level"),
           nb::arg("config"), nb::arg("target").none())
      .def_prop_ro("text", &PipelineObject::getText);
}
