//===- OperatorCall.cpp - Calls of operators ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OperatorCall.h.
//
//===----------------------------------------------------------------------===//

#include "OperatorCall.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Ops/Relations.h"

using namespace relay;

/// Returns the type of \p V; null if it contains anything but tensors and
/// tuples. The recursion is bounded by the nesting of the value.
static Type *getTypeOf(Context &Ctx, const RuntimeValue &V) {
  if (V.isTensor())
    return V.getTensor().getType(Ctx);
  if (!V.isTuple())
    return nullptr;
  SmallVector<Type *, 4> Fields;
  for (const RuntimeValue &Field : V.getFields())
    if (Type *T = getTypeOf(Ctx, Field))
      Fields.push_back(T);
  return Fields.size() == V.getFields().size() ? Ctx.getTupleType(Fields)
                                               : nullptr;
}

Type *OperatorCall::getResultType(const KernelCall::Environment &Env,
                                  ArrayRef<RuntimeValue> Inputs) const {
  SmallVector<Type *, 4> Types;
  for (auto [I, Input] : llvm::enumerate(Inputs)) {
    Type *T = getTypeOf(Env.Ctx, Input);
    if (!T && Op)
      T = Op->getOperand(I)->getType();
    Types.push_back(T);
  }
  TypeRelation R(Env.Ctx, Info, Attributes, Types, nullptr);
  if (Op)
    R.setOperation(Op);
  if (Info.InferType(R) == RelationResult::Solved)
    return R.getResult();
  StringRef Reason = R.getMessage();
  if (!Reason.consume_front(("'" + Info.Name + "': ").str()))
    Reason = "the type of the result is not known";
  emitError(Env, Reason);
  return nullptr;
}

RuntimeValue relay::makeAligned(const RuntimeValue &V, MemoryMeter *Meter) {
  if (V.isTensor())
    return V.getTensor().isAligned()
               ? V
               : RuntimeValue(V.getTensor().copy(Meter), Meter);
  if (!V.isTuple())
    return V;
  auto IsAligned = [](const RuntimeValue &Field) {
    return !Field.isTensor() || Field.getTensor().isAligned();
  };
  if (llvm::all_of(V.getFields(), IsAligned))
    return V;
  SmallVector<RuntimeValue, 4> Fields;
  for (const RuntimeValue &Field : V.getFields())
    Fields.push_back(IsAligned(Field)
                         ? Field
                         : RuntimeValue(Field.getTensor().copy(Meter), Meter));
  return RuntimeValue::getTuple(Fields, Meter);
}

/// Returns a tensor in \p V whose elements have no C++ type; null if there is
/// none.
static const Tensor *findUnsupported(const RuntimeValue &V) {
  if (V.isTensor())
    return hasElementType(V.getTensor().getDType()) ? nullptr : &V.getTensor();
  if (V.isTuple())
    for (const RuntimeValue &Field : V.getFields())
      if (Field.isTensor() && !hasElementType(Field.getTensor().getDType()))
        return &Field.getTensor();
  return nullptr;
}

/// Returns the name of operand \p I; the last operand may be variadic.
static StringRef getOperandName(const OpInfo &Info, size_t I) {
  return Info.OperandNames[std::min(I, Info.OperandNames.size() - 1)];
}

/// Returns true if \p Inputs have the types of the operands. A call may have
/// made these narrower than the values: `?` matches any dimension.
bool OperatorCall::fitOperands(ArrayRef<RuntimeValue> Inputs) const {
  for (auto [I, Input] : llvm::enumerate(Inputs))
    if (!checkValue(Input, Op->getOperand(I)->getType()).empty())
      return false;
  return true;
}

/// Returns true if \p T, the type of a result or field, has a dimension that is
/// neither a number nor `?`: arithmetic that kernels do not support.
static bool hasOpenDim(Type *T) {
  auto *Tensor = dyn_cast<TensorType>(T);
  return Tensor && llvm::any_of(Tensor->getShape(), [](Dim D) {
           return !D.isConst() && !D.isAny();
         });
}

/// Returns true if \p Test holds for \p T or, for a tuple, for one of its
/// fields.
static bool anyPart(Type *T, bool (*Test)(Type *)) {
  auto *Tuple = dyn_cast<TupleType>(T);
  return Tuple ? llvm::any_of(Tuple->getFields(), Test) : Test(T);
}

/// Returns true if kernels can create a result of the type \p T; `?` depends on
/// data.
static bool isMade(Type *T) { return !anyPart(T, hasOpenDim); }

static bool hasAny(Attr A) {
  if (A && A.isDim())
    return Dim(A).isAny();
  return A && A.getKind() == Attr::Kind::Array &&
         llvm::any_of(A.getArray(), [](Attr Element) {
           return Element && Element.isDim() && Dim(Element).isAny();
         });
}

/// Returns the name of an attribute that is or contains the dimension `?`;
/// empty if there is none.
static StringRef findAnyAttr(const Attrs *A) {
  if (A && !A->isDict())
    for (auto [Field, Slot] : llvm::zip(A->getInfo().Fields, A->getSlots()))
      if (hasAny(Slot))
        return Field.Name;
  return "";
}

static bool isDynamicTensor(Type *T) {
  auto *Tensor = dyn_cast<TensorType>(T);
  return Tensor && !Tensor->isStatic();
}

FailureOr<RuntimeValue> OperatorCall::run(const KernelCall::Environment &Env,
                                          ArrayRef<RuntimeValue> Inputs) const {
  if (!Function)
    return emitError(Env, "the operator has no kernel");
  if (Info.Attributes && !Attributes)
    return emitError(
        Env,
        "the operator needs attributes, which a call through a value lacks");
  if (!Info.takesOperands(Inputs.size()))
    return emitError(Env, "called with " + Twine(Inputs.size()) + " arguments");
  Type *ResultType = StaticType && fitOperands(Inputs)
                         ? StaticType
                         : getResultType(Env, Inputs);
  if (!ResultType)
    return failure();
  if (!isMade(ResultType))
    return emitError(Env, "the shape of the result, " + toString(ResultType) +
                              ", is not known");
  if (anyPart(ResultType, isDynamicTensor)) // it depends on an attribute or on
                                            // data
    if (StringRef Unknown = findAnyAttr(Attributes); !Unknown.empty())
      return emitError(Env, "attribute '" + Unknown + "' is not known");
  SmallVector<RuntimeValue, 4> Aligned;
  for (auto [I, Input] : llvm::enumerate(Inputs)) {
    if (!Input.isTensor() && !takesOtherValues())
      return emitError(Env, "'" + getOperandName(Info, I) + "' is " +
                                Input.describe());
    if (const Tensor *T = findUnsupported(Input))
      return emitError(Env, "no kernel for elements of " + T->getDType().str());
    Aligned.push_back(makeAligned(Input, Env.Meter));
  }
  KernelCall Call(Env, Info, Attributes, Loc, Aligned, ResultType);
  if (failed(Call.checkOutputs()) ||
      failed(Call.countWork(0, 0))) // the work of previous calls
    return failure();
  if (!Call.makeEmptyOutputs() && failed(Function(Call)))
    return failure();
  if (failed(Call.countWork(0, 0))) // the work of the kernel
    return failure();
  return Call.takeResult();
}
