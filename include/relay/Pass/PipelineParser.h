//===- PipelineParser.h - Pipelines as text ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads `a,b,function(c,d),sequential(e,f),fuse-ops<max-depth=4>`. Function
// passes outside of `function(…)` nest by themselves.
//
//   pipeline := [element {"," element}]
//   element  := name ["<" options ">"] | name "(" pipeline ")"
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

} // namespace relay

#endif // RELAY_PASS_PIPELINEPARSER_H
