//===- ConstantsFile.cpp - -constants-file --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ConstantsFile.h.
//
//===----------------------------------------------------------------------===//

#include "ConstantsFile.h"
#include "Files.h"
#include "Tool.h"

using namespace relay;
using llvm::Error;

void ConstantsFile::add(NamedArray Array) {
  auto [It, New] = Indices.try_emplace(Array.Name, Arrays.size());
  if (!New)
    return;
  Array.Name = It->getKey();
  Arrays.push_back(Array);
}

void ConstantsFile::add(StringRef Hash, const ConstantData &Data) {
  add({Hash, {}, &Data});
}

Error ConstantsFile::read() {
  auto File = openInput(Path);
  if (!File)
    return File.takeError();
  auto Saved = readParameters((*File)->getBuffer());
  if (!Saved)
    return inFile(Path, Saved.takeError());
  Buffer = std::move(*File);
  for (const NamedArray &Array : *Saved)
    add(Array);
  return Error::success();
}

llvm::Expected<Attr> ConstantsFile::lookup(Context &Ctx, StringRef Hash) {
  IsUsed = true;
  if (!Buffer)
    if (Error E = read())
      return E;
  auto It = Indices.find(Hash);
  if (It == Indices.end())
    return Attr();
  auto Value = readSavedArray(Ctx, Arrays[It->second].Saved, Buffer);
  if (!Value)
    return inFile(Path, Value.takeError());
  return Value;
}

void ConstantsFile::warnIfUnused(StringRef Tool) const {
  if (isGiven() && !IsUsed)
    reportToolWarning(Tool, "option -constants-file: '" + Path +
                                "' is not read, since no constant is elided");
}

Error ConstantsFile::write() const {
  return writeOutput(Path,
                     [&](raw_ostream &OS) { writeParameters(OS, Arrays); });
}
