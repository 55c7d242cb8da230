//===- Context.cpp - Owner of uniqued things and of declarations ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Context's tables. What is uniqued is described by a traits class each:
// how its key hashes and compares. Arithmetic of dimensions is DimExpr.cpp.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Context.h"
#include "ConstantPool.h"
#include "OptionalLock.h"
#include "SlabPool.h"
#include "Uniquer.h"
#include "ValueFolding.h"
#include "relay/IR/Constant.h"
#include "relay/IR/Core.h"
#include "relay/IR/OpHooks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"
#include <pthread.h>

using namespace relay;

//===----------------------------------------------------------------------===//
// How each kind of storage is uniqued
//===----------------------------------------------------------------------===//

// Not an unnamed namespace: ContextImpl, whose members have these types, is in
// a named one.
namespace relay::uniquing {

static unsigned hashBytes(const void *Data, size_t Size, uint64_t Seed) {
  // A few words at most; xxh3's short paths are made for this.
  uint64_t H = llvm::xxh3_64bits(
                   ArrayRef(reinterpret_cast<const uint8_t *>(Data), Size)) ^
               Seed * 0x9e3779b97f4a7c15ull;
  return unsigned(H ^ H >> 32);
}
template <typename T> unsigned hashArray(ArrayRef<T> Elements, uint64_t Seed) {
  return hashBytes(Elements.data(), Elements.size() * sizeof(T), Seed);
}
static uint64_t seedOf(const void *P) {
  return reinterpret_cast<uintptr_t>(P) >> 4;
}

struct StringTraits {
  using KeyT = StringRef;
  static unsigned hash(KeyT K) { return hashBytes(K.data(), K.size(), 0); }
  static bool isEqual(KeyT K, const StringStorage *S) {
    return K == StringRef(S->Data, S->Size);
  }
};

struct IntTraits {
  using KeyT = std::pair<uint64_t, int64_t>; // dtype, value
  static unsigned hash(const KeyT &K) { return hashBytes(&K, sizeof(K), 1); }
  static bool isEqual(const KeyT &K, const IntStorage *S) {
    return K.first == S->Ty.getRaw() && K.second == S->Value;
  }
};

struct FloatTraits {
  using KeyT = std::pair<uint64_t, uint64_t>; // dtype, bits of the value
  static KeyT key(DType T, double Value) {
    return {T.getRaw(), llvm::bit_cast<uint64_t>(Value)};
  }
  static unsigned hash(const KeyT &K) { return hashBytes(&K, sizeof(K), 2); }
  static bool isEqual(const KeyT &K, const FloatStorage *S) {
    return K == key(S->Ty, S->Value);
  }
};

struct ArrayTraits {
  using KeyT = ArrayRef<Attr>;
  static unsigned hash(KeyT K) { return hashArray(K, 3); }
  static bool isEqual(KeyT K, const ArrayStorage *S) {
    return K == S->Elements;
  }
};

struct DictTraits {
  using KeyT = std::pair<Attr, ArrayRef<NamedAttr>>; // type key, entries
  static unsigned hash(const KeyT &K) {
    return hashArray(K.second, K.first.getOpaque());
  }
  static bool isEqual(const KeyT &K, const DictStorage *S) {
    return K.first == S->TypeKey && K.second == S->Entries;
  }
};

struct PointerTraits {
  struct KeyT {
    Attr::Kind K;
    uint32_t Index;
    const void *Pointer;
  };
  static unsigned hash(const KeyT &K) {
    return hashBytes(&K.Pointer, sizeof(void *), K.Index << 4 | unsigned(K.K));
  }
  static bool isEqual(const KeyT &K, const PointerStorage *S) {
    return K.K == S->K && K.Index == S->Index && K.Pointer == S->Pointer;
  }
};

struct DimExprTraits {
  struct KeyT {
    DimOp Op;
    DType Ty;
    ArrayRef<Dim> Operands;
  };
  static unsigned hash(const KeyT &K) {
    return hashArray(K.Operands, uint64_t(K.Op) << 48 ^ K.Ty.getRaw());
  }
  static bool isEqual(const KeyT &K, const DimExprStorage *S) {
    return K.Op == S->Op && K.Ty == S->Ty &&
           K.Operands == ArrayRef(S->Operands, S->NumOperands);
  }
};

struct AttrsTraits {
  using KeyT = std::pair<const AttrsInfo *, ArrayRef<Attr>>;
  static unsigned hash(const KeyT &K) {
    return hashArray(K.second, seedOf(K.first));
  }
  static bool isEqual(const KeyT &K, const Attrs *S) {
    return K.first == &S->getInfo() && K.second == S->getSlots();
  }
};

struct TensorTraits {
  using KeyT = std::pair<ArrayRef<Dim>, uint64_t>; // shape, dtype
  static unsigned hash(const KeyT &K) { return hashArray(K.first, K.second); }
  static bool isEqual(const KeyT &K, const TensorType *S) {
    return K.second == S->getDType().getRaw() && K.first == S->getShape();
  }
};

struct TupleTraits {
  using KeyT = ArrayRef<Type *>;
  static unsigned hash(KeyT K) { return hashArray(K, 4); }
  static bool isEqual(KeyT K, const TupleType *S) {
    return K == S->getFields();
  }
};

struct FuncTraits {
  struct KeyT {
    ArrayRef<TypeVarType *> TypeParams;
    ArrayRef<Type *> Params;
    Type *Result;
  };
  static unsigned hash(const KeyT &K) {
    return hashArray(K.Params, seedOf(K.Result)) * 31 +
           hashArray(K.TypeParams, 5);
  }
  static bool isEqual(const KeyT &K, const FuncType *S) {
    return K.Result == S->getResult() && K.Params == S->getParams() &&
           K.TypeParams == S->getTypeParams();
  }
};

struct RefTraits {
  using KeyT = Type *;
  static unsigned hash(KeyT K) { return hashBytes(&K, sizeof(K), 6); }
  static bool isEqual(KeyT K, const RefType *S) {
    return K == S->getValueType();
  }
};

struct TypeCallTraits {
  using KeyT = std::pair<const char *, ArrayRef<Type *>>; // interned name
  static unsigned hash(const KeyT &K) {
    return hashArray(K.second, seedOf(K.first));
  }
  static bool isEqual(const KeyT &K, const TypeCall *S) {
    return K.first == S->getName().data() && K.second == S->getArgs();
  }
};

/// The attributes of an AttrsInfo with every default in place.
struct DefaultAttrs {
  const AttrsInfo *Info;
  const Attrs *Values;
};

struct DefaultTraits {
  using KeyT = const AttrsInfo *;
  static unsigned hash(KeyT K) { return hashBytes(&K, sizeof(K), 7); }
  static bool isEqual(KeyT K, const DefaultAttrs *S) { return K == S->Info; }
};

template <typename T>
ArrayRef<T> copyInto(llvm::BumpPtrAllocator &Allocator, ArrayRef<T> Elements) {
  if (Elements.empty())
    return {};
  T *Memory = Allocator.Allocate<T>(Elements.size());
  std::uninitialized_copy(Elements.begin(), Elements.end(), Memory);
  return ArrayRef(Memory, Elements.size());
}

/// Keeps the data of \p Value, which has become a part of another attribute.
static void keepConstant(Attr Value) {
  if (Value.getKind() == Attr::Kind::Constant)
    ConstantPool::keep(*Value.getConstant());
}

} // namespace relay::uniquing

