//===- Names.h - Names of records in C++ ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of the names of records and fields to names in generated C++, and
// queries of the records of a run. Shared by the record wrappers of all
// backends.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_NAMES_H
#define RELAY_TBLGEN_NAMES_H

#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace relay::tblgen {

/// Convert `data_layout` to `dataLayout` and to `DataLayout`.
std::string toLowerCamel(llvm::StringRef Name);
std::string toUpperCamel(llvm::StringRef Name);

/// Returns true if \p Name is in kebab case, like `fuse-ops`: words of
/// lower-case letters and digits.
bool isKebab(llvm::StringRef Name);

/// Converts `max-depth` to `MaxDepth`.
std::string kebabToUpperCamel(llvm::StringRef Name);

/// Returns true if \p Name is a C++ identifier and not a keyword.
bool isIdentifier(llvm::StringRef Name);

/// Converts \p Text to a string literal with quotes.
std::string quote(llvm::StringRef Text);

/// Returns the definitions derived from \p ClassName in the order of the text,
/// including definitions in included files.
std::vector<const llvm::Record *>
getDefinitions(const llvm::RecordKeeper &Records, llvm::StringRef ClassName);

/// Returns true if \p R is defined in the main file, and not in an included
/// one.
bool isInMainFile(const llvm::Record &R);

/// Returns the name of the file without directory and suffix: `NN` of
/// `Ops/NN.td`. It must be an identifier.
std::string getFileStem(const llvm::RecordKeeper &Records);

/// Ends with an error unless \p Name, which names a function, is empty or an
/// identifier. \p Field is the record's field that holds it.
void checkFunction(const llvm::Record &R, llvm::StringRef Field,
                   llvm::StringRef Name);

/// Ends with an error unless the record's name ends in \p Suffix.
void checkSuffix(const llvm::Record &R, llvm::StringRef Suffix);

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_NAMES_H
