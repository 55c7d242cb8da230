//===- Diagnostics.h - Errors with a position -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics about wrong input: IR text, pipelines, options. A diagnostic is
// built with operator<< and reported when it goes out of scope, as in MLIR.
// The engine renders through llvm::SourceMgr, unless a handler takes the
// diagnostic first (-verify-diagnostics, buffering of function pipelines).
//
// Errors of the environment (files, plugins) are llvm::Error and not here.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_DIAGNOSTICS_H
#define RELAY_SUPPORT_DIAGNOSTICS_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace relay {

/// A position in the main buffer of the engine's SourceMgr: 1 + the byte
/// offset, or 0 for "unknown". Bit 31 marks an index into the engine's table
/// of named positions (TVM's `span=file:line:col` comments).
class Location {
public:
  Location() = default;
  static Location fromOffset(size_t Offset) {
    return Location(Offset < NamedBit - 1 ? uint32_t(Offset) + 1 : 0);
  }
  static Location fromNamed(uint32_t Index) {
    return Location(Index | NamedBit);
  }

  bool isKnown() const { return Raw != 0; }
  bool isNamed() const { return Raw & NamedBit; }
  uint32_t getOffset() const { return Raw - 1; }
  uint32_t getNamedIndex() const { return Raw & ~NamedBit; }
  uint32_t getRaw() const { return Raw; }
  static Location fromRaw(uint32_t Raw) { return Location(Raw); }
  bool operator==(Location O) const { return Raw == O.Raw; }
  bool operator!=(Location O) const { return Raw != O.Raw; }

private:
  static constexpr uint32_t NamedBit = 1u << 31;
  explicit Location(uint32_t Raw) : Raw(Raw) {}
  uint32_t Raw = 0;
};

/// A position that is not in the main buffer's text: what a span names.
struct NamedLocation {
  std::string File;
  unsigned Line = 0, Column = 0;
};

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

/// Receives diagnostics and knows how positions read. Thread-safe; a handler
/// that returns true has taken the diagnostic. Handlers are asked newest first.
class DiagnosticEngine {
public:
  using Handler = std::function<bool(const Diagnostic &)>;

  /// Diagnostics without a handler print to \p OS.
  explicit DiagnosticEngine(raw_ostream &OS = llvm::errs()) : OS(&OS) {}

  llvm::SourceMgr &getSourceMgr() { return Sources; }
  const llvm::SourceMgr &getSourceMgr() const { return Sources; }
  /// Makes \p Buffer the text that locations refer to from here on.
  void setMainBuffer(std::unique_ptr<llvm::MemoryBuffer> Buffer);
  /// The text that locations refer to; empty when there is none.
  StringRef getMainText() const;
  unsigned getMainBufferId() const { return MainBuffer; }
  llvm::SMLoc getSMLoc(Location Loc) const;
  /// Line and column, both from 1, of \p Loc; {0, 0} when unknown.
  std::pair<unsigned, unsigned> getLineAndColumn(Location Loc) const;

  Location getNamedLocation(NamedLocation Loc);
  const NamedLocation &lookupNamed(Location Loc) const;
  /// Prints `file:line:col` as diagnostics do.
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
  /// Hands \p D to the handlers or prints it, in order (OrderedOutput.h).
  void report(const Diagnostic &D);
  /// Prints \p D as if no handler took it.
  void print(const Diagnostic &D, raw_ostream &OS) const;
  /// Errors reported so far, taken by a handler or not.
  unsigned getNumErrors() const { return NumErrors; }

private:
  void printOne(const Diagnostic &D, raw_ostream &OS) const;

  raw_ostream *OS;
  llvm::SourceMgr Sources;
  unsigned MainBuffer = 0;
  std::vector<NamedLocation> Named;
  std::vector<Handler> Handlers;
  unsigned NumErrors = 0;
  mutable std::recursive_mutex Lock;
};

/// Of \p Known the name nearest to \p Name by edit distance, or "" when none
/// is near enough to be what was meant.
StringRef nearestName(StringRef Name, ArrayRef<StringRef> Known);
/// `; did you mean 'X'?` with that name, or "" when there is none.
std::string getSuggestion(StringRef Name, ArrayRef<StringRef> Known);
/// The error `<Where>: unknown <What> '<Name>'` with a suggestion.
llvm::Error unknownNameError(const Twine &Where, StringRef What, StringRef Name,
                             ArrayRef<StringRef> Known);

} // namespace relay

#endif // RELAY_SUPPORT_DIAGNOSTICS_H
