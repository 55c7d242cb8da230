//===- Normalize.cpp - Canonical order of a function ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Function::normalize() and isNormalized(), in three linear, non-recursive
// steps:
//
//   1. A depth-first walk from the body's `let` chain and result, through
//      operands and regions, gives the post-order of reachable operations.
//   2. Backwards over that order, users first, each floating operation gets the
//      innermost block that encloses its uses; bound operations stay in their
//      blocks.
//   3. Forwards over it, operations are moved to the end of their blocks, and
//      unreachable operations are erased.
//
// The order of a block is the post-order restricted to it. Step 3 is skipped if
// it would change nothing, which one scan of each list shows. Mostly
// CanonicalOrder.h decides that before step 1.
//
// Until the last step, operations are numbered by their positions in the lists,
// and the walk stores its state by these numbers. The walk does not use
// DepthFirstWalk.h of room Transforms, which makes a virtual call for each use:
// every function is normalized after each pass that changed it.
//
// A function in which an operation depends on itself has no such order: it is
// only numbered in the order of its lists.
//
// Forms that TVM cannot express are removed: a scope without bindings; a scope
// that is the result of a block, whose bindings are moved to the block's `let`
// chain; an alias of an operation without other uses; and a call of a value
// that names a function, an operator or a constructor, which becomes a direct
// call.
//
//===----------------------------------------------------------------------===//

#include "CanonicalOrder.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/RewriteListener.h"
#include "relay/IR/Walk.h"

using namespace relay;

namespace relay {

class Normalizer {
public:
  explicit Normalizer(Function &F) : F(F) {
    if (const Module *M = F.getModule())
      Listeners = M->getRewriteListeners();
  }

  bool run() {
    if (isOrdered())
      return false;
    prepare();
    bool Changed = !PlainScopes.empty();
    // Outer scopes come first, so that no operation is moved repeatedly.
    for (Operation *Scope : llvm::reverse(PlainScopes))
      dissolve(Scope);
    Changed |= makeCallsDirect();
    if (!computeOrder()) {
      numberAsListed();
      return Changed;
    }
    Changed |= dissolveTailScopes();
    Changed |= bindNamedOperations();
    Changed |= placeAll();
    // Bindings have moved before their first uses, which changes the order.
    if (HasEarlyUse) {
      std::fill(Positions.begin(), Positions.end(), Unvisited);
      Order.clear();
      computeOrder();
      placeAll();
    }
    number();
    return Changed;
  }

  bool isNormalized() {
    if (isOrdered())
      return true;
    prepare();
    if (!computeOrder())
      return false;
    computePlaces();
    bool Result =
        PlainScopes.empty() && isInPlace() &&
        llvm::none_of(Calls,
                      [](Operation *Op) { return getDirectCall(*Op); }) &&
        llvm::none_of(Scopes, [&](Operation *Op) { return getTail(Op); }) &&
        llvm::none_of(Aliases,
                      [&](Operation *Op) { return getNamedOperation(Op); });
    number();
    return Result;
  }

  const Operation *findCircularUse() {
    prepare();
    computeOrder();
    return Circular;
  }

private:
  static constexpr uint32_t Unvisited = ~0u;
  static constexpr uint32_t Entered = ~0u - 1;

  /// A level of the depth-first walk: an operation, whose operands precede its
  /// regions, or a block, whose bound operations precede its result.
  struct Frame {
    Operation *Op; // null for a block
    Block *B;
    Block::iterator It; // block: the next binding
    unsigned Next;      // operation: the next operand, then region
  };

  bool isOrdered();

