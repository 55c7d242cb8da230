// Libraries that are not plugins: by default one without entry point.
#ifdef NO_INFO
extern "C" const void *relayGetPluginInfo() { return nullptr; }
#endif

#ifdef MISSING
namespace relay {
void missingFunction(int);
}
extern "C" const void *relayGetPluginInfo() {
  relay::missingFunction(0);
  return nullptr;
}
#endif
