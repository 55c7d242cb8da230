//===- RewriteText.cpp - Descriptions of rewrites -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Describes a rewrite in one line. See RewriteText.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/RewriteText.h"
#include "relay/IR/Context.h"

using namespace relay;

SmallVector<StringRef, 2> relay::getLayers(const Rewrite &R) {
  SmallVector<StringRef, 2> Layers;
  if (R.Root && R.Root->getFunction())
    R.Root->getFunction()->getContext().getLocations().getLayers(
        R.Root->getLoc(), Layers);
  return Layers;
}

std::string relay::getRewriteText(const Rewrite &R) {
  if (R.Root)
    return (R.Rule + " of " + R.Root->getDescription()).str();
  return R.F ? (R.Rule + " of @" + R.F->getName()).str() : R.Rule.str();
}
