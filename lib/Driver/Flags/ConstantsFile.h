//===- ConstantsFile.h - -constants-file ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data that text leaves out, in a file beside it: a parameter dictionary of
// TVM's, whose names are the hashes in the text. It is read when text first
// needs it, and written when text leaves data out; what was read stays in it.
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
  /// The constant of \p Hash, none when the file does not hold it; the error of
  /// a file that cannot be read.
  llvm::Expected<Attr> lookup(Context &Ctx, StringRef Hash);
  /// Warns, as \p Tool, if lookup() was never called, so that the file had no
  /// effect.
  void warnIfUnused(StringRef Tool) const;
  /// Takes \p Data, which stays where it is, for write().
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
