//===- NamedArrayFile.h - Arrays by name -------------------------*- C++ --===//
//-*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of -params: a parameter dictionary of TVM's, or a `.npz` file. What
// it begins with tells which.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_NAMEDARRAYFILE_H
#define RELAY_LIB_DRIVER_FLAGS_NAMEDARRAYFILE_H

#include "relay/IR/Function.h"
#include "relay/Interpreter/Values/Tensor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

class NamedArrayFile {
public:
  using SharedBuffer = std::shared_ptr<const llvm::MemoryBuffer>;

  /// The arrays in \p File, or the error that it is malformed or that two
  /// arrays have the same name. Their data stay in the file.
  static llvm::Expected<NamedArrayFile> read(SharedBuffer File);

  /// In the order of the alphabet.
  SmallVector<StringRef, 8> getNames() const;
  /// The value of the array \p Name; null if there is none, an error if it is
  /// malformed.
  llvm::Expected<Attr> getValue(Context &Ctx, StringRef Name) const;

private:
  /// An array as a dictionary has it, or as a tensor of a `.npz` file.
  struct Array {
    StringRef Saved;
    Tensor Value;
  };
  explicit NamedArrayFile(SharedBuffer File) : File(std::move(File)) {}
  llvm::Error readDictionary();
  llvm::Error readArchive();

  SharedBuffer File;
  llvm::StringMap<Array> Arrays;
};

/// Of \p Unknown the first name that is nearly one of \p Open, and that one;
/// none if there is none. Of long lists only the beginning is looked at.
std::optional<std::pair<StringRef, StringRef>>
findMisspelt(ArrayRef<StringRef> Unknown, ArrayRef<StringRef> Open);

/// Warns that no parameter of \p Main has a name of \p Unknown, which arrays of
/// the file \p Path have. \p Open are the names of parameters without a value.
void warnOfUnknown(const Function &Main, StringRef Path,
                   ArrayRef<StringRef> Unknown, ArrayRef<StringRef> Open);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_NAMEDARRAYFILE_H
