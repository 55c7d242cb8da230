//===- Constant.h - Tensor data and its elements ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ConstantData is the value of constants: a type and a buffer, uniqued by the
// Context. Its elements are read through TensorView, which is typed, or one by
// one as numbers; dispatchDType() leads from a data type to the C++ type. An
// opaque constant has a type and no buffer.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_CONSTANT_H
#define RELAY_IR_CONSTANT_H

#include "relay/IR/NarrowFloat.h"
#include "relay/IR/TensorBuffer.h"
#include "relay/IR/Type.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace relay {

class ConstantPool;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Exact.
inline double toDouble(Half Value) { return toFloat(Value); }
inline double toDouble(BFloat Value) { return toFloat(Value); }
template <typename T> double toDouble(T Value) { return double(Value); }

/// An element from a number. Integers keep their low bits, numbers with a
/// fraction are truncated towards zero and clamped to int64 before, NaN is 0;
/// floats are rounded to nearest even; a bool is whether the integer is not 0.
template <typename T> T toElement(int64_t Value);
template <typename T> T toElement(double Value);
template <> inline Half toElement(double Value) {
  return roundToNarrow<Half>(Value);
}
template <> inline BFloat toElement(double Value) {
  return roundToNarrow<BFloat>(Value);
}

inline int64_t truncateToInt64(double Value) {
  // The largest double below 2^63.
  constexpr double Max = 9223372036854774784.0;
  return std::isnan(Value) ? 0
                           : int64_t(std::max(-0x1p63, std::min(Value, Max)));
}
template <typename T> T toElement(int64_t Value) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(Value);
  else
    return toElement<T>(double(Value));
}
template <typename T> T toElement(double Value) {
  if constexpr (std::is_floating_point_v<T>)
    return T(Value);
  else
    return T(truncateToInt64(Value));
}

/// An element as an integer; floats are truncated as in toElement().
template <typename T> int64_t toInt(T Value) {
  if constexpr (std::is_integral_v<T>)
    return int64_t(Value);
  else
    return truncateToInt64(toDouble(Value));
}

/// An element as a T, an arithmetic type, which represents it exactly; none
/// when it does not. NaN stays NaN.
template <typename T, typename E> std::optional<T> toExact(E Value) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<E>) {
    T Result = T(Value);
    bool Same = E(Result) == Value && (Result < T(0)) == (Value < E(0));
    return Same ? std::optional<T>(Result) : std::nullopt;
  } else if constexpr (std::is_integral_v<T>) {
    double Number = toDouble(Value);
    // The bounds are powers of two, and so exact.
    double End = std::ldexp(1.0, std::numeric_limits<T>::digits);
    double Begin = std::is_signed_v<T> ? -End : 0;
    bool Same = Number >= Begin && Number < End && std::trunc(Number) == Number;
    return Same ? std::optional<T>(T(Number)) : std::nullopt;
  } else {
    T Result = T(toDouble(Value));
    if constexpr (std::is_integral_v<E>)
      return toExact<E>(Result) == Value ? std::optional<T>(Result)
                                         : std::nullopt;
    bool Same = std::isnan(Result) || double(Result) == toDouble(Value);
    return Same ? std::optional<T>(Result) : std::nullopt;
  }
}

/// Calls \p F with a value-initialized element of the C++ type for \p T: bool,
/// [u]int{8,16,32,64}_t, Half, BFloat, float or double. Integers of fewer than
/// eight bits take a byte each. Returns false, and calls nothing, for types
/// without a C++ type: vectors, custom types, integers of other widths.
template <typename Fn> bool dispatchDType(DType T, Fn &&F) {
  if (T.getLanes() != 1)
    return false;
  unsigned Bytes = T.getByteSize();
  if (T.isBool())
    F(bool());
  else if (T.isFloat(32))
    F(float());
  else if (T.isFloat(64))
    F(double());
  else if (T.isFloat(16))
    F(Half());
  else if (T.isBFloat() && T.getBits() == 16)
    F(BFloat());
  else if (T.isInt() && Bytes == 1)
    F(int8_t());
  else if (T.isInt(16))
    F(int16_t());
  else if (T.isInt(32))
    F(int32_t());
  else if (T.isInt(64))
    F(int64_t());
  else if (T.isUInt() && Bytes == 1)
    F(uint8_t());
  else if (T.isUInt(16))
    F(uint16_t());
  else if (T.isUInt(32))
    F(uint32_t());
  else if (T.isUInt(64))
    F(uint64_t());
  else
    return false;
  return true;
}

