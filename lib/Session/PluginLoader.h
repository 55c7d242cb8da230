//===- PluginLoader.h - Loading of plugins ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the shared library of a plugin and reads its description. Extensions
// registers its contents.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_SESSION_PLUGINLOADER_H
#define RELAY_LIB_SESSION_PLUGINLOADER_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace relay {

struct PluginInfo;

/// Opens the library \p Path, which is not searched for in the library path,
/// and resolves its symbols. Returns the handle, which is the same for each
/// opening of one library.
llvm::Expected<void *> openPlugin(StringRef Path);

/// Calls the entry point of \p Library, opened from \p Path. Returns an error
/// if there is none or the plugin is incompatible with this program.
llvm::Expected<const PluginInfo *> readPluginInfo(void *Library,
                                                  StringRef Path);

} // namespace relay

#endif // RELAY_LIB_SESSION_PLUGINLOADER_H
