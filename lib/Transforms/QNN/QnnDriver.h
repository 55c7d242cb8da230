//===- QnnDriver.h - Lower quantized operators by hooks ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver of qnn-legalize and qnn-canonicalize.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_QNN_QNNDRIVER_H
#define RELAY_LIB_TRANSFORMS_QNN_QNNDRIVER_H

#include "LoweringDriver.h"
#include "relay/Transforms/QNN/QnnLowering.h"

namespace relay {

/// Returns false if the types of \p Op and its operands are not known. Fails if
/// they are in no form that lowerings take, after a diagnostic.
FailureOr<bool> canLowerQnn(const QnnLowering &Op);

/// Replaces the quantized operators of \p F by the hooks of the kind KindT.
/// Returns the number of replacements; fails after a diagnostic.
template <typename KindT>
FailureOr<unsigned> lowerQnnByHooks(Rewriter &R, Function &F,
                                    const QnnSettings &Settings,
                                    ArrayRef<StringRef> Keys) {
  return lowerByHooks<KindT>(
      R, F, Keys, [&](Operation &Op) { return QnnLowering(&Op, Settings); },
      canLowerQnn);
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_QNN_QNNDRIVER_H
