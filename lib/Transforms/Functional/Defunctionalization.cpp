//===- Defunctionalization.cpp - Represent functions by data --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts `@main` and the functions that it uses. A function that has
// functions as values is copied for each list of type arguments, unless it has
// no type parameters and its type contains no functions. In the copies,
// FunctionEncoder defines the types and the constructors of functions. The body
// of a closure becomes a clause of the function that applies its type.
//
//===----------------------------------------------------------------------===//

#include "EntryFunction.h"
#include "FunctionEncoder.h"
#include "FunctionValues.h"
#include "MatchPatterns.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/TypingRules.h"
#include "relay/IR/Walk.h"
#include "relay/Support/RunLimits.h"
#include "relay/Transforms/Passes.h"
#include <deque>
#include <map>

using namespace relay;

namespace {

/// A function with values for its type parameters.
struct Instance {
  Function *Source;
  TypeVarMap Types;
};

/// A body to create: of an instance, or of the clause of a closure of one.
struct PendingBody {
  Instance *Of;
  Function *Target = nullptr; ///< of a whole function
  Operation *Fn = nullptr;    ///< of a closure
  FunctionEncoder::Clause Clause;
};

class Defunctionalizer {
public:
  Defunctionalizer(Module &M, const CallGraph &Calls)
      : M(M), Ctx(M.getContext()), Calls(Calls), R(M), Encoder(R, M) {}

  /// Returns true if something in \p Main has to be converted.
  bool isNeeded(const Function &Main) const {
    return HasValues[Calls.getNumber(&Main)];
  }
  /// Finds the functions that have functions as values.
  void findValues(Function &Main);
  void noteRewrite() { R.noteRewrite("defunctionalize"); }
  LogicalResult run(Function &Main);
  unsigned getNumConverted() const { return NumConverted; }

private:
  friend class BodyCopier;
  using TypeArgList = SmallVector<Type *, 2>;

  const FunctionValues &getValues(const Function *F) {
    return *Values.find(F)->second;
  }
  FailureOr<Function *> getInstance(Function &F, const TypeArgList &TypeArgs,
                                    const Operation *User);
  LogicalResult createParameters(const Instance &I, Function &New,
                                 const Operation *User);
  LogicalResult createBody(const PendingBody &P);
  LogicalResult finish();

  Module &M;
  Context &Ctx;
  const CallGraph &Calls;
  Rewriter R;
  FunctionEncoder Encoder;
  llvm::DenseMap<const Function *, std::unique_ptr<FunctionValues>> Values;
  llvm::BitVector HasValues; ///< by the number of the function
  std::deque<Instance> Instances;
  std::map<std::pair<Function *, TypeArgList>, Function *> Functions;
  std::deque<PendingBody> Pending;
  /// The constructors of functions and constructors, by name and type.
  llvm::DenseMap<std::pair<const char *, Type *>, StringRef> References;
  /// Functions that are changed in place, with their original operations.
  SmallVector<std::pair<Function *, SmallVector<Operation *, 0>>, 2> InPlace;
  SmallVector<Function *> Created;
  uint64_t NumCopied = 0;
  unsigned NumConverted = 0;
};

/// Copies one body.
class BodyCopier {
public:
  BodyCopier(Defunctionalizer &D, const PendingBody &P)
      : D(D), Ctx(D.Ctx), R(D.R), P(P), Values(D.getValues(P.Of->Source)) {}
  LogicalResult run();

private:
  /// A block that is being copied.
  struct Frame {
    SmallVector<Operation *, 0> Ops;
    size_t Next;
    Value *Result;
    Block *To;
  };

  // Bodies.
  void push(Block &From, Block &To);
  LogicalResult copyFrames();
  LogicalResult copyFunction();
  LogicalResult copyClause();

  // Types and values.
  LogicalResult reject(const Operation *Op, const Twine &What);
  Type *getOriginalType(const Value *V) const;
  Type *encode(Type *Original) { return D.Encoder.encode(Original); }
  FailureOr<Type *> getType(const Value *V, const Operation *User);
  FailureOr<Value *> lookup(Value *V, const Operation *User);
  FailureOr<Value *> getArgument(Value *V, Type *Param, const Operation *User);
  FailureOr<SmallVector<Value *, 4>> getOperands(const Operation *Op);

