//===- ExprConversion.h - Between IR and expressions ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts a function of the IR to expressions, and expressions to a function.
// Both directions are linear and iterative.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_EXPRCONVERSION_H
#define RELAY_LIB_PYTHON_BINDINGS_EXPRCONVERSION_H

#include "Expr.h"
#include "relay/IR/Module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Error.h"

namespace relay::python {

/// Provides the nodes that expressions share.
class SharedNodes {
public:
  /// Returns the one node of \p Info.
  ExprRef getOp(const OpInfo &Info);
  /// Returns the node of the global function or the constructor \p Name.
  ExprRef getGlobalVar(StringRef InternedName);
  ExprRef getConstructor(StringRef InternedName);

private:
  llvm::DenseMap<const OpInfo *, ExprRef> Ops;
  llvm::DenseMap<const char *, ExprRef> GlobalVars, Constructors;
};

/// Returns the normalized \p F as an expression. Types of values become checked
/// types.
nb::ref<FunctionExpr> readFunction(Function &F, SharedNodes &Shared);
/// Returns the result of the body of \p F as an expression.
ExprRef readBody(Function &F, SharedNodes &Shared);

/// Adds a function \p Name to \p M whose body is that of \p Source. Nothing is
/// typed. If a variable is bound in several scopes, these get variables of
/// their own. Returns an error if a variable is not bound where it is used, or
/// if a node cannot be converted.
llvm::Expected<Function *> writeFunction(Module &M, StringRef Name,
                                         const FunctionExpr &Source);
/// Adds a function \p Name to \p M whose result is \p Source and whose
/// parameters are the free variables of \p Source, in the order of their first
/// use. \p FreeVars, if not null, receives them.
llvm::Expected<Function *>
writeExpression(Module &M, StringRef Name, const ExprRef &Source,
                SmallVectorImpl<const Var *> *FreeVars = nullptr);
/// Like the functions above, for printing: values get the checked types of
/// their nodes, or none.
llvm::Expected<Function *> writeForPrinting(Module &M, StringRef Name,
                                            const ExprRef &Source);

/// Returns a copy of \p Root with new variables in each function, and in each
/// of the `let`s that bind the same variable. The time is linear in the size of
/// \p Root, and in the nesting depth of these scopes.
Expr::Ref renameVariables(const Expr &Root);

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_EXPRCONVERSION_H
