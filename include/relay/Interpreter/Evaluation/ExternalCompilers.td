//===- ExternalCompilers.td - Compilers of functions -------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kind of hook by which a library evaluates the functions of a compiler,
// those with `Compiler="dnnl"`. The key of an entry is the compiler. There are
// no records of it; plugins add entries.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_EVALUATION_EXTERNALCOMPILERS_TD
#define RELAY_INTERPRETER_EVALUATION_EXTERNALCOMPILERS_TD

include "relay/IR/Core.td"

// Prepares `F` for up to `NumThreads` threads. Returns null to decline; the
// body is then evaluated.
class ExternalCompiler<string function>
    : OpHook<"ExternalCompiler", FnOp, function> {
  let Arguments = (ins "Function &":$F, "unsigned":$NumThreads);
  let Result = NullIsNoOpinion<"std::unique_ptr<ExternalFunction>">;
}

#endif // RELAY_INTERPRETER_EVALUATION_EXTERNALCOMPILERS_TD
