//===- CountLayers.h - Depth in layers --------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The depth of a network: of all chains of operations, each using the one
// before, the largest number of calls of certain operators, such as nn.conv2d.
// TVM's relay.analysis.count_layers, which looks at each operation along the
// first chain only that it meets it on.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_COUNTLAYERS_H
#define RELAY_ANALYSIS_COUNTLAYERS_H

#include "relay/Pass/AnalysisManager.h"
#include "relay/Pass/PassOptions.h"

namespace relay {

class LayerCount {
public:
  /// Counts calls of \p Operators. A call of a closure adds the layers of its
  /// body. Of two branches, the deeper one counts.
  LayerCount(Function &F, ArrayRef<const OpInfo *> Operators);

  unsigned getCount() const { return Count; }
  /// `3 layers`
  void print(raw_ostream &OS) const;

private:
  unsigned Count = 0;
};

/// Fails when one of its operators is not declared.
class CountLayersAnalysis {
public:
  using Result = LayerCount;
  static AnalysisKey Key;
  static StringRef name() { return "CountLayersAnalysis"; }
  static ArrayRef<PassOptionInfo> getOptions();

  explicit CountLayersAnalysis(std::vector<std::string> Operators)
      : Operators(std::move(Operators)) {}
  explicit CountLayersAnalysis(const PassOptionValues &Arguments);
  std::string getArguments() const {
    return PassOptionValues::getText(getOptions(), Operators);
  }
  FailureOr<LayerCount> run(Function &F, FunctionAnalysisManager &AM);

private:
  std::vector<std::string> Operators = {"nn.conv2d", "nn.dense"};
};

} // namespace relay

#endif // RELAY_ANALYSIS_COUNTLAYERS_H
