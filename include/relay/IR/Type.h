//===- Type.h - Relay types -------------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Relay's types, uniqued in the Context and compared by pointer. Type
// variables and the unknowns of type inference have identity and are not
// uniqued. Function types with type parameters are equal up to the names of
// the parameters only by isSameType() (StructuralEqual.h), not by pointer.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_TYPE_H
#define RELAY_IR_TYPE_H

#include "relay/IR/Attr.h"
#include <atomic>

namespace relay {

class Type {
public:
  enum class Kind : uint8_t {
    Tensor,
    Tuple,
    Func,
    Ref,
    Var,       ///< type parameter
    Call,      ///< an ADT, applied to its type arguments
    Incomplete ///< an unknown of type inference
  };

  Kind getKind() const { return K; }
  /// Holds an Incomplete type somewhere inside.
  bool isIncomplete() const { return Incomplete; }
  /// Holds or binds a type variable somewhere inside.
  bool hasTypeVar() const { return TypeVar; }
  /// Levels of nesting; a tensor has 1. Inference refuses more than MaxDepth,
  /// so that functions over types may recurse.
  unsigned getDepth() const { return Depth; }
  static constexpr unsigned MaxDepth = 1000;
  /// Number of types and dimensions that it is written with, itself included,
  /// up to 2^32 - 1. Inference refuses more than MaxSize: `(%0, %0)` over and
  /// over doubles it.
  unsigned getSize() const { return Size; }
  static constexpr unsigned MaxSize = 1u << 22;
  /// The errors of types that pass these limits.
  static constexpr StringLiteral
      TooDeep = "the type is nested more than 1000 levels deep",
      TooLarge = "the type has more than 4194304 parts";

  Type(const Type &) = delete;
  Type &operator=(const Type &) = delete;

protected:
  explicit Type(Kind K) : K(K) {}
  /// Takes over what \p Part, a part of this type, holds.
  void include(const Type *Part) {
    if (!Part)
      return;
    Incomplete |= Part->Incomplete;
    TypeVar |= Part->TypeVar;
    Depth = std::max(Depth, Part->Depth + 1);
    Size = uint32_t(std::min<uint64_t>(uint64_t(Size) + Part->Size, ~0u));
  }

  Kind K;
  bool Incomplete = false;
  bool TypeVar = false;
  uint32_t Depth = 1;
  uint32_t Size = 1;
};

/// `Tensor[(1, ?), float32]`; rank 0 prints as its dtype alone.
class TensorType : public Type {
public:
  ArrayRef<Dim> getShape() const { return Shape; }
  unsigned getRank() const { return Shape.size(); }
  Dim getDim(unsigned I) const { return Shape[I]; }
  DType getDType() const { return Element; }
  bool isScalar() const { return Shape.empty(); }
  /// All dimensions are constants.
  bool isStatic() const {
    return llvm::all_of(Shape, [](Dim D) { return D.isConst(); });
  }
  /// Product of the dimensions; none when not static or beyond 2^62.
  std::optional<int64_t> getNumElements() const;

  static bool classof(const Type *T) { return T->getKind() == Kind::Tensor; }

private:
  friend class Context;
  TensorType(ArrayRef<Dim> Shape, DType Element)
      : Type(Kind::Tensor), Element(Element), Shape(Shape) {
    Size += Shape.size();
  }
  DType Element;
  ArrayRef<Dim> Shape;
};

/// `()`, `(T,)`, `(A, B)`.
class TupleType : public Type {
public:
  ArrayRef<Type *> getFields() const { return Fields; }
  unsigned getNumFields() const { return Fields.size(); }
  Type *getField(unsigned I) const { return Fields[I]; }
  static bool classof(const Type *T) { return T->getKind() == Kind::Tuple; }

private:
  friend class Context;
  explicit TupleType(ArrayRef<Type *> Fields)
      : Type(Kind::Tuple), Fields(Fields) {
    for (Type *F : Fields)
      include(F);
  }
  ArrayRef<Type *> Fields;
};

/// TVM's kinds of type variables: `A`, `A: Shape`, …
enum class TypeVarKind : uint8_t { Type, ShapeVar, BaseType, Shape };

/// A type parameter of a function, or of a type definition. One that a
/// signature binds (TypeParamList) is handed out again by the Context when the
/// last such signature goes.
class TypeVarType : public Type {
public:
  StringRef getName() const { return Name; }
  TypeVarKind getVarKind() const { return VarKind; }
  static bool classof(const Type *T) { return T->getKind() == Kind::Var; }

private:
  friend class Context;
  friend class TypeParamList;
  TypeVarType(Context &Ctx, StringRef Name, TypeVarKind VarKind)
      : Type(Kind::Var), VarKind(VarKind), Name(Name), Ctx(Ctx) {
    TypeVar = true;
  }
  TypeVarKind VarKind;
  std::atomic<uint32_t> NumHolders{0};
  bool IsUnused = false; ///< among those that the context may return again
  StringRef Name;
  Context &Ctx;
};

/// The type parameters that a function or closure binds. A variable that is in
/// no list can only be a part of types that bind it themselves, so
/// Context::createTypeVar() may return it again.
class TypeParamList {
public:
  TypeParamList() = default;
  TypeParamList(ArrayRef<TypeVarType *> Vars) { assign(Vars); }
  TypeParamList(std::initializer_list<TypeVarType *> Vars) { assign(Vars); }
  TypeParamList(const TypeParamList &Other) { assign(Other); }
  TypeParamList(TypeParamList &&Other) : Vars(std::move(Other.Vars)) {}
  /// Copies or moves.
  TypeParamList &operator=(TypeParamList Other) {
    Vars.swap(Other.Vars);
    return *this;
  }
  ~TypeParamList() {
    if (LLVM_UNLIKELY(!Vars.empty()))
      release();
  }

