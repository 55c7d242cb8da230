//===- PassRecord.h - Passes of a .td file ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrappers of the records of PassBase.td, and of the passes of a file. They
// check the fields that they read and report errors at their positions in the
// .td file, so that backends need neither field strings nor checks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_PASSRECORD_H
#define RELAY_TBLGEN_PASSRECORD_H

#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace relay::tblgen {

/// A PassOption, of a pass or of the config.
class PassOptionRecord {
public:
  explicit PassOptionRecord(const llvm::Record &R);

  llvm::StringRef getName() const;
  /// Returns `MaxDepth` for `max-depth`.
  std::string getMember() const;
  /// Returns an enumerator of relay::PassOptionKind: the type of the scalars.
  llvm::StringRef getKind() const;
  /// Returns an enumerator of relay::PassOptionShape.
  llvm::StringRef getShape() const;
  bool isOptional() const;
  /// Return the least and the greatest number, or empty.
  llvm::StringRef getMin() const;
  llvm::StringRef getMax() const;
  /// Returns the values of an Enum, and the enumerator of one of them.
  std::vector<llvm::StringRef> getValues() const;
  std::string getEnumerator(llvm::StringRef Value) const;
  /// Returns the name of the enumeration in a pass's options: `ModeValue` for
  /// `mode`.
  std::string getEnumName() const { return getMember() + "Value"; }
  /// Returns the C++ type; \p EnumName is the type of an Enum's scalars.
  std::string getCppType(llvm::StringRef EnumName) const;
  /// Returns the type in readable form: `int, 1 to 8`.
  std::string getTypeText() const;
  /// Returns the default as a C++ initializer.
  std::string getInitializer() const;
  /// Returns the default as text.
  std::string getDefault() const;
  llvm::StringRef getDescription() const;
  /// Returns the problem of the record; empty if there is none.
  std::string check() const;

private:
  std::vector<llvm::StringRef> getDefaults() const;
  std::string getScalarType(llvm::StringRef EnumName) const;
  /// Returns true if the scalars are texts.
  bool isText() const { return getKind() == "String" || getKind() == "File"; }
  /// Returns \p Text, which is one scalar, as C++.
  std::string getScalarInitializer(llvm::StringRef Text) const;
  std::string getMapInitializer() const;
  std::string checkValues() const;
  std::string checkLimits() const;
  std::string checkDefault() const;
  std::string checkScalar(llvm::StringRef Text) const;

  const llvm::Record *R;
  /// The ScalarType of its scalars.
  const llvm::Record *Scalar;
};

/// A Statistic.
class StatisticRecord {
public:
  explicit StatisticRecord(const llvm::Record &R) : R(&R) {}

  llvm::StringRef getName() const;
  llvm::StringRef getDescription() const;

private:
  const llvm::Record *R;
};

/// A PassTolerance.
class ToleranceRecord {
public:
  explicit ToleranceRecord(const llvm::Record &R);

  /// Return C++ numbers.
  llvm::StringRef getRelative() const;
  llvm::StringRef getAbsolute() const;
  llvm::StringRef getNotCompared() const;
  llvm::StringRef getReason() const;
  /// Returns true if floats must be equal.
  bool keepsSpecialValues() const;
  bool changesFloatTypes() const;
  bool isExact() const;
  unsigned getSteps() const;

private:
  const llvm::Record *R;
};

/// A PassDef.
class PassRecord {
public:
  explicit PassRecord(const llvm::Record &R);

  const llvm::Record &getRecord() const { return *R; }
  llvm::StringRef getName() const { return R->getName(); }
  llvm::StringRef getArgument() const;
  /// Returns an enumerator of relay::PassUnit.
  llvm::StringRef getUnit() const;
  llvm::StringRef getSummary() const;
  llvm::StringRef getDescription() const;
  int64_t getOptLevel() const;
  bool isRequired() const;
  /// Returns true for a Pipeline, and its text.
  bool isPipeline() const;
  llvm::StringRef getPipelineText() const;
  /// Return names of passes, and their arguments.
  std::vector<llvm::StringRef> getRequires() const;
  std::vector<llvm::StringRef> getRequiredArguments() const;
  /// Returns C++ classes of analyses.
  std::vector<llvm::StringRef> getPreserves() const;
  std::vector<llvm::StringRef> getModuleAnalyses() const;
  /// Returns the kinds of remarks.
  std::vector<llvm::StringRef> getRemarks() const;
  ToleranceRecord getTolerance() const;
  llvm::ArrayRef<PassOptionRecord> getOptions() const { return Options; }
  llvm::ArrayRef<StatisticRecord> getStatistics() const { return Statistics; }

private:
  void checkOptions() const;
  void checkPlaceholders() const;

