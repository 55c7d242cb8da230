//===- RewriteLog.h - Changes that Rewriters made to a unit -----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function and each module has a log. Rewriters write it; pass managers
// and checks of passes read it. It is not locked: only the thread that changes
// a function writes the log of the function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_REWRITELOG_H
#define RELAY_IR_REWRITELOG_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace relay {

class RewriteLog {
public:
  /// Whether the running pass has announced the rewrite that it performs.
  enum class State : uint8_t {
    None, ///< no rewrite has been announced
    Announced,
    Refused, ///< a listener refused the last rewrite
  };

  /// The number of changes that Rewriters have made so far. If it differs after
  /// a pass, the pass has changed the unit through a Rewriter.
  uint64_t getNumChanges() const { return NumChanges; }
  void addChange() { ++NumChanges; }
  /// Grows with every change, including those of addSilentChange().
  uint64_t getVersion() const { return NumChanges + NumSilentChanges; }
  /// Records that a pass reported a change although no Rewriter made one.
  void addSilentChange() { ++NumSilentChanges; }

  /// Returns true if Rewriter::keepTypesOfSignatures() has run.
  bool keepsTypes() const { return KeepsTypes; }
  void setKeepsTypes() { KeepsTypes = true; }

  State getState() const { return S; }
  void setState(State New) { S = New; }

  /// Records the first violation of the rules of Rewriter by the running pass.
  /// \p Text continues a sentence that begins with "'fuse-ops' ".
  void addMisuse(std::string Text) {
    if (!Misuse)
      Misuse = std::make_unique<std::string>(std::move(Text));
  }
  bool hasMisuse() const { return Misuse != nullptr; }
  /// Returns the violation and removes it from the log; empty if there is none.
  std::string takeMisuse() {
    std::unique_ptr<std::string> Taken = std::move(Misuse);
    return Taken ? std::move(*Taken) : std::string();
  }
  /// Removes the violation and the announced rewrite of the previous pass.
  void startPass() {
    S = State::None;
    Misuse.reset();
  }

  /// State of the running pass.
  struct PassState {
    State S;
    std::unique_ptr<std::string> Misuse;
  };
  /// Returns and resets the state, before the running pass runs another pass.
  PassState suspendPass() {
    return {std::exchange(S, State::None), std::move(Misuse)};
  }
  void resumePass(PassState Outer) {
    S = Outer.S;
    Misuse = std::move(Outer.Misuse);
  }

private:
  uint64_t NumChanges = 0, NumSilentChanges = 0;
  std::unique_ptr<std::string> Misuse;
  State S = State::None;
  bool KeepsTypes = false;
};

} // namespace relay

#endif // RELAY_IR_REWRITELOG_H
