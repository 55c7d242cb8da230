//===- RoundTrip.cpp - -verify-roundtrip ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two modules belong to different Contexts, so that nothing can be compared
// by pointer: functions are compared by their structural hashes.
//
//===----------------------------------------------------------------------===//

#include "relay/Session/RoundTrip.h"
#include "relay/IR/Context.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Text/Print/Printer.h"

using namespace relay;

static std::string print(Module &M, bool Typed) {
  PrintOptions O;
  O.Types = Typed;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printModule(M, OS, O);
  return Text;
}

/// Returns the beginning of a line, which may contain the data of constants.
static StringRef getExcerpt(StringRef Line) { return Line.take_front(200); }

/// Reports the first line in which the texts differ.
static LogicalResult compareTexts(Module &M, StringRef First,
                                  StringRef Second) {
  unsigned Line = 1;
  for (; First != Second; ++Line) {
    auto [L, LeftRest] = First.split('\n');
    auto [R, RightRest] = Second.split('\n');
    if (L != R)
      return M.getContext()
          .emitError(Location(), "the printed module prints differently after "
                                 "it is read back, from line " +
                                     Twine(Line) + " on")
          .note(Location(), "printed first: " + getExcerpt(L))
          .note(Location(), "printed again: " + getExcerpt(R));
    First = LeftRest;
    Second = RightRest;
  }
  return success();
}

/// Reports the first function that differs.
static LogicalResult compareFunctions(Module &M, Module &Again, bool Typed) {
  for (Function &F : M.functions()) {
    Function *Other = Again.lookupFunction(F.getName());
    if (!Other ||
        getStructuralHash(F, Typed) != getStructuralHash(*Other, Typed))
      return M.getContext().emitError(
          F.getLoc(), "the printed module reads back differently: @" +
                          F.getName() + " is not the same function");
  }
  return success();
}

LogicalResult relay::verifyRoundTrip(Module &M, bool Typed, ModuleReader Read) {
  CrashActivity Activity("-verify-roundtrip");
  std::string Text = print(M, Typed);
  if (Activity.hasExceededLimit())
    return failure();
  std::unique_ptr<Module> Again =
      Read(llvm::MemoryBuffer::getMemBufferCopy(Text, "<printed>"));
  if (!Again)
    return M.getContext().emitError(Location(),
                                    "the printed module does not read back");
  return success(succeeded(compareTexts(M, Text, print(*Again, Typed))) &&
                 succeeded(compareFunctions(M, *Again, Typed)));
}
