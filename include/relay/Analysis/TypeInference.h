//===- TypeInference.h - Types of a module's values -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives every value of a module its type, as TVM's InferType does, and fills in
// what the text left out: types of parameters and of `let` variables, result
// types, type arguments of calls. How types are unified is TypeSolver.h; what
// each operator's type is, its relation (TypeRelation.h).
//
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

/// Infers the types of all functions of \p M, which are normalized. A function
/// without annotations takes the types of its parameters and its result from
/// its body, or from the other functions that it calls and is called by in a
/// circle. Reports what is ill-typed, at most 20 errors, in the order of the
/// text; the types of a function with errors are then not complete.
///
/// In a module that is an expression, what depends on an undefined name stays
/// untyped, and so does what nothing tells the type of.
LogicalResult inferTypes(Module &M, InferenceOptions Options = {});

/// Brings \p F into canonical order and its types up to date, as reading its
/// text again would type it: for a pass that has changed types on the way.
/// Takes time linear in the size of F. The types of the functions that F calls
/// are right; when the type of F itself changes (Function::getType), its
/// callers come next. Reports what has become ill-typed.
LogicalResult retype(Function &F);

} // namespace relay

#endif // RELAY_ANALYSIS_TYPEINFERENCE_H
