//===- LazyGradientInit.cpp - Create zeros and ones where needed ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies the body of a function into a closure of cells (GradCells.h), which
// the function then calls. In the copy, each tensor of the type of a value is a
// cell: `(T, fn (T) -> T, ref(T))` becomes
// `(GradCell[T], fn (GradCell[T]) -> GradCell[T], ref(GradCell[T]))`. Type
// definitions are left alone. Values cross the border between the two forms at
// the parameters and the result of the function, and where the closure calls an
// operator, a constructor or a global function, or takes an ADT apart.
//
//===----------------------------------------------------------------------===//

#include "GradCells.h"
#include "MatchPatterns.h"
#include "OperationCopies.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Annotation.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
/// The types of values in the closure.
class CellTypes {
public:
  explicit CellTypes(Context &Ctx) : Ctx(Ctx) {}

  /// \p T with cells for tensors; null if T is null.
  Type *get(Type *T);
  bool changes(Type *T) { return get(T) != T; }
  /// Returns true if a value of type \p T can be converted to and from cells.
  bool canConvert(Type *T);
  /// Returns true if get() is the type that \p T gets when its type parameters
  /// are replaced by types of cells.
  static bool isParametric(Type *T);

private:
  Context &Ctx;
  llvm::DenseMap<Type *, Type *> Known;
};
} // namespace

Type *CellTypes::get(Type *T) {
  if (!T)
    return nullptr;
  if (isa<TensorType>(T))
    return getGradCellType(Ctx, T);
  if (!isa<TupleType, FuncType, RefType>(T))
    return T;
  if (Type *New = Known.lookup(T))
    return New;
  Type *New = rebuild(Ctx, T, [&](Type *Part) { return get(Part); });
  return Known[T] = New;
}

bool CellTypes::canConvert(Type *T) {
  if (!T)
    return false;
  bool Result = true;
  walkTypes(T, [&](Type *Part) {
    auto *Func = dyn_cast<FuncType>(Part);
    Result &=
        !isa<TypeVarType>(Part) && (!Func || Func->getTypeParams().empty());
    Result &= !isa<RefType>(Part) || !changes(Part);
    return Result && !isa<TypeCall>(Part);
  });
  return Result;
}

bool CellTypes::isParametric(Type *T) {
  bool Result = true;
  if (T && T->hasTypeVar())
    walkTypes(T, [&](Type *Part) {
      Result &= !isa<TypeCall>(Part) || !Part->hasTypeVar();
      return Result;
    });
  return Result;
}

//===----------------------------------------------------------------------===//
// Functions that can be converted
//===----------------------------------------------------------------------===//

namespace {
/// Finds out whether a function is to be converted.
class FunctionCheck {
public:
  FunctionCheck(Function &F, CellTypes &Types) : F(F), Types(Types) {}

  /// Returns false if the function has no tensors, or cannot be converted.
  bool run();

private:
  bool check(Operation *Op);
  bool checkBorder(const Operation *Op, const Value *V);
  bool checkPatterns(const Operation *Op);
  bool reject(const Operation *Op, const Twine &Reason);

  Function &F;
  CellTypes &Types;
  bool HasTensors = false;
};
} // namespace

/// Remarks that the function stays as it is because of \p Op, or, if that is
/// null, because of its signature. Returns false.
bool FunctionCheck::reject(const Operation *Op, const Twine &Reason) {
  if (!Op && !F.getBody().empty())
    Op = &*F.getBody().begin();
  if (Op && takesMissedRemarks())
    emitMissedRemark(Op, "not-converted",
                     "@" + F.getName() +
                         " is not converted to cells: " + Reason);
  return false;
}

/// Checks that \p V can be converted where \p Op uses or defines it.
bool FunctionCheck::checkBorder(const Operation *Op, const Value *V) {
  if (Types.canConvert(V->getType()))
    return true;
  return reject(Op, V->getType() ? "values of type " + toString(V->getType()) +
                                       " have no cells"
                                 : "the type of a value is not known");
}

/// Checks the variables that the patterns of \p Match bind.
bool FunctionCheck::checkPatterns(const Operation *Match) {
  for (Block &Clause : Match->getRegions())
    for (const BlockArgument *Arg : Clause.getArguments())
      if (!checkBorder(Match, Arg))
        return false;
  return true;
}

