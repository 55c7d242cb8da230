//===- StaticForms.cpp - Operands as attributes ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hook of StaticForms.td, which makes attributes of constant operands.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Dyn.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Sparse.h"
#include "relay/Ops/Tensor.h"

#include "relay/Transforms/Fold/StaticForm.h"
#define RELAY_DEFINE_OP_HOOKS
#include "relay/Transforms/Fold/StaticForms.h.inc"

using namespace relay;

/// Returns \p Number for an element of a field of kind \p K; null if the field
/// does not hold it. Integers have to be integers of 32 bits, as in TVM.
static Attr makeFieldNumber(Context &Ctx, FieldKind K, double Number) {
  if (K == FieldKind::Double)
    return Ctx.getFloat(Number, DType::getFloat(64));
  if (K == FieldKind::FloatArray)
    return Ctx.getFloat(Number);
  bool IsInt32 = std::abs(Number) <= 0x1p31 && Number == std::floor(Number) &&
                 llvm::isInt<32>(int64_t(Number));
  return IsInt32 ? Ctx.getInt(int64_t(Number)) : Attr();
}

/// Returns the numbers \p First to \p Last of \p Data as a list.
static Attr makeFieldList(Context &Ctx, FieldKind K, const ConstantData &Data,
                          size_t First, size_t Last) {
  SmallVector<Attr, 4> List;
  for (size_t I = First; I != Last; ++I) {
    List.push_back(makeFieldNumber(Ctx, K, Data.getDouble(I)));
    if (!List.back())
      return Attr();
  }
  return Ctx.getArray(List);
}

/// Returns \p Data as a number, a list or a list of lists.
static Attr makeFieldValue(Context &Ctx, FieldKind K,
                           const ConstantData &Data) {
  ArrayRef<Dim> Shape = Data.getType()->getShape();
  size_t Count = *Data.getType()->getNumElements();
  bool IsList = K == FieldKind::DimArray || K == FieldKind::IntArray ||
                K == FieldKind::FloatArray;
  bool IsMatrix = K == FieldKind::DimMatrix || K == FieldKind::IntMatrix;
  if (IsList)
    return Shape.size() <= 1 ? makeFieldList(Ctx, K, Data, 0, Count) : Attr();
  if (!IsMatrix)
    return Count == 1 ? makeFieldNumber(Ctx, K, Data.getDouble(0)) : Attr();
  if (Shape.size() != 2)
    return Attr();
  SmallVector<Attr, 4> Rows;
  size_t Width = Shape[1].getInt();
  for (size_t I = 0; I != Count; I += Width) {
    Rows.push_back(makeFieldList(Ctx, K, Data, I, I + Width));
    if (!Rows.back())
      return Attr();
  }
  return Ctx.getArray(Rows);
}

/// Returns the values of the attributes \p Form that \p Op has, and the default
/// values of the others.
static SmallVector<Attr, 8> getCommonSlots(Context &Ctx, const Operation &Op,
                                           const AttrsInfo &Form) {
  SmallVector<Attr, 8> Slots(Ctx.getDefaultAttrs(Form)->getSlots());
  const Attrs *A = Op.getAttrs();
  for (auto [Field, Slot] : llvm::zip_equal(Form.Fields, Slots)) {
    int Known = A ? A->getInfo().getFieldIndex(Field.Name) : -1;
    if (Known >= 0)
      Slot = A->getSlot(Known);
  }
  return Slots;
}

StaticOp relay::getStaticForm(const Operation &Op, ConstantLookup GetData,
                              const StaticFormInfo &Form) {
  const OpInfo &Info = Form.getInfo();
  Context &Ctx = Op.getFunction()->getContext();
  SmallVector<Attr, 8> Slots = getCommonSlots(Ctx, Op, *Info.Attributes);
  SmallVector<Value *, 4> Operands(Op.operands());
  for (const StaticFormInfo::Operand &O : Form.Operands) {
    const ConstantData *Data = GetData(Op.getOperand(O.Index));
    if (!Data || !hasElementType(Data->getDType()))
      return {};
    if (O.Field.empty())
      continue;
    int Slot = Info.Attributes->getFieldIndex(O.Field);
    assert(Slot >= 0 && "no attribute of the static operator");
    FieldKind K = Info.Attributes->Fields[Slot].Kind;
    if (!(Slots[Slot] = makeFieldValue(Ctx, K, *Data)))
      return {};
    Operands[O.Index] = nullptr;
  }
  llvm::erase(Operands, nullptr);
  return {&Info, Operands, Ctx.getAttrs(*Info.Attributes, Slots)};
}
