//===- TypeInference.h - Types of a module's values -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Infers the type of every value of a module, as TVM's InferType does, and
// fills in omitted annotations: types of parameters and of `let` variables,
// result types, type arguments of calls. TypeSolver.h unifies types; the
// relation of an operator computes its type (TypeRelation.h).
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_TYPEINFERENCE_H
#define RELAY_ANALYSIS_TYPEINFERENCE_H

#include "relay/IR/Module.h"

namespace relay {

struct InferenceOptions {
  /// Solve for every function, those too in which every type follows from what
  /// stands before it. For tests: it gives the same types.
  bool ForceSolver = false;
};

/// Infers the types of all functions of \p M, which are normalized. The types
/// of the parameters and the result of a function without annotations are
/// inferred from its body, or from the mutually recursive functions of its
/// cycle. Reports type errors, at most 20, in the order of the text; the types
/// of a function with errors are incomplete.
///
/// In a module that is an expression, values that depend on an undefined name
/// stay untyped, and so do values of undetermined type.
LogicalResult inferTypes(Module &M, InferenceOptions Options = {});

/// Brings \p F into canonical order and updates its types, as reading its text
/// again would: for a pass that has changed types. Takes time linear in the
/// size of F. The types of the functions that F calls must be correct; if the
/// type of F itself changes (Function::getType), retype its callers next.
/// Reports type errors.
LogicalResult retype(Function &F);

} // namespace relay

#endif // RELAY_ANALYSIS_TYPEINFERENCE_H
