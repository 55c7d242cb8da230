//===- NDArray.cpp - TVM's saved arrays -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decoding and encoding of arrays in the metadata section.
//
//===----------------------------------------------------------------------===//

#include "NDArray.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"

using namespace relay;
namespace endian = llvm::support::endian;

static constexpr uint64_t Magic = 0xDD5E40F096B4A13F;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Takes numbers off the front of bytes; stays at the end when there are not
/// enough.
class ByteReader {
public:
  explicit ByteReader(ArrayRef<char> Bytes) : Rest(Bytes) {}

  template <typename T> T take() {
    if (Rest.size() < sizeof(T)) {
      Failed = true;
      return T();
    }
    T Value = endian::read<T, llvm::endianness::little>(Rest.data());
    Rest = Rest.drop_front(sizeof(T));
    return Value;
  }
  ArrayRef<char> rest() const { return Rest; }
  bool failed() const { return Failed; }

private:
  ArrayRef<char> Rest;
  bool Failed = false;
};
} // namespace

/// Shape and data type, null when they make no sense.
static TensorType *readHeader(Context &Ctx, ByteReader &Reader) {
  if (Reader.take<uint64_t>() != Magic)
    return nullptr;
  Reader.take<uint64_t>(); // reserved
  Reader.take<uint64_t>(); // device
  uint32_t Rank = Reader.take<uint32_t>();
  auto Code = DType::Code(Reader.take<uint8_t>());
  uint8_t Bits = Reader.take<uint8_t>();
  uint16_t Lanes = Reader.take<uint16_t>();
  if (Rank > Reader.rest().size() / sizeof(int64_t) || !Bits || !Lanes)
    return nullptr;
  SmallVector<Dim, 4> Shape;
  for (uint32_t I = 0; I != Rank; ++I) {
    int64_t Size = Reader.take<int64_t>();
    bool Small = Size == int32_t(Size);
    Shape.push_back(Ctx.getDim(Size, DType::getInt(Small ? 32 : 64)));
  }
  return Ctx.getTensorType(Shape, DType(Code, Bits, Lanes));
}

Attr relay::readNDArray(Context &Ctx, StringRef Base64, std::string &Error) {
  std::vector<char> Bytes;
  if (llvm::Error E = llvm::decodeBase64(Base64, Bytes)) {
    Error = "malformed array: " + llvm::toString(std::move(E));
    return {};
  }
  ByteReader Reader(Bytes);
  TensorType *T = readHeader(Ctx, Reader);
  uint64_t Size = Reader.take<uint64_t>();
  if (!T || Reader.failed() || Size > Reader.rest().size()) {
    Error = "malformed array";
    return {};
  }
  std::optional<int64_t> Elements = T->getNumElements();
  uint64_t ElementSize = T->getDType().getByteSize();
  if (!Elements || Size % ElementSize ||
      uint64_t(*Elements) != Size / ElementSize) {
    Error = "array of " + std::to_string(Size) + " bytes for " + toString(T);
    return {};
  }
  return Ctx.getConstant(T, Reader.rest().take_front(Size));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void append(SmallVectorImpl<char> &Out, uint64_t Value, unsigned Bytes) {
  for (unsigned I = 0; I != Bytes; ++I)
    Out.push_back(char(Value >> 8 * I));
}

void relay::writeNDArray(raw_ostream &OS, const ConstantData &Data) {
  SmallVector<char, 0> Buffer;
  DType T = Data.Ty->getDType();
  append(Buffer, Magic, 8);
  append(Buffer, 0, 8);
  append(Buffer, 1, 4); // the CPU
  append(Buffer, 0, 4);
  append(Buffer, Data.Ty->getRank(), 4);
  append(Buffer, T.getCode(), 1);
  append(Buffer, T.getBits(), 1);
  append(Buffer, T.getLanes(), 2);
  for (Dim D : Data.Ty->getShape())
    append(Buffer, D.getInt(), 8);
  append(Buffer, Data.Bytes.size(), 8);
  // Pieces of a multiple of three bytes join without padding between them.
  constexpr size_t Piece = 3 << 16;
  ArrayRef<char> Rest = Data.Bytes;
  while (Buffer.size() + Rest.size() > Piece) {
    size_t Part = Piece - Buffer.size();
    Buffer.append(Rest.begin(), Rest.begin() + Part);
    Rest = Rest.drop_front(Part);
    OS << llvm::encodeBase64(Buffer);
    Buffer.clear();
  }
  Buffer.append(Rest.begin(), Rest.end());
  OS << llvm::encodeBase64(Buffer);
}
