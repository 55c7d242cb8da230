//===- Function.h - Global functions ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global function: signature, body, and the arena that its operations live
// in. normalize() brings the body into canonical order.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_FUNCTION_H
#define RELAY_IR_FUNCTION_H

#include "relay/IR/Operation.h"
#include "relay/IR/RewriteLog.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>

namespace relay {

/// Memory of one function's IR: a bump allocator with free lists by size, so
/// that a rewriting pass reuses erased memory. The Context owns the slabs and
/// gets them back when the arena is destroyed.
class IRArena {
public:
  explicit IRArena(Context &Ctx) : Ctx(Ctx) {}
  IRArena(const IRArena &) = delete;
  IRArena &operator=(const IRArena &) = delete;
  ~IRArena();

  void *allocate(size_t Bytes);
  void recycle(void *Memory, size_t Bytes);
  template <typename T> MutableArrayRef<T> allocateArray(size_t N) {
    return {reinterpret_cast<T *>(allocate(N * sizeof(T))), N};
  }
  template <typename T> ArrayRef<T> copy(ArrayRef<T> Elements) {
    T *Memory = reinterpret_cast<T *>(allocate(Elements.size() * sizeof(T)));
    std::uninitialized_copy(Elements.begin(), Elements.end(), Memory);
    return ArrayRef(Memory, Elements.size());
  }
  /// Bytes taken from the context.
  size_t getTotalMemory() const { return Total; }

private:
  void *allocateSlow(size_t Bytes);

  static constexpr size_t NumClasses = 64; // of 8 bytes each
  struct FreeNode {
    FreeNode *Next;
  };
  /// At the beginning of each slab.
  struct Slab {
    Slab *Next;
    size_t Size;
  };
  Context &Ctx;
  char *Cur = nullptr, *End = nullptr;
  FreeNode *Free[NumClasses] = {};
  Slab *Slabs = nullptr;
  size_t Total = 0;
};

class HandleTable;

class Function {
public:
  /// The form of the function in its file.
  enum class Form : uint8_t {
    Definition,     ///< `def @f(…) { … }`
    FnExpression,   ///< the file is one `fn (…) { … }`
    OpenExpression, ///< the file is another expression; its free variables are
                    ///< the parameters
  };

  /// \p InternedName is without `@`. Module::addFunction makes it part of a
  /// module.
  Function(Context &Ctx, StringRef InternedName, Location Loc = {});
  ~Function();

  Context &getContext() const { return Ctx; }
  Module *getModule() const { return Parent; }
  StringRef getName() const { return Name; }
  Form getForm() const { return TheForm; }
  void setForm(Form NewForm) { TheForm = NewForm; }
  Location getLoc() const { return Loc; }

  Signature &getSignature() { return Sig; }
  const Signature &getSignature() const { return Sig; }
  Attr getAttr(StringRef Key) const { return Sig.getAttr(Key); }
  Block &getBody() { return Body; }
  const Block &getBody() const { return Body; }
  ArrayRef<BlockArgument *> getParams() const { return Body.getArguments(); }

  /// The type that callers see: parameters and the result have the annotated
  /// type, or else the inferred type. Null while one of them is unknown.
  FuncType *getType() const { return FrozenType ? *FrozenType : computeType(); }
  /// Like getType(), but ignores freezeType(): for the pass that changes the
  /// function, and for checks that the pass does not change the type.
  FuncType *computeType() const;
  /// Fixes the result of getType() until thawType(): callers may ask for the
  /// type while a pass changes the body, but not the type.
  void freezeType() { FrozenType = computeType(); }
  void thawType() { FrozenType.reset(); }
  /// The type of the result: inferred, or else as annotated.
  Type *getResultType() const;
  /// The location of the value that the body yields.
  Location getResultLoc() const;

  /// Passes over operators skip the function: it has `Compiler`, `Extern` or
  /// `SkipOptimization`, as in TVM.
  bool isSkippedByOptimization() const;

