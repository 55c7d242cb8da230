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
#include "llvm/Support/EndianStream.h"

using namespace relay;

static constexpr uint64_t Magic = 0xDD5E40F096B4A13F;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct Header {
  DType T;
  SmallVector<int64_t, 4> Shape;
  uint64_t Size = 0; ///< of the data, in bytes
};
} // namespace

/// Nothing when it makes no sense, or when the data that follow are cut off.
static std::optional<Header> takeHeader(ByteReader &Reader) {
  if (Reader.take<uint64_t>() != Magic)
    return std::nullopt;
  Reader.take<uint64_t>(); // reserved
  Reader.take<uint64_t>(); // device
  uint32_t Rank = Reader.take<uint32_t>();
  auto Code = DType::Code(Reader.take<uint8_t>());
  uint8_t Bits = Reader.take<uint8_t>();
  uint16_t Lanes = Reader.take<uint16_t>();
  if (Rank > Reader.rest().size() / sizeof(int64_t) || !Bits || !Lanes)
    return std::nullopt;
  Header H;
  H.T = DType(Code, Bits, Lanes);
  for (uint32_t I = 0; I != Rank; ++I)
    H.Shape.push_back(Reader.take<int64_t>());
  H.Size = Reader.take<uint64_t>();
  if (Reader.failed() || H.Size > Reader.rest().size())
    return std::nullopt;
  return H;
}

static TensorType *getType(Context &Ctx, const Header &H) {
  SmallVector<Dim, 4> Shape;
  for (int64_t Size : H.Shape) {
    bool Small = Size == int32_t(Size);
    Shape.push_back(Ctx.getDim(Size, DType::getInt(Small ? 32 : 64)));
  }
  return Ctx.getTensorType(Shape, H.T);
}

Attr relay::takeNDArray(Context &Ctx, ByteReader &Reader, std::string &Error) {
  std::optional<Header> H = takeHeader(Reader);
  if (!H) {
    Error = "malformed array";
    return {};
  }
  TensorType *T = getType(Ctx, *H);
  std::optional<int64_t> Elements = T->getNumElements();
  uint64_t ElementSize = T->getDType().getByteSize();
  if (!Elements || H->Size % ElementSize ||
      uint64_t(*Elements) != H->Size / ElementSize) {
    Error = "array of " + std::to_string(H->Size) + " bytes for " + toString(T);
    return {};
  }
  StringRef Data = Reader.take(H->Size);
  return Ctx.getConstant(T, ArrayRef(Data.data(), Data.size()));
}

bool relay::skipNDArray(ByteReader &Reader) {
  std::optional<Header> H = takeHeader(Reader);
  if (H)
    Reader.take(H->Size);
  return H.has_value();
}

Attr relay::readNDArray(Context &Ctx, StringRef Base64, std::string &Error) {
  std::vector<char> Bytes;
  if (llvm::Error E = llvm::decodeBase64(Base64, Bytes)) {
    Error = "malformed array: " + llvm::toString(std::move(E));
    return {};
  }
  ByteReader Reader(StringRef(Bytes.data(), Bytes.size()));
  return takeNDArray(Ctx, Reader, Error);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

SmallVector<char, 0> relay::getNDArrayHeader(const ConstantData &Data) {
  SmallVector<char, 0> Buffer;
  llvm::raw_svector_ostream OS(Buffer);
  llvm::support::endian::Writer Out(OS, llvm::endianness::little);
  DType T = Data.Ty->getDType();
  Out.write<uint64_t>(Magic);
  Out.write<uint64_t>(0); // reserved
  Out.write<uint32_t>(1); // the CPU
  Out.write<uint32_t>(0);
  Out.write<uint32_t>(Data.Ty->getRank());
  Out.write<uint8_t>(T.getCode());
  Out.write<uint8_t>(T.getBits());
  Out.write<uint16_t>(T.getLanes());
  for (Dim D : Data.Ty->getShape())
    Out.write<uint64_t>(D.getInt());
  Out.write<uint64_t>(Data.Bytes.size());
  return Buffer;
}

void relay::writeNDArray(raw_ostream &OS, const ConstantData &Data) {
  SmallVector<char, 0> Buffer = getNDArrayHeader(Data);
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
