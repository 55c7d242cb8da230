//===- RandomParameters.h - Made-up weights of models -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values for the parameters of a model whose weights are not at hand: -params=
// random. They are such that what deep networks compute stays finite.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_RANDOMPARAMETERS_H
#define RELAY_INTERPRETER_VALUES_RANDOMPARAMETERS_H

#include "relay/IR/Value.h"
#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// Values for \p Param, whose type is a static tensor of elements that have a
/// C++ type; \p Meter has room for it. An element depends on \p Seed, the name
/// of the parameter and the element's index, on nothing else, and is the same
/// on every machine:
///
/// - floats of rank 2 or more are uniform, with a mean of 0 and a variance of 1
///   by the number of elements that one output is the sum over: all but those
///   of the axis of outputs, which is `O` in the `kernel_layout` of a
///   convolution that uses the parameter, and else the first one;
/// - floats of a lower rank, such as variances, scales and biases, are uniform
///   in [0.5, 1.5);
/// - integers of 8 bits have any value, others are 0 to 3, which index most
///   things.
Tensor makeRandomParameter(const BlockArgument &Param, uint64_t Seed,
                           MemoryMeter *Meter = nullptr);

/// The same for a tensor named \p Name that is not a parameter; its outputs are
/// along the first axis.
Tensor makeRandomTensor(DType T, ArrayRef<int64_t> Shape, StringRef Name,
                        uint64_t Seed, MemoryMeter *Meter = nullptr);

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_RANDOMPARAMETERS_H
