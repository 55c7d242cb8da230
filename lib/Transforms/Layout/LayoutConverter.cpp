//===- LayoutConverter.cpp - Conversion of layouts in a function ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LayoutConverter.h. Sharing in the result, and the positions of layout
// transforms, are as in TVM 0.18: an operator that takes the fields of a tuple
// in other layouts gets a tuple of its own, and a projection of a tuple
// construction is replaced by the field.
//
//===----------------------------------------------------------------------===//

#include "LayoutConverter.h"
#include "TensorUtils.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassInstrumentation.h"

using namespace relay;

LayoutConverter::LayoutConverter(Function &F, ConvertOpFn Convert,
                                 ArrayRef<StringRef> Keys, StringRef NoRequest)
    : Ctx(F.getContext()), R(F), Transforms(R), F(F), Convert(Convert),
      NoRequest(NoRequest), Inferences(Ctx, Keys), Propagations(Ctx, Keys),
      PlannedTypes(64), TakesRemarks(takesMissedRemarks()) {
  R.keepResultAnnotations(); // callers rely on the type of the result
  std::optional<ValuePurity> Purity = findEffects(F);
  if (!Purity)
    return;
  walk(F, [&](Operation *Op) {
    if (Op->isFloating() && !Purity->isEvalPure(Op))
      Effects.insert(Op);
  });
}

//===----------------------------------------------------------------------===//
// Replacements of values
//===----------------------------------------------------------------------===//

bool relay::isTupleInPlace(Value *V) {
  auto Tuple = dyn_cast<TupleOp>(V);
  return Tuple && !Tuple->isBound();
}

PlacedValue LayoutConverter::lookup(Value *V) const {
  auto It = Placed.find(V);
  return It == Placed.end() ? PlacedValue{V} : It->second;
}

/// Returns the replacement of field \p I of \p Tuple.
PlacedValue LayoutConverter::getField(PlacedTuple &Tuple, unsigned I) {
  PlacedValue &Field = Tuple.Fields[I];
  if (!Field.V) {
    Rewriter::InsertionGuard Guard(R);
    setInsertionPointAfter(R, Tuple.Producer);
    Field.V = R.create<TupleGetItemOp>(Tuple.Producer, I);
    Transforms.noteMade(Field.V);
  }
  return Field;
}

/// Returns true if \p V is known to be a tuple. Untyped values are judged by
/// their producer.
bool LayoutConverter::isTuple(Value *V) const {
  return isa_and_nonnull<TupleType>(V->getType()) || isTupleInPlace(V) ||
         Tuples.contains(V);
}

/// Returns true if \p V has a replacement.
bool LayoutConverter::isPlaced(Value *V) const {
  if (PlacedTuples.contains(V) || Tuples.contains(V))
    return true;
  PlacedValue P = lookup(V);
  return P.V != V || P.Old != P.New;
}

/// Returns the value of \p P transformed to the original layout.
Value *LayoutConverter::restore(const PlacedValue &P) {
  if (P.Old == P.New)
    return P.V;
  Rewriter::InsertionGuard Guard(R);
  if (Operation *Op = P.V->getDefiningOp())
    R.setLoc(Op->getLoc());
  Value *V = Transforms.transform(P.V, P.New, P.Old);
  assert(V && "placed where it does not come back from");
  return V;
}

Value *LayoutConverter::restore(Value *V) {
  if (PlacedTuples.contains(V) || Tuples.contains(V))
    return restoreTuple(V);
  return restore(lookup(V));
}

