//===- Attr.h - Uniqued attribute values and dimensions ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attr is one attribute value in eight bytes: small integers, booleans and
// data types are stored inline, everything else is uniqued in the Context, so
// that equal values are equal words. Dim is the Attr that is an integer
// expression: what tensor shapes are made of, and what TVM calls IndexExpr.
//
// Which attributes an operation has, and their names, is Attrs.h.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_ATTR_H
#define RELAY_IR_ATTR_H

#include "relay/IR/DType.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"

namespace relay {

class Attrs;
class Context;
class MetaDocument;
class TensorType;
class Type;
class ConstantData;
struct AttrStorage;
struct DimVarStorage;
struct DimExprStorage;
class Attr;
using NamedAttr = std::pair<Attr, Attr>; // key (a string), value

class Attr {
public:
  enum class Kind : uint8_t {
    None,     ///< absent; TVM's `None`
    Bool,     ///< True, False
    DType,    ///< a data type; printed as a string
    Int,      ///< integer constant of some integer dtype
    Any,      ///< `?`
    DimVar,   ///< tir.Var, tir.SizeVar: has identity, not uniqued
    DimExpr,  ///< arithmetic over dimensions
    Float,    ///< double value, with the dtype it was written in
    String,   ///< bytes
    Array,    ///< list of Attr
    Dict,     ///< ordered string -> Attr, TVM's Map<String, ObjectRef>
    Constant, ///< tensor data (relay.Constant, runtime.NDArray)
    OpAttrs,  ///< the attributes of an op as an object (relay.attrs.X)
    Type,     ///< a Relay type
    Object,   ///< an object of another registered kind, field by field
    Raw       ///< a metadata node of unknown kind, kept as read
  };

  constexpr Attr() = default;
  constexpr Attr(std::nullptr_t) {}
  static constexpr Attr getBool(bool Value) {
    return Attr(uintptr_t(Value) << 3 | BoolTag);
  }
  static Attr get(DType T) { return Attr(T.getRaw() << 3 | DTypeTag); }

  explicit operator bool() const { return Bits != 0; }
  bool operator==(Attr O) const { return Bits == O.Bits; }
  bool operator!=(Attr O) const { return Bits != O.Bits; }

  Kind getKind() const;
  bool isBool() const { return tag() == BoolTag; }
  bool isDType() const { return tag() == DTypeTag; }
  bool isInt() const { return getKind() == Kind::Int; }
  /// An integer expression: constant, `?`, variable or arithmetic; also an
  /// Object that is one, such as `tir.Cast` of a computation with floats, which
  /// is equal to itself only.
  bool isDim() const;
  bool isFloat() const { return getKind() == Kind::Float; }
  bool isString() const { return getKind() == Kind::String; }
  bool isArray() const { return getKind() == Kind::Array; }

  bool getBool() const {
    assert(isBool());
    return Bits >> 3;
  }
  DType getDType() const {
    assert(isDType());
    return DType::fromRaw(Bits >> 3);
  }
  /// The value of an integer constant (a uint64 by its bits).
  int64_t getInt() const {
    unsigned T = tag();
    if (LLVM_LIKELY(T == Int32Tag || T == Int64Tag))
      return int64_t(Bits) >> 3;
    return getBoxedInt();
  }
  /// The dtype of an integer constant, a dimension or a float.
  DType getNumberType() const;
  double getFloat() const;
  StringRef getString() const;
  ArrayRef<Attr> getArray() const;
  ArrayRef<NamedAttr> getDict() const;
  /// The value for \p Key of a Dict or an Object; null if absent.
  Attr lookup(StringRef Key) const;
  const ConstantData *getConstant() const;
  const Attrs *getOpAttrs() const;
  relay::Type *getType() const;
  /// An Object's TVM type key (`VirtualDevice`) and fields.
  StringRef getTypeKey() const;
  ArrayRef<NamedAttr> getFields() const;
  /// A Raw node: its document, which a module or an AttrRef holds, and its
  /// index there.
  const MetaDocument *getRawDocument() const;
  unsigned getRawNode() const;

  uintptr_t getOpaque() const { return Bits; }
  static constexpr Attr fromOpaque(uintptr_t Bits) { return Attr(Bits); }
  friend llvm::hash_code hash_value(Attr A) { return llvm::hash_value(A.Bits); }

protected:
  friend class Context;
  enum Tag : unsigned {
    PointerTag = 0,
    Int32Tag = 1,
    Int64Tag = 2,
    BoolTag = 3,
    DTypeTag = 4,
    AnyTag = 5
  };
  explicit constexpr Attr(uintptr_t Bits) : Bits(Bits) {}
  explicit Attr(const AttrStorage *S) : Bits(reinterpret_cast<uintptr_t>(S)) {}
  unsigned tag() const { return Bits & 7; }
  const AttrStorage *storage() const {
    assert(tag() == PointerTag && Bits);
    return reinterpret_cast<const AttrStorage *>(Bits);
  }
  int64_t getBoxedInt() const;

