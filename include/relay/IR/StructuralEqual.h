//===- StructuralEqual.h - Equality and hash of IR --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's structural equality on normalized IR: names of variables and numbering
// do not count; sharing of calls and tuples does, of constants, projections and
// `()` not; annotations, result types, virtual devices, dtypes of dimensions
// and function attributes count. Iterative.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_STRUCTURALEQUAL_H
#define RELAY_IR_STRUCTURALEQUAL_H

#include "relay/IR/Module.h"

namespace relay {

struct EqualOptions {
  /// Float constants may differ by this relative tolerance; 0: bit for bit.
  double RelativeTolerance = 0;
  /// Globals named `lifted_name<digits>` match one to one.
  bool MatchLiftedNames = false;
};

/// The first difference that was found: what differs, and the two places.
struct Difference {
  std::string Reason;
  const Value *Left = nullptr, *Right = nullptr;
  const Function *LeftFunction = nullptr, *RightFunction = nullptr;
};

bool isStructurallyEqual(Module &L, Module &R, const EqualOptions &O = {},
                         Difference *D = nullptr);
bool isStructurallyEqual(Function &L, Function &R, const EqualOptions &O = {},
                         Difference *D = nullptr);
/// Equal types up to the names of type parameters.
bool isSameType(const Type *L, const Type *R);

/// Equal modules and functions have equal hashes; constants count by content.
uint64_t getStructuralHash(Function &F);
uint64_t getStructuralHash(Module &M);

} // namespace relay

#endif // RELAY_IR_STRUCTURALEQUAL_H
