//===- BoundParameters.cpp - -params, -inputs and -save-params ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See BoundParameters.h.
//
//===----------------------------------------------------------------------===//

#include "BoundParameters.h"
#include "Flags/Files.h"
#include "Flags/NamedArrayFile.h"
#include "Flags/Tool.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Numpy/NumpyArchive.h"
#include "relay/Interpreter/Values/RandomParameters.h"
#include "relay/Support/OutputFile.h"
#include "relay/Text/Metadata/Parameters.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

Error ParameterFlags::check() const {
  if (Error E = Params.check())
    return E;
  if (Params.getFile() == "-" || *Save == "-")
    return llvm::createStringError(
        "option " + (*Save == "-" ? Save.getSpelling() : Params.getSpelling()) +
        ": expects a file name, got '-'");
  if (!Params.getSeed())
    if (Error E = checkNotGiven({&Inputs}, "-params=random"))
      return E;
  if (Save.isGiven() && !Params.isGiven())
    return llvm::createStringError("option -save-params: requires -params");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Values of a file
//===----------------------------------------------------------------------===//

static SmallVector<StringRef, 8> getParameterNames(const Function &Main) {
  return llvm::map_to_vector<8>(
      Main.getParams(), [](const BlockArgument *P) { return P->getName(); });
}

Error BoundParameters::readFile() {
  if (File)
    return Error::success();
  auto Input = openInput(Flags.Params.getFile());
  if (!Input)
    return Input.takeError();
  File = std::move(*Input);
  return Error::success();
}

/// Warns about \p Arrays whose names are not parameters of \p Main. This is not
/// an error: TVM ignores them, and the input may be a part of the model.
static void warnOfSurplus(const NamedArrayFile &Arrays, const Function &Main,
                          StringRef Path) {
  SmallVector<StringRef, 8> Names = Arrays.getNames();
  llvm::StringSet<> ArrayNames, Parameters;
  for (StringRef Name : Names)
    ArrayNames.insert(Name);
  SmallVector<StringRef, 8> Unknown, Open;
  for (StringRef Name : getParameterNames(Main)) {
    Parameters.insert(Name);
    if (!ArrayNames.contains(Name))
      Open.push_back(Name);
  }
  for (StringRef Name : Names)
    if (!Parameters.contains(Name))
      Unknown.push_back(Name);
  if (!Unknown.empty())
    warnOfUnknown(Main, Path, Unknown, Open);
}

LogicalResult
BoundParameters::fillFromFile(Function &Main,
                              function_ref<LogicalResult(Error)> Report) {
  StringRef Path = Flags.Params.getFile();
  if (Error E = readFile())
    return Report(std::move(E));
  auto Arrays = NamedArrayFile::read(File);
  if (!Arrays)
    return Report(inFile(Path, Arrays.takeError()));
  warnOfSurplus(*Arrays, Main, Path);
  Context &Ctx = Main.getContext();
  bool Failed = false;
  for (const BlockArgument *Param : Main.getParams()) {
    llvm::Expected<Attr> Value = Arrays->getValue(Ctx, Param->getName());
    if (!Value)
      return Report(inFile(Path, Value.takeError()));
    if (!*Value)
      continue;
    std::string Problem =
        checkValue(Tensor::get(*Value->getConstant()), Param->getType());
    if (Problem.empty())
      add(*Param, *Value);
    else
      Failed |= failed(Ctx.emitError(Param->getLoc(),
                                     "'" + Path + "': %" + Param->getName() +
                                         " of @main: " + Problem));
  }
  return success(!Failed);
}

//===----------------------------------------------------------------------===//
// Random values
//===----------------------------------------------------------------------===//

/// Returns for each parameter of \p Main whether it gets no value.
llvm::Expected<std::vector<bool>>
BoundParameters::findInputs(Function &Main) const {
  SmallVector<StringRef, 8> Known = getParameterNames(Main);
  std::vector<bool> IsInput(Known.size());
  if (Flags.Inputs.empty() && !Known.empty())
    IsInput[0] = true;
  for (StringRef Name : Flags.Inputs) {
    Name.consume_front("%");
    auto *It = llvm::find(Known, Name);
    if (It == Known.end())
      return unknownNameError("option -inputs", "parameter of @main", Name,
                              Known);
    IsInput[It - Known.begin()] = true;
  }
  return IsInput;
}

LogicalResult BoundParameters::makeRandom(const BlockArgument &Param,
                                          MemoryMeter &Meter) {
  Context &Ctx = Param.getParentBlock()->getFunction()->getContext();
  auto EmitError = [&](const Twine &Message) {
    return Ctx.emitError(Param.getLoc(), "-params=random: %" + Param.getName() +
                                             " of @main: " + Message);
  };
  auto *T = dyn_cast_or_null<TensorType>(Param.getType());
  if (!T || !T->isStatic() || !hasElementType(T->getDType()))
    return EmitError("cannot make random values of type " +
                     toString(Param.getType()) +
                     "; use -inputs to leave parameters unbound");
  TensorShape Shape;
  for (Dim D : T->getShape())
    Shape.push_back(D.getInt());
  std::optional<int64_t> Count = getNumElements(Shape);
  if (!Count || !Meter.hasRoomFor(llvm::SaturatingMultiply<uint64_t>(
                    *Count, T->getDType().getByteSize())))
    return EmitError("a value of type " + toString(T) +
                     " takes more memory than is allowed; raise -max-memory to "
                     "allow it");
  Tensor Value = makeRandomParameter(Param, *Flags.Params.getSeed(), &Meter);
  add(Param, Value.getConstant(Ctx));
  Meter.take(Value.getByteSize()); // the constant keeps the memory
  return success();
}

LogicalResult
BoundParameters::fillRandom(Function &Main,
                            function_ref<LogicalResult(Error)> Report) {
  llvm::Expected<std::vector<bool>> IsInput = findInputs(Main);
  if (!IsInput)
    return Report(IsInput.takeError());
  MemoryMeterRef Meter(new MemoryMeter(Main.getContext().getLimits().Memory));
  llvm::StringSet<> FromFile;
  for (const Parameter &P : Values)
    FromFile.insert(P.Name);
  bool Failed = false;
  for (auto [Param, Open] : llvm::zip(Main.getParams(), *IsInput))
    if (!Open && !FromFile.contains(Param->getName()))
      Failed |= failed(makeRandom(*Param, *Meter));
  return success(!Failed);
}

//===----------------------------------------------------------------------===//
// BoundParameters
//===----------------------------------------------------------------------===//

LogicalResult BoundParameters::fill(Module &M,
                                    function_ref<LogicalResult(Error)> Report) {
  Values.clear();
  if (!Flags.Params.isGiven())
    return success();
  Function *Main = M.lookupFunction("main");
  if (!Main)
    return Report(llvm::createStringError(
        "option -params: the module has no function @main"));
  keepFreedMemory();
  if (!Flags.Params.getFile().empty() && failed(fillFromFile(*Main, Report)))
    return failure();
  if (Flags.Params.getSeed() && failed(fillRandom(*Main, Report)))
    return failure();
  llvm::sort(Values, [](const Parameter &L, const Parameter &R) {
    return L.Index < R.Index;
  });
  return success();
}

void BoundParameters::addTo(PassContext &PC) const {
  for (const Parameter &P : Values)
    PC.setParameter(P.Name, P.Value);
}

void BoundParameters::moveTo(PassContext &PC) {
  addTo(PC);
  if (!Flags.Save.isGiven())
    Values.clear();
}

Error BoundParameters::saveArchive() const {
  std::vector<NamedTensor> Tensors;
  for (const Parameter &P : Values)
    Tensors.push_back({P.Name.str(), Tensor::get(*P.Data.get())});
  Error OfArchive = Error::success();
  OutputFileGroup Files;
  Error E = Files.add(*Flags.Save, [&](raw_ostream &OS) {
    OfArchive =
        llvm::joinErrors(std::move(OfArchive), writeNumpyArchive(OS, Tensors));
  });
  if (OfArchive)
    return llvm::joinErrors(std::move(E),
                            inFile(*Flags.Save, std::move(OfArchive)));
  return E ? std::move(E) : Files.commit();
}

Error BoundParameters::saveDictionary() const {
  std::vector<NamedArray> Arrays;
  for (const Parameter &P : Values)
    Arrays.push_back({P.Name, {}, P.Data.get()});
  return writeOutput(*Flags.Save,
                     [&](raw_ostream &OS) { writeParameters(OS, Arrays); });
}

Error BoundParameters::save() const {
  if (!Flags.Save.isGiven())
    return Error::success();
  return StringRef(*Flags.Save).ends_with(".npz") ? saveArchive()
                                                  : saveDictionary();
}
