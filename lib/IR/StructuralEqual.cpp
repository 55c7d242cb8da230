//===- StructuralEqual.cpp - Equality of IR -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both sides are walked together from the `let` chain and the result, as the
// corresponding expressions of TVM; matched nodes stay matched. The canonical
// order cannot be used, since it numbers constants and projections, whose
// sharing is not significant. PartEqual.cpp compares types and attributes.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "PartEqual.h"
#include "relay/IR/Core.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

namespace {

class Comparer {
public:
  Comparer(Module *ML, Module *MR, const EqualOptions &O, Difference *D)
      : ML(ML), MR(MR), O(O), D(D), Parts(O, /*MatchFree=*/true) {}

  bool sameModules();
  bool sameFunctions(Function &L, Function &R);

private:
  /// A pending comparison: two uses of values, the contents of two operations,
  /// or (without values) the top of Sequences.
  struct Task {
    llvm::PointerIntPair<Value *, 1, bool> L; ///< flag: contents
    Value *R;
  };
  /// Two blocks, starting at a binding.
  struct Sequence {
    Block *L, *R;
    Block::iterator ItL, ItR;
  };

  bool differ(const Twine &Reason, const Value *L = nullptr,
              const Value *R = nullptr);
  bool run();

  // Modules.
  bool sameTypeDefs();
  bool sameTypeDef(const TypeDef &L, const TypeDef &R);
  bool sameMatchedFunctions();
  bool sameLiftedFunctions();
  bool isLifted(StringRef Name) const;
  bool sameGlobal(StringRef L, StringRef R);

  // Parts of operations.
  bool sameUse(Value *L, Value *R);
  bool sameContents(Operation *L, Operation *R);
  bool sameSymbolsAndAttrs(Operation *L, Operation *R);
  bool sameTypeArgs(Operation *L, Operation *R);
  bool samePatterns(Operation *L, Operation *R);
  bool sameSequence(Sequence S);
  bool sameBindings(Operation *L, Operation *R);
  bool sameSignature(const Signature &L, const Signature &R, Block &BL,
                     Block &BR, const Value *VL, const Value *VR);
  bool sameArguments(BlockArgument *L, BlockArgument *R) {
    return sameVariables(L, R, getTypeToCompare(L), getTypeToCompare(R),
                         L->getVirtualDevice(), R->getVirtualDevice());
  }
  bool sameVariables(Value *L, Value *R, Type *TL, Type *TR, Attr DeviceL,
                     Attr DeviceR);

  void pushUse(Value *L, Value *R) { Stack.push_back({{L, false}, R}); }
  void pushContents(Value *L, Value *R) { Stack.push_back({{L, true}, R}); }
  void pushSequence(const Sequence &S) {
    Sequences.push_back(S);
    pushUse(nullptr, nullptr);
  }
  void pushBlocks(Block &L, Block &R) {
    pushSequence({&L, &R, L.begin(), R.begin()});
  }
  /// Return the counterparts of \p L and of \p R.
  Value *&rightOf(Value *L) { return Right[L->getIndex()]; }
  Value *&leftOf(Value *R) { return Left[R->getIndex()]; }

