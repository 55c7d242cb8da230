//===- Context.cpp - Owner of uniqued objects and declarations ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory limit and operators of a Context. ContextAttrs.cpp and
// ContextTypes.cpp contain the uniquing, Threading.cpp the threads.
//
//===----------------------------------------------------------------------===//

#include "ContextImpl.h"
#include "OptionalLock.h"
#include "relay/IR/Core.h"
#include "relay/Support/CrashHandler.h"

using namespace relay;
using llvm::CachedHashStringRef;

Context::Context(raw_ostream &Messages)
    : Impl(std::make_unique<ContextImpl>(Messages)) {
  registerCoreOps(*this);
}

Context::~Context() {
  for (const auto &Weak : std::exchange(Impl->EndActions, {}))
    if (auto Action = Weak.lock())
      (*Action)();
  Impl->OpHookTables.clear();
  Impl->Kept.clear(); // may hold constants, whose pool goes with Impl
}

std::shared_ptr<const void> Context::atEnd(std::function<void()> Action) {
  auto New = std::make_shared<const std::function<void()>>(std::move(Action));
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  auto &Actions = Impl->EndActions;
  if (Actions.size() >= 2 * Impl->NumLiveActions) {
    llvm::erase_if(Actions, [](const auto &Weak) { return Weak.expired(); });
    Impl->NumLiveActions = std::max<size_t>(16, Actions.size());
  }
  Actions.push_back(New);
  return New;
}

DiagnosticEngine &Context::getDiagnostics() { return Impl->Diagnostics; }
DebugLog &Context::getDebugLog() { return Impl->Log; }

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
  if (!Impl->Ops.try_emplace(CachedHashStringRef(Info.Name), &Info).second) {
    Impl->Refused.push_back(
        ("operator '" + Info.Name + "', which is already registered").str());
    return false;
  }
  Info.Number.getOrAssign();
  if (Info.Attributes)
    Impl->AttrsInfos.try_emplace(CachedHashStringRef(Info.Attributes->TypeKey),
                                 Info.Attributes);
  return true;
}

void Context::keep(std::shared_ptr<const void> Data) {
  Impl->Kept.push_back(std::move(Data));
}

const OpHookView &Context::getOpHooks(const OpHookKind &Kind,
                                      ArrayRef<StringRef> Keys) {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  return Impl->getOpHooks(Kind).getView(Keys);
}

/// Returns `hook Expansion of 'nn.relu' for 'dnnl' as 'keep' (My.td) at level
/// 10, the level of 'expandRelu' (Expansions.td)`.
static std::string describeClash(const OpHookKind &Kind, const OpHookEntry &New,
                                 const OpHookEntry &Present) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << (Kind.isFact() ? "fact " : "hook ") << Kind.Name << " of '"
     << New.getOp().Name << "'";
  if (!New.Key.empty())
    OS << " for '" << New.Key << "'";
  OS << " as '" << New.Name << "' (" << New.Source << ") at level " << New.Level
     << ", the level of '" << Present.Name << "' (" << Present.Source << ")";
  return Text;
}

llvm::Error Context::addOpHook(const OpHookKind &Kind,
                               const OpHookEntry &Entry) {
  OpHookEntry Copy = Entry;
  for (StringRef *Text :
       {&Copy.Key, &Copy.Name, &Copy.Source, &Copy.Value.Text})
    *Text = intern(*Text);
  if (const OpHookEntry *Present = Impl->getOpHooks(Kind).addCopy(Copy))
    return llvm::createStringError("cannot add " +
                                   describeClash(Kind, Copy, *Present));
  return llvm::Error::success();
}

void Context::registerOpHooks(const OpHookKind &Kind,
                              ArrayRef<OpHookEntry> Entries) {
  for (const OpHookEntry &E : Entries)
    if (const OpHookEntry *Present = Impl->getOpHooks(Kind).add(E))
      Impl->Refused.push_back(describeClash(Kind, E, *Present));
}

void Context::registerOpFactKind(const OpHookKind &Kind) {
  assert(Kind.isFact() && "files have values only");
  const OpHookKind *Present =
      Impl->OpFactKinds.try_emplace(Kind.Name, &Kind).first->second;
  if (Present != &Kind)
    Impl->Refused.push_back(
        ("kind of fact '" + Kind.Name + "', which is already registered")
            .str());
}

const OpHookKind *Context::lookupOpFactKind(StringRef Name) const {
  return Impl->OpFactKinds.lookup(Name);
}

SmallVector<StringRef> Context::getOpFactKinds() const {
  SmallVector<StringRef> Names(Impl->OpFactKinds.keys());
  llvm::sort(Names);
  return Names;
}

ArrayRef<std::string> Context::getRefusedRegistrations() const {
  return Impl->Refused;
}

const OpInfo *Context::lookupOp(StringRef Name) const {
  return Impl->Ops.lookup(CachedHashStringRef(Name));
}

const OpInfo &Context::getOrCreateUnregisteredOp(StringRef Name) {
  StringRef Interned = intern(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  const OpInfo *&Slot = Impl->Ops[CachedHashStringRef(Interned)];
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
      Names.push_back(Entry.first.val());
  llvm::sort(Names);
  return Names;
}

const AttrsInfo *Context::lookupAttrsInfo(StringRef TypeKey) const {
  return Impl->AttrsInfos.lookup(CachedHashStringRef(TypeKey));
}

//===----------------------------------------------------------------------===//
// Limits and memory
//===----------------------------------------------------------------------===//

const RunLimits &Context::getLimits() const { return Impl->Limits; }

void Context::setLimits(const RunLimits &Limits) { Impl->Limits = Limits; }

size_t Context::getMemory() const {
  return Impl->Slabs.getMemory() + getConstantMemory() + getUniquedMemory();
}

LogicalResult Context::checkMemory() {
  if (Impl->IsOutOfMemory.exchange(false)) {
    getDiagnostics().emitError(Location(),
                               "not enough memory for a tensor in " +
                                   CrashActivity::describe());
    return failure();
  }
  constexpr uint64_t MiB = 1 << 20;
  uint64_t Limit = getLimits().Memory;
  if (getMemory() <= Limit)
    return success();
  reportLimit(getDiagnostics(), Limit / MiB, "MiB of memory", "-max-memory");
  return failure();
}

void Context::noteOutOfMemory() { Impl->IsOutOfMemory = true; }

uint64_t Context::takeFunctionSerial() { return ++Impl->LastFunctionSerial; }

size_t Context::getUniquedMemory() const {
  auto Sum = [](const auto &...Tables) { return (Tables.getNumBytes() + ...); };
  return Impl->Identities.getBytesAllocated() +
         Sum(Impl->Documents, Impl->Strings, Impl->Defaults, Impl->Ints,
             Impl->Floats, Impl->Arrays, Impl->Dicts, Impl->Pointers,
             Impl->DimExprs, Impl->AttrsSet, Impl->TensorTypes,
             Impl->TupleTypes, Impl->FuncTypes, Impl->RefTypes,
             Impl->TypeCalls);
}
