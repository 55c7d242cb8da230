//===- VerifyOperation.h - Checks of single operations ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the Verifier that looks at one operation at a time: operands,
// attributes and regions against the declaration, symbols, known types. Private
// to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_VERIFYOPERATION_H
#define RELAY_LIB_IR_VERIFYOPERATION_H

#include "relay/IR/Context.h"
#include "relay/IR/Module.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

class OperationVerifier {
public:
  /// \p Symbols: where functions and constructors are looked up; null: nowhere.
  OperationVerifier(Context &Ctx, const Module *Symbols)
      : Ctx(Ctx), Symbols(Symbols) {}

  /// \p Op has no null operands, and its regions have results.
  LogicalResult verify(Operation &Op);
  LogicalResult verifyArgument(const BlockArgument &Arg);
  LogicalResult verifySignature(const Signature &S, Location Loc);
  /// \p Name is not empty and, where assertions are on, one of the Context's
  /// strings.
  LogicalResult verifyName(StringRef Name, Location Loc);

private:
  InFlightDiagnostic error(const Operation &Op, const Twine &Message);

  LogicalResult verifyOperandCount(const Operation &Op);
  LogicalResult verifyAttributes(const Operation &Op);
  LogicalResult verifyFields(const Operation &Op);
  LogicalResult verifyBinding(const Operation &Op);
  LogicalResult verifyRegions(const Operation &Op);
  LogicalResult verifyConstruct(Operation &Op);

  LogicalResult verifyGlobal(const Operation &Op);
  LogicalResult verifyCallGlobal(const Operation &Op);
  LogicalResult verifyCallValue(const Operation &Op);
  LogicalResult verifyConstructor(const Operation &Op);
  LogicalResult verifyOpRef(const Operation &Op);
  LogicalResult verifyTuple(const Operation &Op);
  LogicalResult verifyTupleGetItem(const Operation &Op);
  LogicalResult verifyIf(const Operation &Op);
  LogicalResult verifyMatch(Operation &Op);
  LogicalResult verifyPattern(const Operation &Op, const MatchPattern &P);
  LogicalResult verifyFn(const Operation &Op);
  LogicalResult verifyRef(const Operation &Op);

  LogicalResult verifyArguments(const Operation &Op, ArrayRef<Type *> Params,
                                unsigned First);
  /// What is known of both types allows that they are the same.
  bool agree(Type *L, Type *R);
  LogicalResult verifyType(const Operation &Op, StringRef What, Type *Wanted,
                           Type *Found);

  Context &Ctx;
  const Module *Symbols;
  /// Attributes that were found right, each looked at once.
  llvm::DenseSet<const Attrs *> Checked;
};

} // namespace relay

#endif // RELAY_LIB_IR_VERIFYOPERATION_H
