//===- CallMaker.cpp - Random calls of operators --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates operands and attributes of one call, including calls of operators
// without a sampler.
//
//===----------------------------------------------------------------------===//

#include "InstanceMaker.h"
#include "relay/IR/Context.h"

using namespace relay;
using namespace relay::test;

CallMaker::CallMaker(InstanceMaker &Maker, const OpInfo &Info,
                     ArrayRef<const PatternNode *> Arguments, const Wish &W,
                     ArrayRef<const WantedAttr *> Wanted)
    : Maker(Maker), Info(Info), Arguments(Arguments), W(W),
      Operands(Arguments.size(), nullptr) {
  if (!Info.Attributes)
    return;
  Context &Ctx = Maker.getContext();
  llvm::append_range(Slots, Ctx.getDefaultAttrs(*Info.Attributes)->getSlots());
  IsSetField.resize(Slots.size(), false);
  for (const WantedAttr *Each : Wanted)
    set(Each->first, Each->second.get(Ctx));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

const TensorType *CallMaker::operand(unsigned I, const Wish &Asked) {
  if (!Operands[I])
    Operands[I] = Maker.make(*Arguments[I], Asked);
  return Operands[I] ? dyn_cast_or_null<TensorType>(Operands[I]->getType())
                     : nullptr;
}

const TensorType *CallMaker::staticOperand(unsigned I, const Wish &Asked) {
  const TensorType *T = operand(I, Asked);
  return T && T->isStatic() ? T : nullptr;
}

bool relay::test::sampleAnyCall(CallMaker &C) {
  Chance &Random = C.getChance();
  const Wish &W = C.getWish();
  Wish First = {W.Element, W.Shape ? *W.Shape : Random.shape(W.Rank), {}, ""};
  Extents Whole = *First.Shape;
  unsigned NumOperands = C.getOp().NumOperands;
  if (NumOperands > 1 && Random.percent(15))
    First.Shape = Random.narrower(Whole);
  if (NumOperands == 0)
    return true;
  const TensorType *T = C.operand(0, First);
  if (!T)
    return false;
  if (getExtents(T) != *First.Shape) // its type differs from the request
    Whole = getExtents(T);
  for (unsigned I = 1; I != NumOperands; ++I) {
    Extents Shape =
        I == 1 && *First.Shape != Whole ? Whole : Random.narrower(Whole);
    if (!C.operand(I, Wish::of(T->getDType(), Shape)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void CallMaker::set(StringRef Field, Attr Value) {
  int I = Info.Attributes ? Info.Attributes->getFieldIndex(Field) : -1;
  if (I < 0 || IsSetField[I])
    return;
  Slots[I] = Value;
  IsSetField[I] = true;
}

void CallMaker::setInts(StringRef Field, ArrayRef<int64_t> Values) {
  set(Field, Maker.getContext().getIntArray(Values));
}
void CallMaker::setInt(StringRef Field, int64_t Value) {
  set(Field, Maker.getContext().getInt(Value));
}
void CallMaker::setNumber(StringRef Field, double Value) {
  set(Field, Maker.getContext().getFloat(Value, DType::getFloat(64)));
}

void CallMaker::setPairs(StringRef Field,
                         ArrayRef<std::array<int64_t, 2>> Values) {
  SmallVector<Attr> Pairs;
  for (const std::array<int64_t, 2> &Pair : Values)
    Pairs.push_back(Maker.getContext().getIntArray(Pair));
  set(Field, Maker.getContext().getArray(Pairs));
}

StringRef CallMaker::chooseText(StringRef Field, ArrayRef<StringRef> Values) {
  set(Field, Maker.getContext().getString(getChance().pick(Values)));
  return get(Field) ? get(Field).getString() : StringRef();
}

DType CallMaker::chooseDType(StringRef Field, DType Value) {
  set(Field, Attr::get(Value));
  return get(Field).getDType();
}

Attr CallMaker::get(StringRef Field) const {
  return Slots[Info.Attributes->getFieldIndex(Field)];
}
bool CallMaker::isSet(StringRef Field) const {
  return IsSetField[Info.Attributes->getFieldIndex(Field)];
}

const Attrs *CallMaker::getAttrs() {
  if (!Info.Attributes)
    return nullptr;
  return Maker.getContext().getAttrs(*Info.Attributes, Slots);
}

/// Returns a list with an element for each axis of the first operand.
Attr CallMaker::makeList(bool OfPairs) {
  Context &Ctx = Maker.getContext();
  auto *T = Operands.empty() || !Operands[0]
                ? nullptr
                : dyn_cast_or_null<TensorType>(Operands[0]->getType());
  SmallVector<Attr> Elements;
  for (unsigned I = 0, E = T ? T->getRank() : getChance().below(4); I != E; ++I)
    Elements.push_back(OfPairs ? Ctx.getIntArray({getChance().between(0, 2),
                                                  getChance().between(0, 2)})
                               : Ctx.getInt(getChance().between(0, 3)));
  return Ctx.getArray(Elements);
}

/// Sets field \p I, which is unset, to a value of its kind. A field with a
/// default value mostly keeps it.
void CallMaker::completeField(unsigned I) {
  const AttrField &Field = Info.Attributes->Fields[I];
  Chance &Random = getChance();
  Context &Ctx = Maker.getContext();
  if (!Field.isRequired() && !Random.percent(25))
    return;
  auto *T = Operands.empty()
                ? nullptr
                : dyn_cast_or_null<TensorType>(Operands[0]->getType());
  int64_t Rank = T ? T->getRank() : 4;
  switch (Field.Kind) {
  case FieldKind::Bool:
    Slots[I] = Attr::getBool(Random.percent(50));
    break;
  case FieldKind::Int:
  case FieldKind::OptInt:
  case FieldKind::Dim:
    Slots[I] =
        Ctx.getInt(Random.between(-Rank, std::max<int64_t>(Rank - 1, 0)));
    break;
  case FieldKind::Double: {
    static const double Numbers[] = {0, 1, 0.5, -1, 2, -0.25};
    Slots[I] =
        Ctx.getFloat(Random.pick(ArrayRef(Numbers)), DType::getFloat(64));
    break;
  }
  case FieldKind::DType:
    if (Field.isRequired())
      Slots[I] = Attr::get(W.Element.isVoid() ? Random.dtype() : W.Element);
    break;
  case FieldKind::DimArray:
  case FieldKind::IntArray:
  case FieldKind::IntOrArray:
    if (Field.isRequired())
      Slots[I] = makeList(/*OfPairs=*/false);
    break;
  case FieldKind::IntMatrix:
  case FieldKind::DimMatrix:
    if (Field.isRequired())
      Slots[I] = makeList(/*OfPairs=*/true);
    break;
  default:
    break;
  }
}

bool CallMaker::complete() {
  for (unsigned I = 0; I != Operands.size(); ++I)
    if (!Operands[I] && !(Operands[I] = Maker.make(*Arguments[I], {})))
      return false;
  for (unsigned I = 0; I != Slots.size(); ++I)
    if (!IsSetField[I])
      completeField(I);
  return true;
}
