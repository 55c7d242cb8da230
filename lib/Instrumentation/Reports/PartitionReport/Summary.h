//===- Summary.h - The partition of a module --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of a module by the place that executes them: a region, which
// is a function with the attribute `Compiler` that the host calls, or the host.
// Holds copies, so that it outlives the module.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INSTRUMENTATION_PARTITIONREPORT_SUMMARY_H
#define RELAY_LIB_INSTRUMENTATION_PARTITIONREPORT_SUMMARY_H

#include "relay/IR/Module.h"
#include <map>

namespace relay {

struct PartitionSummary {
  static constexpr unsigned Host = ~0u; ///< the number of no region

  /// A remark of a pass on an operation.
  struct Reason {
    std::string Pass, Name, Message;
    bool operator==(const Reason &O) const {
      return Pass == O.Pass && Name == O.Name && Message == O.Message;
    }
  };
  using Reasons = std::vector<Reason>;
  /// Remarks by the location and the name of the operation.
  using ReasonTable = std::map<std::pair<uint32_t, std::string>, Reasons>;

  /// An operation: of an operator, a composite, a call, a construct.
  struct Node {
    std::string Name;     ///< `nn.conv2d`, `dnnl.conv2d_relu`, `@f`
    std::string Position; ///< `m.relay:3:5`
    std::vector<std::string> Layers;
    unsigned Region = Host;
    /// True for an operator or a composite, which a target might support.
    bool IsOffloadable = false;
    Reasons Why;                     ///< of missed opportunities
    SmallVector<unsigned, 2> Inputs; ///< earlier nodes
  };
  /// A value that crosses the boundary of a region.
  struct Crossing {
    std::string Type;
    /// None if the type is dynamic or not a tensor, or too large.
    std::optional<uint64_t> Bytes;
    bool IsConstant = false;
  };
  /// The values that cross the boundary, in bytes.
  struct Traffic {
    uint64_t BytesIn = 0, BytesOut = 0, ConstantBytes = 0;
    bool HasUnknownBytes = false; ///< that are not counted
  };
  struct Region {
    std::string Function, Target;
    std::vector<Crossing> Inputs, Outputs; ///< of the first call
    SmallVector<unsigned, 4> Nodes;
    uint64_t NumCalls = 0; ///< on the host
    Traffic Sums;          ///< of all calls
  };

  /// Inputs come first. Inputs of a region's second and later calls are left
  /// out.
  std::vector<Node> Nodes;
  std::vector<Region> Regions;
  bool HasFailed = false; ///< the module is as the failed pass left it

  /// Summarizes \p M, with the remarks in \p Remarks on operations of the host
  /// and on results of regions. If \p HasFailed, M is as the failed pass left
  /// it.
  static PartitionSummary create(const Module &M, const ReasonTable &Remarks,
                                 bool HasFailed);
};

/// Writes the picture of \p Summary as an SVG: a box for each operation, with
/// the colour of its target.
void drawPartition(const PartitionSummary &Summary, raw_ostream &OS);

/// The largest number of operations that drawPartition() draws.
inline constexpr size_t MaxDrawnNodes = 4000;

/// Writes \p Summaries, of the modules of an input, as JSON.
void writePartitionJSON(ArrayRef<PartitionSummary> Summaries, StringRef Input,
                        StringRef Pipeline, raw_ostream &OS, unsigned Indent);

} // namespace relay

#endif // RELAY_LIB_INSTRUMENTATION_PARTITIONREPORT_SUMMARY_H
