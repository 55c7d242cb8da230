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
// types and locations stay right. A pass announces each application of a rule
// by startRewrite(), which listeners may refuse.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_BUILDER_H
#define RELAY_IR_BUILDER_H

#include "relay/IR/Constant.h"
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

  /// A constant of \p T, whose shape is static, with the bytes \p Data.
  Operation *constant(TensorType *T, TensorBuffer Data);
  /// A constant of \p T with \p Elements, row-major, of T's element type (see
  /// dispatchDType()).
  template <typename E>
  Operation *constant(TensorType *T, ArrayRef<E> Elements) {
    return constant(T, TensorBuffer::copy(ArrayRef(
                           reinterpret_cast<const char *>(Elements.data()),
                           Elements.size() * sizeof(E))));
  }
  /// A scalar of \p T from a number (see toElement()).
  template <typename N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0>
  Operation *constant(DType T, N Value) {
    return splat(Ctx.getScalarType(T), Value);
  }
  /// A constant of \p T whose elements are all \p Value (see toElement()).
  template <typename N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0>
  Operation *splat(TensorType *T, N Value) {
    using NumberT =
        std::conditional_t<std::is_floating_point_v<N>, double, int64_t>;
    return constant(
        T, makeSplat(T->getDType(), *T->getNumElements(), NumberT(Value)));
  }

  /// Binds \p Op by `let %Name: Annotation = …` where it stands.
  void bind(Operation *Op, StringRef InternedName, Type *Annotation = nullptr,
            Attr VirtualDevice = {});
  /// Binds \p Op with the name, annotation and device of the bound \p Other.
  void bindLike(Operation *Op, const Operation *Other);

protected:
  virtual void notifyCreated(Operation *) {}
  virtual void notifyModified(Operation *) {}
  void insert(Operation *Op);

  Context &Ctx;
  Block *B = nullptr;
  Block::iterator Point;
  Location Loc;
};

/// One application of a rule, as a pass announces it.
struct Rewrite {
  StringRef Rule; ///< `inline`, `nn.batch_norm`
  /// What is rewritten; null for a whole module.
  Function *F;
  /// The operation that the rule was found to apply to; null for all of F.
  Operation *Root;
};

/// Hears of every change that a Rewriter makes, and may refuse rewrites. One
/// that is installed in a Module (Module::setRewriteListeners) hears from
/// several threads while functions are processed in parallel.
class RewriteListener {
public:
  virtual ~RewriteListener();
  /// Whether the rewrite is to be made. All listeners are asked, and one
  /// refusal is enough.
  virtual bool shouldRewrite(const Rewrite &) { return true; }
  /// The rewrite is made: the changes that follow are its.
  virtual void notifyRewrite(const Rewrite &) {}
  /// The rewrite is not made: a listener has refused it.
  virtual void notifyRefused(const Rewrite &) {}
  virtual void notifyCreated(Operation *) {}
  /// \p New, which was created last, is a copy of \p From.
  virtual void notifyCloned(const Operation * /*From*/, Operation * /*New*/) {}
  /// Operands, attributes, binding, place or type of \p Op changed.
  virtual void notifyModified(Operation *) {}
  /// Uses of \p Op become uses of \p New; Op is erased next unless New uses
  /// it.
  virtual void notifyReplaced(Operation *, Value * /*New*/) {}
  /// \p Op goes, with what is in its regions, of which it is told first.
  virtual void notifyErased(Operation *) {}
};

class Rewriter : public Builder {
public:
  /// Changes \p F; the listeners of its module hear of it.
  explicit Rewriter(Function &F);
  /// Announces rewrites of whole functions of \p M.
  explicit Rewriter(Module &M);

  /// Announces that \p Rule is about to be applied to \p Root, or to the whole
  /// function. Returns false if a listener refuses: then nothing of it may be
  /// done. What is done till the next announcement is one rewrite, the unit in
  /// which -debug-counter and -bisect count, and has to leave the IR valid
  /// whatever other rewrites are refused.
  /// Operations created from here on get the location of \p Root.
  [[nodiscard]] bool startRewrite(StringRef Rule, Operation *Root = nullptr);

  void addListener(RewriteListener *L) { Listeners.push_back(L); }
  void removeListener(RewriteListener *L) { llvm::erase(Listeners, L); }

  /// Makes every use of \p Op a use of \p New and erases Op. New, when it was
  /// created for this, inherits Op's location if it has none. A bound op is
  /// replaced by a binding of the same name: New takes the place if it is new
  /// and floating, else an alias stands there. New's own uses of Op, those in
  /// its regions included, stay; Op then stays too, floating.
  void replaceOp(Operation *Op, Value *New);
  /// As replaceOp, only for the uses that \p ShouldReplace accepts; Op stays.
  void replaceUsesIf(Value *Old, Value *New,
                     function_ref<bool(Use &)> ShouldReplace);
  void replaceAllUses(Value *Old, Value *New);
  /// Erases \p Op, which has no uses but by itself.
  void eraseOp(Operation *Op);
  /// Inserts a floating copy of \p Op with its regions, its operands mapped.
  Operation *clone(const Operation &Op,
                   llvm::DenseMap<const Value *, Value *> &Map);
  /// Copies \p From's operations and result into the empty block \p To; see
  /// cloneBlockInto.
  void cloneInto(const Block &From, Block &To,
                 llvm::DenseMap<const Value *, Value *> &Map);
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
  /// Reports that \p Change, which uses raw setters, changes \p Op.
  template <typename Fn> void modifyInPlace(Operation *Op, Fn &&Change) {
    Change();
    notifyModified(Op);
  }

  /// Changes made so far.
  uint64_t getNumRewrites() const { return NumRewrites; }

private:
  /// Counts a change of \p F, here and in Function::getNumChanges().
  void noteChange(Function *F);
  void notifyCreated(Operation *Op) override;
  void notifyModified(Operation *Op) override;
  void notifyClones(const Block &From, Block &To);
  void notifyClone(const Operation *From, Operation *New);

  SmallVector<RewriteListener *, 2> Listeners;
  Function *Default = nullptr; ///< changed where nothing tells which
  uint64_t NumRewrites = 0;
};

/// Tells \p L that \p Op and all in its regions go.
void reportErased(RewriteListener &L, Operation *Op);

/// The type of \p Op of its operands', its regions' and its module's types;
/// null when it cannot be told. Does not change anything.
Type *inferOperationType(const Operation &Op);

} // namespace relay

#endif // RELAY_IR_BUILDER_H
