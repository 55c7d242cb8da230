//===- Numbers.h - Elements of any data type as numbers ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels compute in four number types: int64_t, uint64_t, float and double.
// Readers and writers convert blocks of elements of other data types to and
// from them, so that a loop is compiled four times rather than once per data
// type. Elements that have a number type already are used in place.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_NUMBERS_H
#define RELAY_INTERPRETER_VALUES_NUMBERS_H

#include "relay/IR/ElementRange.h"
#include "relay/Interpreter/Values/Elements.h"
#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// Returns the number type of the elements of \p T as a data type: int64 for
/// signed integers, uint64 for unsigned integers and bool, float32 for the
/// narrow floats and float32, float64 for float64; void for data types without
/// an element type.
DType getNumberType(DType T);

/// Returns the data type in which floats of \p T are summed: float64 for
/// float32 and float64, float32 for the narrow floats.
inline DType getSumType(DType T) {
  return DType::getFloat(T.isFloat(32) || T.isFloat(64) ? 64 : 32);
}

/// Calls \p F with a zero of the number type of \p T. Returns false, without
/// calling it, if there is none.
template <typename Fn> bool dispatchNumberType(DType T, Fn &&F) {
  DType Number = getNumberType(T);
  if (Number.isFloat(32))
    F(float());
  else if (Number.isFloat())
    F(double());
  else if (Number.isInt())
    F(int64_t());
  else if (Number.isUInt())
    F(uint64_t());
  return !Number.isVoid();
}

/// Returns the least and the greatest integer of \p T, a data type of integers
/// or bool whose number type is N.
template <typename N> std::pair<N, N> getIntegerLimits(DType T) {
  static_assert(std::is_integral_v<N>);
  if (T.isBool())
    return {0, 1};
  constexpr std::pair Widest(std::numeric_limits<N>::min(),
                             std::numeric_limits<N>::max());
  unsigned Unused = 64 - T.getBits(); // int4 takes a byte
  return {Widest.first >> Unused, Widest.second >> Unused};
}

/// Returns the least finite number of \p T, whose number type is N.
template <typename N> N getLeastFinite(DType T) {
  if constexpr (std::is_integral_v<N>)
    return getIntegerLimits<N>(T).first;
  else
    return N(getElementRange(T)->Lowest);
}

/// The number of elements converted at a time: blocks fit in the L1 cache.
constexpr int64_t BlockSize = 512;

/// Reads elements as numbers of the number type N, which may differ from that
/// of their data type: converts each as store<N>(load(Element)) does. Does not
/// hold the tensor.
template <typename N> class ElementReader {
public:
  /// \p Data must have an element type and be aligned.
  explicit ElementReader(const Tensor &Data);

  /// Returns \p Count numbers, from elements \p Step apart beginning with \p
  /// First: in \p Buffer, or in place.
  const N *read(int64_t First, int64_t Step, int64_t Count, N *Buffer) const {
    if (IsInPlace && Step == 1)
      return reinterpret_cast<const N *>(Bytes) + First;
    Load(Bytes + First * Size, Step, Count, Buffer);
    return Buffer;
  }
  N operator[](int64_t I) const {
    N Number;
    return *read(I, 1, 1, &Number);
  }

private:
  const char *Bytes;
  int64_t Size; ///< of an element
  bool IsInPlace;
  void (*Load)(const char *From, int64_t Step, int64_t Count, N *To);
};

/// Writes numbers of the number type N as elements: store<E>(Number).
template <typename N> class ElementWriter {
public:
  /// \p Out must have an element type.
  explicit ElementWriter(Tensor &Out);

  /// Returns the memory for numbers that write() stores from \p First on: the
  /// elements themselves, or \p Buffer.
  N *getPlace(int64_t First, N *Buffer) const {
    return IsInPlace ? reinterpret_cast<N *>(Bytes) + First : Buffer;
  }
  /// Stores \p Count numbers \p Step elements apart, beginning with \p First.
  /// Does nothing if \p From is the memory of contiguous elements.
  void write(int64_t First, int64_t Count, const N *From,
             int64_t Step = 1) const {
    if (Step != 1 || From != getPlace(First, nullptr))
      Store(From, Count, Bytes + First * Size, Step);
  }

private:
  char *Bytes;
  int64_t Size; ///< of an element
  bool IsInPlace;
  void (*Store)(const N *From, int64_t Count, char *To, int64_t Step);
};

