//===- Diagnostics.cpp - Errors with a position ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rendering goes through llvm::SourceMgr::PrintMessage's SMDiagnostic; named
// locations, which have no text here, are printed as file:line:col alone.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Diagnostics.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/Support/SMLoc.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// InFlightDiagnostic
//===----------------------------------------------------------------------===//

InFlightDiagnostic &InFlightDiagnostic::note(Location Loc,
                                             const Twine &Message) {
  if (Engine)
    D.Notes.push_back({Severity::Note, Loc, 0, Message.str(), {}});
  return *this;
}

void InFlightDiagnostic::report() {
  if (!Engine)
    return;
  DiagnosticEngine *E = Engine;
  Engine = nullptr;
  E->report(D);
}

//===----------------------------------------------------------------------===//
// DiagnosticEngine
//===----------------------------------------------------------------------===//

void DiagnosticEngine::setMainBuffer(
    std::unique_ptr<llvm::MemoryBuffer> Buffer) {
  MainBuffer = Sources.AddNewSourceBuffer(std::move(Buffer), llvm::SMLoc());
}

StringRef DiagnosticEngine::getMainText() const {
  if (!MainBuffer)
    return {};
  return Sources.getMemoryBuffer(MainBuffer)->getBuffer();
}

llvm::SMLoc DiagnosticEngine::getSMLoc(Location Loc) const {
  if (!Loc.isKnown() || Loc.isNamed() || !MainBuffer)
    return {};
  StringRef Text = getMainText();
  return llvm::SMLoc::getFromPointer(
      Text.data() + std::min<size_t>(Loc.getOffset(), Text.size()));
}

std::pair<unsigned, unsigned>
DiagnosticEngine::getLineAndColumn(Location Loc) const {
  if (Loc.isNamed()) {
    const NamedLocation &N = lookupNamed(Loc);
    return {N.Line, N.Column};
  }
  llvm::SMLoc L = getSMLoc(Loc);
  if (!L.isValid())
    return {0, 0};
  return Sources.getLineAndColumn(L, MainBuffer);
}

Location DiagnosticEngine::getNamedLocation(NamedLocation Loc) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (!Named.empty() && Named.back().File == Loc.File &&
      Named.back().Line == Loc.Line && Named.back().Column == Loc.Column)
    return Location::fromNamed(Named.size() - 1);
  Named.push_back(std::move(Loc));
  return Location::fromNamed(Named.size() - 1);
}

const NamedLocation &DiagnosticEngine::lookupNamed(Location Loc) const {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  return Named[Loc.getNamedIndex()];
}

void DiagnosticEngine::printLocation(raw_ostream &OS, Location Loc) const {
  if (Loc.isNamed()) {
    const NamedLocation &N = lookupNamed(Loc);
    OS << N.File << ':' << N.Line << ':' << N.Column;
    return;
  }
  if (!Loc.isKnown() || !MainBuffer) {
    OS << "<unknown>";
    return;
  }
  auto [Line, Column] = getLineAndColumn(Loc);
  OS << Sources.getMemoryBuffer(MainBuffer)->getBufferIdentifier() << ':'
     << Line << ':' << Column;
}

InFlightDiagnostic DiagnosticEngine::emit(Severity Kind, Location Loc,
                                          const Twine &Message) {
  return InFlightDiagnostic(this, {Kind, Loc, 0, Message.str(), {}});
}

InFlightDiagnostic DiagnosticEngine::emitError(Location Loc, uint32_t Length,
                                               const Twine &Message) {
  return InFlightDiagnostic(this,
                            {Severity::Error, Loc, Length, Message.str(), {}});
}

void DiagnosticEngine::pushHandler(Handler H) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Handlers.push_back(std::move(H));
}

void DiagnosticEngine::popHandler() {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Handlers.pop_back();
}

