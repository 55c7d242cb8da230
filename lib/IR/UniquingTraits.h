//===- UniquingTraits.h - Hashing and comparison of storage -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A traits class for each kind of storage that a Context uniques: its key, and
// functions that hash and compare the key. See Uniquer.h. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_UNIQUINGTRAITS_H
#define RELAY_LIB_IR_UNIQUINGTRAITS_H

#include "ConstantPool.h"
#include "relay/IR/Attrs.h"
#include "llvm/Support/xxhash.h"

namespace relay::uniquing {

inline unsigned hashBytes(const void *Data, size_t Size, uint64_t Seed) {
  // At most a few words: xxh3 is fast for short inputs.
  uint64_t H = llvm::xxh3_64bits(
                   ArrayRef(reinterpret_cast<const uint8_t *>(Data), Size)) ^
               Seed * 0x9e3779b97f4a7c15ull;
  return unsigned(H ^ H >> 32);
}
template <typename T> unsigned hashArray(ArrayRef<T> Elements, uint64_t Seed) {
  return hashBytes(Elements.data(), Elements.size() * sizeof(T), Seed);
}
inline uint64_t seedOf(const void *P) {
  return reinterpret_cast<uintptr_t>(P) >> 4;
}

struct StringTraits {
  using KeyT = StringRef;
  static unsigned hash(KeyT K) { return hashBytes(K.data(), K.size(), 0); }
  static bool isEqual(KeyT K, const StringStorage *S) {
    return K == StringRef(S->Data, S->Size);
  }
};

struct IntTraits {
  using KeyT = std::pair<uint64_t, int64_t>; // dtype, value
  static unsigned hash(const KeyT &K) { return hashBytes(&K, sizeof(K), 1); }
  static bool isEqual(const KeyT &K, const IntStorage *S) {
    return K.first == S->Ty.getRaw() && K.second == S->Value;
  }
};

struct FloatTraits {
  using KeyT = std::pair<uint64_t, uint64_t>; // dtype, bits of the value
  static KeyT key(DType T, double Value) {
    return {T.getRaw(), llvm::bit_cast<uint64_t>(Value)};
  }
  static unsigned hash(const KeyT &K) { return hashBytes(&K, sizeof(K), 2); }
  static bool isEqual(const KeyT &K, const FloatStorage *S) {
    return K == key(S->Ty, S->Value);
  }
};

struct ArrayTraits {
  using KeyT = ArrayRef<Attr>;
  static unsigned hash(KeyT K) { return hashArray(K, 3); }
  static bool isEqual(KeyT K, const ArrayStorage *S) {
    return K == S->Elements;
  }
};

struct DictTraits {
  using KeyT = std::pair<Attr, ArrayRef<NamedAttr>>; // type key, entries
  static unsigned hash(const KeyT &K) {
    return hashArray(K.second, K.first.getOpaque());
  }
  static bool isEqual(const KeyT &K, const DictStorage *S) {
    return K.first == S->TypeKey && K.second == S->Entries;
  }
};

struct PointerTraits {
  struct KeyT {
    Attr::Kind K;
    uint32_t Index;
    const void *Pointer;
  };
  static unsigned hash(const KeyT &K) {
    return hashBytes(&K.Pointer, sizeof(void *), K.Index << 4 | unsigned(K.K));
  }
  static bool isEqual(const KeyT &K, const PointerStorage *S) {
    return K.K == S->K && K.Index == S->Index && K.Pointer == S->Pointer;
  }
};

struct DimExprTraits {
  struct KeyT {
    DimOp Op;
    DType Ty;
    ArrayRef<Dim> Operands;
  };
  static unsigned hash(const KeyT &K) {
    return hashArray(K.Operands, uint64_t(K.Op) << 48 ^ K.Ty.getRaw());
  }
  static bool isEqual(const KeyT &K, const DimExprStorage *S) {
    return K.Op == S->Op && K.Ty == S->Ty &&
           K.Operands == ArrayRef(S->Operands, S->NumOperands);
  }
};

struct AttrsTraits {
  using KeyT = std::pair<const AttrsInfo *, ArrayRef<Attr>>;
  static unsigned hash(const KeyT &K) {
    return hashArray(K.second, seedOf(K.first));
  }
  static bool isEqual(const KeyT &K, const Attrs *S) {
    return K.first == &S->getInfo() && K.second == S->getSlots();
  }
};

struct TensorTraits {
  using KeyT = std::pair<ArrayRef<Dim>, uint64_t>; // shape, dtype
  static unsigned hash(const KeyT &K) { return hashArray(K.first, K.second); }
  static bool isEqual(const KeyT &K, const TensorType *S) {
    return K.second == S->getDType().getRaw() && K.first == S->getShape();
  }
};

struct TupleTraits {
  using KeyT = ArrayRef<Type *>;
  static unsigned hash(KeyT K) { return hashArray(K, 4); }
  static bool isEqual(KeyT K, const TupleType *S) {
    return K == S->getFields();
  }
};

struct FuncTraits {
  struct KeyT {
    ArrayRef<TypeVarType *> TypeParams;
    ArrayRef<Type *> Params;
    Type *Result;
  };
  static unsigned hash(const KeyT &K) {
    return hashArray(K.Params, seedOf(K.Result)) * 31 +
           hashArray(K.TypeParams, 5);
  }
  static bool isEqual(const KeyT &K, const FuncType *S) {
    return K.Result == S->getResult() && K.Params == S->getParams() &&
           K.TypeParams == S->getTypeParams();
  }
};

struct RefTraits {
  using KeyT = Type *;
  static unsigned hash(KeyT K) { return hashBytes(&K, sizeof(K), 6); }
  static bool isEqual(KeyT K, const RefType *S) {
    return K == S->getValueType();
  }
};

struct TypeCallTraits {
  using KeyT = std::pair<const char *, ArrayRef<Type *>>; // interned name
  static unsigned hash(const KeyT &K) {
    return hashArray(K.second, seedOf(K.first));
  }
  static bool isEqual(const KeyT &K, const TypeCall *S) {
    return K.first == S->getName().data() && K.second == S->getArgs();
  }
};

/// The attributes of an AttrsInfo with all defaults.
struct DefaultAttrs {
  const AttrsInfo *Info;
  const Attrs *Values;
};

struct DefaultTraits {
  using KeyT = const AttrsInfo *;
  static unsigned hash(KeyT K) { return hashBytes(&K, sizeof(K), 7); }
  static bool isEqual(KeyT K, const DefaultAttrs *S) { return K == S->Info; }
};

template <typename T>
ArrayRef<T> copyInto(llvm::BumpPtrAllocator &Allocator, ArrayRef<T> Elements) {
  if (Elements.empty())
    return {};
  T *Memory = Allocator.Allocate<T>(Elements.size());
  std::uninitialized_copy(Elements.begin(), Elements.end(), Memory);
  return ArrayRef(Memory, Elements.size());
}

/// Keeps the data of \p Value, which is now a part of another attribute.
inline void keepConstant(Attr Value) {
  if (Value.getKind() == Attr::Kind::Constant)
    ConstantPool::keep(*Value.getConstant());
}

} // namespace relay::uniquing

#endif // RELAY_LIB_IR_UNIQUINGTRAITS_H
