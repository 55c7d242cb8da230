//===- OptionCategories.h - The sections of -help ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Features declare their options, and do not know how many others there are.
// Under which heading -help lists them is told here, in one table.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPTIONCATEGORIES_H
#define RELAY_LIB_DRIVER_OPTIONCATEGORIES_H

namespace relay {

/// Puts the options that are declared under their headings. Those of plugins
/// and of other tools stay under LLVM's "General options".
void categorizeOptions();

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPTIONCATEGORIES_H
