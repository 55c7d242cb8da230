//===- Builder.h - Creating and changing IR ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builder creates operations at an insertion point and types them at once when
// their operands are typed. Rewriter is the Builder that passes change IR with:
// every change goes through it, so that listeners hear of it and use-lists,
// types and locations stay right.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_BUILDER_H
#define RELAY_IR_BUILDER_H

#include "relay/IR/Context.h"
#include "relay/IR/Module.h"

namespace relay {

class Builder {
public:
  explicit Builder(Context &Ctx) : Ctx(Ctx) {}
  /// Inserts at the end of \p B.
  explicit Builder(Block &B);
  virtual ~Builder();

  Context &getContext() const { return Ctx; }
  Function &getFunction() const { return *B->getFunction(); }
  Block *getInsertionBlock() const { return B; }
  void setInsertionPoint(Operation *Before);
  void setInsertionPointAfter(Operation *Op);
  void setInsertionPointToEnd(Block &Where);
  void setInsertionPointToStart(Block &Where);
  /// The location of operations created from here on.
  void setLoc(Location L) { Loc = L; }
  Location getLoc() const { return Loc; }

  /// Makes and inserts a floating operation, and types it if that can be done.
  /// Generated `XOp::build` functions call this.
  Operation *createOperation(const OpInfo &Info, ArrayRef<Value *> Operands,
                             const Attrs *A = nullptr, unsigned NumRegions = 0);
  /// `create<AddOp>(X, Y)`: the op's generated build().
  template <typename OpT, typename... Args> OpT create(Args &&...As) {
    return OpT::build(*this, std::forward<Args>(As)...);
  }

  /// Binds \p Op by a `let` where it stands.
  void bind(Operation *Op, StringRef Name, Type *Annotation = nullptr);

protected:
  virtual void notifyCreated(Operation *) {}
  void insert(Operation *Op);

  Context &Ctx;
  Block *B = nullptr;
  Block::iterator Point;
  Location Loc;
};

/// Hears of every change that a Rewriter makes.
class RewriteListener {
public:
  virtual ~RewriteListener();
  virtual void notifyCreated(Operation *) {}
  /// Operands, attributes, binding or type of \p Op changed.
  virtual void notifyModified(Operation *) {}
  /// Uses of \p Op become uses of \p New; Op is erased next.
  virtual void notifyReplaced(Operation *, Value * /*New*/) {}
  virtual void notifyErased(Operation *) {}
};

class Rewriter : public Builder {
public:
  explicit Rewriter(Context &Ctx) : Builder(Ctx) {}
  explicit Rewriter(Function &F);

  void addListener(RewriteListener *L) { Listeners.push_back(L); }
  void removeListener(RewriteListener *L) { llvm::erase(Listeners, L); }

  /// Makes every use of \p Op a use of \p New and erases Op. New, when it was
  /// created for this, inherits Op's location if it has none. A bound op is
  /// replaced by a binding of the same name: New takes the place if it is new
  /// and floating, else an alias stands there.
  void replaceOp(Operation *Op, Value *New);
  /// As replaceOp, only for the uses that \p ShouldReplace accepts; Op stays.
  void replaceUsesIf(Value *Old, Value *New,
                     function_ref<bool(Use &)> ShouldReplace);
  void replaceAllUses(Value *Old, Value *New);
  /// Erases \p Op, which has no uses.
  void eraseOp(Operation *Op);
  void setOperand(Operation *Op, unsigned I, Value *V);
  void setResult(Block &Where, Value *V);
  void setAttrs(Operation *Op, const Attrs *A);
  void moveBefore(Operation *Op, Operation *Before);
  void moveToEnd(Operation *Op, Block &Where);
  void unbind(Operation *Op);
  /// Moves \p From's operations before \p Before (or to the end of \p To) and
  /// leaves From empty; From's arguments are replaced by \p Arguments.
  void inlineBlock(Block &From, Block &To, Operation *Before,
                   ArrayRef<Value *> Arguments);
  /// Changes the type of \p V and, until stable, of what depends on it.
  void setType(Value *V, Type *T);

  /// Changes made so far.
  uint64_t getNumRewrites() const { return NumRewrites; }

private:
  void notifyCreated(Operation *Op) override;
  void notifyModified(Operation *Op);

  SmallVector<RewriteListener *, 2> Listeners;
  uint64_t NumRewrites = 0;
};

/// The type of \p Op of its operands', its regions' and its module's types;
/// null when it cannot be told. Does not change anything.
Type *inferOperationType(const Operation &Op);

} // namespace relay

#endif // RELAY_IR_BUILDER_H
