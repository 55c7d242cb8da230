//===- Numbers.cpp - Elements of any data type as numbers -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversions between the data types and the four number types.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/Numbers.h"

using namespace relay;

DType relay::getNumberType(DType T) {
  if (!hasElementType(T))
    return DType::getVoid();
  if (T.isAnyFloat())
    return DType::getFloat(T.isFloat(64) ? 64 : 32);
  return T.isInt() ? DType::getInt(64) : DType::getUInt(64);
}

/// Returns true if elements of \p T are stored as numbers of N, except for the
/// sign of integers.
template <typename N> static bool isStoredAs(DType T) {
  if (std::is_integral_v<N>)
    return T.isInt(64) || T.isUInt(64);
  return isElementType<N>(T);
}

template <typename E, typename N>
static void loadBlock(const char *From, int64_t Step, int64_t Count, N *To) {
  const E *Elements = reinterpret_cast<const E *>(From);
  if (Step == 0)
    return (void)std::fill_n(To, Count, store<N>(load(*Elements)));
  if (Step == 1)
    for (int64_t I = 0; I != Count; ++I)
      To[I] = store<N>(load(Elements[I]));
  else
    for (int64_t I = 0; I != Count; ++I)
      To[I] = store<N>(load(Elements[I * Step]));
}

template <typename E, typename N>
static void storeBlock(const N *From, int64_t Count, char *To, int64_t Step) {
  E *Elements = reinterpret_cast<E *>(To);
  if (Step == 1)
    for (int64_t I = 0; I != Count; ++I)
      Elements[I] = store<E>(From[I]);
  else
    for (int64_t I = 0; I != Count; ++I)
      Elements[I * Step] = store<E>(From[I]);
}

template <typename N>
ElementReader<N>::ElementReader(const Tensor &Data)
    : Bytes(Data.getBytes().data()), Size(Data.getDType().getByteSize()),
      IsInPlace(isStoredAs<N>(Data.getDType())) {
  assert(Data.isAligned());
  dispatchDType(Data.getDType(),
                [&](auto Zero) { Load = loadBlock<decltype(Zero), N>; });
}

template <typename N>
ElementWriter<N>::ElementWriter(Tensor &Out)
    : Bytes(Out.getMutableBytes().data()), Size(Out.getDType().getByteSize()),
      IsInPlace(isStoredAs<N>(Out.getDType())) {
  dispatchDType(Out.getDType(),
                [&](auto Zero) { Store = storeBlock<decltype(Zero), N>; });
}

template <typename N>
void relay::convertElements(const ElementReader<N> &Data,
                            const ElementWriter<N> &Out, int64_t Begin,
                            int64_t End) {
  N Buffer[BlockSize];
  for (int64_t Count; Begin != End; Begin += Count) {
    Count = std::min(BlockSize, End - Begin);
    N *Place = Out.getPlace(Begin, Buffer);
    Out.write(Begin, Count, Data.read(Begin, 1, Count, Place));
  }
}

template <typename N> N relay::roundToElement(DType T, double Value) {
  Tensor Element = Tensor::allocate(T, {});
  ElementWriter<double>(Element).write(0, 1, &Value);
  return ElementReader<N>(Element)[0];
}

/// Returns the number type through which elements of \p From are converted to
/// elements of \p To with one rounding. Floats are converted to unsigned
/// integers through int64, see convertFloat().
static DType getCastNumber(DType From, DType To) {
  bool FromFloat = getNumberType(From).isFloat();
  if (To.isFloat(32))
    return To;
  if (getNumberType(To).isFloat() || (To.isBool() && FromFloat))
    return DType::getFloat(64);
  return FromFloat && To.isUInt(64) ? To : DType::getInt(64);
}

void relay::castElements(const Tensor &From, Tensor &To, int64_t Begin,
                         int64_t End) {
  DType Number = getCastNumber(From.getDType(), To.getDType());
  dispatchNumberType(Number, [&](auto Zero) {
    using N = decltype(Zero);
    convertElements(ElementReader<N>(From), ElementWriter<N>(To), Begin, End);
  });
}

Tensor relay::castScalar(const Tensor &Value, DType T) {
  Tensor Result = Tensor::allocate(T, {});
  castElements(Value, Result, 0, 1);
  return Result;
}

#define RELAY_DEFINE_NUMBERS(N)                                                \
  template class relay::ElementReader<N>;                                      \
  template class relay::ElementWriter<N>;                                      \
  template void relay::convertElements(                                        \
      const ElementReader<N> &, const ElementWriter<N> &, int64_t, int64_t);   \
  template N relay::roundToElement(DType, double);
RELAY_DEFINE_NUMBERS(int64_t)
RELAY_DEFINE_NUMBERS(uint64_t)
RELAY_DEFINE_NUMBERS(float)
RELAY_DEFINE_NUMBERS(double)
#undef RELAY_DEFINE_NUMBERS
