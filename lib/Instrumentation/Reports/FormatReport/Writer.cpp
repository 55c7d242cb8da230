//===- Writer.cpp - Layouts and data types as JSON ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Writer.h. docs/schemas/pass-report.schema.json describes the JSON.
//
//===----------------------------------------------------------------------===//

#include "Reports/FormatReport/Writer.h"

using namespace relay;
namespace json = llvm::json;

static constexpr ByConversion<StringLiteral> KindNames = {
    StringLiteral("layout"), StringLiteral("transpose"),
    StringLiteral("dtype")};

static void writeText(json::OStream &J, StringRef Name, StringRef Text) {
  if (!Text.empty())
    J.attribute(Name, json::fixUTF8(Text));
}

static void writeTexts(json::OStream &J, StringRef Name,
                       ArrayRef<std::string> Texts) {
  J.attributeArray(Name, [&] {
    for (StringRef Text : Texts)
      J.value(json::fixUTF8(Text));
  });
}

static void writeSum(json::OStream &J, StringRef Name,
                     const ConversionSum &Sum) {
  J.attributeObject(Name, [&] {
    J.attribute("count", int64_t(Sum.Count));
    J.attribute("bytes", int64_t(Sum.Bytes));
    J.attribute("unknown", int64_t(Sum.Unknown));
  });
}

static void writeChanges(json::OStream &J, const ConversionChanges &Changes) {
  writeSum(J, "added", Changes.Added);
  writeSum(J, "removed", Changes.Removed);
  J.attributeObject("retyped", [&] {
    J.attribute("count", int64_t(Changes.NumRetyped));
    J.attribute("bytes", Changes.RetypedBytes);
  });
}

void relay::writeConversionChanges(json::OStream &J,
                                   const ConversionTotals &Changes) {
  J.attributeObject("conversions", [&] {
    for (auto [Name, Change] : llvm::zip_equal(KindNames, Changes)) {
      if (!Change.Added.Count && !Change.Removed.Count && !Change.NumRetyped)
        continue;
      J.attributeObject(Name,
                        [&, &Change = Change] { writeChanges(J, Change); });
    }
  });
}

namespace {

class FormatWriter {
public:
  FormatWriter(json::OStream &J, const FormatSummary &S,
               function_ref<int64_t(unsigned)> GetId)
      : J(J), S(S), GetId(GetId) {}

  void write(const ConversionTotals &Changes);

private:
  void writeSteps(StringRef Name, const FormatSummary::Steps &Steps);
  void writeTotals(const ConversionTotals &Changes);
  void writeForms(StringRef Name, ArrayRef<FormatSummary::Form> Forms);
  void writeLayer(const FormatSummary::Layer &L);
  void writeConversion(const FormatSummary::Conversion &C, size_t Index);
  void writeStray(const FormatSummary::Conversion &C);

  json::OStream &J;
  const FormatSummary &S;
  function_ref<int64_t(unsigned)> GetId;
};

} // namespace

void FormatWriter::writeSteps(StringRef Name,
                              const FormatSummary::Steps &Steps) {
  J.attributeArray(Name, [&] {
    for (const auto &[Step, Count] : Steps)
      J.object([&, &Step = Step, &Count = Count] {
        J.attribute("before", Step.first);
        J.attribute("after", Step.second);
        J.attribute("layers", int64_t(Count));
      });
  });
}