  Module *ML, *MR;
  const EqualOptions &O;
  Difference *D;
  PartComparer Parts;
  Function *FL = nullptr, *FR = nullptr;
  SmallVector<Task, 32> Stack;
  SmallVector<Sequence, 8> Sequences;
  uint32_t BindingsLeft = 0, BindingsRight = 0;
  /// The counterpart of each value, by index. For a bound operation, its
  /// variable is matched.
  SmallVector<Value *, 0> Right, Left;
  Bijection<const char *> LiftedNames;
  /// Functions matched by LiftedNames, in order.
  SmallVector<std::pair<Function *, Function *>, 4> LiftedFunctions;
  size_t NextLifted = 0;
};

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string quote(const Type *T) {
  return T ? "'" + toString(T) + "'" : std::string("an unknown type");
}

std::string getName(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  if (Op && Op->isFloating())
    return ("'" + Op->getName() + "'").str();
  StringRef Name = Op ? Op->getVarName() : cast<BlockArgument>(V)->getName();
  return ("'%" + Name + "'").str();
}

bool Comparer::differ(const Twine &Reason, const Value *L, const Value *R) {
  if (D)
    *D = {Reason.str(), L, R, FL, FR};
  return false;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

bool Comparer::run() {
  while (!Stack.empty()) {
    auto [L, R] = Stack.pop_back_val();
    bool Same = !R           ? sameSequence(Sequences.pop_back_val())
                : L.getInt() ? sameContents(cast<Operation>(L.getPointer()),
                                            cast<Operation>(R))
                             : sameUse(L.getPointer(), R);
    if (!Same)
      return false;
  }
  return true;
}

bool Comparer::sameUse(Value *L, Value *R) {
  bool Same = rightOf(L) == R && leftOf(R) == L;
  if (isVariable(L) || isVariable(R)) {
    if (isVariable(L) != isVariable(R))
      return differ("different values: " + getName(L) + " and " + getName(R), L,
                    R);
    return Same ||
           differ("different variables: " + getName(L) + " and " + getName(R),
                  L, R);
  }
  if (Same)
    return true;
  Operation *OpL = cast<Operation>(L), *OpR = cast<Operation>(R);
  if (isGraphNode(OpL) && isGraphNode(OpR) &&
      &OpL->getInfo() == &OpR->getInfo()) {
    if (rightOf(L))
      return differ("the left reuses an expression, the right uses another one",
                    L, R);
    if (leftOf(R))
      return differ("the right reuses an expression, the left uses another one",
                    L, R);
  }
  rightOf(L) = R;
  leftOf(R) = L;
  pushContents(L, R);
  return true;
}

/// Returns the next bound operation of \p B at or after \p It, and advances It
/// past it; null if there is none. \p Left is the number of bound operations of
/// the function not returned yet: the search stops at 0, since scanning a long
/// list of floating operations is as expensive as comparing them.
Operation *takeBinding(Block &B, Block::iterator &It, uint32_t &Left) {
  while (Left && It != B.end()) {
    Operation &Op = *It++;
    if (!Op.isBound())
      continue;
    --Left;
    return &Op;
  }
  return nullptr;
}

bool Comparer::sameSequence(Sequence S) {
  Operation *L = takeBinding(*S.L, S.ItL, BindingsLeft);
  Operation *R = takeBinding(*S.R, S.ItR, BindingsRight);
  if (!L && !R) {
    pushUse(S.L->getResult(), S.R->getResult());
    return true;
  }
  constexpr const char *NoMore = " has no more bindings";
  if (!L)
    return differ("the right binds " + getName(R) + ", the left" + NoMore,
                  S.L->getResult(), R);
  if (!R)
    return differ("the left binds " + getName(L) + ", the right" + NoMore, L,
                  S.R->getResult());
  pushSequence(S);
  return sameBindings(L, R);
}

/// Matches the variables first, since a closure may be recursive.
bool Comparer::sameBindings(Operation *L, Operation *R) {
  if (!sameVariables(L, R, getTypeToCompare(L), getTypeToCompare(R),
                     L->getVarVirtualDevice(), R->getVarVirtualDevice()))
    return false;
  bool AliasL = L->is(OpCode::Alias), AliasR = R->is(OpCode::Alias);
  if (AliasL && AliasR) {
    pushUse(L->getOperand(0), R->getOperand(0));
    return true;
  }
  if (AliasL || AliasR)
    return differ("different values of variables: " +
                      getName(AliasL ? L->getOperand(0) : L) + " and " +
                      getName(AliasR ? R->getOperand(0) : R),
                  L, R);
  pushContents(L, R);
  return true;
}

bool Comparer::sameVariables(Value *L, Value *R, Type *TL, Type *TR,
                             Attr DeviceL, Attr DeviceR) {
  rightOf(L) = R;
  leftOf(R) = L;
  if (!Parts.same(TL, TR))
    return differ("different types: " + quote(TL) + " and " + quote(TR), L, R);
  if (!Parts.same(DeviceL, DeviceR))
    return differ("different virtual devices", L, R);
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool Comparer::sameContents(Operation *L, Operation *R) {
  if (&L->getInfo() != &R->getInfo())
    return differ("different operations: '" + L->getName() + "' and '" +
                      R->getName() + "'",
                  L, R);
  if (!sameSymbolsAndAttrs(L, R))
    return false;
  if (L->getNumOperands() != R->getNumOperands())
    return differ(
        "different numbers of operands: " + Twine(L->getNumOperands()) +
            " and " + Twine(R->getNumOperands()),
        L, R);
  if (L->getNumRegions() != R->getNumRegions())
    return differ("different numbers of clauses: " + Twine(L->getNumRegions()) +
                      " and " + Twine(R->getNumRegions()),
                  L, R);
  if (!sameTypeArgs(L, R))
    return false;
  if (L->is(OpCode::Fn) && !sameSignature(L->getSignature(), R->getSignature(),
                                          L->getRegion(), R->getRegion(), L, R))
    return false;
  if (L->is(OpCode::Match) && !samePatterns(L, R))
    return false;
  // The first region is compared first.
  for (unsigned I = L->getNumRegions(); I-- != 0;)
    pushBlocks(L->getRegion(I), R->getRegion(I));
  for (unsigned I = L->getNumOperands(); I-- != 0;)
    pushUse(L->getOperand(I), R->getOperand(I));
  return true;
}

bool Comparer::sameSymbolsAndAttrs(Operation *L, Operation *R) {
  const Attrs *AL = L->getAttrs(), *AR = R->getAttrs();
  if (L->is(OpCode::CallGlobal) || L->is(OpCode::GlobalRef)) {
    StringRef NL = getNamedGlobal(*L), NR = getNamedGlobal(*R);
    if (!sameGlobal(NL, NR))
      return differ("different functions: '@" + NL + "' and '@" + NR + "'", L,
                    R);
    if (L->is(OpCode::GlobalRef) ||
        Parts.same(CallGlobalOp(L).attrs().attributes(),
                   CallGlobalOp(R).attrs().attributes()))
      return true;
    return differ("different attributes of the call", L, R);
  }
  if (Parts.same(AL, AR))
    return true;
  if (L->is(OpCode::Constant))
    return differ("different constants", L, R);
  return differ("different attribute '" + Parts.findDifference(AL, AR) + "'", L,
                R);
}

/// Type arguments of operator calls are ignored, since text does not keep them.
bool Comparer::sameTypeArgs(Operation *L, Operation *R) {
  ArrayRef<Type *> TL = L->getTypeArgs(), TR = R->getTypeArgs();
  if (L->is(OpCode::Operator))
    return true;
  if (TL.size() != TR.size())
    return differ("different numbers of type arguments: " + Twine(TL.size()) +
                      " and " + Twine(TR.size()),
                  L, R);
  for (auto [AL, AR] : llvm::zip(TL, TR))
    if (!Parts.same(AL, AR))
      return differ(
          "different type arguments: " + quote(AL) + " and " + quote(AR), L, R);
  return true;
}

bool Comparer::samePatterns(Operation *L, Operation *R) {
  if (L->isCompleteMatch() != R->isCompleteMatch())
    return differ("'match' and 'match?'", L, R);
  SmallVector<std::pair<MatchPattern *, MatchPattern *>, 8> Worklist;
  for (auto Pair : llvm::zip(L->getPatterns(), R->getPatterns()))
    Worklist.emplace_back(std::get<0>(Pair), std::get<1>(Pair));
  while (!Worklist.empty()) {
    auto [PL, PR] = Worklist.pop_back_val();
    if (PL->K != PR->K || PL->Constructor != PR->Constructor ||
        PL->Children.size() != PR->Children.size())
      return differ("different patterns", L, R);
    if (BlockArgument *VL = PL->Variable)
      if (!sameArguments(VL, PR->Variable))
        return false;
    for (auto Pair : llvm::zip(PL->Children, PR->Children))
      Worklist.emplace_back(std::get<0>(Pair), std::get<1>(Pair));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Comparer::sameSignature(const Signature &L, const Signature &R, Block &BL,
                             Block &BR, const Value *VL, const Value *VR) {
  if (BL.getNumArguments() != BR.getNumArguments())
    return differ(
        "different numbers of parameters: " + Twine(BL.getNumArguments()) +
            " and " + Twine(BR.getNumArguments()),
        VL, VR);
  if (!Parts.matchTypeParams(L.TypeParams, R.TypeParams))
    return differ("different type parameters", VL, VR);
  for (auto [PL, PR] : llvm::zip(BL.getArguments(), BR.getArguments()))
    if (!sameArguments(PL, PR))
      return false;
  Type *TL = getResultTypeToCompare(L, BL), *TR = getResultTypeToCompare(R, BR);
  if (!Parts.same(TL, TR))
    return differ("different result types: " + quote(TL) + " and " + quote(TR),
                  VL, VR);
  if (O.ResultVirtualDevices && !Parts.same(L.VirtualDevice, R.VirtualDevice))
    return differ("different virtual devices of the result", VL, VR);
  if (Parts.sameDict(L.Attributes, R.Attributes))
    return true;
  return differ("different function attribute '" +
                    Parts.findDifference(L.Attributes, R.Attributes) + "'",
                VL, VR);
}

bool Comparer::sameFunctions(Function &L, Function &R) {
  FL = &L;
  FR = &R;
  Stack.clear();
  Sequences.clear();
  BindingsLeft = L.getNumBindings();
  BindingsRight = R.getNumBindings();
  Right.assign(L.getNumValues(), nullptr);
  Left.assign(R.getNumValues(), nullptr);
  if (!sameSignature(L.getSignature(), R.getSignature(), L.getBody(),
                     R.getBody(), nullptr, nullptr))
    return false;
  pushBlocks(L.getBody(), R.getBody());
  bool Same = run();
  FL = FR = nullptr;
  return Same;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

bool Comparer::sameModules() {
  if (O.ModuleAttributes &&
      !Parts.sameDict(ML->getAttributes(), MR->getAttributes()))
    return differ("different attributes of the module");
  if (!sameTypeDefs())
    return false;
  for (Function &R : MR->functions())
    if (!isLifted(R.getName()) && !ML->lookupFunction(R.getName()))
      return differ("'@" + R.getName() + "' is only on the right");
  for (Function &L : ML->functions()) {
    if (isLifted(L.getName()))
      continue;
    Function *R = MR->lookupFunction(L.getName());
    if (!R)
      return differ("'@" + L.getName() + "' is only on the left");
    if (!sameFunctions(L, *R))
      return false;
  }
  return sameLiftedFunctions();
}

bool Comparer::isLifted(StringRef Name) const {
  return O.MatchLiftedNames && Name.consume_front("lifted_name") &&
         !Name.empty() && llvm::all_of(Name, llvm::isDigit);
}

/// Names are interned: equal names have equal data pointers.
bool Comparer::sameGlobal(StringRef L, StringRef R) {
  if (!isLifted(L) || !isLifted(R))
    return L == R;
  if (std::optional<bool> Matched = LiftedNames.isMatched(L.data(), R.data()))
    return *Matched;
  LiftedNames.match(L.data(), R.data());
  if (ML && MR)
    LiftedFunctions.push_back({ML->lookupFunction(L), MR->lookupFunction(R)});
  return true;
}

/// Compares functions that were matched by references.
bool Comparer::sameMatchedFunctions() {
  for (; NextLifted != LiftedFunctions.size(); ++NextLifted) {
    auto [L, R] = LiftedFunctions[NextLifted];
    if (L && R && !sameFunctions(*L, *R))
      return false;
  }
  return true;
}

/// Matches unreferenced functions in order.
bool Comparer::sameLiftedFunctions() {
  if (ML->getNumFunctions() != MR->getNumFunctions())
    return differ(
        "different numbers of functions: " + Twine(ML->getNumFunctions()) +
        " and " + Twine(MR->getNumFunctions()));
  auto IsFreeRight = [&](Function &F) {
    return isLifted(F.getName()) && !LiftedNames.hasRight(F.getName().data());
  };
  auto RightFunctions = MR->functions();
  auto It = RightFunctions.begin(), End = RightFunctions.end();
  if (!sameMatchedFunctions())
    return false;
  for (Function &L : ML->functions()) {
    if (!isLifted(L.getName()) || LiftedNames.hasLeft(L.getName().data()))
      continue;
    It = std::find_if(It, End, IsFreeRight);
    if (It == End)
      return differ("'@" + L.getName() + "' is only on the left");
    sameGlobal(L.getName(), (*It).getName());
    if (!sameMatchedFunctions())
      return false;
  }
  return true;
}

bool Comparer::sameTypeDefs() {
  for (TypeDef &R : MR->typeDefs())
    if (!ML->lookupTypeDef(R.Name))
      return differ("type '" + R.Name + "' is only on the right");
  for (TypeDef &L : ML->typeDefs()) {
    TypeDef *R = MR->lookupTypeDef(L.Name);
    if (!R)
      return differ("type '" + L.Name + "' is only on the left");
    if (!sameTypeDef(L, *R))
      return differ("different definitions of type '" + L.Name + "'");
  }
  return true;
}

bool Comparer::sameTypeDef(const TypeDef &L, const TypeDef &R) {
  if (L.Extern != R.Extern || L.Constructors.size() != R.Constructors.size() ||
      !Parts.matchTypeParams(L.TypeParams, R.TypeParams))
    return false;
  for (auto [CL, CR] : llvm::zip(L.Constructors, R.Constructors)) {
    if (CL->Name != CR->Name || CL->Fields.size() != CR->Fields.size())
      return false;
    for (auto [TL, TR] : llvm::zip(CL->Fields, CR->Fields))
      if (!Parts.same(TL, TR))
        return false;
  }
  return true;
}

} // namespace

bool relay::isStructurallyEqual(Module &L, Module &R, const EqualOptions &O,
                                Difference *D) {
  return Comparer(&L, &R, O, D).sameModules();
}

bool relay::isStructurallyEqual(Function &L, Function &R, const EqualOptions &O,
                                Difference *D) {
  return Comparer(L.getModule(), R.getModule(), O, D).sameFunctions(L, R);
}
