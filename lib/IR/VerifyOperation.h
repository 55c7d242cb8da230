//===- VerifyOperation.h - Checks of single operations ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the Verifier that looks at one operation at a time: operands,
// attributes and regions against the declaration, symbols, and the operation's
// type against what the typing rules make of its operands'. Private to room IR.
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
  /// \p M: where functions and constructors are looked up; null: nowhere. Those
  /// that are not there are errors unless \p AllowUndefined.
  OperationVerifier(Context &Ctx, const Module *M, bool AllowUndefined)
      : Ctx(Ctx), Symbols(AllowUndefined ? nullptr : M),
        HasTypes(!M || M->isTyped()),
        Typer(Ctx, M, CompleteTyper::Unification::Join), Table(32) {}

  /// \p Op has no null operands, and its regions have results.
  LogicalResult verify(Operation &Op);
  LogicalResult verifyArgument(const BlockArgument &Arg);
  /// The result of \p F, which is there, is as annotated.
  LogicalResult verifyResult(const Function &F);
  /// The signature of \p F, whose closures come next.
  LogicalResult verifySignature(const Function &F);
  /// \p Name is not empty and, where assertions are on, one of the Context's
  /// strings.
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
  /// Attributes that were found right, each looked at once.
  llvm::DenseSet<const Attrs *> Checked;
  /// The type parameters of the function and of its closures so far.
  llvm::SmallPtrSet<const TypeVarType *, 8> TypeParams;
  bool HasTypes; ///< types are checked
  CompleteTyper Typer;
  /// The last of the types is the operation's; what is in here has it rightly.
  TypeTable Table;
};

} // namespace relay

#endif // RELAY_LIB_IR_VERIFYOPERATION_H
