//===- AttrRef.cpp - Keeping attributes -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AttrRef.h. Constants within other attributes belong to the Context.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/AttrRef.h"
#include "relay/IR/Attrs.h"
#include "relay/IR/TypeUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace relay;

namespace {
/// Visits an attribute and all of its parts, each once.
class AttrWalk {
public:
  explicit AttrWalk(Attr Root) { push(Root); }

  template <typename Fn> void run(Fn Visit) {
    while (!Worklist.empty()) {
      Attr A = Worklist.pop_back_val();
      Visit(A);
      pushParts(A);
    }
  }

private:
  void push(Attr A) {
    if (A && Seen.insert(A).second)
      Worklist.push_back(A);
  }
  void push(ArrayRef<Attr> Parts) {
    for (Attr A : Parts)
      push(A);
  }
  void push(ArrayRef<NamedAttr> Entries) {
    for (const auto &[Key, Value] : Entries)
      push(Value);
  }
  void pushParts(Attr A);

  SmallVector<Attr, 8> Worklist;
  llvm::DenseSet<Attr> Seen;
};
} // namespace

void AttrWalk::pushParts(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::Array:
    return push(A.getArray());
  case Attr::Kind::Dict:
    return push(A.getDict());
  case Attr::Kind::Object:
    return push(A.getFields());
  case Attr::Kind::OpAttrs:
    return push(A.getOpAttrs()->getSlots());
  case Attr::Kind::DimExpr:
    return push(toAttrs(Dim(A).getOperands()));
  case Attr::Kind::Type:
    return walkTypes(A.getType(), [&](Type *Part) {
      if (auto *T = dyn_cast<TensorType>(Part))
        push(toAttrs(T->getShape()));
      return true;
    });
  default:
    return;
  }
}

AttrRef::AttrRef(Attr A) : A(A) {
  if (A && A.getKind() == Attr::Kind::Constant)
    Constant = ConstantRef(A);
  AttrWalk(A).run([this](Attr Part) {
    if (Part.getKind() != Attr::Kind::Raw)
      return;
    auto Document = Part.getRawDocument()->shared_from_this();
    if (!llvm::is_contained(Documents, Document))
      Documents.push_back(std::move(Document));
  });
}