  // Functions as values.
  bool isLocal(const Value *Callee) const;
  FailureOr<Value *> createConstructor(Operation *Function, Type *T);
  FailureOr<Value *> createReference(Operation *Ref, FuncType *T);
  FailureOr<Value *> createClosure(Operation *Fn, FuncType *T);
  FailureOr<Value *> callReference(Operation *Ref, FuncType *T,
                                   ArrayRef<BlockArgument *> Arguments);

  // Operations.
  LogicalResult copy(Operation *Op);
  FailureOr<Value *> createCopy(Operation *Op);
  FailureOr<Value *> copyFn(Operation *Op);
  SmallVector<Type *, 2> getCommonTypeArgs(const Operation *Fn);
  FailureOr<Operation *> copyClosure(Operation *Op,
                                     ArrayRef<Type *> TypeArgs = {});
  FailureOr<Value *> copyCall(Operation *Op);
  FailureOr<Value *> copyGlobalCall(Operation *Op, const Operation *Ref,
                                    unsigned First);
  FailureOr<const Constructor *> getConstructor(StringRef Name,
                                                const Operation *User);
  FailureOr<Value *> copyConstructorCall(Operation *Op);
  FailureOr<Value *> copyMatch(Operation *Op);
  FailureOr<Value *> copyWithOperands(Operation *Op);
  struct Callee {
    SmallVector<Type *, 2> TypeArgs;
    SmallVector<Type *, 4> Params;
  };
  Callee instantiate(FuncType *T, const Operation *Call, unsigned First);
  void setTypeArgs(Operation *New, const Operation *Op);
  FailureOr<SmallVector<Value *, 4>>
  getArguments(const Operation *Call, unsigned First, ArrayRef<Type *> Params);

  Defunctionalizer &D;
  Context &Ctx;
  Rewriter &R;
  const PendingBody &P;
  const FunctionValues &Values;
  llvm::DenseMap<const Value *, Value *> Map;
  SmallVector<Frame, 8> Frames;
};

} // namespace

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

LogicalResult BodyCopier::reject(const Operation *Op, const Twine &What) {
  return Ctx.emitError(Op->getLoc(),
                       "'defunctionalization' does not convert " + What);
}

/// The type of \p V in the instance, with functions.
Type *BodyCopier::getOriginalType(const Value *V) const {
  Type *T = V->getType();
  return T && T->hasTypeVar() ? substituteTypeVars(Ctx, T, P.Of->Types) : T;
}

/// The type of the copy of \p V.
FailureOr<Type *> BodyCopier::getType(const Value *V, const Operation *User) {
  Type *T = getOriginalType(V);
  if (Type *New = encode(T))
    return New;
  return reject(User,
                T ? "values of type " + toString(T) : "values of unknown type");
}

/// The copy of \p V for \p User. Constants and references to functions are
/// created where they are used.
FailureOr<Value *> BodyCopier::lookup(Value *V, const Operation *User) {
  if (Value *New = Map.lookup(V))
    return New;
  auto *Op = cast<Operation>(V);
  if (isPolymorphic(Op))
    return reject(User, "functions of type " + toString(Op->getType()) +
                            " as values other than arguments");
  Rewriter::InsertionGuard Guard(R);
  R.setLoc(Op->getLoc());
  if (Op->is(OpCode::Constant))
    return static_cast<Value *>(
        R.createOperation(Op->getInfo(), {}, Op->getAttrs()));
  return createConstructor(Op, getOriginalType(Op));
}

/// The copy of \p V as an argument for a parameter whose original type is
/// \p Param.
FailureOr<Value *> BodyCopier::getArgument(Value *V, Type *Param,
                                           const Operation *User) {
  if (!isPolymorphic(V))
    return lookup(V, User);
  return createConstructor(cast<Operation>(V), Param);
}

FailureOr<SmallVector<Value *, 4>>
BodyCopier::getOperands(const Operation *Op) {
  SmallVector<Value *, 4> Operands;
  for (Value *V : Op->operands()) {
    FailureOr<Value *> New = lookup(V, Op);
    if (failed(New))
      return failure();
    Operands.push_back(*New);
  }
  return Operands;
}

//===----------------------------------------------------------------------===//
// Functions as values
//===----------------------------------------------------------------------===//

/// Returns true if \p Callee is a closure whose copy is a closure.
bool BodyCopier::isLocal(const Value *Callee) const {
  const Value *New = Map.lookup(Callee);
  return New && isa<Operation>(New) && cast<Operation>(New)->is(OpCode::Fn);
}

