//===- RewriteRecord.h - Rules of a .td file --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrappers of the records of RewriteBase.td, and of the rules and patterns of a
// file.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_REWRITERECORD_H
#define RELAY_TBLGEN_REWRITERECORD_H

#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace relay::tblgen {

/// A Rewrite.
class RewriteRecord {
public:
  explicit RewriteRecord(const llvm::Record &R);

  const llvm::Record &getRecord() const { return *R; }
  llvm::StringRef getName() const { return R->getName(); }
  llvm::StringRef getSummary() const;
  int64_t getBenefit() const;
  bool sharesInner() const;
  /// Returns enumerators of ExceptedNumbers.
  std::vector<llvm::StringRef> getExcepted() const;
  const llvm::DagInit &getSource() const;
  const llvm::DagInit &getResult() const;
  std::vector<const llvm::DagInit *> getConstraints() const;
  std::vector<const llvm::DagInit *> getExamples() const;

private:
  const llvm::Record *R;
};

/// A CompositePattern.
class CompositePatternRecord {
public:
  explicit CompositePatternRecord(const llvm::Record &R);

  const llvm::Record &getRecord() const { return *R; }
  /// Returns a name such as `dnnl.conv2d_relu`.
  llvm::StringRef getName() const;
  const llvm::DagInit &getSource() const;

private:
  const llvm::Record *R;
};

/// A Constraint or a NativeCode.
class NativeFunctionRecord {
public:
  explicit NativeFunctionRecord(const llvm::Record &R);

  bool isConstraint() const { return R->isSubClassOf("Constraint"); }
  llvm::StringRef getFunction() const;
  /// Returns the type of the result.
  llvm::StringRef getType() const;
  /// Returns the types of its parameters; empty if they follow from the
  /// arguments.
  std::vector<llvm::StringRef> getParameters() const;

private:
  const llvm::Record *R;
};

/// The declarations of a .td file itself, in order.
class RewriteFile {
public:
  explicit RewriteFile(const llvm::RecordKeeper &Records);

  llvm::ArrayRef<RewriteRecord> getRules() const { return Rules; }
  llvm::ArrayRef<CompositePatternRecord> getPatterns() const {
    return Patterns;
  }
  /// Returns the file's name without directory and suffix.
  llvm::StringRef getStem() const { return Stem; }

private:
  void checkShadowed() const;

  std::string Stem;
  std::vector<RewriteRecord> Rules;
  std::vector<CompositePatternRecord> Patterns;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_REWRITERECORD_H
