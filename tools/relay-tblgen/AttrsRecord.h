//===- AttrsRecord.h - Attributes of a .td file -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrappers of the records of OpBase.td that declare attributes. They check the
// fields that they read and report errors at their positions in the .td file,
// so that backends need neither field strings nor checks.
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
  /// Returns `dataLayout` and `DataLayout` for `data_layout`.
  std::string getLowerCamel() const;
  std::string getUpperCamel() const;
  /// Returns `DataLayoutSlot`.
  std::string getSlotName() const { return getUpperCamel() + "Slot"; }

  /// Returns an enumerator of relay::FieldKind.
  llvm::StringRef getKind() const;
  /// Returns a description such as `list of integers`.
  llvm::StringRef getDescription() const;
  /// Returns the result type of the accessor, and the function of Attrs that it
  /// calls.
  llvm::StringRef getCppType() const;
  llvm::StringRef getGetter() const;
  /// Returns the parameter type of get(), the builder and build() of ops.
  llvm::StringRef getParameterType() const;
  /// Returns an expression for the Attr of \p Value, which has the parameter's
  /// type.
  std::string getSetter(llvm::StringRef Context, llvm::StringRef Value) const;

  /// Returns the text of the default value; none if the field is required.
  std::optional<llvm::StringRef> getDefault() const;
  bool isNullable() const;
  /// Returns true if TVM stores the value as an object.
  bool isBoxed() const;
  /// Returns the name of the operand that it mirrors; empty if there is none.
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
  /// Returns true if a call may omit all fields.
  bool isOptional() const;
  /// Returns the fields that do not mirror an operand.
  std::vector<FieldRecord> getOwnFields() const;

private:
  const llvm::Record *R;
  std::vector<FieldRecord> Fields;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_ATTRSRECORD_H
