//===- PipelineElements.h - The tree of a pipeline's text -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a pipeline as a tree of named elements, before it is known what
// the names are.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PASS_PIPELINEELEMENTS_H
#define RELAY_LIB_PASS_PIPELINEELEMENTS_H

#include "relay/Support/Diagnostics.h"

namespace relay {

/// `name`, `name<options>`, `name(members)` or `name<options>(members)`.
struct PipelineElement {
  /// The name with its options, as written in the text.
  StringRef getText() const {
    return Options ? StringRef(Name.data(), Options->end() + 1 - Name.data())
                   : Name;
  }

  StringRef Name;
  Location Loc;
  std::optional<StringRef> Options;
  Location OptionsLoc;
  bool HasMembers = false;
  std::vector<PipelineElement> Members;
};

/// Parses \p Text, the main text of \p Diags. Reports errors at their column.
FailureOr<std::vector<PipelineElement>>
parsePipelineElements(StringRef Text, DiagnosticEngine &Diags);

} // namespace relay

#endif // RELAY_LIB_PASS_PIPELINEELEMENTS_H
