//===- VerifyCompilerFunctions.h - Functions of other compilers -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies the functions of a module with the attribute `Compiler`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_VERIFYCOMPILERFUNCTIONS_H
#define RELAY_LIB_IR_VERIFYCOMPILERFUNCTIONS_H

#include "relay/IR/Module.h"

namespace relay {

/// Verifies that no two functions of other compilers have the same
/// `global_symbol`, and that none calls itself: another compiler would compile
/// it apart from its callees.
LogicalResult verifyCompilerFunctions(Module &M);

} // namespace relay

#endif // RELAY_LIB_IR_VERIFYCOMPILERFUNCTIONS_H
