//===- AttrRef.h - Keeping attributes ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// References that keep attributes alive outside of the IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_ATTRREF_H
#define RELAY_IR_ATTRREF_H

#include "relay/IR/Constant.h"
#include "relay/IR/MetaDocument.h"

namespace relay {

/// An attribute that stays valid as long as its Context, independent of its
/// module: holds the data of a constant, and the documents of its raw metadata.
/// All other parts of an attribute live as long as the Context, so a plain Attr
/// suffices for them.
class AttrRef {
public:
  AttrRef() = default;
  explicit AttrRef(Attr A);

  Attr get() const { return A; }
  const Attr *operator->() const { return &A; }
  explicit operator bool() const { return bool(A); }

private:
  Attr A;
  ConstantRef Constant;
  SmallVector<std::shared_ptr<const MetaDocument>, 1> Documents;
};

} // namespace relay

#endif // RELAY_IR_ATTRREF_H
