//===- AttrsBuilder.h - Making attributes field by field --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The base of the builders that relay-tblgen generates, one for each class of
// attributes, and the parameter types of their fields:
//
//   Conv2DAttrs::Builder(Ctx).channels(64).kernelSize({3, 3}).get()
//   A.toBuilder(Ctx).padding({1, 1}).get()
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_ATTRSBUILDER_H
#define RELAY_IR_ATTRSBUILDER_H

#include "relay/IR/Context.h"

namespace relay {

/// A parameter that is an integer or any integer expression.
class DimArg {
public:
  template <typename IntT,
            typename = std::enable_if_t<std::is_integral_v<IntT>>>
  DimArg(IntT Value) : Int(Value) {}
  DimArg(Dim Value) : Expression(Value) {}
  /// None.
  DimArg(std::nullopt_t) {}

  Attr get(Context &Ctx) const {
    return Int ? Ctx.getInt(*Int) : Attr(Expression);
  }

private:
  std::optional<int64_t> Int;
  Dim Expression;
};

/// A parameter that is a list of integers (`{1, 0}`, an ArrayRef<int64_t>) or
/// of any integer expressions (an ArrayRef<Dim>). Refers to the elements: for
/// parameters only.
class DimListArg {
public:
  DimListArg(std::initializer_list<int64_t> List)
      : Ints(List.begin(), List.size()) {}
  DimListArg(ArrayRef<int64_t> List) : Ints(List) {}
  DimListArg(const SmallVectorImpl<int64_t> &List) : Ints(List) {}
  DimListArg(ArrayRef<Dim> List) : Dims(List), AreDims(true) {}
  DimListArg(const SmallVectorImpl<Dim> &List) : Dims(List), AreDims(true) {}
  /// None.
  DimListArg(std::nullopt_t) : IsNone(true) {}

  Attr get(Context &Ctx) const {
    if (IsNone)
      return {};
    return AreDims ? Ctx.getArray(Dims) : Ctx.getIntArray(Ints);
  }

private:
  ArrayRef<int64_t> Ints;
  ArrayRef<Dim> Dims;
  bool AreDims = false, IsNone = false;
};

/// Collects the values of fields; get() of the generated classes interns them
/// once.
class AttrsBuilder {
protected:
  /// Starts from the values of \p From, which may be defaults.
  AttrsBuilder(Context &Ctx, const Attrs &From)
      : Ctx(Ctx), Info(From.getInfo()), Slots(From.getSlots()) {}
  void set(unsigned I, Attr Value) { Slots[I] = Value; }
  /// Every required field has been set.
  const Attrs *intern() const;

  Context &Ctx;

private:
  const AttrsInfo &Info;
  SmallVector<Attr, 16> Slots;
};

} // namespace relay

#endif // RELAY_IR_ATTRSBUILDER_H
