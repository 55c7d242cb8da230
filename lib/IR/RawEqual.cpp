//===- RawEqual.cpp - Equality of metadata nodes of unknown kind ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RawEqual.h. Two graphs are walked together on a worklist of pairs.
//
//===----------------------------------------------------------------------===//

#include "RawEqual.h"
#include "relay/IR/Module.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/JSON.h"

using namespace relay;
namespace json = llvm::json;

namespace {

/// The nodes of one document.
class RawGraph {
public:
  explicit RawGraph(const MetaDocument &D) : D(D), Parsed(D.Nodes.size()) {
    // No node refers to the table of all objects or to its lists.
    NumTableNodes = 2;
    if (const json::Array *Lists = isNode(1) ? getData(1) : nullptr)
      NumTableNodes += Lists->size();
  }

  const MetaDocument &getDocument() const { return D; }
  bool isNode(uint64_t I) const { return I < D.Nodes.size(); }
  StringRef getTypeKey(uint64_t I) const { return D.Nodes[I].TypeKey; }
  /// Returns the value that the reader created for the node; none for a Raw
  /// node.
  Attr getValue(uint64_t I) const {
    Attr A = I < D.Values.size() ? D.Values[I] : Attr();
    return A && A.getKind() != Attr::Kind::Raw ? A : Attr();
  }
  const json::Object *getObject(uint64_t I) {
    if (!Parsed[I]) {
      llvm::Expected<json::Value> V = json::parse(D.Nodes[I].JSON);
      if (!V)
        llvm::consumeError(V.takeError());
      Parsed[I] = V ? std::move(*V) : json::Value(nullptr);
    }
    return Parsed[I]->getAsObject();
  }
  const json::Array *getData(uint64_t I) {
    const json::Object *Node = getObject(I);
    return Node ? Node->getArray("data") : nullptr;
  }
  /// Returns the node that \p Text may refer to.
  std::optional<uint64_t> getReference(StringRef Text) const {
    uint64_t I;
    if (Text.getAsInteger(10, I) || I < NumTableNodes || !isNode(I))
      return std::nullopt;
    return I;
  }

private:
  const MetaDocument &D;
  std::vector<std::optional<json::Value>> Parsed;
  uint64_t NumTableNodes;
};

class RawComparer {
public:
  RawComparer(Attr L, Attr R, function_ref<bool(Attr, Attr)> Same)
      : L(*L.getRawDocument()), R(*R.getRawDocument()), Same(Same) {
    push(L.getRawNode(), R.getRawNode());
  }

  bool run();

private:
  void push(uint64_t IL, uint64_t IR) {
    if (Seen.insert({IL, IR}).second)
      Worklist.push_back({IL, IR});
  }
  bool sameNode(uint64_t IL, uint64_t IR);
  bool sameAttrs(const json::Object &AL, const json::Object &AR);
  bool sameField(StringRef VL, StringRef VR);
  bool sameData(const json::Array *DL, const json::Array *DR);

  RawGraph L, R;
  function_ref<bool(Attr, Attr)> Same;
  SmallVector<std::pair<uint64_t, uint64_t>, 8> Worklist;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> Seen;
};

} // namespace

bool RawComparer::run() {
  while (!Worklist.empty()) {
    auto [IL, IR] = Worklist.pop_back_val();
    if (!L.isNode(IL) || !R.isNode(IR) || !sameNode(IL, IR))
      return false;
  }
  return true;
}

bool RawComparer::sameNode(uint64_t IL, uint64_t IR) {
  if (L.getTypeKey(IL) != R.getTypeKey(IR))
    return false;
  if (Attr VL = L.getValue(IL), VR = R.getValue(IR); VL && VR)
    return Same(VL, VR);
  const json::Object *NL = L.getObject(IL), *NR = R.getObject(IR);
  if (!NL || !NR || NL->size() != NR->size())
    return NL == NR;
  for (const auto &[Key, VL] : *NL) {
    const json::Value *VR = NR->get(Key);
    if (!VR)
      return false;
    if (Key == "attrs" && VL.getAsObject() && VR->getAsObject()) {
      if (!sameAttrs(*VL.getAsObject(), *VR->getAsObject()))
        return false;
    } else if (Key == "data" && VL.getAsArray() && VR->getAsArray()) {
      if (!sameData(VL.getAsArray(), VR->getAsArray()))
        return false;
    } else if (VL != *VR) {
      return false;
    }
  }
  return true;
}

bool RawComparer::sameAttrs(const json::Object &AL, const json::Object &AR) {
  if (AL.size() != AR.size())
    return false;
  for (const auto &[Key, VL] : AL) {
    if (Key == "span" || Key == "_checked_type_")
      continue; // ignored by TVM, too
    std::optional<StringRef> TL = VL.getAsString(), TR = AR.getString(Key);
    if (!TL || !TR || !sameField(*TL, *TR))
      return false;
  }
  return true;
}

bool RawComparer::sameField(StringRef VL, StringRef VR) {
  std::optional<uint64_t> IL = L.getReference(VL), IR = R.getReference(VR);
  if (!IL || !IR)
    return VL == VR;
  push(*IL, *IR);
  return true;
}

/// Compares the members of a list or a map, which are all references.
bool RawComparer::sameData(const json::Array *DL, const json::Array *DR) {
  if (DL->size() != DR->size())
    return false;
  for (auto [VL, VR] : llvm::zip(*DL, *DR)) {
    std::optional<uint64_t> IL = VL.getAsUINT64(), IR = VR.getAsUINT64();
    if (!IL || !IR)
      return false;
    push(*IL, *IR);
  }
  return true;
}

bool relay::isSameRaw(Attr L, Attr R, function_ref<bool(Attr, Attr)> Same) {
  return RawComparer(L, R, Same).run();
}
