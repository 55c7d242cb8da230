//===- PrecisionConverter.cpp - Lower precision in a function -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PrecisionConverter.h. Operations are changed in place, operands before
// users, so that each operation is typed once. Values that leave the data flow
// of operators get their types back: arguments of functions and constructors,
// contents of references, results of branches that differ, and of closures that
// are not called in place.
//
//===----------------------------------------------------------------------===//

#include "PrecisionConverter.h"
#include "relay/IR/Core.h"
#include "relay/IR/ElementRange.h"
#include "relay/IR/TypeRelation.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassInstrumentation.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Ops/Conv.h"
#include "relay/Ops/Dyn.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Precision/MixedPrecision.h.inc"

using namespace relay;

std::optional<MixedPrecisionValue>
PrecisionCategories::lookup(const OpInfo &Op) const {
  if (auto Found = Changed.find(&Op); Found != Changed.end())
    return Found->second;
  return Facts.lookup(Op);
}

PrecisionConverter::PrecisionConverter(Function &F,
                                       const PrecisionCategories &Categories,
                                       const PrecisionTypes &Types,
                                       ArrayRef<StringRef> TargetKeys)
    : F(F), Ctx(F.getContext()), Categories(Categories),
      ResultTypeAttributes(Ctx, TargetKeys), Checks(Ctx, TargetKeys), R(F),
      Casts(R), LowTypes(Ctx, Types.Low), FullTypes(Ctx, DType::getFloat(32)),
      Accumulation(Types.Accumulation), TakesRemarks(takesMissedRemarks()) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the value that replaces \p V in its users.
Value *PrecisionConverter::getConverted(Value *V) const {
  auto Found = Results.find(V);
  return Found == Results.end() ? V : Found->second;
}

Type *PrecisionConverter::getOldType(Value *V) const {
  auto Found = OldTypes.find(V);
  return Found == OldTypes.end() ? V->getType() : Found->second;
}

/// Returns \p V in the type that it had before the pass, if it is a tensor or a
/// tuple.
Value *PrecisionConverter::restore(Value *V) {
  Type *Old = getOldType(V);
  Value *New = getConverted(V);
  return isa_and_nonnull<TensorType, TupleType>(Old) ? Casts.cast(New, Old)
                                                     : New;
}

void PrecisionConverter::restoreOperands(Operation *Op, unsigned First) {
  for (unsigned I = First, E = Op->getNumOperands(); I != E; ++I) {
    Value *V = Op->getOperand(I);
    if (!OldTypes.contains(V) && !Results.contains(V))
      continue;
    R.noteRewrite("restore-precision");
    R.setLoc(Op->getLoc());
    Value *Old = restore(V);
    R.modifyInPlace(Op, [&] { Op->setOperandRaw(I, Old); });
  }
}

/// Changes the type of \p Op and, as in TVM, its annotation, even if that is
/// less dynamic.
void PrecisionConverter::changeType(Operation *Op, Type *T) {
  OldTypes[Op] = Op->getType();
  R.setTypeOnly(Op, T);
  if (Op->isBound() && Op->getVarAnnotation() && Op->getVarAnnotation() != T)
    R.bind(Op, Op->getVarName(), T, Op->getVarVirtualDevice());
}

/// Infers the type of \p Op, which may have changed with the types of its
/// operands and regions.
void PrecisionConverter::updateType(Operation *Op) {
  Type *T = Rewriter::inferAnew(*Op);
  if (!T || T == Op->getType())
    return;
  R.noteRewrite("update-type");
  changeType(Op, T);
}

/// Makes \p Op use the new operands, and updates its type.
void PrecisionConverter::followOperands(Operation *Op) {
  bool HasChanged = false;
  for (Use &U : Op->getUses()) {
    Value *New = getConverted(U.get());
    HasChanged |= OldTypes.contains(U.get()) || New != U.get();
    if (New == U.get())
      continue;
    R.noteRewrite("update-operand");
    R.modifyInPlace(Op, [&] { U.set(New); });
  }
  if (HasChanged)
    updateType(Op);
}

