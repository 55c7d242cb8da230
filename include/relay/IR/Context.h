//===- Context.h - Owner of uniqued things and of declarations --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Context uniques strings, types, dimensions, attributes and constant data,
// and knows the declared operators. It outlives every module made in it. All
// getters may be called from several threads at once while multithreading is
// enabled (Context::setMultithreaded); otherwise they take no lock.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_CONTEXT_H
#define RELAY_IR_CONTEXT_H

#include "relay/IR/Attrs.h"
#include "relay/IR/OpInfo.h"
#include "relay/IR/TensorBuffer.h"
#include "relay/IR/Type.h"
#include "relay/Support/DebugLog.h"
#include "relay/Support/Diagnostics.h"
#include "relay/Support/RunLimits.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>

namespace llvm {
class ThreadPoolInterface;
}

namespace relay {

class ContextImpl;
class OpHookView;
struct OpaqueName;
struct MetaDocumentSlot;
struct OpHookEntry;
struct OpHookKind;

class Context {
public:
  /// Diagnostics that no handler takes, and the debug log, go to \p Messages.
  explicit Context(raw_ostream &Messages = llvm::errs());
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  DiagnosticEngine &getDiagnostics();
  /// The log of passes; off by default.
  DebugLog &getDebugLog();
  LocationTable &getLocations() { return getDiagnostics().getLocations(); }
  InFlightDiagnostic emitError(Location Loc, const Twine &Message = "") {
    return getDiagnostics().emitError(Loc, Message);
  }

  /// Calls \p Action when the Context ends, before its own things go, unless
  /// the token that is returned has gone by then. For objects that hold types,
  /// constants or modules of a Context and may outlive it: they drop them then.
  [[nodiscard]] std::shared_ptr<const void> atEnd(std::function<void()> Action);
  /// Holds \p Data until the Context ends. For data of registrations, such as
  /// the closures of hooks. Only while one thread is running.
  void keep(std::shared_ptr<const void> Data);

  /// The limits of a run; initially the defaults.
  const RunLimits &getLimits() const;
  void setLimits(const RunLimits &Limits);
  /// Bytes that the Context holds: memory of functions, including released
  /// memory that is kept for reuse, constants outside of mapped files, and
  /// uniqued objects.
  size_t getMemory() const;
  /// Reports an error and fails if getMemory() exceeds RunLimits::Memory, or
  /// after noteOutOfMemory(). The pass managers call it after each pass.
  LogicalResult checkMemory();
  /// Records that the system has refused memory: the running pass then fails,
  /// even if it reports success. Thread-safe.
  void noteOutOfMemory();

  //===--- Threads --------------------------------------------------------===//
  static constexpr uint64_t DefaultMinParallelWork = 20000;
  /// On how many threads functions are worked on, 1 or more; at first 1. See
  /// Threading.h.
  void setNumThreads(unsigned Number);
  unsigned getNumThreads() const;
  /// Work of fewer operations than this runs on one thread, since starting
  /// threads would take longer.
  void setMinParallelWork(uint64_t Work);
  uint64_t getMinParallelWork() const;
  /// The threads in addition to the calling one, started at first use. \p
  /// NumOthers of them will be used: their stacks do not count for the memory
  /// limit.
  llvm::ThreadPoolInterface &getThreadPool(unsigned NumOthers);
  /// Ends the threads of the pool, which start again when they are needed:
  /// before a fork, which copies the calling thread only, and where the context
  /// rests.
  void stopThreads();
  /// Returns true if getters lock. Switched only while one thread is running.
  void setMultithreaded(bool On);
  bool isMultithreaded() const;

  //===--- Memory of functions --------------------------------------------===//
  /// A slab for an arena: of \p Bytes at least, and about \p Wanted bytes.
  std::pair<void *, size_t> takeSlab(size_t Bytes, size_t Wanted);
  void giveBackSlab(void *Slab, size_t Size);

