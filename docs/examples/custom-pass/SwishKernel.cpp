// Evaluates custom.swish.

#include "Custom.h"

using namespace relay;

LogicalResult relay::evalSwish(KernelCall &Call) {
  DType Type = Call.getOutputDType();
  if (!getNumberType(Type).isFloat())
    return Call.emitUnsupported(Type);
  return mapNumbers<double>(Call,
                            [](double X) { return X / (1 + std::exp(-X)); });
}
