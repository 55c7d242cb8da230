//===- NumpyArchive.cpp - Several tensors in one file ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A zip file ends with a record that gives the offset of its central directory;
// this has an entry for each member with the offset of the member's header.
// Every number is checked against the size of the file before it is used.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Numpy/NumpyArchive.h"
#include "relay/Interpreter/Numpy/NumpyFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MemoryBuffer.h"
#include <zlib.h>

using namespace relay;
using llvm::Error;
using llvm::Expected;

static Error malformedNpz(const Twine &What) {
  return llvm::createStringError("malformed .npz file: " + What);
}

namespace {

/// A record of a zip file: numbers at fixed offsets.
class ZipRecord {
public:
  /// Returns the record with \p Signature at \p Offset of \p File and at least
  /// \p Size bytes; none if there is none.
  static std::optional<ZipRecord> get(StringRef File, uint64_t Offset,
                                      uint32_t Signature, size_t Size) {
    if (Offset > File.size() || File.size() - Offset < Size)
      return std::nullopt;
    ZipRecord Record(File.drop_front(Offset));
    return Record.read<uint32_t>(0) == Signature ? std::optional(Record)
                                                 : std::nullopt;
  }
  template <typename T> T read(size_t Offset) const {
    return llvm::support::endian::read<T, llvm::endianness::little>(
        Bytes.data() + Offset);
  }
  /// Returns \p Size bytes starting at \p Offset; fewer at the end of the file.
  StringRef getBytes(uint64_t Offset, uint64_t Size) const {
    return Bytes.substr(Offset, Size);
  }

private:
  explicit ZipRecord(StringRef Bytes) : Bytes(Bytes) {}
  StringRef Bytes;
};

/// The central directory.
struct ZipDirectory {
  uint64_t Offset, NumEntries;
};

/// A member, as described by its entry of the central directory.
struct ZipMember {
  StringRef Name;
  uint16_t Flags, Method;
  uint32_t Checksum;
  uint64_t PackedSize, Size, Offset;
  uint64_t EntrySize;
};

} // namespace

//===----------------------------------------------------------------------===//
// The directory
//===----------------------------------------------------------------------===//

static constexpr uint32_t EndSignature = 0x06054b50;
static constexpr uint32_t End64Signature = 0x06064b50;
static constexpr uint32_t Locator64Signature = 0x07064b50;
static constexpr uint32_t EntrySignature = 0x02014b50;
static constexpr uint32_t LocalSignature = 0x04034b50;
static constexpr size_t EndSize = 22, End64Size = 56, LocatorSize = 20,
                        EntrySize = 46, LocalSize = 30;

/// Returns the last record of the file, which may be followed by a comment.
static std::optional<uint64_t> findEnd(StringRef File) {
  constexpr size_t MaxComment = 0xffff;
  for (size_t Comment = 0; Comment <= MaxComment; ++Comment) {
    if (File.size() < EndSize + Comment)
      return std::nullopt;
    uint64_t Offset = File.size() - EndSize - Comment;
    auto End = ZipRecord::get(File, Offset, EndSignature, EndSize);
    if (End && End->read<uint16_t>(20) == Comment)
      return Offset;
  }
  return std::nullopt;
}

static Expected<ZipDirectory> findDirectory(StringRef File) {
  std::optional<uint64_t> Offset = findEnd(File);
  if (!Offset)
    return malformedNpz("it is truncated");
  auto End = *ZipRecord::get(File, *Offset, EndSignature, EndSize);
  ZipDirectory D = {End.read<uint32_t>(16), End.read<uint16_t>(10)};
  if (*Offset < LocatorSize)
    return D;
  auto Locator = ZipRecord::get(File, *Offset - LocatorSize, Locator64Signature,
                                LocatorSize);
  if (!Locator)
    return D;
  auto End64 = ZipRecord::get(File, Locator->read<uint64_t>(8), End64Signature,
                              End64Size);
  if (!End64)
    return malformedNpz("the zip64 record is not at the expected offset");
  return ZipDirectory{End64->read<uint64_t>(48), End64->read<uint64_t>(32)};
}