  //===--- Operators ------------------------------------------------------===//
  /// Declares \p Info, which outlives the Context. A second op of that name is
  /// refused. The core ops are declared from the start.
  bool registerOp(const OpInfo &Info);
  /// The entries of \p Kind as a lookup under \p Keys finds them; see the typed
  /// views OpHooks and OpFacts. Valid as long as the Context.
  const OpHookView &getOpHooks(const OpHookKind &Kind,
                               ArrayRef<StringRef> Keys = {});
  /// Adds an entry to \p Kind: the only way for plugins, files and scripts. An
  /// error that names both if an entry of the same operator, key and level
  /// exists. Only while one thread is running.
  llvm::Error addOpHook(const OpHookKind &Kind, const OpHookEntry &Entry);
  /// Adds the static entries of a .td file; getRefusedRegistrations() has the
  /// errors.
  void registerOpHooks(const OpHookKind &Kind, ArrayRef<OpHookEntry> Entries);
  /// Makes the kind of fact \p Kind known by its name, which files use.
  void registerOpFactKind(const OpHookKind &Kind);
  /// The kind of fact named \p Name, or null.
  const OpHookKind *lookupOpFactKind(StringRef Name) const;
  /// The names of all registered kinds of facts, sorted.
  SmallVector<StringRef> getOpFactKinds() const;
  /// The registrations that registerOp() and registerOpHooks() refused, in
  /// order, as what follows "declares": `operator 'nn.relu', which is there
  /// already`.
  ArrayRef<std::string> getRefusedRegistrations() const;
  /// The declared operator or core op named \p Name, or null.
  const OpInfo *lookupOp(StringRef Name) const;
  /// The op \p Name if declared, else one without declaration.
  const OpInfo &getOrCreateUnregisteredOp(StringRef Name);
  /// Every declared operator's name (not the core ops'), sorted.
  SmallVector<StringRef> getOperatorNames() const;
  /// The attribute kinds of declared operators by TVM's type key, or null.
  const AttrsInfo *lookupAttrsInfo(StringRef TypeKey) const;

  //===--- Strings and attribute values -----------------------------------===//
  /// The one copy of \p Text: equal strings have equal data pointers.
  StringRef intern(StringRef Text);
  /// Returns the copy that intern() returned for \p Text; null if it has not
  /// been interned.
  StringRef lookupInterned(StringRef Text) const;
  Attr getString(StringRef Text);
  /// An integer constant of \p T, boxed where it does not fit a word.
  Attr getInt(int64_t Value, DType T = DType::getInt(32));
  Attr getFloat(double Value, DType T = DType::getFloat(32));
  Attr getArray(ArrayRef<Attr> Elements);
  Attr getArray(ArrayRef<Dim> Elements) { return getArray(toAttrs(Elements)); }
  Attr getIntArray(ArrayRef<int64_t> Elements);
  /// Keys are strings; their order is kept and distinguishes.
  Attr getDict(ArrayRef<NamedAttr> Entries);
  Attr getObject(StringRef TypeKey, ArrayRef<NamedAttr> Fields);
  /// The node with the number \p Node of \p Document, which module or AttrRef
  /// holds.
  Attr getRaw(const MetaDocument &Document, unsigned Node);
  Attr getTypeAttr(Type *T);
  Attr getOpAttrsAttr(const Attrs *A);

  /// Tensor data of \p T, whose shape is static; \p Bytes are copied unless
  /// they are known. How long data live is said at ConstantData.
  Attr getConstant(TensorType *T, ArrayRef<char> Bytes);
  /// Returns the same constant without a copy: the data take over \p Buffer,
  /// whose bytes must not be written from now on.
  Attr getConstant(TensorType *T, TensorBuffer Buffer);
  /// A constant of \p T, whose shape is static, whose data the text omits.
  Attr getOpaqueConstant(TensorType *T, const OpaqueName &Name);
  /// Returns true if there are opaque constants.
  bool hasOpaqueConstants() const;
  /// A rank-0 constant of \p T; integers are truncated, floats rounded.
  Attr getScalarConstant(DType T, double Value);
  Attr getScalarConstant(DType T, int64_t Value);
  /// Returns the number of a function that is added to a module. It is greater
  /// than the numbers of all functions that were added to any module before.
  uint64_t takeFunctionSerial();

