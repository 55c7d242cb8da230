//===- Diagnostics.h - Errors with a position -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics about wrong input: IR text, pipelines, options. A diagnostic is
// built with operator<< and reported when it goes out of scope, as in MLIR. The
// engine prints it through llvm::SourceMgr, unless a handler takes the
// diagnostic first (-verify-diagnostics, buffering of function pipelines).
//
// Errors of the environment (files, plugins) are llvm::Error instead.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_DIAGNOSTICS_H
#define RELAY_SUPPORT_DIAGNOSTICS_H

#include "relay/Support/Location.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace relay {

enum class Severity : uint8_t { Error, Warning, Remark, Note };

/// One message with its notes. A range of length 0 shows a caret only.
struct Diagnostic {
  Severity Kind = Severity::Error;
  Location Loc;
  uint32_t Length = 0;
  std::string Message;
  std::vector<Diagnostic> Notes;
};

class DiagnosticEngine;

/// A text that locations refer to. The module or the patterns that were read
/// from it keep it alive.
class SourceText {
public:
  /// \p Begin is the offset at which locations in the text begin, \p FirstLine
  /// the line of its file in which the text begins.
  SourceText(std::unique_ptr<llvm::MemoryBuffer> Buffer, size_t Begin,
             unsigned FirstLine = 1);

  const llvm::MemoryBuffer &getBuffer() const {
    return *Sources.getMemoryBuffer(Number);
  }
  StringRef getText() const { return getBuffer().getBuffer(); }
  size_t getBegin() const { return Begin; }
  /// Returns the line of its file in which the text begins.
  unsigned getFirstLine() const { return FirstLine; }
  /// Returns one past the last offset. The end of a text is a valid position.
  size_t getEnd() const { return Begin + getText().size() + 1; }
  /// Returns the character at \p Offset of all locations; the end of the text
  /// for offsets beyond it.
  llvm::SMLoc getSMLoc(size_t Offset) const;
  const llvm::SourceMgr &getSourceMgr() const { return Sources; }

private:
  llvm::SourceMgr Sources; ///< of this text alone
  unsigned Number;
  size_t Begin;
  unsigned FirstLine;
};
using SourceTextRef = std::shared_ptr<const SourceText>;

/// A diagnostic under construction; reported by its destructor. Converts to
/// failure, so that `return emitError(...) << ...;` works.
class InFlightDiagnostic {
public:
  InFlightDiagnostic() = default;
  InFlightDiagnostic(DiagnosticEngine *Engine, Diagnostic D)
      : Engine(Engine), D(std::move(D)) {}
  InFlightDiagnostic(InFlightDiagnostic &&O)
      : Engine(O.Engine), D(std::move(O.D)) {
    O.Engine = nullptr;
  }
  InFlightDiagnostic &operator=(InFlightDiagnostic &&) = delete;
  ~InFlightDiagnostic() { report(); }

  template <typename T> InFlightDiagnostic &operator<<(const T &Value) & {
    append(Value);
    return *this;
  }
  template <typename T> InFlightDiagnostic &&operator<<(const T &Value) && {
    append(Value);
    return std::move(*this);
  }
  /// Adds a note; text is appended to the note from here on.
  InFlightDiagnostic &note(Location Loc, const Twine &Message = "");
  /// Reports now instead of at the end of the scope.
  void report();
  /// Drops the diagnostic.
  void abandon() { Engine = nullptr; }

  operator LogicalResult() const { return failure(); }
  template <typename T> operator FailureOr<T>() const { return failure(); }

private:
  template <typename T> void append(const T &Value) {
    if (!Engine)
      return;
    std::string &Text = D.Notes.empty() ? D.Message : D.Notes.back().Message;
    llvm::raw_string_ostream(Text) << Value;
  }

  DiagnosticEngine *Engine = nullptr;
  Diagnostic D;
};

/// Receives diagnostics and converts positions to lines and columns.
/// Thread-safe; a handler that returns true has taken the diagnostic. Handlers
/// are called newest first. A diagnostic on an operation with a span gets a
/// note with the span.
class DiagnosticEngine {
public:
  using Handler = std::function<bool(const Diagnostic &)>;

