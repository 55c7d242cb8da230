//===- ContextAttrs.cpp - Uniqued attributes ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniquing of attribute values. ConstantPool.h uniques and releases constants,
// DocumentTable.h identifies documents of raw metadata.
//
//===----------------------------------------------------------------------===//

#include "ContextImpl.h"
#include "ValueFolding.h"
#include "relay/IR/Constant.h"
#include "relay/IR/Core.h"

using namespace relay;
using namespace relay::uniquing;

//===----------------------------------------------------------------------===//
// Strings and attribute values
//===----------------------------------------------------------------------===//

StringRef Context::intern(StringRef Text) {
  const StringStorage &S = Impl->getString(Text);
  return StringRef(S.Data, S.Size);
}

StringRef Context::lookupInterned(StringRef Text) const {
  const StringStorage *S = Impl->Strings.find(Text);
  return S ? StringRef(S->Data, S->Size) : StringRef();
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

Attr Context::getRaw(const MetaDocument &Document, unsigned Node) {
  return Attr(Impl->getPointer(Attr::Kind::Raw, Document.Slot, Node));
}

MetaDocumentSlot *Context::takeDocumentSlot(const MetaDocument &D) {
  return Impl->Documents.take(D, Impl->Multithreaded);
}

void Context::giveBackDocumentSlot(MetaDocumentSlot &Slot) {
  Impl->Documents.giveBack(Slot, Impl->Multithreaded);
}

Attr Context::getTypeAttr(Type *T) {
  return Attr(Impl->getPointer(Attr::Kind::Type, T));
}

Attr Context::getOpAttrsAttr(const Attrs *A) {
  return Attr(Impl->getPointer(Attr::Kind::OpAttrs, A));
}

const Attrs *Context::getAttrs(const AttrsInfo &Info, ArrayRef<Attr> Slots) {
  assert(Slots.size() == Info.Fields.size() && "one value a field");
  AttrsTraits::KeyT Key(&Info, Slots);
  return Impl->AttrsSet.get(
      Key, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        void *Memory = A.Allocate(sizeof(Attrs) + Slots.size() * sizeof(Attr),
                                  alignof(Attrs));
        // Operations hold the attributes of constants.
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
// Constants
//===----------------------------------------------------------------------===//

Attr Context::getConstant(TensorType *T, ArrayRef<char> Bytes) {
  return Attr(Impl->Constants.get(T, Bytes, Impl->Multithreaded));
}

Attr Context::getConstant(TensorType *T, TensorBuffer Buffer) {
  return Attr(Impl->Constants.get(T, std::move(Buffer), Impl->Multithreaded));
}

Attr Context::getOpaqueConstant(TensorType *T, const OpaqueName &Name) {
  return Attr(Impl->Constants.getOpaque(T, Name, Impl->Multithreaded));
}

bool Context::hasOpaqueConstants() const { return Impl->Constants.hasOpaque(); }

Attr Context::getScalarConstant(DType T, double Value) {
  return getConstant(getScalarType(T), makeSplat(T, 1, Value));
}

Attr Context::getScalarConstant(DType T, int64_t Value) {
  return getConstant(getScalarType(T), makeSplat(T, 1, Value));
}

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
