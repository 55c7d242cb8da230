//===- OpFactFile.h - Files of facts of operators ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables that a user changes, as text:
//
//   # A line of its own.
//   [Precision]
//   nn.softmax = never
//
//   [Supported key=dnnl level=120]
//   nn.conv2d = true
//
// A section names a kind of fact (OpHooks.h); its lines are entries. The
// default level, OpHookEntry::FileLevel, is above the level of records.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_FACTS_OPFACTFILE_H
#define RELAY_TEXT_FACTS_OPFACTFILE_H

#include "relay/IR/OpHooks.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

/// Takes an entry of a file. The error is reported at the operator.
using OpFactSink =
    function_ref<llvm::Error(const OpHookKind &, const OpHookEntry &)>;

/// Calls \p Add with each entry of \p Text, whose kinds of facts are
/// registered. A section may use the keys \p Keys. Reports all errors, and
/// fails if there is one.
LogicalResult parseOpFacts(std::unique_ptr<llvm::MemoryBuffer> Text,
                           Context &Ctx, ArrayRef<StringRef> Keys,
                           OpFactSink Add);

/// Adds the entries of \p Text to \p Ctx, whose kinds of facts are registered.
/// A section may use the keys \p Keys. Reports all errors, and fails if there
/// is one. \p TargetKeys begins with the name of the target. Warns of an entry
/// if a lookup with TargetKeys finds an entry with an earlier key instead.
LogicalResult readOpFacts(std::unique_ptr<llvm::MemoryBuffer> Text,
                          Context &Ctx, ArrayRef<StringRef> Keys,
                          ArrayRef<StringRef> TargetKeys = {});

} // namespace relay

#endif // RELAY_TEXT_FACTS_OPFACTFILE_H
