//===- Markdown.h - Text of records in Markdown -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the backends that write references share.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_MARKDOWN_H
#define RELAY_TBLGEN_MARKDOWN_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace relay::tblgen {

/// \p Text, which is written in lower case, as a sentence: `Rounding up.`
std::string toSentence(llvm::StringRef Text);

/// \p Text without the indentation that its lines share.
std::string dedent(llvm::StringRef Text);

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_MARKDOWN_H
