//===- AnalysisPasses.cpp - require, invalidate and print -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AnalysisPasses.h. `print` writes to standard error, as all dumps.
//
//===----------------------------------------------------------------------===//

#include "AnalysisPasses.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

static constexpr StringRef Names[] = {"RequireAnalysis", "InvalidateAnalysis",
                                      "PrintAnalysis"};
static constexpr StringRef Arguments[] = {"require", "invalidate", "print"};
static constexpr StringRef Summaries[] = {"computes an analysis",
                                          "drops the result of an analysis",
                                          "prints the result of an analysis"};

std::optional<AnalysisAction> relay::parseAnalysisAction(StringRef Name) {
  return llvm::StringSwitch<std::optional<AnalysisAction>>(Name)
      .Case("require", AnalysisAction::Require)
      .Case("invalidate", AnalysisAction::Invalidate)
      .Case("print", AnalysisAction::Print)
      .Default(std::nullopt);
}

/// The PassInfo of \p Action on units of \p Unit.
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

static void get(const AnalysisInfo &Analysis, Module &M,
                ModuleAnalysisManager &AM, raw_ostream *OS) {
  Analysis.GetOnModule(M, AM, OS);
}
static void get(const AnalysisInfo &Analysis, Function &F,
                FunctionAnalysisManager &AM, raw_ostream *OS) {
  Analysis.GetOnFunction(F, AM, OS);
}

namespace {

template <typename UnitT> class AnalysisPass final : public PassOn<UnitT> {
public:
  AnalysisPass(AnalysisAction Action, const AnalysisInfo &Analysis)
      : PassOn<UnitT>(getInfoFor(Action, Analysis.Unit)), Action(Action),
        Analysis(Analysis) {}

  void printPipeline(raw_ostream &OS) const override {
    PassOptionPrinter(OS, this->getInfo().Argument)
        .printPlain(Analysis.Argument);
  }
  std::unique_ptr<Pass> clone() const override {
    return std::make_unique<AnalysisPass>(Action, Analysis);
  }
  FailureOr<PreservedAnalyses> run(UnitT &Unit, AnalysisManager<UnitT> &AM,
                                   PassContext &) override;

private:
  AnalysisAction Action;
  const AnalysisInfo &Analysis;
};

} // namespace

template <typename UnitT>
FailureOr<PreservedAnalyses>
AnalysisPass<UnitT>::run(UnitT &Unit, AnalysisManager<UnitT> &AM,
                         PassContext &Ctx) {
  switch (Action) {
  case AnalysisAction::Require:
    get(Analysis, Unit, AM, nullptr);
    break;
  case AnalysisAction::Invalidate:
    AM.invalidate(Unit, Analysis.Key);
    break;
  case AnalysisAction::Print:
    Ctx.getOutput() << "// *** Analysis " << Analysis.Argument << " on "
                    << IRUnit(Unit).getName() << " ***\n";
    get(Analysis, Unit, AM, &Ctx.getOutput());
    break;
  }
  return PreservedAnalyses::all();
}

std::unique_ptr<Pass> relay::createAnalysisPass(AnalysisAction Action,
                                                const AnalysisInfo &Analysis) {
  if (Analysis.Unit == PassUnit::Module)
    return std::make_unique<AnalysisPass<Module>>(Action, Analysis);
  return std::make_unique<AnalysisPass<Function>>(Action, Analysis);
}
