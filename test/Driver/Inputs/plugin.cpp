// A plugin that says which of its functions is called. NAME is its name; VERSION and INTERFACE what it was built with.
#include "relay/Driver/Plugin.h"
#include <cstdio>

#ifdef MISSING
namespace relay {
void missingFunction(int);
}
#endif

static void say(const char *What) { std::fprintf(stderr, "%s: %s\n", NAME, What); }
static void registerOps(relay::Context &) { say("ops"); }
static void registerPasses(relay::PassRegistry &) { say("passes"); }
static void registerInstrumentation(relay::PassContext &) { say("instrumentation"); }

#ifndef NO_ENTRY
const relay::PluginInfo *relayGetPluginInfo() {
#ifdef NO_INFO
  return nullptr;
#endif
#ifdef MISSING
  relay::missingFunction(0);
#endif
  static relay::PluginInfo Info(NAME, {registerOps, registerPasses, registerInstrumentation});
#ifdef VERSION
  Info.Version = VERSION;
#endif
#ifdef INTERFACE
  Info.Interface = INTERFACE;
#endif
  return &Info;
}
#endif
