//===- PartialEvaluator.cpp - Evaluates one function ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PartialEvaluator.h. Values, frames, and the constructs of the language
// other than calls.
//
//===----------------------------------------------------------------------===//

#include "PartialEvaluator.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"

using namespace relay;

using Kind = KnownValue::Kind;

PartialEvaluator::PartialEvaluator(Program &P, ConstantCalculator &Constants,
                                   Function &F, Block &Into, uint64_t Budget)
    : P(P), Constants(Constants), F(F), Into(Into), Ctx(F.getContext()),
      B(Into), Budget(Budget) {
  Constants.reset();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

KnownValue *PartialEvaluator::makeKnown(Kind K,
                                        ArrayRef<PartialValue *> Fields) {
  KnownValue *Known = makeKnown(K);
  Known->Fields = Fields.copy(Memory);
  return Known;
}

/// The value of \p V, of the body of the current frame or of one around it.
PartialValue *&PartialEvaluator::getSlot(const Value *V) {
  Activation *Env = top().Env;
  ProgramFunction::Place At = Env->Function->getPlace(V);
  while (Env->Level != At.Level)
    Env = Env->Outer;
  return Env->Slots[At.Slot];
}

/// Returns true if each use of \p Op has a binding of its own: TVM evaluates a
/// shared constant once for each use.
static bool isSharedConstant(const Operation &Op) {
  return Op.is(OpCode::Constant) && Op.isFloating() && !Op.hasOneUse();
}

/// The value of \p V as an operand.
PartialValue *PartialEvaluator::use(Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && isSharedConstant(*Op) ? emitConstant(*Op) : getSlot(V);
}

SmallVector<PartialValue *, 4>
PartialEvaluator::useOperands(const Operation &Op, unsigned First) {
  SmallVector<PartialValue *, 4> Values;
  for (Use &U : Op.getUses().drop_front(First))
    Values.push_back(use(U.get()));
  return Values;
}

/// The value of the new body; a symbol is created.
Value *PartialEvaluator::getDynamic(const PartialValue &V) {
  if (V.Dynamic)
    return V.Dynamic;
  const Operation &Symbol = *V.Known->Op;
  Operation *New = B.createOperation(Symbol.getInfo(), {}, Symbol.getAttrs());
  if (!New->getType())
    New->setTypeRaw(Symbol.getType());
  return New;
}

SmallVector<Value *, 4>
PartialEvaluator::getDynamic(ArrayRef<PartialValue *> Values) {
  SmallVector<Value *, 4> Operands;
  for (const PartialValue *V : Values)
    Operands.push_back(getDynamic(*V));
  return Operands;
}

/// Returns the known value of \p V if it is a \p K; null otherwise. The kind
/// can be wrong in programs without types.
static KnownValue *getKnown(const PartialValue &V, Kind K) {
  return V.Known && V.Known->K == K ? V.Known : nullptr;
}

/// Makes \p V the value of \p Source.
void PartialEvaluator::define(Operation &Source, PartialValue *V) {
  getSlot(&Source) = V;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// \p T, of an original body, with the type parameters of the current one
/// replaced.
Type *PartialEvaluator::instantiate(Type *T) const {
  const TypeVarMap *Types = top().Env->Types;
  return T && Types && T->hasTypeVar() ? substituteTypeVars(Ctx, T, *Types) : T;
}

/// Returns true if a value of type \p New must not take the place of one of
/// type \p Old: one of them is more dynamic than the other.
static bool changesDynamism(Type *New, Type *Old) {
  return New && Old && New != Old && (isDynamic(New) || isDynamic(Old));
}

/// Returns true if \p V may take the place of a value of type \p Old, in the
/// original body. Inference unifies types: a value that becomes less dynamic,
/// or one that no longer has an annotation, may change the types of others, and
/// the program may no longer have any.
bool PartialEvaluator::mayReplace(Type *Old, const PartialValue &V) const {
  return !V.Dynamic || V.Dynamic->getType() == Old ||
         !changesDynamism(V.Dynamic->getType(), instantiate(Old));
}

/// Returns true if the value of \p Region may take the place of \p Op.
static bool mayReplace(const Operation &Op, const Block &Region) {
  return !changesDynamism(Region.getResult()->getType(), Op.getType());
}

/// Creates an activation without slots.
Activation *PartialEvaluator::createActivation(ProgramFunction &Of,
                                               const BodyLayout &Layout,
                                               Activation *Outer) {
  return new (Memory) Activation{Outer, &Of, Layout.Level, nullptr,
                                 Outer ? Outer->Types : nullptr};
}

void PartialEvaluator::createSlots(Activation &Env, const BodyLayout &Layout) {
  Env.Slots = Memory.Allocate<PartialValue *>(Layout.NumSlots);
  std::fill_n(Env.Slots, Layout.NumSlots, nullptr);
}

/// Replaces \p Params by \p Types in \p Env.
void PartialEvaluator::bindTypes(Activation &Env,
                                 ArrayRef<TypeVarType *> Params,
                                 ArrayRef<Type *> Types) {
  if (Params.empty())
    return;
  TypeMaps.push_back(Env.Types ? *Env.Types : TypeVarMap());
  for (auto [Param, T] : llvm::zip_equal(Params, Types))
    TypeMaps.back()[Param] = T;
  Env.Types = &TypeMaps.back();
}

//===----------------------------------------------------------------------===//
// Creating operations
//===----------------------------------------------------------------------===//

/// Binds \p New by the name of \p Source, without an annotation.
void PartialEvaluator::bind(Operation *New, const Operation &Source) {
  B.bind(New, Source.isBound() ? Source.getVarName() : Ctx.intern("x"));
}

/// Gives \p New, which is made of \p Source and complete, the type of Source
/// unless operands determine an equally dynamic one. Keeps the annotation of
/// Source if it matters, and annotates a value of an algebraic data type whose
/// operands do not determine the type: other uses of it may be gone.
void PartialEvaluator::finishType(Operation *New, const Operation &Source) {
  Type *T = instantiate(Source.getType());
  Type *Inferred = inferOperationType(*New);
  if (Inferred && !changesDynamism(Inferred, T))
    return New->setTypeRaw(Inferred);
  New->setTypeRaw(T);
  Type *Annotation = instantiate(Source.getVarAnnotation());
  if (!Annotation && New->is(OpCode::CallConstructor) && T &&
      !T->isIncomplete())
    Annotation = T;
  if (Annotation)
    B.bind(New, New->getVarName(), Annotation);
}

/// Creates an operation without regions in place of \p Source.
Operation *PartialEvaluator::emit(const Operation &Source, const OpInfo &Info,
                                  ArrayRef<PartialValue *> Operands,
                                  const Attrs *A) {
  Operation *New = B.createOperation(Info, getDynamic(Operands), A);
  bind(New, Source);
  if (New->getType() != instantiate(Source.getType()))
    finishType(New, Source);
  return New;
}

PartialValue *PartialEvaluator::emitConstant(const Operation &Source) {
  Operation *New = emit(Source, Source.getInfo(), {}, Source.getAttrs());
  const ConstantData *Data = getKnownData(New);
  if (!Data)
    return makeValue(New);
  KnownValue *Known = makeKnown(Kind::Tensor);
  Known->Elements = Data;
  return makeValue(New, Known);
}

/// Creates constants, and the tuple of them, in place of \p Source.
PartialValue *PartialEvaluator::emitValue(const Operation &Source,
                                          const RuntimeValue &V) {
  if (V.isTensor()) {
    const Tensor &T = V.getTensor();
    Operation *New = B.constant(T.getType(Ctx), T.getBuffer());
    bind(New, Source);
    KnownValue *Known = makeKnown(Kind::Tensor);
    Known->Elements = getKnownData(New);
    return makeValue(New, Known);
  }
  SmallVector<PartialValue *, 4> Fields;
  for (const RuntimeValue &Field : V.getFields())
    Fields.push_back(emitValue(Source, Field));
  Operation *New = emit(Source, TupleOp::getInfo(), Fields, nullptr);
  return makeValue(New, makeKnown(Kind::Tuple, Fields));
}

/// Adds to \p To an argument like \p Arg. A parameter has an annotation, since
/// the new body may no longer determine its type.
void PartialEvaluator::copyArgument(BlockArgument &Arg, Block &To,
                                    bool IsParameter) {
  Type *T = instantiate(Arg.getType());
  Type *Annotation = instantiate(Arg.getAnnotation());
  BlockArgument *New = To.addArgument(
      Arg.getName(), Annotation || !IsParameter ? Annotation : T, Arg.getLoc());
  New->setTypeRaw(T);
  New->setVirtualDevice(Arg.getVirtualDevice());
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

/// Evaluates \p From in the block of the current frame. Its value is that of
/// \p Source.
void PartialEvaluator::enterInPlace(Block &From, Activation *Env,
                                    Operation &Source) {
  Frames.push_back({&From, From.begin(), Env, top().To, top().Depth, &Source});
}

/// Evaluates a region of \p Source in that of \p Target.
void PartialEvaluator::enterRegion(Operation &Source, Operation *Target,
                                   unsigned RegionNo, Activation *Env) {
  Block &From = Source.getRegion(RegionNo), &To = Target->getRegion(RegionNo);
  uint32_t Depth = top().Depth + 1;
  Frames.push_back({&From, From.begin(), Env, &To, Depth, &Source, Target,
                    RegionNo, Store.enter()});
  for (auto [Old, New] :
       llvm::zip_equal(From.getArguments(), To.getArguments()))
    getSlot(Old) = makeValue(New);
}

/// Ends the evaluation of a block.
void PartialEvaluator::leaveFrame() {
  B.setInsertionPointToEnd(*top().To);
  PartialValue *V = use(top().From->getResult());
  Value *Dynamic = !top().Source || top().Target ? getDynamic(*V) : nullptr;
  Frame Left = Frames.pop_back_val();
  if (Left.HasFuel) {
    auto [Body, Before] = SavedFuels.pop_back_val();
    Fuels.erase(Body);
    if (Before)
      Fuels.try_emplace(Body, std::move(*Before));
  }
  if (!Left.Source) {
    Result = Dynamic;
    return;
  }
  if (!Left.Target)
    return define(*Left.Source, V);
  Left.To->setResultRaw(Dynamic);
  Store.leave(Left.Before);
  leaveTarget(Left);
}

/// Continues after a region of a new operation.
void PartialEvaluator::leaveTarget(const Frame &Left) {
  Operation *Source = Left.Source, *Target = Left.Target;
  if (Target->is(OpCode::Fn)) {
    // Created after the values of its body, as in TVM.
    KnownValue *Known = getSlot(Source)->Known;
    return define(*Source, makeValue(Target, Known));
  }
  if (Left.RegionNo + 1 != Source->getNumRegions())
    return enterRegion(*Source, Target, Left.RegionNo + 1, Left.Env);
  B.setInsertionPointToEnd(*top().To);
  finishType(Target, *Source);
  Store.invalidate();
  define(*Source, makeValue(Target));
}

Value *PartialEvaluator::run() {
  Block &Body = F.getBody();
  ProgramFunction &Of = P.get(F);
  Activation *Env = createActivation(Of, Of.getLayout(Body), nullptr);
  createSlots(*Env, Of.getLayout(Body));
  Frames.push_back({&Body, Body.begin(), Env, &Into, 0, nullptr});
  SmallVector<PartialValue *, 4> Params;
  for (BlockArgument *Param : Body.getArguments())
    Params.push_back(getSlot(Param) = makeValue(Param));
  Fuels.try_emplace(&Body, Fuel(Params));
  while (!Frames.empty()) {
    Frame &Top = top();
    if (Top.It == Top.From->end())
      leaveFrame();
    else
      visit(*Top.It++);
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Constructs
//===----------------------------------------------------------------------===//

void PartialEvaluator::visit(Operation &Op) {
  B.setInsertionPointToEnd(*top().To);
  B.setLoc(Op.getLoc());
  switch (Op.getCode()) {
  case OpCode::Operator:
    return visitOperator(Op);
  case OpCode::CallGlobal:
    return visitCallGlobal(Op);
  case OpCode::CallValue:
    return visitCallValue(Op);
  case OpCode::CallConstructor:
    return visitCallConstructor(Op);
  case OpCode::Tuple:
    return visitTuple(Op);
  case OpCode::TupleGetItem:
    return visitProjection(TupleGetItemOp(&Op));
  case OpCode::Constant:
    if (!isSharedConstant(Op))
      define(Op, emitConstant(Op));
    return;
  case OpCode::If:
    return visitIf(Op);
  case OpCode::Match:
    return visitMatch(Op);
  case OpCode::Fn:
    return visitFn(Op);
  case OpCode::Scope:
    return enterInPlace(Op.getRegion(), top().Env, Op);
  case OpCode::Alias: {
    PartialValue *V = use(Op.getOperand(0));
    if (!mayReplace(Op.getType(), *V))
      V = makeValue(emit(Op, Op.getInfo(), V, nullptr), V->Known);
    return define(Op, V);
  }
  case OpCode::GlobalRef:
  case OpCode::OpRef:
  case OpCode::ConstructorRef: {
    KnownValue *Known = makeKnown(Kind::Symbol);
    Known->Op = &Op;
    return define(Op, makeValue(nullptr, Known));
  }
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return visitReference(Op);
  }
}

void PartialEvaluator::visitTuple(Operation &Op) {
  SmallVector<PartialValue *, 4> Fields = useOperands(Op);
  Operation *New = emit(Op, Op.getInfo(), Fields, Op.getAttrs());
  define(Op, makeValue(New, makeKnown(Kind::Tuple, Fields)));
}

void PartialEvaluator::visitProjection(TupleGetItemOp Op) {
  PartialValue *Tuple = use(Op.tuple());
  KnownValue *Known = getKnown(*Tuple, Kind::Tuple);
  uint64_t Index = Op.attrs().index();
  if (Known && Index < Known->Fields.size() &&
      mayReplace(Op->getType(), *Known->Fields[Index]))
    return define(*Op, Known->Fields[Index]);
  define(*Op, makeValue(emit(*Op, Op->getInfo(), Tuple, Op->getAttrs())));
}

void PartialEvaluator::visitReference(Operation &Op) {
  SmallVector<PartialValue *, 4> Operands = useOperands(Op);
  KnownValue *Cell = getKnown(*Operands.front(), Kind::Reference);
  if (Op.is(OpCode::RefRead)) {
    PartialValue *Contents = Cell ? Store.read(*Cell) : nullptr;
    if (Contents && mayReplace(Op.getType(), *Contents)) {
      ++Done.NumReads;
      return define(Op, Contents);
    }
  }
  Operation *New = emit(Op, Op.getInfo(), Operands, Op.getAttrs());
  if (Op.is(OpCode::RefRead))
    return define(Op, makeValue(New));
  if (Op.is(OpCode::RefCreate)) {
    KnownValue *Created = makeKnown(Kind::Reference);
    Store.write(*Created, Operands[0]);
    return define(Op, makeValue(New, Created));
  }
  if (Cell)
    Store.write(*Cell, Operands[1]);
  else
    Store.invalidate();
  define(Op, makeValue(New, makeKnown(Kind::Tuple)));
}

void PartialEvaluator::visitIf(Operation &Op) {
  PartialValue *Condition = use(Op.getOperand(0));
  KnownValue *Known = getKnown(*Condition, Kind::Tensor);
  if (Known && Known->Elements->getType()->isScalar()) {
    bool IsTrue = Known->Elements->getInt() != 0;
    Block &Chosen = Op.getRegion(IsTrue ? 0 : 1);
    if (::mayReplace(Op, Chosen)) {
      ++Done.NumChosen;
      return enterInPlace(Chosen, top().Env, Op);
    }
  }
  Operation *New = B.createOperation(Op.getInfo(), getDynamic(*Condition),
                                     Op.getAttrs(), Op.getNumRegions());
  bind(New, Op);
  enterRegion(Op, New, 0, top().Env);
}

/// Compares \p Data with the pattern \p Root, and sets its variables as far as
/// they match.
PartialEvaluator::Match PartialEvaluator::match(const MatchPattern &Root,
                                                PartialValue *Data) {
  Match Outcome = Match::Yes;
  SmallVector<std::pair<const MatchPattern *, PartialValue *>, 4> Stack = {
      {&Root, Data}};
  while (!Stack.empty()) {
    auto [Pattern, V] = Stack.pop_back_val();
    if (Pattern->K == MatchPattern::Kind::Wildcard)
      continue;
    if (Pattern->K == MatchPattern::Kind::Var) {
      getSlot(Pattern->Variable) = V;
      continue;
    }
    bool IsTuple = Pattern->K == MatchPattern::Kind::Tuple;
    KnownValue *Known = getKnown(*V, IsTuple ? Kind::Tuple : Kind::Data);
    if (Known && Known->Constructor != Pattern->Constructor)
      return Match::No;
    if (!Known || Known->Fields.size() != Pattern->Children.size()) {
      Outcome = Match::Unknown;
      continue;
    }
    for (auto [Child, Field] : llvm::zip(Pattern->Children, Known->Fields))
      Stack.push_back({Child, Field});
  }
  return Outcome;
}

/// Returns the number of the clause of \p Op that \p Data matches; none if that
/// is not known, or if none matches.
std::optional<unsigned> PartialEvaluator::chooseClause(Operation &Op,
                                                       PartialValue *Data) {
  for (auto [I, Pattern] : llvm::enumerate(Op.getPatterns()))
    if (Match M = match(*Pattern, Data); M != Match::No)
      return M == Match::Yes ? std::optional<unsigned>(I) : std::nullopt;
  return std::nullopt;
}

/// The recursion is bounded: the parser limits the nesting of patterns.
MatchPattern *PartialEvaluator::copyPattern(
    const MatchPattern &From,
    const llvm::DenseMap<const Value *, Value *> &Map) {
  IRArena &Arena = F.getArena();
  auto *New = new (Arena.allocate(sizeof(MatchPattern))) MatchPattern(From);
  if (From.Variable)
    New->Variable = cast<BlockArgument>(Map.lookup(From.Variable));
  SmallVector<MatchPattern *, 4> Children;
  for (const MatchPattern *Child : From.Children)
    Children.push_back(copyPattern(*Child, Map));
  New->Children = Arena.copy(ArrayRef(Children));
  return New;
}

void PartialEvaluator::visitMatch(Operation &Op) {
  PartialValue *Data = use(Op.getOperand(0));
  std::optional<unsigned> Clause = chooseClause(Op, Data);
  if (Clause && ::mayReplace(Op, Op.getRegion(*Clause))) {
    ++Done.NumChosen;
    return enterInPlace(Op.getRegion(*Clause), top().Env, Op);
  }
  Operation *New = B.createOperation(Op.getInfo(), getDynamic(*Data),
                                     Op.getAttrs(), Op.getNumRegions());
  bind(New, Op);
  SmallVector<MatchPattern *, 4> Patterns;
  llvm::DenseMap<const Value *, Value *> Map;
  for (auto [I, Pattern] : llvm::enumerate(Op.getPatterns())) {
    Block &From = Op.getRegion(I), &To = New->getRegion(I);
    for (BlockArgument *Arg : From.getArguments()) {
      copyArgument(*Arg, To, /*IsParameter=*/false);
      Map[Arg] = To.getArguments().back();
    }
    Patterns.push_back(copyPattern(*Pattern, Map));
  }
  New->setPatterns(Patterns);
  New->setCompleteMatch(Op.isCompleteMatch());
  if (Patterns.empty()) {
    finishType(New, Op);
    return define(Op, makeValue(New));
  }
  enterRegion(Op, New, 0, top().Env);
}

//===----------------------------------------------------------------------===//
// Closures
//===----------------------------------------------------------------------===//

/// Gives \p New the signature and the parameters of the closure \p Op, with
/// type parameters of its own. Returns an activation of the body without slots.
Activation *PartialEvaluator::copySignature(Operation &Op, Operation *New) {
  ProgramFunction &Of = *top().Env->Function;
  Block &From = Op.getRegion(), &To = New->getRegion();
  Activation *Env = createActivation(Of, Of.getLayout(From), top().Env);
  const Signature &Old = Op.getSignature();
  Signature Sig = Old;
  Sig.TypeParams = {};
  SmallVector<Type *, 2> TypeParams;
  for (TypeVarType *Param : Old.TypeParams) {
    TypeParams.push_back(
        Ctx.createTypeVar(Param->getName(), Param->getVarKind()));
    Sig.TypeParams.push_back(cast<TypeVarType>(TypeParams.back()));
  }
  bindTypes(*Env, Old.TypeParams, TypeParams);
  // The types of the signature are those of the inner body.
  Frames.push_back({&From, From.begin(), Env, &To, top().Depth});
  Sig.ResultAnnotation = instantiate(Old.ResultAnnotation);
  for (BlockArgument *Arg : From.getArguments())
    copyArgument(*Arg, To, /*IsParameter=*/true);
  Frames.pop_back();
  New->getSignature() = std::move(Sig);
  return Env;
}

/// Copies the closure \p Op, whose body is left alone.
void PartialEvaluator::keepFn(Operation &Op) {
  llvm::DenseMap<const Value *, Value *> Map;
  ProgramFunction &Of = *top().Env->Function;
  uint32_t Level = Of.getLayout(Op.getRegion()).Level;
  auto Capture = [&](Value *V) {
    if (V != &Op && Of.getPlace(V).Level < Level && !Map.count(V))
      Map[V] = getDynamic(*use(V));
  };
  walk(Op.getRegion(), [&](Operation *Inner) {
    llvm::for_each(Inner->operands(), Capture);
    for (Block &Region : Inner->getRegions())
      Capture(Region.getResult());
  });
  Capture(Op.getRegion().getResult());
  Operation *New = B.createOperation(Op.getInfo(), {}, Op.getAttrs(), 1);
  bind(New, Op);
  KnownValue *Known = makeKnown(Kind::Closure);
  Known->Op = &Op;
  Known->Env = top().Env;
  Known->IsOpaque = true;
  Known->HasCaptures = !Map.empty();
  const Activation *Env = copySignature(Op, New);
  Block &From = Op.getRegion(), &To = New->getRegion();
  for (auto [Old, Arg] :
       llvm::zip_equal(From.getArguments(), To.getArguments()))
    Map[Old] = Arg;
  Map[&Op] = New;
  SmallVector<TypeVarType *, 2> Params;
  SmallVector<Type *, 2> Types;
  if (Env->Types)
    for (auto [Param, T] : *Env->Types) {
      Params.push_back(const_cast<TypeVarType *>(Param));
      Types.push_back(T);
    }
  cloneBlockInto(From, To, Map, Params, Types);
  New->setTypeRaw(instantiate(Op.getType()));
  define(Op, makeValue(New, Known));
}

/// Returns true if the body of a function is left alone.
static bool isOpaque(const Signature &Sig) {
  return isPrimitive(Sig) || hasCompiler(Sig) ||
         hasNonzeroAttr(Sig, FunctionAttrs::Extern) ||
         hasNonzeroAttr(Sig, FunctionAttrs::SkipOptimization);
}

void PartialEvaluator::visitFn(Operation &Op) {
  if (isOpaque(Op.getSignature()))
    return keepFn(Op);
  Operation *New = B.createOperation(Op.getInfo(), {}, Op.getAttrs(), 1);
  bind(New, Op);
  if (Op.isBound()) // with the annotation, as in TVM
    B.bind(New, Op.getVarName(), instantiate(Op.getVarAnnotation()),
           Op.getVarVirtualDevice());
  KnownValue *Known = makeKnown(Kind::Closure);
  Known->Op = &Op;
  Known->Env = top().Env;
  New->setTypeRaw(instantiate(Op.getType()));
  define(Op, makeValue(New, Known));

  Activation *Env = copySignature(Op, New);
  Block &From = Op.getRegion();
  createSlots(*Env, Env->Function->getLayout(From));
  enterRegion(Op, New, 0, Env);
  Store.invalidate();
  SmallVector<PartialValue *, 4> Params;
  for (BlockArgument *Arg : From.getArguments())
    Params.push_back(getSlot(Arg));
  // The body runs at another time: its fuel does not depend on the calls that
  // are being evaluated.
  saveFuel(From, Fuel(Params));
}
