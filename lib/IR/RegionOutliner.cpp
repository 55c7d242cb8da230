//===- RegionOutliner.cpp - Make functions of operations ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation is moved into the body unchanged, and then connected: each of
// its operands outside of the body is replaced by its counterpart in the body.
// Since operands are added before users, membership in the body is determined
// by blocks, without a set of members.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/RegionOutliner.h"
#include "relay/IR/Context.h"
#include "relay/IR/FreeTypeVars.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Single steps
//===----------------------------------------------------------------------===//

void RegionOutliner::begin(Block &Where, ArrayRef<TypeVarType *> Vars) {
  assert(Where.empty() && "outlining into a body that is not empty");
  Body = &Where;
  Inputs.clear();
  Inners.clear();
  Copies.clear();
  TypeVars.assign(Vars.begin(), Vars.end());
  TypeParams.clear();
  if (Vars.empty())
    return;
  Signature S = Rewriter::getSignature(Where);
  for (const TypeVarType *Var : Vars) {
    S.TypeParams.push_back(
        R.getContext().createTypeVar(Var->getName(), Var->getVarKind()));
    TypeParams.push_back(S.TypeParams.back());
  }
  R.setSignature(Where, std::move(S));
}

Function &RegionOutliner::beginFunction(StringRef Name,
                                        ArrayRef<Operation *> Members,
                                        Location Loc) {
  Context &Ctx = R.getContext();
  FreeTypeVars Vars;
  for (Operation *Op : Members)
    Vars.addAll(Op);
  NewFunction = std::make_unique<Function>(Ctx, Ctx.intern(Name), Loc);
  begin(NewFunction->getBody(), Vars.get());
  return *NewFunction;
}

BlockArgument *RegionOutliner::addInput(Value *Outer, StringRef InternedName,
                                        Location Loc) {
  BlockArgument *Param = addParam(Outer, InternedName, Loc);
  Inners[Outer] = Copies[Outer] = Param;
  return Param;
}

BlockArgument *RegionOutliner::addParam(Value *Outer, StringRef InternedName,
                                        Location Loc) {
  Type *T = Outer->getType();
  if (!TypeVars.empty())
    T = substituteTypeVars(R.getContext(), T,
                           makeTypeVarMap(TypeVars, TypeParams));
  Inputs.push_back(Outer);
  return IsNewClosure ? Body->addArgument(InternedName, T, Loc)
                      : R.addArgument(*Body, InternedName, T, Loc);
}

Operation *RegionOutliner::add(Operation *Op) {
  if (Op->getFunction() != Body->getFunction())
    return addCopy(Op);
  if (IsNewClosure)
    R.moveToEndRaw(Op, *Body);
  else
    R.moveToEnd(Op, *Body);
  connect(Op);
  return Op;
}

Operation *RegionOutliner::addCopy(Operation *Op) {
  Builder::InsertionGuard Guard(R);
  R.setInsertionPointToEnd(*Body);
  Operation *Copy = R.clone(*Op, Copies);
  connect(Copy);
  return Copy;
}

void RegionOutliner::finish(Value *Result, const Attrs *Attributes) {
  Type *T = Result->getType();
  if (IsNewClosure) {
    Signature &S = Body->getParentOp()->getSignature();
    S.ResultAnnotation = T;
    S.Attributes = Attributes;
    Body->setResultRaw(Result);
    return;
  }
  if (!TypeVars.empty())
    T = substituteTypeVars(R.getContext(), T,
                           makeTypeVarMap(TypeVars, TypeParams));
  R.setResultAnnotation(*Body, T);
  R.setFunctionAttrs(*Body, Attributes);
  R.setResult(*Body, Result);
  if (!TypeVars.empty())
    R.substituteTypes(*Body, TypeVars, TypeParams);
}

void RegionOutliner::finish(ArrayRef<Value *> Results,
                            const Attrs *Attributes) {
  if (Results.size() == 1)
    return finish(Results.front(), Attributes);
  Builder::InsertionGuard Guard(R);
  R.setInsertionPointToEnd(*Body);
  finish(R.create<TupleOp>(Results).getOperation(), Attributes);
}

CallGlobalOp RegionOutliner::call(Module &M) {
  NewFunction->normalize();
  Function *F = R.addFunction(M, std::move(NewFunction));
  CallGlobalOp Call = R.create<CallGlobalOp>(Inputs, F->getName());
  if (!TypeVars.empty())
    R.setTypeArgs(Call,
                  SmallVector<Type *, 2>(TypeVars.begin(), TypeVars.end()));
  return Call;
}

