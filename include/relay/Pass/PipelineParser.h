//===- PipelineParser.h - Pipelines as text ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses `a,b,function(c,d),sequential(e,f),fuse-ops<max-depth=4>`. Function
// passes outside of `function(…)` are nested implicitly. Names refer to the
// PassRegistry: passes, groups, pipelines, analysis passes, extension points.
//
//   pipeline := [element {"," element}]
//   element  := name ["<" options ">"] ["(" pipeline ")"]
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PIPELINEPARSER_H
#define RELAY_PASS_PIPELINEPARSER_H

#include "relay/Pass/PassManager.h"

namespace relay {

/// The pipeline of \p Text. Errors are printed with \p Text, called \p Name,
/// and a caret below the place that is wrong.
FailureOr<ModulePassManager> parsePipeline(StringRef Text, StringRef Name,
                                           const PassRegistry &Registry,
                                           raw_ostream &Errors = llvm::errs());

/// The pipeline \p Text, which parsePipeline() accepts, where options that are
/// paths of files are absolute: for a run in another directory. Nothing if no
/// option is one.
std::optional<std::string> makePathsAbsolute(StringRef Text,
                                             const PassRegistry &Registry);

/// The pass that \p Pipeline, of \p Registry, is; null after an error.
std::unique_ptr<Pass> createPipeline(const PipelineInfo &Pipeline,
                                     const PassRegistry &Registry,
                                     raw_ostream &Errors = llvm::errs());

/// Reports each pipeline of \p Registry, and each extension, that names what
/// there is not or is wrong otherwise.
LogicalResult checkPipelines(const PassRegistry &Registry,
                             raw_ostream &Errors = llvm::errs());

} // namespace relay

#endif // RELAY_PASS_PIPELINEPARSER_H
