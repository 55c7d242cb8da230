//===- TargetFeatures.cpp - Fast instructions of processors ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TargetFeatures.h.
//
//===----------------------------------------------------------------------===//

#include "TargetFeatures.h"
#include "relay/Pass/Target.h"

using namespace relay;

bool relay::hasX86Feature(const Target *T, StringRef Feature) {
  return T && T->hasX86Feature(Feature);
}

bool relay::hasListedFeature(const Target *T, StringRef Feature) {
  return T &&
         llvm::is_contained(T->getOption<std::vector<std::string>>("mattr"),
                            ("+" + Feature).str());
}
