//===- MetaNodeBuilder.h - Nodes of TVM's JSON ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the JSON nodes of attribute values and types, for the metadata
// section and for modules as JSON (JsonWriter.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_METADATA_METANODEBUILDER_H
#define RELAY_LIB_TEXT_METADATA_METANODEBUILDER_H

#include "MetaWriter.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// Creates the nodes of entries. The recursion is bounded by the nesting of
/// attribute values.
class MetaNodeBuilder {
public:
  MetaNodeBuilder(const MetaWriter &Writer, Context &Ctx);
  virtual ~MetaNodeBuilder() = default;
  void write(raw_ostream &OS) const;

protected:
  using Attribute = std::pair<StringRef, StringRef>;

  explicit MetaNodeBuilder(Context &Ctx) : Ctx(Ctx) {}
  void findDocument(Attr A);
  /// Reserves the indices of the document's nodes, and 0 for None.
  void keepDocument();
  void keepArray(StringRef JSON);
  void fillGaps();
  uint32_t allocate();
  std::string text(uint32_t Id) const { return std::to_string(Id); }
  std::string textOf(Attr A) { return text(build(A)); }

  void set(uint32_t Id, StringRef TypeKey, std::optional<StringRef> Repr,
           ArrayRef<Attribute> Attrs = {}, ArrayRef<StringRef> Keys = {},
           ArrayRef<uint32_t> Data = {});
  uint32_t buildEntry(const MetaWriter::Entry &E);
  uint32_t buildConstant(Attr A, uint32_t Id);
  uint32_t buildVar(StringRef Name, Attr Annotation);
  uint32_t buildString(StringRef Text);
  uint32_t buildVirtualDevice();
  uint32_t build(Attr A);
  void buildInto(uint32_t Id, Attr A);
  void buildDim(uint32_t Id, Dim D);
  void buildType(uint32_t Id, Type *T);
  /// \p GetOperand returns the node of an operand that an attribute mirrors.
  void buildOpAttrs(uint32_t Id, const Attrs *A,
                    function_ref<uint32_t(unsigned)> GetOperand = nullptr);
  /// Returns the node of the name of a type definition.
  virtual uint32_t buildGlobalTypeVar(StringRef Name);
  void buildObject(uint32_t Id, Attr A);
  std::string buildTypes(ArrayRef<Type *> Types);
  uint32_t addArray(const ConstantData *Data);
  std::string directText(Attr A) const;

  Context &Ctx;
  std::vector<std::string> Nodes;
  /// An array to copy, or data to encode.
  struct ArraySlot {
    StringRef Text;
    const ConstantData *Data = nullptr;
    bool isFree() const { return Text.empty() && !Data; }
  };
  std::vector<ArraySlot> Arrays;
  llvm::DenseMap<Attr, uint32_t> Ids;
  llvm::DenseMap<const ConstantData *, uint32_t> ArrayIds;
  const MetaDocument *Document = nullptr;
  SmallVector<uint32_t, 4> RawNodes;
  llvm::DenseSet<uint32_t> Reserved; // indices not available to new nodes
  uint32_t NextNode = 0, NextArray = 0;
  uint32_t VirtualDevice = 0;
  uint32_t Root = 0;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_METADATA_METANODEBUILDER_H
