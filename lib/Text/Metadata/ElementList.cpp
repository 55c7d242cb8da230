//===- ElementList.cpp - Elements of a constant in a comment --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ElementList.h.
//
//===----------------------------------------------------------------------===//

#include "ElementList.h"
#include "relay/IR/Constant.h"
#include "relay/IR/Context.h"
#include "relay/Text/Parse/Literals.h"

using namespace relay;

template <typename T> static std::optional<T> readElement(StringRef Text) {
  if constexpr (std::is_same_v<T, bool>) {
    if (Text != "True" && Text != "False")
      return std::nullopt;
    return Text == "True";
  } else if constexpr (std::is_integral_v<T>) {
    T Value;
    if (Text.getAsInteger(10, Value))
      return std::nullopt;
    return Value;
  } else {
    NumberLiteral N;
    double Ignored;
    if (Text.getAsDouble(Ignored))
      return std::nullopt;
    N.IsFloat = true;
    N.Negative = Text.consume_front("-");
    N.Digits = Text;
    unsigned Bits = std::is_same_v<T, double> ? 64
                    : std::is_same_v<T, Half> ? 16
                                              : 32;
    return toElement<T>(N.getFloat(Bits));
  }
}

Attr relay::readElements(Context &Ctx, TensorType *Ty, StringRef List) {
  SmallVector<StringRef, 64> Parts;
  List.split(Parts, ',', -1, /*KeepEmpty=*/false);
  if (Ty->getNumElements() != int64_t(Parts.size()))
    return {};
  TensorBuffer Buffer;
  bool Good = true;
  bool Known = dispatchDType(Ty->getDType(), [&](auto Zero) {
    using T = decltype(Zero);
    Buffer = TensorBuffer::allocate(Parts.size() * sizeof(T));
    auto *Out = reinterpret_cast<T *>(Buffer.getMutableBytes().data());
    for (StringRef Part : Parts) {
      std::optional<T> Element = readElement<T>(Part.trim());
      Good &= Element.has_value();
      *Out++ = Element.value_or(T());
    }
  });
  return Known && Good ? Ctx.getConstant(Ty, std::move(Buffer)) : Attr();
}
