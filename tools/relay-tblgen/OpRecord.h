//===- OpRecord.h - Ops of a .td file ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrappers of the records of OpBase.td that declare ops, and of the ops of a
// file. They check the fields that they read and report errors at their
// positions in the .td file, so that backends need neither field strings nor
// checks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_OPRECORD_H
#define RELAY_TBLGEN_OPRECORD_H

#include "AttrsRecord.h"
#include "llvm/ADT/DenseMap.h"

namespace relay::tblgen {

/// One operand of an op: its name and its OperandKind.
class OperandRecord {
public:
  OperandRecord(const llvm::Record &Op, llvm::StringRef Name,
                const llvm::Init *Kind);

  llvm::StringRef getName() const { return Name; }
  std::string getLowerCamel() const;
  std::string getUpperCamel() const;
  /// Returns a description such as `a tensor`.
  llvm::StringRef getDescription() const;
  bool isVariadic() const;

private:
  llvm::StringRef Name;
  const llvm::Record *Kind;
};

/// An OpDef: an operator or a construct of the core language.
class OpRecord {
public:
  explicit OpRecord(const llvm::Record &R);

  const llvm::Record &getRecord() const { return *R; }
  llvm::StringRef getClassName() const { return R->getName(); }
  /// Returns TVM's name, `nn.conv2d`.
  llvm::StringRef getName() const;
  /// Returns an enumerator of relay::OpCode.
  llvm::StringRef getCode() const;
  bool isOperator() const { return getCode() == "Operator"; }
  llvm::StringRef getSummary() const;
  llvm::StringRef getDescription() const;

  llvm::ArrayRef<OperandRecord> getOperands() const { return Operands; }
  /// Returns the operands before the variadic one, if there is one.
  llvm::ArrayRef<OperandRecord> getFixedOperands() const;
  bool isVariadic() const;
  /// Returns the index of the operand \p Name, or -1.
  int getOperandIndex(llvm::StringRef Name) const;
  /// Returns null if the op takes no attributes.
  const AttrsRecord *getAttributes() const {
    return Attributes ? &*Attributes : nullptr;
  }
  /// Returns -1 for any number.
  int getNumRegions() const;

  /// Returns an enumerator of relay::FusionKind.
  llvm::StringRef getFusionKind() const;
  /// Returns enumerators of relay::OpTrait, including implied ones.
  llvm::ArrayRef<llvm::StringRef> getTraits() const { return Traits; }
  /// Return names of functions; empty if there is none.
  llvm::StringRef getRelation() const;
  llvm::StringRef getVerifier() const;
  /// Returns a flag per operand; empty if TVM registers none.
  std::vector<bool> getShapeDataDependent() const;

private:
  void readOperands();
  void readTraits();

  const llvm::Record *R;
  std::vector<OperandRecord> Operands;
  std::optional<AttrsRecord> Attributes;
  std::vector<llvm::StringRef> Traits;
};

/// The declarations of a .td file itself; included files are only checked.
class OpFile {
public:
  explicit OpFile(const llvm::RecordKeeper &Records);

  llvm::ArrayRef<OpRecord> getOps() const { return Ops; }
  llvm::ArrayRef<AttrsRecord> getAttrs() const { return Attrs; }
  /// Returns the family that the file is named after: `NN` for `NN.td`.
  llvm::StringRef getFamily() const { return Family; }
  /// Returns the index of the operand that \p Field of \p A repeats; -1 for a
  /// value.
  int getMirroredIndex(const AttrsRecord &A, const FieldRecord &Field) const;

private:
  void checkMirrors(const AttrsRecord &A);

  std::string Family;
  std::vector<OpRecord> AllOps;
  std::vector<OpRecord> Ops;
  std::vector<AttrsRecord> Attrs;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_OPRECORD_H
