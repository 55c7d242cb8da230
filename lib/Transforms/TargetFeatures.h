//===- TargetFeatures.h - Fast instructions of processors -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Features of processors by the options of targets.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_TARGETFEATURES_H
#define RELAY_LIB_TRANSFORMS_TARGETFEATURES_H

#include "relay/Support/LLVM.h"

namespace relay {

class Target;

/// Returns true if \p T compiles for x86 with \p Feature, such as `sse4.1`, by
/// its `mcpu` and `mattr`. T may be null.
bool hasX86Feature(const Target *T, StringRef Feature);
/// Returns true if `mattr` of \p T, which may be null, lists \p Feature.
bool hasListedFeature(const Target *T, StringRef Feature);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_TARGETFEATURES_H
