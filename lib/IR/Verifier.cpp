//===- Verifier.cpp - Structural invariants of the IR ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a function in two linear, non-recursive steps: a walk over blocks and
// operations checks links, numbers, scope and use-lists; a backward pass over
// the numbers checks the canonical order (CanonicalOrder.h).
// VerifyOperation.cpp checks single operations.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Verifier.h"
#include "CanonicalOrder.h"
#include "VerifyCompilerFunctions.h"
#include "VerifyOperation.h"
#include "relay/IR/CompleteTyper.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/Threading.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/MapVector.h"

using namespace relay;

namespace {

class FunctionVerifier {
public:
  FunctionVerifier(Function &F, OperationVerifier &Single)
      : F(F), Ctx(F.getContext()), Single(Single),
        Order(F.getParams().size(), F.getNumValues()) {}

  LogicalResult run();

private:
  /// A block on the path of the walk.
  struct Frame {
    Block *B;
    Block::iterator It;
    unsigned Region;
    uint32_t
        Last; ///< FunctionVerifier::Last while the walk is in nested blocks
  };

  InFlightDiagnostic error(const Operation &Op, const Twine &Message) {
    return Ctx.emitError(Op.getLoc(), "'" + Op.getName() + "' " + Message);
  }

  InFlightDiagnostic reportOrder(const Operation &Op, const Twine &Message);

  LogicalResult walk();
  LogicalResult enterBlock(Block &B, unsigned Region);
  LogicalResult leaveBlock();
  LogicalResult enterOperation(Operation &Op);
  LogicalResult verifyNumber(Operation &Op);
  LogicalResult verifyRegions(Operation &Op);

  LogicalResult verifyOperands(Operation &Op);
  LogicalResult verifyUse(Value *V, const Operation *User);
  LogicalResult verifyOuterUse(Value *V, Location Loc);
  LogicalResult verifyUseList(const Value &V, Location Loc);
  LogicalResult verifyPlaces();
  LogicalResult verifyOrder();

  Function &F;
  Context &Ctx;
  OperationVerifier &Single;
  SmallVector<Frame, 8> Stack;
  /// The innermost block of the walk, and the number of the last operation in
  /// it.
  Block *Current = nullptr;
  uint32_t Last = 0;
  /// Depths of the blocks on the path of the walk, except the body, which has
  /// 0.
  llvm::DenseMap<const Block *, unsigned> Depth;
  /// Floating operations used only in nested blocks: the child of the
  /// operation's block that contains all uses, or null if there are several.
  llvm::MapVector<const Operation *, const Block *> UsedIn;
  OrderChecker Order;
  /// Numbers of the bound operations of the body.
  SmallVector<uint32_t, 0> Bindings;
  size_t NumArguments = 0, NumOperations = 0;
  size_t NumBindings = 0, NumRegions = 0;
  size_t NumUses = 0, NumListedUses = 0;
};

} // namespace

static std::string describe(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  if (Op && Op->isFloating())
    return ("'" + Op->getName() + "'").str();
  StringRef Name = Op ? Op->getVarName() : cast<BlockArgument>(V)->getName();
  return ("'%" + Name + "'").str();
}

/// Reports a cycle of uses, which has no order, or else \p Message.
InFlightDiagnostic FunctionVerifier::reportOrder(const Operation &Op,
                                                 const Twine &Message) {
  if (const Operation *Circular = findCircularUse(F))
    return error(*Circular, "depends on itself");
  return error(Op, Message);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult FunctionVerifier::run() {
  if (failed(Single.verifySignature(F)) || failed(walk()) ||
      failed(verifyPlaces()))
    return failure();
  if (NumUses != NumListedUses)
    return Ctx.emitError(F.getLoc(), "use-lists of '@" + F.getName() +
                                         "' hold " + Twine(NumListedUses) +
                                         " uses instead of " + Twine(NumUses));
  if (NumArguments + NumOperations != F.getNumValues() ||
      NumOperations != F.getNumOperations() ||
      NumBindings != F.getNumBindings() || NumRegions != F.getNumRegions())
    return Ctx.emitError(F.getLoc(),
                         "values of '@" + F.getName() + "' are not numbered");
  if (failed(verifyOrder()))
    return failure();
  return Single.verifyResult(F);
}

LogicalResult FunctionVerifier::walk() {
  if (failed(enterBlock(F.getBody(), 0)))
    return failure();
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    Block::iterator It = Top.It, End = Top.B->end();
    for (; It != End && !It->getNumRegions(); ++It)
      if (failed(enterOperation(*It)))
        return failure();
    Top.It = It;
    if (It == End) {
      if (failed(leaveBlock()))
        return failure();
      continue;
    }
    if (failed(enterOperation(*It)) || failed(enterBlock(It->getRegion(), 0)))
      return failure();
  }
  return success();
}