/// bool is not a number type, but the result type of predicates, which are
/// always written in place to tensors of bool.
template <> class ElementWriter<bool> {
public:
  explicit ElementWriter(Tensor &Out)
      : Elements(Out.getMutableElements<bool>().data()) {}
  bool *getPlace(int64_t First, bool *) const { return Elements + First; }
  void write(int64_t, int64_t, const bool *) const {}

private:
  bool *Elements;
};

/// Converts the elements [\p Begin, \p End) of \p Data to numbers of N and then
/// to elements of \p Out.
template <typename N>
void convertElements(const ElementReader<N> &Data, const ElementWriter<N> &Out,
                     int64_t Begin, int64_t End);

/// Calls \p F for each block of the elements [\p Begin, \p End) of \p Data,
/// with the numbers, the memory for as many results for \p Out, the index of
/// the first element, and the size of the block.
template <typename R, typename N, typename Fn>
void mapRange(const ElementReader<N> &Data, const ElementWriter<R> &Out,
              int64_t Begin, int64_t End, Fn &&F) {
  N Numbers[BlockSize];
  R Results[BlockSize];
  for (int64_t Count; Begin != End; Begin += Count) {
    Count = std::min(BlockSize, End - Begin);
    R *Place = Out.getPlace(Begin, Results);
    F(Data.read(Begin, 1, Count, Numbers), Place, Begin, Count);
    Out.write(Begin, Count, Place);
  }
}

/// Converts the result of a step of a formula: rounds floats to the data type
/// and reduces integers to the low bits of the data type. A sum, difference,
/// product, quotient or square root of narrower floats that is computed in
/// double and then rounded equals the result computed in their own type.
template <typename N, bool IsInteger = std::is_integral_v<N>>
class ElementRounding {
public:
  explicit ElementRounding(DType T)
      : Kind(T.isBFloat()    ? To::BFloat
             : T.isFloat(16) ? To::Half
             : T.isFloat(32) ? To::Float
                             : To::Same) {}

  N operator()(N X) const {
    if (Kind == To::Half)
      return toFloat(store<Half>(X));
    if (Kind == To::BFloat)
      return toFloat(store<BFloat>(X));
    return Kind == To::Float ? N(float(X)) : X;
  }

private:
  enum class To : uint8_t { Half, BFloat, Float, Same } Kind;
};
template <typename N> class ElementRounding<N, true> {
public:
  explicit ElementRounding(DType T)
      : UnusedBits(T.isBool() ? 63 : 64 - 8 * T.getByteSize()) {}

  N operator()(N X) const { return N(uint64_t(X) << UnusedBits) >> UnusedBits; }

private:
  unsigned UnusedBits;
};

/// Converts \p Value to an element of \p T and back to a number of N.
template <typename N> N roundToElement(DType T, double Value);

/// Fills the elements [\p Begin, \p End) of \p To with the elements of \p From,
/// converted as by TVM's cast: store<To>(load(From)), for any two data types.
void castElements(const Tensor &From, Tensor &To, int64_t Begin, int64_t End);
/// Casts \p Value, of one element, likewise to a scalar of \p T.
Tensor castScalar(const Tensor &Value, DType T);

#define RELAY_DECLARE_NUMBERS(N)                                               \
  extern template class ElementReader<N>;                                      \
  extern template class ElementWriter<N>;                                      \
  extern template void convertElements(                                        \
      const ElementReader<N> &, const ElementWriter<N> &, int64_t, int64_t);   \
  extern template N roundToElement(DType, double);
RELAY_DECLARE_NUMBERS(int64_t)
RELAY_DECLARE_NUMBERS(uint64_t)
RELAY_DECLARE_NUMBERS(float)
RELAY_DECLARE_NUMBERS(double)
#undef RELAY_DECLARE_NUMBERS

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_NUMBERS_H
