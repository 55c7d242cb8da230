//===- InputRun.h - relay-opt on its input ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processes the input of relay-opt, one module or the parts of
// -split-input-file, with a Session: reads each part, runs the pipeline or its
// replacement (-bisect, -match), and writes reports and results. Between parts,
// only the printed results and the counts of reports are kept.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_INPUTRUN_H
#define RELAY_LIB_DRIVER_OPT_INPUTRUN_H

#include "BoundParameters.h"
#include "ExpectedDiagnostics.h"
#include "Flags/ConstantsFile.h"
#include "ModuleOutput.h"
#include "PatternQuery.h"
#include "Reproducer.h"
#include "relay/Session/Session.h"

namespace relay {

class BisectGate;
class ProgressLine;
struct RelayOptOptions;

class InputRun {
public:
  /// Errors without a position are printed to \p Report. \p Progress, unless
  /// null, displays the running passes.
  InputRun(Session &S, const RelayOptOptions &Options,
           ModulePassManager Pipeline, ProgressLine *Progress,
           std::function<LogicalResult(llvm::Error)> Report);

  /// Processes \p Input.
  LogicalResult run(std::unique_ptr<llvm::MemoryBuffer> Input);

private:
  LogicalResult runSplit(const llvm::MemoryBuffer &Input);
  LogicalResult runOnPart(std::unique_ptr<llvm::MemoryBuffer> Text);
  LogicalResult transform(OwnedModule &M);
  OwnedModule read(std::unique_ptr<llvm::MemoryBuffer> Text,
                   std::unique_ptr<Context> Ctx);
  LogicalResult prepare(Module &M);
  LogicalResult runPipeline(Module &M, BisectGate *Gate = nullptr);
  LogicalResult runToResult(Module &M);
  LogicalResult bisect(Module &M);
  LogicalResult checkBisected();
  llvm::Error explainNothingBroken(llvm::Error E) const;
  LogicalResult checkRoundTrip(Module &M, bool Infer);
  void dropPart(OwnedModule M);
  LogicalResult addResult(OwnedModule M);
  llvm::Error configure(PassContext &PC, BisectGate *Gate);
  LogicalResult writeReports(bool Failed);
  LogicalResult writeReportFiles(bool Failed);
  LogicalResult writeResults();

  Session &S;
  const RelayOptOptions &Options;
  ModulePassManager Pipeline;
  ProgressLine *Progress; ///< null if there is none
  std::function<LogicalResult(llvm::Error)> Report;
  Reproducer Repro;
  ConstantsFile Constants;
  BoundParameters Parameters;
  PatternQuery Query;
  ModuleOutput Output;
  std::string BisectReport;
  bool HasParts = false;  ///< the input has several parts
  unsigned NumParts = 0;  ///< number of the current part
  unsigned PartLine = 1;  ///< first line of the current part
  bool HasBroken = false; ///< -bisect has found a broken part
  bool HasToolError = false;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_INPUTRUN_H
