//===- PassInstrument.h - TVM's instruments around passes -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instrument is notified when a PassContext is entered and left, and of each
// pass, once for the whole module. PassContext, which installs instruments,
// documents the effects of a failing hook.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSINSTRUMENT_H
#define RELAY_PASS_PASSINSTRUMENT_H

#include "relay/IR/Module.h"
#include "relay/Pass/PassInfo.h"
#include "llvm/Support/Error.h"

namespace relay {

class PassInstrument {
public:
  explicit PassInstrument(StringRef Name) : Name(Name) {}
  virtual ~PassInstrument();

  StringRef getName() const { return Name; }

  /// Returns true if a pass may run on several functions in parallel between
  /// the hooks. The hooks themselves are called by one thread.
  virtual bool allowsThreads() const { return false; }

  virtual llvm::Error enterPassContext() { return llvm::Error::success(); }
  virtual llvm::Error exitPassContext() { return llvm::Error::success(); }
  /// Returns true if the pass is to run. Not called for required passes.
  virtual llvm::Expected<bool> shouldRun(Module &, const PassInfo &) {
    return true;
  }
  virtual llvm::Error runBeforePass(Module &, const PassInfo &) {
    return llvm::Error::success();
  }
  virtual llvm::Error runAfterPass(Module &, const PassInfo &) {
    return llvm::Error::success();
  }
  /// Called instead of runAfterPass if the pass failed; the module may be
  /// invalid.
  virtual void runAfterFailedPass(Module &, const PassInfo &) {}

private:
  std::string Name;
};

} // namespace relay

#endif // RELAY_PASS_PASSINSTRUMENT_H
