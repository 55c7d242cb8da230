//===- ExternalCall.h - Calls of functions of libraries ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles functions by the hooks of their compiler, and calls the results.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_EVALUATION_EXTERNALCALL_H
#define RELAY_LIB_INTERPRETER_EVALUATION_EXTERNALCALL_H

#include "relay/Interpreter/Evaluation/ExternalFunction.h"

namespace relay {

/// Returns the number of threads on which kernels of \p Ctx work: one while
/// several functions are processed in parallel.
unsigned getNumKernelThreads(const Context &Ctx);

/// Returns \p F as compiled by a hook; null if it has no compiler, its compiler
/// has no hook, all hooks decline, or its parameters and result are not tensors
/// of known shape or tuples of them.
std::unique_ptr<ExternalFunction> compileExternally(Function &F);

/// Calls \p Code, the compiled form of \p F, at \p Loc. Returns no value if it
/// declines.
FailureOr<RuntimeValue> callExternally(ExternalFunction &Code, Function &F,
                                       Location Loc,
                                       const KernelCall::Environment &Env,
                                       ArrayRef<RuntimeValue> Args);

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_EVALUATION_EXTERNALCALL_H
