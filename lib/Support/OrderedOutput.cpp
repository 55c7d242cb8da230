//===- OrderedOutput.cpp - Deterministic output of threads ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OrderedOutput.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/OrderedOutput.h"
#include "relay/Support/CrashHandler.h"

using namespace relay;

thread_local DeferredOutput *DeferredOutput::Current = nullptr;

void DeferredOutput::write(raw_ostream &OS, StringRef Text) {
  if (Entries.empty() || Entries.back().OS != &OS)
    Entries.push_back({&OS, "", nullptr});
  Entries.back().Text += Text;
}

void DeferredOutput::report(DiagnosticEngine &Engine, const Diagnostic &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Engine.print(D, OS);
  Entries.push_back(
      {nullptr, std::move(Text), [&Engine, D] { Engine.report(D); }});
}

void DeferredOutput::add(Action A) {
  Entries.push_back({nullptr, "", std::move(A)});
}

void DeferredOutput::flush() {
  assert(!Current && "a thread flushes while it collects");
  for (Entry &E : std::exchange(Entries, {})) {
    if (E.OS)
      *E.OS << E.Text;
    else
      E.A();
  }
}

void DeferredOutput::writeAfterCrash(int File) const {
  for (const Entry &E : Entries)
    CrashHandler::write(File, E.Text);
}

void OrderedStream::write_impl(const char *Text, size_t Size) {
  if (DeferredOutput *Output = DeferredOutput::getCurrent())
    Output->write(OS, StringRef(Text, Size));
  else
    OS.write(Text, Size);
}

void relay::runInOrder(DeferredOutput::Action A) {
  if (DeferredOutput *Output = DeferredOutput::getCurrent())
    Output->add(std::move(A));
  else
    A();
}
