//===- Names.h - Names of records in C++ ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the names of records and fields become names in generated C++, and which
// records a run is about. Shared by the record wrappers of all backends.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_NAMES_H
#define RELAY_TBLGEN_NAMES_H

#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace relay::tblgen {

/// `data_layout` as `dataLayout`, and as `DataLayout`.
std::string toLowerCamel(llvm::StringRef Name);
std::string toUpperCamel(llvm::StringRef Name);

/// Whether \p Name is in kebab case, as `fuse-ops`: words of lower case letters
/// and digits.
bool isKebab(llvm::StringRef Name);

/// `max-depth` as `MaxDepth`.
std::string kebabToUpperCamel(llvm::StringRef Name);

/// Whether \p Name can name something in C++ and is no keyword.
bool isIdentifier(llvm::StringRef Name);

/// \p Text as a string literal, with its quotes.
std::string quote(llvm::StringRef Text);

/// The definitions derived from \p ClassName, in the order of the text, those
/// of included files too.
std::vector<const llvm::Record *>
getDefinitions(const llvm::RecordKeeper &Records, llvm::StringRef ClassName);

/// Whether \p R is defined in the file that relay-tblgen was started on, and
/// not in one that it includes.
bool isInMainFile(const llvm::Record &R);

/// The name of the file without directory and suffix: `NN` of `Ops/NN.td`. It
/// has to be an identifier.
std::string getFileStem(const llvm::RecordKeeper &Records);

/// Ends with an error unless \p Name, which names a function, is empty or an
/// identifier. \p Field is the record's field that holds it.
void checkFunction(const llvm::Record &R, llvm::StringRef Field,
                   llvm::StringRef Name);

/// Ends with an error unless the record's name ends in \p Suffix.
void checkSuffix(const llvm::Record &R, llvm::StringRef Suffix);

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_NAMES_H
