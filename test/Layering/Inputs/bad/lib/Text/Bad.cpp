// Includes rooms above its own.
#include "relay/IR/Module.h"
#include "relay/Transforms/Passes.h"
#include "relay/Pass/Pass.h"
