//===- RegisterOps.h - Declares every op of room Ops ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one call that makes a Context know the operators of this project. Ops of
// plugins are registered by the plugins.
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
