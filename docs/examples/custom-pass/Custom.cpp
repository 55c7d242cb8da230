// The generated definitions, the analysis, and what registers them.

#include "Custom.h"
#include "PassLog.h"
#include "relay/IR/Walk.h"

#include "CustomOps.cpp.inc"

using namespace relay;

namespace custom {

#include "PassRegistry.inc"

AnalysisKey SwishCountAnalysis::Key;

ArrayRef<PassOptionInfo> SwishCountAnalysis::getOptions() {
  static constexpr PassOptionInfo Options[] = {
      {"dtype", PassOptionKind::String, "", "the type of elements; empty: any",
       PassOptionShape::Scalar, /*IsOptional=*/false, /*IsPositional=*/true}};
  return Options;
}

FailureOr<SwishCount> SwishCountAnalysis::run(Function &F,
                                              FunctionAnalysisManager &AM) {
  std::optional<DType> Wanted = DType::parse(DTypeName);
  if (!DTypeName.empty() && !Wanted)
    return AM.getPassContext().getDiagnostics().emitError(
        Location(), "cannot count calls of type '" + Twine(DTypeName) + "'");
  SwishCount Count;
  walk(F, [&](Operation *Op) {
    auto *T = dyn_cast_or_null<TensorType>(Op->getType());
    bool IsWanted = DTypeName.empty() || (T && T->getDType() == *Wanted);
    Count.Calls += isa<SwishOp>(Op) && IsWanted;
  });
  return Count;
}

void SwishCount::print(raw_ostream &OS) const {
  OS << Calls << " calls of custom.swish\n";
}

} // namespace custom

static void registerOps(Context &Ctx) {
  registerCustomOpsOps(Ctx);
  registerCustomHooks(Ctx);
}

static void registerPasses(PassRegistry &Registry) {
  custom::registerGeneratedPasses(Registry);
  Registry.registerAnalysis<Function, custom::SwishCountAnalysis>(
      "swish-count");
}

static void registerInstrumentations(InstrumentationList &List) {
  List.add<custom::PassLog>();
}

Extension custom::getExtension() {
  return {registerOps, registerPasses, registerInstrumentations};
}
