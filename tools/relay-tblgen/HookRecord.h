//===- HookRecord.h - Hooks and facts of a .td file -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrappers of the OpHook and OpFact records, of the classes that declare their
// kinds, and of the entries of a file. They check the fields that they read and
// report errors at the record in the .td file.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_HOOKRECORD_H
#define RELAY_TBLGEN_HOOKRECORD_H

#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace relay::tblgen {

/// A parameter of a function: a type in C++ and a name.
struct HookParameter {
  std::string Type, Name;
};

/// The type of the functions of a kind of hook.
class HookSignature {
public:
  /// \p R is a record of the kind, or the class that declares the kind.
  explicit HookSignature(const llvm::Record &R);

  /// Returns a type such as `Value *`.
  llvm::StringRef getResultType() const;
  /// Returns `Rewriter &R, Operation *Op`, followed by the data if \p WithData.
  std::string getParameterList(bool WithData = false) const;
  /// Returns `Value *(Rewriter &R, Operation *Op)`.
  std::string getType(bool WithData) const {
    return (getResultType() + "(" + getParameterList(WithData) + ")").str();
  }
  /// Returns `Value *expandDropout(Rewriter &R, Operation *Op)`.
  std::string getDeclaration(llvm::StringRef Function) const;
  /// Returns `R, Op`, to forward the arguments.
  std::string getForwardedNames() const;
  bool hasData() const { return !DataType.empty(); }
  llvm::StringRef getDataType() const { return DataType; }
  const llvm::Record &getResult() const { return *Result; }

private:
  void addArguments(const llvm::Record &R);

  const llvm::Record *Result;
  std::vector<HookParameter> Parameters;
  std::string DataType;
};

/// A kind: a class derived directly from OpHook or OpFact.
class HookKindRecord {
public:
  explicit HookKindRecord(const llvm::Record &Class);

  /// Returns a name such as `Expansion`.
  llvm::StringRef getName() const { return Class->getName(); }
  bool isFact() const;
  /// Returns the signature of a kind of hook.
  HookSignature getSignature() const { return HookSignature(*Class); }
  /// Returns expressions of `Result` that test for no opinion and for failure;
  /// empty if the kind has none.
  std::string getNoOpinionTest() const;
  std::string getFailureTest() const;

  // For a kind of fact:
  /// Returns an enumerator of relay::OpFactType.
  llvm::StringRef getFactType() const;
  /// Returns the C++ type of the values.
  std::string getValueType() const;
  std::vector<llvm::StringRef> getEnumValues() const;

private:
  const llvm::Record &getTypeRecord() const;

  const llvm::Record *Class;
};

/// A record of a kind: an operator and its function or value.
class HookRecord {
public:
  explicit HookRecord(const llvm::Record &R);

  const llvm::Record &getRecord() const { return *R; }
  llvm::StringRef getKind() const;
  bool isFact() const;
  /// Returns the C++ class of the operator, `BatchNormOp`.
  llvm::StringRef getOpClass() const;
  llvm::StringRef getKey() const;
  int64_t getLevel() const;
  /// Returns the function or the value, as in messages.
  llvm::StringRef getName() const;
  /// Returns the type of the function, which the kind and its data determine.
  std::string getFunctionType() const;
  /// Returns a C++ expression, the last argument of the function; may be empty.
  llvm::StringRef getData() const;
  HookSignature getSignature() const { return HookSignature(*R); }
  /// Returns the value of a fact, or the number of a hook, as an initializer of
  /// relay::OpFactValue; empty for the default.
  std::string getValueInitializer() const;

private:
  void checkFunction() const;
  void checkValue() const;

  const llvm::Record *R;
};

/// The kinds that a .td file declares, with all their entries, including those
/// of included files; and its own entries of other kinds. Other entries of
/// included files are only checked.
class HookFile {
public:
  explicit HookFile(const llvm::RecordKeeper &Records);

  llvm::ArrayRef<HookKindRecord> getKinds() const { return Kinds; }
  /// Returns the entries of the kind \p Kind of this file.
  std::vector<HookRecord> getHooksOf(const HookKindRecord &Kind) const;
  /// Returns the kinds of included files for which the file has entries, in the
  /// order of their first entry.
  std::vector<llvm::StringRef> getForeignKinds() const;
  std::vector<HookRecord> getForeignHooks(llvm::StringRef Kind) const;
  bool declaresFacts() const;
  llvm::ArrayRef<HookRecord> getHooks() const { return Hooks; }
  /// Returns the file's name without directory and suffix.
  llvm::StringRef getStem() const { return Stem; }

private:
  void readKinds(const llvm::RecordKeeper &Records);
  void checkKind(const HookRecord &Hook) const;
  void readHooks(const llvm::RecordKeeper &Records);
  /// Returns true if the file itself declares the kind of \p Hook.
  bool isOwnKind(const HookRecord &Hook) const;

  std::string Stem;
  llvm::StringSet<> KindNames; ///< of included files too
  std::vector<HookKindRecord> Kinds;
  std::vector<HookRecord> Hooks;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_HOOKRECORD_H
