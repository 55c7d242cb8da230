//===- Operation.h - Operations and blocks ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operation, and Block, which holds operations. An operation is *bound* when a
// `let` binds it: it then has a place in its block's sequence, and only such
// places order effects. Otherwise it is *floating*: a node of a graph, whose
// place Function::normalize() finds. Relay has no control flow graph, so that a
// region and its one block are the same thing: Block.
//
// Operations live in their function's arena; see Function.h. Passes change them
// through Rewriter.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_OPERATION_H
#define RELAY_IR_OPERATION_H

#include "relay/IR/OpInfo.h"
#include "relay/IR/Value.h"
#include "relay/Support/Diagnostics.h"
#include "llvm/ADT/ilist_node.h"
#include "llvm/ADT/simple_ilist.h"
#include <string>

namespace relay {

class Context;
class IRArena;
class Module;

/// The common part of functions and closures, except for their parameters,
/// which are the arguments of the body's block.
struct Signature {
  TypeParamList TypeParams;
  /// The result type written in the text; null if none.
  Type *ResultAnnotation = nullptr;
  /// Attributes in the order written; null or a Dict (Context::getDictAttrs).
  const Attrs *Attributes = nullptr;
  /// The virtual device of the result.
  Attr VirtualDevice;

  /// The value of the attribute \p Key; null if absent.
  Attr getAttr(StringRef Key) const;
};

/// A pattern of a `match` clause. Owned by the function's arena.
struct MatchPattern {
  enum class Kind : uint8_t { Wildcard, Var, Constructor, Tuple };
  Kind K = Kind::Wildcard;
  StringRef Constructor;             ///< interned name
  BlockArgument *Variable = nullptr; ///< Var: an argument of the clause's block
  ArrayRef<MatchPattern *> Children; ///< Constructor, Tuple
};

/// The parts of particular constructs, created when first needed.
struct OpParts {
  // Fn: its signature.
  Signature *Sig = nullptr;
  // Calls: type arguments, if they were written or inferred.
  ArrayRef<Type *> TypeArgs;
  bool InferredTypeArgs = false;
  // Operations with regions: the list of regions, which are not moved.
  Block **Regions = nullptr;
  // Match: one pattern for each region; `match` or `match?`.
  bool CompleteMatch = true;
  ArrayRef<MatchPattern *> Patterns;
};

/// The parts of bound operations and particular constructs, created when first
/// needed. Small: there may be one for each operation.
struct OpExtra {
  // Bound operations.
  const char *VarName = nullptr; ///< interned, without `%`
  uint32_t VarNameSize = 0;
  // Operations with regions.
  uint32_t NumRegions = 0;
  Type *VarAnnotation = nullptr;
  Attr VarVirtualDevice;
  OpParts *Parts = nullptr;
};

class Operation final : public Value, public llvm::ilist_node<Operation> {
public:
  /// Makes a floating operation in no block; Builder inserts it. \p A has to
  /// belong to \p Info. Regions are empty blocks.
  static Operation *create(Function &F, const OpInfo &Info,
                           ArrayRef<Value *> Operands, const Attrs *A,
                           Location Loc, unsigned NumRegions = 0);
  /// Drops the operands, takes it out of its block and recycles its memory,
  /// regions included. There must be no uses left.
  void erase();
  /// Returns true if the operation was erased and its memory has not been
  /// reused; see OperationHandle.
  bool isErased() const { return Erased; }

  const OpInfo &getInfo() const { return *Info; }
  OpCode getCode() const { return Info->Code; }
  StringRef getName() const { return Info->Name; }
  /// For messages: `nn.relu at in.relay:7:3`, without the position if it is not
  /// known.
  std::string getDescription() const;
  bool is(OpCode C) const { return Info->Code == C; }
  /// A call of the operator \p I.
  bool is(const OpInfo &I) const { return Info == &I; }
  bool hasTrait(OpTrait T) const { return Info->hasTrait(T); }
  Location getLoc() const { return Loc; }
  /// Raw; see Rewriter::setLocation.
  void setLoc(Location L) { Loc = L; }

  const Attrs *getAttrs() const { return Attributes; }
  template <typename T> const T &getAttrsAs() const {
    return static_cast<const T &>(*Attributes);
  }
  /// Raw; see Rewriter::setAttrs.
  void setAttrsRaw(const Attrs *A) {
    if (is(OpCode::Constant))
      return setConstantAttrs(A);
    Attributes = A;
  }
  /// The attribute \p Name; null if absent.
  Attr getAttr(StringRef Name) const {
    return Attributes ? Attributes->lookup(Name) : Attr();
  }

