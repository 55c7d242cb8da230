//===- CanonicalOrder.h - Recognizing the canonical order -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks whether the numbers of operations are those of the depth-first walk of
// normalize(), without performing that walk. An OrderChecker is notified of the
// walk's edges in one pass over the IR; the check then runs on its flat arrays.
// Private to room IR.
//
// The walk visits the body and then, on its way, the parts of each operation:
// first its operands, then the bindings and the result of each region. An
// operation is numbered after all its parts. When the walk reaches an
// operation, the operations that are finished have exactly the lowest numbers;
// the next number is the start of the operation. A part is then either below
// the start, that is, finished, or is walked now, has the same start, and
// advances the start past its own number. The numbers are those of the walk if
// and only if every operation has exactly one start and its parts advance that
// start to its own number. Users have larger numbers than parts, so that one
// backward pass finds all starts.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_CANONICALORDER_H
#define RELAY_LIB_IR_CANONICALORDER_H

#include "relay/IR/Function.h"

namespace relay {

class OrderChecker {
public:
  /// Numbers begin at \p First, after the arguments of the body; about \p
  /// Expected numbers follow.
  explicit OrderChecker(uint32_t First, uint32_t Expected) : First(First) {
    Begin.assign(size_t(Expected) + 1, None);
    Parts.reserve(size_t(Expected) * 4); // two operands, and a binding
  }

  /// Begins the parts of operation \p Number, which addPart() adds. Returns
  /// false if the number is already used, by an operation or an argument.
  bool beginOperation(uint32_t Number) {
    if (LLVM_UNLIKELY(Number >= Begin.size()))
      Begin.resize(std::max<size_t>(Number + 1, Begin.size() * 2), None);
    if (Number < First || Begin[Number] != None)
      return false;
    Parts.push_back(None);
    Begin[Number] = Parts.size();
    return true;
  }
  /// Begins the bindings and the result of the body. All operations have been
  /// added; \p TheEnd follows the last number.
  void beginBody(uint32_t TheEnd) {
    End = TheEnd;
    beginOperation(End);
  }
  void addPart(uint32_t Number) { Parts.push_back(Number); }
  void addPart(const Value *V) {
    if (isa<Operation>(V))
      addPart(V->getIndex());
  }
  /// Adds \p Count arguments of regions, whose numbers follow that of \p
  /// Operation.
  void addRegionArguments(uint32_t Operation, uint32_t Count) {
    if (!Count)
      return;
    if (RegionArguments.size() <= Operation)
      RegionArguments.resize(std::max<size_t>(Operation + 1, Begin.size()), 0);
    RegionArguments[Operation] = Count;
  }

  /// Returns the number of an operation that the walk would have numbered
  /// differently.
  std::optional<uint32_t> findMisplaced();

private:
  static constexpr uint32_t None = ~0u;

  bool visit(uint32_t User, uint32_t Start);
  uint32_t getNext(uint32_t Number) const {
    return Number + 1 +
           (Number < RegionArguments.size() ? RegionArguments[Number] : 0);
  }

  uint32_t First, End = 0;
  /// The position in Parts of the parts of each operation, by number; None for
  /// arguments. At End the parts of the body.
  SmallVector<uint32_t, 0> Begin;
  /// Numbers of parts; None terminates a list.
  SmallVector<uint32_t, 0> Parts;
  SmallVector<uint32_t, 0> Starts;
  /// The number of arguments of the regions of each operation, by number; may
  /// be shorter.
  SmallVector<uint32_t, 0> RegionArguments;
};

/// Returns the operation that the alias \p Op names, if it is floating and \p
/// Counts rejects all its other uses; null otherwise. TVM has one expression
/// for both: the bound operation.
Operation *getOperationToBind(const Operation *Op,
                              function_ref<bool(Use &)> Counts);

/// A call of a value, described as a direct call of the symbol that the value
/// names.
struct DirectCall {
  const OpInfo *Info;
  const Attrs *Attributes;
};

/// Returns the direct call that \p Op is equivalent to: a call of a global
/// function, an operator or a constructor as a value not bound by `let`. None
/// if \p Op is no such call, or if the operator does not accept its operands or
/// attributes.
std::optional<DirectCall> getDirectCall(const Operation &Op);

/// Returns an operation of \p F that depends on itself, other than a closure on
/// its own variable; null if there is none. Linear; used for messages.
const Operation *findCircularUse(Function &F);

/// The result of numberOrderedBody(): counts that include regions.
struct OrderedBody {
  uint32_t NumValues, NumOperations, NumBindings, NumRegions;
};

/// Numbers the values of \p F if it is in canonical order and without the forms
/// that normalize() removes. Returns none otherwise, and for some functions
/// with regions that are in order; the numbers are then undefined.
std::optional<OrderedBody> numberOrderedBody(Function &F);

} // namespace relay

#endif // RELAY_LIB_IR_CANONICALORDER_H