Operation *RegionOutliner::getResult(Operation *Call, unsigned I,
                                     size_t NumResults) {
  if (NumResults == 1)
    return Call;
  return R.create<TupleGetItemOp>(Call, I);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Value *&RegionOutliner::ValueMap::operator[](const Value *Key) {
  if (!Many.empty())
    return Many[Key];
  for (auto &[Known, Mapped] : Few)
    if (Known == Key)
      return Mapped;
  if (Few.size() != MaxFew) {
    Few.push_back({Key, nullptr});
    return Few.back().second;
  }
  Many.insert(Few.begin(), Few.end());
  return Many[Key];
}

void RegionOutliner::connect(Operation *Top) {
  for (Use &U : Top->getUses())
    if (U->getParentBlock() != Body)
      connectUse(U, Top);
  if (Top->getNumRegions())
    connectRegions(Top);
}

namespace {
/// Visits the uses in the regions of an operation of values outside of them.
template <typename Fn> class OuterUseVisitor : public IRVisitor {
public:
  explicit OuterUseVisitor(Fn &Visit) : Visit(Visit) {}
  void enterBlock(Block &B) { Blocks.insert(&B); }
  void leaveBlock(Block &B) { visitUse(B.getResultUse()); }
  void enter(Operation *Op) {
    for (Use &U : Op->getUses())
      visitUse(U);
  }

private:
  void visitUse(Use &U) {
    if (!Blocks.contains(U->getParentBlock()))
      Visit(U);
  }
  Fn &Visit;
  llvm::SmallPtrSet<const Block *, 8> Blocks;
};
} // namespace

void RegionOutliner::connectRegions(Operation *Top) {
  auto Connect = [&](Use &U) {
    if (U->getParentBlock() != Body)
      connectUse(U, Top);
  };
  OuterUseVisitor<decltype(Connect)> Visitor(Connect);
  for (Block &Region : Top->getRegions())
    traverse(Region, Visitor);
}

/// Replaces \p U, a use by \p Top or in its regions of a value outside of the
/// body, by a use of its counterpart.
void RegionOutliner::connectUse(Use &U, Operation *Top) {
  Value *Inner = getInner(U, Top);
  Operation *User = U.getUserOp();
  // The type of User may depend on the value of a mirrored operand. If User has
  // no type, setOperand() infers one.
  bool MayType = User && (!User->getType() ||
                          User->getInfo().mirrorsOperand(U.getOperandNo()));
  if (IsNewClosure && !MayType)
    U.set(Inner);
  else if (User)
    R.setOperand(User, U.getOperandNo(), Inner);
  else
    R.setResult(*U.getUserBlock(), Inner);
}

Value *RegionOutliner::getInner(Use &U, Operation *Top) {
  Value *Outer = U.get();
  Operation *User = U.getUserOp();
  Operation *Constant = dyn_cast<ConstantOp>(Outer);
  // The type depends on the value, which is not known of a parameter.
  if (Constant && User && User->getInfo().mirrorsOperand(U.getOperandNo()))
    return copyConstant(Constant, Top);
  Value *&Inner = Inners[Outer];
  if (Inner)
    return Inner;
  if (Constant && Opts.CopyConstants)
    return Inner = copyConstant(Constant, Top);
  return Inner = addParam(Outer, getParamName(Inputs.size()),
                          (User ? User : Top)->getLoc());
}

Operation *RegionOutliner::copyConstant(Operation *Constant,
                                        Operation *Before) {
  Builder::InsertionGuard Guard(R);
  R.setInsertionPoint(Before);
  R.setLoc(Constant->getLoc());
  return R.createOperation(Constant->getInfo(), {}, Constant->getAttrs());
}

StringRef RegionOutliner::getParamName(unsigned I) {
  while (ParamNames.size() <= I)
    ParamNames.push_back(R.getContext().intern(
        (Opts.ParamPrefix + Twine(ParamNames.size())).str()));
  return ParamNames[I];
}

//===----------------------------------------------------------------------===//
// Whole groups
//===----------------------------------------------------------------------===//

Location relay::getGroupLoc(ArrayRef<Operation *> Members) {
  SmallVector<Location> Locs;
  for (const Operation *Op : Members)
    if (Op->getLoc().hasSpan())
      Locs.push_back(Op->getLoc());
  if (Locs.empty())
    return Members.back()->getLoc();
  Context &Ctx = Members.back()->getFunction()->getContext();
  return Ctx.getLocations().fuse(Locs);
}

/// Copies are bound as their originals are, except the result.
void RegionOutliner::addMembers(ArrayRef<Operation *> Members,
                                ArrayRef<Operation *> Results) {
  for (Operation *Op : Members) {
    Operation *Inside = add(Op);
    if (Inside != Op && Op->isBound() && Op != Results.back())
      R.bindLike(Inside, Op);
  }
}

/// The member \p Op in the body.
Operation *RegionOutliner::getMember(Operation *Op) const {
  Value *Copy = Copies.lookup(Op);
  return Copy ? cast<Operation>(Copy) : Op;
}

void RegionOutliner::finishMembers(ArrayRef<Operation *> Results,
                                   const Attrs *Attributes) {
  SmallVector<Value *, 4> Inner;
  for (Operation *Result : Results)
    Inner.push_back(getMember(Result));
  finish(Inner, Attributes);
}

/// Returns true if \p U is in the body. \p HasRegions is true if operations of
/// the body have regions.
bool RegionOutliner::isInBody(const Use &U, bool HasRegions) const {
  const Operation *User = U.getUserOp();
  const Block *B = User ? User->getBlock() : U.getUserBlock();
  return HasRegions ? B->isInside(*Body) : B == Body;
}

/// Makes \p Call what \p Results were to the rest of the function.
void RegionOutliner::replaceResults(ArrayRef<Operation *> Results,
                                    Operation *Call) {
  bool HasRegions = llvm::any_of(
      *Body, [](const Operation &Op) { return Op.getNumRegions(); });
  for (auto [I, Op] : llvm::enumerate(Results)) {
    assert((Results.size() == 1 || Op->isFloating()) &&
           "one of several results is bound");
    Operation *New = getResult(Call, I, Results.size());
    if (Op->getBlock() != Body) {
      R.replaceOp(Op, New);
      continue;
    }
    if (Op->isBound()) {
      R.bindLike(New, Op);
      R.unbind(Op);
    }
    R.replaceUsesIf(Op, New, [&](Use &U) { return !isInBody(U, HasRegions); });
  }
}

CallValueOp RegionOutliner::outlineToClosure(ArrayRef<Operation *> Members,
                                             ArrayRef<Operation *> Results,
                                             const Attrs *Attributes,
                                             ArrayRef<Value *> FirstInputs) {
  Builder::InsertionGuard Guard(R);
  R.setInsertionPoint(Members.back());
  R.setLoc(getGroupLoc(Members));
  FuncType **Known = nullptr;
  Operation *Fn = R.createClosure([&](Operation *Fn) {
    llvm::SaveAndRestore Restore(IsNewClosure, true);
    begin(Fn->getRegion());
    for (Value *Input : FirstInputs)
      addInput(Input, getParamName(Inputs.size()), Fn->getLoc());
    addMembers(Members, Results);
    finishMembers(Results, Attributes);
    Known = &findKnownType(Body->getResult()->getType());
    Fn->setTypeRaw(*Known);
  });
  *Known = dyn_cast_or_null<FuncType>(Fn->getType());
  R.setInsertionPointAfter(Fn);
  CallValueOp Call = createCall(Fn);
  replaceResults(Results, Call);
  return Call;
}

/// Returns the entry for the type of a closure whose parameters are the inputs:
/// the type, or null if it is not known. The caller then sets the entry.
FuncType *&RegionOutliner::findKnownType(Type *Result) {
  uintptr_t Hash = reinterpret_cast<uintptr_t>(Result);
  for (const Value *Input : Inputs)
    Hash = Hash * 31 + reinterpret_cast<uintptr_t>(Input->getType());
  // The upper bits of a product depend on all bits of its factor.
  FuncType *&Known = KnownTypes[uint64_t(Hash) * 0x9e3779b97f4a7c15 >> 60];
  auto HasType = [](const Value *V, const Type *T) {
    return V->getType() == T;
  };
  if (Known && (Known->getResult() != Result ||
                !llvm::equal(Inputs, Known->getParams(), HasType)))
    Known = nullptr;
  return Known;
}

/// Creates a call of the closure \p Fn with the inputs.
CallValueOp RegionOutliner::createCall(Operation *Fn) {
  auto *T = dyn_cast_or_null<FuncType>(Fn->getType());
  if (!T || T->isIncomplete())
    return R.create<CallValueOp>(Fn, Inputs, CallAttrs);
  // The arguments have the types of the parameters.
  SmallVector<Value *, 8> Operands = {Fn};
  Operands.append(Inputs.begin(), Inputs.end());
  return CallValueOp(R.createTypedOperation(CallValueOp::getInfo(), Operands,
                                            CallAttrs, T->getResult()));
}

CallGlobalOp RegionOutliner::outlineToFunction(ArrayRef<Operation *> Members,
                                               ArrayRef<Operation *> Results,
                                               StringRef Name,
                                               const Attrs *Attributes) {
  Module &M = *Members.back()->getFunction()->getModule();
  Builder::InsertionGuard Guard(R);
  R.setInsertionPoint(Members.back());
  R.setLoc(getGroupLoc(Members));
  beginFunction(Name, Members, R.getLoc());
  addMembers(Members, Results);
  finishMembers(Results, Attributes);
  CallGlobalOp Call = call(M);
  llvm::SmallPtrSet<Operation *, 4> Replaced(Results.begin(), Results.end());
  replaceResults(Results, Call);
  for (Operation *Op : llvm::reverse(Members))
    if (!Replaced.contains(Op))
      R.eraseOp(Op);
  return Call;
}
