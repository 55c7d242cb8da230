//===- Attrs.h - The attributes of an operation -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attrs is an operation's attributes: one uniqued, flat list of values, a slot
// for each field of its AttrsInfo. The AttrsInfo is a static table generated
// from TableGen; it drives parsing, printing, hashing, comparison and JSON. The
// generated subclass (Conv2DAttrs) only adds typed accessors and no data.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_ATTRS_H
#define RELAY_IR_ATTRS_H

#include "relay/IR/Attr.h"

namespace relay {

/// The kinds of values of a field, named for the C++ type in TVM. The kind
/// determines how text is read into the slot and how the slot is written.
enum class FieldKind : uint8_t {
  Bool,       ///< bool: True, False, also 0 and 1
  Int,        ///< int, Integer: an int32 (an int64 keeps its width)
  OptInt,     ///< Integer or None
  Double,     ///< double: a Float slot of dtype float64
  String,     ///< std::string, String
  DType,      ///< DataType: written as a string; void is ""
  Dim,        ///< IndexExpr: integer expression or None
  DimArray,   ///< Array<IndexExpr>; as all lists it may be None, too
  IntArray,   ///< Array<Integer>
  IntMatrix,  ///< Array<Array<Integer>>
  DimMatrix,  ///< Array<Array<IndexExpr>>
  FloatArray, ///< Array<FloatImm>
  /// `split`'s indices_or_sections: an int (TVM's runtime.BoxInt, written in
  /// the metadata) or an array.
  IntOrArray,
  Constant, ///< relay.Constant
  Expr,     ///< mirrors an operand: written, dropped on reading, no slot value
  Object    ///< anything: VirtualDevice, Map, EnvFunc, IndexMap, …
};

/// One field. \c Default is the text of the default value in the grammar of
/// attribute values (`[1, 1]`, `"NCHW"`, `1e-05f`, `None`); null for a required
/// field. A default value is not printed; a required field always is, even as
/// `units=None`.
struct AttrField {
  const char *Name;
  FieldKind Kind;
  const char *Default = nullptr;
  bool Nullable = false;       ///< None is a value
  int8_t MirroredOperand = -1; ///< Expr: index of the operand
  /// True for a Bool, Int, Double or String that TVM keeps as an object
  /// (Integer and not int, String and not std::string): in the metadata
  /// section, it is the index of a node and not the value itself.
  bool Boxed = false;

  bool isRequired() const { return !Default; }
  /// Returns true if None is allowed in text. TVM's lists and expressions are
  /// objects and may be null even for operators that do not support it.
  bool mayBeNone() const;
};

/// The description of a kind of attributes. Static and generated.
struct AttrsInfo {
  const char *TypeKey; ///< TVM's: `relay.attrs.Conv2DAttrs`
  ArrayRef<AttrField> Fields;

  /// Index of the field \p Name, or -1.
  int getFieldIndex(StringRef Name) const;
};

/// Attributes of an operation without declaration, or of a function: names and
/// values as written, one slot that holds a Dict.
extern const AttrsInfo DictAttrsInfo;

/// Uniqued by Context::getAttrs: equal attributes are one object.
class Attrs {
public:
  const AttrsInfo &getInfo() const { return *Info; }
  ArrayRef<Attr> getSlots() const {
    return ArrayRef(reinterpret_cast<const Attr *>(this + 1), NumSlots);
  }
  Attr getSlot(unsigned I) const {
    assert(I < NumSlots);
    return reinterpret_cast<const Attr *>(this + 1)[I];
  }
  /// Returns the value of the field \p Name; none if there is no such field.
  Attr lookup(StringRef Name) const;
  bool isDict() const { return Info == &DictAttrsInfo; }
  /// The names and values of a Dict.
  ArrayRef<NamedAttr> getEntries() const {
    assert(isDict());
    return getSlot(0) ? getSlot(0).getDict() : ArrayRef<NamedAttr>();
  }
  unsigned getHash() const { return Hash; }

  static bool classof(const Attrs *) { return true; }

protected:
  // For generated accessors.
  bool getBool(unsigned I) const { return getSlot(I) && getSlot(I).getBool(); }
  int64_t getInt(unsigned I) const { return getSlot(I).getInt(); }
  std::optional<int64_t> getOptInt(unsigned I) const {
    if (!getSlot(I))
      return std::nullopt;
    return getSlot(I).getInt();
  }
  double getDouble(unsigned I) const { return getSlot(I).getFloat(); }
  StringRef getString(unsigned I) const {
    return getSlot(I) ? getSlot(I).getString() : StringRef();
  }
  DType getDType(unsigned I) const { return getSlot(I).getDType(); }
  Dim getDim(unsigned I) const { return Dim(getSlot(I)); }
  ArrayRef<Attr> getArray(unsigned I) const {
    return getSlot(I) ? getSlot(I).getArray() : ArrayRef<Attr>();
  }
  ArrayRef<Dim> getDims(unsigned I) const { return toDims(getArray(I)); }

private:
  friend class Context;
  Attrs(const AttrsInfo &Info, ArrayRef<Attr> Slots, unsigned Hash)
      : Info(&Info), NumSlots(Slots.size()), Hash(Hash) {
    std::uninitialized_copy(Slots.begin(), Slots.end(),
                            reinterpret_cast<Attr *>(this + 1));
  }

  const AttrsInfo *Info;
  uint32_t NumSlots;
  uint32_t Hash;
};
static_assert(sizeof(Attrs) % alignof(Attr) == 0);

} // namespace relay

#endif // RELAY_IR_ATTRS_H
