//===- TargetSupport.h - Operators that a target supports -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which calls a target takes over: composites whose name begins with its name
// and a dot, and calls of operators by the entries of TargetSupport.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_PARTITION_TARGETSUPPORT_H
#define RELAY_TRANSFORMS_PARTITION_TARGETSUPPORT_H

#include "relay/Transforms/Partition/TargetSupport.h.inc"

namespace relay {

/// The name under which annotations and passes refer to the host, which
/// executes all operations that no target supports.
inline constexpr StringLiteral DefaultCompiler = "default";

/// The support of one target, by the entries of a Context.
class TargetSupportTable {
public:
  /// \p Target is interned.
  TargetSupportTable(Context &Ctx, StringRef Target)
      : Target(Target), Operators(Ctx, Target), Checks(Ctx, Target) {}

  StringRef getTarget() const { return Target; }
  /// Returns true if the target supports an operator.
  bool hasOperators() const { return !Operators.empty() || !Overrides.empty(); }
  /// Replaces the fact TargetSupport of \p Op. Returns false, and changes
  /// nothing, if it has been replaced before.
  bool override(const OpInfo &Op, bool IsSupported) {
    return Overrides.try_emplace(&Op, IsSupported).second;
  }
  /// Returns true if the target supports the call \p Op of an operator or of a
  /// composite closure.
  bool supports(const Operation &Op) const;
  /// Returns why the target does not support the call \p Op, for remarks.
  std::string explainRefusal(const Operation &Op) const;
  /// Returns true if \p Fn is a closure with the attribute `Composite` whose
  /// name begins with the name of the target and a dot.
  bool supportsComposite(const Operation &Fn) const;

private:
  bool supportsOperator(const OpInfo &Op) const;

  StringRef Target;
  llvm::DenseMap<const OpInfo *, bool> Overrides;
  OpFacts<TargetSupport> Operators;
  OpHooks<SupportCheck> Checks;
};

} // namespace relay

#endif // RELAY_TRANSFORMS_PARTITION_TARGETSUPPORT_H
