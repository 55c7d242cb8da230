//===- VerifyOperation.h - Checks of single operations ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the Verifier that checks one operation: operands, attributes and
// regions against the declaration, symbols, and the operation's type against
// the typing rules. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_VERIFYOPERATION_H
#define RELAY_LIB_IR_VERIFYOPERATION_H

#include "relay/IR/CompleteTyper.h"
#include "relay/IR/TypeTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace relay {

class OperationVerifier {
public:
  /// Functions and constructors are looked up in \p M, unless null. Undefined
  /// ones are errors unless \p AllowUndefined is set.
  OperationVerifier(Context &Ctx, const Module *M, bool AllowUndefined)
      : Ctx(Ctx), Symbols(AllowUndefined ? nullptr : M),
        HasTypes(!M || M->isTyped()),
        Typer(Ctx, M, CompleteTyper::Unification::Join), Table(32) {}

  /// Verifies \p Op, which has no null operands, and whose regions have
  /// results.
  LogicalResult verify(Operation &Op);
  LogicalResult verifyArgument(const BlockArgument &Arg);
  /// Verifies that the result of \p F, which exists, matches its annotation.
  LogicalResult verifyResult(const Function &F);
  /// Verifies the signature of \p F. The signatures of its closures follow.
  LogicalResult verifySignature(const Function &F);
  /// Verifies that \p Name is not empty and, with assertions, that it is
  /// interned in the Context.
  LogicalResult verifyName(StringRef Name, Location Loc);

private:
  InFlightDiagnostic error(const Operation &Op, const Twine &Message);

  LogicalResult verifySignature(const Signature &S, Location Loc);
  LogicalResult verifyOperandCount(const Operation &Op);
  LogicalResult verifyAttributes(const Operation &Op);
  LogicalResult verifyFields(const Operation &Op);
  LogicalResult verifyRegions(const Operation &Op);
  LogicalResult verifyConstruct(Operation &Op);

  LogicalResult verifyGlobal(const Operation &Op);
  LogicalResult verifyConstructor(const Operation &Op);
  LogicalResult verifyOpRef(const Operation &Op);
  LogicalResult verifyScope(const Operation &Op);
  LogicalResult verifyAlias(const Operation &Op);
  LogicalResult verifyMatch(Operation &Op);
  LogicalResult verifyPattern(const Operation &Op, const MatchPattern &P);

  bool isLikeOneBefore(const Operation &Op);
  bool isKnown(const Operation &Op);
  LogicalResult verifyType(const Operation &Op);

  Context &Ctx;
  const Module *Symbols;
  /// Verified attributes, each checked once.
  llvm::DenseSet<const Attrs *> Checked;
  /// The type parameters of the function and of the closures visited so far.
  llvm::SmallPtrSet<const TypeVarType *, 8> TypeParams;
  bool HasTypes; ///< types are checked
  CompleteTyper Typer;
  /// The types of the operands and of the operation, the last one. Operations
  /// in the table have a valid type.
  TypeTable Table;
};

} // namespace relay

#endif // RELAY_LIB_IR_VERIFYOPERATION_H
