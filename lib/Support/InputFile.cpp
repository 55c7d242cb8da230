//===- InputFile.cpp - Files that are read as a whole ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InputFile.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/InputFile.h"
#include "relay/Support/OutputFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace relay;
using llvm::Expected;
namespace fs = llvm::sys::fs;

/// Limits on input from a pipe, and from a device, which may be endless
/// (`/dev/zero`); in bytes.
static constexpr size_t MaxStreamSize = size_t(4) << 30;
static constexpr size_t MaxDeviceSize = size_t(64) << 20;

/// Reads \p File, which is not a regular file, until its end.
static Expected<std::unique_ptr<llvm::MemoryBuffer>>
readStream(fs::file_t File, bool IsDevice, StringRef Path, StringRef Name) {
  constexpr size_t ChunkSize = 1 << 20;
  size_t Limit = IsDevice ? MaxDeviceSize : MaxStreamSize;
  SmallVector<char, 0> Text;
  for (;;) {
    size_t Size = Text.size();
    if (Size > Limit)
      return llvm::createStringError(
          "cannot read '" + Path + "': it has more than " + Twine(Limit >> 20) +
          " MiB, the limit for a " + (IsDevice ? "device" : "pipe"));
    Text.resize_for_overwrite(Size + ChunkSize);
    auto Read = fs::readNativeFile(
        File, llvm::MutableArrayRef<char>(Text.data() + Size, ChunkSize));
    if (!Read)
      return makeFileError("read", Path,
                           llvm::errorToErrorCode(Read.takeError()));
    Text.truncate(Size + *Read);
    if (*Read == 0)
      return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(Text),
                                                             Name);
  }
}

Expected<std::unique_ptr<llvm::MemoryBuffer>>
relay::readOpenFile(fs::file_t File, StringRef Path, StringRef Name) {
  fs::file_status Status;
  std::error_code Code = fs::status(File, Status);
  if (!Code && fs::is_directory(Status))
    Code = std::make_error_code(std::errc::is_a_directory);
  if (Code)
    return makeFileError("read", Path, Code);
  // Files of procfs have contents, but no size.
  if (!fs::is_regular_file(Status) || Status.getSize() == 0 ||
      File == fs::getStdinHandle())
    return readStream(File, Status.type() == fs::file_type::character_file,
                      Path, Name);
  auto Buffer = llvm::MemoryBuffer::getOpenFile(File, Name, Status.getSize());
  if (!Buffer)
    return makeFileError("read", Path, Buffer.getError());
  return std::move(*Buffer);
}

Expected<std::unique_ptr<llvm::MemoryBuffer>> relay::readFile(StringRef Path) {
  if (Path == "-")
    return llvm::createStringError(
        "cannot read standard input: expects the name of a file");
  auto File = fs::openNativeFileForRead(Path);
  if (!File)
    return makeFileError("read", Path,
                         llvm::errorToErrorCode(File.takeError()));
  auto Buffer = readOpenFile(*File, Path, Path);
  fs::closeFile(*File);
  return Buffer;
}
