//===- RewriteLog.h - What Rewriters did to a unit of IR --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function and each module has a log. Rewriters write it; what manages or
// checks passes reads it. It is not locked: a function's is written by the
// thread that changes the function.
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
  /// True if changes belong to a rewrite.
  enum class State : uint8_t {
    None, ///< none has been announced
    Announced,
    Refused, ///< the last one was refused
  };

  /// Changes that Rewriters have made so far. A pass has changed the unit, as
  /// far as it used a Rewriter, when the number is another after it.
  uint64_t getNumChanges() const { return NumChanges; }
  void addChange() { ++NumChanges; }
  /// Grows with every change, including those of addSilentChange().
  uint64_t getVersion() const { return NumChanges + NumSilentChanges; }
  /// Notes that a pass says that it changed the unit, though no Rewriter did.
  void addSilentChange() { ++NumSilentChanges; }

  /// Returns true if what Rewriter::keepTypesOfSignatures() writes has been
  /// written.
  bool keepsTypes() const { return KeepsTypes; }
  void setKeepsTypes() { KeepsTypes = true; }

  State getState() const { return S; }
  void setState(State New) { S = New; }

  /// Remembers the first thing that a pass did against the rules of Rewriter,
  /// in words that go on from "'fuse-ops' ".
  void addMisuse(std::string Text) {
    if (!Misuse)
      Misuse = std::make_unique<std::string>(std::move(Text));
  }
  bool hasMisuse() const { return Misuse != nullptr; }
  /// That first thing, which is forgotten then; empty if there is none.
  std::string takeMisuse() {
    std::unique_ptr<std::string> Taken = std::move(Misuse);
    return Taken ? std::move(*Taken) : std::string();
  }
  /// Forgets misuses and that a rewrite was announced: another pass begins.
  void startPass() {
    S = State::None;
    Misuse.reset();
  }

  /// State of the running pass.
  struct PassState {
    State S;
    std::unique_ptr<std::string> Misuse;
  };
  /// Takes it away, for a pass that the pass runs inside.
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
