//===- Listings.h - -print-ops and -print-passes ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists that relay-opt prints instead of running.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_LISTINGS_H
#define RELAY_LIB_DRIVER_OPT_LISTINGS_H

#include "relay/Support/LLVM.h"
#include <string>

namespace relay {

class Context;
class PassRegistry;
struct PassOptionInfo;

/// Prints the declared operators, one per line.
void printOps(const Context &Ctx, raw_ostream &OS);

/// Prints the passes by unit, with summaries and options; analyses; config
/// options.
void printPasses(const PassRegistry &Registry, raw_ostream &OS);

/// Returns the type, limits and default of \p Option: `; int, at least 1,
/// default 4`.
std::string getOptionFacts(const PassOptionInfo &Option);

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_LISTINGS_H
