//===- AnnotateSpans.cpp - Positions in the printed text as spans ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the module and gives each operation and parameter its line and column
// in that text. Layers stay, after the position.
//
//===----------------------------------------------------------------------===//

#include "Spans.h"
#include "relay/IR/Rewriter.h"
#include "relay/Text/Print/Printer.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class AnnotateSpans : public AnnotateSpansBase<AnnotateSpans> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override;
};

/// A stream that keeps only the offsets of the lines.
class LineStream : public llvm::raw_ostream {
public:
  LineStream() { SetUnbuffered(); }

  /// \p Offset is at least that of the previous call.
  Span getSpan(uint64_t Offset) {
    while (Line != Starts.size() && Starts[Line] <= Offset)
      ++Line;
    return {"GeneratedSource", int(Line), int(Offset - Starts[Line - 1] + 1)};
  }

private:
  void write_impl(const char *Text, size_t Size) override {
    for (size_t I = 0; I != Size; ++I)
      if (Text[I] == '\n')
        Starts.push_back(Length + I + 1);
    Length += Size;
  }
  uint64_t current_pos() const override { return Length; }

  SmallVector<uint64_t, 0> Starts = {0};
  uint64_t Length = 0;
  unsigned Line = 1;
};
} // namespace

FailureOr<PreservedAnalyses>
AnnotateSpans::run(Module &M, ModuleAnalysisManager &, PassContext &) {
  Rewriter R(M);
  if (!R.startRewrite("annotate"))
    return preserved(false);
  LineStream OS;
  SmallVector<std::pair<Value *, uint64_t>, 0> Offsets;
  PrintOptions Options;
  Options.OnValue = [&](Value &V, uint64_t Offset) {
    Offsets.emplace_back(&V, Offset);
  };
  printModule(M, OS, Options);
  uint64_t NumChanged = 0;
  for (auto [V, Offset] : Offsets)
    NumChanged += setPosition(R, *V, OS.getSpan(Offset));
  NumAnnotated += NumChanged;
  return preserved(NumChanged != 0);
}

std::unique_ptr<Pass> relay::createAnnotateSpansPass() {
  return std::make_unique<AnnotateSpans>();
}
