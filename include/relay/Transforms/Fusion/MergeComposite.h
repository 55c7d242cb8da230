//===- MergeComposite.h - The pass merge-composite --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the pass merge-composite of a pattern table, as TVM's
// MergeComposite(table). relay/Transforms/Passes.h has the function that makes
// it of a file.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_FUSION_MERGECOMPOSITE_H
#define RELAY_TRANSFORMS_FUSION_MERGECOMPOSITE_H

#include "relay/Pass/Pass.h"
#include "relay/Pattern/Composite/Composites.h"

namespace relay {

/// \p Table belongs to no Context.
std::unique_ptr<Pass>
createMergeCompositePass(std::vector<CompositePattern> Table);

} // namespace relay

#endif // RELAY_TRANSFORMS_FUSION_MERGECOMPOSITE_H