  unsigned getNumOperands() const { return NumOperands; }
  Value *getOperand(unsigned I) const { return getUses()[I].get(); }
  /// Raw; see Rewriter::setOperand.
  void setOperandRaw(unsigned I, Value *V) { getUses()[I].set(V); }
  MutableArrayRef<Use> getUses() const {
    return MutableArrayRef(
        const_cast<Use *>(reinterpret_cast<const Use *>(this + 1)),
        NumOperands);
  }
  auto operands() const {
    return llvm::map_range(getUses(), [](Use &U) { return U.get(); });
  }
  SmallVector<Value *, 4> getOperandVector() const {
    return SmallVector<Value *, 4>(operands());
  }

  //===--- Binding --------------------------------------------------------===//
  bool isBound() const { return Bound; }
  bool isFloating() const { return !Bound; }
  /// Makes it bound by `let %Name: Annotation = …`, at its place in its block.
  /// Raw; see Rewriter::bind.
  void bind(StringRef InternedName, Type *Annotation = nullptr,
            Attr VirtualDevice = {});
  /// Makes it floating. Raw; see Rewriter::unbind.
  void unbind() { Bound = false; }
  StringRef getVarName() const {
    return Extra ? StringRef(Extra->VarName, Extra->VarNameSize) : StringRef();
  }
  Type *getVarAnnotation() const {
    return Extra ? Extra->VarAnnotation : nullptr;
  }
  Attr getVarVirtualDevice() const {
    return Extra ? Extra->VarVirtualDevice : Attr();
  }

  //===--- Regions --------------------------------------------------------===//
  unsigned getNumRegions() const { return Extra ? Extra->NumRegions : 0; }
  inline Block &getRegion(unsigned I = 0) const;
  /// The regions as a range of `Block &`.
  inline auto getRegions() const;
  /// Adds an empty region after the others. Raw; see Rewriter::addRegion.
  Block &addRegion();

  //===--- Parts of particular constructs ---------------------------------===//
  /// The signature of an Fn.
  Signature &getSignature() const {
    assert(is(OpCode::Fn));
    return *Extra->Parts->Sig;
  }
  ArrayRef<Type *> getTypeArgs() const {
    return Extra && Extra->Parts ? Extra->Parts->TypeArgs : ArrayRef<Type *>();
  }
  /// Returns true if inference found the type arguments, and finds them anew.
  bool hasInferredTypeArgs() const {
    return Extra && Extra->Parts && Extra->Parts->InferredTypeArgs;
  }
  /// The type arguments that inference may not change.
  ArrayRef<Type *> getWrittenTypeArgs() const {
    return hasInferredTypeArgs() ? ArrayRef<Type *>() : getTypeArgs();
  }
  /// Copies \p Args into the arena of \p F, this operation's function.
  void setTypeArgs(Function &F, ArrayRef<Type *> Args, bool Inferred = false);
  ArrayRef<MatchPattern *> getPatterns() const {
    return Extra->Parts->Patterns;
  }
  void setPatterns(ArrayRef<MatchPattern *> Patterns);
  bool isCompleteMatch() const { return Extra->Parts->CompleteMatch; }
  void setCompleteMatch(bool On) { Extra->Parts->CompleteMatch = On; }

  //===--- Place ----------------------------------------------------------===//
  Block *getBlock() const { return Parent; }
  /// The operation whose region holds this one; null in a function's body.
  inline Operation *getParentOp() const;

  static bool classof(const Value *V) {
    return V->getValueKind() == Kind::Operation;
  }

private:
  friend class Block;
  friend class Function;
  friend class HandleTable;
  friend class IRArena;
  Operation(const OpInfo &Info, const Attrs *A, Location Loc, unsigned N)
      : Value(Kind::Operation, nullptr), Info(&Info), Attributes(A), Loc(Loc),
        NumOperands(N) {}
  /// A constant holds its data.
  void retainConstant() const;
  void releaseConstant() const;
  void setConstantAttrs(const Attrs *A);
  OpExtra &getOrCreateExtra(IRArena &Arena);
  OpParts &getOrCreateParts(IRArena &Arena);
  void createRegions(Function &F, MutableArrayRef<Block *> Into);
  /// Ends the life of this operation of \p F, which is in no list and uses
  /// nothing; null if nobody knows the function.
  void destroy(Function *F);

  const OpInfo *Info;
  const Attrs *Attributes;
  OpExtra *Extra = nullptr;
  Location Loc;
  uint32_t NumOperands;
  // NumOperands objects of class Use follow.
};

/// A sequence of operations with arguments and a result: a function's body or
/// a region of an operation.
class Block {
public:
  using OpList = llvm::simple_ilist<Operation>;
  using iterator = OpList::iterator;