using namespace relay::uniquing;

class relay::ContextImpl {
public:
  DiagnosticEngine Diagnostics;
  DebugLog Log{llvm::errs()};
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
  std::vector<std::shared_ptr<const void>> Kept;

  /// Guards the identity objects and rare tables below.
  std::mutex Mutex;
  llvm::BumpPtrAllocator Identities;
  std::vector<IncompleteType *> Incomplete;
  /// Those that no signature binds any more, by interned name and kind.
  llvm::DenseMap<std::pair<const char *, unsigned>,
                 SmallVector<TypeVarType *, 1>>
      UnusedTypeVars;
  llvm::DenseMap<const OpInfo *, FuncType *> OperatorTypes;
  llvm::StringMap<unsigned> CustomTypeIds;
  std::vector<StringRef> CustomTypeNames;
  llvm::SmallDenseMap<const OpHookKind *, std::unique_ptr<OpHookTable>, 8>
      OpHookTables;

  Uniquer<StringStorage, StringTraits> Strings;
  Uniquer<DefaultAttrs, DefaultTraits> Defaults;
  Uniquer<IntStorage, IntTraits> Ints;
  Uniquer<FloatStorage, FloatTraits> Floats;
  Uniquer<ArrayStorage, ArrayTraits> Arrays;
  Uniquer<DictStorage, DictTraits> Dicts;
  Uniquer<PointerStorage, PointerTraits> Pointers;
  Uniquer<DimExprStorage, DimExprTraits> DimExprs;
  ConstantPool Constants;
  std::atomic<unsigned> NumConstantScopes{0};
  std::atomic<uint64_t> LastFunctionSerial{0};
  Uniquer<Attrs, AttrsTraits> AttrsSet;
  Uniquer<TensorType, TensorTraits> TensorTypes;
  Uniquer<TupleType, TupleTraits> TupleTypes;
  Uniquer<FuncType, FuncTraits> FuncTypes;
  Uniquer<RefType, RefTraits> RefTypes;
  Uniquer<TypeCall, TypeCallTraits> TypeCalls;
  std::atomic<uint32_t> LargestTypeSize{0};

