//===- Clone.cpp - Copies of functions, blocks and operations -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies on an explicit stack: a block is copied operation by operation, and
// the regions of an operation after the operation itself. If a type parameter
// is copied, types in the copy refer to the new parameter.
//
//===----------------------------------------------------------------------===//

#include "TypeRenaming.h"
#include "relay/IR/Module.h"
#include "relay/IR/Walk.h"

using namespace relay;

namespace {
/// Copies IR into one function.
class Cloner {
public:
  /// \p Renaming contains the existing replacements of type variables.
  Cloner(Function &To, llvm::DenseMap<const Value *, Value *> &Map,
         TypeRenaming &Renaming)
      : To(To), Map(Map), Renaming(Renaming) {}

  /// Returns a copy of \p Op with empty regions, whose contents are queued.
  Operation *cloneShell(const Operation &Op) {
    SmallVector<Value *, 4> Operands;
    for (Value *V : Op.operands())
      Operands.push_back(lookup(V));
    Operation *New =
        Operation::create(To, Op.getInfo(), Operands, Op.getAttrs(),
                          Op.getLoc(), Op.getNumRegions());
    New->setTypeRaw(Op.getType());
    Map[&Op] = New;
    for (unsigned I = 0; I != Op.getNumRegions(); ++I)
      Pending.push_back({&Op.getRegion(I), &New->getRegion(I)});
    return New;
  }

  /// Copies everything except operands and attributes. \p New is in its block
  /// if bound.
  void finish(const Operation &Op, Operation *New) {
    if (Op.isBound() && New->getBlock())
      New->bind(Op.getVarName(), Op.getVarAnnotation(),
                Op.getVarVirtualDevice());
    if (!Op.getTypeArgs().empty())
      New->setTypeArgs(To, Op.getTypeArgs(), Op.hasInferredTypeArgs());
    if (Op.is(OpCode::Fn)) {
      New->getSignature() = Op.getSignature();
      Renaming.renameTypeParams(New->getSignature());
    }
    if (Op.is(OpCode::Match))
      Matches.push_back({&Op, New});
  }

  void cloneArguments(const Block &From, Block &Into) {
    for (BlockArgument *Arg : From.getArguments()) {
      BlockArgument *New =
          Into.addArgument(Arg->getName(), Arg->getAnnotation(), Arg->getLoc());
      New->setTypeRaw(Arg->getType());
      New->setVirtualDevice(Arg->getVirtualDevice());
      Map[Arg] = New;
    }
  }

  void cloneContents(const Block &From, Block &Into) {
    for (Operation &Op : const_cast<Block &>(From)) {
      Operation *New = cloneShell(Op);
      Into.push_back(New);
      finish(Op, New);
    }
    Results.push_back({&From, &Into});
  }

  /// Copies queued regions, then updates references to copied operations.
  void run() {
    while (!Pending.empty()) {
      auto [From, Into] = Pending.pop_back_val();
      cloneArguments(*From, *Into);
      cloneContents(*From, *Into);
    }
    for (auto [From, Into] : Results)
      Into->setResultRaw(From->getResult() ? lookup(From->getResult())
                                           : nullptr);
    for (auto [From, Into] : Matches)
      cloneMatch(*From, *Into);
    remapForwardUses();
  }

private:
  Value *lookup(Value *V) {
    auto It = Map.find(V);
    if (It != Map.end())
      return It->second;
    if (V->getFunction() != &To || V->getDefiningOp())
      Unmapped = true;
    return V;
  }

  /// Updates uses that were copied before their values: by a recursive closure
  /// of itself, and of a floating operation of a region in a block that is
  /// copied later.
  void remapForwardUses() {
    if (!Unmapped)
      return;
    for (auto [From, Into] : Results) {
      Into->setResultRaw(remap(Into->getResult()));
      for (Operation &Op : *Into)
        for (Use &U : Op.getUses())
          U.set(remap(U.get()));
    }
  }
  Value *remap(Value *V) {
    auto It = V ? Map.find(V) : Map.end();
    return It == Map.end() ? V : It->second;
  }

  void cloneMatch(const Operation &Op, Operation &New) {
    SmallVector<MatchPattern *, 8> Patterns;
    for (MatchPattern *P : Op.getPatterns())
      Patterns.push_back(clonePattern(P));
    New.setPatterns(Patterns);
    New.setCompleteMatch(Op.isCompleteMatch());
  }

