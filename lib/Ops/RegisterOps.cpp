//===- RegisterOps.cpp - Registration of all operators --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RegisterOps.h. The build lists the families in Families.def.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/RegisterOps.h"

namespace relay {
#define RELAY_OP_FAMILY(FAMILY) void register##FAMILY##Ops(Context &Ctx);
#include "relay/Ops/Families.def"
} // namespace relay

void relay::registerAllOps(Context &Ctx) {
#define RELAY_OP_FAMILY(FAMILY) register##FAMILY##Ops(Ctx);
#include "relay/Ops/Families.def"
}
