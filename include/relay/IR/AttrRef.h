//===- AttrRef.h - Keeping attributes ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What keeps an attribute beside the IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_ATTRREF_H
#define RELAY_IR_ATTRREF_H

#include "relay/IR/Constant.h"
#include "relay/IR/MetaDocument.h"

namespace relay {

/// An attribute that stays valid as long as its Context, whatever becomes of
/// the module that it was in: holds the data of a constant, and the documents
/// of the raw metadata in it. All else in an attribute lives as long as the
/// Context, so that a plain Attr does for it.
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
