//===- TypeRenaming.h - Type variables of copies ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces type variables in all users of types: values, annotations,
// signatures, type arguments, attributes. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_TYPERENAMING_H
#define RELAY_LIB_IR_TYPERENAMING_H

#include "relay/IR/Function.h"
#include "relay/IR/TypeUtils.h"

namespace relay {

class TypeRenaming {
public:
  explicit TypeRenaming(Context &Ctx) : Ctx(Ctx) {}

  /// Returns true if nothing is replaced.
  bool empty() const { return Fresh.empty() && Substituted.empty(); }
  /// Replaces \p Params by new variables, including parameters bound by a type.
  void rename(ArrayRef<TypeVarType *> Params);
  /// Like rename(), for the type parameters of \p S, which are replaced.
  void renameTypeParams(Signature &S);
  /// Replaces free occurrences of \p Params by \p Args.
  void substitute(ArrayRef<TypeVarType *> Params, ArrayRef<Type *> Args);

  Type *apply(Type *T);
  const Attrs *apply(const Attrs *A);
  /// Applies the renaming to \p S, except its type parameters.
  void applyTo(Signature &S);
  void applyToArguments(Block &B);
  /// Applies the renaming to \p Op, an operation of \p F, and arguments of its
  /// regions.
  void applyTo(Function &F, Operation &Op);
  /// Applies the renaming to all operations of \p B and of nested regions.
  void applyToOperations(Block &B);

private:
  Type *renameIn(Type *T);
  Attr apply(Attr A);
  Attr rebuild(Attr A);

  Context &Ctx;
  /// Variables of signatures.
  llvm::DenseMap<const TypeVarType *, TypeVarType *> Fresh;
  TypeVarMap Substituted;
  llvm::DenseMap<Type *, Type *> Types; ///< previous results of apply()
  llvm::DenseMap<Attr, Attr> Attributes;
};

} // namespace relay

#endif // RELAY_LIB_IR_TYPERENAMING_H