  void push_back(TypeVarType *Var);
  operator ArrayRef<TypeVarType *>() const { return Vars; }
  auto begin() const { return Vars.begin(); }
  auto end() const { return Vars.end(); }
  size_t size() const { return Vars.size(); }
  bool empty() const { return Vars.empty(); }
  TypeVarType *operator[](size_t I) const { return Vars[I]; }
  TypeVarType *back() const { return Vars.back(); }

private:
  void assign(ArrayRef<TypeVarType *> From) {
    llvm::for_each(From, [this](TypeVarType *Var) { push_back(Var); });
  }
  void release();

  SmallVector<TypeVarType *, 0> Vars;
};

/// `fn [A](A, B) -> C`.
class FuncType : public Type {
public:
  ArrayRef<TypeVarType *> getTypeParams() const { return TypeParams; }
  ArrayRef<Type *> getParams() const { return Params; }
  Type *getResult() const { return Result; }
  static bool classof(const Type *T) { return T->getKind() == Kind::Func; }

private:
  friend class Context;
  FuncType(ArrayRef<TypeVarType *> TypeParams, ArrayRef<Type *> Params,
           Type *Result)
      : Type(Kind::Func), TypeParams(TypeParams), Params(Params),
        Result(Result) {
    TypeVar = !TypeParams.empty();
    for (Type *P : Params)
      include(P);
    include(Result);
  }
  ArrayRef<TypeVarType *> TypeParams;
  ArrayRef<Type *> Params;
  Type *Result;
};

/// `ref(T)`: TVM's RelayRefType.
class RefType : public Type {
public:
  Type *getValueType() const { return Value; }
  static bool classof(const Type *T) { return T->getKind() == Kind::Ref; }

private:
  friend class Context;
  explicit RefType(Type *Value) : Type(Kind::Ref), Value(Value) {
    include(Value);
  }
  Type *Value;
};

/// `List[A]`: a type definition, by name, applied to arguments. TVM's TypeCall;
/// a definition without parameters is applied to none (`Storage[]`).
class TypeCall : public Type {
public:
  StringRef getName() const { return Name; }
  ArrayRef<Type *> getArgs() const { return Args; }
  static bool classof(const Type *T) { return T->getKind() == Kind::Call; }

private:
  friend class Context;
  TypeCall(StringRef Name, ArrayRef<Type *> Args)
      : Type(Kind::Call), Name(Name), Args(Args) {
    for (Type *A : Args)
      include(A);
  }
  StringRef Name; // of the Context's string pool: equal names, equal pointers
  ArrayRef<Type *> Args;
};

/// An unknown of type inference, numbered by its solver. Numbers are reused
/// from run to run; no Incomplete type outlives its solver but in text that
/// holds one (`meta[IncompleteType][0]`).
class IncompleteType : public Type {
public:
  uint32_t getId() const { return Id; }
  static bool classof(const Type *T) {
    return T->getKind() == Kind::Incomplete;
  }

private:
  friend class Context;
  explicit IncompleteType(uint32_t Id) : Type(Kind::Incomplete), Id(Id) {
    Incomplete = true;
  }
  uint32_t Id;
};

/// Prints \p T as Relay text does. Dimensions that the text format keeps in the
/// metadata section (variables, arithmetic) are printed as their expression;
/// the Printer (room Text) overrides that with \p PrintDim.
void printType(raw_ostream &OS, const Type *T,
               function_ref<void(raw_ostream &, Dim)> PrintDim = nullptr);
void printDim(raw_ostream &OS, Dim D);
std::string toString(const Type *T);
inline raw_ostream &operator<<(raw_ostream &OS, const Type &T) {
  printType(OS, &T);
  return OS;
}

} // namespace relay

#endif // RELAY_IR_TYPE_H
