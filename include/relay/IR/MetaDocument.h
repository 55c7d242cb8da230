//===- MetaDocument.h - Metadata of unknown kinds ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A metadata graph as read, which attributes of kind Raw refer to. Modules hold
// it, and so does every AttrRef of such an attribute.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_METADOCUMENT_H
#define RELAY_IR_METADOCUMENT_H

#include "relay/IR/Attr.h"
#include <memory>
#include <string>
#include <vector>

namespace relay {

struct MetaDocumentSlot;

/// One node of a metadata graph, as in TVM's JSON.
struct MetaNode {
  std::string TypeKey;
  std::string JSON; ///< the whole node's text, reformatted canonically
};

/// A metadata graph with nodes of unknown kind, which are printed back: all
/// nodes keep their indices, since the references of an unknown node are
/// unknown.
class MetaDocument : public std::enable_shared_from_this<MetaDocument> {
public:
  /// The nodes and, as base64, TVM's saved arrays, as read. The document may
  /// not outlive \p Ctx.
  static std::shared_ptr<MetaDocument> create(Context &Ctx,
                                              std::vector<MetaNode> Nodes,
                                              std::vector<std::string> Arrays);
  MetaDocument(const MetaDocument &) = delete;
  ~MetaDocument();

  const std::vector<MetaNode> Nodes;
  const std::vector<std::string> Arrays;
  /// By node: the value that the reader made of it; none where it made none.
  /// Tells which variables of the text an unknown node refers to.
  std::vector<Attr> Values;

private:
  friend class Context;
  MetaDocument(Context &Ctx, std::vector<MetaNode> Nodes,
               std::vector<std::string> Arrays);

  Context &Ctx;
  MetaDocumentSlot *Slot; ///< the identity of the document
};

} // namespace relay

#endif // RELAY_IR_METADOCUMENT_H
