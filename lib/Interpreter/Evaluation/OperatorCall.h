//===- OperatorCall.h - Calls of operators ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls kernels: the type relation infers the type of the result from the types
// of the operands' values.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_EVALUATION_OPERATORCALL_H
#define RELAY_LIB_INTERPRETER_EVALUATION_OPERATORCALL_H

#include "relay/Interpreter/Kernels/Kernel.h"

namespace relay {

/// Returns \p V with its elements aligned for their C++ type.
RuntimeValue makeAligned(const RuntimeValue &V, MemoryMeter *Meter);

/// A call of an operator, directly or as a value.
struct OperatorCall {
  const OpInfo &Info;
  const Attrs *Attributes;
  Location Loc;
  /// Null if the operator is called as a value.
  const Operation *Op = nullptr;
  /// Null if the operator has no kernel.
  OpHook<Kernel> Function;
  /// The type of the result, if all shapes are known in advance.
  Type *StaticType = nullptr;

  FailureOr<RuntimeValue> run(const KernelCall::Environment &Env,
                              ArrayRef<RuntimeValue> Inputs) const;

private:
  /// Returns true if the kernel takes values other than tensors.
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
