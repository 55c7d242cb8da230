// A target with its table of supported operators, which annotate-target reads,
// its pattern table, which merge-composite reads, and an analysis that reads
// the table of operators, too: -target=npu -passes='print<npu-support>'. One
// file is the plugin.

#include "relay/IR/OpHooks.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Pass/PassManager.h"
#include "relay/Session/Plugin.h"
#include "relay/Transforms/Partition/TargetSupport.h"

using namespace relay;

namespace {

//===----------------------------------------------------------------------===//
// The target and its table
//===----------------------------------------------------------------------===//

void registerTable(Context &Ctx) {
  OpHookRegistration Table(Ctx, "npu.cpp", /*Key=*/"npu");
  for (const OpInfo *Op : {&Conv2DOp::getInfo(), &DenseOp::getInfo(),
                           &ReluOp::getInfo(), &AddOp::getInfo()})
    Table.addFact<TargetSupport>(*Op, true);
  Table.addFact<TargetSupport>(SigmoidOp::getInfo(), false);
}

void registerTarget(PassRegistry &Registry) {
  static const PassOptionInfo Options[] = {
      {"cores", PassOptionKind::Int, "4", "the number of cores",
       PassOptionShape::Scalar, /*IsOptional=*/false, /*IsPositional=*/false,
       /*Min=*/"1", /*Max=*/"64"}};
  Registry.registerTarget(
      {"npu", "an accelerator of this example", {}, Options});
}

//===----------------------------------------------------------------------===//
// The pattern table
//===----------------------------------------------------------------------===//

/// Accepts layers of at most 64 outputs.
bool isNarrow(const Operation &Root) {
  auto *T = dyn_cast_or_null<TensorType>(Root.getType());
  return T && T->isStatic() && !T->isScalar() &&
         T->getShape().back().getInt() <= 64;
}

void registerPatterns(PassRegistry &Registry) {
  static const PatternCheck Checks[] = {{"isNarrow", isNarrow}};
  static const PatternTableInfo Table = {
      "npu", "npu.cpp",
      "pattern \"npu.dense_relu\" {check=\"isNarrow\"} =\n"
      "  nn.relu(nn.dense(*, *))\n",
      Checks};
  Registry.registerPatternTable(Table);
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

struct SupportCounts {
  unsigned Yes = 0, No = 0, Unknown = 0;
  void print(llvm::raw_ostream &OS) const {
    OS << Yes << " supported, " << No << " not supported, " << Unknown
       << " not in the table\n";
  }
};

struct SupportAnalysis {
  using Result = SupportCounts;
  static AnalysisKey Key;
  static llvm::StringRef name() { return "SupportAnalysis"; }
  Result run(Function &F, FunctionAnalysisManager &AM) {
    OpFacts<TargetSupport> Facts(F.getContext(),
                                 AM.getPassContext().getTargetKeys());
    SupportCounts Counts;
    walk(F, [&](Operation *Op) {
      if (!Op->is(OpCode::Operator))
        return;
      std::optional<bool> IsSupported = Facts.lookup(*Op);
      ++(!IsSupported ? Counts.Unknown : *IsSupported ? Counts.Yes : Counts.No);
    });
    return Counts;
  }
};
AnalysisKey SupportAnalysis::Key;

void registerPasses(PassRegistry &Registry) {
  registerTarget(Registry);
  registerPatterns(Registry);
  Registry.registerAnalysis<Function, SupportAnalysis>("npu-support");
}

} // namespace

const PluginInfo *relayGetPluginInfo() {
  static const PluginInfo Info("npu", {registerTable, registerPasses});
  return &Info;
}