/// Represents \p Function, a closure or a reference, as a value of type \p T.
FailureOr<Value *> BodyCopier::createConstructor(Operation *Function, Type *T) {
  auto *Func = dyn_cast_or_null<FuncType>(T);
  if (!Func || !encode(Func))
    return reject(Function, T ? "functions as values of type " + toString(T)
                              : "functions of unknown type as values");
  if (Function->is(OpCode::OpRef))
    return reject(Function, "operators as values");
  if (Function->is(OpCode::Fn))
    return createClosure(Function, Func);
  return createReference(Function, Func);
}

FailureOr<Value *> BodyCopier::createReference(Operation *Ref, FuncType *T) {
  StringRef Symbol = Ref->getAttrsAs<SymbolAttrs>().symbol();
  auto [It, IsNew] = D.References.try_emplace({Symbol.data(), T});
  StringRef Name = It->second;
  if (IsNew) {
    FunctionEncoder::Clause C = D.Encoder.addConstructor(T, {}, Ref->getLoc());
    Name = It->second = C.Constructor;
    Rewriter::InsertionGuard Guard(R);
    R.setInsertionPointToEnd(*C.Body);
    FailureOr<Value *> Result = callReference(Ref, T, C.Arguments);
    if (failed(Result))
      return failure();
    R.setResult(*C.Body, *Result);
  }
  return static_cast<Value *>(
      R.create<CallConstructorOp>(ArrayRef<Value *>(), Name));
}

/// The type arguments with which \p Pattern is \p T.
static SmallVector<Type *, 2> matchTypeArgs(Context &Ctx, FuncType *Pattern,
                                            FuncType *T) {
  TypeVarMap Map = makeTypeVarMap(Pattern->getTypeParams());
  for (auto [Part, Other] : llvm::zip(getParts(Pattern), getParts(T)))
    (void)matchTypeVars(Ctx, Part, Other, Map);
  SmallVector<Type *, 2> Args;
  for (const TypeVarType *Var : Pattern->getTypeParams())
    Args.push_back(Map.lookup(Var));
  return Args;
}

/// Calls the function or constructor that \p Ref names, a value of type \p T.
FailureOr<Value *>
BodyCopier::callReference(Operation *Ref, FuncType *T,
                          ArrayRef<BlockArgument *> Arguments) {
  SmallVector<Value *, 4> Values(Arguments.begin(), Arguments.end());
  if (auto Constructor = dyn_cast<ConstructorRefOp>(Ref))
    return static_cast<Value *>(
        R.create<CallConstructorOp>(Values, Constructor.attrs().symbol()));
  Function *Callee = getNamedFunction(*Ref);
  if (!Callee)
    return reject(Ref, "uses of the undefined function `@" +
                           getNamedGlobal(*Ref) + "`");
  FailureOr<Function *> New =
      D.getInstance(*Callee, matchTypeArgs(Ctx, Callee->getType(), T), Ref);
  if (failed(New))
    return failure();
  return static_cast<Value *>(
      R.create<CallGlobalOp>(Values, (*New)->getName()));
}

