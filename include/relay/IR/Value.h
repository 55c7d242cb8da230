//===- Value.h - Values and their uses --------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Value is the result of an expression: an operation (which is its own single
// result) or an argument of a block. Every use of a value is a Use on the
// value's intrusive list; its user is an operation, or a block that yields the
// value as its result.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_VALUE_H
#define RELAY_IR_VALUE_H

#include "relay/IR/Type.h"
#include "relay/Support/Diagnostics.h"
#include "llvm/ADT/iterator_range.h"

namespace relay {

class Block;
class Function;
class Operation;
class Use;
class Value;

/// One edge from a user to the value that it uses.
class Use {
public:
  Use(const Use &) = delete;
  Use &operator=(const Use &) = delete;

  Value *get() const { return Val; }
  operator Value *() const { return Val; }
  Value *operator->() const { return Val; }
  /// Points the use at \p V (null: at nothing). For IR rooms and Rewriter.
  inline void set(Value *V);

  /// The using operation; null when a block yields the value.
  Operation *getUserOp() const {
    return reinterpret_cast<Operation *>(User & 1 ? 0 : User);
  }
  /// The block that yields the value; null when an operation uses it.
  Block *getUserBlock() const {
    return reinterpret_cast<Block *>(User & 1 ? User & ~uintptr_t(1) : 0);
  }
  /// Index among the operands of the user; 0 for a block's result.
  inline unsigned getOperandNo() const;
  Use *getNext() const { return Next; }

private:
  friend class Operation;
  friend class Block;
  friend class Value;
  explicit Use(Operation *Op) : User(reinterpret_cast<uintptr_t>(Op)) {}
  explicit Use(Block *B) : User(reinterpret_cast<uintptr_t>(B) | 1) {}

  Value *Val = nullptr;
  Use *Next = nullptr;
  Use **PrevLink = nullptr;
  uintptr_t User;
};

class use_iterator
    : public llvm::iterator_facade_base<use_iterator, std::forward_iterator_tag,
                                        Use> {
public:
  explicit use_iterator(Use *U = nullptr) : U(U) {}
  bool operator==(const use_iterator &O) const { return U == O.U; }
  Use &operator*() const { return *U; }
  using iterator_facade_base::operator++;
  use_iterator &operator++() {
    U = U->getNext();
    return *this;
  }

private:
  Use *U;
};

class Value {
public:
  enum class Kind : uint8_t { BlockArgument, Operation };

  Value(const Value &) = delete;
  Value &operator=(const Value &) = delete;

  Kind getValueKind() const { return VKind; }
  /// The inferred type; null when not inferred yet.
  Type *getType() const { return Ty; }
  /// For type inference and Rewriter, which tells listeners and users.
  void setTypeRaw(Type *T) { Ty = T; }

  bool use_empty() const { return !FirstUse; }
  bool hasOneUse() const { return FirstUse && !FirstUse->getNext(); }
  use_iterator use_begin() const { return use_iterator(FirstUse); }
  use_iterator use_end() const { return use_iterator(); }
  llvm::iterator_range<use_iterator> uses() const {
    return {use_begin(), use_end()};
  }
  unsigned getNumUses() const { return std::distance(use_begin(), use_end()); }
  /// The number of uses, or none where their list is broken. For Verifier.
  std::optional<size_t> countUses() const;
  /// Makes every use of this value a use of \p V. Raw: see Rewriter.
  void replaceAllUsesWith(Value *V);

  /// The operation that this value is; null for a block argument.
  inline Operation *getDefiningOp();
  inline const Operation *getDefiningOp() const;
  /// The block that holds the operation or declares the argument.
  Block *getParentBlock() const { return Parent; }
  Function *getFunction() const;

  /// The number of the value in its function. After normalize() numbers are
  /// dense from 0 in canonical order over arguments and operations
  /// (Function::getNumValues() in total) and index side tables. Values created
  /// later have the number 0, like another value, until the next normalize().
  uint32_t getIndex() const { return Index; }
  /// For normalize(), and for code that numbers a function under construction.
  void setIndex(uint32_t I) { Index = I; }

protected:
  Value(Kind K, Type *T) : Ty(T), VKind(K) {}

  Type *Ty;
  Use *FirstUse = nullptr;
  Block *Parent = nullptr;
  uint32_t Index = 0;
  Kind VKind;
  // Operations only:
  bool Bound = false;
  bool HasHandle = false; ///< there is or was a handle to it
  bool Erased = false;    ///< its memory is left to the arena

  friend class Use;
  friend class Block;
};

/// A parameter of a function, a variable of a match clause, or a free variable
/// of an expression file.
class BlockArgument : public Value {
public:
  /// The name without `%`, as read; the printer makes names unique.
  StringRef getName() const { return Name; }
  void setName(StringRef Interned) { Name = Interned; }
  /// The type written in the text, apart from the inferred one; null if none.
  Type *getAnnotation() const { return Annotation; }
  void setAnnotation(Type *T) { Annotation = T; }
  /// Returns the type that callers see: the annotation, if it is complete, or
  /// the inferred type, which uses in the body can make more dynamic.
  Type *getTypeForCallers() const;
  Attr getVirtualDevice() const { return VirtualDevice; }
  void setVirtualDevice(Attr A) { VirtualDevice = A; }
  unsigned getArgNo() const { return ArgNo; }
  Location getLoc() const { return Loc; }
  void setLoc(Location L) { Loc = L; }

  static bool classof(const Value *V) {
    return V->getValueKind() == Kind::BlockArgument;
  }

private:
  friend class Block;
  BlockArgument(StringRef Name, Type *Annotation)
      : Value(Kind::BlockArgument, Annotation), Name(Name),
        Annotation(Annotation) {}
  StringRef Name;
  Type *Annotation;
  Attr VirtualDevice;
  uint32_t ArgNo = 0;
  Location Loc;
};

inline void Use::set(Value *V) {
  if (Val) {
    *PrevLink = Next;
    if (Next)
      Next->PrevLink = PrevLink;
  }
  Val = V;
  if (!V)
    return;
  Next = V->FirstUse;
  if (Next)
    Next->PrevLink = &Next;
  PrevLink = &V->FirstUse;
  V->FirstUse = this;
}

} // namespace relay

#endif // RELAY_IR_VALUE_H
