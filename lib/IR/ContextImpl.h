//===- ContextImpl.h - What a Context has -----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of a Context. Context.cpp has its threads, memory and operators,
// ContextAttrs.cpp strings, attributes and constants, ContextTypes.cpp
// dimensions and types. Private to room IR.
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
  std::optional<MemoryAllowance> Stacks; ///< of the threads that were used
  unsigned NumStacks = 0;
  std::unique_ptr<llvm::ThreadPoolInterface> Threads;

  SlabPool Slabs;
  RunLimits Limits;

  llvm::StringMap<const OpInfo *> Ops;
  llvm::StringMap<const AttrsInfo *> AttrsInfos;
  std::vector<std::unique_ptr<OpInfo>> UnregisteredOps;
  std::vector<std::string> Refused;
  /// What is done at the end, with what has no token any more.
  std::vector<std::weak_ptr<const std::function<void()>>> EndActions;
  size_t NumLiveActions = 16; ///< about

  /// Guards the identity objects and rare tables below.
  std::mutex Mutex;
  llvm::BumpPtrAllocator Identities;
  std::vector<IncompleteType *> Incomplete;
  /// Those that no signature binds any more, by interned name and kind.
  llvm::DenseMap<std::pair<const char *, unsigned>,
                 SmallVector<TypeVarType *, 1>>
      UnusedTypeVars;
  /// Those that no module has any more, by name and what else they are.
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

  /// Notes the size of \p New, which is made at this moment.
  template <typename T> T *note(T *New) {
    uint32_t Largest = LargestTypeSize.load(std::memory_order_relaxed);
    while (Largest < New->getSize() &&
           !LargestTypeSize.compare_exchange_weak(Largest, New->getSize()))
      ;
    return New;
  }

  /// The table of \p Kind, made when it is first asked for. The Mutex is held
  /// where several threads run.
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
