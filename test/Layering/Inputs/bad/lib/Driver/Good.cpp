// Sees everything.
#include "relay/Instrumentation/StandardInstrumentations.h"
#include "relay/Transforms/Passes.h"