/// Returns true if dispatchDType() knows \p T.
inline bool hasElementType(DType T) {
  return dispatchDType(T, [](auto) {});
}

/// Returns true if E is the C++ type that dispatchDType() gives for \p T.
template <typename E> bool isElementType(DType T) {
  bool IsSame = false;
  dispatchDType(T, [&](auto Zero) {
    IsSame = std::is_same_v<decltype(Zero), std::remove_const_t<E>>;
  });
  return IsSame;
}

/// Bytes as elements of type T, row-major. The bytes need no alignment: those
/// of a mapped file have that of the file.
template <typename T> class TensorView {
public:
  explicit TensorView(ArrayRef<char> Bytes) : Bytes(Bytes) {
    assert(Bytes.size() % sizeof(T) == 0 && "a part of an element");
  }

  size_t size() const { return Bytes.size() / sizeof(T); }
  bool empty() const { return Bytes.empty(); }
  T operator[](size_t I) const {
    assert(I < size());
    T Value;
    std::memcpy(&Value, Bytes.data() + I * sizeof(T), sizeof(T));
    return Value;
  }
  /// The elements in order, for range-based loops and algorithms.
  auto elements() const {
    return llvm::map_range(llvm::seq<size_t>(0, size()),
                           [View = *this](size_t I) { return View[I]; });
  }

private:
  ArrayRef<char> Bytes;
};

/// \p Count elements of type \p T, each \p Value. T has an element type.
TensorBuffer makeSplat(DType T, size_t Count, double Value);
TensorBuffer makeSplat(DType T, size_t Count, int64_t Value);

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// How the text names a constant whose data it omits.
struct OpaqueName {
  /// `meta[relay.Constant][Index]`; none if the index means nothing, as in
  /// dumps, where each function is numbered from 0.
  std::optional<uint32_t> Index;
  /// The content hash of elided data; empty if it is unknown.
  StringRef Hash;

  bool operator==(const OpaqueName &O) const {
    return Index == O.Index && Hash == O.Hash;
  }
};

/// Tensor data: immutable, shared, uniqued by type and content. Little-endian,
/// row-major, bool as one byte 0 or 1. Which expressions are the same constant
/// is the identity of the constant operation, not of the data.
///
/// Constant operations and ConstantRefs hold the data. After the last holder is
/// gone, the next Context::releaseUnusedConstants() releases the bytes: after
/// each pass, and with each module outside of passes. An Attr of a constant is
/// therefore valid in the pass that obtained it, including nested passes; keep
/// a ConstantRef for a longer time. Data in other attributes, and data that was
/// never held, stays with the Context.
///
/// An opaque constant stands for data that the text omits: its type is known,
/// its elements are not. Opaque constants are uniqued by type and name. Ask
/// isOpaque() before reading elements; isSplat(), getSplat() and getScalar() do
/// so.
class ConstantData : public AttrStorage {
public:
  TensorType *getType() const { return Ty; }
  DType getDType() const { return Ty->getDType(); }
  /// A hash of the bytes, or of the name; the same in every run.
  uint64_t getHash() const { return Hash; }
  /// Returns true if the text omits the data.
  bool isOpaque() const { return Name; }
  /// The name of an opaque constant.
  const OpaqueName &getOpaqueName() const {
    assert(isOpaque());
    return *Name;
  }
  /// Returns true if another constant of the same type and name may have other
  /// elements: an opaque constant with neither index nor hash.
  bool isAnonymous() const {
    return isOpaque() && !Name->Index && Name->Hash.empty();
  }
  /// Returns why an opaque constant has no elements, for diagnostics: "the data
  /// of `meta[relay.Constant][0]` is not in the text".
  std::string describeMissingData() const;
  /// The bytes of a constant that is not opaque.
  ArrayRef<char> getBytes() const {
    assert(!isOpaque() && "the data is not in the text");
    assert(!isReleased() && "nothing has held the data");
    return Buffer.load(std::memory_order_acquire)->Bytes;
  }
  /// Without bytes if the constant is opaque.
  TensorBuffer getBuffer() const {
    return TensorBuffer(Buffer.load(std::memory_order_acquire));
  }
  size_t getNumElements() const { return NumElements; }
  /// Returns true if the rank is 0.
  bool isScalar() const { return Ty->isScalar(); }

