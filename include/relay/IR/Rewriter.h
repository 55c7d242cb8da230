//===- Rewriter.h - Changing IR ---------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Builder with which passes change IR. All changes go through it, so that
// listeners are notified, changes are counted, and use-lists, types and
// locations stay correct. A pass announces each application of a rule with
// startRewrite(), which listeners may refuse.
//
// The RewriteLog of the function records unannounced changes, changes after a
// refused rewrite, and replacements of another type by replaceOp() or
// replaceOpByLessDynamic(). They are errors with -verify-each and in builds
// with assertions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_REWRITER_H
#define RELAY_IR_REWRITER_H

#include "relay/IR/Builder.h"
#include "relay/IR/RewriteListener.h"

namespace relay {

/// Operations that are not part of the function yet. A Builder creates them at
/// the end of getBlock(), without a change of the function that listeners see.
/// Rewriter::insertDraft() adds them to the function; the destructor discards
/// the others.
class Draft {
public:
  explicit Draft(Function &F);
  Draft(const Draft &) = delete;
  Draft &operator=(const Draft &) = delete;
  ~Draft();

  Block &getBlock();

private:
  Operation *Holder; ///< a closure in no block
};

class Rewriter : public Builder {
public:
  /// Changes \p F and notifies the listeners of its module.
  explicit Rewriter(Function &F);
  /// Announces rewrites of \p M as a whole, wherever the insertion point is,
  /// and changes all of it.
  explicit Rewriter(Module &M);

  void addListener(RewriteListener *L) { Listeners.push_back(L); }
  void removeListener(RewriteListener *L) { llvm::erase(Listeners, L); }

  //===--- Announcing -----------------------------------------------------===//
  /// Announces that \p Rule is about to be applied to \p Root, or to the whole
  /// function or module. Returns false if a listener refuses; the caller must
  /// then not change anything. All changes up to the next announcement are one
  /// rewrite, the unit counted by -debug-counter and -bisect, and must leave
  /// the IR valid if other rewrites are refused.
  /// Operations created from here on get the location of \p Root.
  [[nodiscard]] bool startRewrite(StringRef Rule, Operation *Root = nullptr);
  /// Announces a rewrite that listeners cannot refuse and that is not counted:
  /// one that follows from others, or types found by inference.
  void noteRewrite(StringRef Rule);
  /// Reports that raw setters changed \p F as a whole.
  void noteModified(Function &F);

  //===--- Replacing ------------------------------------------------------===//
  /// Replaces every use of \p Op by \p New, which has the same type, and erases
  /// Op. The insertion point does not change. If New has no location, it
  /// inherits Op's. A bound op is replaced by a binding of the same name: of
  /// New if that is new and floating, otherwise of an alias. New's own uses of
  /// Op, including uses in its regions, stay; Op then stays too, floating.
  void replaceOp(Operation *Op, Value *New);
  /// Like replaceOp(), where New may have another type: users, regions and
  /// results that depend on it are typed again. Callers of the function are
  /// not.
  void replaceOpAndRetype(Operation *Op, Value *New);
  /// Like replaceOp(), where the type of New may be less dynamic, since the
  /// types around Op can make its type more dynamic. Users keep their types and
  /// annotations. Returns true if the types differed: the pass then calls
  /// retype(F) at its end.
  bool replaceOpByLessDynamic(Operation *Op, Value *New);
  /// `replaceOpWithNew<ReluOp>(Old, Data)`: replaces \p Old by a new operation,
  /// made where Old stands and with its location, and returns that. The
  /// insertion point and the location stay.
  template <typename OpT, typename... Args>
  OpT replaceOpWithNew(Operation *Old, Args &&...As) {
    InsertionGuard Guard(*this);
    setInsertionPoint(Old);
    setLoc(Old->getLoc());
    OpT New = create<OpT>(std::forward<Args>(As)...);
    replaceOp(Old, New);
    return New;
  }
  /// Makes those uses of \p Old that \p ShouldReplace accepts uses of \p New,
  /// and types again what depends on a type that changes.
  void replaceUsesIf(Value *Old, Value *New,
                     function_ref<bool(Use &)> ShouldReplace);
  void replaceAllUses(Value *Old, Value *New);
  /// Erases \p Op, which has no uses but by itself.
  void eraseOp(Operation *Op);

