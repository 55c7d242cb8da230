//===- Diagnostics.cpp - Errors with a position ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::SourceMgr::PrintMessage's SMDiagnostic renders messages; spans, which
// have no text here, are printed as source:line:col alone.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Diagnostics.h"
#include "relay/Support/ErrorCount.h"
#include "relay/Support/OrderedOutput.h"
#include "relay/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
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

/// A message may contain types, whose size depends on the input.
static void shorten(std::string &Message) {
  constexpr size_t MaxLength = 1 << 16;
  if (Message.size() > MaxLength)
    Message.replace(MaxLength, std::string::npos, "...");
}

void InFlightDiagnostic::report() {
  if (!Engine)
    return;
  DiagnosticEngine *E = Engine;
  Engine = nullptr;
  shorten(D.Message);
  for (Diagnostic &Note : D.Notes)
    shorten(Note.Message);
  E->addSpans(D);
  E->report(D);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

SourceText::SourceText(std::unique_ptr<llvm::MemoryBuffer> Buffer, size_t Begin,
                       unsigned FirstLine)
    : Number(Sources.AddNewSourceBuffer(std::move(Buffer), llvm::SMLoc())),
      Begin(Begin), FirstLine(FirstLine) {}

llvm::SMLoc SourceText::getSMLoc(size_t Offset) const {
  StringRef Text = getText();
  return llvm::SMLoc::getFromPointer(
      Text.data() + std::min<size_t>(Offset - Begin, Text.size()));
}

//===----------------------------------------------------------------------===//
// DiagnosticEngine
//===----------------------------------------------------------------------===//

SourceTextRef
DiagnosticEngine::setMainBuffer(std::unique_ptr<llvm::MemoryBuffer> Buffer,
                                unsigned FirstLine) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Main.reset();
  llvm::erase_if(Texts, [](const TextRange &T) { return T.Text.expired(); });
  // The first gap that is large enough.
  size_t Begin = 0, Size = Buffer->getBufferSize();
  auto Next = Texts.begin();
  for (; Next != Texts.end() && Next->Begin - Begin <= Size; ++Next)
    Begin = Next->End;
  Main =
      std::make_shared<const SourceText>(std::move(Buffer), Begin, FirstLine);
  Texts.insert(Next, {Main->getBegin(), Main->getEnd(), Main});
  return Main;
}

SourceTextRef DiagnosticEngine::getSource(Location Loc) const {
  Loc = Locations.getText(Loc);
  if (!Loc.isKnown())
    return nullptr;
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  auto After = llvm::partition_point(
      Texts, [&](const TextRange &T) { return T.Begin <= Loc.getOffset(); });
  if (After == Texts.begin() || std::prev(After)->End <= Loc.getOffset())
    return nullptr;
  return std::prev(After)->Text.lock();
}

llvm::SMLoc DiagnosticEngine::getSMLoc(Location Loc) const {
  SourceTextRef Text = getSource(Loc);
  return Text ? Text->getSMLoc(Locations.getText(Loc).getOffset())
              : llvm::SMLoc();
}

size_t DiagnosticEngine::getNumTexts() const {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  return llvm::count_if(Texts,
                        [](const TextRange &T) { return !T.Text.expired(); });
}

std::pair<unsigned, unsigned>
DiagnosticEngine::getLineAndColumn(Location Loc) const {
  SourceTextRef Text = getSource(Loc);
  if (!Text)
    return {0, 0};
  auto [Line, Column] = Text->getSourceMgr().getLineAndColumn(
      Text->getSMLoc(Locations.getText(Loc).getOffset()));
  return {Line + Text->getFirstLine() - 1, Column};
}

void DiagnosticEngine::printPosition(raw_ostream &OS, Location Loc) const {
  if (SourceTextRef Text = getSource(Loc)) {
    auto [Line, Column] = getLineAndColumn(Loc);
    OS << Text->getBuffer().getBufferIdentifier() << ':' << Line << ':'
       << Column;
    return;
  }
  ArrayRef<Span> Spans = Locations.getSpans(Loc);
  if (Spans.empty() || Spans.front().isLayer())
    OS << "<unknown>";
  else
    OS << toPrintable(Spans.front().Source) << ':' << Spans.front().Line << ':'
       << Spans.front().Column;
}

/// Prints `in layer 'a'`, `in layers 'a', 'b'`; nothing if it is in none.
static void printLayers(raw_ostream &OS, ArrayRef<StringRef> Names) {
  OS << (Names.size() == 1 ? "in layer " : "in layers ");
  llvm::interleave(
      Names, OS,
      [&](StringRef Name) { OS << '\'' << toPrintable(Name) << '\''; }, ", ");
}

void DiagnosticEngine::printLocation(raw_ostream &OS, Location Loc) const {
  printPosition(OS, Loc);
  SmallVector<StringRef> Layers;
  Locations.getLayers(Loc, Layers);
  if (!Layers.empty())
    printLayers(OS << ' ', Layers);
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

void DiagnosticEngine::addSpans(Diagnostic &D) const {
  ArrayRef<Span> Spans = Locations.getSpans(D.Loc);
  if (Spans.empty())
    return;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  SmallVector<StringRef> Layers;
  Locations.getLayers(D.Loc, Layers);
  if (!Layers.empty())
    printLayers(OS, Layers);
  else
    OS << "from " << Spans.front().Source << ':' << Spans.front().Line << ':'
       << Spans.front().Column;
  D.Notes.insert(D.Notes.begin(), {Severity::Note, {}, 0, Text, {}});
}

void DiagnosticEngine::pushHandler(Handler H) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Handlers.push_back(std::move(H));
}

