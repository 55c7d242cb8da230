//===- ConstantsFile.h - -constants-file ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file for constants that are elided in text: a parameter dictionary of TVM
// whose names are the hashes in the text. It is read when text first refers to
// it, and written when constants are elided; arrays that were read are kept.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_CONSTANTSFILE_H
#define RELAY_LIB_DRIVER_FLAGS_CONSTANTSFILE_H

#include "relay/Text/Metadata/Parameters.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

class ConstantsFile {
public:
  explicit ConstantsFile(StringRef Path) : Path(Path) {}

  bool isGiven() const { return !Path.empty(); }
  /// Returns the constant of \p Hash, or null if the file does not contain it;
  /// an error if the file cannot be read.
  llvm::Expected<Attr> lookup(Context &Ctx, StringRef Hash);
  /// Prints a warning of \p Tool if lookup() was never called, so that the file
  /// had no effect.
  void warnIfUnused(StringRef Tool) const;
  /// Adds \p Data, which is not copied, for write().
  void add(StringRef Hash, const ConstantData &Data);
  llvm::Error write() const;

private:
  llvm::Error read();
  void add(NamedArray Array);

  StringRef Path;
  bool IsUsed = false;
  std::shared_ptr<const llvm::MemoryBuffer> Buffer;
  std::vector<NamedArray> Arrays;
  llvm::StringMap<size_t> Indices; // by name; owns the names
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_CONSTANTSFILE_H