  /// Notes the size of \p New, which is made at this moment.
  template <typename T> T *note(T *New) {
    uint32_t Largest = LargestTypeSize.load(std::memory_order_relaxed);
    while (Largest < New->getSize() &&
           !LargestTypeSize.compare_exchange_weak(Largest, New->getSize()))
      ;
    return New;
  }

  /// The table of \p Kind, made when it is first asked for.
  OpHookTable &getOpHooks(const OpHookKind &Kind) {
    OptionalLock Lock(Mutex, Multithreaded);
    std::unique_ptr<OpHookTable> &Table = OpHookTables[&Kind];
    if (!Table) {
      Table = std::make_unique<OpHookTable>();
      Kind.BindHooks(*Table);
    }
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
    return Dicts.get({TypeKey, Entries}, Multithreaded,
                     [&](llvm::BumpPtrAllocator &A) {
                       for (const auto &[Key, Value] : Entries)
                         keepConstant(Value);
                       return new (A.Allocate<DictStorage>())
                           DictStorage{{K}, TypeKey, copyInto(A, Entries)};
                     });
  }
};

Context::Context() : Impl(std::make_unique<ContextImpl>()) {
  registerCoreOps(*this);
}
Context::~Context() { Impl->Kept.clear(); }

void Context::keep(std::shared_ptr<const void> What) {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  Impl->Kept.push_back(std::move(What));
}

DiagnosticEngine &Context::getDiagnostics() { return Impl->Diagnostics; }
DebugLog &Context::getDebugLog() { return Impl->Log; }
void Context::setNumThreads(unsigned Number) {
  assert(Number && "no thread to run on");
  Impl->NumThreads = Number;
  stopThreads();
}
unsigned Context::getNumThreads() const { return Impl->NumThreads; }
void Context::setMinParallelWork(uint64_t Work) { Impl->MinWork = Work; }
uint64_t Context::getMinParallelWork() const { return Impl->MinWork; }
/// The memory that is reserved for the stack of a thread.
static uint64_t getStackSize() {
  pthread_attr_t Default;
  size_t Size = 0, Guard = 0;
  if (pthread_attr_init(&Default))
    return 0;
  pthread_attr_getstacksize(&Default, &Size);
  pthread_attr_getguardsize(&Default, &Guard);
  pthread_attr_destroy(&Default);
  return Size + Guard;
}