/// Reads sizes and offset that do not fit 32 bits from \p Extra, which contains
/// them in this order.
static bool readZip64(StringRef Extra, ZipMember &M) {
  constexpr uint32_t Elsewhere = 0xffffffff;
  SmallVector<uint64_t *, 3> Missing;
  for (uint64_t *Field : {&M.Size, &M.PackedSize, &M.Offset})
    if (*Field == Elsewhere)
      Missing.push_back(Field);
  using namespace llvm::support::endian;
  while (!Missing.empty() && Extra.size() >= 4) {
    uint16_t Id = read16le(Extra.data()), Size = read16le(Extra.data() + 2);
    StringRef Body = Extra.substr(4, Size);
    Extra = Extra.drop_front(std::min<size_t>(Extra.size(), 4 + Size));
    if (Id != 1)
      continue;
    if (Body.size() < Missing.size() * 8)
      return false;
    for (auto [I, Field] : llvm::enumerate(Missing))
      *Field = read64le(Body.data() + I * 8);
    return true;
  }
  return Missing.empty();
}

static Expected<ZipMember> readEntry(StringRef File, uint64_t Offset) {
  auto Entry = ZipRecord::get(File, Offset, EntrySignature, EntrySize);
  if (!Entry)
    return malformedNpz("the directory is truncated");
  ZipMember M;
  M.Flags = Entry->read<uint16_t>(8);
  M.Method = Entry->read<uint16_t>(10);
  M.Checksum = Entry->read<uint32_t>(16);
  M.PackedSize = Entry->read<uint32_t>(20);
  M.Size = Entry->read<uint32_t>(24);
  M.Offset = Entry->read<uint32_t>(42);
  uint64_t NameSize = Entry->read<uint16_t>(28);
  uint64_t ExtraSize = Entry->read<uint16_t>(30);
  M.EntrySize = EntrySize + NameSize + ExtraSize + Entry->read<uint16_t>(32);
  M.Name = Entry->getBytes(EntrySize, NameSize);
  if (M.Name.size() != NameSize ||
      !readZip64(Entry->getBytes(EntrySize + NameSize, ExtraSize), M))
    return malformedNpz("the directory is truncated");
  return M;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

namespace {
/// The methods by which members are stored.
enum ZipMethod : uint16_t { Stored = 0, Deflated = 8 };

/// The bytes of a member, and the buffer that contains them.
struct MemberData {
  std::shared_ptr<const llvm::MemoryBuffer> Buffer;
  StringRef Bytes;
};
} // namespace

/// Decompresses \p Packed, a raw deflate stream, into \p Out. Returns true if
/// the stream ends where both do.
static bool inflateInto(StringRef Packed, MutableArrayRef<char> Out) {
  z_stream Stream = {};
  if (inflateInit2(&Stream, -MAX_WBITS) != Z_OK)
    return false;
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Packed.data()));
  Stream.next_out = reinterpret_cast<Bytef *>(Out.data());
  uint64_t In = Packed.size(), Rest = Out.size();
  int Status = Z_OK;
  while (Status == Z_OK) {
    constexpr uint64_t MaxPart = uint64_t(1) << 30; // zlib counts in 32 bits
    uInt InPart = std::min(In, MaxPart), OutPart = std::min(Rest, MaxPart);
    Stream.avail_in = InPart;
    Stream.avail_out = OutPart;
    Status = inflate(&Stream, Z_NO_FLUSH);
    In -= InPart - Stream.avail_in;
    Rest -= OutPart - Stream.avail_out;
  }
  inflateEnd(&Stream);
  return Status == Z_STREAM_END && In == 0 && Rest == 0;
}

