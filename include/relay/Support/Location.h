//===- Location.h - The source location of an operation ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Location is a word: a position in the input texts, or an index in a table
// of positions with `/* span=layer1/conv1:0:0 */` comments. In these comments,
// TVM's importers write the layer of an operation, with line and column 0;
// TVM's parser writes file, line and column.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_LOCATION_H
#define RELAY_SUPPORT_LOCATION_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/StringSaver.h"
#include <mutex>
#include <vector>

namespace relay {

/// One of: a position in the texts of a DiagnosticEngine, which share one range
/// of offsets; an entry of its LocationTable; unknown.
class Location {
public:
  Location() = default;
  /// \p Offset counts from the beginning of the first text.
  static Location fromOffset(size_t Offset) {
    return Location(Offset < SpanBit - 1 ? uint32_t(Offset) + 1 : 0);
  }

  bool isKnown() const { return Raw != 0; }
  /// Returns true if it is an entry of the LocationTable.
  bool hasSpan() const { return Raw & SpanBit; }
  /// The offset of a position in a text.
  uint32_t getOffset() const { return Raw - 1; }
  uint32_t getRaw() const { return Raw; }
  static Location fromRaw(uint32_t Raw) { return Location(Raw); }
  bool operator==(Location O) const { return Raw == O.Raw; }
  bool operator!=(Location O) const { return Raw != O.Raw; }

private:
  friend class LocationTable;
  static constexpr uint32_t SpanBit = 1u << 31;
  explicit Location(uint32_t Raw) : Raw(Raw) {}
  uint32_t Raw = 0;
};

/// The contents of `span=source:line:column`.
struct Span {
  StringRef Source;
  int Line = 0, Column = 0;

  /// Returns true for a layer, which importers write and which has no lines.
  bool isLayer() const { return !Line && !Column && !Source.empty(); }
};

/// The spans of a Context, uniqued. Thread-safe; entries never change.
class LocationTable {
public:
  /// The maximal number of spans kept for one operation.
  static constexpr unsigned MaxSpans = 8;

  /// Returns the location \p Text, a position in a text or unknown, with the
  /// spans \p Spans.
  Location get(Location Text, ArrayRef<Span> Spans);
  /// Returns the location of one operation that is created from several: the
  /// position and span of the first that has a span, then the other spans.
  /// Without spans, returns the first location.
  Location fuse(ArrayRef<Location> Locations);
  /// Returns the location of an operation at \p Inner that replaces an
  /// operation at \p Outer: Inner if it names a layer; otherwise Inner followed
  /// by the spans of Outer.
  Location inheritLayer(Location Inner, Location Outer);

  /// Returns the spans of \p Loc: its own first, then the spans of the
  /// operations that it was created from.
  ArrayRef<Span> getSpans(Location Loc) const {
    return Loc.hasSpan() ? lookup(Loc).Spans : ArrayRef<Span>();
  }
  /// Returns the position of \p Loc in a text, or unknown.
  Location getText(Location Loc) const {
    return Loc.hasSpan() ? lookup(Loc).Text : Loc;
  }
  /// Returns a number for the position of \p Loc in a text, the same with and
  /// without spans; for an unknown position, that of its spans; 0 without any.
  uint32_t getPosition(Location Loc) const {
    Location Text = getText(Loc);
    return Text.isKnown() ? Text.getRaw() : Loc.getRaw();
  }
  /// Returns true if a span of \p Loc belongs to a layer whose name \p Matches
  /// accepts.
  bool hasLayer(Location Loc, function_ref<bool(StringRef)> Matches) const;
  /// Appends the names of the layers of \p Loc, each once, to \p Names.
  void getLayers(Location Loc, SmallVectorImpl<StringRef> &Names) const;
  /// Returns the number of entries. The following function removes entries from
  /// \p Size on, which must be unreferenced.
  size_t size() const;
  void truncate(size_t Size);
  /// Returns all layers that a location has named, in alphabetical order.
  std::vector<StringRef> getAllLayers() const;

private:
  struct Entry : llvm::FoldingSetNode {
    Location Text;
    ArrayRef<Span> Spans;
    uint32_t Index = 0;
    void Profile(llvm::FoldingSetNodeID &ID) const { profile(ID, Text, Spans); }
  };
  static void profile(llvm::FoldingSetNodeID &ID, Location Text,
                      ArrayRef<Span> Spans);
  const Entry &lookup(Location Loc) const;

  mutable std::mutex Lock;
  llvm::BumpPtrAllocator Allocator;
  llvm::UniqueStringSaver Sources{Allocator};
  llvm::FoldingSet<Entry> Entries;
  std::vector<Entry *> ByIndex;
};

} // namespace relay

#endif // RELAY_SUPPORT_LOCATION_H
