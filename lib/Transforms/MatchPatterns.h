//===- MatchPatterns.h - Patterns of clauses --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creation of the patterns of a `match`. They live as long as the function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_MATCHPATTERNS_H
#define RELAY_LIB_TRANSFORMS_MATCHPATTERNS_H

#include "relay/IR/Function.h"

namespace relay {

/// `_`.
MatchPattern *createWildcard(Function &F);
/// `%x`: \p Variable, an argument of the clause.
MatchPattern *createVariablePattern(BlockArgument *Variable);
/// `Name(Children…)`. The name is interned.
MatchPattern *createConstructorPattern(Function &F, StringRef Name,
                                       ArrayRef<MatchPattern *> Children);
/// `(Children…)`.
MatchPattern *createTuplePattern(Function &F,
                                 ArrayRef<MatchPattern *> Children);

/// A copy of \p P for \p F with the variables that \p Map has for those of P.
MatchPattern *copyPattern(Function &F, const MatchPattern &P,
                          const llvm::DenseMap<const Value *, Value *> &Map);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_MATCHPATTERNS_H
