//===- Rewriter.cpp - Changing IR -----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface through which passes change IR. Every change is counted,
// reported to listeners, and keeps types current.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Rewriter.h"
#include "TypeRenaming.h"
#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relay;

RewriteListener::~RewriteListener() = default;

Rewriter::Rewriter(Function &F) : Builder(F.getBody()), Default(&F) {
  if (Module *M = F.getModule())
    Listeners.append(M->getRewriteListeners().begin(),
                     M->getRewriteListeners().end());
}

Rewriter::Rewriter(Module &M)
    : Builder(M.getContext()), Listeners(M.getRewriteListeners()), Whole(&M) {}

//===----------------------------------------------------------------------===//
// Announcement of rewrites
//===----------------------------------------------------------------------===//

RewriteLog &Rewriter::getLog() {
  return Whole ? Whole->getRewriteLog() : B->getFunction()->getRewriteLog();
}

bool Rewriter::startRewrite(StringRef Rule, Operation *Root) {
  getLog().setState(RewriteLog::State::Announced);
  if (Root)
    Loc = Root->getLoc();
  if (Listeners.empty())
    return true;
  Rewrite Next = {Rule, Whole ? nullptr : B->getFunction(), Root};
  bool Wanted = true;
  for (RewriteListener *L : Listeners)
    Wanted &= L->shouldRewrite(Next);
  for (RewriteListener *L : Listeners)
    Wanted ? L->notifyRewrite(Next) : L->notifyRefused(Next);
  if (!Wanted)
    getLog().setState(RewriteLog::State::Refused);
  return Wanted;
}

/// Returns true if TVM reads \p T: it prints types of references, but cannot
/// read them.
static bool isReadable(Type *T) {
  bool Found = false;
  walkTypes(T, [&](Type *Part) {
    Found |= isa<RefType>(Part);
    return !Found;
  });
  return !Found;
}

/// Annotates typed parameters without an annotation. Returns true if there are
/// any.
static bool annotateParameters(Block &B) {
  bool Found = false;
  for (BlockArgument *Arg : B.getArguments())
    if (!Arg->getAnnotation() && Arg->getType() && isReadable(Arg->getType())) {
      Arg->setAnnotation(Arg->getType());
      Found = true;
    }
  return Found;
}

/// Annotates the result of \p Body if its type is known, dynamic and not
/// written. Returns true if it was annotated.
static bool annotateDynamicResult(Signature &S, Block &Body) {
  Type *T = Body.getResult() ? Body.getResult()->getType() : nullptr;
  if (S.ResultAnnotation || !T || !isDynamic(T) || !isReadable(T))
    return false;
  S.ResultAnnotation = T;
  return true;
}

/// Called before the first change of \p F, which may remove the use that
/// determines the type of a parameter, or the call that makes a result dynamic:
/// the text of the function must then contain these types.
void Rewriter::keepTypesOfSignatures(Function &F) {
  F.getRewriteLog().setKeepsTypes();
  bool Changed = annotateParameters(F.getBody());
  if (F.getForm() != Function::Form::OpenExpression)
    Changed |= annotateDynamicResult(F.getSignature(), F.getBody());
  if (Changed)
    for (RewriteListener *L : Listeners)
      L->notifyFunctionModified(F);
  if (F.getNumRegions())
    walk(F, [&](Operation *Op) {
      if (!Op->is(OpCode::Fn))
        return;
      bool Changed = annotateParameters(Op->getRegion());
      Changed |= annotateDynamicResult(Op->getSignature(), Op->getRegion());
      if (Changed)
        for (RewriteListener *L : Listeners)
          L->notifyRegionModified(Op->getRegion());
    });
}

void Rewriter::noteRewrite(StringRef Rule) {
  getLog().setState(RewriteLog::State::Announced);
  for (RewriteListener *L : Listeners)
    L->notifyRewrite({Rule, Whole ? nullptr : B->getFunction(), nullptr});
}

/// Records a change outside of a rewrite.
static void noteUnannounced(RewriteLog &Log, const Twine &Unit,
                            const Twine &Change) {
  bool Refused = Log.getState() == RewriteLog::State::Refused;
  Log.addMisuse(("changed " + Unit +
                 (Refused ? " by a rewrite that was refused: it "
                          : " without announcing a rewrite: it ") +
                 Change)
                    .str());
}

