//===- ConstantPool.h - The constants of a context --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniques ConstantData and releases the bytes of those that nothing holds any
// more. The ConstantData itself stays: the same data, made again, revive it.
// Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_CONSTANTPOOL_H
#define RELAY_LIB_IR_CONSTANTPOOL_H

#include "Uniquer.h"
#include "relay/IR/Constant.h"
#include <atomic>

namespace relay {

class ConstantPool {
public:
  ConstantPool() = default;
  ConstantPool(const ConstantPool &) = delete;
  ~ConstantPool();

  /// The data of these contents; \p Bytes are copied, \p Buffer is taken over,
  /// if they are new.
  const ConstantData *get(TensorType *T, ArrayRef<char> Bytes,
                          bool Multithreaded);
  const ConstantData *get(TensorType *T, TensorBuffer Buffer,
                          bool Multithreaded);
  /// Notes that nothing holds \p Data any more.
  void addUnused(const ConstantData &Data);
  /// Releases the bytes of what still nothing holds. One thread only.
  void releaseUnused();
  /// Holds \p Data for as long as the context lives.
  static void keep(const ConstantData &Data) { Data.retain(); }
  /// Bytes of all constants that are there, but for those in mapped files.
  size_t getNumBytes() const { return NumBytes; }

private:
  struct Traits {
    struct KeyT {
      TensorType *Ty;
      ArrayRef<char> Bytes;
      uint64_t Hash; // of the bytes, which may be many: taken once
    };
    static unsigned hash(const KeyT &K);
    static bool isEqual(const KeyT &K, const ConstantData *Data);
  };

  const ConstantData *get(TensorType *T, ArrayRef<char> Bytes,
                          bool Multithreaded,
                          function_ref<TensorBuffer()> MakeBuffer);
  void setBuffer(ConstantData &Data, TensorBuffer Buffer);
  void releaseBuffer(const ConstantData &Data);

  Uniquer<ConstantData, Traits> Table;
  /// Guards what follows, and reviving.
  mutable std::mutex Mutex;
  std::vector<const ConstantData *> All, Unused;
  std::atomic<size_t> NumBytes{0};
};

} // namespace relay

#endif // RELAY_LIB_IR_CONSTANTPOOL_H
