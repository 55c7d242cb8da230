//===- TypeUtils.h - Substitution and unification of types ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computations on complete types: substitution of type parameters, unification
// of two types. TypeInference.h handles unknowns.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_TYPEUTILS_H
#define RELAY_IR_TYPEUTILS_H

#include "relay/IR/Context.h"
#include "relay/IR/Type.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

using TypeVarMap = llvm::DenseMap<const TypeVarType *, Type *>;
/// The inferred values of symbolic dimensions.
using DimVarMap = llvm::DenseMap<Attr, Dim>;

//===----------------------------------------------------------------------===//
// Traversal
//===----------------------------------------------------------------------===//

/// Calls \p Visit with each type that \p T is directly made of, in order: the
/// fields of a tuple, the parameters and the result of a function, the value of
/// a reference, the arguments of a type definition. Other types have no parts;
/// dimensions and type parameters are none. A part may be null where T was read
/// from text that left it out.
template <typename Fn> void forEachPart(const Type *T, Fn &&Visit) {
  switch (T->getKind()) {
  case Type::Kind::Tuple:
    llvm::for_each(cast<TupleType>(T)->getFields(), Visit);
    return;
  case Type::Kind::Func:
    llvm::for_each(cast<FuncType>(T)->getParams(), Visit);
    Visit(cast<FuncType>(T)->getResult());
    return;
  case Type::Kind::Ref:
    Visit(cast<RefType>(T)->getValueType());
    return;
  case Type::Kind::Call:
    llvm::for_each(cast<TypeCall>(T)->getArgs(), Visit);
    return;
  case Type::Kind::Tensor:
  case Type::Kind::Var:
  case Type::Kind::Incomplete:
    return;
  }
}

/// The parts of \p T as a list.
SmallVector<Type *, 4> getParts(const Type *T);

/// Returns \p T with its parts replaced by \p Parts, which has the same number
/// of elements.
Type *withParts(Context &Ctx, Type *T, ArrayRef<Type *> Parts);

/// \p T with each part replaced by what \p Replace makes of it; T itself where
/// no part changes.
Type *rebuild(Context &Ctx, Type *T, function_ref<Type *(Type *)> Replace);

/// Calls \p Visit with \p Root and with each type inside it, outer types first,
/// once per occurrence. Skips the contents of a type for which Visit returns
/// false. Iterative.
void walkTypes(Type *Root, function_ref<bool(Type *)> Visit);

/// Returns the number of bytes of a tensor of type \p T; none if the type is
/// dynamic, is not that of a tensor, or if there are more than 2^48.
std::optional<uint64_t> getNumBytes(const Type *T);

/// Returns true if a dimension in \p T is `?`: of a tensor, or inside another
/// type, including functions, as in TVM. Returns false if T is null.
bool isDynamic(Type *T);

//===----------------------------------------------------------------------===//
// Variables, unification, calls
//===----------------------------------------------------------------------===//

/// Each variable of \p Vars with the type of \p Types at its place, null where
/// there are fewer.
TypeVarMap makeTypeVarMap(ArrayRef<TypeVarType *> Vars,
                          ArrayRef<Type *> Types = {});

/// \p T with each type variable that \p Map holds replaced, but where T itself
/// binds it.
Type *substituteTypeVars(Context &Ctx, Type *T, const TypeVarMap &Map);

/// The type variables that \p T holds and does not bind, in the order of their
/// first occurrences.
SmallVector<TypeVarType *, 4> getFreeTypeVars(const Type *T);

/// \p D, an expression, as a sum of variables with factors and a constant: what
/// TVM makes of the simplest cases (`n*12` of `n*3*4`, `n - 2` of `n - 3 + 1`,
/// `n` of `n*4 // 4`).
Dim simplifyDim(Context &Ctx, Dim D);

/// The dimension that both \p L and \p R are: `?` where either is `?`, the
/// constant where one is a variable (which \p Bindings then records). Null when
/// they cannot be shown to be equal.
Dim joinDims(Dim L, Dim R, DimVarMap *Bindings = nullptr);

/// Unifies the complete types \p L and \p R as TVM does. Returns null if they
/// do not unify. Equal extents are taken from \p R.
Type *joinTypes(Context &Ctx, Type *L, Type *R, DimVarMap *Bindings = nullptr);

/// Returns true if \p New is \p Old, or \p Old with a known extent for some
/// `?`: the types around an operation can make its type more dynamic. Data
/// types of extents may differ, `16i64` and `16`. Also returns true if one of
/// them is not known (null).
bool isLessDynamic(Context &Ctx, Type *New, Type *Old);

/// Matches \p Pattern, which contains the keys of \p Map, with \p T and sets
/// the values of the map. A value is null until it is found.
LogicalResult matchTypeVars(Context &Ctx, Type *Pattern, Type *T,
                            TypeVarMap &Map);

} // namespace relay

#endif // RELAY_IR_TYPEUTILS_H
