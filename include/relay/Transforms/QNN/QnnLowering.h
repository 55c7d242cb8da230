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

#include "relay/Ops/RequantizeMode.h"
#include "relay/Transforms/Lowering.h"

namespace relay {

/// The settings of a pass over quantized operators.
struct QnnSettings {
  const Target *T = nullptr; ///< null if there is none
  /// The method of requantizations that do not state one.
  RequantizeMode Mode;
};

/// A quantized operation that a hook lowers.
class QnnLowering : public Lowering {
public:
  QnnLowering(Operation *Op, const QnnSettings &Settings)
      : Lowering(Op, Settings.T), Settings(Settings) {}

  /// The method of requantizations that do not state one.
  RequantizeMode getMode() const { return Settings.Mode; }

private:
  const QnnSettings &Settings;
};

} // namespace relay

#include "relay/Transforms/QNN/QnnLowerings.h.inc"

#endif // RELAY_TRANSFORMS_QNN_QNNLOWERING_H