llvm::ThreadPoolInterface &Context::getThreadPool(unsigned NumOthers) {
  assert(NumOthers < Impl->NumThreads && "more threads than there may be");
  if (NumOthers > Impl->NumStacks) {
    Impl->NumStacks = NumOthers;
    Impl->Stacks.emplace(NumOthers * getStackSize());
  }
  if (!Impl->Threads)
    Impl->Threads = std::make_unique<llvm::DefaultThreadPool>(
        llvm::hardware_concurrency(Impl->NumThreads - 1));
  return *Impl->Threads;
}
void Context::stopThreads() {
  Impl->Threads.reset();
  Impl->Stacks.reset();
  Impl->NumStacks = 0;
}
void Context::setMultithreaded(bool On) { Impl->Multithreaded = On; }
bool Context::isMultithreaded() const { return Impl->Multithreaded; }

std::pair<void *, size_t> Context::takeSlab(size_t Bytes, size_t Wanted) {
  size_t Size = SlabPool::getSlabSize(Bytes, Wanted);
  return {Impl->Slabs.take(Size, Impl->Multithreaded), Size};
}

void Context::giveBackSlab(void *Slab, size_t Size) {
  Impl->Slabs.giveBack(Slab, Size, Impl->Multithreaded);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

bool Context::registerOp(const OpInfo &Info) {
  if (!Impl->Ops.try_emplace(Info.Name, &Info).second) {
    Impl->Refused.push_back(("operator '" + Info.Name + "'").str());
    return false;
  }
  Info.Number.getOrAssign();
  if (Info.Attributes)
    Impl->AttrsInfos.try_emplace(Info.Attributes->TypeKey, Info.Attributes);
  return true;
}

const OpHookTable &Context::getOpHooks(const OpHookKind &Kind) {
  return Impl->getOpHooks(Kind);
}

bool Context::bindOpHook(const OpHookKind &Kind, const OpInfo &Op,
                         AnyHookFn Function) {
  if (Impl->getOpHooks(Kind).bind(Op, Function))
    return true;
  Impl->Refused.push_back(
      ("hook " + Twine(Kind.Name) + " of '" + Op.Name + "'").str());
  return false;
}

ArrayRef<std::string> Context::getRefusedRegistrations() const {
  return Impl->Refused;
}

const OpInfo *Context::lookupOp(StringRef Name) const {
  return Impl->Ops.lookup(Name);
}

const OpInfo &Context::getOrCreateUnregisteredOp(StringRef Name) {
  StringRef Interned = intern(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  const OpInfo *&Slot = Impl->Ops[Interned];
  if (Slot)
    return *Slot;
  auto New = std::make_unique<OpInfo>();
  New->Name = Interned;
  New->Traits = uint32_t(OpTrait::Unregistered) | uint32_t(OpTrait::Variadic);
  New->Attributes = &DictAttrsInfo;
  Slot = New.get();
  Impl->UnregisteredOps.push_back(std::move(New));
  return *Slot;
}

SmallVector<StringRef> Context::getOperatorNames() const {
  SmallVector<StringRef> Names;
  for (const auto &Entry : Impl->Ops)
    if (Entry.second->isOperator() && Entry.second->isRegistered())
      Names.push_back(Entry.getKey());
  llvm::sort(Names);
  return Names;
}

const AttrsInfo *Context::lookupAttrsInfo(StringRef TypeKey) const {
  return Impl->AttrsInfos.lookup(TypeKey);
}

//===----------------------------------------------------------------------===//
// Strings and attribute values
//===----------------------------------------------------------------------===//

StringRef Context::intern(StringRef Text) {
  const StringStorage &S = Impl->getString(Text);
  return StringRef(S.Data, S.Size);
}

Attr Context::getString(StringRef Text) { return Attr(&Impl->getString(Text)); }

Attr Context::getInt(int64_t Value, DType T) {
  // 61 bits fit inline.
  bool Fits = Value == int64_t(uint64_t(Value) << 3) >> 3;
  if (LLVM_LIKELY(Fits && T == DType::getInt(32)))
    return Attr(uintptr_t(Value) << 3 | Attr::Int32Tag);
  if (Fits && T == DType::getInt(64))
    return Attr(uintptr_t(Value) << 3 | Attr::Int64Tag);
  return Attr(Impl->Ints.get({T.getRaw(), Value}, Impl->Multithreaded,
                             [&](llvm::BumpPtrAllocator &A) {
                               return new (A.Allocate<IntStorage>())
                                   IntStorage{{Attr::Kind::Int}, T, Value};
                             }));
}

Attr Context::getFloat(double Value, DType T) {
  return Attr(Impl->Floats.get(FloatTraits::key(T, Value), Impl->Multithreaded,
                               [&](llvm::BumpPtrAllocator &A) {
                                 return new (A.Allocate<FloatStorage>())
                                     FloatStorage{
                                         {Attr::Kind::Float}, T, Value};
                               }));
}

Attr Context::getArray(ArrayRef<Attr> Elements) {
  return Attr(Impl->Arrays.get(
      Elements, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        llvm::for_each(Elements, keepConstant);
        return new (A.Allocate<ArrayStorage>())
            ArrayStorage{{Attr::Kind::Array}, copyInto(A, Elements)};
      }));
}

Attr Context::getIntArray(ArrayRef<int64_t> Elements) {
  SmallVector<Attr, 8> Values;
  for (int64_t E : Elements)
    Values.push_back(getInt(E));
  return getArray(Values);
}

Attr Context::getDict(ArrayRef<NamedAttr> Entries) {
  return Attr(Impl->getDict(Attr::Kind::Dict, {}, Entries));
}

Attr Context::getObject(StringRef TypeKey, ArrayRef<NamedAttr> Fields) {
  return Attr(Impl->getDict(Attr::Kind::Object, getString(TypeKey), Fields));
}

Attr Context::getRaw(const MetaDocument *Document, unsigned Node) {
  return Attr(Impl->getPointer(Attr::Kind::Raw, Document, Node));
}

Attr Context::getTypeAttr(Type *T) {
  return Attr(Impl->getPointer(Attr::Kind::Type, T));
}

Attr Context::getOpAttrsAttr(const Attrs *A) {
  return Attr(Impl->getPointer(Attr::Kind::OpAttrs, A));
}

Attr Context::getConstant(TensorType *T, ArrayRef<char> Bytes) {
  return Attr(Impl->Constants.get(T, Bytes, Impl->Multithreaded));
}

Attr Context::getConstant(TensorType *T, TensorBuffer Buffer) {
  return Attr(Impl->Constants.get(T, std::move(Buffer), Impl->Multithreaded));
}

Attr Context::getScalarConstant(DType T, double Value) {
  return getConstant(getScalarType(T), makeSplat(T, 1, Value));
}

Attr Context::getScalarConstant(DType T, int64_t Value) {
  return getConstant(getScalarType(T), makeSplat(T, 1, Value));
}

size_t Context::getUniquedMemory() const {
  auto Sum = [](const auto &...Tables) { return (Tables.getNumBytes() + ...); };
  return Impl->Identities.getBytesAllocated() +
         Sum(Impl->Strings, Impl->Defaults, Impl->Ints, Impl->Floats,
             Impl->Arrays, Impl->Dicts, Impl->Pointers, Impl->DimExprs,
             Impl->AttrsSet, Impl->TensorTypes, Impl->TupleTypes,
             Impl->FuncTypes, Impl->RefTypes, Impl->TypeCalls);
}

const RunLimits &Context::getLimits() const { return Impl->Limits; }

void Context::setLimits(const RunLimits &Limits) { Impl->Limits = Limits; }

uint32_t Context::getLargestTypeSize() const { return Impl->LargestTypeSize; }

uint64_t Context::takeFunctionSerial() { return ++Impl->LastFunctionSerial; }

Context::ConstantScope::ConstantScope(Context &Ctx) : Ctx(Ctx) {
  ++Ctx.Impl->NumConstantScopes;
}

Context::ConstantScope::~ConstantScope() {
  --Ctx.Impl->NumConstantScopes;
  Ctx.releaseUnusedConstants();
}

void Context::releaseUnusedConstants() {
  if (!Impl->NumConstantScopes)
    Impl->Constants.releaseUnused();
}

void Context::releaseUnusedConstantsInPass() {
  if (Impl->NumConstantScopes <= 1 && !isMultithreaded())
    Impl->Constants.releaseUnused();
}

size_t Context::getConstantMemory() const {
  return Impl->Constants.getNumBytes();
}

const Attrs *Context::getAttrs(const AttrsInfo &Info, ArrayRef<Attr> Slots) {
  assert(Slots.size() == Info.Fields.size() && "one value a field");
  AttrsTraits::KeyT Key(&Info, Slots);
  return Impl->AttrsSet.get(
      Key, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        void *Memory = A.Allocate(sizeof(Attrs) + Slots.size() * sizeof(Attr),
                                  alignof(Attrs));
        // Operations hold those of constants.
        if (&Info != &ConstantAttrs::getInfoStatic())
          llvm::for_each(Slots, keepConstant);
        return new (Memory) Attrs(Info, Slots, AttrsTraits::hash(Key));
      });
}