bool FunctionCheck::check(Operation *Op) {
  HasTensors |= Types.changes(Op->getType());
  for (Block &Region : Op->getRegions())
    for (const BlockArgument *Arg : Region.getArguments())
      HasTensors |= Types.changes(Arg->getType());
  if (usesGradCells(*Op))
    return reject(Op, "it contains cells already");
  // Conversions to and from cells would cross the borders of the regions.
  if (isa<CompilerBeginOp, CompilerEndOp>(Op))
    return reject(Op, "it contains annotated regions");
  if (!Types.isParametric(Op->getType()))
    return reject(Op, "values of type " + toString(Op->getType()) +
                          " have no cells");
  switch (Op->getCode()) {
  case OpCode::OpRef:
    return reject(Op, "it uses an operator as a value");
  case OpCode::Operator:
  case OpCode::CallGlobal:
  case OpCode::CallConstructor:
  case OpCode::Match:
    HasTensors |= Op->getInfo().isOperator();
    return llvm::all_of(Op->operands(),
                        [&](Value *V) { return checkBorder(Op, V); }) &&
           checkBorder(Op, Op) && (!Op->is(OpCode::Match) || checkPatterns(Op));
  case OpCode::GlobalRef:
  case OpCode::ConstructorRef:
    return checkBorder(Op, Op);
  default:
    return Op->getType() || checkBorder(Op, Op);
  }
}

