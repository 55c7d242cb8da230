// Makes the project a plugin.

#include "relay/Session/Plugin.h"
#include "Custom.h"

const relay::PluginInfo *relayGetPluginInfo() {
  static const relay::PluginInfo Info("custom-pass", custom::getExtension());
  return &Info;
}
