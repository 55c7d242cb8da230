//===- FakeQuantizationRegion.cpp - Conversion of one region --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts operands before users; the hooks of FakeQuantization.td convert the
// operators. See FakeQuantizationRegion.h.
//
//===----------------------------------------------------------------------===//

#include "FakeQuantizationRegion.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

RegionConversion::RegionConversion(Operation *Root,
                                   const OpHooks<FakeQuantization> &Hooks,
                                   ConstantEvaluator &Folder)
    : Root(Root), Hooks(Hooks), Folder(Folder), D(*Root->getFunction()),
      B(D.getBlock(), Folder), Path(Root) {
  if (auto Quantize = dyn_cast<QnnQuantizeOp>(Root))
    Requested =
        AffineType{Quantize.outputScale(), Quantize.outputZeroPoint(),
                   Quantize.attrs().outDtype(), Quantize.attrs().axis()};
}

AffineValue RegionConversion::fail(Operation *Op, const Twine &Reason) {
  Failure = {Op, Reason.str()};
  return AffineValue();
}

/// Returns the operands of \p Op that belong to the region.
static unsigned getNumRegionOperands(Operation *Op) {
  if (isa<QnnDequantizeOp>(Op))
    return 0;
  return isa<QnnQuantizeOp>(Op) ? 1 : Op->getNumOperands();
}

bool RegionConversion::convertAll() {
  SmallVector<std::pair<Operation *, unsigned>, 16> Stack = {{Root, 0}};
  while (!Stack.empty()) {
    auto &[Op, Next] = Stack.back();
    if (Next != getNumRegionOperands(Op)) {
      // Values of the region are operations; see FakeQuantizationToInteger.cpp.
      auto *Operand = cast<Operation>(Op->getOperand(Next++));
      if (!Converted.count(Operand))
        Stack.push_back({Operand, 0});
      continue;
    }
    B.setLoc(Op->getLoc());
    AffineValue Result = convert(Op);
    if (!Result)
      return false;
    if (Result.Types.size() == 1)
      noteQuantized(Op, Result.V, Result.Types.front());
    Converted[Op] = std::move(Result);
    Stack.pop_back();
  }
  return true;
}

AffineValue RegionConversion::convert(Operation *Op) {
  if (isa<ConstantOp>(Op))
    return AffineValue(Op, ArrayRef<AffineType>());
  if (auto Dequantize = dyn_cast<QnnDequantizeOp>(Op))
    return convertDequantize(Dequantize);
  if (auto Quantize = dyn_cast<QnnQuantizeOp>(Op))
    return convertQuantize(Quantize);
  if (isa<TupleOp>(Op))
    return convertTuple(Op);
  if (isa<TupleGetItemOp>(Op))
    return convertField(Op);
  return convertOperator(Op);
}

/// Optional rules lose accuracy.
bool RegionConversion::isApproximate(const Value *Of) const {
  OpHook<FakeQuantization> Hook = Hooks.lookup(*Of->getDefiningOp());
  return Hook && (Hook.getNumber() & FakeQuantizationFlags::IsOptional);
}

void RegionConversion::noteQuantized(const Value *Of, const Value *V,
                                     const AffineType &T) {
  Quantized.push_back({Of->getDefiningOp(), V, T.Scale, T.ZeroPoint, T.Axis,
                       isApproximate(Of)});
}

AffineValue RegionConversion::convertTuple(Operation *Op) {
  SmallVector<Value *, 4> Fields;
  SmallVector<AffineType, 4> Types;
  for (Value *Operand : Op->operands()) {
    const AffineValue &Field = Converted.find(Operand)->second;
    if (Field.Types.size() != 1)
      return fail(Op, "a field of the tuple is not quantized");
    Fields.push_back(Field.V);
    Types.push_back(Field.Types.front());
  }
  return {B.create<TupleOp>(Fields), Types};
}

AffineValue RegionConversion::convertField(Operation *Op) {
  const AffineValue &Tuple = Converted.find(Op->getOperand(0))->second;
  uint64_t Index = TupleGetItemOp(Op).attrs().index();
  if (Index >= Tuple.Types.size())
    return fail(Op, "the tuple is not quantized");
  return {B.createOperation(Op->getInfo(), {Tuple.V}, Op->getAttrs()),
          Tuple.Types[Index]};
}

