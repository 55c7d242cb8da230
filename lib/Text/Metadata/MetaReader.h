//===- MetaReader.h - Objects of the metadata section -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts the nodes of the metadata section to attribute values when text
// refers to them. Nodes of unknown kinds become Raw values, for which the
// document is kept unchanged.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_METAREADER_H
#define RELAY_LIB_TEXT_METADATA_METAREADER_H

#include "MetaJson.h"
#include "MetaObjects.h"
#include "Upgrade/Upgrades.h"
#include "relay/IR/Module.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class MetaReader {
public:
  /// Created objects belong to \p M.
  explicit MetaReader(Module &M) : M(M), Ctx(M.getContext()) {}

  /// Reads the JSON of the section; like MetaJson::read.
  std::optional<std::pair<std::string, const char *>> read(StringRef Text);

  /// Reads the nodes as those of \p Release or, if it is 0, of the release that
  /// they name, and converts them to today's type keys.
  void upgrade(unsigned Release);
  /// Returns the releases that may have written the nodes, if known.
  std::optional<ReleaseRange> getReleases() const { return Releases; }

  const MetaJson &getJson() const { return Json; }
  /// Returns the value of the node \p Id; like get().
  FailureOr<Attr> getNode(uint32_t Id);
  /// Returns the name of a TypeVar or GlobalTypeVar, if it has one.
  std::optional<StringRef> getTypeName(const MetaJsonNode &N) const;
  /// Returns the string in the field \p Name of \p N, stored in place or as a
  /// node.
  StringRef getText(const MetaJsonNode &N, StringRef Name) const;

  /// Returns the fields of the attributes `meta[Key][Index]` of a call of \p
  /// Operator by name; like get(). \p Info is the attributes' declaration, or
  /// null.
  bool getFields(StringRef Key, size_t Index, StringRef Operator,
                 const AttrsInfo *Info, SmallVectorImpl<NamedAttr> &Fields);
  /// Reads the fields of the node \p Id; otherwise as above.
  bool getFields(uint32_t Id, StringRef Operator, const AttrsInfo *Info,
                 SmallVectorImpl<NamedAttr> &Fields);

  /// Returns the number of objects with the key \p Key.
  size_t getNumObjects(StringRef Key) const { return getList(Key).size(); }
  /// Returns the existing object `meta[Key][Index]`. Fails if it is malformed:
  /// see getError().
  FailureOr<Attr> get(StringRef Key, size_t Index);
  const std::string &getError() const { return Error; }

  /// Returns the document that Raw values refer to; null if there are none.
  std::shared_ptr<MetaDocument> takeDocument() {
    if (Document)
      Document->Values = Values;
    return std::move(Document);
  }

private:
  using Node = MetaJsonNode;
  using Handler = bool (MetaReader::*)(const Node &, Attr &);
  enum class State : uint8_t { New, Entered, Done };

  bool fail(const Twine &Message) {
    if (Error.empty())
      Error = Message.str();
    return false;
  }
  ArrayRef<uint32_t> getList(StringRef Key) const;
  static Handler getHandler(StringRef TypeKey);

  bool decode(uint32_t Id, Attr &Out);
  bool decodeChild(const Node &N, StringRef Name, Attr &Out);
  bool decodeType(const Node &N, StringRef Name, Type *&Out);
  bool decodeTypes(const Node &N, StringRef Name, SmallVectorImpl<Type *> &Out);
  bool checkFieldNames(const Node &N, ArrayRef<MetaField> Fields);
  bool readObjectField(const Node &N, const MetaField &Field, Attr &Out);
  bool failField(const Node &N, const MetaField &Field, StringRef Expected) {
    return fail("`" + N.TypeKey + "`: `" + Field.Name + "` is not " + Expected);
  }
  bool decodeField(const Node &N, const AttrField &Field, Attr &Out);
  bool decodeOldField(StringRef Operator, StringRef Name,
                      const AttrField *Field, StringRef Text, Attr &Out);
  bool isOld() const {
    return Releases && Releases->Max < ReleaseRange::Current;
  }
  Attr makeRaw(uint32_t Id);
  void makeDocument();
  bool getDType(const Node &N, DType &Out);

  bool readNone(const Node &N, Attr &Out);
  bool readIntImm(const Node &N, Attr &Out);
  bool readFloatImm(const Node &N, Attr &Out);
  bool readBox(const Node &N, Attr &Out);
  bool readString(const Node &N, Attr &Out);
  bool readArray(const Node &N, Attr &Out);
  bool readMap(const Node &N, Attr &Out);
  bool readConstant(const Node &N, Attr &Out);
  bool readNDArrayObject(const Node &N, Attr &Out);
  bool readVar(const Node &N, Attr &Out);
  bool readAny(const Node &N, Attr &Out);
  bool readArithmetic(const Node &N, Attr &Out);
  bool readTensorType(const Node &N, Attr &Out);
  bool readTupleType(const Node &N, Attr &Out);
  bool readFuncType(const Node &N, Attr &Out);
  bool readRefType(const Node &N, Attr &Out);
  bool readTypeVar(const Node &N, Attr &Out);
  bool readTypeCall(const Node &N, Attr &Out);
  bool readIncompleteType(const Node &N, Attr &Out);
  bool readOpAttrs(const Node &N, Attr &Out);
  bool readObject(const Node &N, Attr &Out);

  Module &M;
  Context &Ctx;
  MetaJson Json;
  std::optional<ReleaseRange> Releases;
  std::vector<State> States;
  std::vector<Attr> Values;
  /// The sizes of finished nodes, counted as trees, and of the nodes used so
  /// far by the node that is being read.
  std::vector<uint64_t> Sizes;
  uint64_t TreeSize = 0;
  unsigned Depth = 0;
  unsigned NumIncompleteTypes = 0; ///< decoded so far
  std::string Error;
  std::shared_ptr<MetaDocument> Document;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_METAREADER_H