void FormatWriter::writeTotals(const ConversionTotals &Changes) {
  J.attributeObject("totals", [&] {
    for (auto [I, Name] : llvm::enumerate(KindNames)) {
      if (!S.Before[I].Count && !Changes[I].Added.Count)
        continue;
      J.attributeObject(Name, [&, I = I] {
        writeSum(J, "before", S.Before[I]);
        writeChanges(J, Changes[I]);
        writeSum(J, "after", S.After[I]);
        writeSum(J, "stray", S.Stray[I]);
      });
    }
  });
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void FormatWriter::writeForms(StringRef Name,
                              ArrayRef<FormatSummary::Form> Forms) {
  J.attributeArray(Name, [&] {
    for (const FormatSummary::Form &F : Forms)
      J.object([&] {
        writeText(J, "operator", F.Operator);
        J.attribute("count", int64_t(F.Count));
        writeText(J, "layout", F.Layout);
        J.attributeObject("attributes", [&] {
          for (const auto &[Name, Layout] : F.LayoutAttrs)
            writeText(J, Name, Layout);
        });
        writeText(J, "operandDtype", F.OperandType);
        writeText(J, "dtype", F.ResultType);
      });
  });
}

void FormatWriter::writeLayer(const FormatSummary::Layer &L) {
  J.object([&] {
    writeText(J, "position", L.Position);
    writeTexts(J, "names", L.Names);
    J.attribute("layoutChanged", L.HasNewLayout);
    J.attribute("dtypeChanged", L.HasNewType);
    J.attributeArray("changedBy", [&] {
      for (unsigned Sweep : L.ChangedBy)
        J.value(GetId(Sweep));
    });
    writeForms("before", L.Before);
    writeForms("after", L.After);
    J.attributeArray("reasons", [&] {
      for (const FormatSummary::Reason &R : L.Reasons)
        J.object([&] {
          J.attribute("pass", GetId(R.Sweep));
          writeText(J, "reason", R.Name);
          J.attribute("message", json::fixUTF8(R.Message));
        });
    });
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static StringRef getName(ConversionFormat::StrayKind K) {
  switch (K) {
  case ConversionFormat::StrayKind::None:
    return "";
  case ConversionFormat::StrayKind::Nothing:
    return "nothing";
  case ConversionFormat::StrayKind::Constant:
    return "constant";
  case ConversionFormat::StrayKind::Repeated:
    return "repeated";
  case ConversionFormat::StrayKind::Cancels:
    return "cancels";
  case ConversionFormat::StrayKind::Follows:
    return "follows";
  }
  llvm_unreachable("unknown kind");
}

void FormatWriter::writeStray(const FormatSummary::Conversion &C) {
  using StrayKind = ConversionFormat::StrayKind;
  if (C.Stray == StrayKind::None)
    return;
  J.attributeObject("stray", [&] {
    J.attribute("reason", getName(C.Stray));
    if (C.Stray != StrayKind::Nothing && C.Stray != StrayKind::Constant) {
      J.attribute("other", int64_t(C.Other + 1));
      if (C.Stray == StrayKind::Cancels)
        J.attribute("exact", C.IsExact);
    }
  });
}

void FormatWriter::writeConversion(const FormatSummary::Conversion &C,
                                   size_t Index) {
  J.object([&] {
    J.attribute("id", int64_t(Index + 1));
    J.attribute("kind", KindNames[unsigned(C.Kind)]);
    writeText(J, "operator", C.Operator);
    writeText(J, "function", C.Function);
    writeText(J, "name", C.Name);
    writeText(J, "position", C.Position);
    writeTexts(J, "layers", C.Layers);
    writeText(J, "from", C.From);
    writeText(J, "to", C.To);
    if (!C.Axes.empty())
      J.attributeArray("axes", [&] {
        for (unsigned Axis : C.Axes)
          J.value(Axis);
      });
    writeText(J, "operandType", C.OperandType);
    writeText(J, "type", C.ResultType);
    if (C.Bytes)
      J.attribute("bytes", int64_t(*C.Bytes));
    writeText(J, "operand", C.Operand);
    writeText(J, "user", C.User);
    J.attribute("users", C.NumUsers);
    if (C.Sweep)
      J.attribute("pass", GetId(C.Sweep));
    writeText(J, "rule", C.Rule);
    writeStray(C);
  });
}

void FormatWriter::write(const ConversionTotals &Changes) {
  J.attributeObject("formats", [&] {
    writeSteps("layouts", S.Layouts);
    writeSteps("dtypes", S.Types);
    writeTotals(Changes);
    J.attributeArray("layers", [&] {
      for (const FormatSummary::Layer &L : S.Layers)
        writeLayer(L);
    });
    J.attribute("layersOmitted", int64_t(S.NumLayersOmitted));
    J.attributeArray("conversions", [&] {
      for (auto [I, C] : llvm::enumerate(S.Conversions))
        writeConversion(C, I);
    });
    J.attribute("conversionsOmitted", int64_t(S.NumConversionsOmitted));
  });
}

void relay::writeFormats(json::OStream &J, const FormatSummary &S,
                         const ConversionTotals &Changes,
                         function_ref<int64_t(unsigned)> GetId) {
  FormatWriter(J, S, GetId).write(Changes);
}