  /// The elements; T is what dispatchDType() gives for the data type.
  template <typename T> TensorView<T> getView() const {
    return TensorView<T>(getBytes());
  }
  /// Element \p I as a number, see toInt() and toDouble(). The data type has
  /// an element type.
  int64_t getInt(size_t I = 0) const;
  double getDouble(size_t I = 0) const;
  /// Returns true if all elements (at least one) are known and have the same
  /// bits.
  bool isSplat() const;
  /// The single element, or the common value of all elements, if T represents
  /// it exactly; none otherwise. T is an arithmetic type.
  template <typename T> std::optional<T> getSplat() const;
  /// The same, only of a rank of 0.
  template <typename T> std::optional<T> getScalar() const {
    return isScalar() ? getSplat<T>() : std::nullopt;
  }

  /// See the class.
  bool isReleased() const {
    return !isOpaque() && !Buffer.load(std::memory_order_acquire);
  }

private:
  friend class ConstantPool;
  friend class ConstantRef;
  friend class Operation;
  friend class Function;
  ConstantData(TensorType *Ty, uint64_t Hash, ConstantPool &Pool,
               const OpaqueName *Name = nullptr)
      : AttrStorage{Attr::Kind::Constant}, Ty(Ty), Hash(Hash),
        NumElements(*Ty->getNumElements()), Name(Name), Pool(Pool) {}

  void retain() const { NumHolders.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (NumHolders.fetch_sub(1, std::memory_order_acq_rel) == 1)
      addToUnused();
  }
  void addToUnused() const;

  TensorType *Ty;
  uint64_t Hash;
  size_t NumElements;
  const OpaqueName *Name; ///< null unless opaque
  ConstantPool &Pool;
  /// Owns a handle; null when released, and if the constant is opaque.
  mutable std::atomic<TensorBuffer::Storage *> Buffer{nullptr};
  /// Operations and ConstantRefs. Data in another attribute has one more.
  mutable std::atomic<uint64_t> NumHolders{0};
};

/// Keeps the data of a constant, beside the operations that do.
class ConstantRef {
public:
  ConstantRef() = default;
  explicit ConstantRef(const ConstantData *Data) : Data(Data) {
    if (Data)
      Data->retain();
  }
  /// \p A is a constant.
  explicit ConstantRef(Attr A) : ConstantRef(A.getConstant()) {}
  ConstantRef(const ConstantRef &O) : ConstantRef(O.Data) {}
  ConstantRef(ConstantRef &&O) : Data(std::exchange(O.Data, nullptr)) {}
  ConstantRef &operator=(ConstantRef O) {
    std::swap(Data, O.Data);
    return *this;
  }
  ~ConstantRef() {
    if (Data)
      Data->release();
  }

  const ConstantData *get() const { return Data; }
  const ConstantData *operator->() const { return Data; }
  explicit operator bool() const { return Data; }

private:
  const ConstantData *Data = nullptr;
};

template <typename T> std::optional<T> ConstantData::getSplat() const {
  static_assert(std::is_arithmetic_v<T>);
  std::optional<T> Result;
  if (isSplat())
    dispatchDType(getDType(), [&](auto Element) {
      Result = toExact<T>(getView<decltype(Element)>()[0]);
    });
  return Result;
}

} // namespace relay

#endif // RELAY_IR_CONSTANT_H
