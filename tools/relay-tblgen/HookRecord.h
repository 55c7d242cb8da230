//===- HookRecord.h - Hooks of a .td file -----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wrappers of the OpHook records and of the classes that declare kinds of them,
// and the hooks of a file as a whole. They check what they read and report what
// is wrong at its place in the .td file.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_HOOKRECORD_H
#define RELAY_TBLGEN_HOOKRECORD_H

#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace relay::tblgen {

/// A class derived from OpHook itself: a kind of hook.
class HookKindRecord {
public:
  explicit HookKindRecord(const llvm::Record &Class);

  /// `Expansion`
  llvm::StringRef getName() const { return Class->getName(); }
  /// The type of its functions, `Value *(Rewriter &R, Operation *Op)`.
  llvm::StringRef getSignature() const;

private:
  const llvm::Record *Class;
};

/// A record of a kind of hook: an operator and the function bound to it.
class HookRecord {
public:
  explicit HookRecord(const llvm::Record &R);

  const llvm::Record &getRecord() const { return *R; }
  llvm::StringRef getKind() const;
  /// C++ class of the operator, `BatchNormOp`.
  llvm::StringRef getOpClass() const;
  llvm::StringRef getFunction() const;
  /// The type of the function, as the kind says.
  llvm::StringRef getSignature() const;

private:
  const llvm::Record *R;
};

/// The kinds that a .td file declares itself, with all their hooks, also those
/// in files that it includes; and its own hooks of other kinds. What else is in
/// included files is only checked.
class HookFile {
public:
  explicit HookFile(const llvm::RecordKeeper &Records);

  llvm::ArrayRef<HookKindRecord> getKinds() const { return Kinds; }
  /// The hooks of the kind \p Kind of this file.
  std::vector<HookRecord> getHooksOf(const HookKindRecord &Kind) const;
  /// Hooks of kinds that are declared in included files.
  std::vector<HookRecord> getForeignHooks() const;
  llvm::ArrayRef<HookRecord> getHooks() const { return Hooks; }
  /// The file's name without directory and suffix.
  llvm::StringRef getStem() const { return Stem; }

private:
  void readKinds(const llvm::RecordKeeper &Records);
  void checkKind(const HookRecord &Hook) const;
  void readHooks(const llvm::RecordKeeper &Records);
  /// Whether the file itself declares the kind of \p Hook.
  bool isOwnKind(const HookRecord &Hook) const;

  std::string Stem;
  llvm::StringSet<> KindNames; ///< of included files too
  std::vector<HookKindRecord> Kinds;
  std::vector<HookRecord> Hooks;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_HOOKRECORD_H
