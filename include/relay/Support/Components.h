//===- Components.h - Strongly connected components -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The components of a graph whose nodes are numbers, by llvm::scc_iterator,
// which does not recurse.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_COMPONENTS_H
#define RELAY_SUPPORT_COMPONENTS_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace relay {

/// Calls \p Visit with the nodes of each strongly connected component of the
/// graph with the nodes [0, \p NumNodes), and with true if the component
/// contains a cycle. The lists that \p GetSuccessors returns must stay valid.
/// Components are visited in post-order: successors come first.
void forEachComponent(
    unsigned NumNodes, function_ref<ArrayRef<unsigned>(unsigned)> GetSuccessors,
    function_ref<void(ArrayRef<unsigned> Nodes, bool HasCycle)> Visit);

} // namespace relay

#endif // RELAY_SUPPORT_COMPONENTS_H
