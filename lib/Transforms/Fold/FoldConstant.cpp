//===- FoldConstant.cpp - Evaluate what constants determine ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds operator calls whose operands are constants, in canonical order; room
// Interpreter evaluates them. The choice of calls is TVM's: a variable is a
// constant only if its `let` is removed, a tuple of constants is one as an
// operand, and primitive functions, operators with state, markers and calls
// without operands stay. Calls that cannot be evaluated stay too, and the debug
// log has the reason. Unlike in TVM, a projection, an `if` or the shape of a
// value stays if folding it would drop an effect or reorder effects.
//
//===----------------------------------------------------------------------===//

#include "FoldConstant.h"
#include "ConstantCalls.h"
#include "Inline/Scopes.h"
#include "JoinedTypes.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Ops/Memory.h"
#include "relay/Ops/Tensor.h"
#include "relay/Text/Print/OperationPrinter.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Constant values
//===----------------------------------------------------------------------===//

/// Returns the operand of \p V if it is a floating on_device, else V.
static Value *ignoreOnDevice(Value *V) {
  auto OnDevice = dyn_cast<OnDeviceOp>(V);
  return OnDevice && OnDevice->isFloating() ? OnDevice.body() : V;
}

/// The node of kind \p OpT that \p V is, possibly on a device. Variables are
/// not looked through.
template <typename OpT> static OpT getNode(Value *V) {
  auto Node = dyn_cast<OpT>(ignoreOnDevice(V));
  return Node && Node->isFloating() ? Node : OpT();
}

/// Returns true if \p Op would be a constant, on a device or not, if no `let`
/// bound it.
static bool isConstantNode(const Operation *Op) {
  auto OnDevice = dyn_cast<OnDeviceOp>(Op);
  if (!OnDevice)
    return Op->is(OpCode::Constant);
  auto *Body = dyn_cast<Operation>(OnDevice.body());
  return Body && Body->isFloating() && Body->is(OpCode::Constant);
}

/// Returns true if nothing in the closure \p Op is folded: in primitive
/// functions, and in closures called in place without arguments, since such
/// calls stay with all their dependencies.
static bool isLeftAlone(const Operation *Op) {
  if (isPrimitiveFn(Op))
    return true;
  return Op->is(OpCode::Fn) && Op->isFloating() && !Op->use_empty() &&
         llvm::all_of(Op->uses(), [](const Use &U) {
           const Operation *User = U.getUserOp();
           return User && User->is(OpCode::CallValue) &&
                  User->getNumOperands() == 1;
         });
}

//===----------------------------------------------------------------------===//
// ConstantFolder
//===----------------------------------------------------------------------===//

namespace {

/// Folds the constants of one function.
class ConstantFolder : public IRVisitor {
public:
  /// Makes constants of as many bytes as \p Budget has for \p F.
  ConstantFolder(Function &F, bool FoldQnn, const ConstantBudget &Budget)
      : F(F), Ctx(F.getContext()), R(F), FoldQnn(FoldQnn), Budget(Budget),
        Room(Budget.get(F)) {
    R.keepResultAnnotations(); // as in TVM
  }

  bool run();
  /// Returns true if a value has become less dynamic: its users have not been
  /// typed again.
  bool hasChangedTypes() const { return HasChangedTypes; }
  uint64_t getNumEvaluated() const { return NumEvaluated; }
  uint64_t getNumBranches() const { return NumBranches; }

  // IRVisitor:
  WalkResult enterBlock(Block &B);
  WalkResult enter(Operation *Op);
  void leave(Operation *Op);

private:
  bool isConstant(Value *V) const;
  bool isEvaluable(Operation *Op) const;
  bool mustStayDynamic(const Operation *Op);
  void noteEffects();
  void noteTuple(Operation *Op);
  void foldShapes();
  void foldShape(Operation *Op);
  void foldCall(Operation *Op);
  void eraseUnused(ArrayRef<Value *> Operands);
  void foldProjection(TupleGetItemOp Get);
  void foldIf(IfOp If);
  void foldScope(ScopeOp Scope);
  void foldBinding(Operation *Op);

