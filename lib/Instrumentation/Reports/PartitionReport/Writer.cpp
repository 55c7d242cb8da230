//===- Writer.cpp - The partition report as JSON --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/schemas/partition-report.schema.json describes the JSON.
//
//===----------------------------------------------------------------------===//

#include "Reports/PartitionReport/Summary.h"
#include "relay/Support/Version.h"
#include "llvm/Support/JSON.h"

using namespace relay;
namespace json = llvm::json;

/// Incremented by changes that break readers of older reports.
static constexpr int PartitionSchemaVersion = 2;

namespace {

using Crossings = std::vector<PartitionSummary::Crossing>;

using OperatorCounts = std::map<std::string, uint64_t>;

/// The sums of a target.
struct TargetSums {
  uint64_t Regions = 0, Calls = 0;
  PartitionSummary::Traffic Bytes;
  OperatorCounts Operators;
};

/// The operators of the host, and the sums by the name of the target.
struct ModuleSums {
  OperatorCounts Host;
  std::map<std::string, TargetSums> Targets;
};

class PartitionWriter {
public:
  PartitionWriter(raw_ostream &OS, unsigned Indent) : J(OS, Indent) {}

  void write(ArrayRef<PartitionSummary> Summaries, StringRef Input,
             StringRef Pipeline);

private:
  void writeModule(const PartitionSummary &Summary);
  void writeOperators(const OperatorCounts &Operators);
  void writeTraffic(const PartitionSummary::Traffic &Bytes);
  void writeTargets(const PartitionSummary &Summary);
  void writeRegion(const PartitionSummary::Region &R, unsigned Number);
  void writeNode(const PartitionSummary::Node &N, unsigned Number);
  void writeCrossings(StringRef Name, const Crossings &Values);
  void writeText(StringRef Name, StringRef Text) {
    J.attribute(Name, json::fixUTF8(Text));
  }
  void writeSize(StringRef Name, uint64_t Size) {
    J.attribute(Name, int64_t(Size));
  }

  json::OStream J;
};

} // namespace

static void addRegion(TargetSums &Sums, const PartitionSummary::Region &R) {
  ++Sums.Regions;
  Sums.Calls += R.NumCalls;
  Sums.Bytes.BytesIn += R.Sums.BytesIn;
  Sums.Bytes.BytesOut += R.Sums.BytesOut;
  Sums.Bytes.ConstantBytes += R.Sums.ConstantBytes;
  Sums.Bytes.HasUnknownBytes |= R.Sums.HasUnknownBytes;
}

static ModuleSums getSums(const PartitionSummary &Summary) {
  ModuleSums Sums;
  for (const PartitionSummary::Region &R : Summary.Regions)
    addRegion(Sums.Targets[R.Target], R);
  for (const PartitionSummary::Node &N : Summary.Nodes) {
    if (!N.IsOffloadable)
      continue;
    bool IsOnHost = N.Region == PartitionSummary::Host;
    OperatorCounts &Operators =
        IsOnHost ? Sums.Host
                 : Sums.Targets[Summary.Regions[N.Region].Target].Operators;
    ++Operators[N.Name];
  }
  return Sums;
}

void PartitionWriter::writeOperators(const OperatorCounts &Operators) {
  J.attributeObject("operators", [&] {
    for (const auto &[Operator, Count] : Operators)
      writeSize(json::fixUTF8(Operator), Count);
  });
}

void PartitionWriter::writeTraffic(const PartitionSummary::Traffic &Bytes) {
  writeSize("bytesIn", Bytes.BytesIn);
  writeSize("bytesOut", Bytes.BytesOut);
  writeSize("constantBytes", Bytes.ConstantBytes);
  J.attribute("hasUnknownBytes", Bytes.HasUnknownBytes);
}

void PartitionWriter::writeTargets(const PartitionSummary &Summary) {
  ModuleSums Sums = getSums(Summary);
  J.attributeObject("host", [&] { writeOperators(Sums.Host); });
  J.attributeArray("targets", [&] {
    for (const auto &Entry : Sums.Targets)
      J.object([&] {
        const TargetSums &Target = Entry.second;
        writeText("target", Entry.first);
        writeSize("regions", Target.Regions);
        writeSize("calls", Target.Calls);
        writeTraffic(Target.Bytes);
        writeOperators(Target.Operators);
      });
  });
}

void PartitionWriter::writeCrossings(StringRef Name, const Crossings &Values) {
  J.attributeArray(Name, [&] {
    for (const PartitionSummary::Crossing &Value : Values)
      J.object([&] {
        writeText("type", Value.Type);
        if (Value.Bytes)
          writeSize("bytes", *Value.Bytes);
        if (Value.IsConstant)
          J.attribute("constant", true);
      });
  });
}

void PartitionWriter::writeRegion(const PartitionSummary::Region &R,
                                  unsigned Number) {
  J.object([&] {
    writeSize("id", Number);
    writeText("function", R.Function);
    writeText("target", R.Target);
    writeSize("calls", R.NumCalls);
    writeTraffic(R.Sums);
    writeCrossings("inputs", R.Inputs);
    writeCrossings("outputs", R.Outputs);
    J.attributeArray("operations", [&] {
      for (unsigned N : R.Nodes)
        J.value(int64_t(N));
    });
  });
}

void PartitionWriter::writeNode(const PartitionSummary::Node &N,
                                unsigned Number) {
  J.object([&] {
    writeSize("id", Number);
    writeText("name", N.Name);
    writeText("position", N.Position);
    J.attributeArray("layers", [&] {
      for (StringRef Layer : N.Layers)
        J.value(json::fixUTF8(Layer));
    });
    if (N.Region != PartitionSummary::Host)
      writeSize("region", N.Region);
    J.attribute("offloadable", N.IsOffloadable);
    J.attributeArray("reasons", [&] {
      for (const PartitionSummary::Reason &Why : N.Why)
        J.object([&] {
          writeText("pass", Why.Pass);
          writeText("reason", Why.Name);
          writeText("message", Why.Message);
        });
    });
  });
}

void PartitionWriter::writeModule(const PartitionSummary &Summary) {
  J.object([&] {
    J.attribute("failed", Summary.HasFailed);
    writeTargets(Summary);
    J.attributeArray("regions", [&] {
      for (const auto &[I, R] : llvm::enumerate(Summary.Regions))
        writeRegion(R, I);
    });
    J.attributeArray("operations", [&] {
      for (const auto &[I, N] : llvm::enumerate(Summary.Nodes))
        writeNode(N, I);
    });
  });
}

void PartitionWriter::write(ArrayRef<PartitionSummary> Summaries,
                            StringRef Input, StringRef Pipeline) {
  J.object([&] {
    J.attribute("schema", "relay-opt-partition-report");
    J.attribute("version", PartitionSchemaVersion);
    J.attribute("tool", "relay-opt " RELAY_VERSION_STRING);
    writeText("input", Input);
    writeText("pipeline", Pipeline);
    J.attributeArray("modules", [&] {
      for (const PartitionSummary &Summary : Summaries)
        writeModule(Summary);
    });
  });
}

void relay::writePartitionJSON(ArrayRef<PartitionSummary> Summaries,
                               StringRef Input, StringRef Pipeline,
                               raw_ostream &OS, unsigned Indent) {
  PartitionWriter(OS, Indent).write(Summaries, Input, Pipeline);
}