  uintptr_t Bits = 0;
};

/// The operations of a DimExpr, named as TVM's tir nodes.
enum class DimOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  FloorDiv,
  FloorMod,
  Min,
  Max,
  Cast
};
/// TVM's type key of \p Op (`tir.FloorDiv`), and back.
StringRef getDimOpTypeKey(DimOp Op);
std::optional<DimOp> parseDimOpTypeKey(StringRef Key);

/// An integer expression: a constant (int32 or int64), `?`, a variable (by
/// identity, not by name), or arithmetic. Null when absent.
class Dim : public Attr {
public:
  constexpr Dim() = default;
  explicit Dim(Attr A) : Attr(A) {
    assert((!A || A.isDim()) && "no dimension");
  }

  /// `?`
  static constexpr Dim getAny() { return Dim(uintptr_t(AnyTag)); }
  /// An int32 constant: what dimensions are unless written with `i64`.
  static Dim get(int32_t Value) {
    return Dim(uintptr_t(int64_t(Value)) << 3 | Int32Tag);
  }

  static constexpr Dim fromOpaque(uintptr_t Bits) { return Dim(Bits); }

  bool isAny() const { return tag() == AnyTag; }
  bool isConst() const { return isInt(); }
  bool isConst(int64_t Value) const { return isConst() && getInt() == Value; }
  bool isVar() const { return getKind() == Kind::DimVar; }
  bool isExpr() const { return getKind() == Kind::DimExpr; }

  /// A variable's name as read; \c isSizeVar tells tir.SizeVar from tir.Var.
  StringRef getVarName() const;
  bool isSizeVar() const;
  DimOp getOp() const;
  /// Operands of arithmetic; Cast has one.
  ArrayRef<Dim> getOperands() const;

private:
  explicit constexpr Dim(uintptr_t Bits) : Attr(Bits) {}
};

/// \p Values, all of them dimensions, as dimensions.
inline ArrayRef<Dim> toDims(ArrayRef<Attr> Values) {
  static_assert(sizeof(Dim) == sizeof(Attr));
  assert(llvm::all_of(Values, [](Attr A) { return A.isDim(); }));
  return ArrayRef(static_cast<const Dim *>(Values.data()), Values.size());
}
inline ArrayRef<Attr> toAttrs(ArrayRef<Dim> Dims) {
  return ArrayRef(static_cast<const Attr *>(Dims.data()), Dims.size());
}

//===----------------------------------------------------------------------===//
// Storage, of interest to Context only
//===----------------------------------------------------------------------===//

struct alignas(8) AttrStorage {
  Attr::Kind K;
};
struct IntStorage : AttrStorage {
  DType Ty;
  int64_t Value;
};
struct FloatStorage : AttrStorage {
  DType Ty;
  double Value;
};
struct StringStorage : AttrStorage {
  uint32_t Size;
  const char *Data;
};
struct ArrayStorage : AttrStorage {
  ArrayRef<Attr> Elements;
};
struct DictStorage : AttrStorage {
  Attr TypeKey; // Object only
  ArrayRef<NamedAttr> Entries;
};
struct DimVarStorage : AttrStorage {
  bool SizeVar;
  DType Ty;
  Attr Name;
};
struct DimExprStorage : AttrStorage {
  DimOp Op;
  DType Ty;
  Dim Operands[2];
  uint32_t NumOperands;
};
/// OpAttrs, Type; Raw with its node index.
struct PointerStorage : AttrStorage {
  uint32_t Index;
  const void *Pointer;
};

inline Attr::Kind Attr::getKind() const {
  switch (tag()) {
  case Int32Tag:
  case Int64Tag:
    return Kind::Int;
  case BoolTag:
    return Kind::Bool;
  case DTypeTag:
    return Kind::DType;
  case AnyTag:
    return Kind::Any;
  default:
    return Bits ? storage()->K : Kind::None;
  }
}

inline bool Attr::isDim() const {
  Kind K = getKind();
  return K == Kind::Int || K == Kind::Any || K == Kind::DimVar ||
         K == Kind::DimExpr ||
         (K == Kind::Object && getTypeKey().starts_with("tir."));
}

} // namespace relay

template <> struct llvm::DenseMapInfo<relay::Attr> {
  static relay::Attr getEmptyKey() {
    return relay::Attr::fromOpaque(~uintptr_t(0));
  }
  static relay::Attr getTombstoneKey() {
    return relay::Attr::fromOpaque(~uintptr_t(0) - 8);
  }
  static unsigned getHashValue(relay::Attr A) {
    return DenseMapInfo<uintptr_t>::getHashValue(A.getOpaque());
  }
  static bool isEqual(relay::Attr A, relay::Attr B) { return A == B; }
};
template <> struct llvm::DenseMapInfo<relay::Dim> {
  using AttrInfo = DenseMapInfo<relay::Attr>;
  static relay::Dim getEmptyKey() {
    return relay::Dim::fromOpaque(AttrInfo::getEmptyKey().getOpaque());
  }
  static relay::Dim getTombstoneKey() {
    return relay::Dim::fromOpaque(AttrInfo::getTombstoneKey().getOpaque());
  }
  static unsigned getHashValue(relay::Dim D) {
    return AttrInfo::getHashValue(D);
  }
  static bool isEqual(relay::Dim A, relay::Dim B) { return A == B; }
};

#endif // RELAY_IR_ATTR_H
