//===- Pass.cpp - Transformations of modules and functions ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Pass.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/Pass.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

/// Drops the punctuation of \p Name and converts it to lower case.
static std::string normalizePassName(StringRef Name) {
  std::string Result;
  for (char C : Name)
    if (C != '-' && C != '_' && C != '.')
      Result += llvm::toLower(C);
  return Result;
}

bool relay::isSamePassName(StringRef A, StringRef B) {
  return A == B || normalizePassName(A) == normalizePassName(B);
}

Statistic::Statistic(Pass &Owner, const PassStatisticInfo &Info) : Info(Info) {
  Owner.Statistics.push_back(this);
}

Pass::~Pass() = default;

std::string Pass::getOptionText() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPipeline(OS);
  return Text.substr(Info.Argument.size());
}

void Pass::takeStatistics(Pass &Clone) {
  for (auto [Into, From] : llvm::zip_equal(Statistics, Clone.Statistics))
    if (uint64_t N = std::exchange(From->Value, 0))
      runInOrder([Into = Into, N] { *Into += N; });
}
