//===- TextFuzzer.cpp - A libFuzzer target for reading --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any bytes give diagnostics, or a module that verifies. Type inference
// succeeds or fails with an error, and the text, with and without types, reads
// back to the same bytes. fuzz.py tests passes.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Verifier.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"

using namespace relay;

namespace {
/// A module in its own context. Diagnostics are discarded.
struct Reader {
  /// \p Release as in ParserOptions.
  Reader(StringRef Text, unsigned Release) {
    registerAllOps(Ctx);
    Ctx.getDiagnostics().pushHandler([](const Diagnostic &) { return true; });
    ParserOptions Options;
    Options.Release = Release;
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "input"), Ctx,
                    Options);
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

/// The printed text of \p First has the current release, and reads back.
static void checkRoundTrip(const Reader &First, bool Typed) {
  std::string Text = First.print();
  Reader Again(Text, ParserOptions::CurrentRelease);
  require(Again.M != nullptr, "what was printed does not read back");
  require(!Typed || succeeded(inferTypes(*Again.M)),
          "what was typed is not typed when it is read back");
  require(Again.print() == Text, "what was printed prints otherwise");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Reader First(StringRef(reinterpret_cast<const char *>(Data), Size),
               /*Release=*/0);
  if (!First.M)
    return 0;
  require(succeeded(verify(*First.M)), "what was read does not verify");
  checkRoundTrip(First, /*Typed=*/false);
  // If inference fails, it leaves the types found so far.
  if (failed(inferTypes(*First.M)))
    return 0;
  require(succeeded(verify(*First.M)), "what was typed does not verify");
  checkRoundTrip(First, /*Typed=*/true);
  return 0;
}