AffineValue RegionConversion::convertDequantize(QnnDequantizeOp Op) {
  auto *T = dyn_cast_or_null<TensorType>(Op.data()->getType());
  if (!T)
    return fail(Op, "its operand has no type");
  return {Op.data(), AffineType{Op.inputScale(), Op.inputZeroPoint(),
                                T->getDType(), Op.attrs().axis()}};
}

/// Returns true if \p V is a computation and not a constant or a variable.
static bool isComputed(const Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && Op->isFloating() && !isa<ConstantOp>(Op);
}

/// As in TVM, the scale at the end of a region is a constant or a variable.
AffineValue RegionConversion::convertQuantize(QnnQuantizeOp Op) {
  AffineType To{Op.outputScale(), Op.outputZeroPoint(), Op.attrs().outDtype(),
                Op.attrs().axis()};
  const AffineValue &Data = Converted.find(Op.data())->second;
  if (Data.Types.size() != 1)
    return fail(Op, "its operand is not quantized");
  if (isComputed(To.Scale) || isComputed(To.ZeroPoint))
    return fail(Op, "its scale or its zero point is computed; expected a "
                    "constant or a variable");
  AffineType From = Data.Types.front();
  From.Scale = B.fold(From.Scale);
  From.ZeroPoint = B.fold(From.ZeroPoint);
  std::optional<bool> IsSame = B.isClose(From, To);
  if (!IsSame)
    return fail(Op, "its scale and the scale of its operand have different "
                    "shapes");
  return {*IsSame ? Data.V : B.requantize(Data.V, From, To), To};
}

/// Returns true if \p V has a complete affine type for each tensor of \p Op.
static bool isComplete(const AffineValue &V, const Operation *Op) {
  auto *Tuple = dyn_cast_or_null<TupleType>(Op->getType());
  return V.Types.size() == (Tuple ? Tuple->getFields().size() : 1) &&
         llvm::all_of(V.Types, [](const AffineType &T) {
           return T.Scale && T.ZeroPoint;
         });
}

AffineValue RegionConversion::convertOperator(Operation *Op) {
  SmallVector<const AffineValue *, 4> Operands;
  for (Value *Operand : Op->operands())
    Operands.push_back(&Converted.find(Operand)->second);
  FakeQuantizedOp Q(Op, Operands, Requested ? &*Requested : nullptr, Path);
  const OpHookNode *Rule = nullptr;
  AffineValue Result = Hooks.lookup(*Op).ask(Rule, B, Q);
  if (!Result && !Q.getReason().empty())
    return fail(Op, Q.getReason());
  if (!Result || !isComplete(Result, Op))
    return fail(Op, "the rule " + Rule->Entry->describe() + " " +
                        (Result ? "returns no affine type for each tensor"
                                : "gives no reason"));
  for (const FakeQuantizedOp::QuantizedConstant &C : Q.getConstants())
    noteQuantized(Op->getOperand(C.I), C.V, C.T);
  return Result;
}

/// Returns the numbers that \p Result, the integers of Root, represent.
Value *RegionConversion::dequantizeRoot(const AffineValue &Result) {
  auto *T = dyn_cast_or_null<TensorType>(Root->getType());
  if (!T || Result.Types.size() != 1) {
    fail(Root, "its result is not a tensor");
    return nullptr;
  }
  return B.dequantize(Result.V, Result.Types.front(), T->getDType());
}

/// Checks that all operations have types, and that \p Result has the type of
/// Root.
bool RegionConversion::checkTypes(Value *Result) {
  for (Operation &Op : D.getBlock().getOperations())
    if (!Op.getType())
      return fail(Root, "'" + Op.getName() + "' does not take its operands"),
             false;
  if (isLessDynamic(B.getContext(), Result->getType(), Root->getType()))
    return true;
  fail(Root, "the integers have type " + toString(Result->getType()) +
                 "; expected " + toString(Root->getType()));
  return false;
}

Value *RegionConversion::run() {
  if (!convertAll())
    return nullptr;
  const AffineValue &Result = Converted.find(Root)->second;
  B.setLoc(Root->getLoc());
  Value *New = Requested ? Result.V : dequantizeRoot(Result);
  return New && checkTypes(New) ? New : nullptr;
}

void RegionConversion::forgetDraft() {
  for (const Operation &Op : D.getBlock().getOperations())
    Folder.forget(&Op);
}
