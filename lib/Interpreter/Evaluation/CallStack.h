//===- CallStack.h - Frames of calls ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator's stack. It grows by pieces that do not move.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_EVALUATION_CALLSTACK_H
#define RELAY_LIB_INTERPRETER_EVALUATION_CALLSTACK_H

#include "EvaluationPlan.h"
#include <deque>

namespace relay {

struct CallFrame {
  const EvaluationPlan *Code;
  RuntimeValue *Slots;
  uint32_t Next = 0; ///< instruction
  Slot Target;       ///< of the result, in the caller's frame
};

class CallStack {
public:
  /// \p Meter counts the memory of the stack.
  explicit CallStack(MemoryMeter &Meter) : Meter(Meter) {}
  CallStack(const CallStack &) = delete;
  CallStack &operator=(const CallStack &) = delete;
  ~CallStack() { clear(); }

  bool empty() const { return Frames.empty(); }
  CallFrame &top() { return Frames.back(); }
  /// Pushes a frame for \p Code; moves \p Args to its first slots.
  void push(const EvaluationPlan &Code, MutableArrayRef<RuntimeValue> Args,
            Slot Target);
  void pop();
  void clear() {
    while (!Frames.empty())
      pop();
  }

private:
  /// The slots of several frames.
  struct Piece {
    explicit Piece(size_t Size)
        : Slots(std::make_unique<RuntimeValue[]>(Size)), Size(Size) {}
    std::unique_ptr<RuntimeValue[]> Slots;
    size_t Size, Used = 0;
  };
  static constexpr size_t PieceSize = 1 << 14;
  static uint64_t getMemory(const EvaluationPlan &Code) {
    return sizeof(CallFrame) + Code.NumSlots * sizeof(RuntimeValue);
  }

  MemoryMeter &Meter;
  std::deque<CallFrame> Frames;
  std::vector<Piece> Pieces;
  /// The last used piece, now empty: it is kept for calls at the boundary.
  std::optional<Piece> Spare;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_EVALUATION_CALLSTACK_H