  /// Keeps the bytes of all constants while it lives. The destructor of the
  /// outermost scope releases the bytes of constants without holders. The pass
  /// manager creates a scope for each pass. A scope must be created and
  /// destroyed while a single thread runs.
  class ConstantScope {
  public:
    explicit ConstantScope(Context &Ctx);
    ConstantScope(const ConstantScope &) = delete;
    ~ConstantScope();

  private:
    Context &Ctx;
  };
  /// Releases the bytes of constants without holders, unless a ConstantScope
  /// exists. Must not be called while several threads run.
  void releaseUnusedConstants();
  /// Like releaseUnusedConstants(), for passes that keep no such data
  /// themselves. Does nothing if another pass runs this one or several threads
  /// run, since these may keep such data.
  void releaseUnusedConstantsInPass();
  /// Returns the number of bytes of all constants except those in mapped files.
  /// May be called while several threads run.
  size_t getConstantMemory() const;

  /// \p Slots in the order of Info's fields.
  const Attrs *getAttrs(const AttrsInfo &Info, ArrayRef<Attr> Slots);
  /// The attributes of \p Info with every default in place; slots of required
  /// fields are None.
  const Attrs *getDefaultAttrs(const AttrsInfo &Info);
  /// Undeclared attributes as names and values.
  const Attrs *getDictAttrs(ArrayRef<NamedAttr> Entries);

  //===--- Dimensions -----------------------------------------------------===//
  Dim getDim(int64_t Value, DType T = DType::getInt(32)) {
    return Dim(getInt(Value, T));
  }
  /// Creates a variable that is unequal to all variables in use.
  /// Module::createDimVar creates variables of modules and releases them.
  Dim createDimVar(StringRef Name, DType T, bool SizeVar);
  /// Arithmetic; folds constants and neutral elements, `?` absorbs.
  Dim getDimExpr(DimOp Op, ArrayRef<Dim> Operands, DType T);
  Dim getDimExpr(DimOp Op, Dim L, Dim R);

  //===--- Types ----------------------------------------------------------===//
  TensorType *getTensorType(ArrayRef<Dim> Shape, DType T);
  TensorType *getTensorType(ArrayRef<int64_t> Shape, DType T);
  TensorType *getScalarType(DType T) {
    return getTensorType(ArrayRef<Dim>(), T);
  }
  TupleType *getTupleType(ArrayRef<Type *> Fields);
  FuncType *getFuncType(ArrayRef<TypeVarType *> TypeParams,
                        ArrayRef<Type *> Params, Type *Result);
  RefType *getRefType(Type *Value);
  TypeCall *getTypeCall(StringRef Name, ArrayRef<Type *> Args);
  /// A type variable unequal to every other that is in use.
  TypeVarType *createTypeVar(StringRef Name,
                             TypeVarKind Kind = TypeVarKind::Type);
  /// `fn [in0, out](in0) -> out`: what TVM gives an operator as a value, the
  /// same each time; null for one that is not declared.
  FuncType *getOperatorType(const OpInfo &Info);
  /// Unknown number \p Id; the same object each time.
  IncompleteType *getIncompleteType(uint32_t Id);
  /// The greatest Type::getSize() of a type of this context.
  uint32_t getLargestTypeSize() const;

  /// A custom data type's number by name (made when new), and its name.
  unsigned getCustomTypeId(StringRef Name);
  StringRef getCustomTypeName(unsigned Id) const;

  /// Bytes of strings, attributes, dimensions and types. They live as long as
  /// the Context, so repeated work must not create new ones without bound.
  size_t getUniquedMemory() const;

private:
  friend class MetaDocument;
  friend class Module;
  friend class TypeParamList;
  /// No signature binds \p Var any more.
  void reuseTypeVar(TypeVarType *Var);
  /// No module has \p Var any more.
  void reuseDimVar(Dim Var);
  MetaDocumentSlot *takeDocumentSlot(const MetaDocument &D);
  void giveBackDocumentSlot(MetaDocumentSlot &Slot);

  std::unique_ptr<ContextImpl> Impl;
};

} // namespace relay

#endif // RELAY_IR_CONTEXT_H
