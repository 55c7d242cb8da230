//===- DynamicResult.h - Results of annotated types -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that creates or removes closures keeps the annotation of a result, and
// may make the yielded type less dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FUSION_DYNAMICRESULT_H
#define RELAY_LIB_TRANSFORMS_FUSION_DYNAMICRESULT_H

#include "relay/IR/Function.h"
#include "relay/IR/TypeUtils.h"

namespace relay {

/// Returns true if \p F yields another type than its dynamic annotation. When
/// its text is read, the annotation determines types inside.
inline bool isLessDynamicThanDeclared(Function &F) {
  Type *Declared = F.getSignature().ResultAnnotation;
  return Declared && isDynamic(Declared) && F.getResultType() != Declared;
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FUSION_DYNAMICRESULT_H
