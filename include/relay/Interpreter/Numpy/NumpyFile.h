//===- NumpyFile.h - Tensors in numpy's files -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes `.npy`, the file format of one array in numpy: versions 1 to
// 3 of its header, both orders of axes and of bytes. bfloat16, which numpy
// lacks, is `V2`, as the package ml_dtypes saves it.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_NUMPY_NUMPYFILE_H
#define RELAY_INTERPRETER_NUMPY_NUMPYFILE_H

#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// Returns the array in \p File, or an error if it is malformed. Data that
/// needs no conversion remains in the file.
llvm::Expected<Tensor> readNpy(std::shared_ptr<const llvm::MemoryBuffer> File);
/// As above, for \p Bytes, a part of \p File.
llvm::Expected<Tensor> readNpy(std::shared_ptr<const llvm::MemoryBuffer> File,
                               StringRef Bytes);

/// Writes \p T as version 1, or as version 2 if the header is too long for
/// version 1.
void writeNpy(raw_ostream &OS, const Tensor &T);

} // namespace relay

#endif // RELAY_INTERPRETER_NUMPY_NUMPYFILE_H