  /// Returns the state of \p Op: Unvisited, Entered, or the post-order index.
  uint32_t &positionOf(const Operation *Op) {
    return Positions[Op->getIndex()];
  }
  uint32_t positionOf(const Operation *Op) const {
    return Positions[Op->getIndex()];
  }
  /// Returns true if \p Op has a position. Invalid IR may use operations of
  /// other functions.
  bool isListed(const Operation *Op) const {
    return Op->getBlock() && Op->getBlock()->getFunction() == &F;
  }
  /// Returns true if the walk has finished \p Op.
  bool isPlaced(const Operation *Op) const {
    return isListed(Op) && positionOf(Op) < Order.size();
  }
  void addUnvisited(Operation *Op);
  void prepare();
  void replace(Operation *Op, Value *New);
  void notifyModified(Operation *Op) {
    for (RewriteListener *L : Listeners)
      L->notifyModified(Op);
  }
  void notifyUsersModified(const Value *V);
  void dissolve(Operation *Scope);
  bool makeCallsDirect();
  bool isReached(Use &U) const;
  Block *getTail(Operation *Scope) const;
  bool dissolveTailScopes();
  Operation *getNamedOperation(Operation *Alias) const;
  bool bindNamedOperations();
  void closeGapsOfOrder();

  bool computeOrder();
  void enter(Value *V);
  void enterUse(Value *V);
  void enterBlock(Block &B) { Stack.push_back({nullptr, &B, B.begin(), 0}); }
  void stepOperation(Frame &Top);
  void stepBlock(Frame &Top);

  void computePlaces();
  Block *enclosing(Block *A, Block *B) const;
  unsigned depthOf(const Block *B) const;

  bool isInPlace();
  bool placeAll();
  void place();
  void eraseUnreached(Block &B);
  void number();
  void numberAsListed();

  Function &F;
  ArrayRef<RewriteListener *> Listeners;
  SmallVector<Frame, 16> Stack;
  SmallVector<Operation *, 0> Order;
  SmallVector<uint32_t, 0> Positions;
  /// All scopes without bindings and calls of values; and the reached scopes
  /// and aliases, by post-order.
  SmallVector<Operation *, 4> PlainScopes, Calls, Scopes, Aliases;
  /// By post-order index: the block of each operation.
  SmallVector<Block *, 0> Place;
  /// The nesting depth of the blocks of each operation, by post-order index, if
  /// there are regions; 0 for the body.
  SmallVector<unsigned, 0> Depth;
  size_t NumSeen = 0;
  /// An operation that depends on itself, other than a recursive closure.
  const Operation *Circular = nullptr;
  /// A bound operation is used before its place in the list of its block.
  bool HasEarlyUse = false;
};

} // namespace relay

/// Returns true if the function is seen to be in order without the walk, and
/// then numbers it.
bool Normalizer::isOrdered() {
  std::optional<OrderedBody> Ordered = numberOrderedBody(F);
  if (!Ordered)
    return false;
  F.NumValues = Ordered->NumValues;
  F.NumOperations = Ordered->NumOperations;
  F.NumBindings = Ordered->NumBindings;
  F.NumRegions = Ordered->NumRegions;
  return true;
}

//===----------------------------------------------------------------------===//
// Forms without an expression
//===----------------------------------------------------------------------===//

void Normalizer::addUnvisited(Operation *Op) {
  Op->setIndex(Positions.size());
  Positions.push_back(Unvisited);
  ++NumSeen;
}

/// Numbers all operations in their present order, and finds scopes without
/// bindings, inner ones first, and calls of values.
void Normalizer::prepare() {
  Positions.reserve(F.NumOperations);
  walk(F, [&](Operation *Op) {
    addUnvisited(Op);
    if (Op->is(OpCode::Scope) && Op->getRegion().bindings().empty())
      PlainScopes.push_back(Op);
    else if (Op->is(OpCode::CallValue))
      Calls.push_back(Op);
  });
}

/// Notifies listeners that the users of \p V are modified.
void Normalizer::notifyUsersModified(const Value *V) {
  if (Listeners.empty())
    return;
  for (Use &U : V->uses()) {
    if (Operation *User = U.getUserOp()) {
      notifyModified(User);
      continue;
    }
    Block &B = *U.getUserBlock();
    for (RewriteListener *L : Listeners)
      B.getParentOp() ? L->notifyRegionModified(B)
                      : L->notifyFunctionModified(F);
  }
}

/// Replaces \p Op by \p New.
void Normalizer::replace(Operation *Op, Value *New) {
  for (RewriteListener *L : Listeners) {
    L->notifyReplaced(Op, New);
    reportErased(*L, Op);
  }
  Op->replaceAllUsesWith(New);
  Op->erase();
  notifyUsersModified(New);
}

