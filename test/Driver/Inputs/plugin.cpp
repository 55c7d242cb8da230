// A plugin that says which of its functions is called. NAME is its name; the environment says what it claims of itself.
#include "relay/Driver/Plugin.h"
#include <cstdio>
#include <cstdlib>

static void say(const char *What) { std::fprintf(stderr, "%s: %s\n", NAME, What); }
static void registerOps(relay::Context &) { say("ops"); }
static void registerPasses(relay::PassRegistry &) { say("passes"); }
static void registerInstrumentation(relay::PassContext &) { say("instrumentation"); }

const relay::PluginInfo *relayGetPluginInfo() {
  static relay::PluginInfo Info(NAME, {registerOps, registerPasses, registerInstrumentation});
  if (const char *Version = std::getenv("PLUGIN_VERSION"))
    Info.Version = Version;
  if (std::getenv("PLUGIN_INTERFACE"))
    Info.Interface = 999;
  if (std::getenv("PLUGIN_LAYOUT"))
    ++Info.Layout;
  return &Info;
}
