//===- ConstantPool.cpp - The constants of a context ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ConstantPool.h. Bytes are released only while a single thread runs, so
// that no other thread looks up data during its release.
//
//===----------------------------------------------------------------------===//

#include "ConstantPool.h"
#include "llvm/Support/xxhash.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Uniquing
//===----------------------------------------------------------------------===//

unsigned ConstantPool::Traits::hash(const KeyT &K) {
  uint64_t H =
      K.Hash ^ (reinterpret_cast<uintptr_t>(K.Ty) >> 4) * 0x9e3779b97f4a7c15ull;
  return unsigned(H ^ H >> 32);
}

/// Released data has no bytes to compare: it equals any data of the same type
/// and hash, and get() then stores the bytes in it again.
bool ConstantPool::Traits::isEqual(const KeyT &K, const ConstantData *Data) {
  return K.Ty == Data->getType() && K.Hash == Data->getHash() &&
         (Data->isReleased() || K.Bytes == Data->getBytes());
}

const ConstantData *ConstantPool::get(TensorType *T, ArrayRef<char> Bytes,
                                      bool Multithreaded,
                                      function_ref<TensorBuffer()> MakeBuffer) {
  assert(T->getNumElements() &&
         uint64_t(*T->getNumElements()) * T->getDType().getByteSize() ==
             Bytes.size() &&
         "bytes do not fit the type");
  uint64_t Hash = llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(Bytes.data()), Bytes.size()));
  ConstantData *Data = Table.get({T, Bytes, Hash}, Multithreaded,
                                 [&](llvm::BumpPtrAllocator &A) {
                                   auto *New = new (A.Allocate<ConstantData>())
                                       ConstantData(T, Hash, *this);
                                   setBuffer(*New, MakeBuffer());
                                   std::lock_guard<std::mutex> Guard(Mutex);
                                   All.push_back(New);
                                   return New;
                                 });
  if (LLVM_LIKELY(!Data->isReleased()))
    return Data;
  std::lock_guard<std::mutex> Guard(Mutex);
  if (Data->isReleased())
    setBuffer(*Data, MakeBuffer());
  return Data;
}

const ConstantData *ConstantPool::get(TensorType *T, ArrayRef<char> Bytes,
                                      bool Multithreaded) {
  return get(T, Bytes, Multithreaded,
             [&] { return TensorBuffer::copy(Bytes); });
}

const ConstantData *ConstantPool::get(TensorType *T, TensorBuffer Buffer,
                                      bool Multithreaded) {
  return get(T, Buffer.getBytes(), Multithreaded, [&] { return Buffer; });
}

//===----------------------------------------------------------------------===//
// Opaque constants
//===----------------------------------------------------------------------===//

/// The same in every run.
static uint64_t hashName(const OpaqueName &Name) {
  return llvm::xxh3_64bits(Name.Hash) ^
         (Name.Index ? *Name.Index + 1 : 0) * 0x9e3779b97f4a7c15ull;
}

unsigned ConstantPool::OpaqueTraits::hash(const KeyT &K) {
  return Traits::hash({K.Ty, {}, hashName(K.Name)});
}

bool ConstantPool::OpaqueTraits::isEqual(const KeyT &K,
                                         const ConstantData *Data) {
  return K.Ty == Data->getType() && K.Name == Data->getOpaqueName();
}

const ConstantData *ConstantPool::getOpaque(TensorType *T,
                                            const OpaqueName &Name,
                                            bool Multithreaded) {
  assert(T->getNumElements() && "the shape is not static");
  return OpaqueTable.get({T, Name}, Multithreaded,
                         [&](llvm::BumpPtrAllocator &A) {
                           HasOpaque = true;
                           auto *Kept = new (A.Allocate<OpaqueName>())
                               OpaqueName{Name.Index, Name.Hash.copy(A)};
                           return new (A.Allocate<ConstantData>())
                               ConstantData(T, hashName(Name), *this, Kept);
                         });
}

//===----------------------------------------------------------------------===//
// Releasing
//===----------------------------------------------------------------------===//

void ConstantPool::setBuffer(ConstantData &Data, TensorBuffer Buffer) {
  // A constant without elements has a buffer, too: null means released.
  if (!Buffer.Memory)
    Buffer = TensorBuffer::allocate(0);
  if (!Buffer.isMapped())
    NumBytes += Buffer.size();
  Buffer.Memory->Retain();
  Data.Buffer.store(Buffer.Memory.get(), std::memory_order_release);
}

void ConstantPool::releaseBuffer(const ConstantData &Data) {
  TensorBuffer::Storage *Memory = Data.Buffer.exchange(nullptr);
  if (!Memory)
    return;
  if (!Memory->File)
    NumBytes -= Memory->Bytes.size();
  Memory->Release();
}

ConstantPool::~ConstantPool() {
  for (const ConstantData *Data : All)
    releaseBuffer(*Data);
}

void ConstantPool::addUnused(const ConstantData &Data) {
  std::lock_guard<std::mutex> Guard(Mutex);
  Unused.push_back(&Data);
}

void ConstantPool::releaseUnused() {
  for (const ConstantData *Data : Unused)
    if (!Data->NumHolders)
      releaseBuffer(*Data);
  Unused.clear();
}
