//===- TypeRenaming.h - Type variables of copies ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces type variables in everything that holds types: values, annotations,
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

  /// Whether nothing is replaced.
  bool empty() const { return Fresh.empty() && Substituted.empty(); }
  /// Variables of their own take the place of \p Params, also where a type
  /// binds these.
  void rename(ArrayRef<TypeVarType *> Params);
  /// As rename(), for the type parameters of \p S, which become the new ones.
  void renameTypeParams(Signature &S);
  /// \p Args take the place of \p Params where these are free.
  void substitute(ArrayRef<TypeVarType *> Params, ArrayRef<Type *> Args);

  Type *apply(Type *T);
  const Attrs *apply(const Attrs *A);
  /// Parts of \p S other than the type parameters.
  void applyTo(Signature &S);
  void applyToArguments(Block &B);
  /// \p Op, which belongs to \p F, and arguments of its regions.
  void applyTo(Function &F, Operation &Op);
  /// All operations of \p B and of regions inside.
  void applyToOperations(Block &B);

private:
  Type *renameIn(Type *T);
  Attr apply(Attr A);
  Attr rebuild(Attr A);

  Context &Ctx;
  /// Of signatures.
  llvm::DenseMap<const TypeVarType *, TypeVarType *> Fresh;
  TypeVarMap Substituted;
  llvm::DenseMap<Type *, Type *> Types; ///< what apply() has given
  llvm::DenseMap<Attr, Attr> Attributes;
};

} // namespace relay

#endif // RELAY_LIB_IR_TYPERENAMING_H
