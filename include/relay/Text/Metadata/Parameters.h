//===- Parameters.h - Files of named arrays ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's parameter dictionary (relay.save_param_dict): magic number, reserved
// word, names, arrays; all little-endian. An array that was read stays as it
// was saved until somebody wants its value.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_METADATA_PARAMETERS_H
#define RELAY_TEXT_METADATA_PARAMETERS_H

#include "relay/IR/Context.h"
#include "llvm/Support/Error.h"

namespace relay {

/// An array: as TVM saves it, type and data, or as a value.
struct NamedArray {
  StringRef Name;
  StringRef Saved;
  const ConstantData *Value = nullptr;
};

/// Returns true if \p File begins as a dictionary does.
bool isParameterDictionary(StringRef File);

/// The arrays of the dictionary \p File, as saved, in its order. They point
/// into \p File.
llvm::Expected<std::vector<NamedArray>> readParameters(StringRef File);

/// Writes \p Arrays as a dictionary.
void writeParameters(raw_ostream &OS, ArrayRef<NamedArray> Arrays);

/// The value of NamedArray::Saved, or the error that it is malformed. The data
/// stay in \p File, which \p Saved is a part of.
llvm::Expected<Attr>
readSavedArray(Context &Ctx, StringRef Saved,
               std::shared_ptr<const llvm::MemoryBuffer> File);

/// Returns a hash of the type and the data of a constant: half of the SHA-256
/// of the array as TVM saves it, in hexadecimal.
std::string getContentHash(const ConstantData &Data);

} // namespace relay

#endif // RELAY_TEXT_METADATA_PARAMETERS_H