  /// The recursion is bounded: the parser limits the nesting of patterns.
  MatchPattern *clonePattern(const MatchPattern *P) {
    IRArena &Arena = To.getArena();
    auto *New = new (Arena.allocate(sizeof(MatchPattern))) MatchPattern(*P);
    if (P->Variable)
      New->Variable = cast<BlockArgument>(Map.lookup(P->Variable));
    SmallVector<MatchPattern *, 4> Children;
    for (const MatchPattern *Child : P->Children)
      Children.push_back(clonePattern(Child));
    New->Children = Arena.copy(ArrayRef(Children));
    return New;
  }

  Function &To;
  llvm::DenseMap<const Value *, Value *> &Map;
  TypeRenaming &Renaming;
  bool Unmapped = false;
  SmallVector<std::pair<const Block *, Block *>, 8> Pending, Results;
  SmallVector<std::pair<const Operation *, Operation *>, 2> Matches;
};
} // namespace

static void cloneBody(const Function &From, Block &To, Signature &Sig,
                      TypeRenaming &Renaming) {
  assert(To.empty() && "copying into a body that is not empty");
  Sig = From.getSignature();
  Renaming.renameTypeParams(Sig);
  llvm::DenseMap<const Value *, Value *> Map;
  Cloner C(*To.getFunction(), Map, Renaming);
  C.cloneArguments(From.getBody(), To);
  C.cloneContents(From.getBody(), To);
  C.run();
  if (Renaming.empty())
    return;
  Renaming.applyTo(Sig);
  Renaming.applyToArguments(To);
  Renaming.applyToOperations(To);
}

static void cloneFunction(const Function &From, Function &To,
                          TypeRenaming &Renaming) {
  cloneBody(From, To.getBody(), To.getSignature(), Renaming);
  To.setForm(From.getForm());
}

void Function::cloneFrom(const Function &F) {
  TypeRenaming Renaming(Ctx);
  cloneFunction(F, *this, Renaming);
}

void relay::cloneFunctionInto(const Function &From, Operation &Fn) {
  TypeRenaming Renaming(From.getContext());
  cloneBody(From, Fn.getRegion(), Fn.getSignature(), Renaming);
}

void relay::cloneBlockInto(const Block &From, Block &To,
                           llvm::DenseMap<const Value *, Value *> &Map,
                           ArrayRef<TypeVarType *> TypeParams,
                           ArrayRef<Type *> TypeArgs) {
  TypeRenaming Renaming(To.getFunction()->getContext());
  Renaming.substitute(TypeParams, TypeArgs);
  Cloner C(*To.getFunction(), Map, Renaming);
  C.cloneContents(From, To);
  C.run();
  if (!Renaming.empty())
    Renaming.applyToOperations(To);
}

Operation *relay::cloneOperation(const Operation &Op, Function &To,
                                 llvm::DenseMap<const Value *, Value *> &Map) {
  TypeRenaming Renaming(To.getContext());
  Cloner C(To, Map, Renaming);
  Operation *New = C.cloneShell(Op);
  C.finish(Op, New);
  C.run();
  if (Renaming.empty())
    return New;
  Renaming.applyTo(To, *New);
  for (Block &Region : New->getRegions())
    Renaming.applyToOperations(Region);
  return New;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::unique_ptr<TypeDef> relay::cloneTypeDef(const TypeDef &D) {
  auto New = std::make_unique<TypeDef>();
  New->Name = D.Name;
  New->TypeParams = D.TypeParams;
  for (const std::unique_ptr<Constructor> &C : D.Constructors)
    New->Constructors.push_back(std::make_unique<Constructor>(*C));
  New->Extern = D.Extern;
  New->Loc = D.Loc;
  return New;
}

/// Renames the type parameters of \p F and of the closures in it.
static void renameTypeParamsIn(const Function &F, TypeRenaming &Renaming) {
  Renaming.rename(F.getSignature().TypeParams);
  if (!F.getNumRegions())
    return;
  walk(const_cast<Function &>(F), [&](Operation *Op) {
    if (Op->is(OpCode::Fn))
      Renaming.rename(Op->getSignature().TypeParams);
  });
}

std::unique_ptr<Module>
Module::clone(function_ref<bool(const Function &)> IsWanted) const {
  auto New = std::make_unique<Module>(Ctx);
  New->Kept = Kept;
  New->Vars = Vars;
  New->setTyped(isTyped());
  New->setAttributes(getAttributes());
  for (const TypeDef &D : typeDefs())
    New->addTypeDef(cloneTypeDef(D));
  // One renaming for all functions, since the type of a function occurs in its
  // users.
  TypeRenaming Renaming(Ctx);
  for (const Function &F : functions())
    if (IsWanted(F))
      renameTypeParamsIn(F, Renaming);
  for (const Function &F : functions())
    if (IsWanted(F))
      cloneFunction(F, *New->createFunction(F.getName(), F.getLoc()), Renaming);
  New->normalize();
  return New;
}
