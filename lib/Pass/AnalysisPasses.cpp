//===- AnalysisPasses.cpp - require, invalidate and print -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that pipeline text creates for an analysis: `require<op-counts>`,
// `invalidate<op-counts>`, `print<op-counts>`. `print` writes to standard
// error, as all dumps.
//
//===----------------------------------------------------------------------===//

#include "StandardGroups.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pass/PassManager.h"

using namespace relay;

namespace {
/// The action of such a pass.
enum class AnalysisAction : uint8_t { Require, Invalidate, Print };
} // namespace

static constexpr AnalysisAction Actions[] = {
    AnalysisAction::Require, AnalysisAction::Invalidate, AnalysisAction::Print};
static constexpr StringRef Names[] = {"RequireAnalysis", "InvalidateAnalysis",
                                      "PrintAnalysis"};
static constexpr StringRef Arguments[] = {"require", "invalidate", "print"};
static constexpr StringRef Summaries[] = {"computes an analysis",
                                          "drops the result of an analysis",
                                          "prints the result of an analysis"};

/// Returns the PassInfo of \p Action on units of \p Unit.
static const PassInfo &getInfoFor(AnalysisAction Action, PassUnit Unit) {
  static const auto Infos = [] {
    std::array<std::array<PassInfo, 2>, 3> Table;
    for (unsigned A = 0; A != 3; ++A)
      for (PassUnit U : {PassUnit::Module, PassUnit::Function}) {
        PassInfo &Info = Table[A][unsigned(U)];
        Info.Name = Names[A];
        Info.Argument = Arguments[A];
        Info.Unit = U;
        Info.IsRequired = true;
        Info.Summary = Summaries[A];
      }
    return Table;
  }();
  return Infos[unsigned(Action)][unsigned(Unit)];
}

static LogicalResult get(const AnalysisInfo &Analysis,
                         const PassOptionValues &Arguments, Module &M,
                         ModuleAnalysisManager &AM, raw_ostream *OS) {
  return Analysis.GetOnModule(M, AM, Arguments, OS);
}
static LogicalResult get(const AnalysisInfo &Analysis,
                         const PassOptionValues &Arguments, Function &F,
                         FunctionAnalysisManager &AM, raw_ostream *OS) {
  return Analysis.GetOnFunction(F, AM, Arguments, OS);
}

namespace {

template <typename UnitT> class AnalysisPass final : public PassOn<UnitT> {
public:
  AnalysisPass(AnalysisAction Action, const AnalysisInfo &Analysis,
               PassOptionValues Arguments)
      : PassOn<UnitT>(getInfoFor(Action, Analysis.Unit)), Action(Action),
        Analysis(Analysis), Arguments(std::move(Arguments)) {}

  void printPipeline(raw_ostream &OS) const override {
    PassOptionPrinter(OS, this->getInfo().Argument)
        .printPlain(getAnalysisName(Analysis.Argument, Arguments.getText()));
  }
  std::unique_ptr<Pass> clone() const override {
    return std::make_unique<AnalysisPass>(*this);
  }
  FailureOr<PreservedAnalyses> run(UnitT &Unit, AnalysisManager<UnitT> &AM,
                                   PassContext &) override;

private:
  FailureOr<PreservedAnalyses> print(UnitT &Unit, AnalysisManager<UnitT> &AM,
                                     PassContext &Ctx);

  AnalysisAction Action;
  const AnalysisInfo &Analysis;
  PassOptionValues Arguments;
};

} // namespace

template <typename UnitT>
FailureOr<PreservedAnalyses>
AnalysisPass<UnitT>::run(UnitT &Unit, AnalysisManager<UnitT> &AM,
                         PassContext &Ctx) {
  switch (Action) {
  case AnalysisAction::Require:
    if (failed(get(Analysis, Arguments, Unit, AM, nullptr)))
      return failure();
    break;
  case AnalysisAction::Invalidate:
    // Without arguments, all results are invalidated.
    if (std::string Text = Arguments.getText(); !Arguments.empty())
      AM.invalidate(Unit, Analysis.Key, Text);
    else
      AM.invalidate(Unit, Analysis.Key);
    break;
  case AnalysisAction::Print:
    return print(Unit, AM, Ctx);
  }
  return PreservedAnalyses::all();
}

/// Computes the result before any output, so that a failure leaves no heading.
template <typename UnitT>
FailureOr<PreservedAnalyses>
AnalysisPass<UnitT>::print(UnitT &Unit, AnalysisManager<UnitT> &AM,
                           PassContext &Ctx) {
  if (failed(get(Analysis, Arguments, Unit, AM, nullptr)))
    return failure();
  raw_ostream &OS = Ctx.getOutput();
  OS << "// *** Analysis "
     << getAnalysisName(Analysis.Argument, Arguments.getText()) << " on "
     << IRUnit(Unit).getName() << " ***\n";
  (void)get(Analysis, Arguments, Unit, AM, &OS); // the result is cached
  return PreservedAnalyses::all();
}

/// Creates the pass that does \p Action with \p Analysis, which must outlive
/// it: a module or a function pass, as the analysis.
static std::unique_ptr<Pass>
createAnalysisPass(AnalysisAction Action, const AnalysisInfo &Analysis,
                   const PassOptionValues &Arguments) {
  if (Analysis.Unit == PassUnit::Module)
    return std::make_unique<AnalysisPass<Module>>(Action, Analysis, Arguments);
  return std::make_unique<AnalysisPass<Function>>(Action, Analysis, Arguments);
}

void relay::registerAnalysisPasses(PassRegistry &Registry) {
  for (AnalysisAction Action : Actions)
    Registry.registerAnalysisPass(
        {Arguments[unsigned(Action)], Summaries[unsigned(Action)],
         [Action](const AnalysisInfo &Analysis,
                  const PassOptionValues &Arguments) {
           return createAnalysisPass(Action, Analysis, Arguments);
         }});
}
