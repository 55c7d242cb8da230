//===- QnnLowering.h - Quantized operators by simpler ones ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument of the hooks QnnCanonicalization and QnnLegalization, which
// qnn-canonicalize and qnn-legalize call, and the hooks themselves.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_QNN_QNNLOWERING_H
#define RELAY_TRANSFORMS_QNN_QNNLOWERING_H

#include "relay/IR/Rewriter.h"
#include "relay/Ops/Requantize.h"

namespace relay {

class Target;

/// The settings of a pass over quantized operators.
struct QnnSettings {
  const Target *T = nullptr; ///< null if there is none
  /// The method of requantizations that do not state one.
  RequantizeMode Mode;
};

/// An operation that a hook lowers.
class QnnLowering {
public:
  QnnLowering(Operation *Op, const QnnSettings &Settings)
      : Op(Op), Settings(Settings) {}

  Operation *getOp() const { return Op; }
  /// Null if there is none.
  const Target *getTarget() const { return Settings.T; }
  /// The method of requantizations that do not state one.
  RequantizeMode getMode() const { return Settings.Mode; }
  /// The type of operand \p I; null if it is not known to be a tensor.
  const TensorType *getTensor(unsigned I) const;

  /// Announces the rewrite. Returns false if a listener refuses: then the hook
  /// must not create anything and returns null. Operations that are created
  /// from here on have the location of the operation.
  [[nodiscard]] bool start(Rewriter &R);

  /// Reports that the operation cannot be lowered, and \p Why.
  InFlightDiagnostic emitError(const Twine &Why) const;

private:
  Operation *Op;
  const QnnSettings &Settings;
  bool IsRefused = false;
};

} // namespace relay

#include "relay/Transforms/QNN/QnnLowerings.h.inc"

#endif // RELAY_TRANSFORMS_QNN_QNNLOWERING_H