  //===--- Copying --------------------------------------------------------===//
  /// Inserts a floating copy of \p Op with its regions, its operands mapped.
  Operation *clone(const Operation &Op,
                   llvm::DenseMap<const Value *, Value *> &Map);
  /// Copies \p From's operations and result into the empty block \p To; see
  /// cloneBlockInto.
  void cloneInto(const Block &From, Block &To,
                 llvm::DenseMap<const Value *, Value *> &Map,
                 ArrayRef<TypeVarType *> TypeParams = {},
                 ArrayRef<Type *> TypeArgs = {});
  /// Makes the empty closure \p Fn a copy of \p From and types it.
  void cloneInto(const Function &From, Operation *Fn);
  /// Replaces \p Params by \p Args in the types of the operations of \p Body,
  /// regions included.
  void substituteTypes(Block &Body, ArrayRef<TypeVarType *> Params,
                       ArrayRef<Type *> Args);

  /// Moves the operations of \p D to the insertion point, and announces them as
  /// created.
  void insertDraft(Draft &D);
  /// Announces that integers are going to replace the floats of a region.
  void noteQuantized(ArrayRef<QuantizedOperation> Region);

  //===--- Closures -------------------------------------------------------===//
  /// Creates a closure together with its contents, as one change. \p Fill is
  /// called with the closure and changes only its empty region and its
  /// signature, by raw setters: it adds parameters, moves operations of the
  /// function to the region (moveToEndRaw()), makes their operands parameters
  /// of the same type, and sets the result. It may also set the type of the
  /// closure, which is inferred otherwise.
  /// Listeners are notified of the closure before, and of the operations in it
  /// after Fill.
  Operation *createClosure(function_ref<void(Operation *)> Fill);
  /// For createClosure(): moveToEnd() without a notification.
  void moveToEndRaw(Operation *Op, Block &Where);

  //===--- Operations -----------------------------------------------------===//
  void setOperand(Operation *Op, unsigned I, Value *V);
  void setAttrs(Operation *Op, const Attrs *A);
  /// Changes where \p Op comes from. Builder::setLoc() is for operations to
  /// come.
  void setLocation(Operation *Op, Location L);
  /// Changes the type of \p V and, until stable, of dependent values. The
  /// annotation of a parameter or a bound operation follows its type, and that
  /// of a result follows the type of the yielded value if they agreed.
  void setType(Value *V, Type *T);
  /// Infers the type of \p Op after a change. An annotation that repeats the
  /// old type is changed if it contradicts the new one.
  static Type *inferAnew(Operation &Op);
  /// Like setType(), but the types of dependent values stay: the caller sets
  /// them when it visits these values.
  void setTypeOnly(Operation *Op, Type *T);
  /// Keeps annotations of results unchanged from here on, for any yielded
  /// values: for function passes whose replacements are less dynamic, since
  /// callers rely on the result type, and for passes that inline a call whose
  /// callee declares a less precise result than it yields, as in TVM.
  void keepResultAnnotations() { KeepsResultAnnotations = true; }
  /// Sets the type arguments of the call \p Op, and types it anew. Inference
  /// may change them if they are \p Inferred.
  void setTypeArgs(Operation *Op, ArrayRef<Type *> Args, bool Inferred = false);
  /// Adds an empty region to \p Op, after its other regions. A match then needs
  /// a further pattern (setPatterns).
  Block &addRegion(Operation *Op);
  /// One pattern a region.
  void setPatterns(Operation *Match, ArrayRef<MatchPattern *> Patterns);
  void moveBefore(Operation *Op, Operation *Before);
  void moveToEnd(Operation *Op, Block &Where);
  void unbind(Operation *Op);
  /// Reports that \p Change, which uses raw setters, changes \p Op.
  template <typename Fn> void modifyInPlace(Operation *Op, Fn &&Change) {
    Change();
    notifyModified(Op);
  }

  //===--- Blocks ---------------------------------------------------------===//
  void setResult(Block &Where, Value *V);
  /// Like setResult(), but the type of the operation of \p Where stays.
  void setResultOnly(Block &Where, Value *V);
  BlockArgument *addArgument(Block &Where, StringRef InternedName,
                             Type *Annotation, Location Loc = {});
  /// Adds an argument with the name, annotation, type, device and location of
  /// \p Other.
  BlockArgument *addArgumentLike(Block &Where, const BlockArgument &Other);
  /// Erases argument \p I of \p Where, which has no uses.
  void eraseArgument(Block &Where, unsigned I);
  void renameArgument(BlockArgument *Arg, StringRef InternedName);
  void setAnnotation(BlockArgument *Arg, Type *Annotation);
  void setVirtualDevice(BlockArgument *Arg, Attr Device);
  void setLocation(BlockArgument *Arg, Location L);
  /// Moves \p From's operations before \p Before (or to the end of \p To) and
  /// leaves From empty; From's arguments are replaced by \p Arguments.
  void inlineBlock(Block &From, Block &To, Operation *Before,
                   ArrayRef<Value *> Arguments);