/// A value of the constructor of \p Fn, whose fields are the captured values.
FailureOr<Value *> BodyCopier::createClosure(Operation *Fn, FuncType *T) {
  SmallVector<Value *, 4> Fields;
  SmallVector<Type *, 4> FieldTypes;
  for (Value *V : Values.getCaptures(Fn)) {
    FailureOr<Type *> FieldType = getType(V, Fn);
    if (failed(FieldType))
      return failure();
    FailureOr<Value *> Field = lookup(V, Fn);
    if (failed(Field))
      return failure();
    if (!getFreeTypeVars(*FieldType).empty())
      return reject(Fn, "closures that capture values of type " +
                            toString(*FieldType));
    Fields.push_back(*Field);
    FieldTypes.push_back(*FieldType);
  }
  PendingBody New{P.Of, nullptr, Fn,
                  D.Encoder.addConstructor(T, FieldTypes, Fn->getLoc())};
  D.Pending.push_back(New);
  return static_cast<Value *>(
      R.create<CallConstructorOp>(Fields, New.Clause.Constructor));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The type arguments and the original types of the parameters of \p Call, of a
/// callee of type \p T. Its arguments begin with operand \p First.
BodyCopier::Callee BodyCopier::instantiate(FuncType *T, const Operation *Call,
                                           unsigned First) {
  Callee Result;
  TypeVarMap Types = makeTypeVarMap(T->getTypeParams());
  auto Match = [&](Type *Pattern, const Value *V) {
    if (!isPolymorphic(V))
      (void)matchTypeVars(Ctx, Pattern, getOriginalType(V), Types);
  };
  if (!T->getTypeParams().empty()) {
    for (auto [I, Param] : llvm::enumerate(T->getParams()))
      Match(Param, Call->getOperand(First + I));
    Match(T->getResult(), Call);
  }
  for (auto [I, Var] : llvm::enumerate(T->getTypeParams())) {
    Type *&Arg = Types[Var];
    if (!Arg && I < Call->getTypeArgs().size())
      Arg = substituteTypeVars(Ctx, Call->getTypeArgs()[I], P.Of->Types);
    Result.TypeArgs.push_back(Arg);
  }
  for (Type *Param : T->getParams())
    Result.Params.push_back(substituteTypeVars(Ctx, Param, Types));
  return Result;
}

/// The arguments of \p Call, which begin with operand \p First.
FailureOr<SmallVector<Value *, 4>>
BodyCopier::getArguments(const Operation *Call, unsigned First,
                         ArrayRef<Type *> Params) {
  SmallVector<Value *, 4> Arguments;
  for (auto [I, Param] : llvm::enumerate(Params)) {
    FailureOr<Value *> New =
        getArgument(Call->getOperand(First + I), Param, Call);
    if (failed(New))
      return failure();
    Arguments.push_back(*New);
  }
  return Arguments;
}

/// A call of a closure that is not a value stays one; another one becomes a
/// call of the function that applies values of its type.
FailureOr<Value *> BodyCopier::copyCall(Operation *Op) {
  Value *Callee = Op->getOperand(0);
  if (auto Ref = dyn_cast<GlobalRefOp>(Callee))
    return copyGlobalCall(Op, Ref, 1);
  auto *T = dyn_cast_or_null<FuncType>(getOriginalType(Callee));
  if (!T)
    return reject(Op, "calls of values of unknown type");
  FailureOr<SmallVector<Value *, 4>> Arguments =
      getArguments(Op, 1, instantiate(T, Op, 1).Params);
  if (failed(Arguments))
    return failure();
  if (isLocal(Callee))
    return static_cast<Value *>(
        R.create<CallValueOp>(Map.lookup(Callee), *Arguments,
                              cast<CallValueOp>(Op).attrs().attributes()));
  FailureOr<Value *> NewCallee = lookup(Callee, Op);
  if (failed(NewCallee))
    return failure();
  const FunctionEncoder::Encoding *E = D.Encoder.getEncoding(T);
  if (!E)
    return reject(Op, "calls of functions of type " + toString(T));
  Arguments->insert(Arguments->begin(), *NewCallee);
  return static_cast<Value *>(
      R.create<CallGlobalOp>(*Arguments, E->Apply->getName()));
}

/// Copies \p Op, a call of the function that \p Ref, Op itself or a reference,
/// names. The arguments begin with operand \p First.
FailureOr<Value *> BodyCopier::copyGlobalCall(Operation *Op,
                                              const Operation *Ref,
                                              unsigned First) {
  Function *Callee = getNamedFunction(*Ref);
  FuncType *T = Callee ? Callee->getType() : nullptr;
  if (!T)
    return reject(Op, "calls of the undefined function `@" +
                          getNamedGlobal(*Ref) + "`");
  BodyCopier::Callee C = instantiate(T, Op, First);
  FailureOr<SmallVector<Value *, 4>> Arguments =
      getArguments(Op, First, C.Params);
  if (failed(Arguments))
    return failure();
  FailureOr<Function *> New = D.getInstance(*Callee, C.TypeArgs, Op);
  if (failed(New))
    return failure();
  Operation *Call = R.create<CallGlobalOp>(*Arguments, (*New)->getName(),
                                           Op->getAttr("attributes"));
  if (*New == Callee)
    setTypeArgs(Call, Op);
  return static_cast<Value *>(Call);
}

/// Gives \p New the written type arguments of \p Op.
void BodyCopier::setTypeArgs(Operation *New, const Operation *Op) {
  SmallVector<Type *, 2> TypeArgs;
  for (Type *Arg : Op->getWrittenTypeArgs())
    TypeArgs.push_back(encode(substituteTypeVars(Ctx, Arg, P.Of->Types)));
  if (!TypeArgs.empty() && !llvm::is_contained(TypeArgs, nullptr))
    R.setTypeArgs(New, TypeArgs);
}

/// Returns the constructor \p Name. Reports an error if it has fields with
/// functions, since definitions of types are not converted.
FailureOr<const Constructor *>
BodyCopier::getConstructor(StringRef Name, const Operation *User) {
  const Constructor *C = D.M.lookupConstructor(Name);
  if (C && llvm::none_of(C->Fields, holdsFunction))
    return C;
  return reject(User, C ? "the constructor `" + Name +
                              "`, which has a field with a function"
                        : "the undefined constructor `" + Name + "`");
}

FailureOr<Value *> BodyCopier::copyConstructorCall(Operation *Op) {
  auto Call = cast<CallConstructorOp>(Op);
  FailureOr<const Constructor *> C =
      getConstructor(Call.attrs().constructor(), Op);
  if (failed(C))
    return failure();
  FuncType *T = typing::getConstructorType(Ctx, **C);
  FailureOr<SmallVector<Value *, 4>> Arguments =
      getArguments(Op, 0, instantiate(T, Op, 0).Params);
  if (failed(Arguments))
    return failure();
  Operation *New = R.createOperation(Op->getInfo(), *Arguments, Op->getAttrs());
  setTypeArgs(New, Op);
  return static_cast<Value *>(New);
}

//===----------------------------------------------------------------------===//
// Other operations
//===----------------------------------------------------------------------===//

/// A closure with the signature and the contents of \p Op, which are copied
/// later. Its type parameters are replaced by \p TypeArgs, if there are any.
FailureOr<Operation *> BodyCopier::copyClosure(Operation *Op,
                                               ArrayRef<Type *> TypeArgs) {
  auto *T = dyn_cast_or_null<FuncType>(Op->getType());
  if (!T)
    return reject(Op, "closures of unknown type");
  Operation *New = R.create<FnOp>();
  Block &From = Op->getRegion(), &To = New->getRegion();
  Signature Sig = Op->getSignature();
  TypeParamList TypeParams;
  for (auto [Var, Arg] : llvm::zip(Sig.TypeParams, TypeArgs))
    P.Of->Types[Var] = Arg;
  for (TypeVarType *Var :
       ArrayRef<TypeVarType *>(Sig.TypeParams).drop_front(TypeArgs.size())) {
    TypeParams.push_back(Ctx.createTypeVar(Var->getName(), Var->getVarKind()));
    P.Of->Types[Var] = TypeParams.back();
  }
  Sig.TypeParams = TypeParams;
  Type *Result = T->getResult();
  Result = encode(substituteTypeVars(Ctx, Result, P.Of->Types));
  if (!Result)
    return reject(Op, "closures of type " + toString(T));
  Sig.ResultAnnotation = Result;
  R.setSignature(To, std::move(Sig));
  SmallVector<Type *, 4> Params;
  for (BlockArgument *Arg : From.getArguments()) {
    FailureOr<Type *> ArgType = getType(Arg, Op);
    if (failed(ArgType))
      return failure();
    Map[Arg] = R.addArgument(To, Arg->getName(), *ArgType, Arg->getLoc());
    Params.push_back(*ArgType);
  }
  R.setTypeOnly(New, Ctx.getFuncType(TypeParams, Params, Result));
  push(From, To);
  return New;
}

/// Returns true if a call of \p Fn remains a call of a closure.
static bool isCalled(const Operation *Fn) {
  return llvm::any_of(Fn->uses(), [](const Use &U) {
    return U.getUserOp() && U.getUserOp()->is(OpCode::CallValue) &&
           U.getOperandNo() == 0;
  });
}

/// Returns the type arguments with which \p Fn is called if they are the same
/// in all calls; nothing otherwise.
SmallVector<Type *, 2> BodyCopier::getCommonTypeArgs(const Operation *Fn) {
  SmallVector<Type *, 2> Common;
  for (const Use &U : Fn->uses()) {
    const Operation *Call = U.getUserOp();
    Callee C = instantiate(cast<FuncType>(getOriginalType(Fn)), Call, 1);
    if (llvm::is_contained(C.TypeArgs, nullptr) ||
        (!Common.empty() && Common != C.TypeArgs))
      return {};
    Common = C.TypeArgs;
  }
  return Common;
}

/// A closure that is a value becomes a constructor, one with type parameters
/// where it is used. The result is null then. If the type of a closure with
/// type parameters contains functions, these have a type only for type
/// arguments.
FailureOr<Value *> BodyCopier::copyFn(Operation *Op) {
  if (Values.isValue(Op) && !isPolymorphic(Op))
    return createConstructor(Op, getOriginalType(Op));
  if (Values.isValue(Op) && !isCalled(Op))
    return static_cast<Value *>(nullptr);
  SmallVector<Type *, 2> TypeArgs;
  if (!Values.isValue(Op) && isPolymorphic(Op) &&
      llvm::any_of(getParts(Op->getType()), holdsFunction))
    TypeArgs = getCommonTypeArgs(Op);
  FailureOr<Operation *> New = copyClosure(Op, TypeArgs);
  if (failed(New))
    return failure();
  return static_cast<Value *>(*New);
}

FailureOr<Value *> BodyCopier::copyMatch(Operation *Op) {
  SmallVector<const MatchPattern *, 8> Rest(Op->getPatterns());
  while (!Rest.empty()) {
    const MatchPattern *Pattern = Rest.pop_back_val();
    Rest.append(Pattern->Children.begin(), Pattern->Children.end());
    if (Pattern->K == MatchPattern::Kind::Constructor &&
        failed(getConstructor(Pattern->Constructor, Op)))
      return failure();
  }
  FailureOr<Value *> Data = lookup(Op->getOperand(0), Op);
  if (failed(Data))
    return failure();
  Operation *New = R.create<MatchOp>(*Data, Op->getNumRegions());
  New->setCompleteMatch(Op->isCompleteMatch());
  for (auto [From, To] : llvm::zip(Op->getRegions(), New->getRegions())) {
    for (BlockArgument *Arg : From.getArguments()) {
      FailureOr<Type *> T = getType(Arg, Op);
      if (failed(T))
        return failure();
      Map[Arg] = R.addArgument(To, Arg->getName(), *T, Arg->getLoc());
    }
    push(From, To);
  }
  SmallVector<MatchPattern *, 8> Patterns;
  for (const MatchPattern *Pattern : Op->getPatterns())
    Patterns.push_back(copyPattern(*New->getFunction(), *Pattern, Map));
  R.setPatterns(New, Patterns);
  return static_cast<Value *>(New);
}

FailureOr<Value *> BodyCopier::copyWithOperands(Operation *Op) {
  FailureOr<SmallVector<Value *, 4>> Operands = getOperands(Op);
  if (failed(Operands))
    return failure();
  Operation *New = R.createOperation(Op->getInfo(), *Operands, Op->getAttrs(),
                                     Op->getNumRegions());
  for (auto [From, To] : llvm::zip(Op->getRegions(), New->getRegions()))
    push(From, To);
  return static_cast<Value *>(New);
}

FailureOr<Value *> BodyCopier::createCopy(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Fn:
    return copyFn(Op);
  case OpCode::CallValue:
    return copyCall(Op);
  case OpCode::CallGlobal:
    return copyGlobalCall(Op, Op, 0);
  case OpCode::CallConstructor:
    return copyConstructorCall(Op);
  case OpCode::Match:
    return copyMatch(Op);
  case OpCode::OpRef:
  case OpCode::GlobalRef:
  case OpCode::ConstructorRef:
    if (Op->isFloating() || isPolymorphic(Op))
      return static_cast<Value *>(nullptr); // created where it is used
    return createConstructor(Op, getOriginalType(Op));
  default:
    return copyWithOperands(Op);
  }
}