  Evaluator &getEvaluator();
  bool hasRoomFor(const RuntimeValue &V) const;
  RuntimeValue getValue(Value *V);
  std::optional<RuntimeValue> evaluate(Operation *Op);
  Value *createConstant(const Tensor &T);
  Value *createValue(const RuntimeValue &V);
  void unbind(Operation *Op);
  void replace(Operation *Op, Value *New);
  void logFunction(StringRef What) const;
  std::string describeCall(const Operation &Op);

  Function &F;
  Context &Ctx;
  Rewriter R;
  bool FoldQnn;
  const ConstantBudget &Budget;
  uint64_t Room; ///< bytes of constants that may still be made
  llvm::DenseSet<const ConstantData *> Made;
  std::optional<JoinedTypes> Joined; ///< if a value could become less dynamic
  bool HasChangedTypes = false;
  uint64_t NumEvaluated = 0, NumBranches = 0;
  std::optional<Evaluator> TheEvaluator;
  std::optional<OperationPrinter> LoggedNames; ///< if there is a log
  /// Tuples of constants, possibly on a device. None of them is ever erased.
  llvm::DenseSet<const Operation *> ConstantTuples;
  /// Projections, `if`s, operators on shapes and `let`s that stay because of
  /// effects.
  llvm::DenseSet<const Operation *> Kept;
};

} // namespace

/// Returns true if \p V is a constant, or a tuple of such, however nested.
bool ConstantFolder::isConstant(Value *V) const {
  auto *Op = dyn_cast<Operation>(V);
  return Op && Op->isFloating() &&
         (isConstantNode(Op) || ConstantTuples.contains(Op));
}

/// Returns true if folding the projection, `if` or shape operator \p Op would
/// drop or move an effect.
static bool keepsEffect(const Operation *Op, const ValuePurity &Purity) {
  if (Op->is(OpCode::If))
    return Purity.hoistsEffects(Op);
  auto Get = dyn_cast<TupleGetItemOp>(Op);
  auto Tuple = Get ? getNode<TupleOp>(Get.tuple()) : TupleOp();
  if (!Tuple)
    return !Purity.isUsePure(Op->getOperand(0));
  for (auto [I, Field] : llvm::enumerate(Tuple.fields()))
    if (int64_t(I) != Get.attrs().index() && !Purity.isUsePure(Field))
      return true;
  return false;
}

/// Finds what stays because of effects.
void ConstantFolder::noteEffects() {
  std::optional<ValuePurity> Purity = findEffects(F);
  if (!Purity)
    return;
  walk(F, [&](Operation *Op) {
    bool IsFolded = Op->is(OpCode::TupleGetItem) || Op->is(OpCode::If) ||
                    isOfShapeAlone(*Op);
    bool IsPinned = Op->isBound() && Purity->isInHoistingScope(Op);
    if (IsPinned || (IsFolded && keepsEffect(Op, *Purity)))
      Kept.insert(Op);
  });
}

/// Keeps in mind that \p Op is a tuple of constants, or one on a device.
void ConstantFolder::noteTuple(Operation *Op) {
  if ((Op->is(OpCode::Tuple) || getNode<TupleOp>(Op)) &&
      llvm::all_of(Op->operands(), [&](Value *V) { return isConstant(V); }))
    ConstantTuples.insert(Op);
}

bool ConstantFolder::isEvaluable(Operation *Op) const {
  return isEvaluatedForConstants(*Op, FoldQnn) &&
         llvm::all_of(Op->operands(), [&](Value *V) { return isConstant(V); });
}

