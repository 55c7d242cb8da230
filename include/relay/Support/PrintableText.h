//===- PrintableText.h - Text that is safe for terminals --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of layers, variables and attributes come from files and may hold any
// bytes, including escape sequences of terminals. Diagnostics and reports for
// people are written with these functions; modules are not.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_PRINTABLETEXT_H
#define RELAY_SUPPORT_PRINTABLETEXT_H

#include "relay/Support/LLVM.h"
#include <string>

namespace relay {

/// Returns \p Text with `\x1B` for each byte that is not part of a printable
/// character in UTF-8. Tabs and ends of lines are kept.
std::string toPrintable(StringRef Text);

/// Appends \p Text, a part of a line, to \p Shown, whose width is \p Width
/// columns. Expands tabs and replaces each byte that is not printable by `?`,
/// so that columns stay close to the columns of the text.
void appendPrintable(StringRef Text, std::string &Shown, unsigned &Width);

} // namespace relay

#endif // RELAY_SUPPORT_PRINTABLETEXT_H
