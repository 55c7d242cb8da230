//===- Extensions.cpp - Extensions of programs and plugins ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Extensions.h. Plugins are loaded with all symbols resolved, so that a
// missing symbol is an error at once instead of a crash later.
//
//===----------------------------------------------------------------------===//

#include "Extensions.h"
#include "relay/IR/Context.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Session/Plugin.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <dlfcn.h>
#include <elf.h>

using namespace relay;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static Error makeError(const Twine &Message) {
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
static bool isCutOff(StringRef File) {
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

/// Opens \p Path, which is not searched for in the library path.
static Expected<void *> openLibrary(StringRef Path) {
  auto Fail = [&](const Twine &Reason) {
    return makeError("cannot load plugin '" + Path + "': " + Reason);
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
  if (isCutOff((*File)->getBuffer()))
    return Fail("the file is truncated");
  if (void *Library = dlopen(Absolute.c_str(), RTLD_NOW | RTLD_LOCAL))
    return Library;
  return Fail(getLinkerError(Absolute));
}

/// Calls the entry point and checks that the returned PluginInfo is compatible
/// with this program.
static Expected<const PluginInfo *> getInfo(void *Library, StringRef Path) {
  void *Entry = dlsym(Library, "relayGetPluginInfo");
  if (!Entry)
    return makeError(
        "'" + Path +
        "' is not a plugin: it does not define relayGetPluginInfo");
  const PluginInfo *Info =
      reinterpret_cast<decltype(&relayGetPluginInfo)>(Entry)();
  if (!Info)
    return makeError("plugin '" + Path + "' returns no PluginInfo");
  if (Info->Interface != PluginInfo::CurrentInterface)
    return makeError("plugin '" + Path + "' has version " +
                     Twine(Info->Interface) +
                     " of the plugin interface, not version " +
                     Twine(PluginInfo::CurrentInterface));
  if (StringRef(Info->Version) != RELAY_VERSION_STRING)
    return makeError("plugin '" + Path + "' was built for version " +
                     Info->Version + ", this is version " RELAY_VERSION_STRING);
  if (Info->Layout != getLayoutNumber())
    return makeError("plugin '" + Path +
                     "' was compiled with other headers or flags");
  return Info;
}

Error Extensions::loadPlugin(StringRef Path) {
  Expected<void *> Library = openLibrary(Path);
  if (!Library)
    return Library.takeError();
  for (const Entry &E : All)
    if (E.Library == *Library)
      return makeError("plugin '" + Path + "' is loaded already");
  Expected<const PluginInfo *> Info = getInfo(*Library, Path);
  if (!Info)
    return Info.takeError();
  add({("plugin '" + Twine((*Info)->Name) + "'").str(), *Library,
       (*Info)->Extension});
  return Flags.checkNames();
}

//===----------------------------------------------------------------------===//
// Registering
//===----------------------------------------------------------------------===//

void Extensions::add(Entry E) {
  Flags.setOwner(E.Name);
  if (E.What.RegisterFlags)
    E.What.RegisterFlags(Flags);
  if (E.What.RegisterInstrumentations)
    E.What.RegisterInstrumentations(Instrumentations);
  All.push_back(std::move(E));
}

static Error makeClash(StringRef Owner, const Twine &What) {
  return makeError(Owner + " declares " + What);
}

void Extensions::registerOps(Context &Ctx) const {
  for (const Entry &E : All)
    if (E.What.RegisterOps)
      E.What.RegisterOps(Ctx);
}

Error Extensions::checkOps() const {
  if (Error E = Instrumentations.checkPlaces())
    return E;
  if (llvm::none_of(All, [](const Entry &E) { return E.What.RegisterOps; }))
    return Error::success();
  Context Known;
  registerAllOps(Known);
  for (const Entry &E : All) {
    if (!E.What.RegisterOps)
      continue;
    E.What.RegisterOps(Known);
    if (!Known.getRefusedRegistrations().empty())
      return makeClash(E.Name, Known.getRefusedRegistrations().front());
  }
  return Error::success();
}

/// The pipelines of relay-opt itself are checked by relay-tblgen.
Error Extensions::registerPasses(PassRegistry &Registry,
                                 raw_ostream &Messages) const {
  bool AreMore = false;
  for (const Entry &E : All) {
    if (!E.What.RegisterPasses)
      continue;
    AreMore = true;
    E.What.RegisterPasses(Registry);
    if (!Registry.getRefusedRegistrations().empty())
      return makeClash(E.Name, Registry.getRefusedRegistrations().front() +
                                   ", which is already registered");
  }
  if (AreMore && failed(checkPipelines(Registry, Messages)))
    return makeError("the pipelines of plugins are invalid");
  return Error::success();
}
