// relay-opt with the additions of this project.

#include "Custom.h"
#include "relay/Driver/Opt/RelayOptMain.h"

int main(int Argc, char **Argv) {
  return relay::relayOptMain(Argc, Argv, custom::getExtension());
}