void Rewriter::checkAnnounced(Function &F, const char *What,
                              const Operation *Op) {
  RewriteLog &Log = F.getRewriteLog();
  Module *M = F.getModule();
  if (Log.hasMisuse() || !M) // a function outside of a module has no observers
    return;
  if (Log.getState() == RewriteLog::State::None &&
      M->getRewriteLog().getState() == RewriteLog::State::Announced)
    return;
  noteUnannounced(Log, "@" + F.getName(),
                  Op ? Twine(What) + " " + Op->getDescription() : Twine(What));
}

void Rewriter::noteModuleChange(Module &M, const Twine &What) {
  ++NumRewrites;
  RewriteLog &Log = M.getRewriteLog();
  Log.addChange();
  if (Log.getState() == RewriteLog::State::Announced ||
      (Default &&
       Default->getRewriteLog().getState() == RewriteLog::State::Announced))
    return;
  noteUnannounced(Log, "the module", What);
}

void Rewriter::noteModified(Function &F) {
  noteChange(&F, "modified it", nullptr);
  for (RewriteListener *L : Listeners)
    L->notifyFunctionModified(F);
}

void Rewriter::notifyCreated(Operation *Op) {
  noteChange(Op->getFunction(), "created", Op);
  for (RewriteListener *L : Listeners)
    L->notifyCreated(Op);
}

void Rewriter::notifyModified(Operation *Op) {
  noteChange(Op->getFunction(), "modified", Op);
  for (RewriteListener *L : Listeners)
    L->notifyModified(Op);
}

void Rewriter::notifyBlockModified(Block &Body, const char *What) {
  Function &F = *Body.getFunction();
  noteChange(&F, What, nullptr);
  for (RewriteListener *L : Listeners)
    Body.getParentOp() ? L->notifyRegionModified(Body)
                       : L->notifyFunctionModified(F);
}

void relay::reportErased(RewriteListener &L, Operation *Op) {
  for (Block &Region : Op->getRegions())
    walk(Region, [&](Operation *Inner) { L.notifyErased(Inner); });
  L.notifyErased(Op);
}

void relay::reportTyped(Function &F) {
  if (Module *M = F.getModule())
    for (RewriteListener *L : M->getRewriteListeners())
      L->notifyTyped(F);
}

//===----------------------------------------------------------------------===//
// Replacement
//===----------------------------------------------------------------------===//

void Rewriter::replaceUsesIf(Value *Old, Value *New,
                             function_ref<bool(Use &)> ShouldReplace) {
  replaceUses(Old, New, ShouldReplace, Retyping::Now);
}

void Rewriter::replaceUses(Value *Old, Value *New,
                           function_ref<bool(Use &)> ShouldReplace,
                           Retyping When) {
  // Users whose type depends on the value of the operand, not on its type.
  SmallVector<Operation *, 4> ReadsValue;
  for (Use &U : llvm::make_early_inc_range(Old->uses())) {
    if (!ShouldReplace(U))
      continue;
    beginChange(*New->getFunction());
    U.set(New);
    Operation *User = U.getUserOp();
    if (!User) {
      if (When == Retyping::Now)
        followResultType(*U.getUserBlock(), Old->getType(), New->getType());
      notifyBlockModified(*U.getUserBlock(), "modified a result");
      continue;
    }
    notifyModified(User);
    if (LLVM_UNLIKELY(User->getInfo().mirrorsOperand(U.getOperandNo())))
      ReadsValue.push_back(User);
  }
  if (When == Retyping::Now && New->getType() && Old->getType() &&
      New->getType() != Old->getType())
    setType(New, New->getType());
  for (Operation *User : ReadsValue)
    retype(User);
}

Type *Rewriter::inferAnew(Operation &Op) {
  Type *T = inferOperationType(Op);
  Type *Written = Op.isBound() ? Op.getVarAnnotation() : nullptr;
  if (T || !Written || Written != Op.getType())
    return T;
  Op.bind(Op.getVarName(), nullptr, Op.getVarVirtualDevice());
  T = inferOperationType(Op);
  Op.bind(Op.getVarName(), T ? T : Written, Op.getVarVirtualDevice());
  return T;
}