void DiagnosticEngine::popHandler() {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Handlers.pop_back();
}

static thread_local uint64_t NumErrorsOfThread = 0;

uint64_t ErrorCount::get() { return NumErrorsOfThread; }
void ErrorCount::note() { ++NumErrorsOfThread; }

void DiagnosticEngine::report(const Diagnostic &D) {
  if (D.Kind == Severity::Error)
    ErrorCount::note();
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

/// Returns \p D, for a text that begins in line \p FirstLine of its file.
static llvm::SMDiagnostic moveToLine(const llvm::SMDiagnostic &D,
                                     unsigned FirstLine) {
  return llvm::SMDiagnostic(*D.getSourceMgr(), D.getLoc(), D.getFilename(),
                            D.getLineNo() + FirstLine - 1, D.getColumnNo(),
                            D.getKind(), D.getMessage(), D.getLineContents(),
                            D.getRanges());
}

/// Returns true if SMDiagnostic shows \p Line completely, with the caret at its
/// position: it prints no caret for a line that is not ASCII.
static bool isPlain(StringRef Line) {
  constexpr size_t MaxLength = 400;
  return Line.size() <= MaxLength && llvm::all_of(Line, [](char C) {
           return C == '\t' || llvm::isPrint(C);
         });
}

/// Prints the surroundings of \p Column of \p Line, which may be long and
/// binary, and marks \p Length bytes.
static void printSurroundings(raw_ostream &OS, StringRef Line, size_t Column,
                              size_t Length) {
  constexpr size_t MaxBefore = 200, MaxAfter = 200;
  size_t Start = Column - std::min(Column, MaxBefore);
  while (Start < Column && (Line[Start] & 0xc0) == 0x80) // inside a character
    ++Start;
  StringRef After = Line.substr(Column, MaxAfter);
  std::string Shown;
  unsigned Width = 0;
  appendPrintable(Line.slice(Start, Column), Shown, Width);
  unsigned Caret = Width;
  appendPrintable(After.take_front(Length), Shown, Width);
  unsigned End = Width;
  appendPrintable(After.drop_front(std::min(Length, After.size())), Shown,
                  Width);
  OS << Shown << '\n';
  OS.indent(Caret) << '^' << std::string(End > Caret ? End - Caret - 1 : 0, '~')
                   << '\n';
}

void DiagnosticEngine::printOne(const Diagnostic &D, raw_ostream &OS) const {
  llvm::SourceMgr::DiagKind Kind = getDiagKind(D.Kind);
  std::string Text = toPrintable(D.Message);
  SourceTextRef Source = getSource(D.Loc);
  if (!Source) {
    if (D.Loc.isKnown()) {
      printPosition(OS, D.Loc);
      OS << ": ";
    }
    llvm::SMDiagnostic("", Kind, Text).print(nullptr, OS);
    return;
  }
  llvm::SMLoc Loc = getSMLoc(D.Loc);
  SmallVector<llvm::SMRange, 1> Ranges;
  if (D.Length)
    Ranges.push_back(
        {Loc, llvm::SMLoc::getFromPointer(Loc.getPointer() + D.Length)});
  llvm::SMDiagnostic Message =
      moveToLine(Source->getSourceMgr().GetMessage(Loc, Kind, Text, Ranges),
                 Source->getFirstLine());
  StringRef Line = Message.getLineContents();
  if (isPlain(Line)) {
    Message.print(nullptr, OS);
    return;
  }
  printPosition(OS, D.Loc);
  OS << ": ";
  llvm::SMDiagnostic("", Kind, Text).print(nullptr, OS);
  printSurroundings(OS, Line, Message.getColumnNo(), D.Length);
}

//===----------------------------------------------------------------------===//
// Suggestions
//===----------------------------------------------------------------------===//

StringRef relay::nearestName(StringRef Name, ArrayRef<StringRef> Known) {
  // A third of the letters may be wrong, rounded up, but not all.
  if (Name.empty())
    return "";
  unsigned Best = std::min((Name.size() + 2) / 3, Name.size() - 1);
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

/// Returns `default` for `default<O2>`.
static StringRef withoutOptions(StringRef Name) {
  return Name.split('<').first;
}

/// Returns `nn.relu` for `relu`; "" if there is none.
static StringRef withPrefix(StringRef Name, ArrayRef<StringRef> Known) {
  auto *Found = llvm::find_if(Known, [&](StringRef Each) {
    return !Name.empty() && Each.consume_back(Name) && Each.ends_with(".");
  });
  return Found == Known.end() ? StringRef() : *Found;
}

std::string relay::getSuggestion(StringRef Name, ArrayRef<StringRef> Known) {
  StringRef Near = withPrefix(Name, Known);
  if (Near.empty())
    Near = nearestName(Name, Known);
  if (Near.empty() && !Name.empty()) {
    // `fuse-ops` for `fuse-ops<max-depth=4>`, `default<O0>` for `default`.
    auto *Found = llvm::find_if(Known, [&](StringRef Each) {
      return withoutOptions(Each) == withoutOptions(Name);
    });
    if (Found != Known.end())
      Near = *Found;
  }
  return Near.empty() ? "" : ("; did you mean '" + Near + "'?").str();
}

llvm::Error relay::unknownNameError(const Twine &Where, StringRef What,
                                    StringRef Name, ArrayRef<StringRef> Known) {
  return llvm::createStringError(Where + ": unknown " + What + " '" + Name +
                                 "'" + getSuggestion(Name, Known));
}
