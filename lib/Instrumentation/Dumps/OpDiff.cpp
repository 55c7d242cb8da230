//===- OpDiff.cpp - Operators added and removed ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts operators before and after each pass, and prints the differences. See
// OpDiff.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/OpDiff.h"
#include "relay/IR/OpInfo.h"

using namespace relay;
using llvm::Error;

/// Returns true if calls of \p Info are counted: operators, calls of closures,
/// and closures.
static bool isCounted(const OpInfo &Info) {
  return Info.isOperator() || Info.Code == OpCode::Fn ||
         Info.Code == OpCode::CallValue;
}

/// Returns `nn.relu`, `fn`, `call`.
static StringRef getPlainOpName(const OpInfo &Info) {
  StringRef Name = Info.Name;
  Name.consume_front("relay.");
  return Name;
}

static OpCounts count(Module &M) {
  OpCounts Sum;
  for (Function &F : M.functions())
    Sum += OpCounts(F);
  return Sum;
}

Error OpDiff::enterPassContext() {
  Counts.clear();
  return Error::success();
}

Error OpDiff::runBeforePass(Module &M, const PassInfo &) {
  Counts.push_back(count(M));
  return Error::success();
}

Error OpDiff::runAfterPass(Module &M, const PassInfo &Info) {
  SmallVector<OpCounts::Change, 0> Difference =
      count(M).getChanges(Counts.back());
  Counts.pop_back();
  llvm::erase_if(Difference,
                 [](auto &Entry) { return !isCounted(*Entry.first); });
  llvm::sort(Difference, [](auto &A, auto &B) {
    return getPlainOpName(*A.first) < getPlainOpName(*B.first);
  });
  if (Difference.empty() || Dumper.isFilteredOut(Info))
    return Error::success();
  raw_ostream &OS = Dumper.getStream();
  OS << '(' << Counts.size() << ", " << Info.Name << ", {";
  llvm::interleaveComma(Difference, OS, [&](const auto &Entry) {
    OS << getPlainOpName(*Entry.first) << ": " << Entry.second;
  });
  OS << "})\n";
  return Error::success();
}

void OpDiff::runAfterFailedPass(Module &, const PassInfo &) {
  Counts.pop_back();
}
