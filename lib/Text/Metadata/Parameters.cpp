//===- Parameters.cpp - Files of named arrays -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Parameters.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Metadata/Parameters.h"
#include "NDArray.h"
#include "relay/IR/Constant.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/SHA256.h"

using namespace relay;
using llvm::Expected;

static constexpr uint64_t DictionaryMagic = 0xF7E58D4F05049CB7;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static llvm::Error malformed(const Twine &What) {
  return llvm::createStringError("malformed parameter dictionary: " + What);
}

bool relay::isParameterDictionary(StringRef File) {
  return ByteReader(File).take<uint64_t>() == DictionaryMagic;
}

Expected<std::vector<NamedArray>> relay::readParameters(StringRef File) {
  if (!isParameterDictionary(File))
    return malformed("no magic number");
  ByteReader Reader(File);
  Reader.take<uint64_t>(); // the magic number
  Reader.take<uint64_t>(); // reserved
  uint64_t Count = Reader.take<uint64_t>();
  std::vector<NamedArray> Arrays;
  while (Arrays.size() != Count && !Reader.failed())
    Arrays.push_back({Reader.take(Reader.take<uint64_t>()), {}});
  if (Reader.failed())
    return malformed("the names are truncated");
  if (Reader.take<uint64_t>() != Count)
    return malformed("the number of arrays differs from the number of names");
  for (NamedArray &A : Arrays) {
    const char *Begin = Reader.rest().data();
    if (!skipNDArray(Reader))
      return malformed("array '" + A.Name + "' is malformed");
    A.Saved = StringRef(Begin, Reader.rest().data() - Begin);
  }
  return Arrays;
}

Expected<Attr>
relay::readSavedArray(Context &Ctx, StringRef Saved,
                      std::shared_ptr<const llvm::MemoryBuffer> File) {
  ByteReader Reader(Saved);
  std::string Problem;
  if (Attr Value = takeNDArray(Ctx, Reader, std::move(File), Problem))
    return Value;
  return llvm::createStringError(Problem);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeArray(raw_ostream &OS, const NamedArray &A) {
  if (!A.Value) {
    OS << A.Saved;
    return;
  }
  SmallVector<char, 0> Header = getNDArrayHeader(*A.Value);
  OS.write(Header.data(), Header.size());
  OS.write(A.Value->getBytes().data(), A.Value->getBytes().size());
}

void relay::writeParameters(raw_ostream &OS, ArrayRef<NamedArray> Arrays) {
  llvm::support::endian::Writer Out(OS, llvm::endianness::little);
  Out.write<uint64_t>(DictionaryMagic);
  Out.write<uint64_t>(0); // reserved
  Out.write<uint64_t>(Arrays.size());
  for (const NamedArray &A : Arrays) {
    Out.write<uint64_t>(A.Name.size());
    OS << A.Name;
  }
  Out.write<uint64_t>(Arrays.size());
  for (const NamedArray &A : Arrays)
    writeArray(OS, A);
}

std::string relay::getContentHash(const ConstantData &Data) {
  SmallVector<char, 0> Header = getNDArrayHeader(Data);
  llvm::SHA256 Hasher;
  Hasher.update(StringRef(Header.data(), Header.size()));
  Hasher.update(llvm::toStringRef(Data.getBytes()));
  auto Hash = Hasher.final();
  return llvm::toHex(ArrayRef<uint8_t>(Hash).take_front(16), true);
}
