//===- GradCells.cpp - Tensors that are known to be zeros or ones ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See GradCells.h.
//
//===----------------------------------------------------------------------===//

#include "GradCells.h"
#include "MatchPatterns.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"

using namespace relay;

Type *relay::getGradCellType(Context &Ctx, Type *T) {
  return Ctx.getTypeCall(Ctx.intern(GradCells::Type), {T});
}

bool relay::usesGradCells(const Operation &Op) {
  StringRef Name = getNamedGlobal(Op);
  if (auto Call = dyn_cast<CallConstructorOp>(&Op))
    Name = Call.attrs().constructor();
  else if (auto Ref = dyn_cast<ConstructorRefOp>(&Op))
    Name = Ref.attrs().symbol();
  return llvm::is_contained<StringRef>({GradCells::Raw, GradCells::One,
                                        GradCells::Zero, GradCells::From,
                                        GradCells::Add, GradCells::Multiply},
                                       Name);
}

//===----------------------------------------------------------------------===//
// The type
//===----------------------------------------------------------------------===//

static std::unique_ptr<TypeDef> createTypeDef(Context &Ctx) {
  auto D = std::make_unique<TypeDef>();
  D->Name = Ctx.intern(GradCells::Type);
  TypeVarType *T = Ctx.createTypeVar("T");
  D->TypeParams.push_back(T);
  Type *Creator = Ctx.getFuncType({}, {}, T);
  const std::pair<StringRef, Type *> Constructors[] = {
      {GradCells::Raw, T},
      {GradCells::One, Creator},
      {GradCells::Zero, Creator}};
  for (auto [Name, Field] : Constructors) {
    auto C = std::make_unique<Constructor>();
    C->Name = Ctx.intern(Name);
    C->Fields.push_back(Field);
    D->Constructors.push_back(std::move(C));
  }
  return D;
}

/// Returns the type of constructor \p C of \p D.
static Type *getConstructorType(Context &Ctx, const TypeDef &D,
                                const Constructor &C) {
  SmallVector<Type *, 1> Args(D.TypeParams.begin(), D.TypeParams.end());
  return Ctx.getFuncType(D.TypeParams, C.Fields, Ctx.getTypeCall(D.Name, Args));
}

/// Returns true if \p D has the constructors of \p Expected.
static bool isSameTypeDef(Context &Ctx, const TypeDef &D,
                          const TypeDef &Expected) {
  return D.Constructors.size() == Expected.Constructors.size() &&
         llvm::all_of(
             llvm::zip(D.Constructors, Expected.Constructors), [&](auto Both) {
               auto &[C, E] = Both;
               return C->Name == E->Name &&
                      isSameType(getConstructorType(Ctx, D, *C),
                                 getConstructorType(Ctx, Expected, *E));
             });
}

/// Returns true if \p D has the constructors of the type.
static bool isOfGradCell(Context &Ctx, const TypeDef &D) {
  std::unique_ptr<TypeDef> Expected = createTypeDef(Ctx);
  TypeParamList Held(Expected->TypeParams);
  return isSameTypeDef(Ctx, D, *Expected);
}

