//===- CanonicalOrder.h - Recognizing the canonical order -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells whether numbers of operations are those that the depth-first walk of
// normalize() gives, without that walk. What the walk looks at is told to an
// OrderChecker in one pass over the IR; the rest is done on its flat arrays.
// Private to room IR.
//
// The walk looks at the body first, then, on its way, at the parts of each
// operation: operands in turn, then for each region its bindings and its
// result. An operation gets its number when all its parts are done. So when the
// walk comes to an operation, those that are done have exactly the first
// numbers; call the number behind them the operation's start. A part is then
// either below the start, that is done, or is walked now, with this very start,
// and moves the start behind itself. The numbers are the walk's exactly when
// every operation gets one start, and its parts move that up to its own number.
// Users have larger numbers than parts, so one pass backwards finds all starts.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_CANONICALORDER_H
#define RELAY_LIB_IR_CANONICALORDER_H

#include "relay/IR/Function.h"

namespace relay {

class OrderChecker {
public:
  /// Numbers are from \p First on, behind the body's arguments; about up to
  /// \p Expected.
  explicit OrderChecker(uint32_t First, uint32_t Expected) : First(First) {
    Begin.assign(size_t(Expected) + 1, None);
    Parts.reserve(size_t(Expected) * 4); // two operands, and a binding
  }

  /// From here on addPart() tells the parts of operation \p Number. False when
  /// there is one of that number already, or it is an argument's.
  bool beginOperation(uint32_t Number) {
    if (LLVM_UNLIKELY(Number >= Begin.size()))
      Begin.resize(std::max<size_t>(Number + 1, Begin.size() * 2), None);
    if (Number < First || Begin[Number] != None)
      return false;
    Parts.push_back(None);
    Begin[Number] = Parts.size();
    return true;
  }
  /// Likewise the bindings and the result of the body. All operations have been
  /// told; \p TheEnd is behind the last number.
  void beginBody(uint32_t TheEnd) {
    End = TheEnd;
    beginOperation(End);
  }
  void addPart(uint32_t Number) { Parts.push_back(Number); }
  void addPart(const Value *V) {
    if (isa<Operation>(V))
      addPart(V->getIndex());
  }
  /// The numbers of \p Count arguments of regions follow that of \p Operation.
  void addRegionArguments(uint32_t Operation, uint32_t Count) {
    if (Count)
      RegionArguments[Operation] = Count;
  }

  /// The number of an operation that the walk would have given another one.
  std::optional<uint32_t> findMisplaced();

private:
  static constexpr uint32_t None = ~0u;

  bool visit(uint32_t User, uint32_t Start);
  uint32_t getNext(uint32_t Number) const {
    return Number + 1 +
           (RegionArguments.empty() ? 0 : RegionArguments.lookup(Number));
  }

  uint32_t First, End = 0;
  /// By number: where in Parts the parts of the operation begin; None for
  /// arguments. At End those of the body.
  SmallVector<uint32_t, 0> Begin;
  /// Numbers of parts; None ends a list.
  SmallVector<uint32_t, 0> Parts;
  SmallVector<uint32_t, 0> Starts;
  llvm::DenseMap<uint32_t, uint32_t> RegionArguments;
};

/// The operation that \p Op, an alias, names when that floats, and no use but
/// this one is accepted by \p Counts; null otherwise. TVM has one expression
/// for both: the operation, bound.
Operation *getOperationToBind(const Operation *Op,
                              function_ref<bool(Use &)> Counts);

/// What a call of a value is as a call of what that value names.
struct DirectCall {
  const OpInfo *Info;
  const Attrs *Attributes;
};

/// The direct call that \p Op is in the text: it calls a global function, an
/// operator or a constructor as a value that no `let` names. None for what is
/// no such call, or what the operator does not take.
std::optional<DirectCall> getDirectCall(const Operation &Op);

/// An operation of \p F that depends on itself, other than a closure on its own
/// variable; null when there is none. Linear; for messages.
const Operation *findCircularUse(Function &F);

/// What numberStraightBody() found.
struct StraightBody {
  uint32_t NumValues, NumBindings;
};

/// Numbers the body of \p F when it has no regions and is in canonical order
/// already; none otherwise, and numbers are undefined then.
std::optional<StraightBody> numberStraightBody(Function &F);

} // namespace relay

#endif // RELAY_LIB_IR_CANONICALORDER_H
