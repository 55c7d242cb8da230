//===- StandardGroups.h - The groups of pipeline text -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The initial groups, analysis passes and targets of a PassRegistry. Private to
// the library Pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PASS_STANDARDGROUPS_H
#define RELAY_LIB_PASS_STANDARDGROUPS_H

namespace relay {

class PassRegistry;

/// Adds `function(…)`, `sequential(…)`, `repeat<N>(…)`, `fixpoint<max=N>(…)`.
void registerStandardGroups(PassRegistry &Registry);

/// Adds the targets of Targets.td.
void registerStandardTargets(PassRegistry &Registry);

/// Adds `require<…>`, `invalidate<…>` and `print<…>`.
void registerAnalysisPasses(PassRegistry &Registry);

} // namespace relay

#endif // RELAY_LIB_PASS_STANDARDGROUPS_H