//===----------------------------------------------------------------------===//
// Constructs of the language
//===----------------------------------------------------------------------===//

/// Makes the type of the result of \p Body its annotation, if it has one, as in
/// TVM. The types of the closure and its calls change when they are visited.
void PrecisionConverter::updateResultAnnotation(Block &Body) {
  Operation *Parent = Body.getParentOp();
  if (Parent && !Parent->is(OpCode::Fn))
    return;
  Type *T = Body.getResult()->getType();
  Type *Annotation = Rewriter::getSignature(Body).ResultAnnotation;
  if (!Annotation || Annotation == T)
    return;
  R.noteRewrite("update-result");
  if (Parent)
    R.modifyInPlace(Parent,
                    [&] { Parent->getSignature().ResultAnnotation = T; });
  else
    R.setResultAnnotation(Body, T);
}

/// Replaces the result of \p Body by its converted value.
void PrecisionConverter::useNewResult(Block &Body) {
  Value *Old = Body.getResult(), *New = getConverted(Old);
  bool IsNewType = getOldType(Old) != New->getType();
  if (New != Old) {
    R.noteRewrite("update-result");
    R.setResultOnly(Body, New);
  }
  if (IsNewType)
    updateResultAnnotation(Body);
}

/// Casts the result of \p Body back to its type.
void PrecisionConverter::restoreResult(Block &Body) {
  Value *Result = Body.getResult();
  if (!OldTypes.contains(Result) && !Results.contains(Result))
    return;
  R.noteRewrite("restore-precision");
  if (Operation *Op = Result->getDefiningOp())
    R.setLoc(Op->getLoc());
  R.setResultOnly(Body, restore(Result));
}

/// Branches keep their type unless it changes in the same way in all of them.
void PrecisionConverter::visitRegions(Operation *Op) {
  auto Regions = Op->getRegions();
  auto GetType = [&](Block &B) {
    return getConverted(B.getResult())->getType();
  };
  bool AreSame = llvm::all_of(Regions, [&](Block &B) {
    return GetType(B) == GetType(Op->getRegion(0));
  });
  for (Block &B : Regions) {
    if (AreSame)
      useNewResult(B);
    else
      restoreResult(B);
  }
  updateType(Op);
}

/// Returns true if \p Op is a closure whose only use is to be called directly.
static bool isCalledInPlace(const Operation *Op) {
  if (Op->isBound() || !Op->hasOneUse())
    return false;
  const Use &U = *Op->uses().begin();
  return U.getUserOp() && U.getUserOp()->is(OpCode::CallValue) &&
         U.getOperandNo() == 0;
}

void PrecisionConverter::visitClosure(Operation *Op) {
  if (isCalledInPlace(Op))
    useNewResult(Op->getRegion());
  else
    restoreResult(Op->getRegion());
  updateType(Op);
}

void PrecisionConverter::visit(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Operator:
    return visitCall(Op);
  case OpCode::CallValue:
    restoreOperands(Op, /*First=*/1);
    return updateType(Op);
  case OpCode::CallGlobal:
  case OpCode::CallConstructor:
  case OpCode::RefCreate:
  case OpCode::RefWrite:
    return restoreOperands(Op);
  case OpCode::Match:
    restoreOperands(Op);
    return visitRegions(Op);
  case OpCode::If:
    return visitRegions(Op);
  case OpCode::Scope:
    useNewResult(Op->getRegion());
    return updateType(Op);
  case OpCode::Fn:
    return visitClosure(Op);
  default:
    return followOperands(Op);
  }
}

//===----------------------------------------------------------------------===//
// Checks of calls
//===----------------------------------------------------------------------===//

