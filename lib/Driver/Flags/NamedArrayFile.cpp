//===- NamedArrayFile.cpp - Arrays by name --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See NamedArrayFile.h.
//
//===----------------------------------------------------------------------===//

#include "NamedArrayFile.h"
#include "relay/Interpreter/Numpy/NumpyArchive.h"
#include "relay/Text/Metadata/Parameters.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

Error NamedArrayFile::readDictionary() {
  auto Saved = readParameters(File->getBuffer());
  if (!Saved)
    return Saved.takeError();
  for (const NamedArray &A : *Saved)
    if (!Arrays.try_emplace(A.Name, Array{A.Saved, {}}).second)
      return llvm::createStringError("two arrays are named '" + A.Name + "'");
  return Error::success();
}

Error NamedArrayFile::readArchive() {
  auto Tensors = readNumpyArchive(File, [](StringRef) { return true; });
  if (!Tensors)
    return Tensors.takeError();
  for (NamedTensor &T : *Tensors) // names are distinct
    Arrays[T.Name] = {{}, std::move(T.Value)};
  return Error::success();
}

Expected<NamedArrayFile> NamedArrayFile::read(SharedBuffer File) {
  NamedArrayFile Result(std::move(File));
  bool IsArchive = isNumpyArchive(Result.File->getBuffer());
  if (Error E = IsArchive ? Result.readArchive() : Result.readDictionary())
    return E;
  return Result;
}

SmallVector<StringRef, 8> NamedArrayFile::getNames() const {
  SmallVector<StringRef, 8> Names(Arrays.keys());
  llvm::sort(Names); // a map has no order
  return Names;
}

Expected<Attr> NamedArrayFile::getValue(Context &Ctx, StringRef Name) const {
  auto Found = Arrays.find(Name);
  if (Found == Arrays.end())
    return Attr();
  const Array &A = Found->second;
  return A.Value ? A.Value.getConstant(Ctx)
                 : readSavedArray(Ctx, A.Saved, File);
}

/// Returns true if \p Long is \p Short with a number, as printing appends one
/// to a name that another function of the module has.
static bool hasNumberAfter(StringRef Long, StringRef Short) {
  return Long.consume_front(Short) && !Long.empty() &&
         llvm::all_of(Long, llvm::isDigit);
}

static StringRef findNearName(StringRef Name, ArrayRef<StringRef> Open) {
  auto It = llvm::find_if(Open, [&](StringRef Other) {
    return hasNumberAfter(Other, Name) || hasNumberAfter(Name, Other);
  });
  if (It != Open.end())
    return *It;
  // Any name is near a single letter.
  return Name.size() > 1 ? nearestName(Name, Open) : "";
}

std::optional<std::pair<StringRef, StringRef>>
relay::findMisspelt(ArrayRef<StringRef> Unknown, ArrayRef<StringRef> Open) {
  constexpr size_t MaxUnknown = 64, MaxOpen = 1024;
  Open = Open.take_front(MaxOpen);
  for (StringRef Name : Unknown.take_front(MaxUnknown))
    if (StringRef Near = findNearName(Name, Open); !Near.empty())
      return std::pair(Name, Near);
  return std::nullopt;
}

void relay::warnOfUnknown(const Function &Main, StringRef Path,
                          ArrayRef<StringRef> Unknown,
                          ArrayRef<StringRef> Open) {
  auto Misspelt = findMisspelt(Unknown, Open);
  InFlightDiagnostic D = Main.getContext().getDiagnostics().emitWarning(
      Main.getLoc(), "'" + Path + "': @main has no parameter '" +
                         (Misspelt ? Misspelt->first : Unknown.front()) + "'");
  if (Misspelt)
    D << " (did you mean '" << Misspelt->second << "'?)";
  if (Unknown.size() > 1)
    D << " and " << Unknown.size() - 1 << " more";
}