bool ConstantFolder::mustStayDynamic(const Operation *Op) {
  if (!isDynamic(Op->getType()))
    return false;
  if (!Joined)
    Joined.emplace(F);
  return Joined->contains(Op);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Operations on elements for the constants of one function.
static constexpr uint64_t MaxFoldingWork = uint64_t(1) << 34;

/// A quarter of the memory that the Context may hold is for one evaluation.
Evaluator &ConstantFolder::getEvaluator() {
  if (!TheEvaluator) {
    EvaluatorOptions Options;
    Options.ReportsErrors = false;
    Options.MaxWork = MaxFoldingWork;
    Options.LimitFlag = "";
    Options.MaxMemory = Ctx.getLimits().Memory / 4;
    TheEvaluator.emplace(*F.getModule(), Options);
  }
  return *TheEvaluator;
}

/// Returns true if \p V fits into the remaining budget of the function.
bool ConstantFolder::hasRoomFor(const RuntimeValue &V) const {
  uint64_t Bytes = 0;
  for (const RuntimeValue &Field : V.isTuple() ? V.getFields() : ArrayRef(V))
    Bytes += Field.getTensor().getByteSize();
  return Bytes <= Room;
}

/// The value of \p V, a constant or a tuple of constants; none where tuples
/// are nested, which no operator computes with, and where elements are unknown.
RuntimeValue ConstantFolder::getValue(Value *V) {
  if (getNode<ConstantOp>(V)) {
    const ConstantData *Data = getKnownData(ignoreOnDevice(V));
    return Data ? Tensor::get(*Data) : RuntimeValue();
  }
  SmallVector<RuntimeValue, 8> Fields;
  for (Value *Field : getNode<TupleOp>(V).fields()) {
    const ConstantData *Data = getNode<ConstantOp>(Field)
                                   ? getKnownData(ignoreOnDevice(Field))
                                   : nullptr;
    if (!Data)
      return RuntimeValue();
    Fields.push_back(Tensor::get(*Data));
  }
  return RuntimeValue::getTuple(Fields);
}

/// Returns true if \p V is a tensor, or a tuple of tensors.
static bool isExpressible(const RuntimeValue &V) {
  return V.isTensor() ||
         (V.isTuple() && llvm::all_of(V.getFields(), [](const RuntimeValue &F) {
            return F.isTensor();
          }));
}

/// Tensors of more elements are shown by their type alone, as in dumps.
static constexpr int64_t MaxLoggedElements = 64;

/// The value on one line.
static std::string describeValue(const RuntimeValue &V) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  bool IsSmall =
      !V.isTensor() || V.getTensor().getNumElements() <= MaxLoggedElements;
  if (!IsSmall) {
    OS << "Tensor[" << toString(V.getTensor().getShape()) << ", "
       << V.getTensor().getDType() << ']';
    return Text;
  }
  printValue(OS, V);
  SmallVector<StringRef, 8> Lines;
  StringRef(Text).split(Lines, '\n');
  for (StringRef &Line : Lines)
    Line = Line.ltrim();
  return llvm::join(Lines, " ");
}

/// For the log: the values keep the names that they have when it is first
/// asked for.
std::string ConstantFolder::describeCall(const Operation &Op) {
  if (!LoggedNames)
    R.addListener(&LoggedNames.emplace(F));
  return LoggedNames->getText(Op);
}

/// The value of \p Op, whose operands are constant; none, with a line in the
/// log, if it has none.
std::optional<RuntimeValue> ConstantFolder::evaluate(Operation *Op) {
  Evaluator &E = getEvaluator();
  if (!E.hasKernel(Op->getInfo())) {
    RELAY_DEBUG(Ctx, 2) << "not folded, no kernel: " << Op->getDescription();
    return std::nullopt;
  }
  SmallVector<RuntimeValue, 4> Operands;
  for (Value *V : Op->operands())
    Operands.push_back(getValue(V));
  if (!llvm::all_of(Operands, [](const RuntimeValue &V) { return bool(V); })) {
    RELAY_DEBUG(Ctx, 2) << "not folded, an operand is a nested tuple or its "
                           "data is not in the text: "
                        << Op->getDescription();
    return std::nullopt;
  }
  RELAY_DEBUG(Ctx, 1) << "evaluating: " << describeCall(*Op);
  // Held until a result that is too large has been freed.
  std::unique_lock<std::mutex> Lock = Budget.lockEvaluation(*Op);
  FailureOr<RuntimeValue> Result = E.evaluate(*Op, Operands);
  if (failed(Result) || !isExpressible(*Result)) {
    RELAY_DEBUG(Ctx, 1) << "not folded, evaluation failed: "
                        << (failed(Result) ? E.getError() : Result->describe());
    return std::nullopt;
  }
  if (!hasRoomFor(*Result)) {
    RELAY_DEBUG(Ctx, 1)
        << "not folded, constants would take over half of -max-memory";
    return std::nullopt;
  }
  RELAY_DEBUG(Ctx, 1) << "evaluated to: " << describeValue(*Result);
  return *Result;
}

