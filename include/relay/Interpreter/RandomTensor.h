//===- RandomTensor.h - Tensors of random elements --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters for models that have none: of a size by which deep networks stay
// finite, and the same for a seed on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_RANDOMTENSOR_H
#define RELAY_INTERPRETER_RANDOMTENSOR_H

#include "relay/Interpreter/Tensor.h"

namespace relay {

/// A tensor of \p T, whose shape is static and whose elements are known to
/// dispatchDType(). \p Seed and \p Number, of the parameter, decide on the
/// elements:
///   floats of rank 0 and 1 (biases, scales, variances): in [0.5, 1.5);
///   other floats: in [-r, r), r = sqrt(3 / n), where n is how many elements
///     there are for each place on axis 0 (with weights of OIHW, sums of
///     products keep the variance of the data);
///   8 bit integers: any; other integers: 0 to 3, which index most things.
Tensor makeRandomTensor(const TensorType &T, uint64_t Seed, uint64_t Number);

} // namespace relay

#endif // RELAY_INTERPRETER_RANDOMTENSOR_H