static const Attrs *makeDefaultAttrs(Context &Ctx, const AttrsInfo &Info) {
  SmallVector<Attr, 16> Slots;
  for (const AttrField &Field : Info.Fields)
    Slots.push_back(readDefaultValue(Ctx, Field));
  return Ctx.getAttrs(Info, Slots);
}

const Attrs *Context::getDefaultAttrs(const AttrsInfo &Info) {
  auto Make = [&](llvm::BumpPtrAllocator &A) {
    const Attrs *Values = makeDefaultAttrs(*this, Info);
    return new (A.Allocate<DefaultAttrs>()) DefaultAttrs{&Info, Values};
  };
  return Impl->Defaults.get(&Info, Impl->Multithreaded, Make)->Values;
}

const Attrs *Context::getDictAttrs(ArrayRef<NamedAttr> Entries) {
  return getAttrs(DictAttrsInfo, getDict(Entries));
}

//===----------------------------------------------------------------------===//
// Dimensions that need storage
//===----------------------------------------------------------------------===//

Dim Context::createDimVar(StringRef Name, DType T, bool SizeVar) {
  Attr NameAttr = getString(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  return Dim(
      Attr(new (Impl->Identities.Allocate<DimVarStorage>())
               DimVarStorage{{Attr::Kind::DimVar}, SizeVar, T, NameAttr}));
}

Dim Context::getDimExpr(DimOp Op, ArrayRef<Dim> Operands, DType T) {
  if (Dim Folded = foldDimExpr(Op, Operands, T, *this))
    return Folded;
  return Dim(Attr(Impl->DimExprs.get(
      {Op, T, Operands}, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        auto *S = new (A.Allocate<DimExprStorage>())
            DimExprStorage{{Attr::Kind::DimExpr}, Op, T, {}, 0};
        for (Dim D : Operands)
          S->Operands[S->NumOperands++] = D;
        return S;
      })));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TensorType *Context::getTensorType(ArrayRef<Dim> Shape, DType T) {
  return Impl->TensorTypes.get(
      {Shape, T.getRaw()}, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<TensorType>())
                              TensorType(copyInto(A, Shape), T));
      });
}

