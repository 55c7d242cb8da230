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
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace relay;

/// The text of the option \p Name of \p T; empty if it is not set.
static std::string getTextOption(const Target &T, StringRef Name) {
  return T.getOption<std::optional<std::string>>(Name).value_or("");
}

bool relay::hasListedFeature(const Target *T, StringRef Feature) {
  return T &&
         llvm::is_contained(T->getOption<std::vector<std::string>>("mattr"),
                            ("+" + Feature).str());
}

/// Returns true if the listed feature \p Listed has \p Feature, too.
static bool impliesFeature(StringRef Listed, StringRef Feature) {
  if (!Listed.consume_front("+"))
    return false;
  llvm::StringMap<bool> Implied;
  llvm::X86::updateImpliedFeatures(Listed, /*Enabled=*/true, Implied);
  return Listed == Feature || Implied.lookup(Feature);
}

bool relay::hasX86Feature(const Target *T, StringRef Feature) {
  if (!T || T->getName() != "llvm")
    return false;
  llvm::Triple Triple(getTextOption(*T, "mtriple"));
  if (Triple.getArch() != llvm::Triple::UnknownArch && !Triple.isX86())
    return false;
  std::string Processor = getTextOption(*T, "mcpu");
  SmallVector<StringRef> Features;
  if (llvm::X86::parseArchX86(Processor) != llvm::X86::CK_None)
    llvm::X86::getFeaturesForCPU(Processor, Features);
  return llvm::is_contained(Features, Feature) ||
         llvm::any_of(
             T->getOption<std::vector<std::string>>("mattr"),
             [&](StringRef Listed) { return impliesFeature(Listed, Feature); });
}
