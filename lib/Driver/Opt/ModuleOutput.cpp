//===- ModuleOutput.cpp - The output of relay-opt -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ModuleOutput.h.
//
//===----------------------------------------------------------------------===//

#include "ModuleOutput.h"
#include "CommandLine.h"
#include "Flags/Files.h"

using namespace relay;
using llvm::Error;

static OutputOptions getOutputOptions(const RelayOptOptions &Options,
                                      ConstantsFile &Constants) {
  OutputOptions O;
  O.Form = *Options.Emit;
  O.ElideConstantsLargerThan = Options.getElisionLimit();
  O.Spans = Options.PrintSpans;
  if (Constants.isGiven())
    O.OnElided = [&](StringRef Hash, const ConstantData &Data) {
      Constants.add(Hash, Data);
    };
  return O;
}

ModuleOutput::ModuleOutput(Session &S, const RelayOptOptions &Options,
                           ConstantsFile &Constants)
    : S(S), Options(Options), Constants(Constants),
      Printing(getOutputOptions(Options, Constants)) {}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

void ModuleOutput::beginPart() {
  if (NumParts++)
    PartsText += *Options.SplitInputFile + "\n";
}

void ModuleOutput::addEmptyPart() { beginPart(); }

LogicalResult ModuleOutput::add(OwnedModule M) {
  if (!HasParts) {
    Single = M.release();
    return success();
  }
  beginPart();
  if (Options.DisableOutput)
    return success();
  llvm::raw_string_ostream OS(PartsText);
  if (failed(print(*M, OS)))
    return failure();
  if (Options.writesConstants())
    Kept.push_back(std::move(M));
  return success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

LogicalResult ModuleOutput::print(Module &M, raw_ostream &OS) {
  return S.print(M, OS, Printing);
}

LogicalResult ModuleOutput::print(StringRef Heading, raw_ostream &OS) {
  OS << Heading << PartsText;
  return Single ? print(*Single, OS) : success();
}

LogicalResult ModuleOutput::write(StringRef Heading,
                                  function_ref<LogicalResult(Error)> Report) {
  if (!Options.writesOutput())
    return success();
  bool IsPrinted = true;
  auto Print = [&](raw_ostream &OS) -> Error {
    IsPrinted = succeeded(print(Heading, OS));
    return IsPrinted ? Error::success()
                     : llvm::createStringError("which has been reported");
  };
  auto Finish = [&](Error E) {
    if (IsPrinted)
      return Report(std::move(E));
    llvm::consumeError(std::move(E));
    return failure();
  };
  if (!Options.writesConstants())
    return Finish(tryWriteOutput(*Options.Output, Print));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Error E = Print(OS))
    return Finish(std::move(E));
  if (Error E = Constants.write())
    return Report(std::move(E));
  return Report(
      writeOutput(*Options.Output, [&](raw_ostream &Out) { Out << Text; }));
}
