// The plugin: functions with Compiler="dnnl" run with oneDNN.

#include "relay/Session/Plugin.h"
#include "Lowering.h"
#include "relay/IR/Core.h"

using namespace backend;
using namespace relay;

/// Returns null, so that the interpreter evaluates the function, if nothing in
/// it has a primitive.
static std::unique_ptr<ExternalFunction> compile(Function &F,
                                                 unsigned NumThreads) {
  std::optional<Graph> G = Graph::get(F);
  auto P = std::make_unique<Plan>(NumThreads);
  if (!G || !P->initialize() || !Lowering(*G, *P).run())
    return nullptr;
  return P;
}

static void registerHooks(Context &Ctx) {
  OpHookRegistration Hooks(Ctx, "Plugin.cpp", /*Key=*/"dnnl");
  Hooks.addHook<ExternalCompiler>(FnOp::getInfo(), "compile", compile);
}

const PluginInfo *relayGetPluginInfo() {
  static const PluginInfo Info("dnnl-backend", {registerHooks});
  return &Info;
}
