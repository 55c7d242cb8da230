//===- ToMixedPrecision.cpp - Operators in lower precision ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass to-mixed-precision: reads the categories of operators, reports
// operators without one, and converts the functions of a module
// (PrecisionConverter.h). Functions that others name keep the types of their
// results, since callers rely on them.
//
//===----------------------------------------------------------------------===//

#include "PrecisionConverter.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Walk.h"
#include "relay/Pattern/Rewrite/PatternPass.h"
#include "relay/Text/Facts/OpFactFile.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// The treatment of operators on floats that have no category.
enum class MissingOps { Fail, Warn, Follow };

class ToMixedPrecision : public ToMixedPrecisionBase<ToMixedPrecision> {
public:
  explicit ToMixedPrecision(ToMixedPrecisionOptions Options)
      : ToMixedPrecisionBase(std::move(Options)),
        CategoryFile(this->Options.Categories, "to-mixed-precision",
                     "categories") {}

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &PC) override;

private:
  LogicalResult readCategories(Context &Ctx, PrecisionCategories &Categories);
  LogicalResult reportMissing(ArrayRef<Function *> Functions,
                              const PrecisionCategories &Categories);
  PrecisionTypes getTypes() const;

  PassFile CategoryFile;
};

} // namespace

/// Reads the file of the option `categories`, whose entries replace facts.
LogicalResult
ToMixedPrecision::readCategories(Context &Ctx,
                                 PrecisionCategories &Categories) {
  if (Options.Categories.empty())
    return success();
  auto Text = CategoryFile.read(Ctx);
  if (failed(Text))
    return failure();
  Ctx.registerOpFactKind(MixedPrecision::Kind);
  auto Add = [&](const OpHookKind &Kind,
                 const OpHookEntry &Entry) -> llvm::Error {
    if (&Kind != &MixedPrecision::Kind || !Entry.Key.empty())
      return llvm::createStringError(
          "expects sections of the form [MixedPrecision]");
    if (!Categories.set(Entry.getOp(), MixedPrecisionValue(Entry.Value.Number)))
      return llvm::createStringError("'" + Entry.getOp().Name +
                                     "' has a category already");
    return llvm::Error::success();
  };
  return parseOpFacts(std::move(*Text), Ctx, /*Keys=*/{}, Add);
}

/// Reports each operator on floats without a category, at its first call.
LogicalResult
ToMixedPrecision::reportMissing(ArrayRef<Function *> Functions,
                                const PrecisionCategories &Categories) {
  auto Mode = MissingOps(Options.MissingOpMode);
  if (Mode == MissingOps::Follow)
    return success();
  llvm::DenseSet<const OpInfo *> Reported;
  bool HasFailed = false;
  for (Function *F : Functions)
    walk(*F, [&](Operation *Op) {
      if (!Op->is(OpCode::Operator) || Categories.lookup(Op->getInfo()) ||
          !computesFloats(*Op) || !Reported.insert(&Op->getInfo()).second)
        return;
      std::string Message = ("operator '" + Op->getName() +
                             "' has no category of mixed precision")
                                .str();
      if (Mode == MissingOps::Warn) {
        F->getContext().getDiagnostics().emitWarning(
            Op->getLoc(), Message + "; it follows its operands");
        return;
      }
      F->getContext().emitError(Op->getLoc(), Message);
      HasFailed = true;
    });
  return failure(HasFailed);
}

/// \p ValueT is the enumeration of an option.
template <typename ValueT> static DType getFloatType(ValueT V) {
  switch (V) {
  case ValueT::Bfloat16:
    return DType::getBFloat16();
  case ValueT::Float32:
    return DType::getFloat(32);
  case ValueT::Float64:
    return DType::getFloat(64);
  default:
    return DType::getFloat(16);
  }
}

PrecisionTypes ToMixedPrecision::getTypes() const {
  using AccumulationValue = ToMixedPrecisionOptions::AccumulationDtypeValue;
  DType Low = getFloatType(Options.Dtype);
  bool IsLow = Options.AccumulationDtype == AccumulationValue::Dtype;
  return {Low, IsLow ? Low : getFloatType(Options.AccumulationDtype)};
}

FailureOr<PreservedAnalyses>
ToMixedPrecision::run(Module &M, ModuleAnalysisManager &AM, PassContext &PC) {
  PrecisionCategories Categories(M.getContext(), PC.getTargetKeys());
  SmallVector<Function *> Functions;
  for (Function &F : M.functions())
    if (!F.isSkippedByOptimization())
      Functions.push_back(&F);
  if (failed(readCategories(M.getContext(), Categories)) ||
      failed(reportMissing(Functions, Categories)))
    return failure();
  const CallGraph &Calls = AM.getResult<CallGraphAnalysis>(M);
  bool KeepsResults = Options.KeepOrigOutputDtype.value_or(
      PC.getConfig(ToMixedPrecisionKeepOrigOutputDtype));
  const PrecisionTypes Types = getTypes();
  bool HasChanged = false;
  for (Function *F : Functions) {
    PrecisionConverter Converter(*F, Categories, Types, PC.getTargetKeys());
    HasChanged |=
        Converter.run(KeepsResults || Calls.getNumUses(Calls.getNumber(F)));
    NumLowered += Converter.NumLowered;
    NumKept += Converter.NumKept;
  }
  return preserved(HasChanged);
}

std::unique_ptr<Pass>
relay::createToMixedPrecisionPass(ToMixedPrecisionOptions Options) {
  return std::make_unique<ToMixedPrecision>(std::move(Options));
}
