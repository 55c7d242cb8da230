//===- ConvertLayout.cpp - Convert operators to layouts -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the requested layouts and runs a LayoutConverter.
// The hooks of Layouts.td define how operators follow layouts.
//
//===----------------------------------------------------------------------===//

#include "LayoutConverter.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

/// Returns the names of the operators that support layout conversion.
static SmallVector<StringRef>
getConvertible(Context &Ctx, const OpHooks<LayoutConversion> &Hooks) {
  SmallVector<StringRef> Names = Ctx.getOperatorNames();
  llvm::erase_if(Names, [&](StringRef Name) {
    return !Hooks.lookup(*Ctx.lookupOp(Name));
  });
  return Names;
}

/// Returns a suggestion for \p Text, which is not a layout, or "".
static std::string suggestLayout(StringRef Text) {
  std::string Upper = Text.upper();
  return Layout::parse(Upper) ? "; did you mean '" + Upper + "'?" : "";
}

/// Checks the layouts requested for operator \p Name; reports an error if they
/// are invalid.
static LogicalResult checkDesiredLayouts(Context &Ctx, ArrayRef<StringRef> Keys,
                                         StringRef Name, const OpInfo *Op,
                                         ArrayRef<std::string> Layouts) {
  OpHooks<LayoutConversion> Hooks(Ctx, Keys);
  auto Report = [&]() {
    return Ctx.emitError(Location()) << "desired-layouts: ";
  };
  if (!Op)
    return Report() << "unknown operator '" << Name << "'"
                    << getSuggestion(Name, getConvertible(Ctx, Hooks));
  if (!Hooks.lookup(*Op))
    return Report() << "'" << Name << "' does not support layout conversion; "
                    << "supported operators: "
                    << llvm::join(getConvertible(Ctx, Hooks), ", ");
  for (StringRef Text : Layouts)
    if (Text != "default" && !Layout::parse(Text))
      return Report() << "'" << Text << "' is not a layout"
                      << suggestLayout(Text);
  return success();
}

namespace {

/// The requested layouts, by operator.
using DesiredLayouts = llvm::DenseMap<const OpInfo *, ArrayRef<std::string>>;

class ConvertLayout : public ConvertLayoutBase<ConvertLayout> {
public:
  using ConvertLayoutBase::ConvertLayoutBase;

  /// Fails if there are no layouts to convert to.
  LogicalResult initialize(Context &Ctx, const PassRegistry &) override {
    if (Options.DesiredLayouts.empty())
      return Ctx.emitError(Location(),
                           "'convert-layout' has no layouts; expected "
                           "convert-layout<desired-layouts=OP:DATA[:WEIGHT]>");
    return success();
  }

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    ArrayRef<StringRef> Keys = PC.getTargetKeys();
    FailureOr<DesiredLayouts> Desired = getDesired(F.getContext(), Keys);
    if (failed(Desired))
      return failure();
    OpHooks<LayoutConversion> Hooks(F.getContext(), Keys);
    auto Convert = [&](Rewriter &R, Operation &Op) -> FailureOr<ConvertedOp> {
      auto It = Desired->find(&Op.getInfo());
      if (It == Desired->end())
        return ConvertedOp();
      return Hooks.lookup(Op)(R, PC.getTarget(), Op, It->second);
    };
    LayoutConverter C(F, Convert, Keys, "no other layout is requested for it");
    if (failed(C.run()))
      return failure();
    NumConverted += C.getNumConverted();
    NumFollowed += C.getNumFollowed();
    NumTransforms += C.getNumTransforms();
    return preserved(C.hasChanged());
  }

private:
  FailureOr<DesiredLayouts> getDesired(Context &Ctx,
                                       ArrayRef<StringRef> Keys) const {
    DesiredLayouts Desired;
    for (const auto &[Name, Layouts] : Options.DesiredLayouts) {
      const OpInfo *Op = Ctx.lookupOp(Name);
      if (failed(checkDesiredLayouts(Ctx, Keys, Name, Op, Layouts)))
        return failure();
      Desired[Op] = Layouts;
    }
    return Desired;
  }
};

} // namespace

std::unique_ptr<Pass>
relay::createConvertLayoutPass(ConvertLayoutOptions Options) {
  return std::make_unique<ConvertLayout>(std::move(Options));
}
