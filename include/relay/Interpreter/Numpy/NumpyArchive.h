//===- NumpyArchive.h - Several tensors in one file -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes `.npz`, a zip file of `.npy` files. Reads members as stored
// by numpy.savez and compressed by numpy.savez_compressed, including zip64;
// writes them without compression. Stored data remains in the file when it is
// read.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_NUMPY_NUMPYARCHIVE_H
#define RELAY_INTERPRETER_NUMPY_NUMPYARCHIVE_H

#include "relay/Interpreter/Values/Tensor.h"
#include <vector>

namespace relay {

struct NamedTensor {
  std::string Name; ///< of the member, without `.npy`
  Tensor Value;
};

/// Returns true if \p File begins like a zip file.
bool isNumpyArchive(StringRef File);
/// Returns the arrays in \p File whose names \p IsWanted accepts, in the order
/// of the file, or an error if it is malformed. Other members are ignored: they
/// may be encrypted, or have unsupported types.
llvm::Expected<std::vector<NamedTensor>>
readNumpyArchive(std::shared_ptr<const llvm::MemoryBuffer> File,
                 function_ref<bool(StringRef Name)> IsWanted);

/// Writes \p Tensors, which have unique names, without a copy of their data.
/// Returns an error, and writes nothing, if they take 4 GiB or more, which
/// requires zip64.
llvm::Error writeNumpyArchive(raw_ostream &OS, ArrayRef<NamedTensor> Tensors);

} // namespace relay

#endif // RELAY_INTERPRETER_NUMPY_NUMPYARCHIVE_H
