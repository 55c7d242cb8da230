//===- ConstantPool.h - The constants of a context --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniques ConstantData and releases the bytes of unreferenced constants. The
// ConstantData itself is kept and revived when the same data is created again.
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

  /// Returns the data with these contents. If it is new, \p Bytes is copied, \p
  /// Buffer is moved.
  const ConstantData *get(TensorType *T, ArrayRef<char> Bytes,
                          bool Multithreaded);
  const ConstantData *get(TensorType *T, TensorBuffer Buffer,
                          bool Multithreaded);
  /// Returns the opaque constant of this type and name.
  const ConstantData *getOpaque(TensorType *T, const OpaqueName &Name,
                                bool Multithreaded);
  /// Returns true if there are opaque constants.
  bool hasOpaque() const { return HasOpaque; }
  /// Records that \p Data is unreferenced.
  void addUnused(const ConstantData &Data);
  /// Releases the bytes of constants that are still unreferenced. Must be
  /// called by one thread only.
  void releaseUnused();
  /// Keeps \p Data as long as the context lives.
  static void keep(const ConstantData &Data) { Data.retain(); }
  /// Returns the size of all present constants, except those in mapped files.
  size_t getNumBytes() const { return NumBytes; }

private:
  struct Traits {
    struct KeyT {
      TensorType *Ty;
      ArrayRef<char> Bytes;
      uint64_t Hash; // of the bytes; computed once, since there may be many
    };
    static unsigned hash(const KeyT &K);
    static bool isEqual(const KeyT &K, const ConstantData *Data);
  };

  struct OpaqueTraits {
    struct KeyT {
      TensorType *Ty;
      OpaqueName Name;
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
  Uniquer<ConstantData, OpaqueTraits> OpaqueTable;
  std::atomic<bool> HasOpaque{false};
  /// Guards the following members, and revival.
  mutable std::mutex Mutex;
  std::vector<const ConstantData *> All, Unused;
  std::atomic<size_t> NumBytes{0};
};

} // namespace relay

#endif // RELAY_LIB_IR_CONSTANTPOOL_H