bool relay::isClipInRange(const Operation &Op, DType Low) {
  const ClipAttrs &A = ClipOp(&Op).attrs();
  std::optional<ElementRange> Range = getElementRange(Low);
  return !Range || (A.aMin() >= Range->Lowest && A.aMax() <= Range->Highest);
}

/// Returns true if the attributes of \p Op can be used in the lower precision.
bool PrecisionConverter::areNumbersInRange(const Operation &Op) const {
  auto Check = Checks.lookup(Op);
  return !Check || Check(Op, LowTypes.getDType());
}

//===----------------------------------------------------------------------===//
// Calls of operators
//===----------------------------------------------------------------------===//

/// Returns true if \p V is a variable or a constant, which can be cast once for
/// all users, or if its floats have the lower precision.
bool PrecisionConverter::isLow(Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op || Op->isBound() || Op->is(OpCode::Constant))
    return true;
  Type *T = getConverted(V)->getType();
  return T == LowTypes.convert(T);
}

/// Returns the attributes of \p Op with the type of results in the lower
/// precision.
const Attrs *PrecisionConverter::getLowAttrs(const Operation &Op) const {
  std::optional<StringRef> Name = ResultTypeAttributes.lookup(Op);
  const Attrs *A = Op.getAttrs();
  int Slot = Name && A ? A->getInfo().getFieldIndex(*Name) : -1;
  if (Slot < 0)
    return A;
  DType D = A->getSlot(Slot).getDType();
  if (!D.isVoid() && !D.isAnyFloat())
    return A;
  SmallVector<Attr, 16> Slots(A->getSlots());
  Slots[Slot] = Attr::get(Accumulation);
  return Ctx.getAttrs(A->getInfo(), Slots);
}

/// Returns the plan of \p Op with the floats of its operands in the type of
/// \p Types, and with the attributes \p A. It has no result if the operator
/// does not take this type.
PrecisionConverter::CallPlan PrecisionConverter::planCall(const Operation &Op,
                                                          FloatTypes &Types,
                                                          const Attrs *A) {
  CallPlan Plan;
  for (Value *V : Op.operands())
    Plan.Operands.push_back(Types.convert(getConverted(V)->getType()));
  Plan.Attributes = A;
  Plan.Result = inferCallType(Ctx, Op.getInfo(), A, Plan.Operands);
  return Plan;
}

/// Returns the plan of \p Op in the lower precision. It has no result if the
/// operator does not take this type.
PrecisionConverter::CallPlan
PrecisionConverter::planLowered(const Operation &Op) {
  CallPlan Plan = planCall(Op, LowTypes, getLowAttrs(Op));
  bool IsIntegral = !holdsFloats(Op.getType());
  return IsIntegral && holdsFloats(Plan.Result)
             ? planCall(Op, LowTypes, Op.getAttrs())
             : Plan;
}

/// Returns the plan of \p Op with the types that it has.
PrecisionConverter::CallPlan
PrecisionConverter::planUnchanged(const Operation &Op) const {
  CallPlan Plan;
  for (Value *V : Op.operands())
    Plan.Operands.push_back(getOldType(V));
  Plan.Attributes = Op.getAttrs();
  Plan.Result = Op.getType();
  return Plan;
}

bool PrecisionConverter::changes(const Operation &Op,
                                 const CallPlan &Plan) const {
  if (Plan.Attributes != Op.getAttrs() || Plan.Result != Op.getType())
    return true;
  for (auto [V, T] : llvm::zip_equal(Op.operands(), Plan.Operands))
    if (V->getType() != T || Results.contains(V))
      return true;
  return false;
}

