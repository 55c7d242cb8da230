//===- ExternalFunction.h - Functions that libraries run --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library can evaluate the functions with `Compiler="name"` instead of the
// interpreter. A plugin adds a hook with the key `name`, which prepares a
// function once; the result runs at each call:
//
//   OpHookRegistration Hooks(Ctx, "dnnl.cpp", /*Key=*/"dnnl");
//   Hooks.addHook<ExternalCompiler>(FnOp::getInfo(), "compile", compile);
//
// docs/Backends.md is the guide.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_EVALUATION_EXTERNALFUNCTION_H
#define RELAY_INTERPRETER_EVALUATION_EXTERNALFUNCTION_H

#include "relay/IR/Function.h"
#include "relay/Interpreter/Kernels/Kernel.h"

namespace relay {

/// A function that has been prepared for evaluation by a library. It is valid
/// while the Function does not change.
class ExternalFunction {
public:
  virtual ~ExternalFunction();
  /// Computes the outputs of \p Call, one for each field if the function
  /// returns a tuple, from its inputs, the arguments. Returns false to decline:
  /// the body is then evaluated, and outputs that exist are dropped. Reports
  /// the reason of a failure.
  virtual FailureOr<bool> run(KernelCall &Call) = 0;
};

/// Returns the result of the operator \p Op, computed by its kernel within \p
/// Call: for operators of a function that a library lacks.
FailureOr<RuntimeValue> evaluateWithin(const KernelCall &Call,
                                       const Operation &Op,
                                       ArrayRef<RuntimeValue> Operands);

} // namespace relay

#include "relay/Interpreter/Evaluation/ExternalCompilers.h.inc"

#endif // RELAY_INTERPRETER_EVALUATION_EXTERNALFUNCTION_H