  //===--- Signatures: of functions, and of closures by their body --------===//
  /// The signature of the function or closure whose body is \p Body.
  static const Signature &getSignature(Block &Body);
  void setSignature(Block &Body, Signature New);
  /// Sets the attribute \p Key of the function or closure; a new one is
  /// appended. Removes it if \p Value is none.
  void setFunctionAttr(Block &Body, StringRef Key, Attr Value);
  void setFunctionAttr(Function &F, StringRef Key, Attr Value) {
    setFunctionAttr(F.getBody(), Key, Value);
  }
  /// Sets all attributes of the function or closure: \p New is null or a Dict.
  void setFunctionAttrs(Block &Body, const Attrs *New);
  void setResultAnnotation(Block &Body, Type *Annotation);
  /// Sets the virtual device of the result.
  void setResultDevice(Block &Body, Attr Device);
  /// Changes the form of \p F in its file.
  void setForm(Function &F, Function::Form NewForm);

  //===--- Modules --------------------------------------------------------===//
  /// Sets the attribute \p Key of the module \p M.
  void setModuleAttr(Module &M, StringRef Key, Attr Value);
  /// Adds \p F, whose name is unused, at the end. Later changes of the pass to
  /// it belong to the present rewrite.
  Function *addFunction(Module &M, std::unique_ptr<Function> F);
  /// Destroys \p F, which is in no module, and whose operations this Rewriter
  /// has made.
  void discardFunction(std::unique_ptr<Function> F);
  /// Erases \p Dead, in time linear in the number of functions and in their
  /// size.
  void eraseFunctions(Module &M, ArrayRef<Function *> Dead);
  /// The callers keep the old name.
  void renameFunction(Function &F, StringRef NewName);

  /// Changes made so far.
  uint64_t getNumRewrites() const { return NumRewrites; }

private:
  /// The log of the function that rewrites are announced for.
  RewriteLog &getLog();
  /// Counts a change, \p What of \p Op, of function \p F; null: of that which
  /// the Rewriter was made for.
  void noteChange(Function *F, const char *What, const Operation *Op) {
    ++NumRewrites;
    if (!F && !(F = Default))
      return;
    RewriteLog &Log = F->getRewriteLog();
    beginChange(*F);
    Log.addChange();
    if (LLVM_UNLIKELY(Log.getState() != RewriteLog::State::Announced))
      checkAnnounced(*F, What, Op);
  }
  /// To be called before a change of types, uses or signatures of \p F; other
  /// changes call it when they are noted.
  void beginChange(Function &F) {
    if (LLVM_UNLIKELY(!F.getRewriteLog().keepsTypes()))
      keepTypesOfSignatures(F);
  }
  void keepTypesOfSignatures(Function &F);
  /// When the users of a replaced value are typed again.
  enum class Retyping { Now, AtEndOfPass };
  void replace(Operation *Op, Value *New, Retyping When);
  void replaceUses(Value *Old, Value *New,
                   function_ref<bool(Use &)> ShouldReplace, Retyping When);
  void retype(Operation *Op);
  bool followResultType(Block &Body, Type *Old, Type *New);
  void setTypeAndAnnotations(Value *V, Type *T);
  void checkAnnounced(Function &F, const char *What, const Operation *Op);
  void noteModuleChange(Module &M, const Twine &What);
  void notifyCreated(Operation *Op) override;
  void notifyModified(Operation *Op) override;
  /// The arguments or the result of \p Body changed.
  void notifyBlockModified(Block &Body, const char *What);
  /// The signature of the function or closure with the body \p Body changed.
  void notifySignatureModified(Block &Body, const char *What);
  void notifyClones(const Block &From, Block &To);
  void notifyClone(const Operation *From, Operation *New);
  /// Retypes the operation that has \p Body as a region, from its present
  /// contents.
  void retypeParent(Block &Body);
  Operation *takePlace(Operation *Op, Value *New);
  /// Takes \p Op out of its block, if it is in one.
  void takeOut(Operation *Op);

  SmallVector<RewriteListener *, 2> Listeners;
  Module *Whole = nullptr;     ///< announces rewrites of all of it
  Function *Default = nullptr; ///< changed where nothing tells which
  uint64_t NumRewrites = 0;
  bool KeepsResultAnnotations = false;
};

} // namespace relay

#endif // RELAY_IR_REWRITER_H