/// Returns the bytes of \p M, decompressed from \p Packed.
static Expected<MemberData> inflateMember(StringRef Packed,
                                          const ZipMember &M) {
  constexpr uint64_t MaxRatio = 1032; // of deflate
  if (M.Size / MaxRatio > M.PackedSize)
    return malformedNpz("the size of '" + M.Name + "' is wrong");
  std::shared_ptr<llvm::WritableMemoryBuffer> Buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(M.Size);
  if (!Buffer)
    return llvm::createStringError("out of memory for '" + M.Name + "'");
  if (!inflateInto(Packed, Buffer->getBuffer()))
    return malformedNpz("the compressed data of '" + M.Name + "' are corrupt");
  StringRef Bytes(Buffer->getBufferStart(), M.Size);
  return MemberData{std::move(Buffer), Bytes};
}

/// Returns the bytes of \p M, which are stored or compressed in the file.
static Expected<MemberData>
getMember(std::shared_ptr<const llvm::MemoryBuffer> File, const ZipMember &M) {
  if (M.Flags & 1)
    return malformedNpz("'" + M.Name + "' is encrypted");
  if (M.Method != Stored && M.Method != Deflated)
    return malformedNpz("'" + M.Name + "' has the unknown compression method " +
                        Twine(M.Method));
  auto Local =
      ZipRecord::get(File->getBuffer(), M.Offset, LocalSignature, LocalSize);
  if (!Local || (M.Method == Stored && M.Size != M.PackedSize))
    return malformedNpz("'" + M.Name +
                        "' is not at the offset given in the directory");
  uint64_t Header =
      LocalSize + Local->read<uint16_t>(26) + Local->read<uint16_t>(28);
  StringRef Packed = Local->getBytes(Header, M.PackedSize);
  if (Packed.size() != M.PackedSize)
    return malformedNpz("'" + M.Name + "' is truncated");
  Expected<MemberData> Data = M.Method == Stored
                                  ? MemberData{std::move(File), Packed}
                                  : inflateMember(Packed, M);
  if (Data &&
      llvm::crc32(llvm::arrayRefFromStringRef(Data->Bytes)) != M.Checksum)
    return malformedNpz("the checksum of '" + M.Name + "' is wrong");
  return Data;
}

bool relay::isNumpyArchive(StringRef File) {
  return ZipRecord::get(File, 0, LocalSignature, LocalSize) ||
         ZipRecord::get(File, 0, EndSignature, EndSize);
}