TensorType *Context::getTensorType(ArrayRef<int64_t> Shape, DType T) {
  SmallVector<Dim, 8> Dims;
  for (int64_t D : Shape)
    Dims.push_back(getDim(D));
  return getTensorType(Dims, T);
}

TupleType *Context::getTupleType(ArrayRef<Type *> Fields) {
  return Impl->TupleTypes.get(
      Fields, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<TupleType>())
                              TupleType(copyInto(A, Fields)));
      });
}

FuncType *Context::getFuncType(ArrayRef<TypeVarType *> TypeParams,
                               ArrayRef<Type *> Params, Type *Result) {
  return Impl->FuncTypes.get(
      {TypeParams, Params, Result}, Impl->Multithreaded,
      [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<FuncType>()) FuncType(
            copyInto(A, TypeParams), copyInto(A, Params), Result));
      });
}

RefType *Context::getRefType(Type *Value) {
  return Impl->RefTypes.get(
      Value, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<RefType>()) RefType(Value));
      });
}

TypeCall *Context::getTypeCall(StringRef Name, ArrayRef<Type *> Args) {
  StringRef Interned = intern(Name);
  return Impl->TypeCalls.get({Interned.data(), Args}, Impl->Multithreaded,
                             [&](llvm::BumpPtrAllocator &A) {
                               return Impl->note(
                                   new (A.Allocate<TypeCall>())
                                       TypeCall(Interned, copyInto(A, Args)));
                             });
}

