//===- RandomParameters.h - Random weights of models ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values for the parameters of a model whose weights are unavailable:
// -params=random. They keep the values in deep networks finite.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_RANDOMPARAMETERS_H
#define RELAY_INTERPRETER_VALUES_RANDOMPARAMETERS_H

#include "relay/IR/Value.h"
#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// Returns a value for \p Param, whose type is a static tensor with an element
/// type; \p Meter must have room for it. An element depends only on \p Seed,
/// the name of the parameter and the element's index, and is the same on every
/// machine:
///
/// - floats of rank 2 or more are uniform, with a mean of 0 and a variance of
/// 1/N, where N is the number of elements that one output sums over: all axes
/// except the axis of outputs, which is `O` in the `kernel_layout` of a
/// convolution that uses the parameter, otherwise the first axis;
/// - floats of a lower rank, such as variances, scales and biases, are uniform
///   in [0.5, 1.5);
/// - integers of 8 bits have any value, others are 0 to 3, which are valid
/// indices in most cases.
Tensor makeRandomParameter(const BlockArgument &Param, uint64_t Seed,
                           MemoryMeter *Meter = nullptr);

/// As above, for a tensor named \p Name that is not a parameter; its outputs
/// are along the first axis.
Tensor makeRandomTensor(DType T, ArrayRef<int64_t> Shape, StringRef Name,
                        uint64_t Seed, MemoryMeter *Meter = nullptr);

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_RANDOMPARAMETERS_H
