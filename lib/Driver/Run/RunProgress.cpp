//===- RunProgress.cpp - Progress of a long evaluation --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RunProgress.h. The evaluation only records its position; names are looked
// up when the line is drawn.
//
//===----------------------------------------------------------------------===//

#include "RunProgress.h"
#include "RunListeners.h"
#include "relay/IR/Walk.h"

using namespace relay;

RunProgress::RunProgress(Context &Ctx, raw_ostream &OS)
    : Ctx(Ctx),
      Line(Options, OS, [this](raw_ostream &To) { return print(To); }) {}

void RunProgress::start(Module &M) {
  NumOperators = 0;
  NumDone = 0;
  Current = nullptr;
  walk(M, [&](Operation *Op) { NumOperators += Op->is(OpCode::Operator); });
  // Diagnostics do not use the stream.
  Ctx.getDiagnostics().pushHandler([this](const Diagnostic &) {
    Line.clear();
    return false;
  });
  Line.start();
}

void RunProgress::stop() {
  Line.stop();
  Ctx.getDiagnostics().popHandler();
}

void RunProgress::beforeOperator(const Operation &Op, const OpInfo &Info) {
  CurrentInfo = &Info;
  if (Current.exchange(&Op))
    ++NumDone;
}

bool RunProgress::print(raw_ostream &OS) const {
  constexpr size_t MaxName = 40;
  const Operation *Op = Current;
  if (!Op)
    return false;
  uint64_t Done = NumDone;
  OS << Done;
  if (Done < NumOperators) // no repetition so far
    OS << " of " << NumOperators;
  OS << (Done == 1 ? " operation, " : " operations, ")
     << CurrentInfo.load()->Name;
  std::string Layer = getLayerNames(Ctx, *Op);
  if (!Layer.empty()) {
    OS << " in layer '";
    llvm::printEscapedString(StringRef(Layer).take_front(MaxName), OS);
    OS << '\'';
  }
  return true;
}