bool FunctionCheck::run() {
  if (F.isSkippedByOptimization())
    return false;
  if (!F.getSignature().TypeParams.empty())
    return reject(nullptr, "it has type parameters");
  for (const BlockArgument *Param : F.getParams()) {
    HasTensors |= Types.changes(Param->getType());
    if (!checkBorder(nullptr, Param))
      return false;
  }
  if (!checkBorder(nullptr, F.getBody().getResult()))
    return false;
  return !walk(F, [&](Operation *Op) { return success(check(Op)); })
              .wasInterrupted() &&
         HasTensors;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

namespace {

class CellConverter {
public:
  /// \p Effects is null if nothing in the module has an effect.
  CellConverter(Function &F, CellTypes &Types, Rewriter &R,
                const ValuePurity *Effects)
      : F(F), Ctx(F.getContext()), R(R), Types(Types), Effects(Effects),
        Name(Ctx.intern("x")), ResultLoc(F.getResultLoc()) {}

  void run();

private:
  /// A block that is being copied.
  struct Frame {
    Block *From, *To;
    Block::iterator It, End;
  };
  enum class Direction { ToCells, FromCells };

  // Values at the border.
  Value *convert(Direction To, Value *V, Type *T);
  Value *convertTuple(Direction To, Value *V, TupleType *T);
  Value *convertFunction(Direction To, Value *V, FuncType *T);
  Value *convertTensor(Direction To, Value *V);
  Value *toCells(Value *V, Type *T) {
    return convert(Direction::ToCells, V, T);
  }
  Value *fromCells(const Value *Original);
  Value *bindingFields(Direction To, Value *V, Type *T);

  // Copies.
  Value *lookup(const Value *Original) const { return Map.lookup(Original); }
  void copyFrames();
  void copy(Operation *Op);
  Value *createCopy(Operation *Op);
  SmallVector<Value *, 4> getPlainOperands(const Operation *Op);
  Operation *copyClosure(Operation *Op);
  Operation *copyMatch(Operation *Op);
  Value *copyOperator(Operation *Op);
  Value *createOperator(Operation *Op);
  Operation *
  createOperatorClosure(Operation *Op, ArrayRef<StringRef> ParamNames,
                        function_ref<Value *(ArrayRef<Value *>)> Create);
  Value *createLazyCell(Operation *Op, StringRef Constructor);
  Value *createLazy(Operation *Op, StringRef Constructor);
  Value *createCellCall(Operation *Op, StringRef Callee);
  Operation *copyIf(Operation *Op);
  void push(Block &From, Block &To) {
    Frames.push_back({&From, &To, From.begin(), From.end()});
  }

  // Facts about original operations.
  void note(const Operation *Op);
  bool mustBeEvaluatedInPlace(const Operation *Op) const;
  unsigned getDepth(const Operation *Op) const;

  // The function.
  Operation *createClosure(Type *Result);
  void createBody(Operation *Closure, Type *Result);

  Function &F;
  Context &Ctx;
  Rewriter &R;
  CellTypes &Types;
  const ValuePurity *const Effects;
  const StringRef Name; ///< of the bindings
  const Location ResultLoc;
  bool BindsFields = false;
  ValueMap Map;
  /// Floating operations that must be evaluated where they are, since they or
  /// their operands have effects.
  llvm::DenseSet<const Value *> InPlace;
  /// Closures that the copy of a floating operation may be nested in.
  llvm::DenseMap<const Value *, unsigned> Depths;
  /// A chain of floating calls that create tensors nests closures. Calls nested
  /// deeper than this create their tensors at once.
  static constexpr unsigned MaxDepth = 64;
  SmallVector<Frame, 8> Frames;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values at the border
//===----------------------------------------------------------------------===//

Value *CellConverter::convertTensor(Direction To, Value *V) {
  if (To == Direction::ToCells)
    return R.create<CallConstructorOp>(ArrayRef(V), Ctx.intern(GradCells::Raw));
  return R.create<CallGlobalOp>(ArrayRef(V), Ctx.intern(GradCells::From));
}

/// The tuple of the converted fields of \p V.
Value *CellConverter::convertTuple(Direction To, Value *V, TupleType *T) {
  SmallVector<Value *, 4> Fields;
  for (auto [I, FieldType] : llvm::enumerate(T->getFields())) {
    Operation *Field = R.create<TupleGetItemOp>(V, I);
    if (BindsFields)
      R.bind(Field, Name,
             To == Direction::ToCells ? FieldType : Types.get(FieldType));
    Fields.push_back(convert(To, Field, FieldType));
  }
  return R.create<TupleOp>(Fields);
}

/// A closure that converts its arguments, calls \p V, and converts its result.
/// V is evaluated first, once: `let %x = V; fn (…) { %x(…) }`.
Value *CellConverter::convertFunction(Direction To, Value *V, FuncType *T) {
  bool IsToCells = To == Direction::ToCells;
  Direction Back = IsToCells ? Direction::FromCells : Direction::ToCells;
  auto GetType = [&](Type *Part) { return IsToCells ? Types.get(Part) : Part; };
  Rewriter::InsertionGuard Guard(R);
  bool Outer = std::exchange(BindsFields, false);
  Operation *Scope = R.create<ScopeOp>();
  R.setInsertionPointToEnd(Scope->getRegion());
  Operation *Callee = R.create<AliasOp>(V);
  R.bind(Callee, Name);
  Operation *Fn = R.create<FnOp>();
  Block &Body = Fn->getRegion();
  Signature Sig;
  Sig.ResultAnnotation = GetType(T->getResult());
  R.setSignature(Body, std::move(Sig));
  R.setInsertionPointToEnd(Body);
  SmallVector<Value *, 4> Arguments;
  for (Type *Param : T->getParams()) {
    Value *Arg = R.addArgument(Body, Name, GetType(Param), R.getLoc());
    Arguments.push_back(convert(Back, Arg, Param));
  }
  Value *Result = R.create<CallValueOp>(Callee, Arguments);
  R.setResult(Body, convert(To, Result, T->getResult()));
  R.setResult(Scope->getRegion(), Fn);
  BindsFields = Outer;
  return Scope;
}

/// \p V, which is of type \p T when it holds no cells, in the other form.
Value *CellConverter::convert(Direction To, Value *V, Type *T) {
  if (isa<TensorType>(T))
    return convertTensor(To, V);
  if (auto *Tuple = dyn_cast<TupleType>(T);
      Tuple && (BindsFields || Types.changes(T)))
    return convertTuple(To, V, Tuple);
  if (auto *Func = dyn_cast<FuncType>(T); Func && Types.changes(T))
    return convertFunction(To, V, Func);
  return V;
}

/// Like convert(), but binds fields of tuples, as TVM does at the parameters
/// and the result.
Value *CellConverter::bindingFields(Direction To, Value *V, Type *T) {
  BindsFields = true;
  Value *New = convert(To, V, T);
  BindsFields = false;
  return New;
}

/// The copy of \p Original without cells.
Value *CellConverter::fromCells(const Value *Original) {
  return convert(Direction::FromCells, lookup(Original), Original->getType());
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// \p Op on the values of the cells of its operands.
Value *CellConverter::createOperator(Operation *Op) {
  return copyOperation(R, *Op, getPlainOperands(Op));
}

/// `fn (Params) { Op }`: \p Create creates the copy of \p Op from the
/// parameters, which have the type of Op.
Operation *CellConverter::createOperatorClosure(
    Operation *Op, ArrayRef<StringRef> ParamNames,
    function_ref<Value *(ArrayRef<Value *>)> Create) {
  Operation *Fn = R.create<FnOp>();
  Block &Body = Fn->getRegion();
  Signature Sig;
  Sig.ResultAnnotation = Op->getType();
  R.setSignature(Body, std::move(Sig));
  SmallVector<Value *, 2> Params;
  for (StringRef ParamName : ParamNames)
    Params.push_back(R.addArgument(Body, Ctx.intern(ParamName), Op->getType(),
                                   Op->getLoc()));
  Rewriter::InsertionGuard Guard(R);
  R.setInsertionPointToEnd(Body);
  R.setResult(Body, Create(Params));
  return Fn;
}

/// `Constructor(fn () { Op })`.
Value *CellConverter::createLazyCell(Operation *Op, StringRef Constructor) {
  Operation *Fn = createOperatorClosure(
      Op, {}, [&](ArrayRef<Value *>) { return createOperator(Op); });
  return R.create<CallConstructorOp>(ArrayRef<Value *>(Fn),
                                     Ctx.intern(Constructor));
}

/// Like createLazyCell(), but evaluates an operand that has an effect before:
/// `let %x = Operand; Constructor(fn () { Op(%x) })`.
Value *CellConverter::createLazy(Operation *Op, StringRef Constructor) {
  Value *Operand = Op->getNumOperands() ? Op->getOperand(0) : nullptr;
  if (!Operand || !InPlace.contains(Operand))
    return createLazyCell(Op, Constructor);
  Rewriter::InsertionGuard Guard(R);
  Operation *Scope = R.create<ScopeOp>();
  R.setInsertionPointToEnd(Scope->getRegion());
  Value *Cell = lookup(Operand);
  Operation *Alias = R.create<AliasOp>(Cell);
  R.bind(Alias, Name);
  Map[Operand] = Alias;
  R.setResult(Scope->getRegion(), createLazyCell(Op, Constructor));
  Map[Operand] = Cell;
  return Scope;
}

/// `@Callee(fn (%lhs, %rhs) { Op }, cells of the operands)`.
Value *CellConverter::createCellCall(Operation *Op, StringRef Callee) {
  Operation *Fn =
      createOperatorClosure(Op, {"lhs", "rhs"}, [&](ArrayRef<Value *> Params) {
        return copyOperation(R, *Op, Params);
      });
  SmallVector<Value *, 4> Arguments = {Fn};
  Arguments.append(getNewOperands(Map, *Op));
  return R.create<CallGlobalOp>(Arguments, Ctx.intern(Callee));
}

/// Returns true if the operands of \p Op have the type of its result. `?`
/// extents may differ.
static bool isOfEqualShapes(const Operation *Op) {
  return !isDynamic(Op->getType()) &&
         llvm::all_of(Op->operands(), [&](const Value *V) {
           return V->getType() == Op->getType();
         });
}

Value *CellConverter::copyOperator(Operation *Op) {
  bool IsNested = getDepth(Op) >= MaxDepth;
  if (isa<ZerosOp, ZerosLikeOp>(Op) && !IsNested)
    return createLazy(Op, GradCells::Zero);
  if (isa<OnesOp, OnesLikeOp>(Op) && !IsNested)
    return createLazy(Op, GradCells::One);
  if (isa<AddOp>(Op) && isOfEqualShapes(Op))
    return createCellCall(Op, GradCells::Add);
  if (isa<MultiplyOp>(Op) && isOfEqualShapes(Op))
    return createCellCall(Op, GradCells::Multiply);
  return toCells(createOperator(Op), Op->getType());
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The operands of \p Op without cells.
SmallVector<Value *, 4> CellConverter::getPlainOperands(const Operation *Op) {
  SmallVector<Value *, 4> Operands;
  for (const Value *V : Op->operands())
    Operands.push_back(fromCells(V));
  return Operands;
}

Operation *CellConverter::copyClosure(Operation *Op) {
  Operation *New = R.create<FnOp>();
  Block &From = Op->getRegion(), &To = New->getRegion();
  Signature Sig = Op->getSignature();
  Sig.ResultAnnotation = Types.get(Sig.ResultAnnotation);
  R.setSignature(To, std::move(Sig));
  for (BlockArgument *Arg : From.getArguments())
    Map[Arg] = R.addArgument(To, Arg->getName(), Types.get(Arg->getType()),
                             Arg->getLoc());
  push(From, To);
  return New;
}

Operation *CellConverter::copyIf(Operation *Op) {
  Operation *New = R.create<IfOp>(fromCells(Op->getOperand(0)));
  for (unsigned I = 0; I != 2; ++I)
    push(Op->getRegion(I), New->getRegion(I));
  return New;
}

/// Copies the match and the variables of its patterns, which hold no cells.
Operation *CellConverter::copyMatch(Operation *Op) {
  Operation *New =
      R.create<MatchOp>(fromCells(Op->getOperand(0)), Op->getNumRegions());
  New->setCompleteMatch(Op->isCompleteMatch());
  llvm::DenseMap<const Value *, Value *> Variables;
  for (auto [From, To] : llvm::zip(Op->getRegions(), New->getRegions())) {
    Rewriter::InsertionGuard Guard(R);
    R.setInsertionPointToEnd(To);
    for (BlockArgument *Arg : From.getArguments()) {
      Value *Variable = Variables[Arg] = R.addArgumentLike(To, *Arg);
      Map[Arg] = toCells(Variable, Arg->getType());
    }
    push(From, To);
  }
  SmallVector<MatchPattern *, 8> Patterns;
  for (const MatchPattern *P : Op->getPatterns())
    Patterns.push_back(copyPattern(F, *P, Variables));
  R.setPatterns(New, Patterns);
  return New;
}

Value *CellConverter::createCopy(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Operator:
    return copyOperator(Op);
  case OpCode::Constant:
  case OpCode::GlobalRef:
  case OpCode::ConstructorRef:
  case OpCode::CallGlobal:
  case OpCode::CallConstructor:
    return toCells(createOperator(Op), Op->getType());
  case OpCode::CallValue:
    return copyOperation(R, *Op, getNewOperands(Map, *Op),
                         [&](Type *T) { return Types.get(T); });
  case OpCode::Fn:
    return copyClosure(Op);
  case OpCode::If:
    return copyIf(Op);
  case OpCode::Match:
    return copyMatch(Op);
  default:
    break;
  }
  Operation *New = copyStructure(R, *Op, Map);
  assert(New && "functions with operators as values are not converted");
  for (auto [From, To] : llvm::zip(Op->getRegions(), New->getRegions()))
    push(From, To);
  return New;
}

unsigned CellConverter::getDepth(const Operation *Op) const {
  unsigned Depth = 0;
  for (const Value *V : Op->operands())
    Depth = std::max(Depth, Depths.lookup(V));
  return Depth;
}

/// Returns true if delaying the evaluation of \p Op can change its shape, or
/// may be observed. A tensor in a reference keeps a static shape.
bool CellConverter::mustBeEvaluatedInPlace(const Operation *Op) const {
  if (Op->is(OpCode::RefRead))
    return isDynamic(Op->getType());
  bool HasRegions = Op->getNumRegions() && !Op->is(OpCode::Fn);
  return (HasRegions || Op->getInfo().mayHaveEffect()) &&
         !Effects->isEvalPure(Op);
}

/// Records the effects and the depth of \p Op if it is floating.
void CellConverter::note(const Operation *Op) {
  if (Op->isBound())
    return;
  bool IsLazy = isa<ZerosOp, ZerosLikeOp, OnesOp, OnesLikeOp>(Op);
  if (unsigned Depth = getDepth(Op) + IsLazy)
    Depths[Op] = Depth;
  if (Effects && (mustBeEvaluatedInPlace(Op) ||
                  llvm::any_of(Op->operands(), [&](const Value *V) {
                    return InPlace.contains(V);
                  })))
    InPlace.insert(Op);
}

void CellConverter::copy(Operation *Op) {
  R.setInsertionPointToEnd(*Frames.back().To);
  R.setLoc(Op->getLoc());
  note(Op);
  Value *New = createCopy(Op);
  Map[Op] = New;
  if (Op->isBound())
    R.bind(cast<Operation>(New), Op->getVarName(),
           Types.get(Op->getVarAnnotation()), Op->getVarVirtualDevice());
}

/// Copies the operations and the results of all frames.
void CellConverter::copyFrames() {
  while (!Frames.empty()) {
    Frame &Top = Frames.back();
    if (Top.It != Top.End) {
      copy(&*Top.It++);
      continue;
    }
    R.setResult(*Top.To, lookup(Top.From->getResult()));
    Frames.pop_back();
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Copies the body into a closure of cells, which gets the attributes of the
/// function, as in TVM.
Operation *CellConverter::createClosure(Type *Result) {
  Operation *Fn = R.create<FnOp>();
  Block &From = F.getBody(), &To = Fn->getRegion();
  Signature Sig;
  Sig.ResultAnnotation = Types.get(Result);
  Sig.Attributes = F.getSignature().Attributes;
  R.setSignature(To, std::move(Sig));
  // Copies of the names would rename parameters of functions behind this one.
  StringRef Cell = Ctx.intern("cell");
  for (BlockArgument *Param : F.getParams())
    Map[Param] =
        R.addArgument(To, Cell, Types.get(Param->getType()), Param->getLoc());
  push(From, To);
  Frames.back().End = Fn->getIterator();
  copyFrames();
  return Fn;
}

/// Calls the closure of cells.
void CellConverter::createBody(Operation *Closure, Type *Result) {
  Block &Body = F.getBody();
  R.setInsertionPointToEnd(Body);
  SmallVector<Value *, 4> Arguments;
  for (BlockArgument *Param : F.getParams()) {
    R.setLoc(Param->getLoc());
    Arguments.push_back(
        bindingFields(Direction::ToCells, Param, Param->getType()));
  }
  R.setLoc(ResultLoc);
  Operation *Call = R.create<CallValueOp>(Closure, Arguments);
  R.bind(Call, Name, Types.get(Result));
  R.setResult(Body, bindingFields(Direction::FromCells, Call, Result));
  R.setResultAnnotation(Body, Result);
  R.setFunctionAttrs(Body, nullptr);
  R.setForm(F, Function::Form::Definition);
}

void CellConverter::run() {
  Type *Annotation = F.getSignature().ResultAnnotation;
  Type *Result = Annotation ? Annotation : F.getResultType();
  SmallVector<Operation *, 0> Original;
  for (Operation &Op : F.getBody())
    Original.push_back(&Op);
  R.setInsertionPointToEnd(F.getBody());
  R.setLoc(ResultLoc);
  createBody(createClosure(Result), Result);
  for (Operation *Op : llvm::reverse(Original))
    R.eraseOp(Op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class LazyGradientInit final : public LazyGradientInitBase<LazyGradientInit> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override;
};
} // namespace

FailureOr<PreservedAnalyses>
LazyGradientInit::run(Module &M, ModuleAnalysisManager &AM, PassContext &) {
  CellTypes Types(M.getContext());
  SmallVector<Function *> Functions;
  for (Function &F : M.functions())
    if (FunctionCheck(F, Types).run())
      Functions.push_back(&F);
  if (Functions.empty())
    return preserved(false);
  if (failed(checkGradCells(M)))
    return failure();
  const Purity *Pure =
      hasEffects(M) ? &AM.getResult<PurityAnalysis>(M) : nullptr;
  auto IsCallPure = [&](StringRef Name) { return Pure->isCallPure(Name); };
  unsigned NumDone = 0;
  for (Function *F : Functions) {
    Rewriter R(*F);
    if (!R.startRewrite("convert-to-cells"))
      continue;
    R.setLoc(F->getResultLoc());
    if (failed(addGradCells(R, M)))
      return failure();
    std::optional<ValuePurity> Effects;
    if (Pure)
      Effects.emplace(*F, IsCallPure);
    CellConverter(*F, Types, R, Effects ? &*Effects : nullptr).run();
    if (failed(retype(*F)))
      return failure();
    ++NumDone;
  }
  NumConverted += NumDone;
  return preserved(NumDone != 0);
}

std::unique_ptr<Pass> relay::createLazyGradientInitPass() {
  return std::make_unique<LazyGradientInit>();
}