LogicalResult BodyCopier::copy(Operation *Op) {
  uint64_t Limit = Ctx.getLimits().Operations;
  if (++D.NumCopied > Limit)
    return Ctx.emitError(Op->getLoc(), "defunctionalization copies " +
                                           describeLimit(Limit, "operations",
                                                         "-max-operations"));
  R.setInsertionPointToEnd(*Frames.back().To);
  R.setLoc(Op->getLoc());
  FailureOr<Value *> New = createCopy(Op);
  if (failed(New))
    return failure();
  if (!*New)
    return success();
  Map[Op] = *New;
  if (!Op->isBound())
    return success();
  auto *NewOp = cast<Operation>(*New);
  Type *Annotation = Op->getVarAnnotation();
  if (Annotation && NewOp->is(OpCode::Fn))
    Annotation = NewOp->getType();
  else if (Annotation)
    Annotation = encode(substituteTypeVars(Ctx, Annotation, P.Of->Types));
  R.bind(NewOp, Op->getVarName(), Annotation, Op->getVarVirtualDevice());
  return success();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void BodyCopier::push(Block &From, Block &To) {
  Frame New{{}, 0, From.getResult(), &To};
  for (Operation &Op : From)
    New.Ops.push_back(&Op);
  Frames.push_back(std::move(New));
}

LogicalResult BodyCopier::copyFrames() {
  while (!Frames.empty()) {
    Frame &Top = Frames.back();
    if (Top.Next != Top.Ops.size()) {
      if (failed(copy(Top.Ops[Top.Next++])))
        return failure();
      continue;
    }
    Block *To = Top.To;
    Value *Result = Top.Result;
    R.setInsertionPointToEnd(*To);
    const Operation *User = To->getParentOp();
    FailureOr<Value *> New =
        lookup(Result, User ? User : Result->getDefiningOp());
    if (failed(New))
      return failure();
    R.setResult(*To, *New);
    Frames.pop_back();
  }
  return success();
}

LogicalResult BodyCopier::copyFunction() {
  Function &Source = *P.Of->Source;
  Block &From = Source.getBody(), &To = P.Target->getBody();
  push(From, To);
  if (P.Target == &Source)
    D.InPlace.push_back({&Source, Frames.back().Ops});
  for (auto [Old, New] : llvm::zip(From.getArguments(), To.getArguments()))
    Map[Old] = New;
  return copyFrames();
}

/// Creates the clause of a closure: a copy of the closure, and a call of it.
LogicalResult BodyCopier::copyClause() {
  const FunctionEncoder::Clause &C = P.Clause;
  for (auto [Captured, Field] :
       llvm::zip(Values.getCaptures(P.Fn), C.Body->getArguments()))
    Map[Captured] = Field;
  Map[P.Fn] = C.Self;
  R.setInsertionPointToEnd(*C.Body);
  R.setLoc(P.Fn->getLoc());
  FailureOr<Operation *> Fn = copyClosure(P.Fn);
  if (failed(Fn))
    return failure();
  SmallVector<Value *, 4> Arguments(C.Arguments.begin(), C.Arguments.end());
  R.setResult(*C.Body, R.create<CallValueOp>(*Fn, Arguments));
  return copyFrames();
}

LogicalResult BodyCopier::run() { return P.Fn ? copyClause() : copyFunction(); }

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Defunctionalizer::findValues(Function &Main) {
  HasValues.resize(Calls.size());
  llvm::BitVector Reachable = Calls.getReachable(Calls.getNumber(&Main));
  for (unsigned I = 0; I != Calls.getNumComponents(); ++I) {
    bool Has = false;
    for (unsigned N : Calls.getComponent(I)) {
      Function &F = Calls.getFunction(N);
      if (!Reachable[N] || isExternal(F.getSignature()))
        continue;
      std::unique_ptr<FunctionValues> &Own = Values[&F] =
          std::make_unique<FunctionValues>(F);
      Has |= Own->hasValues() ||
             llvm::any_of(Calls.getCallees(N),
                          [&](unsigned Callee) { return HasValues[Callee]; });
    }
    for (unsigned N : Calls.getComponent(I))
      HasValues[N] = Has && Values.count(&Calls.getFunction(N));
  }
}

/// Returns true if callers of \p F need not be changed.
static bool keepsType(FunctionEncoder &Encoder, const Function &F) {
  auto IsKept = [&](Type *T) { return Encoder.encode(T) == T; };
  return F.getSignature().TypeParams.empty() &&
         llvm::all_of(getParts(F.getType()), IsKept);
}

/// Gives \p New the signature of \p I without functions and type parameters.
LogicalResult Defunctionalizer::createParameters(const Instance &I,
                                                 Function &New,
                                                 const Operation *User) {
  FuncType *T = I.Source->getType();
  SmallVector<Type *, 4> Parts;
  for (Type *Part : getParts(T)) {
    Parts.push_back(Encoder.encode(substituteTypeVars(Ctx, Part, I.Types)));
    if (!Parts.back())
      return Ctx.emitError(User->getLoc(),
                           "'defunctionalization' does not convert @" +
                               I.Source->getName() + " of type " + toString(T));
  }
  Signature Sig;
  Sig.ResultAnnotation = Parts.pop_back_val();
  Sig.Attributes = I.Source->getSignature().Attributes;
  R.setSignature(New.getBody(), std::move(Sig));
  for (auto [Param, ParamType] : llvm::zip(I.Source->getParams(), Parts))
    R.addArgument(New.getBody(), Param->getName(), ParamType, Param->getLoc());
  return success();
}

/// The converted \p F with the original types \p TypeArgs for its type
/// parameters; F itself if it has no functions as values. \p User is the call.
FailureOr<Function *> Defunctionalizer::getInstance(Function &F,
                                                    const TypeArgList &TypeArgs,
                                                    const Operation *User) {
  if (isExternal(F.getSignature()) &&
      llvm::any_of(getParts(F.getType()), holdsFunction))
    return Ctx.emitError(User->getLoc(),
                         "'defunctionalization' does not convert @" +
                             F.getName() + ", whose code is elsewhere");
  if (!HasValues[Calls.getNumber(&F)])
    return &F;
  if (llvm::is_contained(TypeArgs, nullptr))
    return Ctx.emitError(User->getLoc(), "the type arguments of @" +
                                             F.getName() + " are not known");
  Function *&New = Functions[{&F, TypeArgs}];
  if (New)
    return New;
  Instances.push_back(
      {&F, makeTypeVarMap(F.getSignature().TypeParams, TypeArgs)});
  Instance &I = Instances.back();
  if (keepsType(Encoder, F)) {
    New = &F;
  } else {
    StringRef Name = M.getUniqueName((F.getName() + "FuncType").str());
    New = R.addFunction(M, std::make_unique<Function>(Ctx, Name, F.getLoc()));
    if (failed(createParameters(I, *New, User)))
      return failure();
    Created.push_back(New);
  }
  Pending.push_back({&I, New, nullptr, {}});
  ++NumConverted;
  return New;
}

LogicalResult Defunctionalizer::run(Function &Main) {
  if (failed(getInstance(Main, {}, nullptr)))
    return failure();
  while (!Pending.empty()) {
    PendingBody P = Pending.front();
    Pending.pop_front();
    if (failed(BodyCopier(*this, P).run()))
      return failure();
  }
  return finish();
}

LogicalResult Defunctionalizer::finish() {
  Encoder.finish();
  for (auto &[F, Original] : InPlace) {
    for (Operation *Op : llvm::reverse(Original))
      R.eraseOp(Op);
    R.setForm(*F, Function::Form::Definition);
    Created.push_back(F);
  }
  Created.append(Encoder.getFunctions());
  return success(
      llvm::all_of(Created, [](Function *F) { return succeeded(retype(*F)); }));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class Defunctionalization final
    : public DefunctionalizationBase<Defunctionalization> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &PC) override;
};
} // namespace