void DiagnosticEngine::report(const Diagnostic &D) {
  if (DeferredOutput *Output = DeferredOutput::getCurrent())
    return Output->report(*this, D);
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (D.Kind == Severity::Error)
    ++NumErrors;
  for (Handler &H : llvm::reverse(Handlers))
    if (H(D))
      return;
  print(D, *OS);
}

void DiagnosticEngine::print(const Diagnostic &D, raw_ostream &OS) const {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  printOne(D, OS);
  for (const Diagnostic &Note : D.Notes)
    printOne(Note, OS);
}

static llvm::SourceMgr::DiagKind getDiagKind(Severity Kind) {
  switch (Kind) {
  case Severity::Error:
    return llvm::SourceMgr::DK_Error;
  case Severity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case Severity::Remark:
    return llvm::SourceMgr::DK_Remark;
  case Severity::Note:
    return llvm::SourceMgr::DK_Note;
  }
  llvm_unreachable("unknown severity");
}

/// \p Text without the bytes that would garble a terminal or a log.
static std::string getPrintable(StringRef Text) {
  std::string Result;
  for (char C : Text)
    Result += C == '\t' || !(uint8_t(C) < 0x20 || C == 0x7f) ? C : '?';
  return Result;
}

void DiagnosticEngine::printOne(const Diagnostic &D, raw_ostream &OS) const {
  llvm::SourceMgr::DiagKind Kind = getDiagKind(D.Kind);
  llvm::SMLoc Loc = getSMLoc(D.Loc);
  if (!Loc.isValid()) {
    if (D.Loc.isNamed()) {
      printLocation(OS, D.Loc);
      OS << ": ";
    }
    llvm::SMDiagnostic("", Kind, D.Message).print(nullptr, OS);
    return;
  }
  SmallVector<llvm::SMRange, 1> Ranges;
  if (D.Length)
    Ranges.push_back(
        {Loc, llvm::SMLoc::getFromPointer(Loc.getPointer() + D.Length)});
  llvm::SMDiagnostic Message = Sources.GetMessage(Loc, Kind, D.Message, Ranges);
  // A line of a generated file may be megabytes long, and binary: show what
  // surrounds the position.
  constexpr int MaxLine = 400;
  StringRef Line = Message.getLineContents();
  int Column = Message.getColumnNo();
  if (Line.size() <= MaxLine &&
      llvm::none_of(Line, [](char C) { return uint8_t(C) < 0x20; })) {
    Message.print(nullptr, OS);
    return;
  }
  int Start = std::max(0, Column - MaxLine / 2);
  std::string Part = getPrintable(Line.substr(Start, MaxLine));
  printLocation(OS, D.Loc);
  OS << ": ";
  llvm::SMDiagnostic("", Kind, D.Message).print(nullptr, OS);
  OS << Part << '\n';
  OS.indent(Column - Start) << "^\n";
}

//===----------------------------------------------------------------------===//
// Suggestions
//===----------------------------------------------------------------------===//

StringRef relay::nearestName(StringRef Name, ArrayRef<StringRef> Known) {
  // A third of the letters may be wrong.
  unsigned Best = Name.size() / 3 + 1;
  StringRef Result;
  for (StringRef Candidate : Known) {
    unsigned Distance = Name.edit_distance(Candidate, true, Best + 1);
    if (Distance <= Best && (Result.empty() || Distance < Best)) {
      Best = Distance;
      Result = Candidate;
    }
  }
  return Result;
}

std::string relay::getSuggestion(StringRef Name, ArrayRef<StringRef> Known) {
  StringRef Near = nearestName(Name, Known);
  return Near.empty() ? "" : ("; did you mean '" + Near + "'?").str();
}

llvm::Error relay::unknownNameError(const Twine &Where, StringRef What,
                                    StringRef Name, ArrayRef<StringRef> Known) {
  return llvm::createStringError(Where + ": unknown " + What + " '" + Name +
                                 "'" + getSuggestion(Name, Known));
}
