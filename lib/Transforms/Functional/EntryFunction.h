//===- EntryFunction.h - The function that a pass converts ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that correspond to functions of TVM from a function and a module to a
// function convert `@main`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FUNCTIONAL_ENTRYFUNCTION_H
#define RELAY_LIB_TRANSFORMS_FUNCTIONAL_ENTRYFUNCTION_H

#include "relay/Analysis/CallGraph.h"

namespace relay {

/// Returns `@main`. Reports an error and returns null if it is missing, or is
/// an expression other than a function. \p Pass is the argument of the pass.
Function *getEntryFunction(Module &M, StringRef Pass);

/// Like getEntryFunction(), for a pass that changes the type of `@main`.
/// Reports an error if another function uses it.
Function *getUnusedEntryFunction(Module &M, StringRef Pass,
                                 const CallGraph &Calls);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FUNCTIONAL_ENTRYFUNCTION_H