  /// Diagnostics without a handler print to \p OS.
  explicit DiagnosticEngine(raw_ostream &OS = llvm::errs()) : OS(&OS) {}

  /// Prints to \p New from now on.
  void setStream(raw_ostream &New) { OS = &New; }
  /// Adds \p Buffer, which begins in line \p FirstLine of its file, to the
  /// texts that locations refer to. The engine holds the text until the next
  /// one is added; users that keep locations in it for longer must hold it too.
  /// Offsets of released texts are reused.
  SourceTextRef setMainBuffer(std::unique_ptr<llvm::MemoryBuffer> Buffer,
                              unsigned FirstLine = 1);
  /// Returns the most recently added text; null before the first.
  const SourceTextRef &getMainSource() const { return Main; }
  StringRef getMainText() const { return Main ? Main->getText() : ""; }
  /// Returns the offset at which locations in that text begin.
  size_t getMainOffset() const { return Main ? Main->getBegin() : 0; }
  /// Returns the text of \p Loc; null if it is unknown or has been released.
  SourceTextRef getSource(Location Loc) const;
  llvm::SMLoc getSMLoc(Location Loc) const;
  /// Returns the number of texts that are held.
  size_t getNumTexts() const;
  /// Returns line and column in the file of \p Loc, both from 1; {0, 0} if
  /// unknown.
  std::pair<unsigned, unsigned> getLineAndColumn(Location Loc) const;

  LocationTable &getLocations() { return Locations; }
  const LocationTable &getLocations() const { return Locations; }
  /// Prints `file:line:col` as diagnostics do; without a text, the position of
  /// the span.
  void printPosition(raw_ostream &OS, Location Loc) const;
  /// Prints the position and the layers: `m.relay:3:5 in layer
  /// 'layer1/conv1'`.
  void printLocation(raw_ostream &OS, Location Loc) const;

  InFlightDiagnostic emit(Severity Kind, Location Loc, const Twine &Message);
  InFlightDiagnostic emitError(Location Loc, const Twine &Message = "") {
    return emit(Severity::Error, Loc, Message);
  }
  InFlightDiagnostic emitError(Location Loc, uint32_t Length,
                               const Twine &Message);
  InFlightDiagnostic emitWarning(Location Loc, const Twine &Message = "") {
    return emit(Severity::Warning, Loc, Message);
  }

  /// Installs \p H until popHandler().
  void pushHandler(Handler H);
  void popHandler();
  /// Adds a note with the layers of \p D's location, or with its span, if it
  /// has one.
  void addSpans(Diagnostic &D) const;
  /// Passes \p D to the handlers or prints it, in order (OrderedOutput.h).
  void report(const Diagnostic &D);
  /// Prints \p D, without asking handlers.
  void print(const Diagnostic &D, raw_ostream &OS) const;
  /// Returns the number of errors reported so far, including errors taken by
  /// handlers.
  unsigned getNumErrors() const { return NumErrors; }

private:
  void printOne(const Diagnostic &D, raw_ostream &OS) const;

  /// The offsets of a text.
  struct TextRange {
    size_t Begin, End;
    std::weak_ptr<const SourceText> Text;
  };

  raw_ostream *OS;
  SourceTextRef Main;
  std::vector<TextRange> Texts; ///< in the order of their offsets
  LocationTable Locations;
  std::vector<Handler> Handlers;
  unsigned NumErrors = 0;
  mutable std::recursive_mutex Lock;
};

/// Returns the name of \p Known nearest to \p Name by edit distance, or "" if
/// none is near enough for a suggestion.
StringRef nearestName(StringRef Name, ArrayRef<StringRef> Known);
/// Returns `; did you mean 'X'?` with the nearest name, or "" if there is none.
std::string getSuggestion(StringRef Name, ArrayRef<StringRef> Known);
/// Returns the error `<Where>: unknown <What> '<Name>'` with a suggestion.
llvm::Error unknownNameError(const Twine &Where, StringRef What, StringRef Name,
                             ArrayRef<StringRef> Known);

} // namespace relay

#endif // RELAY_SUPPORT_DIAGNOSTICS_H
