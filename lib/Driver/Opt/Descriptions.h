//===- Descriptions.h - -print-ops=NAME and -print-passes=NAME --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Describes single operators and passes in full, from the texts of their
// records. Listings.h lists all of them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_DESCRIPTIONS_H
#define RELAY_LIB_DRIVER_OPT_DESCRIPTIONS_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace relay {

class PassContext;
class PassRegistry;

/// Prints the operators \p Names, a list with commas, with their facts under
/// the target of \p PC; an error if one is unknown.
llvm::Error describeOps(StringRef Names, const PassContext &PC,
                        raw_ostream &OS);

/// As above, for passes, pipelines and groups, by any of their names.
llvm::Error describePasses(StringRef Names, const PassRegistry &Registry,
                           raw_ostream &OS);

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_DESCRIPTIONS_H