/// Returns a tuple of the fields of \p Tuple in their original layouts. Fields
/// that are tuples have been restored before (see visitTuple).
Value *LayoutConverter::restoreTuple(Value *Tuple) {
  if (Value *Known = Restored.lookup(Tuple))
    return Known;
  SmallVector<Value *, 6> Fields;
  if (auto It = Tuples.find(Tuple); It != Tuples.end())
    for (unsigned I = 0; I < It->second.Fields.size(); ++I)
      Fields.push_back(restore(getField(It->second, I)));
  else
    for (Value *Field : cast<TupleOp>(Tuple).fields())
      Fields.push_back(isTuple(Field) && isPlaced(Field)
                           ? Restored.at(Field)
                           : restore(lookup(Field)));
  Rewriter::InsertionGuard Guard(R);
  Operation *Original = cast<Operation>(Tuple);
  R.setInsertionPoint(Original);
  R.setLoc(Original->getLoc());
  Value *New = R.create<TupleOp>(Fields);
  Transforms.noteMade(New);
  return Restored[Tuple] = New;
}

//===----------------------------------------------------------------------===//
// Operations without layout rules
//===----------------------------------------------------------------------===//

/// Restores the operands of \p Op to their original layouts.
void LayoutConverter::keep(Operation *Op) {
  bool IsMade = false;
  for (Use &U : Op->getUses()) {
    Value *V = U.get();
    IsMade |= Transforms.isMade(V);
    if (!isPlaced(V))
      continue;
    R.noteRewrite("restore");
    Value *New = restore(V);
    ChangedTypes |= New->getType() != V->getType();
    R.setOperand(Op, U.getOperandNo(), New);
    IsMade = true;
  }
  if (IsMade)
    Transforms.noteMade(Op);
}

/// Leaves a tuple construction to its users. As in TVM, users do not share the
/// tuple if the layout of a field is known.
void LayoutConverter::visitTuple(Operation *Tuple) {
  bool IsPlacedTuple = false;
  for (Value *Field : Tuple->operands()) {
    IsPlacedTuple |= Placed.contains(Field) && !Tuple->hasOneUse();
    if (!isPlaced(Field))
      continue;
    IsPlacedTuple = true;
    if (isTuple(Field)) {
      R.noteRewrite("restore");
      restore(Field);
    }
  }
  if (!IsPlacedTuple)
    return;
  PlacedTuples.insert(Tuple);
  Replaced.push_back({Tuple, nullptr});
}

/// Replaces the projection \p Op by \p Field.
void LayoutConverter::project(TupleGetItemOp Op, const PlacedValue &Field) {
  if (Op->isBound()) {
    R.setInsertionPoint(Op);
    return placeBound(Op, restore(Field));
  }
  Placed[Op] = Field;
  Replaced.push_back({Op, Field.V});
}

/// Returns true if the evaluation of a field of \p Tuple other than field \p I
/// has an effect, which a use of field \p I alone would drop or delay.
bool LayoutConverter::hasOtherEffects(TupleOp Tuple, unsigned I) {
  if (Effects.empty())
    return false;
  auto IsEffect = [&](Value *Field) { return Effects.contains(Field); };
  auto [It, IsNew] = NumEffects.try_emplace(Tuple);
  if (IsNew)
    It->second = llvm::count_if(Tuple.fields(), IsEffect);
  return It->second > unsigned(IsEffect(Tuple->getOperand(I)));
}

/// Replaces a projection of a tuple construction by the field, as TVM does.
/// Returns false if \p Op projects from another tuple, if the tuple must be
/// evaluated for the effects of its other fields, or if a listener rejects the
/// rewrite.
bool LayoutConverter::visitProjection(TupleGetItemOp Op) {
  Value *Tuple = Op.tuple();
  unsigned I = Op.attrs().index();
  auto It = Tuples.find(Tuple);
  if (It == Tuples.end() &&
      (!isTupleInPlace(Tuple) || hasOtherEffects(cast<TupleOp>(Tuple), I)))
    return false;
  if (It != Tuples.end() && It->second.Producer == Tuple &&
      !It->second.Fields[I].V && !Op->isBound()) {
    It->second.Fields[I].V = Op;
    Placed[Op] = It->second.Fields[I];
    Transforms.noteMade(Op);
    return true;
  }
  if (!R.startRewrite("project", Op))
    return false;
  if (It != Tuples.end()) {
    project(Op, getField(It->second, I));
    return true;
  }
  Value *Field = cast<TupleOp>(Tuple)->getOperand(I);
  if (isTuple(Field))
    R.replaceOp(Op, Op->isBound() ? restore(Field) : Field);
  else
    project(Op, lookup(Field));
  return true;
}