  const llvm::Record *R;
  std::vector<PassOptionRecord> Options;
  std::vector<StatisticRecord> Statistics;
};

/// A ConfigOption.
class ConfigRecord {
public:
  explicit ConfigRecord(const llvm::Record &R);

  llvm::StringRef getName() const { return R->getName(); }
  llvm::StringRef getKey() const;
  const PassOptionRecord &getOption() const { return Option; }

private:
  const llvm::Record *R;
  PassOptionRecord Option;
};

/// A Target.
class TargetRecord {
public:
  explicit TargetRecord(const llvm::Record &R);

  /// Returns the name of the record, `LLVM`.
  llvm::StringRef getRecordName() const { return R->getName(); }
  /// Returns the name of the target, `llvm`.
  llvm::StringRef getName() const;
  llvm::StringRef getSummary() const;
  std::vector<llvm::StringRef> getKeys() const;
  /// Returns the number of its devices in DLPack.
  int64_t getDeviceType() const;
  llvm::ArrayRef<PassOptionRecord> getOptions() const { return Options; }

private:
  const llvm::Record *R;
  std::vector<PassOptionRecord> Options;
};

/// A PatternTable.
class PatternTableRecord {
public:
  explicit PatternTableRecord(const llvm::Record &R);

  /// Returns the name of the target's record, `DNNL`, and the target's name.
  llvm::StringRef getTargetRecordName() const;
  llvm::StringRef getTarget() const;
  llvm::StringRef getFile() const { return R->getValueAsString("File"); }
  /// Returns the text of the file.
  std::string readText() const;
  std::vector<llvm::StringRef> getChecks() const {
    return R->getValueAsListOfStrings("Checks");
  }

private:
  const llvm::Record *R;
};

/// An AbsentPass.
class AbsentPassRecord {
public:
  explicit AbsentPassRecord(const llvm::Record &R) : R(&R) {}

  llvm::StringRef getName() const { return R->getValueAsString("Name"); }
  llvm::StringRef getReason() const { return R->getValueAsString("Reason"); }

private:
  const llvm::Record *R;
};

/// An ExtensionPoint.
class ExtensionPointRecord {
public:
  explicit ExtensionPointRecord(const llvm::Record &R);

  llvm::StringRef getName() const;
  llvm::StringRef getDescription() const;

private:
  const llvm::Record *R;
};

/// An Extension.
class ExtensionRecord {
public:
  explicit ExtensionRecord(const llvm::Record &R) : R(&R) {}

  const llvm::Record &getRecord() const { return *R; }
  llvm::StringRef getPoint() const;
  llvm::StringRef getText() const;

private:
  const llvm::Record *R;
};

/// The declarations of the main file, in order.
class PassFile {
public:
  explicit PassFile(const llvm::RecordKeeper &Records);

  /// Returns the passes, including pipelines.
  llvm::ArrayRef<PassRecord> getPasses() const { return Passes; }
  llvm::ArrayRef<ExtensionPointRecord> getExtensionPoints() const {
    return ExtensionPoints;
  }
  llvm::ArrayRef<ExtensionRecord> getExtensions() const { return Extensions; }
  llvm::ArrayRef<ConfigRecord> getConfigOptions() const { return Config; }
  llvm::ArrayRef<TargetRecord> getTargets() const { return Targets; }
  llvm::ArrayRef<PatternTableRecord> getPatternTables() const {
    return PatternTables;
  }
  llvm::ArrayRef<AbsentPassRecord> getAbsentPasses() const {
    return AbsentPasses;
  }
  llvm::ArrayRef<llvm::StringRef> getReferenceNames() const {
    return ReferenceNames;
  }
  llvm::ArrayRef<llvm::StringRef> getReferenceConfigs() const {
    return ReferenceConfigs;
  }

private:
  void checkPipelines(const llvm::RecordKeeper &Records) const;

  std::vector<PassRecord> Passes;
  std::vector<ExtensionPointRecord> ExtensionPoints;
  std::vector<ExtensionRecord> Extensions;
  std::vector<ConfigRecord> Config;
  std::vector<TargetRecord> Targets;
  std::vector<PatternTableRecord> PatternTables;
  std::vector<AbsentPassRecord> AbsentPasses;
  std::vector<llvm::StringRef> ReferenceNames, ReferenceConfigs;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_PASSRECORD_H
