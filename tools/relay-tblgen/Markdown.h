//===- Markdown.h - Text of records in Markdown -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Utilities of the backends that write references.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_MARKDOWN_H
#define RELAY_TBLGEN_MARKDOWN_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Record;
} // namespace llvm

namespace relay::tblgen {

/// Converts \p Text, which is in lower case, to a sentence: `Rounding up.`
std::string toSentence(llvm::StringRef Text);

/// Returns \p Text without the common indentation of its lines.
std::string dedent(llvm::StringRef Text);

/// Converts \p Text to a cell of a table.
std::string toCell(llvm::StringRef Text);

/// Converts \p Name to code with a link to its heading on \p Page (on this page
/// if that is empty): [`nn.relu`](#nnrelu).
std::string linkTo(llvm::StringRef Name, llvm::StringRef Page = "");

/// The comment at the beginning of a .td file.
struct FileBanner {
  /// `Convolutions` for `Conv.td - Convolutions`; without a title the file's
  /// name.
  std::string Title;
  std::string Text; ///< the paragraphs below the licence
};

/// Returns the banner of the main file.
FileBanner getMainBanner();
/// Returns the banner of the file that declares \p R, and the file's name
/// without directory and suffix.
FileBanner getBannerOf(const llvm::Record &R);
std::string getFileStemOf(const llvm::Record &R);

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_MARKDOWN_H