/// Reports an error if \p Main has type parameters, or functions in its type.
static LogicalResult checkEntry(Function &Main) {
  Context &Ctx = Main.getContext();
  if (!Main.getSignature().TypeParams.empty())
    return Ctx.emitError(Main.getLoc(), "'defunctionalization' expects @main "
                                        "without type parameters");
  for (const BlockArgument *Param : Main.getParams())
    if (holdsFunction(Param->getTypeForCallers()))
      return Ctx.emitError(Param->getLoc(),
                           "'defunctionalization' expects parameters of @main "
                           "without functions, got " +
                               toString(Param->getTypeForCallers()));
  if (Type *Result = Main.getResultType(); Result && holdsFunction(Result))
    return Ctx.emitError(Main.getLoc(),
                         "'defunctionalization' expects a result of @main "
                         "without functions, got " +
                             toString(Result));
  return success();
}

FailureOr<PreservedAnalyses>
Defunctionalization::run(Module &M, ModuleAnalysisManager &AM, PassContext &) {
  const CallGraph &Calls = AM.getResult<CallGraphAnalysis>(M);
  Function *Main = getEntryFunction(M, "defunctionalization");
  if (!Main || failed(checkEntry(*Main)))
    return failure();
  Defunctionalizer D(M, Calls);
  D.findValues(*Main);
  if (!D.isNeeded(*Main))
    return preserved(false);
  D.noteRewrite();
  if (failed(D.run(*Main)))
    return failure();
  NumConverted += D.getNumConverted();
  return preserved(true);
}

std::unique_ptr<Pass> relay::createDefunctionalizationPass() {
  return std::make_unique<Defunctionalization>();
}
