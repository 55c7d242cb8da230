//===- ChangeAudit.h - Checks that all changes are announced ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of -verify-each: compares the operations of a function before and after
// a pass, one by one, with the changes announced to listeners. Tables indexed
// by operations, such as tables of handles, rely on announcements.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_CHANGEAUDIT_H
#define RELAY_INSTRUMENTATION_CHECKS_CHANGEAUDIT_H

#include "relay/IR/Fingerprint.h"
#include "relay/IR/RewriteListener.h"
#include "llvm/ADT/DenseSet.h"
#include <mutex>

namespace relay {

/// Functions may be processed in parallel.
class ChangeAudit final : public RewriteListener {
public:
  /// Must be called before a pass runs on \p F.
  void begin(Function &F);
  /// Returns the changes in \p F since begin() that were not announced, as a
  /// text that continues "'fuse-ops' "; empty if there are none.
  std::string check(Function &F);

  void notifyCreated(Operation *Op) override;
  void notifyModified(Operation *Op) override;
  void notifyErased(Operation *Op) override;
  void notifyRegionModified(Block &B) override;
  void notifyFunctionModified(Function &F) override;
  void notifyTyped(Function &F) override;
  void notifyFunctionErased(Function &F) override;

private:
  /// The record of one function.
  struct Record {
    uint64_t Version = 0; ///< of the function at that time
    PartFingerprint Whole;
    llvm::DenseMap<const Operation *, PartFingerprint> Before;
    // Changes announced since begin().
    llvm::DenseSet<const Operation *> Changed, Erased;
    bool IsTyped = false, IsModified = false;
  };

  /// Calls \p Note with the record of \p F, if there is one.
  void note(const Function *F, function_ref<void(Record &)> Note);
  static void take(Record &R, Function &F);
  static bool isAnnounced(const Record &R, const Operation &Op);

  std::mutex Lock;
  /// By Function::getSerial().
  llvm::DenseMap<uint64_t, std::unique_ptr<Record>> Records;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_CHANGEAUDIT_H
