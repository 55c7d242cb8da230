//===- AttrsRecord.h - Attributes of a .td file -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrappers of the records of OpBase.td that declare attributes. They check what
// they read and report what is wrong at its place in the .td file, so that
// backends need neither field strings nor checks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_ATTRSRECORD_H
#define RELAY_TBLGEN_ATTRSRECORD_H

#include "llvm/TableGen/Record.h"
#include <optional>
#include <string>
#include <vector>

namespace relay::tblgen {

/// One field of an AttrsDef: its name and its FieldKind.
class FieldRecord {
public:
  FieldRecord(const llvm::Record &Attrs, llvm::StringRef Name,
              const llvm::Init *Kind);

  llvm::StringRef getName() const { return Name; }
  /// `dataLayout` and `DataLayout` of `data_layout`.
  std::string getLowerCamel() const;
  std::string getUpperCamel() const;
  /// `DataLayoutSlot`.
  std::string getSlotName() const { return getUpperCamel() + "Slot"; }

  /// Enumerator of relay::FieldKind.
  llvm::StringRef getKind() const;
  /// `list of integers`
  llvm::StringRef getDescription() const;
  /// What the accessor returns, and the function of Attrs that it calls.
  llvm::StringRef getCppType() const;
  llvm::StringRef getGetter() const;
  /// What get(), the builder and build() of ops take for it.
  llvm::StringRef getParameterType() const;
  /// The expression for the Attr of \p Value, of the parameter's type.
  std::string getSetter(llvm::StringRef Context, llvm::StringRef Value) const;

  /// Text of the default value; none when the field is required.
  std::optional<llvm::StringRef> getDefault() const;
  bool isNullable() const;
  /// Whether TVM keeps it as an object.
  bool isBoxed() const;
  /// Name of the operand that it repeats; empty when it is a value of its own.
  llvm::StringRef getMirroredOperand() const;
  bool isMirror() const { return !getMirroredOperand().empty(); }

private:
  llvm::StringRef Name;
  const llvm::Record *Kind;
};

/// An AttrsDef.
class AttrsRecord {
public:
  explicit AttrsRecord(const llvm::Record &R);

  const llvm::Record &getRecord() const { return *R; }
  llvm::StringRef getClassName() const { return R->getName(); }
  llvm::StringRef getTypeKey() const;
  llvm::StringRef getSummary() const;
  llvm::ArrayRef<FieldRecord> getFields() const { return Fields; }
  /// Whether a call may leave all of them out.
  bool isOptional() const;
  /// Those that are values of their own.
  std::vector<FieldRecord> getOwnFields() const;

private:
  const llvm::Record *R;
  std::vector<FieldRecord> Fields;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_ATTRSRECORD_H
