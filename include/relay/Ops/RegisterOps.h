//===- RegisterOps.h - Registration of all operators ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the operators of this project in a Context. Plugins register their
// own operators.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_REGISTEROPS_H
#define RELAY_OPS_REGISTEROPS_H

namespace relay {

class Context;

/// Declares the ops of every family of include/relay/Ops in \p Ctx.
void registerAllOps(Context &Ctx);

} // namespace relay

#endif // RELAY_OPS_REGISTEROPS_H