/// Infers the type of \p Op again after a change.
void Rewriter::retype(Operation *Op) {
  Type *T = inferAnew(*Op);
  if (T && T != Op->getType())
    setType(Op, T);
}

void Rewriter::replaceAllUses(Value *Old, Value *New) {
  replaceUsesIf(Old, New, [](Use &) { return true; });
}

/// Returns true if \p U is a use by \p Op or in its regions.
static bool isWithin(const Use &U, const Operation *Op) {
  if (U.getUserOp() == Op)
    return true;
  if (!Op->getNumRegions())
    return false;
  Block *B = U.getUserOp() ? U.getUserOp()->getBlock() : U.getUserBlock();
  return B->isInRegionOf(*Op);
}

/// Returns true if a value of type \p New can replace one of type \p Old
/// without a change to the users. Unknown types are null.
static bool keepsType(const Type *Old, const Type *New) {
  return Old == New || !Old || !New || isSameType(Old, New);
}

static std::string describeValue(const Value *V) {
  if (const Operation *Op = V->getDefiningOp())
    return Op->getDescription();
  return ("%" + cast<BlockArgument>(V)->getName()).str();
}

/// Records a replacement by a value of a type that is not allowed: \p Why.
static void noteOtherType(Operation *Op, Value *New, const char *Why) {
  Op->getFunction()->getRewriteLog().addMisuse(
      llvm::formatv("replaced {0} of type {1} by {2} of type {3}, which {4}",
                    Op->getDescription(), toString(Op->getType()),
                    describeValue(New), toString(New->getType()), Why));
}

void Rewriter::replaceOp(Operation *Op, Value *New) {
  if (LLVM_UNLIKELY(!keepsType(Op->getType(), New->getType())))
    noteOtherType(Op, New, "takes replaceOpAndRetype()");
  replaceOpAndRetype(Op, New);
}

bool Rewriter::replaceOpByLessDynamic(Operation *Op, Value *New) {
  if (keepsType(Op->getType(), New->getType())) {
    replaceOp(Op, New);
    return false;
  }
  if (!isLessDynamic(getContext(), New->getType(), Op->getType()))
    noteOtherType(Op, New, "is not less dynamic");
  replace(Op, New, Retyping::AtEndOfPass);
  return true;
}

void Rewriter::replaceOpAndRetype(Operation *Op, Value *New) {
  replace(Op, New, Retyping::Now);
}

void Rewriter::replace(Operation *Op, Value *New, Retyping When) {
  assert(Op != New && "replacing an operation by itself");
  for (RewriteListener *L : Listeners)
    L->notifyReplaced(Op, New);
  Operation *NewOp = New->getDefiningOp();
  if (NewOp && !NewOp->getLoc().isKnown())
    setLocation(NewOp, Op->getLoc());
  auto IsForeign = [&](Use &U) { return !NewOp || !isWithin(U, NewOp); };
  if (!Op->isBound()) {
    replaceUses(Op, New, IsForeign, When);
    if (Op->use_empty())
      eraseOp(Op);
    return;
  }
  Operation *Bound = takePlace(Op, New);
  bindLike(Bound, Op);
  if (When == Retyping::Now && Op->getVarAnnotation() &&
      !keepsType(Op->getType(), Bound->getType()))
    bind(Bound, Op->getVarName(), Bound->getType(), Op->getVarVirtualDevice());
  replaceUses(Op, Bound, IsForeign, When);
  if (Op->use_empty())
    return eraseOp(Op);
  unbind(Op);
  moveBefore(Op, Bound);
}

/// Inserts \p New before the bound \p Op if it is a new node. If \p New has a
/// position of its own, an alias is inserted instead.
Operation *Rewriter::takePlace(Operation *Op, Value *New) {
  Operation *NewOp = New->getDefiningOp();
  if (NewOp && NewOp->isFloating() && NewOp->use_empty()) {
    takeOut(NewOp);
    Op->getBlock()->insert(Op->getIterator(), NewOp);
    return NewOp;
  }
  InsertionGuard Guard(*this);
  setInsertionPoint(Op);
  setLoc(Op->getLoc());
  return create<AliasOp>(New);
}

