//===- TestPartition.cpp - Partitions by patterns of a file ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass test-partition, by which partitions are tested as text.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pattern/Composite/Partition.h"
#include "relay/Pattern/Text/PatternText.h"

namespace relay::test {

namespace {

class TestPartition final : public TestPartitionBase<TestPartition> {
public:
  using TestPartitionBase::TestPartitionBase;
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    Context &Ctx = F.getContext();
    auto Buffer = llvm::MemoryBuffer::getFile(Options.File);
    if (!Buffer)
      return Ctx.emitError({}, "cannot read '" + Options.File + "'");
    auto Patterns = parsePatternFile(std::move(*Buffer), Ctx, PC.getRegistry());
    if (failed(Patterns))
      return failure();
    bool HasChanged = false;
    for (const NamedPattern &P : *Patterns) {
      FailureOr<bool> Result = partition(F, P);
      if (failed(Result))
        return failure();
      HasChanged |= *Result;
    }
    return HasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

private:
  static FailureOr<bool> partition(Function &F, const NamedPattern &P) {
    Context &Ctx = F.getContext();
    auto Program = PatternProgram::compile(Ctx, P.P);
    if (failed(Program))
      return failure();
    PartitionOptions Options;
    if (!P.Name.empty())
      Options.Attributes = {
          {Ctx.getString("Composite"), Ctx.getString(P.Name)}};
    Matcher Match(*Program, F);
    Rewriter R(F);
    FailureOr<unsigned> Number = partitionPattern(R, Match, 0, Options);
    if (failed(Number))
      return failure();
    F.normalize();
    return *Number != 0;
  }
};

} // namespace

std::unique_ptr<Pass> createTestPartitionPass(TestPartitionOptions Options) {
  return std::make_unique<TestPartition>(std::move(Options));
}

} // namespace relay::test
