//===- PluginLoader.cpp - Loading of plugins ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PluginLoader.h. Plugins are loaded with all symbols resolved, so that a
// missing symbol is an error at once instead of a crash later.
//
//===----------------------------------------------------------------------===//

#include "PluginLoader.h"
#include "relay/Session/Plugin.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <dlfcn.h>
#include <elf.h>

using namespace relay;
using llvm::Error;
using llvm::Expected;

static Error makeLoadError(const Twine &Message) {
  return llvm::createStringError(
      std::make_error_code(std::errc::invalid_argument), Message);
}

/// Returns the message of the dynamic linker without the path, with demangled
/// symbols.
static std::string getLinkerError(StringRef Path) {
  StringRef Text = dlerror();
  Text.consume_front(Path);
  Text.consume_front(": ");
  auto [Problem, Symbol] = Text.split("symbol: ");
  if (Symbol.empty())
    return Text.str();
  return (Problem + "symbol: " + llvm::demangle(Symbol)).str();
}

/// Returns true if the library \p File ends before its segments do, as after an
/// incomplete copy: the dynamic linker would crash.
static bool isTruncated(StringRef File) {
  Elf64_Ehdr Header;
  if (File.size() < sizeof(Header) || !File.starts_with(ELFMAG) ||
      File[EI_CLASS] != ELFCLASS64)
    return false;
  std::memcpy(&Header, File.data(), sizeof(Header));
  StringRef Table = File.substr(Header.e_phoff);
  for (unsigned I = 0; I != Header.e_phnum; ++I) {
    Elf64_Phdr Segment;
    if (Table.size() < sizeof(Segment))
      return true;
    std::memcpy(&Segment, Table.data(), sizeof(Segment));
    Table = Table.drop_front(sizeof(Segment));
    if (Segment.p_type == PT_LOAD &&
        File.substr(Segment.p_offset).size() < Segment.p_filesz)
      return true;
  }
  return false;
}

Expected<void *> relay::openPlugin(StringRef Path) {
  auto Fail = [&](const Twine &Reason) {
    return makeLoadError("cannot load plugin '" + Path + "': " + Reason);
  };
  llvm::SmallString<128> Absolute(Path);
  if (std::error_code Code = llvm::sys::fs::make_absolute(Absolute))
    return Fail(Code.message());
  llvm::sys::fs::file_status Status;
  if (!llvm::sys::fs::status(Absolute, Status) &&
      llvm::sys::fs::is_other(Status))
    return Fail("it is not a regular file"); // and may be endless
  auto File = llvm::MemoryBuffer::getFile(Absolute);
  if (!File)
    return Fail(File.getError().message());
  if (isTruncated((*File)->getBuffer()))
    return Fail("the file is truncated");
  if (void *Library = dlopen(Absolute.c_str(), RTLD_NOW | RTLD_LOCAL))
    return Library;
  return Fail(getLinkerError(Absolute));
}

Expected<const PluginInfo *> relay::readPluginInfo(void *Library,
                                                   StringRef Path) {
  void *Entry = dlsym(Library, "relayGetPluginInfo");
  if (!Entry)
    return makeLoadError(
        "'" + Path +
        "' is not a plugin: it does not define relayGetPluginInfo");
  const PluginInfo *Info =
      reinterpret_cast<decltype(&relayGetPluginInfo)>(Entry)();
  if (!Info)
    return makeLoadError("plugin '" + Path + "' returns no PluginInfo");
  if (Info->Interface != PluginInfo::CurrentInterface)
    return makeLoadError("plugin '" + Path + "' has version " +
                         Twine(Info->Interface) +
                         " of the plugin interface, not version " +
                         Twine(PluginInfo::CurrentInterface));
  if (StringRef(Info->Version) != RELAY_VERSION_STRING)
    return makeLoadError("plugin '" + Path + "' was built for version " +
                         Info->Version +
                         ", this is version " RELAY_VERSION_STRING);
  if (Info->Layout != getLayoutNumber())
    return makeLoadError("plugin '" + Path +
                         "' was compiled with other headers or flags");
  return Info;
}