static LogicalResult checkTypeDef(Module &M) {
  Context &Ctx = M.getContext();
  const TypeDef *Found = M.lookupTypeDef(GradCells::Type);
  if (Found && !isOfGradCell(Ctx, *Found))
    return Ctx.emitError(Found->Loc,
                         "expects the constructors Raw(T), One(fn () -> T) and "
                         "Zero(fn () -> T) of `GradCell[T]`");
  for (StringRef Name : {GradCells::Raw, GradCells::One, GradCells::Zero})
    if (const Constructor *Other = M.lookupConstructor(Name);
        Other && Other->Parent != Found)
      return Ctx.emitError(Other->Parent->Loc,
                           "expects '" + Name +
                               "' to be a constructor of `GradCell`, got one "
                               "of `" +
                               Other->Parent->Name + "`");
  return success();
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

namespace {
/// Creates the functions.
class FunctionBuilder {
public:
  FunctionBuilder(Rewriter &R, Module &M) : R(R), M(M), Ctx(M.getContext()) {}

  void createFrom(Function &F);
  void createAdd(Function &F);
  void createMultiply(Function &F);

private:
  /// A clause of a match on two cells: it yields an operand of the function if
  /// one of the cells is a `Name`.
  struct Choice {
    StringRef Name;
    unsigned Cell;   ///< that is a `Name`
    unsigned Result; ///< cell that is the result
  };
  void createSignature(Function &F, Type *(*GetResult)(Context &, Type *));
  BlockArgument *addParam(StringRef Name, Type *T) {
    return R.addArgument(*Body, Ctx.intern(Name), T, R.getLoc());
  }
  void createBinary(Function &F, StringRef Operator, ArrayRef<Choice> Choices);
  MatchPattern *createChoicePattern(const Choice &C);
  Operation *createCall(Value *Operator, ArrayRef<Value *> Cells);

  Rewriter &R;
  Module &M;
  Context &Ctx;
  Function *F = nullptr;
  Block *Body = nullptr;
  Type *T = nullptr; ///< the type parameter
};
} // namespace

/// Gives \p New a type parameter and the result type that \p GetResult makes of
/// it.
void FunctionBuilder::createSignature(Function &New,
                                      Type *(*GetResult)(Context &, Type *)) {
  F = &New;
  Body = &New.getBody();
  Signature Sig;
  Sig.TypeParams.push_back(Ctx.createTypeVar("T"));
  T = Sig.TypeParams.back();
  Sig.ResultAnnotation = GetResult(Ctx, T);
  R.setSignature(*Body, std::move(Sig));
}

/// fn [T](GradCell[T]) -> T: the field of Raw, the results of the closures of
/// the others.
void FunctionBuilder::createFrom(Function &New) {
  createSignature(New, [](Context &, Type *T) { return T; });
  BlockArgument *Cell = addParam("cell", getGradCellType(Ctx, T));
  R.setInsertionPointToEnd(*Body);
  Operation *Match = R.create<MatchOp>(Cell, 3);
  SmallVector<MatchPattern *, 3> Patterns;
  Type *Creator = Ctx.getFuncType({}, {}, T);
  const StringRef Names[] = {GradCells::Raw, GradCells::One, GradCells::Zero};
  for (auto [I, Name] : llvm::enumerate(Names)) {
    Block &Clause = Match->getRegion(I);
    BlockArgument *Field =
        R.addArgument(Clause, Ctx.intern(I ? "create" : "value"),
                      I ? Creator : T, R.getLoc());
    Patterns.push_back(createConstructorPattern(New, Ctx.intern(Name),
                                                createVariablePattern(Field)));
    R.setInsertionPointToEnd(Clause);
    R.setResult(
        Clause,
        I ? R.create<CallValueOp>(Field, ArrayRef<Value *>()).getOperation()
          : static_cast<Value *>(Field));
  }
  R.setPatterns(Match, Patterns);
  R.setResult(*Body, Match);
}

MatchPattern *FunctionBuilder::createChoicePattern(const Choice &C) {
  MatchPattern *Fields[] = {createWildcard(*F), createWildcard(*F)};
  Fields[C.Cell] =
      createConstructorPattern(*F, Ctx.intern(C.Name), createWildcard(*F));
  return createTuplePattern(*F, Fields);
}

/// Raw(Operator(value of one cell, value of the other)).
Operation *FunctionBuilder::createCall(Value *Operator,
                                       ArrayRef<Value *> Cells) {
  SmallVector<Value *, 2> Values;
  for (Value *Cell : Cells)
    Values.push_back(
        R.create<CallGlobalOp>(ArrayRef(Cell), Ctx.intern(GradCells::From)));
  Value *Result = R.create<CallValueOp>(Operator, Values);
  return R.create<CallConstructorOp>(ArrayRef(Result),
                                     Ctx.intern(GradCells::Raw));
}

/// fn [T](fn (T, T) -> T, GradCell[T], GradCell[T]) -> GradCell[T]: the first
/// of
/// \p Choices that fits, or a call of the operator.
void FunctionBuilder::createBinary(Function &New, StringRef Operator,
                                   ArrayRef<Choice> Choices) {
  createSignature(New, getGradCellType);
  Type *CellType = getGradCellType(Ctx, T);
  Value *Fn = addParam(Operator, Ctx.getFuncType({}, {T, T}, T));
  SmallVector<Value *, 2> Cells = {addParam("lhs", CellType),
                                   addParam("rhs", CellType)};
  R.setInsertionPointToEnd(*Body);
  Operation *Match =
      R.create<MatchOp>(R.create<TupleOp>(Cells), unsigned(Choices.size() + 1));
  SmallVector<MatchPattern *, 5> Patterns;
  for (auto [I, C] : llvm::enumerate(Choices)) {
    Patterns.push_back(createChoicePattern(C));
    R.setResult(Match->getRegion(I), Cells[C.Result]);
  }
  Block &Last = Match->getRegion(Choices.size());
  Patterns.push_back(createWildcard(New));
  R.setInsertionPointToEnd(Last);
  R.setResult(Last, createCall(Fn, Cells));
  R.setPatterns(Match, Patterns);
  R.setResult(*Body, Match);
}

void FunctionBuilder::createAdd(Function &New) {
  createBinary(New, "add", {{GradCells::Zero, 0, 1}, {GradCells::Zero, 1, 0}});
}

void FunctionBuilder::createMultiply(Function &New) {
  createBinary(New, "multiply",
               {{GradCells::Zero, 0, 0},
                {GradCells::Zero, 1, 1},
                {GradCells::One, 0, 1},
                {GradCells::One, 1, 0}});
}

static constexpr std::pair<StringLiteral, void (FunctionBuilder::*)(Function &)>
    Functions[] = {{GradCells::From, &FunctionBuilder::createFrom},
                   {GradCells::Add, &FunctionBuilder::createAdd},
                   {GradCells::Multiply, &FunctionBuilder::createMultiply}};

/// The type of the function \p Name.
static FuncType *getFunctionType(Context &Ctx, StringRef Name) {
  TypeParamList Params = {Ctx.createTypeVar("T")};
  Type *T = Params[0], *Cell = getGradCellType(Ctx, T);
  if (Name == GradCells::From)
    return Ctx.getFuncType(Params, {Cell}, T);
  return Ctx.getFuncType(Params, {Ctx.getFuncType({}, {T, T}, T), Cell, Cell},
                         Cell);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

LogicalResult relay::checkGradCells(Module &M) {
  Context &Ctx = M.getContext();
  if (failed(checkTypeDef(M)))
    return failure();
  for (auto &[Name, Create] : Functions) {
    const Function *F = M.lookupFunction(Name);
    FuncType *Expected = getFunctionType(Ctx, Name);
    if (F && !(F->getType() && isSameType(F->getType(), Expected)))
      return Ctx.emitError(F->getLoc(), "expects @" + Name + " of type " +
                                            toString(Expected) + ", got " +
                                            toString(F->getType()));
  }
  return success();
}

LogicalResult relay::addGradCells(Rewriter &R, Module &M) {
  Context &Ctx = M.getContext();
  if (!M.lookupTypeDef(GradCells::Type))
    M.addTypeDef(createTypeDef(Ctx));
  FunctionBuilder Builder(R, M);
  for (auto &[Name, Create] : Functions) {
    if (M.lookupFunction(Name))
      continue;
    Function *F = R.addFunction(
        M, std::make_unique<Function>(Ctx, Ctx.intern(Name), R.getLoc()));
    (Builder.*Create)(*F);
    // The Builder does not infer the type arguments of calls.
    if (failed(retype(*F)))
      return failure();
  }
  return success();
}
