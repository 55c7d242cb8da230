//===- NumpyArchive.h - Several tensors in one file -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes `.npz`, a zip file of `.npy` files. Members are read as
// numpy.savez stores and numpy.savez_compressed compresses them, zip64
// included, and are written without compression. Stored data that are read stay
// in the file.
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

/// Returns true if \p File begins as a zip file does.
bool isNumpyArchive(StringRef File);
/// The arrays in \p File whose names \p IsWanted accepts, in the order of the
/// file, or the error that it is malformed. The others are not looked at: they
/// may be encrypted, or of types that there are not.
llvm::Expected<std::vector<NamedTensor>>
readNumpyArchive(std::shared_ptr<const llvm::MemoryBuffer> File,
                 function_ref<bool(StringRef Name)> IsWanted);

/// Writes \p Tensors, whose names differ, without a copy of their data. An
/// error, with nothing written, if they take 4 GiB or more, which only zip64
/// has room for.
llvm::Error writeNumpyArchive(raw_ostream &OS, ArrayRef<NamedTensor> Tensors);

} // namespace relay

#endif // RELAY_INTERPRETER_NUMPY_NUMPYARCHIVE_H
