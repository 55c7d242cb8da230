//===- TextFuzzer.cpp - A libFuzzer target for reading --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any bytes give diagnostics, or a module that verifies, whose types inference
// finds or refuses, and whose text reads back to the same bytes. What passes do
// to it is left to fuzz.py.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Verifier.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parser.h"
#include "relay/Text/Printer.h"

using namespace relay;

namespace {
/// A module in a context of its own. Diagnostics go nowhere.
struct Reader {
  Reader(StringRef Text) {
    registerAllOps(Ctx);
    Ctx.getDiagnostics().pushHandler([](const Diagnostic &) { return true; });
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "input"), Ctx);
  }
  ~Reader() {
    M.reset();
    Ctx.getDiagnostics().popHandler();
  }

  std::string print() const {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printModule(*M, OS);
    return Text;
  }

  Context Ctx;
  std::unique_ptr<Module> M;
};
} // namespace

static void require(bool Holds, const char *What) {
  if (Holds)
    return;
  llvm::errs() << What << '\n';
  abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Reader First(StringRef(reinterpret_cast<const char *>(Data), Size));
  if (!First.M)
    return 0;
  require(succeeded(verify(*First.M)), "what was read does not verify");
  bool Typed = succeeded(inferTypes(*First.M));
  require(!Typed || succeeded(verify(*First.M)),
          "what was typed does not verify");
  std::string Text = First.print();
  Reader Again(Text);
  require(Again.M != nullptr, "what was printed does not read back");
  require(!Typed || succeeded(inferTypes(*Again.M)),
          "what was typed is not typed when it is read back");
  require(Again.print() == Text, "what was printed prints otherwise");
  return 0;
}