Expected<std::vector<NamedTensor>>
relay::readNumpyArchive(std::shared_ptr<const llvm::MemoryBuffer> File,
                        function_ref<bool(StringRef Name)> IsWanted) {
  StringRef Bytes = File->getBuffer();
  Expected<ZipDirectory> Directory = findDirectory(Bytes);
  if (!Directory)
    return Directory.takeError();
  std::vector<NamedTensor> Tensors;
  llvm::StringSet<> Known;
  uint64_t Offset = Directory->Offset;
  for (uint64_t I = 0; I != Directory->NumEntries; ++I) {
    Expected<ZipMember> Member = readEntry(Bytes, Offset);
    if (!Member)
      return Member.takeError();
    Offset += Member->EntrySize;
    StringRef Name = Member->Name;
    if (!Name.consume_back(".npy"))
      continue; // numpy leaves others alone, too
    if (!Known.insert(Name).second)
      return malformedNpz("two arrays are named '" + Name + "'");
    if (!IsWanted(Name))
      continue;
    Expected<MemberData> Data = getMember(File, *Member);
    if (!Data)
      return Data.takeError();
    Expected<Tensor> Value = readNpy(Data->Buffer, Data->Bytes);
    if (!Value)
      return llvm::createStringError(
          "'" + Member->Name +
          "' of the .npz file: " + llvm::toString(Value.takeError()));
    Tensors.push_back({Name.str(), std::move(*Value)});
  }
  return Tensors;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

/// Writes numbers of a zip file, in the order of its records.
class ZipWriter {
public:
  explicit ZipWriter(raw_ostream &OS) : Writer(OS, llvm::endianness::little) {}
  void write16(std::initializer_list<uint16_t> Numbers) {
    for (uint16_t N : Numbers)
      Writer.write(N);
  }
  void write32(std::initializer_list<uint32_t> Numbers) {
    for (uint32_t N : Numbers)
      Writer.write(N);
  }

private:
  llvm::support::endian::Writer Writer;
};

/// Computes the size and checksum of the written bytes.
class ChecksumStream final : public raw_ostream {
public:
  ChecksumStream() : raw_ostream(/*unbuffered=*/true) {}
  uint64_t getSize() const { return Size; }
  uint32_t getChecksum() const { return Checksum; }

private:
  void write_impl(const char *Data, size_t Length) override {
    Checksum = llvm::crc32(
        Checksum, llvm::arrayRefFromStringRef(StringRef(Data, Length)));
    Size += Length;
  }
  uint64_t current_pos() const override { return Size; }

  uint64_t Size = 0;
  uint32_t Checksum = 0;
};

/// A member that is written: a `.npy` file of the tensor.
struct PackedMember {
  std::string Name;
  const Tensor &Value;
  uint64_t Size = 0; ///< of the `.npy` file
  uint32_t Checksum = 0, Offset = 0;

  /// Writes the fields common to the local header and the directory: version
  /// 2.0, no flags, stored, and the first of January 1980.
  void writeFields(raw_ostream &OS) const {
    ZipWriter W(OS);
    W.write16({20, 0, 0, 0, 0x21});
    W.write32({Checksum, uint32_t(Size), uint32_t(Size)});
    W.write16({uint16_t(Name.size()), 0});
  }
};

} // namespace

static PackedMember packMember(const NamedTensor &T) {
  ChecksumStream OS;
  writeNpy(OS, T.Value);
  return {T.Name + ".npy", T.Value, OS.getSize(), OS.getChecksum()};
}

static void writeDirectory(raw_ostream &OS, ArrayRef<PackedMember> Members,
                           uint32_t Offset) {
  uint32_t Size = 0;
  for (const PackedMember &M : Members) {
    ZipWriter W(OS);
    W.write32({EntrySignature});
    W.write16({20}); // made by version 2.0
    M.writeFields(OS);
    W.write16({0, 0, 0}); // no comment, disk 0, no attributes
    W.write32({0, M.Offset});
    OS << M.Name;
    Size += EntrySize + M.Name.size();
  }
  ZipWriter W(OS);
  W.write32({EndSignature});
  uint16_t Count = Members.size();
  W.write16({0, 0, Count, Count});
  W.write32({Size, Offset});
  W.write16({0});
}

Error relay::writeNumpyArchive(raw_ostream &OS, ArrayRef<NamedTensor> Tensors) {
  constexpr uint64_t MaxSize = 0xffffffff, MaxNumber = 0xffff;
  std::vector<PackedMember> Members;
  uint64_t Offset = 0, DirectorySize = 0;
  for (const NamedTensor &T : Tensors) {
    PackedMember M = packMember(T);
    M.Offset = Offset;
    Offset += LocalSize + M.Name.size() + M.Size;
    DirectorySize += EntrySize + M.Name.size();
    if (Offset + DirectorySize + EndSize >= MaxSize ||
        M.Name.size() > MaxNumber || Members.size() == MaxNumber - 1)
      return llvm::createStringError("the arrays are too large for a .npz "
                                     "file without zip64");
    Members.push_back(std::move(M));
  }
  for (const PackedMember &M : Members) {
    ZipWriter(OS).write32({LocalSignature});
    M.writeFields(OS);
    OS << M.Name;
    writeNpy(OS, M.Value);
  }
  writeDirectory(OS, Members, Offset);
  return Error::success();
}
