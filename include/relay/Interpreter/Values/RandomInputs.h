//===- RandomInputs.h - Random arguments of functions -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random arguments for test evaluations of a function: tensors of any element
// type and shape, including `?` and symbolic dimensions, tuples, values of
// algebraic data types and simple functions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_RANDOMINPUTS_H
#define RELAY_INTERPRETER_VALUES_RANDOMINPUTS_H

#include "relay/Interpreter/Values/RuntimeValue.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace relay {

/// The kinds of numbers in inputs.
enum class InputKind : uint8_t {
  Plain, ///< as weights (RandomParameters.h)
  /// Floats in [-2, 2), except for parameters that are weights or variances,
  /// which are as in Plain; integers -4 to 3, unsigned ones 0 to 7.
  Signed,
  Edges, ///< some are 0, -0, 1, -1, 0.5, a subnormal number or NaN
  /// Magnitudes from 2^-6 to 2^10, or up to half the range of an integer type,
  /// on a logarithmic scale, of any sign; weights, variances and zero points
  /// as in Plain.
  Wide,
  Extremes ///< some are NaN, infinite, -0, or the least or greatest number
};
/// Returns `plain numbers` or `numbers at edges`.
StringRef describe(InputKind K);

/// One set of arguments. They depend only on the seed, the kind, and the names
/// of the parameters, and are the same on every machine.
class RandomInputs {
public:
  /// Looks up types in \p M. \p Meter counts the tensors and limits them.
  RandomInputs(const Module &M, InputKind K, uint64_t Seed, MemoryMeter *Meter)
      : M(M), K(K), Seed(Seed), Meter(Meter) {}

  /// Returns an argument for each parameter of \p F, or an error. For Plain and
  /// static tensors the arguments are those of `relay-run -params=random:seed`.
  /// `?` is the same number everywhere; a symbolic dimension is the same number
  /// at each occurrence; a type parameter is the scalar float32.
  llvm::Expected<std::vector<RuntimeValue>> make(const Function &F);

private:
  struct Part;
  llvm::Expected<RuntimeValue> make(const Part &P);
  llvm::Expected<RuntimeValue> makeTensor(const Part &P);
  llvm::Expected<SmallVector<RuntimeValue, 4>>
  makeFields(const Part &P, ArrayRef<Type *> Types, unsigned DataDepth);
  llvm::Expected<RuntimeValue> makeTuple(const Part &P);
  llvm::Expected<RuntimeValue> makeData(const Part &P);
  llvm::Expected<RuntimeValue> makeFunction(const Part &P);
  int64_t getExtent(Dim D) const;

  const Module &M;
  InputKind K;
  uint64_t Seed;
  MemoryMeter *Meter;
  uint64_t NumParts = 0; ///< tensors, tuples and so on, of one set
};

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_RANDOMINPUTS_H