/// Visits \p Op, whose operands have been visited.
LogicalResult LayoutConverter::visit(Operation *Op) {
  if (isTupleInPlace(Op)) {
    visitTuple(Op);
    return success();
  }
  if (auto Projection = dyn_cast<TupleGetItemOp>(Op))
    if (visitProjection(Projection))
      return success();
  FailureOr<bool> Done = visitOperator(Op);
  if (failed(Done))
    return failure();
  if (*Done)
    return success();
  remarkKept(Op);
  keep(Op);
  return success();
}

/// Visits the result of \p B, whose operations have been visited.
void LayoutConverter::visitResult(Block &B) {
  Value *Result = B.getResult();
  if (!Result || !isPlaced(Result))
    return;
  R.noteRewrite("restore");
  Value *New = restore(Result);
  ChangedTypes |= New->getType() != Result->getType();
  R.setResult(B, New);
}

/// Erases replaced operations after all operations have been visited.
void LayoutConverter::eraseReplaced() {
  for (auto [Old, New] : llvm::reverse(Replaced)) {
    if (!Old->use_empty())
      continue;
    R.noteRewrite("erase");
    New ? R.replaceOpAndRetype(Old, New) : R.eraseOp(Old);
  }
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Returns the types of the results in \p T, the type of an operator's result.
static ArrayRef<Type *> getResultTypes(Type *const &T) {
  if (auto *Tuple = dyn_cast_or_null<TupleType>(T))
    return Tuple->getFields();
  return ArrayRef(T);
}

/// Adds the fields of \p Tuple to \p To. Returns false if a field is a tuple.
bool LayoutConverter::addFields(FlatOperands &To, Value *Tuple) {
  auto *T = dyn_cast_or_null<TupleType>(Tuple->getType());
  if (!T || llvm::any_of(T->getFields(), [](Type *Field) {
        return isa_and_nonnull<TupleType>(Field);
      }))
    return false;
  To.Types.append(T->getFields().begin(), T->getFields().end());
  To.Counts.push_back(T->getFields().size());
  To.FieldTypes.resize(To.Values.size());
  if (auto It = Tuples.find(Tuple); It != Tuples.end()) {
    To.Values.append(It->second.Fields);
    Type *Made = It->second.Producer->getType();
    To.FieldTypes.append(getResultTypes(Made).begin(),
                         getResultTypes(Made).end());
  } else
    for (Value *Field : cast<TupleOp>(Tuple).fields())
      To.Values.push_back(lookup(Field));
  return true;
}

/// Returns none if no rule supports the form of an operand.
std::optional<LayoutConverter::FlatOperands>
LayoutConverter::flattenOperands(Operation *Op) {
  FlatOperands Flat;
  for (Value *V : Op->operands()) {
    if (isTupleInPlace(V) || Tuples.contains(V)) {
      if (!addFields(Flat, V))
        return std::nullopt;
      continue;
    }
    Flat.Values.push_back(lookup(V));
    Flat.Types.push_back(V->getType());
    Flat.Counts.push_back(std::nullopt);
  }
  return Flat;
}

/// Makes \p A unknown if it does not have the numbers of operands and results
/// of \p Q.
static void checkNumbers(const LayoutQuery &Q, LayoutAnswer &A) {
  Type *T = Q.Op.getType();
  if (!A.isKnown() || A.Inputs.size() != Q.Old.size() ||
      A.Outputs.size() != getResultTypes(T).size())
    A = LayoutAnswer::unknown();
}

/// Returns the layouts for \p Q, given the operator \p Info.
LayoutAnswer LayoutConverter::infer(const OpInfo &Info, const LayoutQuery &Q) {
  OpHook<LayoutInference> Infer = Inferences.lookup(Info);
  if (!Infer)
    return LayoutAnswer::unknown();
  LayoutAnswer A = Infer(Q);
  checkNumbers(Q, A);
  return A;
}

/// Returns the layouts after \p Q, given the new operator \p Info.
LayoutAnswer LayoutConverter::propagate(const OpInfo &Info,
                                        const LayoutChange &Q) {
  OpHook<LayoutPropagation> Propagate = Propagations.lookup(Info);
  if (!Propagate)
    return infer(Info, Q);
  LayoutAnswer A = Propagate(Q);
  checkNumbers(Q, A);
  return A;
}

/// Returns the plan for \p Op according to its rule, and to \p Converted unless
/// that is null. Returns none if the rule has no answer.
std::optional<LayoutConverter::ConversionPlan>
LayoutConverter::makePlan(Operation *Op, const ConvertedOp *Converted) {
  std::optional<FlatOperands> Flat = flattenOperands(Op);
  if (!Flat || Flat->Values.empty())
    return std::nullopt;
  ConversionPlan P;
  P.Operands = std::move(*Flat);
  P.Is = {&Op->getInfo(), Op->getAttrs()};
  SmallVector<LayoutRef, 6> Known;
  for (const PlacedValue &V : P.Operands.Values)
    Known.push_back(V.Old);
  LayoutAnswer A = infer(
      *P.Is.Info, {Ctx, Pool, *Op, P.Is.Attributes, P.Operands.Types, Known});
  if (!A.isKnown())
    return std::nullopt;
  P.Old.assign(A.Inputs.begin(), A.Inputs.end());
  P.OldOutputs = A.Outputs;
  for (auto [V, Old] : llvm::zip_equal(P.Operands.Values, P.Old))
    P.New.push_back(V.Old ? V.New : Old);
  if (A.Attributes)
    P.Is.Attributes = A.Attributes;
  P.IsConverted = Converted && (Converted->Info != P.Is.Info ||
                                Converted->Attributes != Op->getAttrs());
  if (Converted)
    P.Is = *Converted;
  // Where a value comes from another layout, TVM reports that layout.
  for (auto [Layout, Old] : llvm::zip_equal(Known, P.Old))
    Layout = Layout ? Layout : Old;
  A = propagate(
      *P.Is.Info,
      {{Ctx, Pool, *Op, P.Is.Attributes, P.Operands.Types, Known}, P.New});
  if (!A.isKnown())
    return std::nullopt;
  P.Needed.assign(A.Inputs.begin(), A.Inputs.end());
  replaceOperands(Op, P);
  P.NewOutputs = A.Outputs;
  if (A.Attributes)
    P.Is.Attributes = A.Attributes;
  return P;
}

/// Stores the operands of \p Op that a hook has replaced in \p P. They already
/// have the needed layouts.
void LayoutConverter::replaceOperands(Operation *Op, ConversionPlan &P) {
  assert((P.Is.Operands.empty() ||
          P.Is.Operands.size() == P.Operands.Values.size()) &&
         "a hook changes the number of operands");
  for (auto [I, V] : llvm::enumerate(P.Is.Operands)) {
    if (V == Op->getOperand(I))
      continue;
    P.Operands.Values[I] = {V};
    P.Old[I] = P.New[I] = P.Needed[I];
  }
}

/// Returns true if \p P leaves \p Op unchanged. An operator that yields a tuple
/// bound by `let` always changes: TVM binds a tuple of its fields.
bool LayoutConverter::changesNothing(Operation *Op,
                                     const ConversionPlan &P) const {
  if (P.Is.Info != &Op->getInfo() || P.Is.Attributes != Op->getAttrs())
    return false;
  if (Op->isBound() && isa_and_nonnull<TupleType>(Op->getType()))
    return false;
  return llvm::none_of(Op->operands(), [&](Value *V) { return isPlaced(V); }) &&
         llvm::all_of(llvm::seq(P.Old.size()),
                      [&](size_t I) { return P.getSource(I) == P.Needed[I]; });
}

/// Returns the type that flat operand \p I of \p P will have; null if the
/// operand cannot be transformed to the needed layout.
Type *LayoutConverter::getOperandType(const ConversionPlan &P, unsigned I) {
  const PlacedValue &From = P.Operands.Values[I];
  // The type of an unused field is given by its producer.
  Type *T = From.V ? From.V->getType() : P.Operands.FieldTypes[I];
  bool IsMade = !From.V || Transforms.isMade(From.V);
  if (P.isMisplaced(I) && From.Old != From.New) {
    T = Transforms.getType(T, IsMade, From.New, From.Old);
    IsMade = true;
  }
  return Transforms.getType(T, IsMade, P.getSource(I), P.Needed[I]);
}

/// Returns the type of the operation that \p P creates, with values of operands
/// unknown; null if it cannot be typed. Stores the type in \p P unless it
/// depends on these values.
Type *LayoutConverter::inferPlannedType(ConversionPlan &P) {
  SmallVector<Type *, 6> Operands;
  unsigned Next = 0;
  PlannedTypes.begin(*P.Is.Info, P.Is.Attributes);
  for (std::optional<unsigned> Count : P.Operands.Counts) {
    SmallVector<Type *, 6> Types;
    for (unsigned I = 0; I < Count.value_or(1); ++I) {
      Types.push_back(getOperandType(P, Next++));
      if (!Types.back())
        return nullptr;
    }
    Operands.push_back(Count ? Ctx.getTupleType(Types) : Types.front());
    PlannedTypes.add(Operands.back());
  }
  P.ResultType = PlannedTypes.find();
  if (P.ResultType)
    return P.ResultType;
  TypeRelation Relation(Ctx, *P.Is.Info, P.Is.Attributes, Operands,
                        /*Result=*/nullptr);
  if (P.Is.Info->InferType(Relation) != RelationResult::Solved)
    return nullptr;
  if (!Relation.readsValues()) {
    P.ResultType = Relation.getResult();
    PlannedTypes.insert(P.ResultType);
  }
  return Relation.getResult();
}

/// Returns true if \p P creates an operation with the results of \p Op in the
/// layouts of \p P.
bool LayoutConverter::isPossible(Operation *Op, ConversionPlan &P) {
  Type *OldType = Op->getType(), *NewType = inferPlannedType(P);
  ArrayRef<Type *> From = getResultTypes(OldType), To = getResultTypes(NewType);
  if (From.size() != To.size())
    return false;
  for (auto [OldField, NewField, Old, New] :
       llvm::zip_equal(From, To, P.OldOutputs, P.NewOutputs))
    if (!Transforms.mayBecome(OldField, Old, NewField, New))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Execution of plans
//===----------------------------------------------------------------------===//

/// Returns flat operand \p I in the needed layout.
Value *LayoutConverter::makeOperand(const ConversionPlan &P, unsigned I) {
  const PlacedValue &From = P.Operands.Values[I];
  Value *V = P.isMisplaced(I) ? restore(From) : From.V;
  return Transforms.transform(V, P.getSource(I), P.Needed[I]);
}

/// Returns the tuple \p Original with the operands from \p First on in the
/// layouts that \p P needs.
Value *LayoutConverter::makeTupleOperand(Value *Original, ConversionPlan &P,
                                         unsigned First, unsigned Count) {
  auto It = Tuples.find(Original);
  SmallVector<Value *, 6> Fields;
  for (unsigned I = 0; I < Count; ++I) {
    if (It != Tuples.end())
      P.Operands.Values[First + I] = getField(It->second, I);
    Fields.push_back(makeOperand(P, First + I));
  }
  auto Tuple = dyn_cast<TupleOp>(Original);
  if (Tuple && !PlacedTuples.contains(Tuple) &&
      llvm::equal(Tuple.fields(), Fields))
    return Original;
  Value *New = R.create<TupleOp>(Fields);
  Transforms.noteMade(New);
  return New;
}

/// Creates the operation of \p P before \p Op.
Operation *LayoutConverter::makeOperation(Operation *Op, ConversionPlan &P) {
  R.setInsertionPoint(Op);
  SmallVector<Value *, 6> Operands;
  unsigned Next = 0;
  for (auto [I, Count] : llvm::enumerate(P.Operands.Counts)) {
    Operands.push_back(
        Count ? makeTupleOperand(Op->getOperand(I), P, Next, *Count)
              : makeOperand(P, Next));
    Next += Count.value_or(1);
  }
  if (P.ResultType)
    return R.createTypedOperation(*P.Is.Info, Operands, P.Is.Attributes,
                                  P.ResultType);
  return R.createOperation(*P.Is.Info, Operands, P.Is.Attributes);
}

/// Replaces \p Op, which is bound by `let`, by \p New.
void LayoutConverter::placeBound(Operation *Op, Value *New) {
  bool IsSame = New->getType() == Op->getType();
  ChangedTypes |= !IsSame;
  IsSame ? R.replaceOp(Op, New) : R.replaceOpAndRetype(Op, New);
}

/// Records \p New as the replacement of \p Op. Both may be the same operation.
void LayoutConverter::place(Operation *Op, Operation *New,
                            const ConversionPlan &P) {
  Transforms.noteMade(New);
  bool IsTuple = isa_and_nonnull<TupleType>(Op->getType());
  if (IsTuple) {
    PlacedTuple &Tuple = Tuples[Op];
    Tuple.Producer = New;
    for (auto [Old, New] : llvm::zip_equal(P.OldOutputs, P.NewOutputs))
      Tuple.Fields.push_back({nullptr, Old, New});
  } else if (!Op->isBound()) {
    Placed[Op] = {New, P.OldOutputs[0], P.NewOutputs[0]};
  }
  if (New == Op)
    return;
  if (!Op->isBound()) {
    Replaced.push_back({Op, New});
    return;
  }
  Value *Result = IsTuple ? restoreTuple(Op)
                          : restore({New, P.OldOutputs[0], P.NewOutputs[0]});
  Tuples.erase(Op);
  Restored.erase(Op);
  placeBound(Op, Result);
}

/// Replaces \p Op according to its rule, and to \p Converted unless that is
/// null. Returns false, without any change, if that is impossible.
bool LayoutConverter::tryPlan(Operation *Op, const ConvertedOp *Converted) {
  std::optional<ConversionPlan> P = makePlan(Op, Converted);
  if (!P)
    return false;
  if (changesNothing(Op, *P)) {
    if (!Converted)
      remarkUnchanged(Op);
    place(Op, Op, *P);
    return true;
  }
  bool IsAnnounced = Converted && Converted->IsAnnounced;
  if (!isPossible(Op, *P))
    return false;
  if (!IsAnnounced &&
      !R.startRewrite(P->IsConverted ? "convert" : "follow", Op))
    return false;
  remarkRestored(Op, *P);
  Operation *New = makeOperation(Op, *P);
  ++(P->IsConverted ? NumConverted : NumFollowed);
  place(Op, New, *P);
  return true;
}

/// Returns true if \p Op has been handled.
FailureOr<bool> LayoutConverter::visitOperator(Operation *Op) {
  if (!Inferences.lookup(*Op))
    return false;
  R.setInsertionPoint(Op);
  uint64_t NumRewrites = R.getNumRewrites();
  FailureOr<ConvertedOp> Converted = Convert(R, *Op);
  if (failed(Converted))
    return failure();
  Converted->IsAnnounced = R.getNumRewrites() != NumRewrites;
  if (*Converted) {
    if (tryPlan(Op, &*Converted))
      return true;
    remarkNotConverted(Op, *Converted);
  }
  return tryPlan(Op, nullptr);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

class LayoutConverter::Visitor : public IRVisitor {
public:
  explicit Visitor(LayoutConverter &C) : C(C) {}
  WalkResult leave(Operation *Op) { return C.visit(Op); }
  void leaveBlock(Block &B) { C.visitResult(B); }

private:
  LayoutConverter &C;
};

LogicalResult LayoutConverter::run() {
  if (traverse(F, Visitor(*this)).wasInterrupted())
    return failure();
  eraseReplaced();
  return ChangedTypes ? retype(F) : success();
}