/// Replaces a scope without bindings by its result, or by an alias if it is
/// bound.
void Normalizer::dissolve(Operation *Scope) {
  Block &From = Scope->getRegion(), &To = *Scope->getBlock();
  Value *Result = From.getResult();
  while (!From.empty()) {
    Operation *Inner = &*From.begin();
    From.remove(Inner);
    To.insert(Scope->getIterator(), Inner);
  }
  if (Scope->isBound()) {
    Operation *Alias = Operation::create(F, AliasOp::getInfo(), Result, nullptr,
                                         Scope->getLoc());
    To.insert(Scope->getIterator(), Alias);
    addUnvisited(Alias);
    Alias->setTypeRaw(Scope->getType());
    Alias->bind(Scope->getVarName(), Scope->getVarAnnotation(),
                Scope->getVarVirtualDevice());
    for (RewriteListener *L : Listeners)
      L->notifyCreated(Alias);
    Result = Alias;
  }
  replace(Scope, Result);
  --NumSeen;
}

/// Replaces calls of values that name a symbol by direct calls.
bool Normalizer::makeCallsDirect() {
  bool Changed = false;
  for (Operation *Call : Calls) {
    std::optional<DirectCall> Direct = getDirectCall(*Call);
    if (!Direct)
      continue;
    Changed = true;
    Operation *New = Operation::create(
        F, *Direct->Info, ArrayRef(Call->getOperandVector()).drop_front(),
        Direct->Attributes, Call->getLoc());
    Call->getBlock()->insert(Call->getIterator(), New);
    addUnvisited(New);
    New->setTypeRaw(Call->getType());
    if (New->getCode() != OpCode::Operator && !Call->getTypeArgs().empty())
      New->setTypeArgs(F, Call->getTypeArgs(), Call->hasInferredTypeArgs());
    if (Call->isBound())
      New->bind(Call->getVarName(), Call->getVarAnnotation(),
                Call->getVarVirtualDevice());
    for (RewriteListener *L : Listeners)
      L->notifyCreated(New);
    replace(Call, New);
    --NumSeen;
  }
  return Changed;
}

/// Returns true if the walk has reached the user of \p U.
bool Normalizer::isReached(Use &U) const {
  Operation *User =
      U.getUserOp() ? U.getUserOp() : U.getUserBlock()->getParentOp();
  return !User || isPlaced(User);
}

/// Returns the block whose result is the floating \p Scope, if it has no other
/// use; null otherwise.
Block *Normalizer::getTail(Operation *Scope) const {
  if (Scope->isBound())
    return nullptr;
  Block *Tail = nullptr;
  for (Use &U : Scope->uses()) {
    if (!isReached(U))
      continue;
    if (Tail || U.getUserOp())
      return nullptr;
    Tail = U.getUserBlock();
  }
  return Tail;
}

/// Moves the operations of a scope that is the result of a block to the end of
/// that block. Outer scopes come first, so that no operation is moved
/// repeatedly.
bool Normalizer::dissolveTailScopes() {
  bool Changed = false;
  for (Operation *Scope : llvm::reverse(Scopes)) {
    Block *Tail = getTail(Scope);
    if (!Tail)
      continue;
    Changed = true;
    Block &Inner = Scope->getRegion();
    while (!Inner.empty()) {
      Operation *Op = &*Inner.begin();
      Inner.remove(Op);
      Tail->push_back(Op);
    }
    Order[positionOf(Scope)] = nullptr;
    replace(Scope, Inner.getResult());
  }
  if (Changed)
    closeGapsOfOrder();
  return Changed;
}

/// Removes replaced operations from the order.
void Normalizer::closeGapsOfOrder() {
  NumSeen -= Order.size();
  llvm::erase(Order, nullptr);
  NumSeen += Order.size();
  for (auto [I, Op] : llvm::enumerate(Order))
    positionOf(Op) = I;
}

Operation *Normalizer::getNamedOperation(Operation *Alias) const {
  return getOperationToBind(Alias, [&](Use &U) { return isReached(U); });
}

