//===- ResultMatching.cpp - Matching results of two runs ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ResultMatching.h.
//
//===----------------------------------------------------------------------===//

#include "ResultMatching.h"
#include "relay/Support/Diff.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

uint64_t ResultRecord::getByteSize() const {
  return *Type->getNumElements() * Type->getDType().getByteSize();
}

StringRef relay::toString(MatchKind K) {
  switch (K) {
  case MatchKind::Layer:
    return "layer";
  case MatchKind::Let:
    return "let name";
  case MatchKind::Label:
    return "file name";
  case MatchKind::LastOf:
    return "end of layer";
  case MatchKind::Structure:
    return "structure";
  }
  llvm_unreachable("covered switch");
}

void RecordListener::visit(const OperatorResult &R, const Tensor &T) {
  IsFull = Records.size() == MaxRecords;
  if (IsFull)
    return;
  ResultRecord Record;
  Record.Operator = R.Info.Name;
  Record.Let = R.getLet();
  Record.Layer = Ctx.intern(getLayerNames(Ctx, R.Op));
  Record.Number = R.Number;
  Record.Field = R.Field;
  Record.Type = T.getType(Ctx);
  Record.Loc = R.Op.getLoc();
  Records.push_back(Record);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns the extents other than 1, in ascending order.
static SmallVector<int64_t, 4> getSortedExtents(const TensorType *T) {
  SmallVector<int64_t, 4> Extents;
  for (Dim D : T->getShape())
    if (D.getInt() != 1)
      Extents.push_back(D.getInt());
  llvm::sort(Extents);
  return Extents;
}

/// Returns `float` for floats, and the data type if it must be equal.
static std::string getComparedDType(const TensorType *T) {
  DType D = T->getDType();
  return D.isAnyFloat() ? "float" : D.str();
}

bool relay::areComparable(const TensorType *L, const TensorType *R) {
  constexpr size_t MaxAxes = 5; // 120 orders
  if (getComparedDType(L) != getComparedDType(R))
    return false;
  if (L->getShape() == R->getShape())
    return true;
  SmallVector<int64_t, 4> Extents = getSortedExtents(L);
  return Extents.size() <= MaxAxes && Extents == getSortedExtents(R);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
class ResultMatcher {
public:
  ResultMatcher(ArrayRef<ResultRecord> Model, ArrayRef<ResultRecord> Reference)
      : Model(Model), Reference(Reference), Partner(Model.size()),
        IsTaken(Reference.size()) {}

  std::vector<ResultMatch> run();

private:
  using KeyFn = function_ref<std::string(const ResultRecord &)>;
  using Places = llvm::StringMap<SmallVector<size_t, 1>>;

  Places findPlaces(ArrayRef<ResultRecord> Records, bool IsModel, KeyFn GetKey);
  void matchByKey(MatchKind K, KeyFn ModelKey, KeyFn ReferenceKey);
  void matchByKey(MatchKind K, KeyFn Key) { matchByKey(K, Key, Key); }
  void matchLabels();
  void matchEndsOfLayers();
  void matchByStructure();
  void match(size_t M, size_t R, MatchKind K) {
    Partner[M] = {R, K};
    IsTaken[R] = true;
  }

  ArrayRef<ResultRecord> Model, Reference;
  std::vector<std::optional<std::pair<size_t, MatchKind>>> Partner;
  std::vector<bool> IsTaken;
};
} // namespace

/// Returns the suffix of a field, such as `.1`.
static std::string getFieldSuffix(const ResultRecord &R) {
  return R.Field ? "." + std::to_string(*R.Field) : "";
}

/// Returns the records that are not matched yet, by key. Records with an empty
/// key are omitted.
ResultMatcher::Places ResultMatcher::findPlaces(ArrayRef<ResultRecord> Records,
                                                bool IsModel, KeyFn GetKey) {
  Places Found;
  for (auto [I, R] : llvm::enumerate(Records)) {
    if (IsModel ? Partner[I].has_value() : bool(IsTaken[I]))
      continue;
    std::string Key = GetKey(R);
    if (!Key.empty())
      Found[Key].push_back(I);
  }
  return Found;
}

void ResultMatcher::matchByKey(MatchKind K, KeyFn ModelKey,
                               KeyFn ReferenceKey) {
  Places InModel = findPlaces(Model, true, ModelKey);
  Places InReference = findPlaces(Reference, false, ReferenceKey);
  for (const auto &Entry : InModel) {
    auto Found = InReference.find(Entry.first());
    if (Found == InReference.end() ||
        Found->second.size() != Entry.second.size())
      continue;
    for (auto [M, R] : llvm::zip(Entry.second, Found->second))
      match(M, R, K);
  }
}

/// Returns a key of \p Name and the operator; empty without a name.
static std::string getNamedKey(StringRef Name, const ResultRecord &R) {
  return Name.empty() || R.Operator.empty()
             ? ""
             : (Name + "\n" + R.Operator + getFieldSuffix(R)).str();
}

/// Matches labels, which may name layers, lets or operators.
void ResultMatcher::matchLabels() {
  using NameOf = StringRef ResultRecord::*;
  for (NameOf Name :
       {&ResultRecord::Layer, &ResultRecord::Let, &ResultRecord::Operator})
    matchByKey(
        MatchKind::Label,
        [&](const ResultRecord &R) {
          StringRef Text = R.*Name;
          return Text.empty() ? "" : makeDumpName(Text) + getFieldSuffix(R);
        },
        [](const ResultRecord &R) { return R.Label.str(); });
}

/// Quantized layers have other operators, but comparable results.
void ResultMatcher::matchEndsOfLayers() {
  auto FindLast = [](ArrayRef<ResultRecord> Records) {
    llvm::StringMap<size_t> Last;
    for (auto [I, R] : llvm::enumerate(Records))
      if (!R.Layer.empty())
        Last[R.Layer] = I;
    return Last;
  };
  llvm::StringMap<size_t> InModel = FindLast(Model);
  llvm::StringMap<size_t> InReference = FindLast(Reference);
  for (auto [I, R] : llvm::enumerate(Model)) // skips layers with a match
    if (Partner[I])
      InModel.erase(R.Layer);
  for (const auto &Entry : InModel) {
    auto Found = InReference.find(Entry.first());
    if (Found != InReference.end() && !IsTaken[Found->second] &&
        areComparable(Model[Entry.second].Type, Reference[Found->second].Type))
      match(Entry.second, Found->second, MatchKind::LastOf);
  }
}

/// Finds the common subsequences of both sequences. Matched records only match
/// each other, so that the order of the others is preserved.
void ResultMatcher::matchByStructure() {
  llvm::StringMap<unsigned> Numbers;
  auto GetNumber = [&](const ResultRecord &R) {
    std::string Key =
        R.Operator.str() + getFieldSuffix(R) + "\n" + getComparedDType(R.Type);
    for (int64_t Extent : getSortedExtents(R.Type))
      Key += " " + std::to_string(Extent);
    return Numbers.try_emplace(Key, Numbers.size()).first->second;
  };
  constexpr unsigned FirstMatched = 1u << 31;
  std::vector<unsigned> Left(Model.size()), Right(Reference.size());
  for (auto [I, R] : llvm::enumerate(Reference))
    Right[I] = GetNumber(R);
  for (auto [I, R] : llvm::enumerate(Model)) {
    Left[I] = Partner[I] ? FirstMatched + unsigned(I) : GetNumber(R);
    if (Partner[I])
      Right[Partner[I]->first] = Left[I];
  }
  size_t M = 0, R = 0;
  auto MatchUntil = [&](size_t End) {
    for (; M != End; ++M, ++R)
      if (!Partner[M] && !Model[M].Operator.empty())
        match(M, R, MatchKind::Structure);
  };
  for (const DiffRange &D : diffSequences(Left, Right)) {
    MatchUntil(D.LeftBegin);
    M = D.LeftEnd;
    R = D.RightEnd;
  }
  MatchUntil(Model.size());
}

std::vector<ResultMatch> ResultMatcher::run() {
  matchByKey(MatchKind::Layer,
             [](const ResultRecord &R) { return getNamedKey(R.Layer, R); });
  matchByKey(MatchKind::Let,
             [](const ResultRecord &R) { return getNamedKey(R.Let, R); });
  matchLabels();
  matchEndsOfLayers();
  matchByStructure();
  std::vector<ResultMatch> Matches;
  for (auto [I, P] : llvm::enumerate(Partner))
    if (P)
      Matches.push_back({I, P->first, P->second});
  return Matches;
}

std::vector<ResultMatch> relay::matchResults(ArrayRef<ResultRecord> Model,
                                             ArrayRef<ResultRecord> Reference) {
  return ResultMatcher(Model, Reference).run();
}