void Rewriter::eraseOp(Operation *Op) {
  assert(
      llvm::all_of(Op->uses(), [&](const Use &U) { return isWithin(U, Op); }) &&
      "erasing a value that is used");
  noteChange(Op->getFunction(), "erased", Op);
  for (RewriteListener *L : Listeners)
    reportErased(*L, Op);
  leavePlace(Op);
  Op->replaceAllUsesWith(nullptr);
  Op->erase();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void Rewriter::notifyClone(const Operation *From, Operation *New) {
  notifyCreated(New);
  for (RewriteListener *L : Listeners)
    L->notifyCloned(From, New);
}

/// Reports the operations of \p To, which have been copied from \p From.
void Rewriter::notifyClones(const Block &From, Block &To) {
  noteChange(To.getFunction(), "copied operations into it", nullptr);
  if (Listeners.empty())
    return;
  SmallVector<Operation *, 16> Originals, Copies;
  walk(const_cast<Block &>(From),
       [&](Operation *Op) { Originals.push_back(Op); });
  walk(To, [&](Operation *New) { Copies.push_back(New); });
  // The original operations of To come first.
  for (auto [Original, Copy] :
       llvm::zip_equal(Originals, ArrayRef(Copies).take_back(Originals.size())))
    notifyClone(Original, Copy);
}

Operation *Rewriter::clone(const Operation &Op,
                           llvm::DenseMap<const Value *, Value *> &Map) {
  Operation *New = cloneOperation(Op, getFunction(), Map);
  B->insert(Point, New);
  for (auto [From, To] : llvm::zip(Op.getRegions(), New->getRegions()))
    notifyClones(From, To);
  notifyClone(&Op, New);
  return New;
}

void Rewriter::cloneInto(const Block &From, Block &To,
                         llvm::DenseMap<const Value *, Value *> &Map,
                         ArrayRef<TypeVarType *> TypeParams,
                         ArrayRef<Type *> TypeArgs) {
  cloneBlockInto(From, To, Map, TypeParams, TypeArgs);
  notifyClones(From, To);
}

void Rewriter::cloneInto(const Function &From, Operation *Fn) {
  cloneFunctionInto(From, *Fn);
  notifyClones(From.getBody(), Fn->getRegion());
  retype(Fn);
}

void Rewriter::substituteTypes(Block &Body, ArrayRef<TypeVarType *> Params,
                               ArrayRef<Type *> Args) {
  TypeRenaming Renaming(getContext());
  Renaming.substitute(Params, Args);
  Function &F = *Body.getFunction();
  beginChange(F);
  walk(Body, [&](Operation *Op) {
    modifyInPlace(Op, [&] { Renaming.applyTo(F, *Op); });
  });
}

//===----------------------------------------------------------------------===//
// Closures
//===----------------------------------------------------------------------===//

Operation *Rewriter::createClosure(function_ref<void(Operation *)> Fill) {
  Operation *Fn = Operation::create(getFunction(), FnOp::getInfo(), {}, nullptr,
                                    Loc, /*NumRegions=*/1);
  B->insert(Point, Fn);
  notifyCreated(Fn);
  Fill(Fn);
  if (!Fn->getType())
    if (Type *T = inferOperationType(*Fn))
      Fn->setTypeRaw(T);
  assert(Fn->getType() == inferOperationType(*Fn) && "closure of another type");
  for (RewriteListener *L : Listeners) {
    walk(Fn->getRegion(), [&](Operation *Op) { L->notifyModified(Op); });
    L->notifyRegionModified(Fn->getRegion());
    L->notifyModified(Fn);
  }
  return Fn;
}

//===----------------------------------------------------------------------===//
// Drafts
//===----------------------------------------------------------------------===//

Draft::Draft(Function &F)
    : Holder(Operation::create(F, FnOp::getInfo(), {}, nullptr, Location(),
                               /*NumRegions=*/1)) {}

Draft::~Draft() { Holder->erase(); }

Block &Draft::getBlock() { return Holder->getRegion(); }

void Rewriter::insertDraft(Draft &D) {
  Block &From = D.getBlock();
  while (!From.empty()) {
    Operation *Op = &*From.begin();
    From.remove(Op);
    B->insert(Point, Op);
    notifyCreated(Op);
    for (Block &Region : Op->getRegions())
      walk<WalkOrder::PreOrder>(
          Region, [&](Operation *Inner) { notifyCreated(Inner); });
  }
}

void Rewriter::noteQuantized(ArrayRef<QuantizedOperation> Region) {
  for (RewriteListener *L : Listeners)
    L->notifyQuantized(Region);
}

//===----------------------------------------------------------------------===//
// Changes in place
//===----------------------------------------------------------------------===//

void Rewriter::setOperand(Operation *Op, unsigned I, Value *V) {
  Value *Old = Op->getOperand(I);
  if (Old == V)
    return;
  beginChange(*Op->getFunction());
  Op->setOperandRaw(I, V);
  notifyModified(Op);
  // A value of the same type gives the same result type.
  if (Op->getType() && Old && Old->getType() == V->getType() &&
      !Op->getInfo().mirrorsOperand(I))
    return;
  retype(Op);
}

void Rewriter::setAttrs(Operation *Op, const Attrs *A) {
  if (Op->getAttrs() == A)
    return;
  Op->setAttrsRaw(A);
  notifyModified(Op);
  retype(Op);
}

void Rewriter::setLocation(Operation *Op, Location L) {
  if (Op->getLoc() == L)
    return;
  Op->setLoc(L);
  notifyModified(Op);
}

void Rewriter::setTypeArgs(Operation *Op, ArrayRef<Type *> Args,
                           bool Inferred) {
  Op->setTypeArgs(*Op->getFunction(), Args, Inferred);
  notifyModified(Op);
  retype(Op);
}

Block &Rewriter::addRegion(Operation *Op) {
  Block &Region = Op->addRegion();
  notifyModified(Op);
  return Region;
}

void Rewriter::setPatterns(Operation *Match,
                           ArrayRef<MatchPattern *> Patterns) {
  assert(Patterns.size() == Match->getNumRegions() && "one pattern a region");
  Match->setPatterns(Patterns);
  notifyModified(Match);
  retype(Match);
}

void Rewriter::takeOut(Operation *Op) {
  if (!Op->getBlock())
    return;
  leavePlace(Op);
  Op->getBlock()->remove(Op);
}

void Rewriter::moveBefore(Operation *Op, Operation *Before) {
  takeOut(Op);
  Before->getBlock()->insert(Before->getIterator(), Op);
  notifyModified(Op);
}

void Rewriter::moveToEndRaw(Operation *Op, Block &Where) {
  takeOut(Op);
  Where.push_back(Op);
}

void Rewriter::moveToEnd(Operation *Op, Block &Where) {
  moveToEndRaw(Op, Where);
  notifyModified(Op);
}

void Rewriter::unbind(Operation *Op) {
  Op->unbind();
  notifyModified(Op);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns the operation whose type depends on the user of \p U or its value.
static Operation *getDependent(Use &U) {
  if (Operation *Op = U.getUserOp())
    return Op;
  return U.getUserBlock()->getParentOp();
}

/// Returns the operations whose types depend on that of \p V: users, and the
/// closure of which it is a parameter.
static SmallVector<Operation *, 4> getDependents(Value *V) {
  SmallVector<Operation *, 4> Dependents;
  for (Use &U : V->uses())
    if (Operation *Dependent = getDependent(U))
      Dependents.push_back(Dependent);
  if (isa<BlockArgument>(V))
    if (Operation *Parent = V->getParentBlock()->getParentOp();
        Parent && Parent->is(OpCode::Fn))
      Dependents.push_back(Parent);
  return Dependents;
}

/// Returns true if the type of \p Op depends on itself, through uses or results
/// of regions.
static bool dependsOnItself(Operation *Op) {
  llvm::SmallPtrSet<Operation *, 16> Reached;
  SmallVector<Operation *, 16> Worklist = {Op};
  while (!Worklist.empty())
    for (Use &U : Worklist.pop_back_val()->uses()) {
      Operation *Dependent = getDependent(U);
      if (Dependent == Op)
        return true;
      if (Dependent && Reached.insert(Dependent).second)
        Worklist.push_back(Dependent);
    }
  return false;
}

namespace {
/// Detects changes of types that would not terminate: at operations that depend
/// on themselves and whose type changes repeatedly. They are invalid, and the
/// Verifier reports them.
class EndlessChanges {
public:
  /// Records a new type of \p Op. Returns true if the change must be ignored.
  bool isEndless(Operation *Op) {
    if (LLVM_LIKELY(++NumChanges <= MaxChanges))
      return false;
    unsigned &Count = Counts[Op];
    if (Count != Endless && ++Count == MaxChanges)
      Count = dependsOnItself(Op) ? Endless : 0;
    return Count == Endless;
  }

private:
  static constexpr unsigned MaxChanges = 64, Endless = ~0u;
  unsigned NumChanges = 0;
  llvm::DenseMap<Operation *, unsigned> Counts;
};
} // namespace

/// Returns the signature whose result \p Body yields; null for other regions.
static Signature *getSignatureOfResult(Block &Body) {
  Operation *Parent = Body.getParentOp();
  if (!Parent)
    return &Body.getFunction()->getSignature();
  return Parent->is(OpCode::Fn) ? &Parent->getSignature() : nullptr;
}

/// Changes the annotation of the result of \p Body from \p Old to \p New if it
/// repeats the old type. Returns true if it did.
bool Rewriter::followResultType(Block &Body, Type *Old, Type *New) {
  Signature *S = KeepsResultAnnotations ? nullptr : getSignatureOfResult(Body);
  if (!S || !Old || !New || Old == New || S->ResultAnnotation != Old)
    return false;
  S->ResultAnnotation = New;
  return true;
}

/// Sets the type, and updates annotations that repeat the old type, including
/// those of results.
void Rewriter::setTypeAndAnnotations(Value *V, Type *T) {
  Type *Old = V->getType();
  V->setTypeRaw(T);
  if (!Old || Old == T)
    return;
  for (Use &U : V->uses())
    if (Block *B = U.getUserBlock(); B && followResultType(*B, Old, T))
      notifySignatureModified(*B, "annotated a result");
  if (auto *Arg = dyn_cast<BlockArgument>(V)) {
    if (Arg->getAnnotation() == Old)
      Arg->setAnnotation(T);
    return;
  }
  auto *Op = cast<Operation>(V);
  if (Op->isBound() && Op->getVarAnnotation() == Old)
    Op->bind(Op->getVarName(), T, Op->getVarVirtualDevice());
}

void Rewriter::setTypeOnly(Operation *Op, Type *T) {
  beginChange(*Op->getFunction());
  setTypeAndAnnotations(Op, T);
  notifyModified(Op);
}

void Rewriter::setType(Value *V, Type *T) {
  beginChange(*V->getFunction());
  setTypeAndAnnotations(V, T);
  if (Operation *Op = V->getDefiningOp())
    notifyModified(Op);
  else
    notifyBlockModified(*V->getParentBlock(), "modified a parameter");
  if (isa<Operation>(V) && V->use_empty())
    return;
  // Each change of a type adds another visit of the users; a type changes only
  // if the types that it depends on change.
  EndlessChanges Changes;
  // First in, first out, with each value at most once: where paths of different
  // lengths meet, later values are not visited for each path.
  SmallVector<Value *, 16> Worklist = {V};
  llvm::SmallPtrSet<Value *, 16> Waiting = {V};
  for (size_t Next = 0; Next != Worklist.size(); ++Next) {
    Value *Changed = Worklist[Next];
    Waiting.erase(Changed);
    for (Operation *Dependent : getDependents(Changed)) {
      Type *New = inferAnew(*Dependent);
      if (!New || New == Dependent->getType())
        continue;
      setTypeAndAnnotations(Dependent, New);
      notifyModified(Dependent);
      if (!Changes.isEndless(Dependent) && Waiting.insert(Dependent).second)
        Worklist.push_back(Dependent);
    }
  }
}
