//===- Objects.h - Types, attributes and dimensions as objects --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python's objects for uniqued things of the Context, and conversions between
// attribute values and Python's values.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_OBJECTS_H
#define RELAY_LIB_PYTHON_BINDINGS_OBJECTS_H

#include "Engine.h"

namespace relay::python {

/// A Relay type. Each kind has a class derived from it.
struct TypeObject {
  Type *T = nullptr;
};
template <typename TypeT> struct TypeObjectOf : TypeObject {
  TypeT *get() const { return static_cast<TypeT *>(T); }
};

/// The attributes of a call.
struct AttrsObject {
  const Attrs *A;
};

/// A dimension that is no integer: `?`, a variable or arithmetic.
struct DimObject {
  Dim D;
};

/// An attribute value without a counterpart in Python, such as a virtual
/// device.
struct ObjectAttr {
  Disposable<AttrRef> A;
};

/// The data of a constant.
struct ArrayObject {
  Attr Value;
  Disposable<ConstantRef> Data;
  explicit ArrayObject(Attr Value) : Value(Value), Data(ConstantRef(Value)) {}
};

nb::object fromType(Type *T);
/// Returns the type \p Object, or null for None. Raises TypeError otherwise.
Type *toType(nb::handle Object);
/// Returns the types in \p List. Raises TypeError if one is None.
SmallVector<Type *, 4> toTypes(nb::handle List);
/// Returns the type variables \p List, an iterable or None. Raises TypeError.
SmallVector<TypeVarType *, 2> toTypeVars(nb::handle List);
/// Returns the data type that \p Object, a string or an object with a name,
/// spells. Raises ValueError.
DType toDType(nb::handle Object);
nb::object fromDType(DType T);

/// Converts an attribute value to Python: None, bool, int, float, str, a list,
/// a dict, an expression, a type or one of the classes above.
nb::object fromAttr(Attr A);
/// Converts a value of Python to an attribute value, as text without a field
/// would have it. Raises TypeError.
Attr toAttr(nb::handle Object);
Dim toDim(nb::handle Object);
nb::object fromDim(Dim D);

inline nb::str toPython(StringRef Text) {
  return nb::str(Text.data(), Text.size());
}
StringRef intern(nb::handle Text);

/// Returns the attributes of kind \p Info with the values in \p Values, by
/// name; the others have their defaults. Raises TypeError for an unknown name
/// or a value that does not fit.
const Attrs *makeAttrs(StringRef OpName, const AttrsInfo &Info,
                       nb::dict Values);
/// Returns the attributes of a function with the entries of \p Values.
const Attrs *makeFunctionAttrs(nb::dict Values);
nb::dict fromDictAttrs(const Attrs *A);

void bindTypes(nb::module_ &M);
void bindAttrs(nb::module_ &M);
void bindArrays(nb::module_ &M);
void bindExprs(nb::module_ &M);
void bindModules(nb::module_ &M);
void bindPasses(nb::module_ &M);
void bindPipelines(nb::module_ &M);
void bindPatterns(nb::module_ &M);
void bindEvaluation(nb::module_ &M);

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_OBJECTS_H
