//===- LetBinder.h - Binding floating operations ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of ToANormalForm and ToBasicBlockNormalForm: the order of
// bindings of TVM's passes.
//
// Each `let` opens a level, which holds its value and everything after it. An
// operation is bound at the level at which the walk first reaches it, and a
// level is placed after the direct bindings of the outer level. The value of
// `let %b = %a` is at the level of %a instead, and if that is the first use of
// %a, later ones become uses of %b. Regions are walked before the condition of
// an `if`, its second one first, and arguments before the closure that they are
// passed to, unless this would reorder effects: then the walk follows the order
// of evaluation (docs/Language.md), unlike TVM's pass.
//
// Values on a device (LexicalDevices.h) get an `on_device`, whether bound or
// not. An `on_device` that fixes a device is not bound itself: its name becomes
// that of its body. If not everything is bound, each `let` on a device becomes
// a scope in an `on_device`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FORMS_LETBINDER_H
#define RELAY_LIB_TRANSFORMS_FORMS_LETBINDER_H

#include "DepthFirstWalk.h"
#include "Devices/LexicalDevices.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Rewriter.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace relay {

class PassContext;

class LetBinder final : DepthFirstWalk {
public:
  /// For the normalized \p F. Binds every floating operation; or, given \p
  /// Selected (by Value::getIndex()), only selected operations and values that
  /// a `let` names already. \p Values is null if nothing has an effect.
  LetBinder(Function &F, const ValuePurity *Values,
            const llvm::BitVector *Selected = nullptr);

  /// Counts of the changes to a function, or to several.
  struct Outcome {
    uint64_t NumBound = 0; ///< bindings created
    bool HasChanged = false;
  };
  Outcome run();
  /// Calls \p Bind for each function of \p M, as mapFunctions() does, and sums
  /// up the counts.
  static Outcome
  runOnFunctions(Module &M, ModuleAnalysisManager &AM, const PassContext &Ctx,
                 function_ref<Outcome(Function &, const ValuePurity *)> Bind);

private:
  static constexpr uint32_t None = ~0u;

  /// The bindings of one level, as a list.
  struct Level {
    uint32_t First = None, Last = None;
  };
  struct Item {
    Operation *Op;
    uint32_t Next;
  };
  /// A block that is being walked. Base is the level around its first `let`.
  struct OpenBlock {
    Block *B;
    uint32_t Base, FirstLet, Current;
  };
  /// How a `let` names an operation.
  struct Name {
    StringRef Text;
    Type *Annotation = nullptr;
    Attr VirtualDevice;
  };

  Part getPart(Operation *Op, unsigned N) override;
  Operation *enterBinding(Operation *Op) override;
  bool enterUse(Value *V, Operation *User, Block *Where) override;
  void leave(Operation *Op) override;
  void enterBlock(Block &B) override;
  void leaveBlock(Block &B) override;

  bool keepsOrder(const Operation *Op, unsigned N);
  bool visit(Value *V);
  bool giveName(Value *V, Operation *From);
  Operation *getNamer(Operation *Op) const;
  uint32_t getCurrentLevel(Block *B) const;
  bool isSelected(const Operation *Op) const;
  Name getName(const Operation *Op) const;
  Operation *annotate(Operation *Op);
  void emit(Operation *Op, uint32_t Where);
  void bind(Operation *Op, const Name &N, uint32_t Where);
  Operation *createAlias(Value *V);
  Operation *emitAlias(Value *V, Block &B, const Name &N, uint32_t Where);
  void append(uint32_t To, uint32_t From);
  Value *closeLets(const OpenBlock &Open, unsigned Kept, Value *Result,
                   bool Nested);
  Value *nest(Block &B, uint32_t Level, Value *Result);
  void closeBody(const OpenBlock &Open);
  void closeScope(const OpenBlock &Open, Operation *Scope);
  void place(Block &B, uint32_t Where);
  void settle();

  bool bindsAll() const { return !Selected; }

  Function &F;
  const ValuePurity *Values;
  Rewriter R;
  LexicalDevices Devices;
  const llvm::BitVector *Selected;
  Name DefaultName;
  uint64_t NumBound = 0;

  /// By Value::getIndex(): whether the walk has come to it; whether its parts
  /// are visited in the order of evaluation; its level.
  llvm::BitVector Seen, Ordered;
  SmallVector<uint32_t, 0> LevelOf;

  SmallVector<Level, 8> Levels;
  SmallVector<Item, 0> Items;
  SmallVector<OpenBlock, 8> Open;
  llvm::DenseMap<const Block *, uint32_t> OpenIndex;

  /// The alias or bound `on_device` that replaces a floating operation.
  llvm::DenseMap<const Operation *, Operation *> NamedBy;
  /// Operations, and the `on_device` around each.
  llvm::MapVector<Operation *, Operation *> Annotated;
  /// Values whose uses become uses of their alias, in the walk's order.
  SmallVector<std::pair<Value *, Operation *>, 0> Renamed;
  /// Aliases, scopes and bound `on_device`s, and what takes their place.
  SmallVector<std::pair<Operation *, Operation *>, 0> Replaced;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FORMS_LETBINDER_H