  /// Brings the body into canonical order: drops values unreachable from the
  /// result and the `let` chain, places each floating operation in the
  /// innermost block that encloses its uses, orders every block by depth-first
  /// post-order, and numbers values (Value::getIndex). Also removes constructs
  /// without an expression in TVM: a scope without bindings becomes its result,
  /// a scope that is the result of a block becomes the rest of the block, an
  /// operation used only by an alias is bound in its place, and a call of an
  /// unnamed function, operator or constructor value becomes a direct call.
  /// Linear, iterative. Returns true if anything moved or was removed. If an
  /// operation depends on itself there is no order, and nothing changes.
  bool normalize();
  /// Returns true if normalize() would change nothing.
  bool isNormalized() const;
  /// Arguments and operations, as of the last normalize().
  uint32_t getNumValues() const { return NumValues; }
  uint32_t getNumOperations() const { return NumOperations; }
  /// Bound operations, and regions of operations, those in regions included, as
  /// of the last normalize(): a pass over bindings, closures or branches has
  /// nothing to look for where there are none.
  uint32_t getNumBindings() const { return NumBindings; }
  uint32_t getNumRegions() const { return NumRegions; }
  /// Returns false if no operation with OpInfo::mayHaveEffect() has ever been
  /// created in the function, so that a search for effects finds none.
  bool mayHaveEffects() const { return MayHaveEffects; }

  /// Makes this body a copy of \p F's: parameters, signature, operations.
  /// This function's body is empty before. As in all copies, type parameters of
  /// the signature and of closures inside become variables of their own, and
  /// every type in the copy follows.
  void cloneFrom(const Function &F);

  /// The log of the changes that Rewriters made to the function.
  RewriteLog &getRewriteLog() { return Log; }
  /// Changes that Rewriters have made to the function so far: a pass has
  /// changed it, as far as it used a Rewriter, when the number is another after
  /// it. normalize() does not count.
  uint64_t getNumChanges() const { return Log.getNumChanges(); }
  /// Grows when the function changes, by a Rewriter or by a pass that only says
  /// so. normalize() does not count.
  uint64_t getVersion() const { return Log.getVersion(); }
  /// The serial number of the function in its module, in the order of addition;
  /// never reused during the life of the module. Functions are ordered by it.
  uint64_t getSerial() const { return Serial; }

  IRArena &getArena() { return Arena; }
  /// The table of handles to the function and its operations; see Handles.h.
  std::shared_ptr<HandleTable> getHandles();

private:
  friend class Module;
  friend class Normalizer;
  friend class Operation;
  Context &Ctx;
  Module *Parent = nullptr;
  StringRef Name;
  Location Loc;
  Form TheForm = Form::Definition;
  uint32_t NumValues = 0, NumOperations = 0, NumBindings = 0, NumRegions = 0;
  bool MayHaveEffects = false;
  RewriteLog Log;
  uint64_t Serial = 0;
  Signature Sig;
  std::optional<FuncType *> FrozenType;
  std::shared_ptr<HandleTable> Handles; ///< null as long as there are none
  IRArena Arena;
  Block Body;
};

/// Copies \p From's operations and result into the empty block \p To, which may
/// belong to another function. \p Map maps captured values (arguments, free
/// variables) to their replacements, and receives the copies of operations;
/// unmapped values are used unchanged. \p TypeArgs replace the variables \p
/// TypeParams in all types of the copy.
void cloneBlockInto(const Block &From, Block &To,
                    llvm::DenseMap<const Value *, Value *> &Map,
                    ArrayRef<TypeVarType *> TypeParams = {},
                    ArrayRef<Type *> TypeArgs = {});
/// Makes \p Fn, a closure without parameters and with an empty region, a copy
/// of \p From, except for the type of \p Fn itself.
void cloneFunctionInto(const Function &From, Operation &Fn);
/// A floating copy of \p Op with its regions, in no block, its operands mapped.
Operation *cloneOperation(const Operation &Op, Function &To,
                          llvm::DenseMap<const Value *, Value *> &Map);

} // namespace relay

#endif // RELAY_IR_FUNCTION_H
