//===- Parameters.h - Functions with other parameters -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces parameters of functions. Only functions that nothing calls or refers
// to can change their parameters.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARAMETERS_H
#define RELAY_LIB_TRANSFORMS_PARAMETERS_H

#include "relay/IR/Module.h"
#include "relay/IR/Rewriter.h"

namespace relay {

/// Returns the functions of \p M that nothing calls or refers to and that
/// optimizations do not skip.
SmallVector<Function *> getFunctionsWithoutUsers(Module &M);

/// Removes the unused parameters of \p F and orders the others by their first
/// use, in a depth-first walk, as in TVM. The first \p NumOld parameters come
/// before the others, which the pass has added.
void orderParameters(Rewriter &R, Function &F, unsigned NumOld);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARAMETERS_H
