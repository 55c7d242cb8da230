//===- RunInputs.cpp - The arguments of an evaluation ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RunInputs.h.
//
//===----------------------------------------------------------------------===//

#include "RunInputs.h"
#include "Flags/Files.h"
#include "Flags/NamedArrayFile.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Numpy/NumpyArchive.h"
#include "relay/Interpreter/Numpy/NumpyFile.h"
#include "relay/Interpreter/Values/RandomParameters.h"
#include "relay/Support/RunLimits.h"
#include "relay/Text/Metadata/Parameters.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

Error RunInputFlags::check() const {
  if (Error E = Params.check())
    return E;
  for (const std::string &Text : Named)
    if (StringRef(Text).find('=') + 1 < 2)
      return llvm::createStringError("option -input: '" + Text +
                                     "' is not of the form name=file");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Expected<RunInputFiles::SharedBuffer> RunInputFiles::open(StringRef Path) {
  SharedBuffer &Known = Files[Path];
  if (Known)
    return Known;
  auto File = openInput(Path);
  if (!File)
    return File.takeError();
  OnOpen((*File)->getBufferSize());
  Known = std::move(*File);
  return Known;
}

Error RunInputs::setArgument(unsigned Param, Tensor Value, StringRef Path) {
  const BlockArgument *Arg = Main.getParams()[Param];
  RuntimeValue V(std::move(Value));
  std::string Problem = checkValue(V, Arg->getType());
  if (!Problem.empty())
    return llvm::createStringError(Path + ": %" + Arg->getName() +
                                   " of @main: " + Problem);
  Arguments[Param] = std::move(V);
  return Error::success();
}

/// Returns \p E as an error about the contents of \p Path.
static Error atPath(StringRef Path, Error E) {
  return llvm::createStringError(Path + ": " + llvm::toString(std::move(E)));
}

Error RunInputs::setFromFile(unsigned Param, StringRef Path,
                             SharedBuffer File) {
  Expected<Tensor> Value = readNpy(std::move(File));
  if (!Value)
    return atPath(Path, Value.takeError());
  return setArgument(Param, std::move(*Value), Path);
}

Error RunInputs::setNamed(StringRef Text) {
  auto [Name, Path] = Text.split('=');
  Name.consume_front("%");
  SmallVector<StringRef, 8> Known;
  for (auto [I, Param] : llvm::enumerate(Main.getParams())) {
    if (Param->getName() != Name) {
      Known.push_back(Param->getName());
      continue;
    }
    if (Arguments[I])
      return llvm::createStringError("two inputs for %" + Name + " of @main");
    auto File = Files.open(Path);
    if (!File)
      return File.takeError();
    if (isNumpyArchive((*File)->getBuffer()))
      return llvm::createStringError(
          "option -input: expects a .npy file, got the archive '" + Path +
          "'; an archive is an operand, and its arrays have the names of the "
          "parameters");
    return setFromFile(I, Path, std::move(*File));
  }
  return unknownNameError("option -input", "parameter of @main", Name, Known);
}

/// Records an array that has no parameter; it may belong to another function.
void RunInputs::noteName(StringRef Path, StringRef Name) {
  if (!Names.contains(Name))
    Surplus[Path].push_back(Name.str());
}

/// Warns about such arrays if their names are similar to those of parameters
/// without an input.
void RunInputs::warnOfSurplus() const {
  SmallVector<StringRef, 8> Open;
  for (auto [Param, Value] : llvm::zip(Main.getParams(), Arguments))
    if (!Value)
      Open.push_back(Param->getName());
  for (const auto &[Path, Arrays] : Surplus) {
    SmallVector<StringRef, 8> Unknown(Arrays.begin(), Arrays.end());
    if (findMisspelt(Unknown, Open))
      warnOfUnknown(Main, Path, Unknown, Open);
  }
}

Error RunInputs::setFromParams(StringRef Path) {
  auto File = Files.open(Path);
  if (!File)
    return File.takeError();
  auto Arrays = NamedArrayFile::read(std::move(*File));
  if (!Arrays)
    return atPath(Path, Arrays.takeError());
  for (StringRef Name : Arrays->getNames())
    noteName(Path, Name);
  for (auto [I, Param] : llvm::enumerate(Main.getParams())) {
    if (Arguments[I])
      continue;
    Expected<Attr> Data = Arrays->getValue(Main.getContext(), Param->getName());
    if (!Data)
      return atPath(Path, Data.takeError());
    if (!*Data)
      continue;
    if (Error E = setArgument(I, Tensor::get(*Data->getConstant()), Path))
      return E;
  }
  return Error::success();
}

Error RunInputs::setFromArchive(StringRef Path, SharedBuffer File) {
  llvm::StringMap<unsigned> Missing;
  for (auto [I, Param] : llvm::enumerate(Main.getParams()))
    if (!Arguments[I])
      Missing[Param->getName()] = I;
  auto Arrays = readNumpyArchive(std::move(File), [&](StringRef Name) {
    noteName(Path, Name);
    return Missing.count(Name) != 0;
  });
  if (!Arrays)
    return atPath(Path, Arrays.takeError());
  for (NamedTensor &Array : *Arrays)
    if (Error E =
            setArgument(Missing[Array.Name], std::move(Array.Value), Path))
      return E;
  return Error::success();
}

/// Reads archives, whose arrays have names, before single arrays.
Error RunInputs::setInOrder() {
  SmallVector<std::pair<StringRef, SharedBuffer>, 4> Single;
  for (const std::string &Path : Flags.Files) {
    auto File = Files.open(Path);
    if (!File)
      return File.takeError();
    if (isParameterDictionary((*File)->getBuffer()))
      return llvm::createStringError(
          "'" + Path + "' is a parameter dictionary; use -params=" + Path);
    if (!isNumpyArchive((*File)->getBuffer()))
      Single.push_back({Path, std::move(*File)});
    else if (Error E = setFromArchive(Path, std::move(*File)))
      return E;
  }
  unsigned Next = 0, NumParams = Arguments.size();
  for (auto &[Path, File] : Single) {
    while (Next != NumParams && Arguments[Next])
      ++Next;
    if (Next == NumParams)
      return llvm::createStringError("surplus input '" + Path +
                                     "': every parameter of @main has one");
    if (Error E = setFromFile(Next, Path, std::move(File)))
      return E;
  }
  return Error::success();
}

Error RunInputs::setAll() {
  for (const std::string &Text : Flags.Named)
    if (Error E = setNamed(Text))
      return E;
  if (StringRef Path = Flags.Params.getFile(); !Path.empty())
    if (Error E = setFromParams(Path))
      return E;
  return setInOrder();
}

Expected<std::vector<RuntimeValue>> RunInputs::read() {
  Arguments.assign(Main.getParams().size(), RuntimeValue());
  for (const BlockArgument *Param : Main.getParams())
    Names.insert(Param->getName());
  Error E = setAll();
  warnOfSurplus(); // an error may be due to a misspelt name
  if (E)
    return E;
  return std::move(Arguments);
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

Expected<RuntimeValue> relay::makeRandomInput(const BlockArgument &Param,
                                              uint64_t Seed) {
  auto *T = dyn_cast_or_null<TensorType>(Param.getType());
  std::optional<int64_t> Count = T ? T->getNumElements() : std::nullopt;
  if (!Count || !hasElementType(T->getDType()))
    return llvm::createStringError(
        "option -params: cannot make a random value of %" + Param.getName() +
        " of @main, " + toString(Param.getType()));
  constexpr int64_t MaxElements = RunLimits::DefaultMemory / 8;
  if (*Count > MaxElements)
    return llvm::createStringError("option -params: %" + Param.getName() +
                                   " of @main, " + toString(T) +
                                   ", is too large for random values");
  return RuntimeValue(makeRandomParameter(Param, Seed));
}