/// Changes \p Op, and casts its operands and its result, according to \p Plan.
void PrecisionConverter::apply(Operation *Op, const CallPlan &Plan) {
  R.setLoc(Op->getLoc());
  for (auto [I, T] : llvm::enumerate(Plan.Operands)) {
    Value *V = Op->getOperand(I), *New = Casts.cast(getConverted(V), T);
    if (New != V)
      R.modifyInPlace(Op, [&] { Op->setOperandRaw(I, New); });
  }
  if (Op->getAttrs() != Plan.Attributes)
    R.modifyInPlace(Op, [&] { Op->setAttrsRaw(Plan.Attributes); });
  if (Op->getType() == Plan.Result)
    return;
  changeType(Op, Plan.Result);
}

/// Converts \p Op to the lower precision. Returns false if the operator does
/// not take it.
bool PrecisionConverter::lower(Operation *Op) {
  CallPlan Plan = planLowered(*Op);
  if (!Plan.Result)
    return false;
  if (!changes(*Op, Plan))
    return true;
  if (!R.startRewrite("lower-precision", Op)) {
    R.noteRewrite("restore-precision");
    apply(Op, planUnchanged(*Op));
    return true;
  }
  bool Accumulates =
      Plan.Attributes != Op->getAttrs() && Accumulation != LowTypes.getDType();
  apply(Op, Plan);
  if (Accumulates)
    Results[Op] = Casts.cast(Op, LowTypes.convert(Op->getType()));
  ++NumLowered;
  return true;
}

/// Makes \p Op compute in float32, as in TVM also if it computed in another
/// type, or in the types that it has if the operator does not take float32.
void PrecisionConverter::keepFullPrecision(Operation *Op) {
  NumKept += computesFloats(*Op);
  CallPlan Plan = planCall(*Op, FullTypes, Op->getAttrs());
  CallPlan Unchanged = planUnchanged(*Op);
  bool IsConverted = Plan.Result && (Plan.Result != Unchanged.Result ||
                                     Plan.Operands != Unchanged.Operands);
  if (!IsConverted || !R.startRewrite("convert-to-float32", Op)) {
    Plan = Unchanged;
    if (!changes(*Op, Plan))
      return;
    R.noteRewrite("restore-precision");
  }
  apply(Op, Plan);
}

void PrecisionConverter::visitCall(Operation *Op) {
  if (!Op->getType())
    return;
  auto Category = Categories.lookup(Op->getInfo());
  if (Category == MixedPrecisionValue::Never)
    emitRemark(Op, "its category is 'never'");
  else if (!areNumbersInRange(*Op))
    emitRemark(Op, "its attributes are not in the range of " +
                       LowTypes.getDType().str());
  else if (Category != MixedPrecisionValue::Always &&
           !llvm::all_of(Op->operands(), [&](Value *V) { return isLow(V); }))
    emitRemark(Op, describeFullOperand(*Op));
  else if (lower(Op))
    return;
  else
    emitRemark(Op, "it does not take operands of " + LowTypes.getDType().str());
  keepFullPrecision(Op);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

std::string PrecisionConverter::describeFullOperand(const Operation &Op) {
  if (!TakesRemarks)
    return {};
  for (auto [I, V] : llvm::enumerate(Op.operands()))
    if (!isLow(V))
      return ("it follows its operands, and operand " + Twine(I) +
              ", the result of '" + V->getDefiningOp()->getName() + "', is " +
              toString(getConverted(V)->getType()))
          .str();
  llvm_unreachable("all operands have the lower precision");
}

/// Reports that \p Op stays in float32.
void PrecisionConverter::emitRemark(const Operation *Op,
                                    const Twine &Reason) const {
  if (TakesRemarks && computesFloats(*Op))
    emitMissedRemark(Op, "full-precision", Reason);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

bool PrecisionConverter::run(bool KeepsResult) {
  SmallVector<Operation *, 0> Operations;
  walk(F, [&](Operation *Op) { Operations.push_back(Op); });
  for (Operation *Op : Operations)
    visit(Op);
  if (KeepsResult)
    restoreResult(F.getBody());
  else
    useNewResult(F.getBody());
  return R.getNumRewrites() != 0;
}
