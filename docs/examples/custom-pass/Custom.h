// The additions of this project to relay-opt: generated declarations, an
// analysis, and the function that registers them.

#ifndef CUSTOM_CUSTOM_H
#define CUSTOM_CUSTOM_H

#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Pass/PassManager.h"
#include "relay/Session/Extension.h"
#include "relay/Transforms/Simplify/Expansion.h"

#include "CustomHooks.h.inc"
#include "CustomOps.h.inc"

namespace custom {

using relay::Pass;
#include "Passes.h.inc"

/// How often custom.swish is called in a function: `print<swish-count>`.
struct SwishCount {
  unsigned Calls = 0;
  void print(llvm::raw_ostream &OS) const;
};

/// Counts calls whose result has one type of elements, `swish-count<float16>`,
/// or all. Fails when there is no such type.
class SwishCountAnalysis {
public:
  using Result = SwishCount;
  static relay::AnalysisKey Key;
  static llvm::StringRef name() { return "SwishCountAnalysis"; }

  explicit SwishCountAnalysis(std::string DTypeName = "")
      : DTypeName(std::move(DTypeName)) {}
  explicit SwishCountAnalysis(const relay::PassOptionValues &Arguments) {
    Arguments.get("dtype", DTypeName);
  }
  static llvm::ArrayRef<relay::PassOptionInfo> getOptions();
  std::string getArguments() const {
    return relay::PassOptionValues::getText(getOptions(), DTypeName);
  }
  relay::FailureOr<SwishCount> run(relay::Function &F,
                                   relay::FunctionAnalysisManager &AM);

private:
  std::string DTypeName;
};

relay::Extension getExtension();

} // namespace custom

#endif // CUSTOM_CUSTOM_H