/// Binds operations that only an alias uses in place of the alias, which they
/// directly precede in the order.
bool Normalizer::bindNamedOperations() {
  bool Changed = false;
  for (Operation *Alias : Aliases) {
    Operation *Named = getNamedOperation(Alias);
    if (!Named)
      continue;
    Changed = true;
    Order[positionOf(Alias)] = nullptr;
    Named->getBlock()->remove(Named);
    Alias->getBlock()->insert(Alias->getIterator(), Named);
    Named->bind(Alias->getVarName(), Alias->getVarAnnotation(),
                Alias->getVarVirtualDevice());
    notifyModified(Named);
    replace(Alias, Named);
  }
  if (Changed)
    closeGapsOfOrder();
  return Changed;
}

//===----------------------------------------------------------------------===//
// Post-order
//===----------------------------------------------------------------------===//

/// Returns false if there is no order, since an operation depends on itself.
bool Normalizer::computeOrder() {
  Order.reserve(NumSeen);
  enterBlock(F.getBody());
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    if (Top.Op)
      stepOperation(Top);
    else
      stepBlock(Top);
  }
  return !Circular;
}

/// Enters \p V unless it is an argument or was entered before, as a shared
/// value, a recursive closure, or a value that invalidly depends on itself.
void Normalizer::enter(Value *V) {
  auto *Op = dyn_cast_or_null<Operation>(V);
  if (!Op || !isListed(Op))
    return;
  uint32_t &Position = positionOf(Op);
  if (Position < Entered)
    return;
  if (Position == Entered) {
    if (!Op->is(OpCode::Fn))
      Circular = Op;
    return;
  }
  Position = Entered;
  Stack.push_back({Op, nullptr, {}, 0});
}

/// Enters the operand or result \p V.
void Normalizer::enterUse(Value *V) {
  auto *Op = dyn_cast_or_null<Operation>(V);
  HasEarlyUse |=
      Op && Op->isBound() && isListed(Op) && positionOf(Op) == Unvisited;
  enter(V);
}

void Normalizer::stepOperation(Frame &Top) {
  Operation *Op = Top.Op;
  unsigned NumOperands = Op->getNumOperands();
  while (Top.Next < NumOperands) {
    auto *Operand = dyn_cast_or_null<Operation>(Op->getOperand(Top.Next++));
    if (Operand && !isPlaced(Operand))
      return enterUse(Operand);
  }
  unsigned Region = Top.Next - NumOperands;
  if (Region < Op->getNumRegions()) {
    ++Top.Next;
    return enterBlock(Op->getRegion(Region));
  }
  positionOf(Op) = Order.size();
  Order.push_back(Op);
  if (Op->is(OpCode::Alias))
    Aliases.push_back(Op);
  else if (Op->is(OpCode::Scope))
    Scopes.push_back(Op);
  Stack.pop_back();
}

