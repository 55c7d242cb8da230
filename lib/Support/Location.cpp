//===- Location.cpp - The source location of an operation -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of spans. Names are uniqued too, so that an entry is hashed by
// their addresses.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Location.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace relay;

/// Sources are uniqued.
static bool isSame(const Span &L, const Span &R) {
  return L.Source.data() == R.Source.data() && L.Line == R.Line &&
         L.Column == R.Column;
}

void LocationTable::profile(llvm::FoldingSetNodeID &ID, Location Text,
                            ArrayRef<Span> Spans) {
  ID.AddInteger(Text.getRaw());
  for (const Span &S : Spans) {
    ID.AddPointer(S.Source.data());
    ID.AddInteger(S.Line);
    ID.AddInteger(S.Column);
  }
}

const LocationTable::Entry &LocationTable::lookup(Location Loc) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return *ByIndex[Loc.getRaw() & ~Location::SpanBit];
}

Location LocationTable::get(Location Text, ArrayRef<Span> Spans) {
  if (Spans.empty())
    return Text;
  assert(!Text.hasSpan() && "a position in a text cannot have a span");
  std::lock_guard<std::mutex> Guard(Lock);
  SmallVector<Span, 2> Unique;
  for (Span S : Spans) {
    S.Source = Sources.save(S.Source);
    if (Unique.size() != MaxSpans &&
        llvm::none_of(Unique, [&](const Span &U) { return isSame(U, S); }))
      Unique.push_back(S);
  }
  llvm::FoldingSetNodeID ID;
  profile(ID, Text, Unique);
  void *Position;
  if (const Entry *Known = Entries.FindNodeOrInsertPos(ID, Position))
    return Location(Known->Index | Location::SpanBit);
  // An index that does not fit into the word is dropped.
  if (ByIndex.size() == Location::SpanBit)
    return Text;
  auto *E = new (Allocator) Entry;
  E->Text = Text;
  Span *Copy = Allocator.Allocate<Span>(Unique.size());
  std::uninitialized_copy(Unique.begin(), Unique.end(), Copy);
  E->Spans = ArrayRef(Copy, Unique.size());
  E->Index = ByIndex.size();
  ByIndex.push_back(E);
  Entries.InsertNode(E, Position);
  return Location(E->Index | Location::SpanBit);
}

size_t LocationTable::size() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return ByIndex.size();
}

void LocationTable::truncate(size_t Size) {
  std::lock_guard<std::mutex> Guard(Lock);
  for (; ByIndex.size() > Size; ByIndex.pop_back())
    Entries.RemoveNode(ByIndex.back());
}

Location LocationTable::fuse(ArrayRef<Location> Locations) {
  auto First = llvm::find_if(Locations, [](Location L) { return L.hasSpan(); });
  if (First == Locations.end())
    return Locations.empty() ? Location() : Locations.front();
  SmallVector<Span, 2 * MaxSpans> Spans;
  for (Location L : Locations) {
    llvm::append_range(Spans, getSpans(L));
    if (Spans.size() > 64 * MaxSpans) // most are equal
      break;
  }
  return get(getText(*First), Spans);
}

Location LocationTable::inheritLayer(Location Inner, Location Outer) {
  SmallVector<Span, 2 * MaxSpans> Spans(getSpans(Inner));
  if (llvm::any_of(Spans, [](const Span &S) { return S.isLayer(); }))
    return Inner;
  llvm::append_range(Spans, getSpans(Outer));
  Location Text = getText(Inner);
  return get(Text.isKnown() ? Text : getText(Outer), Spans);
}

bool LocationTable::hasLayer(Location Loc,
                             function_ref<bool(StringRef)> Matches) const {
  return llvm::any_of(getSpans(Loc), [&](const Span &S) {
    return S.isLayer() && Matches(S.Source);
  });
}

void LocationTable::getLayers(Location Loc,
                              SmallVectorImpl<StringRef> &Names) const {
  for (const Span &S : getSpans(Loc))
    if (S.isLayer())
      Names.push_back(S.Source);
}

std::vector<StringRef> LocationTable::getAllLayers() const {
  std::vector<StringRef> Names;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    for (const Entry *E : ByIndex)
      for (const Span &S : E->Spans)
        if (S.isLayer())
          Names.push_back(S.Source);
  }
  llvm::sort(Names);
  Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
  return Names;
}
