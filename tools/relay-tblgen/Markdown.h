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

/// \p Text, which is written in lower case, as a sentence: `Rounding up.`
std::string toSentence(llvm::StringRef Text);

/// \p Text without the indentation that its lines share.
std::string dedent(llvm::StringRef Text);

/// \p Text as a cell of a table.
std::string toCell(llvm::StringRef Text);

/// \p Name as code that links to its heading on \p Page (of this page when
/// empty): [`nn.relu`](#nnrelu).
std::string linkTo(llvm::StringRef Name, llvm::StringRef Page = "");

/// The comment at the beginning of a .td file.
struct FileBanner {
  /// `Convolutions` of `Conv.td - Convolutions`; without that the file's name.
  std::string Title;
  std::string Text; ///< the paragraphs below the licence
};

/// The banner of the file that relay-tblgen was started on.
FileBanner getMainBanner();
/// The banner of the file that declares \p R, and that file's name without
/// directory and suffix.
FileBanner getBannerOf(const llvm::Record &R);
std::string getFileStemOf(const llvm::Record &R);

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_MARKDOWN_H
