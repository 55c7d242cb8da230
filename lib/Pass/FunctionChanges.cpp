//===- FunctionChanges.cpp - Functions that passes change -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FunctionChanges.h.
//
//===----------------------------------------------------------------------===//

#include "FunctionChanges.h"

using namespace relay;

FunctionChanges::FunctionChanges(Module &M)
    : NumModuleChanges(M.getRewriteLog().getNumChanges()) {
  States.reserve(M.getNumFunctions());
  for (Function &F : M.functions())
    States.push_back({F.getSerial(), F.getVersion()});
}

SmallVector<Function *, 1> FunctionChanges::take(Module &M,
                                                 bool SaysChanged) const {
  SmallVector<Function *, 1> Changed;
  bool HasNotes = M.getRewriteLog().getNumChanges() != NumModuleChanges;
  auto Before = States.begin();
  for (Function &F : M.functions()) {
    while (Before != States.end() && Before->Serial < F.getSerial())
      ++Before; // it was erased
    bool IsKept = Before != States.end() && Before->Serial == F.getSerial();
    bool IsNoted = IsKept && Before->Version != F.getVersion();
    HasNotes |= IsNoted;
    if (!IsKept || IsNoted)
      Changed.push_back(&F);
  }
  if (!SaysChanged || HasNotes)
    return Changed;
  Changed.clear();
  for (Function &F : M.functions()) {
    F.getRewriteLog().addSilentChange();
    Changed.push_back(&F);
  }
  return Changed;
}