/// Equal constants take memory once. Constants from shapes may exceed the
/// budget, but take less memory than the operations that they replace.
Value *ConstantFolder::createConstant(const Tensor &T) {
  Operation *New = R.constant(T.getType(Ctx), T.getBuffer());
  if (Made.insert(ConstantOp(New).attrs().value().getConstant()).second)
    Room -= std::min<uint64_t>(Room, T.getByteSize());
  return New;
}

Value *ConstantFolder::createValue(const RuntimeValue &V) {
  if (V.isTensor())
    return createConstant(V.getTensor());
  SmallVector<Value *, 4> Fields;
  for (const RuntimeValue &Field : V.getFields())
    Fields.push_back(createConstant(Field.getTensor()));
  TupleOp Tuple = R.create<TupleOp>(Fields);
  ConstantTuples.insert(Tuple);
  return Tuple;
}

/// Without its annotation the value may be less dynamic.
void ConstantFolder::unbind(Operation *Op) {
  HasChangedTypes |= hasDynamicAnnotation(Op);
  R.unbind(Op);
}

/// A `let` that would bind a constant goes.
void ConstantFolder::replace(Operation *Op, Value *New) {
  auto *NewOp = dyn_cast<Operation>(New);
  if (Op->isBound() && !Kept.contains(Op) && NewOp && NewOp->isFloating() &&
      isConstantNode(NewOp))
    unbind(Op);
  HasChangedTypes |= R.replaceOpByLessDynamic(Op, New);
}

//===----------------------------------------------------------------------===//
// Calls of operators
//===----------------------------------------------------------------------===//

void ConstantFolder::foldCall(Operation *Op) {
  if (!isEvaluable(Op))
    return;
  if (mustStayDynamic(Op)) {
    RELAY_DEBUG(Ctx, 2) << "not folded, its type is unified with another: "
                        << Op->getDescription();
    return;
  }
  std::optional<RuntimeValue> Result = evaluate(Op);
  if (!Result)
    return;
  R.setInsertionPoint(Op);
  if (!R.startRewrite("evaluate", Op))
    return;
  SmallVector<Location, 4> Sources = {Op->getLoc()};
  for (Value *V : Op->operands())
    Sources.push_back(V->getDefiningOp()->getLoc());
  R.setLoc(Ctx.getLocations().fuse(Sources));
  llvm::SmallSetVector<Value *, 4> Operands(Op->operands().begin(),
                                            Op->operands().end());
  replace(Op, createValue(*Result));
  eraseUnused(Operands.getArrayRef());
  ++NumEvaluated;
}

/// The memory of large constants that are no longer used serves the next ones.
/// \p Operands are distinct.
void ConstantFolder::eraseUnused(ArrayRef<Value *> Operands) {
  for (Value *V : Operands)
    if (auto Constant = dyn_cast<ConstantOp>(V))
      if (Constant->isFloating() && Constant->use_empty())
        R.eraseOp(Constant);
  Ctx.releaseUnusedConstantsInPass();
}

/// The shape \p T as the result of \p Op: shape_of or ndarray_size.
static SmallVector<int64_t, 4> getShapeElements(const Operation *Op,
                                                const TensorType &T) {
  SmallVector<int64_t, 4> Elements;
  for (Dim D : T.getShape())
    Elements.push_back(D.getInt());
  if (!Op->is(NdarraySizeOp::getInfo()))
    return Elements;
  uint64_t Size = 1; // wraps around
  for (int64_t Extent : Elements)
    Size *= uint64_t(Extent);
  return {int64_t(Size)};
}

/// The shape of a scalar is typed as a scalar, and has no value.
std::optional<Tensor> relay::evaluateShape(const Operation &Op) {
  auto *T = dyn_cast_or_null<TensorType>(Op.getOperand(0)->getType());
  auto *ResultType = dyn_cast_or_null<TensorType>(Op.getType());
  if (!T || !T->isStatic() || !ResultType || !ResultType->isStatic() ||
      !hasElementType(ResultType->getDType()))
    return std::nullopt;
  SmallVector<int64_t, 4> Elements = getShapeElements(&Op, *T);
  if (ResultType->getNumElements() != int64_t(Elements.size()))
    return std::nullopt;
  TensorShape Shape;
  if (!ResultType->isScalar())
    Shape.push_back(Elements.size());
  Tensor Result = Tensor::allocate(ResultType->getDType(), Shape);
  dispatchDType(ResultType->getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    llvm::transform(Elements, Result.getMutableElements<E>().begin(),
                    [](int64_t N) { return toElement<E>(N); });
  });
  return Result;
}

