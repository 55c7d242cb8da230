//===- IdleOptions.h - Options without effect -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks and warnings about options without effect. Each is printed once per
// run, for any number of modules.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_IDLEOPTIONS_H
#define RELAY_LIB_DRIVER_OPT_IDLEOPTIONS_H

#include "relay/Pass/PassManager.h"

namespace relay {

class PassRegistry;
struct RelayOptOptions;

/// Emits remarks on passes and config options of TVM that \p O names and that
/// \p Registry lacks.
void remarkOnUnimplemented(const RelayOptOptions &O,
                           const PassRegistry &Registry);

/// Warns about a processor of -target that LLVM does not know, and about keys
/// that no target declares but that resemble a declared one.
void warnOfMisspeltTarget(const RelayOptOptions &O,
                          const PassRegistry &Registry);

/// Warns if \p Pipeline does not bind the values of -params and they are not
/// saved.
void warnOfUnboundParameters(const RelayOptOptions &O,
                             const ModulePassManager &Pipeline);

/// Warns about rules of files in \p Pipeline, which has run, that never
/// applied.
void warnOfIdleRules(const ModulePassManager &Pipeline);

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_IDLEOPTIONS_H
