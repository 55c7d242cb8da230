// Makes the project a plugin.

#include "Custom.h"
#include "relay/Driver/Opt/Plugin.h"

const relay::PluginInfo *relayGetPluginInfo() {
  static const relay::PluginInfo Info("custom-pass", custom::getExtension());
  return &Info;
}
