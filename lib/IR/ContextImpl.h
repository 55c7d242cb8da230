//===- ContextImpl.h - The members of a Context -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of a Context. Context.cpp implements threads, memory and
// operators, ContextAttrs.cpp strings, attributes and constants,
// ContextTypes.cpp dimensions and types. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_CONTEXTIMPL_H
#define RELAY_LIB_IR_CONTEXTIMPL_H

#include "DocumentTable.h"
#include "SlabPool.h"
#include "Uniquer.h"
#include "UniquingTraits.h"
#include "relay/IR/Context.h"
#include "relay/IR/OpHooks.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ThreadPool.h"

namespace relay {

class ContextImpl {
public:
  explicit ContextImpl(raw_ostream &Messages)
      : Diagnostics(Messages), Log(Messages) {}

  DiagnosticEngine Diagnostics;
  DebugLog Log;
  bool Multithreaded = false;
  unsigned NumThreads = 1;
  uint64_t MinWork = Context::DefaultMinParallelWork;
  std::optional<MemoryAllowance> Stacks; ///< of the threads that were started
  unsigned NumStacks = 0;
  std::unique_ptr<llvm::ThreadPoolInterface> Threads;

  SlabPool Slabs;
  RunLimits Limits;

  /// The names belong to the values: registration allocates no entries.
  llvm::DenseMap<llvm::CachedHashStringRef, const OpInfo *> Ops;
  llvm::DenseMap<llvm::CachedHashStringRef, const AttrsInfo *> AttrsInfos;
  std::vector<std::unique_ptr<OpInfo>> UnregisteredOps;
  std::vector<std::string> Refused;
  /// Actions to run at destruction; those whose token has been released have
  /// expired.
  std::vector<std::weak_ptr<const std::function<void()>>> EndActions;
  size_t NumLiveActions = 16; ///< approximate

  /// Guards the identity objects and rare tables below.
  std::mutex Mutex;
  llvm::BumpPtrAllocator Identities;
  std::vector<IncompleteType *> Incomplete;
  /// Variables that no signature binds any more, by interned name and kind.
  llvm::DenseMap<std::pair<const char *, unsigned>,
                 SmallVector<TypeVarType *, 1>>
      UnusedTypeVars;
  /// Dimension variables that no module uses any more, by name and remaining
  /// identity.
  llvm::DenseMap<std::pair<uintptr_t, uint64_t>,
                 SmallVector<const DimVarStorage *, 1>>
      UnusedDimVars;
  llvm::DenseMap<const OpInfo *, FuncType *> OperatorTypes;
  llvm::StringMap<unsigned> CustomTypeIds;
  std::vector<StringRef> CustomTypeNames;
  llvm::SmallDenseMap<const OpHookKind *, std::unique_ptr<OpHookTable>, 8>
      OpHookTables;
  llvm::StringMap<const OpHookKind *> OpFactKinds;
  std::vector<std::shared_ptr<const void>> Kept;

  Uniquer<StringStorage, uniquing::StringTraits> Strings;
  Uniquer<uniquing::DefaultAttrs, uniquing::DefaultTraits> Defaults;
  Uniquer<IntStorage, uniquing::IntTraits> Ints;
  Uniquer<FloatStorage, uniquing::FloatTraits> Floats;
  Uniquer<ArrayStorage, uniquing::ArrayTraits> Arrays;
  Uniquer<DictStorage, uniquing::DictTraits> Dicts;
  Uniquer<PointerStorage, uniquing::PointerTraits> Pointers;
  Uniquer<DimExprStorage, uniquing::DimExprTraits> DimExprs;
  ConstantPool Constants;
  DocumentTable Documents;
  std::atomic<unsigned> NumConstantScopes{0};
  std::atomic<uint64_t> LastFunctionSerial{0};
  std::atomic<bool> IsOutOfMemory{false}; ///< since checkMemory() was asked
  Uniquer<Attrs, uniquing::AttrsTraits> AttrsSet;
  Uniquer<TensorType, uniquing::TensorTraits> TensorTypes;
  Uniquer<TupleType, uniquing::TupleTraits> TupleTypes;
  Uniquer<FuncType, uniquing::FuncTraits> FuncTypes;
  Uniquer<RefType, uniquing::RefTraits> RefTypes;
  Uniquer<TypeCall, uniquing::TypeCallTraits> TypeCalls;
  std::atomic<uint32_t> LargestTypeSize{0};

  /// Adds the size of the new object \p New.
  template <typename T> T *note(T *New) {
    uint32_t Largest = LargestTypeSize.load(std::memory_order_relaxed);
    while (Largest < New->getSize() &&
           !LargestTypeSize.compare_exchange_weak(Largest, New->getSize()))
      ;
    return New;
  }

  /// Returns the table of \p Kind, which is created at first use. The Mutex
  /// must be held if several threads run.
  OpHookTable &getOpHooks(const OpHookKind &Kind) {
    std::unique_ptr<OpHookTable> &Table = OpHookTables[&Kind];
    if (!Table)
      Table = std::make_unique<OpHookTable>(Kind);
    return *Table;
  }

  const StringStorage &getString(StringRef Text) {
    return *Strings.get(Text, Multithreaded, [&](llvm::BumpPtrAllocator &A) {
      StringRef Copy = Text.copy(A);
      return new (A.Allocate<StringStorage>()) StringStorage{
          {Attr::Kind::String}, uint32_t(Copy.size()), Copy.data()};
    });
  }

  const PointerStorage *getPointer(Attr::Kind K, const void *Pointer,
                                   uint32_t Index = 0) {
    return Pointers.get({K, Index, Pointer}, Multithreaded,
                        [&](llvm::BumpPtrAllocator &A) {
                          return new (A.Allocate<PointerStorage>())
                              PointerStorage{{K}, Index, Pointer};
                        });
  }

  const DictStorage *getDict(Attr::Kind K, Attr TypeKey,
                             ArrayRef<NamedAttr> Entries) {
    return Dicts.get(
        {TypeKey, Entries}, Multithreaded, [&](llvm::BumpPtrAllocator &A) {
          for (const auto &[Key, Value] : Entries)
            uniquing::keepConstant(Value);
          return new (A.Allocate<DictStorage>())
              DictStorage{{K}, TypeKey, uniquing::copyInto(A, Entries)};
        });
  }
};

} // namespace relay

#endif // RELAY_LIB_IR_CONTEXTIMPL_H
