//===- OptionalLock.h - A lock for several threads --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards the tables of a Context, which are mostly used by one thread. Private
// to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_OPTIONALLOCK_H
#define RELAY_LIB_IR_OPTIONALLOCK_H

#include <mutex>

namespace relay {

/// Locks \p Mutex only if \p On is set.
class OptionalLock {
public:
  OptionalLock(std::mutex &Mutex, bool On) : Mutex(On ? &Mutex : nullptr) {
    lock();
  }
  ~OptionalLock() { unlock(); }
  OptionalLock(const OptionalLock &) = delete;
  OptionalLock &operator=(const OptionalLock &) = delete;

  void lock() {
    if (Mutex)
      Mutex->lock();
  }
  void unlock() {
    if (Mutex)
      Mutex->unlock();
  }

private:
  std::mutex *Mutex;
};

} // namespace relay

#endif // RELAY_LIB_IR_OPTIONALLOCK_H
