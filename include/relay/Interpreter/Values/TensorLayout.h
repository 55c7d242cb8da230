//===- TensorLayout.h - Tensors in other layouts ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of convolutions and pooling compute in one layout without blocks.
// These functions convert tensors from and to other layouts.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_TENSORLAYOUT_H
#define RELAY_INTERPRETER_VALUES_TENSORLAYOUT_H

#include "relay/Interpreter/Kernels/KernelUtils.h"

namespace relay {

/// Converts \p Data from the layout \p From to the layout \p To, which has the
/// same axes and no blocks. Reports a number of axes that differs from From's.
FailureOr<Tensor> toPlainLayout(KernelCall &Call, const Tensor &Data,
                                StringRef From, StringRef To);
/// Converts \p Data from the layout \p From, which has no blocks, to the layout
/// \p To. Reports an axis that is not a multiple of its blocks.
FailureOr<Tensor> fromPlainLayout(KernelCall &Call, const Tensor &Data,
                                  StringRef From, StringRef To);

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_TENSORLAYOUT_H
