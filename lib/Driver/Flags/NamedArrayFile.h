//===- NamedArrayFile.h - Arrays by name ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of -params: a parameter dictionary of TVM or a `.npz` file,
// recognized by its first bytes.
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

  /// Returns the arrays in \p File, or an error if it is malformed or if two
  /// arrays have the same name. The data is not copied.
  static llvm::Expected<NamedArrayFile> read(SharedBuffer File);

  /// Returns the names in alphabetical order.
  SmallVector<StringRef, 8> getNames() const;
  /// Returns the value of the array \p Name; null if there is none, an error if
  /// it is malformed.
  llvm::Expected<Attr> getValue(Context &Ctx, StringRef Name) const;

private:
  /// An array of a dictionary, or a tensor of a `.npz` file.
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

/// Returns the first name of \p Unknown that is similar to a name in \p Open,
/// and that name; none if there is none. Only the beginning of long lists is
/// searched.
std::optional<std::pair<StringRef, StringRef>>
findMisspelt(ArrayRef<StringRef> Unknown, ArrayRef<StringRef> Open);

/// Warns that \p Main has no parameters with the names \p Unknown, which are
/// arrays of the file \p Path. \p Open are the parameters without a value.
void warnOfUnknown(const Function &Main, StringRef Path,
                   ArrayRef<StringRef> Unknown, ArrayRef<StringRef> Open);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_NAMEDARRAYFILE_H
