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

using namespace relay;

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
  for (auto [Mine, Theirs] : llvm::zip_equal(Statistics, Clone.Statistics))
    if (uint64_t N = std::exchange(Theirs->Value, 0))
      runInOrder([Mine = Mine, N] { *Mine += N; });
}