  Block() : Result(this) {}
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  Function *getFunction() const { return F; }
  /// The operation that this block is a region of; null for a body.
  Operation *getParentOp() const { return ParentOp; }
  /// Which region of that operation it is.
  unsigned getRegionNumber() const;
  /// The block around this one; null for a body.
  Block *getParentBlock() const {
    return ParentOp ? ParentOp->getBlock() : nullptr;
  }
  /// Returns true if this is \p Outer or a block in it.
  bool isInside(const Block &Outer) const {
    const Block *B = this;
    while (B && B != &Outer)
      B = B->getParentBlock();
    return B;
  }
  /// Returns true if this is a region of \p Op or a block in one.
  bool isInRegionOf(const Operation &Op) const {
    const Block *B = this;
    while (B && B->ParentOp != &Op)
      B = B->getParentBlock();
    return B;
  }

  ArrayRef<BlockArgument *> getArguments() const { return Arguments; }
  unsigned getNumArguments() const { return Arguments.size(); }
  BlockArgument *getArgument(unsigned I) const { return Arguments[I]; }
  BlockArgument *addArgument(StringRef InternedName, Type *Annotation,
                             Location Loc = {});
  /// Takes out argument \p I, which has no uses.
  void eraseArgument(unsigned I);

  /// The value that the block yields; null while under construction.
  Value *getResult() const { return Result.get(); }
  Use &getResultUse() { return Result; }
  /// Raw; see Rewriter::setResult.
  void setResultRaw(Value *V) { Result.set(V); }

  OpList &getOperations() { return Ops; }
  iterator begin() { return Ops.begin(); }
  iterator end() { return Ops.end(); }
  bool empty() const { return Ops.empty(); }

  void insert(iterator Before, Operation *Op) {
    assert(!Op->Parent && "already in a block");
    Op->Parent = this;
    Ops.insert(Before, *Op);
  }
  void push_back(Operation *Op) { insert(end(), Op); }
  /// Takes \p Op out without deleting it.
  void remove(Operation *Op) {
    assert(Op->Parent == this);
    Ops.remove(*Op);
    Op->Parent = nullptr;
  }
  /// The bound operations, in sequence.
  auto bindings() {
    return llvm::make_filter_range(Ops,
                                   [](Operation &Op) { return Op.isBound(); });
  }

private:
  friend class Function;
  friend class Operation;
  Function *F = nullptr;
  Operation *ParentOp = nullptr;
  OpList Ops;
  Use Result;
  SmallVector<BlockArgument *, 3> Arguments;
};

inline Block &Operation::getRegion(unsigned I) const {
  assert(I < getNumRegions());
  return *Extra->Parts->Regions[I];
}
inline auto Operation::getRegions() const {
  unsigned N = getNumRegions();
  return llvm::make_pointee_range(
      ArrayRef<Block *>(N ? Extra->Parts->Regions : nullptr, N));
}
inline Operation *Operation::getParentOp() const {
  return Parent ? Parent->getParentOp() : nullptr;
}
inline Operation *Value::getDefiningOp() { return dyn_cast<Operation>(this); }
inline const Operation *Value::getDefiningOp() const {
  return dyn_cast<Operation>(this);
}
inline unsigned Use::getOperandNo() const {
  Operation *Op = getUserOp();
  return Op ? unsigned(this - Op->getUses().data()) : 0;
}

//===----------------------------------------------------------------------===//
// Typed views of operations
//===----------------------------------------------------------------------===//

/// Base of the classes that relay-tblgen generates, one an op: a pointer with
/// the op's accessors. `dyn_cast<Conv2DOp>(Op)` works on Operation * and
/// Value *.
class OpView {
public:
  OpView(std::nullptr_t = nullptr) {}
  explicit operator bool() const { return Op; }
  operator Operation *() const { return Op; }
  Operation *operator->() const { return Op; }
  Operation *getOperation() const { return Op; }

protected:
  /// A view of a const operation may be made, and is not const itself.
  explicit OpView(const Operation *Op) : Op(const_cast<Operation *>(Op)) {}
  Operation *Op = nullptr;
};

} // namespace relay

namespace llvm {

/// isa, cast and dyn_cast from Operation * and Value * to a typed view.
template <typename OpT, typename From>
struct CastInfo<OpT, From *,
                std::enable_if_t<
                    std::is_base_of_v<relay::OpView, OpT> &&
                    std::is_base_of_v<relay::Value, std::remove_const_t<From>>>>
    : NullableValueCastFailed<OpT>,
      DefaultDoCastIfPossible<OpT, From *, CastInfo<OpT, From *>> {
  static bool isPossible(From *V) {
    const relay::Operation *Op = V->getDefiningOp();
    return Op && &Op->getInfo() == &OpT::getInfo();
  }
  static OpT doCast(From *V) { return OpT(V->getDefiningOp()); }
};

} // namespace llvm

#endif // RELAY_IR_OPERATION_H
