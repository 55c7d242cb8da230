//===- CompilerFunctions.h - Functions of other compilers -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes over functions and closures with the attribute `Compiler` share.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTITION_COMPILERFUNCTIONS_H
#define RELAY_LIB_TRANSFORMS_PARTITION_COMPILERFUNCTIONS_H

#include "relay/IR/FunctionAttrs.h"

namespace relay {

/// Returns true if the function or closure is for \p Compiler, or for any
/// compiler if that is empty.
inline bool isForCompiler(const Signature &S, StringRef Compiler) {
  return hasCompiler(S) &&
         (Compiler.empty() ||
          getStringAttr(S, FunctionAttrs::Compiler) == Compiler);
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTITION_COMPILERFUNCTIONS_H
