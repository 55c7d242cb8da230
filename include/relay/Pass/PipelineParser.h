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

/// Parses the pipeline \p Text. Errors are printed with \p Text, called \p
/// Name, and a caret below the wrong part.
FailureOr<ModulePassManager> parsePipeline(StringRef Text, StringRef Name,
                                           const PassRegistry &Registry,
                                           raw_ostream &Errors = llvm::errs());

/// Returns the pipeline \p Text, which parsePipeline() accepts, with absolute
/// paths in options that are files: for a run in another directory. Returns
/// none if no option is a file.
std::optional<std::string> makePathsAbsolute(StringRef Text,
                                             const PassRegistry &Registry);

/// Creates the pass for \p Pipeline of \p Registry with the options
/// \p Options; returns null after an error.
std::unique_ptr<Pass> createPipeline(const PipelineInfo &Pipeline,
                                     const PassRegistry &Registry,
                                     const PassOptionValues &Options = {},
                                     raw_ostream &Errors = llvm::errs());

/// Reports each pipeline and extension of \p Registry that is invalid, for
/// example one with unknown names.
LogicalResult checkPipelines(const PassRegistry &Registry,
                             raw_ostream &Errors = llvm::errs());

} // namespace relay

#endif // RELAY_PASS_PIPELINEPARSER_H