/// The operand need not be constant, only its shape.
void ConstantFolder::foldShape(Operation *Op) {
  std::optional<Tensor> Result = evaluateShape(*Op);
  if (!Result)
    return;
  RELAY_DEBUG(Ctx, 1) << "evaluating: " << describeCall(*Op);
  RELAY_DEBUG(Ctx, 1) << "evaluated to: " << describeValue(*Result);
  R.setInsertionPoint(Op);
  if (!R.startRewrite("evaluate-shape", Op))
    return;
  replace(Op, createConstant(*Result));
  ++NumEvaluated;
}

/// Before anything else: the shapes that count are those before the pass, of
/// operands that it makes less dynamic too.
void ConstantFolder::foldShapes() {
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (isLeftAlone(Op))
      return WalkResult::skip();
    if (!isOfShapeAlone(*Op) || Kept.contains(Op))
      return WalkResult::advance();
    foldShape(Op);
    return WalkResult::skip(); // it may be erased
  });
}

//===----------------------------------------------------------------------===//
// Constructs of the language
//===----------------------------------------------------------------------===//

/// (x, y).1 is y; that of a tuple on a device is on the device.
void ConstantFolder::foldProjection(TupleGetItemOp Get) {
  auto Tuple = getNode<TupleOp>(Get.tuple());
  if (!Tuple || Kept.contains(Get))
    return;
  R.setInsertionPoint(Get);
  if (!R.startRewrite("project", Get))
    return;
  Value *Field = Tuple->getOperand(Get.attrs().index());
  auto *FieldOp = dyn_cast<Operation>(Field);
  auto OnDevice = dyn_cast<OnDeviceOp>(Get.tuple());
  if (OnDevice && FieldOp && FieldOp->isFloating())
    Field = R.create<OnDeviceOp>(Field, &OnDevice.attrs());
  replace(Get, Field);
}

/// Returns whether the condition of \p If is true; none if it is not constant.
static std::optional<bool> getKnownCondition(IfOp If) {
  if (!getNode<ConstantOp>(If.condition()))
    return std::nullopt;
  const ConstantData *Data = getKnownData(ignoreOnDevice(If.condition()));
  return Data ? std::optional<bool>(Data->getInt() != 0) : std::nullopt;
}

/// Replaces an `if` with a constant condition by the taken branch.
void ConstantFolder::foldIf(IfOp If) {
  std::optional<bool> IsTrue = getKnownCondition(If);
  if (!IsTrue || Kept.contains(If))
    return;
  R.setInsertionPoint(If);
  if (!R.startRewrite("take-branch", If))
    return;
  RELAY_DEBUG(Ctx, 1) << "the condition is always "
                      << (*IsTrue ? "true: " : "false: ")
                      << If->getDescription();
  Block &Taken = If->getRegion(*IsTrue ? 0 : 1);
  Value *Result = Taken.getResult();
  if (Taken.bindings().empty()) {
    R.inlineBlock(Taken, *If->getBlock(), If, {});
    replace(If, Result);
  } else {
    ScopeOp Scope = R.create<ScopeOp>();
    R.inlineBlock(Taken, Scope->getRegion(), nullptr, {});
    R.setResult(Scope->getRegion(), Result);
    R.setType(Scope, Result->getType());
    replace(If, Scope);
  }
  ++NumBranches;
}

/// A nested `let` whose bindings have all gone is its result.
void ConstantFolder::foldScope(ScopeOp Scope) {
  Block &Body = Scope->getRegion();
  if (!Body.bindings().empty() || !isConstant(Body.getResult()))
    return;
  R.setInsertionPoint(Scope);
  if (!R.startRewrite("flatten-scope", Scope))
    return;
  Value *Result = Body.getResult();
  R.inlineBlock(Body, *Scope->getBlock(), Scope, {});
  replace(Scope, Result);
}

