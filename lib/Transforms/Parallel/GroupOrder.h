//===- GroupOrder.h - Whether groups can be combined ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls of a group become one, which needs the operands of all of them
// before the first result is used. That cannot be where an operand of one call
// depends on another, be it by a `let` in between or by way of further groups.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARALLEL_GROUPORDER_H
#define RELAY_LIB_TRANSFORMS_PARALLEL_GROUPORDER_H

#include "ParallelGroups.h"

namespace relay {

/// Removes from \p Groups, of the normalized \p F, groups that prevent the
/// simultaneous combination of the others. Linear in the size of F.
void dropCyclicGroups(Function &F, SmallVectorImpl<ParallelGroup> &Groups);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARALLEL_GROUPORDER_H
