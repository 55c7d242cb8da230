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

/// The nodes that were made of values, for those who look up matches.
using NodesOfValues = llvm::DenseMap<const Value *, ExprRef>;

/// Returns the normalized \p F as an expression. Types of values become checked
/// types. \p Nodes, if not null, receives the node of each operation and
/// argument; the node of a bound operation is that of its value.
nb::ref<FunctionExpr> readFunction(Function &F, SharedNodes &Shared,
                                   NodesOfValues *Nodes = nullptr);
/// Returns the result of the body of \p F as an expression.
ExprRef readBody(Function &F, SharedNodes &Shared,
                 NodesOfValues *Nodes = nullptr);

/// The values that were made of nodes. Each node has one value; the value of a
/// variable is a parameter or a bound operation.
using ValuesOfNodes = llvm::DenseMap<const Expr *, Value *>;

/// Adds a function \p Name to \p M whose body is that of \p Source. Nothing is
/// typed. Returns an error if a variable is not bound where it is used, or if a
/// node cannot be converted. \p Values, if not null, receives the values; it
/// then is an error, too, if one variable is bound in several scopes.
llvm::Expected<Function *> writeFunction(Module &M, StringRef Name,
                                         const FunctionExpr &Source,
                                         ValuesOfNodes *Values = nullptr);
/// Adds a function \p Name to \p M whose result is \p Source and whose
/// parameters are the free variables of \p Source, in the order of their first
/// use. \p FreeVars, if not null, receives them.
llvm::Expected<Function *>
writeExpression(Module &M, StringRef Name, const ExprRef &Source,
                ValuesOfNodes *Values = nullptr,
                SmallVectorImpl<const Var *> *FreeVars = nullptr);
/// Like the functions above, for printing: values get the checked types of
/// their nodes, or none.
llvm::Expected<Function *> writeForPrinting(Module &M, StringRef Name,
                                            const ExprRef &Source);

/// Returns a copy of \p Root with new variables in each function, and in each
/// of the `let`s that bind the same variable. Takes time proportional to the
/// nesting of these.
Expr::Ref renameVariables(const Expr &Root);

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_EXPRCONVERSION_H