/// A variable that is bound to a constant, on a device or not, becomes that.
void ConstantFolder::foldBinding(Operation *Op) {
  auto Alias = dyn_cast<AliasOp>(Op);
  auto *Bound = Alias ? dyn_cast<Operation>(Alias.value()) : Op;
  if (!Op->isBound() || !Bound || Kept.contains(Op) ||
      (Alias && Bound->isBound()) || !isConstantNode(Bound) ||
      mustStayDynamic(Op) || !R.startRewrite("inline-constant", Op))
    return;
  RELAY_DEBUG(Ctx, 1) << "%" << Op->getVarName()
                      << " is constant: " << describeCall(*Bound);
  if (Alias)
    replace(Op, Bound);
  else
    unbind(Op);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// A branch that is not taken is not looked into.
WalkResult ConstantFolder::enterBlock(Block &B) {
  auto If = dyn_cast_or_null<IfOp>(B.getParentOp());
  std::optional<bool> IsTrue = If ? getKnownCondition(If) : std::nullopt;
  if (!IsTrue || Kept.contains(If))
    return WalkResult::advance();
  return B.getRegionNumber() == (*IsTrue ? 0 : 1) ? WalkResult::advance()
                                                  : WalkResult::skip();
}

WalkResult ConstantFolder::enter(Operation *Op) {
  return isLeftAlone(Op) ? WalkResult::skip() : WalkResult::advance();
}

void ConstantFolder::leave(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Operator:
    if (!Op->is(OnDeviceOp::getInfo()))
      return foldCall(Op);
    noteTuple(Op);
    return foldBinding(Op);
  case OpCode::Tuple:
    return noteTuple(Op);
  case OpCode::Constant:
  case OpCode::Alias:
    return foldBinding(Op);
  case OpCode::TupleGetItem:
    return foldProjection(TupleGetItemOp(Op));
  case OpCode::If:
    return foldIf(IfOp(Op));
  case OpCode::Scope:
    return foldScope(ScopeOp(Op));
  default:
    return;
  }
}

void ConstantFolder::logFunction(StringRef What) const {
  RELAY_DEBUG(Ctx, 1) << What << [&] {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printFunction(F, OS);
    return StringRef(Text).rtrim().str();
  }();
}

bool ConstantFolder::run() {
  logFunction("folding:\n");
  noteEffects();
  foldShapes();
  traverse(F, *this);
  logFunction("folded to:\n");
  return R.getNumRewrites() != 0;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool givesOtherType(const Signature &Sig, const Block &Body) {
  Type *Written = Sig.ResultAnnotation;
  return Written && Body.getResult()->getType() != Written;
}

/// Returns true if a result in \p F has another type than annotated, because it
/// has become less dynamic.
static bool givesOtherTypes(Function &F) {
  if (givesOtherType(F.getSignature(), F.getBody()))
    return true;
  bool Found = false;
  walk(F, [&](Operation *Op) {
    Found |= Op->is(OpCode::Fn) &&
             givesOtherType(Op->getSignature(), Op->getRegion());
  });
  return Found;
}

FailureOr<bool> relay::foldConstants(Function &F, const ConstantBudget &Budget,
                                     bool FoldQnn, FoldingCounts &Counts) {
  ConstantFolder Folder(F, FoldQnn, Budget);
  bool HasChanged = Folder.run();
  Counts.NumEvaluated += Folder.getNumEvaluated();
  Counts.NumBranches += Folder.getNumBranches();
  if (HasChanged && (Folder.hasChangedTypes() || givesOtherTypes(F)) &&
      failed(retype(F)))
    return failure();
  return HasChanged;
}

namespace {
class FoldConstant : public FoldConstantBase<FoldConstant> {
public:
  using FoldConstantBase::FoldConstantBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &AM,
                                   PassContext &) override {
    if (isPrimitive(F.getSignature()))
      return preserved(false);
    FoldingCounts Counts;
    FailureOr<bool> HasChanged =
        foldConstants(F, *AM.getModuleResult<ConstantBudgetAnalysis>(F),
                      Options.FoldQnn, Counts);
    if (failed(HasChanged))
      return failure();
    NumEvaluated += Counts.NumEvaluated;
    NumBranches += Counts.NumBranches;
    return preserved(*HasChanged);
  }
};
} // namespace

std::unique_ptr<Pass>
relay::createFoldConstantPass(FoldConstantOptions Options) {
  return std::make_unique<FoldConstant>(std::move(Options));
}
