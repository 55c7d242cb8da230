//===- OperatorCall.h - Calls of operators ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls kernels: the type of the result comes from the type relation, run again
// on the types that the operands' values have.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_EVALUATION_OPERATORCALL_H
#define RELAY_LIB_INTERPRETER_EVALUATION_OPERATORCALL_H

#include "relay/Interpreter/Kernels/Kernel.h"

namespace relay {

/// One call of an operator, by an operation or of an operator as a value.
struct OperatorCall {
  const OpInfo &Info;
  const Attrs *Attributes;
  Location Loc;
  /// Null where the operator is a value.
  const Operation *Op = nullptr;
  /// Null if there is no kernel.
  OpHook<Kernel> Function;
  /// The type of the result, if all shapes are known before.
  Type *StaticType = nullptr;

  FailureOr<RuntimeValue> run(const KernelCall::Environment &Env,
                              ArrayRef<RuntimeValue> Inputs) const;

private:
  /// Whether the kernel takes other values than tensors.
  bool takesOtherValues() const { return Function.getNumber(); }
  bool fitOperands(ArrayRef<RuntimeValue> Inputs) const;
  Type *getResultType(const KernelCall::Environment &Env,
                      ArrayRef<RuntimeValue> Inputs) const;
  InFlightDiagnostic emitError(const KernelCall::Environment &Env,
                               const Twine &Message) const {
    return Env.Diags.emitError(Loc, "'" + Info.Name + "': " + Message);
  }
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_EVALUATION_OPERATORCALL_H