TypeVarType *Context::createTypeVar(StringRef Name, TypeVarKind Kind) {
  StringRef Interned = intern(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  auto It = Impl->UnusedTypeVars.find({Interned.data(), unsigned(Kind)});
  // What a list has taken up again meanwhile is not unused any more.
  while (It != Impl->UnusedTypeVars.end() && !It->second.empty()) {
    TypeVarType *Var = It->second.pop_back_val();
    Var->IsUnused = false;
    if (!Var->NumHolders)
      return Var;
  }
  return new (Impl->Identities.Allocate<TypeVarType>())
      TypeVarType(*this, Interned, Kind);
}

void Context::reuseTypeVar(TypeVarType *Var) {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  if (std::exchange(Var->IsUnused, true))
    return;
  std::pair<const char *, unsigned> Key(Var->getName().data(),
                                        unsigned(Var->getVarKind()));
  Impl->UnusedTypeVars[Key].push_back(Var);
}

FuncType *Context::getOperatorType(const OpInfo &Info) {
  if (!Info.isOperator() || !Info.isRegistered())
    return nullptr;
  {
    OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
    if (FuncType *T = Impl->OperatorTypes.lookup(&Info))
      return T;
  }
  SmallVector<TypeVarType *, 4> Vars;
  for (int I = 0; I < Info.NumOperands; ++I)
    Vars.push_back(createTypeVar("in" + std::to_string(I)));
  SmallVector<Type *, 4> Params(Vars.begin(), Vars.end());
  Vars.push_back(createTypeVar("out"));
  FuncType *New = getFuncType(Vars, Params, Vars.back());
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  return Impl->OperatorTypes.try_emplace(&Info, New).first->second;
}

IncompleteType *Context::getIncompleteType(uint32_t Id) {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  while (Impl->Incomplete.size() <= Id)
    Impl->Incomplete.push_back(new (Impl->Identities.Allocate<IncompleteType>())
                                   IncompleteType(Impl->Incomplete.size()));
  return Impl->Incomplete[Id];
}

unsigned Context::getCustomTypeId(StringRef Name) {
  StringRef Interned = intern(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  auto [It, New] =
      Impl->CustomTypeIds.try_emplace(Interned, Impl->CustomTypeNames.size());
  if (New)
    Impl->CustomTypeNames.push_back(Interned);
  return It->second;
}

StringRef Context::getCustomTypeName(unsigned Id) const {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  return Id < Impl->CustomTypeNames.size() ? Impl->CustomTypeNames[Id]
                                           : StringRef();
}