LogicalResult FunctionVerifier::enterBlock(Block &B, unsigned Region) {
  if (B.getFunction() != &F)
    return Ctx.emitError(F.getLoc(),
                         "block of another function in '@" + F.getName() + "'");
  if (!B.getResult())
    return Ctx.emitError(F.getLoc(),
                         "block without a result in '@" + F.getName() + "'");
  if (!Stack.empty()) {
    Depth[&B] = Stack.size();
    Stack.back().Last = Last;
  }
  Stack.push_back({&B, B.begin(), Region, 0});
  Current = &B;
  Last = 0;
  for (auto [I, Arg] : llvm::enumerate(B.getArguments())) {
    if (Arg->getParentBlock() != &B || Arg->getArgNo() != I)
      return Ctx.emitError(Arg->getLoc(),
                           "'%" + Arg->getName() +
                               "' is not at the position that it records");
    if (failed(Single.verifyArgument(*Arg)) ||
        failed(verifyUseList(*Arg, Arg->getLoc())))
      return failure();
    if (B.getParentOp())
      continue; // numbered after the operation
    if (Arg->getIndex() != I)
      return Ctx.emitError(Arg->getLoc(),
                           "'%" + Arg->getName() + "' is not numbered");
  }
  NumArguments += B.getNumArguments();
  return success();
}

/// Continues with the next region of the operation, or after it.
LogicalResult FunctionVerifier::leaveBlock() {
  Block *B = Current;
  unsigned Region = Stack.back().Region;
  Operation *Parent = B->getParentOp();
  ++NumUses;
  if (failed(verifyUse(B->getResult(), Parent)))
    return failure();
  Stack.pop_back();
  if (Stack.empty())
    return success();
  Depth.erase(B);
  Current = Stack.back().B;
  Last = Stack.back().Last;
  if (Region + 1 < Parent->getNumRegions())
    return enterBlock(Parent->getRegion(Region + 1), Region + 1);
  ++Stack.back().It;
  return success();
}

LogicalResult FunctionVerifier::enterOperation(Operation &Op) {
  if (LLVM_UNLIKELY(Op.getBlock() != Current))
    return error(Op, "is not in the block that it records");
  if (failed(verifyNumber(Op)) || failed(verifyOperands(Op)) ||
      failed(verifyUseList(Op, Op.getLoc())))
    return failure();
  if (Op.getNumRegions() && failed(verifyRegions(Op)))
    return failure();
  return Single.verify(Op);
}

/// Numbers are ascending within a block and distinct.
LogicalResult FunctionVerifier::verifyNumber(Operation &Op) {
  uint32_t Number = Op.getIndex();
  if (Number < Last || Number >= F.getNumValues() ||
      !Order.beginOperation(Number))
    return reportOrder(Op, "is not in canonical order");
  Last = Number;
  ++NumOperations;
  NumBindings += Op.isBound();
  NumRegions += Op.getNumRegions();
  if (Op.isBound() && Stack.size() == 1)
    Bindings.push_back(Number);
  return success();
}

/// The arguments of regions are numbered after their operation.
LogicalResult FunctionVerifier::verifyRegions(Operation &Op) {
  uint32_t Last = Op.getIndex();
  for (Block &B : Op.getRegions()) {
    if (B.getParentOp() != &Op || !B.getResult())
      return error(Op, "has an incomplete region");
    for (const BlockArgument *Arg : B.getArguments())
      if (Arg->getIndex() != ++Last)
        return Ctx.emitError(Arg->getLoc(),
                             "'%" + Arg->getName() + "' is not numbered");
    for (Operation &Bound : B.bindings())
      Order.addPart(&Bound);
    Order.addPart(B.getResult());
  }
  Order.addRegionArguments(Op.getIndex(), Last - Op.getIndex());
  return success();
}

