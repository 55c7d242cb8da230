//===- NDArray.h - TVM's saved arrays ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The binary form in which TVM saves an array: magic number, reserved word,
// device, rank, data type, shape, size in bytes, data; all little-endian. In
// the metadata it is encoded in base64.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_NDARRAY_H
#define RELAY_LIB_TEXT_METADATA_NDARRAY_H

#include "relay/IR/Context.h"
#include "llvm/Support/Endian.h"

namespace relay {

/// Removes numbers from the front of a byte sequence; stays at the end if there
/// are not enough bytes.
class ByteReader {
public:
  explicit ByteReader(StringRef Bytes) : Rest(Bytes) {}

  template <typename T> T take() {
    StringRef Bytes = take(sizeof(T));
    if (Failed)
      return T();
    return llvm::support::endian::read<T, llvm::endianness::little>(
        Bytes.data());
  }
  StringRef take(uint64_t Size) {
    Failed |= Rest.size() < Size;
    if (Failed)
      return {};
    StringRef Bytes = Rest.take_front(Size);
    Rest = Rest.drop_front(Size);
    return Bytes;
  }
  StringRef rest() const { return Rest; }
  bool failed() const { return Failed; }

private:
  StringRef Rest;
  bool Failed = false;
};

/// A file that lives as long as references to it.
using SharedFile = std::shared_ptr<const llvm::MemoryBuffer>;

/// Reads an array from \p Reader, which reads \p File, as a Constant whose data
/// stays in the file; none, with \p Error, if it is malformed.
Attr takeNDArray(Context &Ctx, ByteReader &Reader, SharedFile File,
                 std::string &Error);
/// Skips an array; returns false if it is malformed.
bool skipNDArray(ByteReader &Reader);
/// Returns the bytes of a saved array before the data.
SmallVector<char, 0> getNDArrayHeader(const ConstantData &Data);

/// Returns the array in \p Base64; none, with \p Error, if it is malformed.
Attr readNDArray(Context &Ctx, StringRef Base64, std::string &Error);

/// Prints \p Data in base64, without a complete copy.
void writeNDArray(raw_ostream &OS, const ConstantData &Data);

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_NDARRAY_H
