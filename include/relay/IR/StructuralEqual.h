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
// Inferred types replace missing annotations, as TVM's InferType writes them,
// so both sides must be typed, or neither. Type parameters and symbolic
// dimensions match one to one over the whole module, wherever they first occur.
// (TVM requires some of them to occur in a parameter first, and distinguishes a
// module with an ADT from its own copy.)
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_STRUCTURALEQUAL_H
#define RELAY_IR_STRUCTURALEQUAL_H

#include "relay/IR/Module.h"

namespace relay {

struct EqualOptions {
  /// Elements of float constants may differ by this, relative to the larger;
  /// 0: bit for bit.
  double RelativeTolerance = 0;
  /// Floats among attributes may differ by this, absolutely (TVM: 1e-9).
  double AttributeTolerance = 0;
  /// Globals named `lifted_name<digits>` match one to one.
  bool MatchLiftedNames = false;
  /// Compare virtual devices of results (TVM compares only those of variables).
  bool ResultVirtualDevices = true;
  /// Attributes of the module, which text does not hold, count.
  bool ModuleAttributes = true;
};

/// The first difference that was found: what differs, and the two places. A
/// place is null where it is a whole function or definition.
struct Difference {
  std::string Reason;
  const Value *Left = nullptr, *Right = nullptr;
  const Function *LeftFunction = nullptr, *RightFunction = nullptr;
};

/// Both sides are of one Context and normalized.
bool isStructurallyEqual(Module &L, Module &R, const EqualOptions &O = {},
                         Difference *D = nullptr);
bool isStructurallyEqual(Function &L, Function &R, const EqualOptions &O = {},
                         Difference *D = nullptr);
/// Equal types up to the names of type parameters.
bool isSameType(const Type *L, const Type *R);

/// Equal modules and functions (in the sense of the default options) have equal
/// hashes; constants count by content. The same in every run of the program.
/// Without \p InferredTypes only types that are written, as annotations, count.
uint64_t getStructuralHash(Function &F, bool InferredTypes = true);
uint64_t getStructuralHash(Module &M);

} // namespace relay

#endif // RELAY_IR_STRUCTURALEQUAL_H
