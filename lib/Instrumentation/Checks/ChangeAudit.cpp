//===- ChangeAudit.cpp - Completeness of notifications --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the changed operations of a function with the announced ones. See
// ChangeAudit.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/ChangeAudit.h"
#include "relay/IR/Walk.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Notifications
//===----------------------------------------------------------------------===//

void ChangeAudit::note(const Function *F, function_ref<void(Record &)> Note) {
  if (!F)
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  auto Known = Records.find(F->getSerial());
  if (Known != Records.end())
    Note(*Known->second);
}

void ChangeAudit::notifyCreated(Operation *Op) { notifyModified(Op); }

void ChangeAudit::notifyModified(Operation *Op) {
  note(Op->getFunction(), [&](Record &R) { R.Changed.insert(Op); });
}

void ChangeAudit::notifyErased(Operation *Op) {
  note(Op->getFunction(), [&](Record &R) { R.Erased.insert(Op); });
}

void ChangeAudit::notifyRegionModified(Block &B) {
  notifyModified(B.getParentOp());
}

void ChangeAudit::notifyFunctionModified(Function &F) {
  note(&F, [](Record &R) { R.IsModified = true; });
}

void ChangeAudit::notifyTyped(Function &F) {
  note(&F, [](Record &R) { R.IsTyped = true; });
}

void ChangeAudit::notifyFunctionErased(Function &F) {
  std::lock_guard<std::mutex> Guard(Lock);
  Records.erase(F.getSerial());
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

void ChangeAudit::take(Record &R, Function &F) {
  R = Record();
  R.Version = F.getVersion();
  R.Whole = getPartFingerprint(F);
  walk(F, [&](Operation *Op) { R.Before[Op] = getPartFingerprint(*Op); });
}

void ChangeAudit::begin(Function &F) {
  Record *R;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::unique_ptr<Record> &Slot = Records[F.getSerial()];
    bool IsNew = !Slot;
    if (IsNew)
      Slot = std::make_unique<Record>();
    R = Slot.get();
    bool IsCurrent = !IsNew && R->Version == F.getVersion() &&
                     R->Changed.empty() && R->Erased.empty() && !R->IsTyped &&
                     !R->IsModified;
    if (IsCurrent)
      return;
  }
  take(*R, F);
}

/// Returns true if notifications account for the present state of \p Op.
bool ChangeAudit::isAnnounced(const Record &R, const Operation &Op) {
  if (R.Changed.contains(&Op))
    return true;
  auto Before = R.Before.find(&Op);
  if (Before == R.Before.end())
    return false;
  PartFingerprint Now = getPartFingerprint(Op);
  return Now.Structure == Before->second.Structure &&
         (R.IsTyped || Now.Types == Before->second.Types);
}

std::string ChangeAudit::check(Function &F) {
  Record *R;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    auto Known = Records.find(F.getSerial());
    if (Known == Records.end()) // created by the pass
      return "";
    R = Known->second.get();
  }
  PartFingerprint Now = getPartFingerprint(F);
  bool IsSame = Now.Structure == R->Whole.Structure &&
                (R->IsTyped || Now.Types == R->Whole.Types);
  if (!IsSame && !R->IsModified)
    return ("changed the signature of @" + F.getName() +
            " without notifying listeners")
        .str();
  size_t NumLeft = 0;
  const Operation *Missed = nullptr;
  walk(F, [&](Operation *Op) {
    NumLeft += R->Before.contains(Op);
    if (!Missed && !isAnnounced(*R, *Op))
      Missed = Op;
  });
  if (Missed)
    return "changed or created " + Missed->getDescription() +
           " without notifying listeners";
  size_t NumGone = llvm::count_if(R->Before, [&](const auto &Entry) {
    return R->Erased.contains(Entry.first);
  });
  // The memory of an erased operation may have been reused.
  if (NumLeft + NumGone < R->Before.size())
    return ("erased operations of @" + F.getName() +
            " without notifying listeners")
        .str();
  return "";
}
