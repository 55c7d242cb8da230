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
#include "relay/IR/Constant.h"
#include "llvm/ADT/StringExtras.h"
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

/// Returns none if the header is invalid, or if it requires more data than the
/// rest of \p Reader and \p FurtherBytes.
static std::optional<Header> takeHeader(ByteReader &Reader,
                                        uint64_t FurtherBytes = 0) {
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
  if (Reader.failed() || H.Size > Reader.rest().size() + FurtherBytes)
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

/// Returns the type that \p H describes; null, with \p Error, if it is invalid
/// or does not match the size of the data.
static TensorType *checkHeader(Context &Ctx, const std::optional<Header> &H,
                               std::string &Error) {
  if (!H) {
    Error = "malformed array";
    return nullptr;
  }
  TensorType *T = getType(Ctx, *H);
  std::optional<int64_t> Elements = T->getNumElements();
  uint64_t ElementSize = T->getDType().getByteSize();
  if (Elements && H->Size % ElementSize == 0 &&
      uint64_t(*Elements) == H->Size / ElementSize)
    return T;
  Error = "array of " + std::to_string(H->Size) + " bytes for " + toString(T);
  return nullptr;
}

Attr relay::takeNDArray(Context &Ctx, ByteReader &Reader, SharedFile File,
                        std::string &Error) {
  std::optional<Header> H = takeHeader(Reader);
  TensorType *T = checkHeader(Ctx, H, Error);
  if (!T)
    return {};
  StringRef Data = Reader.take(H->Size);
  ArrayRef<char> Bytes(Data.data(), Data.size());
  return Ctx.getConstant(T, TensorBuffer::map(std::move(File), Bytes));
}

bool relay::skipNDArray(ByteReader &Reader) {
  std::optional<Header> H = takeHeader(Reader);
  if (H)
    Reader.take(H->Size);
  return H.has_value();
}

/// Decodes the next characters of \p Base64 into \p Bytes.
static bool decodePiece(StringRef &Base64, std::vector<char> &Bytes,
                        std::string &Error) {
  constexpr size_t Piece = 1 << 16; // whole groups of four
  StringRef Text = Base64.take_front(Piece);
  Base64 = Base64.drop_front(Text.size());
  llvm::Error E = llvm::decodeBase64(Text, Bytes);
  if (!E)
    return true;
  Error = "malformed array: " + llvm::toString(std::move(E));
  return false;
}

/// Decodes the data in pieces into its final place.
Attr relay::readNDArray(Context &Ctx, StringRef Base64, std::string &Error) {
  std::vector<char> Bytes;
  if (!decodePiece(Base64, Bytes, Error))
    return {};
  ByteReader Reader(llvm::toStringRef(ArrayRef<char>(Bytes)));
  std::optional<Header> H = takeHeader(Reader, Base64.size() / 4 * 3);
  TensorType *T = checkHeader(Ctx, H, Error);
  if (!T)
    return {};
  if (!TensorBuffer::canAllocate(H->Size)) {
    Error = "not enough memory for the array";
    return {};
  }
  TensorBuffer Buffer = TensorBuffer::allocate(H->Size);
  MutableArrayRef<char> Rest = Buffer.getMutableBytes();
  StringRef Data = Reader.rest();
  while (true) {
    Data = Data.take_front(Rest.size());
    llvm::copy(Data, Rest.begin());
    Rest = Rest.drop_front(Data.size());
    if (Rest.empty() || Base64.empty())
      break;
    if (!decodePiece(Base64, Bytes, Error))
      return {};
    Data = llvm::toStringRef(ArrayRef<char>(Bytes));
  }
  if (Rest.empty())
    return Ctx.getConstant(T, std::move(Buffer));
  Error = "malformed array";
  return {};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

SmallVector<char, 0> relay::getNDArrayHeader(const ConstantData &Data) {
  SmallVector<char, 0> Buffer;
  llvm::raw_svector_ostream OS(Buffer);
  llvm::support::endian::Writer Out(OS, llvm::endianness::little);
  DType T = Data.getDType();
  Out.write<uint64_t>(Magic);
  Out.write<uint64_t>(0); // reserved
  Out.write<uint32_t>(1); // the CPU
  Out.write<uint32_t>(0);
  Out.write<uint32_t>(Data.getType()->getRank());
  Out.write<uint8_t>(T.getCode());
  Out.write<uint8_t>(T.getBits());
  Out.write<uint16_t>(T.getLanes());
  for (Dim D : Data.getType()->getShape())
    Out.write<uint64_t>(D.getInt());
  Out.write<uint64_t>(Data.getBytes().size());
  return Buffer;
}

void relay::writeNDArray(raw_ostream &OS, const ConstantData &Data) {
  SmallVector<char, 0> Buffer = getNDArrayHeader(Data);
  // Pieces whose sizes are multiples of three bytes join without padding.
  constexpr size_t Piece = 3 << 16;
  ArrayRef<char> Rest = Data.getBytes();
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
