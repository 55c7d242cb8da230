//===- RandomInputs.h - Made-up arguments of functions ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments on which a function is tried out: tensors of any element type, of
// shapes with `?` and symbolic dimensions too, tuples, values of algebraic data
// types and simple functions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_RANDOMINPUTS_H
#define RELAY_INTERPRETER_VALUES_RANDOMINPUTS_H

#include "relay/Interpreter/Values/RuntimeValue.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace relay {

/// Which numbers inputs are made of.
enum class InputKind : uint8_t {
  Plain, ///< as weights are (RandomParameters.h)
  /// Floats in [-2, 2), but for weights and variances that are parameters,
  /// which are as in Plain; integers -4 to 3, unsigned ones 0 to 7.
  Signed,
  Edges,   ///< some are 0, -0, 1, -1, 0.5, a subnormal number or NaN
  Extremes ///< some are NaN, infinite, -0, or the least or greatest number
};
/// `plain numbers`, `numbers at edges`.
StringRef describe(InputKind K);

/// One set of arguments. They are a function of the seed, the kind, and the
/// names of the parameters, the same on every machine.
class RandomInputs {
public:
  /// Types are looked up in \p M. Tensors count on \p Meter and fit its limit.
  RandomInputs(const Module &M, InputKind K, uint64_t Seed, MemoryMeter *Meter)
      : M(M), K(K), Seed(Seed), Meter(Meter) {}

  /// An argument for each parameter of \p F, or why there is none. Of Plain
  /// and static tensors that is what `relay-run -params=random:seed` makes.
  /// `?` is one number everywhere; a symbolic dimension is one number wherever
  /// it occurs; a type parameter is the scalar float32.
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
