//===- Annotations.h - Removing annotations of regions ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps on `annotation.compiler_begin` and `annotation.compiler_end` that the
// passes of this folder share. AnnotatedRegions.h finds the regions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTITION_ANNOTATIONS_H
#define RELAY_LIB_TRANSFORMS_PARTITION_ANNOTATIONS_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// Replaces the annotations of \p F that \p ShouldRemove accepts by their
/// operands, as one rewrite \p Rule. Returns true if there were any. The types
/// of operands may be less dynamic: the pass calls updateDynamicTypes() at its
/// end.
bool removeAnnotations(Rewriter &R, Function &F, StringRef Rule,
                       function_ref<bool(const Operation &)> ShouldRemove);

/// Infers the types of \p M again if a value in one of the functions \p Changed
/// has a dynamic type, which annotations can make more or less dynamic. Brings
/// these functions into canonical order.
LogicalResult updateDynamicTypes(Module &M, ArrayRef<Function *> Changed);
/// Does the same for one function.
LogicalResult updateDynamicTypes(Function &F);

/// Removes the annotations of \p F for the host, as one rewrite. Returns true
/// if there were any.
bool removeDefaultAnnotations(Rewriter &R, Function &F);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTITION_ANNOTATIONS_H