void Normalizer::stepBlock(Frame &Top) {
  Block *B = Top.B;
  while (Top.It != B->end()) {
    Operation &Op = *Top.It++;
    if (Op.isBound() && positionOf(&Op) == Unvisited)
      return enter(&Op);
  }
  Stack.pop_back();
  enterUse(B->getResult());
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

unsigned Normalizer::depthOf(const Block *B) const {
  return B->getParentOp() ? Depth[positionOf(B->getParentOp())] : 0;
}

/// Returns the innermost block that encloses both. The parents of blocks are
/// final here, since the regions of an operation come after it in reverse
/// post-order.
Block *Normalizer::enclosing(Block *A, Block *B) const {
  auto Up = [&](Block *X) { return Place[positionOf(X->getParentOp())]; };
  unsigned DA = depthOf(A), DB = depthOf(B);
  for (; DA > DB; --DA)
    A = Up(A);
  for (; DB > DA; --DB)
    B = Up(B);
  while (A != B) {
    A = Up(A);
    B = Up(B);
  }
  return A;
}

void Normalizer::computePlaces() {
  Place.assign(Order.size(), nullptr);
  bool Nested = false;
  for (size_t I = Order.size(); I-- != 0;) {
    Operation *Op = Order[I];
    Block *Where = Op->isBound() ? Op->getBlock() : nullptr;
    if (!Where && !Nested) {
      Where = &F.getBody();
    } else if (!Where) {
      Block *Last = nullptr;
      for (Use &U : Op->uses()) {
        if (Where == &F.getBody())
          break;
        Block *User = U.getUserBlock();
        if (Operation *UserOp = U.getUserOp()) {
          if (!isPlaced(UserOp))
            continue; // not reached
          User = Place[positionOf(UserOp)];
        } else if (User->getParentOp() && !isPlaced(User->getParentOp())) {
          continue;
        }
        if (User && User != Where && User != Last)
          Where = Where ? enclosing(Where, User) : User;
        Last = User;
      }
    }
    assert(Where && "reached operation without a use");
    Place[I] = Where;
    if (!Op->getNumRegions())
      continue;
    if (!std::exchange(Nested, true))
      Depth.resize(Order.size());
    Depth[I] = depthOf(Where) + 1;
  }
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// Returns true if each list is already in post-order, and contains only
/// reached operations in their blocks.
bool Normalizer::isInPlace() {
  if (NumSeen != Order.size())
    return false;
  auto IsOrdered = [&](Block &B) {
    uint32_t Last = 0;
    for (Operation &Op : B) {
      uint32_t Index = positionOf(&Op);
      if (Index >= Order.size() || Index < Last || Place[Index] != &B)
        return false;
      Last = Index;
    }
    return true;
  };
  if (!IsOrdered(F.getBody()))
    return false;
  for (Operation *Op : Order)
    for (Block &B : Op->getRegions())
      if (!IsOrdered(B))
        return false;
  return true;
}

/// Moves operations to their places. Returns true if one was not there.
bool Normalizer::placeAll() {
  computePlaces();
  if (isInPlace())
    return false;
  place();
  return true;
}

void Normalizer::place() {
  for (auto [Op, Where] : llvm::zip(Order, Place)) {
    if (Block *Old = Op->getBlock())
      Old->remove(Op);
    Where->push_back(Op);
  }
  eraseUnreached(F.getBody());
  for (Operation *Op : Order)
    for (Block &B : Op->getRegions())
      eraseUnreached(B);
}

/// Erases unreachable operations, which are at the front of the list now. Uses
/// among them are dropped first, since their order is arbitrary.
void Normalizer::eraseUnreached(Block &B) {
  SmallVector<Operation *, 8> Dead;
  for (Operation &Op : B) {
    if (positionOf(&Op) < Order.size())
      break;
    Dead.push_back(&Op);
  }
  for (RewriteListener *L : Listeners)
    for (Operation *Op : Dead)
      reportErased(*L, Op);
  for (Operation *Op : Dead)
    Op->replaceAllUsesWith(nullptr);
  for (Operation *Op : Dead)
    Op->erase();
}

/// Numbers values: first the arguments of the body, then operations by
/// post-order, each followed by the arguments of its regions.
void Normalizer::number() {
  uint32_t Next = 0;
  for (BlockArgument *Arg : F.getParams())
    Arg->setIndex(Next++);
  F.NumBindings = F.NumRegions = 0;
  for (Operation *Op : Order) {
    Op->setIndex(Next++);
    F.NumBindings += Op->isBound();
    F.NumRegions += Op->getNumRegions();
    for (Block &B : Op->getRegions())
      for (BlockArgument *Arg : B.getArguments())
        Arg->setIndex(Next++);
  }
  F.NumValues = Next;
  F.NumOperations = Order.size();
}

/// Numbers operations in the order of the lists. The Verifier reports the
/// missing order.
void Normalizer::numberAsListed() {
  Order.clear();
  walk(F, [&](Operation *Op) { Order.push_back(Op); });
  number();
}

bool Function::normalize() { return Normalizer(*this).run(); }

const Operation *relay::findCircularUse(Function &F) {
  SmallVector<std::pair<Operation *, uint32_t>, 0> Numbers;
  walk(F, [&](Operation *Op) { Numbers.push_back({Op, Op->getIndex()}); });
  const Operation *Circular = Normalizer(F).findCircularUse();
  for (auto [Op, Number] : Numbers)
    Op->setIndex(Number);
  return Circular;
}

bool Function::isNormalized() const {
  return Normalizer(const_cast<Function &>(*this)).isNormalized();
}

bool Module::normalize() {
  bool Changed = false;
  for (Function &F : functions())
    Changed |= F.normalize();
  return Changed;
}
