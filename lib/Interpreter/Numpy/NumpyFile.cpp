//===- NumpyFile.cpp - Tensors in numpy's files ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `.npy` file is a magic string, a version, the length of the header, the
// header, which is a dictionary in Python's notation, and the data.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Numpy/NumpyFile.h"
#include "relay/Interpreter/Values/Strides.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

static constexpr StringLiteral NpyMagic = "\x93NUMPY";

static Error malformedNpy(const Twine &What) {
  return llvm::createStringError("malformed .npy file: " + What);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {
struct NpyHeader {
  StringRef Description; ///< `<f4`
  bool IsFortran = false;
  TensorShape Shape;
  bool HasDescription = false, HasOrder = false, HasShape = false;
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
class NpyHeaderReader {
public:
  explicit NpyHeaderReader(StringRef Text) : Rest(Text) {}

  Expected<NpyHeader> read() {
    if (!take("{"))
      return expected("'{'");
    while (!take("}")) {
      if (Error E = readEntry())
        return E;
      if (!take(",") && !Rest.ltrim().starts_with("}"))
        return expected("',' or '}'");
    }
    if (!Rest.trim().empty())
      return expected("the end of the header");
    if (!Header.HasDescription || !Header.HasOrder || !Header.HasShape)
      return malformedNpy("the header lacks 'descr', 'fortran_order' or "
                          "'shape'");
    return std::move(Header);
  }

private:
  Error expected(StringRef What) {
    return malformedNpy(What + " expected in the header");
  }
  bool take(StringRef Token) {
    Rest = Rest.ltrim();
    return Rest.consume_front(Token);
  }
  std::optional<StringRef> takeString() {
    Rest = Rest.ltrim();
    if (!Rest.starts_with("'") && !Rest.starts_with("\""))
      return std::nullopt;
    size_t End = Rest.find(Rest[0], 1);
    if (End == StringRef::npos)
      return std::nullopt;
    StringRef Text = Rest.slice(1, End);
    Rest = Rest.drop_front(End + 1);
    return Text;
  }

  Error readEntry() {
    std::optional<StringRef> Key = takeString();
    if (!Key || !take(":"))
      return expected("a name and ':'");
    if (*Key == "descr")
      return readDescription();
    if (*Key == "fortran_order")
      return readOrder();
    if (*Key == "shape")
      return readShape();
    return malformedNpy("unknown entry '" + *Key + "' in the header");
  }
  Error readDescription() {
    std::optional<StringRef> Text = takeString();
    if (!Text)
      return malformedNpy("arrays of records are not read");
    Header.Description = *Text;
    Header.HasDescription = true;
    return Error::success();
  }
  Error readOrder() {
    Header.IsFortran = take("True");
    if (!Header.IsFortran && !take("False"))
      return expected("True or False");
    Header.HasOrder = true;
    return Error::success();
  }
  Error readShape() {
    constexpr size_t MaxRank = 1024;
    Header.Shape.clear();
    if (!take("("))
      return expected("'('");
    while (!take(")")) {
      int64_t Extent;
      Rest = Rest.ltrim();
      if (Rest.consumeInteger(10, Extent) || Extent < 0)
        return expected("an extent");
      take("L"); // Python 2
      Header.Shape.push_back(Extent);
      if (Header.Shape.size() > MaxRank)
        return malformedNpy("more than 1024 axes");
      if (!take(",") && !Rest.ltrim().starts_with(")"))
        return expected("',' or ')'");
    }
    Header.HasShape = true;
    return Error::success();
  }

  StringRef Rest;
  NpyHeader Header;
};
} // namespace

/// Returns the type described by \p Kind and \p Size, such as `f4`.
static std::optional<DType> getNpyDType(char Kind, unsigned Size) {
  bool IsPower = Size == 1 || Size == 2 || Size == 4 || Size == 8;
  if (Kind == 'b' && Size == 1)
    return DType::getBool();
  if (Kind == 'i' && IsPower)
    return DType::getInt(Size * 8);
  if (Kind == 'u' && IsPower)
    return DType::getUInt(Size * 8);
  if (Kind == 'f' && IsPower && Size != 1)
    return DType::getFloat(Size * 8);
  if (Kind == 'V' && Size == 2)
    return DType::getBFloat16();
  return std::nullopt;
}

/// Reads `<f4`; sets \p IsSwapped if the bytes of each element are in the
/// opposite order.
static Expected<DType> readDescription(StringRef Text, bool &IsSwapped) {
  unsigned Size;
  StringRef Rest = Text;
  char Order = Rest.empty() ? 0 : Rest[0];
  bool HasOrder = StringRef("<>|=").contains(Order) && Order;
  if (HasOrder)
    Rest = Rest.drop_front();
  char Kind = Rest.empty() ? 0 : Rest[0];
  std::optional<DType> T;
  if (!Rest.drop_front(Rest.empty() ? 0 : 1).getAsInteger(10, Size))
    T = getNpyDType(Kind, Size);
  if (!T)
    return llvm::createStringError("no data type for the .npy description '" +
                                   Text + "'");
  IsSwapped = Order == '>' && T->getByteSize() > 1;
  return *T;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Splits \p File into the text of the header and the data.
static Error splitNpy(StringRef File, StringRef &Header, StringRef &Data) {
  StringRef Rest = File;
  if (!Rest.consume_front(NpyMagic))
    return malformedNpy("no magic string");
  if (Rest.size() < 2)
    return malformedNpy("it is truncated");
  unsigned Version = uint8_t(Rest[0]);
  if (Version < 1 || Version > 3 || Rest[1] != 0)
    return malformedNpy("unknown version " + Twine(Version) + "." +
                        Twine(unsigned(uint8_t(Rest[1]))));
  Rest = Rest.drop_front(2);
  unsigned LengthSize = Version == 1 ? 2 : 4;
  if (Rest.size() < LengthSize)
    return malformedNpy("it is truncated");
  using namespace llvm::support::endian;
  uint64_t Length =
      Version == 1 ? read16le(Rest.data()) : read32le(Rest.data());
  Rest = Rest.drop_front(LengthSize);
  if (Rest.size() < Length)
    return malformedNpy("the header is truncated");
  Header = Rest.take_front(Length);
  Data = Rest.drop_front(Length);
  return Error::success();
}

static void swapBytes(MutableArrayRef<char> Bytes, unsigned Size) {
  for (size_t I = 0; I != Bytes.size(); I += Size)
    std::reverse(Bytes.begin() + I, Bytes.begin() + I + Size);
}

/// Returns the elements of \p T, whose axes are stored in reverse order, in
/// row-major order.
static Tensor fromFortranOrder(const Tensor &T) {
  SmallVector<int64_t, 4> Reversed(llvm::reverse(T.getShape()));
  Strides Steps(llvm::reverse(getStrides(Reversed)));
  return readStrided(T, TensorShape(T.getShape()), Steps);
}

Expected<Tensor>
relay::readNpy(std::shared_ptr<const llvm::MemoryBuffer> File) {
  StringRef Bytes = File->getBuffer();
  return readNpy(std::move(File), Bytes);
}

Expected<Tensor> relay::readNpy(std::shared_ptr<const llvm::MemoryBuffer> File,
                                StringRef Bytes) {
  StringRef HeaderText, Data;
  if (Error E = splitNpy(Bytes, HeaderText, Data))
    return E;
  Expected<NpyHeader> Header = NpyHeaderReader(HeaderText).read();
  if (!Header)
    return Header.takeError();
  bool IsSwapped = false;
  Expected<DType> T = readDescription(Header->Description, IsSwapped);
  if (!T)
    return T.takeError();
  std::optional<int64_t> Count = getNumElements(Header->Shape);
  uint64_t Size =
      Count ? llvm::SaturatingMultiply<uint64_t>(*Count, T->getByteSize())
            : UINT64_MAX;
  if (Size != Data.size())
    return malformedNpy("it has " + Twine(Data.size()) +
                        " bytes of data for an array of " +
                        toString(Header->Shape) + " and " + T->str());
  Tensor Result(
      *T, Header->Shape,
      TensorBuffer::map(std::move(File), ArrayRef(Data.data(), Data.size())));
  if (IsSwapped) {
    Result = Result.copy();
    swapBytes(Result.getMutableBytes(), T->getByteSize());
  }
  if (T->isBool()) { // any byte but 0 is true to numpy
    Result = Result.copy();
    for (char &Byte : Result.getMutableBytes())
      Byte = Byte != 0;
  }
  return Header->IsFortran && Result.getRank() > 1 ? fromFortranOrder(Result)
                                                   : Result;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string getNpyDescription(DType T) {
  unsigned Size = T.getByteSize();
  char Kind = T.isBool()     ? 'b'
              : T.isInt()    ? 'i'
              : T.isUInt()   ? 'u'
              : T.isBFloat() ? 'V'
                             : 'f';
  return (Twine(Size == 1 ? '|' : '<') + Twine(Kind) + Twine(Size)).str();
}

/// Returns the tuple \p Shape as Python writes it: `(3,)`.
static std::string toPython(ArrayRef<int64_t> Shape) {
  std::string Text = toString(Shape);
  if (Shape.size() == 1)
    Text.insert(Text.size() - 1, ",");
  return Text;
}

void relay::writeNpy(raw_ostream &OS, const Tensor &T) {
  std::string Header =
      "{'descr': '" + getNpyDescription(T.getDType()) +
      "', 'fortran_order': False, 'shape': " + toPython(T.getShape()) + ", }";
  // The data begins at a multiple of 64, after the newline of the header.
  bool IsLong = Header.size() > 65000;
  size_t Before = NpyMagic.size() + 2 + (IsLong ? 4 : 2);
  size_t End = llvm::alignTo(Before + Header.size() + 1, 64);
  Header.append(End - Before - Header.size() - 1, ' ');
  Header += '\n';
  llvm::support::endian::Writer Out(OS, llvm::endianness::little);
  OS << NpyMagic << char(IsLong ? 2 : 1) << '\0';
  if (IsLong)
    Out.write<uint32_t>(Header.size());
  else
    Out.write<uint16_t>(Header.size());
  OS << Header;
  OS.write(T.getBytes().data(), T.getBytes().size());
}