LogicalResult FunctionVerifier::verifyOrder() {
  Order.beginBody(F.getNumValues());
  for (uint32_t Number : Bindings)
    Order.addPart(Number);
  Order.addPart(F.getBody().getResult());
  std::optional<uint32_t> Misplaced = Order.findMisplaced();
  if (!Misplaced)
    return success();
  Location Loc = F.getLoc();
  relay::walk(F, [&](Operation *Op) {
    if (Op->getIndex() == *Misplaced)
      Loc = Op->getLoc();
  });
  return Ctx.emitError(Loc, "operations of '@" + F.getName() +
                                "' are not in canonical order");
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

LogicalResult FunctionVerifier::verifyOperands(Operation &Op) {
  NumUses += Op.getNumOperands();
  for (Use &U : Op.getUses()) {
    auto *Def = dyn_cast_or_null<Operation>(U.get());
    if (LLVM_LIKELY(Def && Def->getBlock() == Current &&
                    Def->getIndex() < Op.getIndex())) {
      Order.addPart(Def->getIndex());
      continue;
    }
    if (failed(verifyUse(U.get(), &Op)))
      return failure();
    if (Def)
      Order.addPart(Def);
  }
  return success();
}

/// Verifies the use of \p V by \p User, or as the result of a region of User;
/// null for the result of the body.
LogicalResult FunctionVerifier::verifyUse(Value *V, const Operation *User) {
  if (!V)
    return error(*User, "lacks an operand");
  Location Loc = User ? User->getLoc() : F.getLoc();
  if (V->getParentBlock() != Current && failed(verifyOuterUse(V, Loc)))
    return failure();
  const Operation *Def = V->getDefiningOp();
  if (!Def || !User || Def->getIndex() < User->getIndex())
    return success();
  // A closure's variable is in scope in the closure.
  if (Def->is(OpCode::Fn) && Def->isBound() && Depth.count(&Def->getRegion()))
    return success();
  return reportOrder(*User, "uses " + describe(V) + " before its definition");
}

/// Verifies a use, in the innermost block of the walk, of a value of another
/// block.
LogicalResult FunctionVerifier::verifyOuterUse(Value *V, Location Loc) {
  Block *B = V->getParentBlock();
  auto It = Depth.find(B);
  if (B != &F.getBody() && It == Depth.end())
    return Ctx.emitError(Loc, describe(V) + " is used outside its scope");
  unsigned Level = B == &F.getBody() ? 0 : It->second;
  auto *Def = dyn_cast<Operation>(V);
  if (!Def || Def->isBound())
    return success();
  const Block *Child = Stack[Level + 1].B;
  auto [Known, New] = UsedIn.insert({Def, Child});
  if (!New && Known->second != Child)
    Known->second = nullptr;
  return success();
}

LogicalResult FunctionVerifier::verifyUseList(const Value &V, Location Loc) {
  std::optional<size_t> Count = V.countUses();
  if (!Count)
    return Ctx.emitError(Loc, "use-list of " + describe(&V) + " is broken");
  NumListedUses += *Count;
  return success();
}

/// Verifies that floating operations are in the innermost block that encloses
/// their uses.
LogicalResult FunctionVerifier::verifyPlaces() {
  auto IsUsedIn = [](const Operation *Op, const Block *B) {
    return llvm::any_of(Op->uses(), [&](Use &U) {
      return U.getUserOp() ? U.getUserOp()->getBlock() == B
                           : U.getUserBlock() == B;
    });
  };
  for (auto [Op, Child] : UsedIn)
    if (Child && !IsUsedIn(Op, Op->getBlock()))
      return error(*Op, "is not in the innermost block of its uses");
  return success();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static LogicalResult verifyTypeDef(const TypeDef &D, const Module &M) {
  InFlightDiagnostic Error = M.getContext().emitError(
      D.Loc, "definition of '" + D.Name + "' is inconsistent");
  if (M.lookupTypeDef(D.Name) != &D)
    return Error;
  for (auto [Tag, C] : llvm::enumerate(D.Constructors))
    if (C->Name.empty() || C->Parent != &D || C->Tag != Tag ||
        llvm::is_contained(C->Fields, nullptr))
      return Error;
  Error.abandon();
  return success();
}

/// Verifies the functions of \p M apart from their bodies.
static LogicalResult verifySymbols(Module &M) {
  LogicalResult Result = success();
  for (const TypeDef &D : M.typeDefs())
    if (failed(verifyTypeDef(D, M)))
      Result = failure();
  for (Function &F : M.functions()) {
    assert(F.getModule() == &M && "a function of another module");
    if (M.lookupFunction(F.getName()) != &F)
      Result = M.getContext().emitError(
          F.getLoc(), "function '@" + F.getName() +
                          "' is defined twice, or not under its name");
  }
  return Result;
}

/// Verifies \p Functions, of \p M, on several threads if that is profitable.
static LogicalResult verifyFunctions(Module &M, ArrayRef<Function *> Functions,
                                     bool AllowUndefined) {
  std::atomic<bool> IsValid{true};
  auto MakeWorker = [&]() -> TaskFn {
    auto Single = std::make_unique<OperationVerifier>(
        M.getContext(), &M, AllowUndefined || M.isExpression());
    return [&, Single = std::move(Single)](size_t I) {
      if (failed(FunctionVerifier(*Functions[I], *Single).run()))
        IsValid = false;
      return success(); // errors of other functions are reported, too
    };
  };
  (void)runTasks(M.getContext(), Functions.size(), getNumOperations(Functions),
                 MakeWorker);
  return success(IsValid);
}

//===----------------------------------------------------------------------===//
// IncrementalVerifier
//===----------------------------------------------------------------------===//

/// Returns the type of \p F that callers see. Its result has the yielded type
/// if that contradicts the annotation.
static FuncType *getCheckedType(const Function &F) {
  FuncType *Ty = F.computeType();
  Type *Yielded = F.getResultType();
  Context &Ctx = F.getContext();
  if (!Ty || Ty->getResult() == Yielded ||
      CompleteTyper(Ctx, F.getModule(), CompleteTyper::Unification::Join)
          .fits(Ty->getResult(), Yielded))
    return Ty;
  return Ctx.getFuncType(Ty->getTypeParams(), Ty->getParams(), Yielded);
}

/// Returns true if a pass on \p F may leave the type \p New instead of \p Old.
/// A result that cannot be annotated, of an expression or with a reference, may
/// become less dynamic.
static bool keepsType(const Function &F, FuncType *Old, FuncType *New) {
  if (Old == New || isSameType(Old, New))
    return true;
  Context &Ctx = F.getContext();
  FuncType *Result =
      Ctx.getFuncType(New->getTypeParams(), New->getParams(), Old->getResult());
  return !F.getSignature().ResultAnnotation && isSameType(Old, Result) &&
         isLessDynamic(Ctx, New->getResult(), Old->getResult());
}

void IncrementalVerifier::assumeVerified(Module &M) {
  IsTyped = M.isTyped();
  NumTypeDefs = M.getNumTypeDefs();
  States.clear();
  States.reserve(M.getNumFunctions());
  for (Function &F : M.functions())
    States.push_back(
        {F.getSerial(), F.getVersion(), getCheckedType(F), F.getName()});
}

IncrementalVerifier::State *IncrementalVerifier::lookup(const Function &F) {
  auto It = llvm::lower_bound(
      States, F.getSerial(),
      [](const State &S, uint64_t Serial) { return S.Serial < Serial; });
  return It != States.end() && It->Serial == F.getSerial() ? &*It : nullptr;
}

/// Returns true if unchanged functions may have become invalid.
bool IncrementalVerifier::mustVerifyAll(Module &M) {
  if (IsTyped != M.isTyped() || NumTypeDefs != M.getNumTypeDefs())
    return true;
  size_t NumKnown = 0;
  for (Function &F : M.functions()) {
    const State *S = lookup(F);
    if (!S)
      continue;
    ++NumKnown;
    if (S->Name != F.getName() || S->Ty != getCheckedType(F))
      return true;
  }
  return NumKnown != States.size();
}

LogicalResult IncrementalVerifier::verifyChanged(Module &M) {
  SmallVector<Function *, 0> Functions = getFunctions(M);
  if (!mustVerifyAll(M))
    llvm::erase_if(Functions, [&](Function *F) {
      const State *S = lookup(*F);
      return S && S->Version == F->getVersion();
    });
  LogicalResult Symbols = verifySymbols(M);
  LogicalResult Bodies = verifyFunctions(M, Functions, AllowUndefined);
  assumeVerified(M);
  if (failed(Symbols) || failed(Bodies))
    return failure();
  return Functions.empty() ? success() : verifyCompilerFunctions(M);
}

LogicalResult IncrementalVerifier::verifyChanged(Function &F) {
  State *S = lookup(F);
  if (S && std::exchange(S->Version, F.getVersion()) == F.getVersion())
    return success();
  // Callers are not typed again.
  FuncType *Ty = getCheckedType(F);
  if (S && S->Ty && Ty && !keepsType(F, S->Ty, Ty))
    return F.getContext().emitError(
        F.getLoc(), "the type of '@" + F.getName() +
                        "', which callers rely on, was '" + toString(S->Ty) +
                        "' and is now '" + toString(Ty) + "'");
  return relay::verify(F, AllowUndefined);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

LogicalResult relay::verify(Module &M, bool AllowUndefined) {
  LogicalResult Symbols = verifySymbols(M);
  LogicalResult Bodies = verifyFunctions(M, getFunctions(M), AllowUndefined);
  if (failed(Symbols) || failed(Bodies))
    return failure();
  return verifyCompilerFunctions(M);
}

LogicalResult relay::verify(Function &F, bool AllowUndefined) {
  const Module *M = F.getModule();
  OperationVerifier Single(F.getContext(), M,
                           AllowUndefined || (M && M->isExpression()));
  return FunctionVerifier(F, Single).run();
}
