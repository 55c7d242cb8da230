//===- Disposal.h - The end of IR that Python owns --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python deletes objects on any thread, also while another thread works on IR
// without the interpreter's lock. Deleting IR changes the Context, so only a
// thread that holds the EngineLock may do it; other threads leave dead IR to
// the holder, and do not wait.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_DISPOSAL_H
#define RELAY_LIB_PYTHON_BINDINGS_DISPOSAL_H

#include <memory>
#include <utility>

namespace relay::python {

/// Acquires the EngineLock unless another thread holds it.
bool tryLockEngine();
void unlockEngine();
/// Hands \p Dead to the holder of the EngineLock, who releases it later.
void disposeLater(std::shared_ptr<void> Dead);

/// Destroys \p Dead, now or when the thread that holds the EngineLock releases
/// it.
template <typename T> void dispose(T Dead) {
  if (!tryLockEngine()) {
    disposeLater(std::make_shared<T>(std::move(Dead)));
    return;
  }
  {
    T Now = std::move(Dead);
  }
  unlockEngine();
}

/// A value that refers to data of the Context, as a member of an object of
/// Python.
template <typename T> class Disposable {
public:
  Disposable() = default;
  explicit Disposable(T Value) : Value(std::move(Value)) {}
  Disposable(const Disposable &) = default;
  Disposable(Disposable &&) = default;
  ~Disposable() { dispose(std::move(Value)); }

  auto get() const { return Value.get(); }
  decltype(auto) operator->() const { return Value.operator->(); }

private:
  T Value;
};

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_DISPOSAL_H
