//===- Target.h - The hardware or library to compile for --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target describes the machine to passes: its keys select hooks and facts of
// operators (OpHooks.h), its options are typed. There is no code generation.
// Targets are records (class Target of PassBase.td); Targets.td declares TVM's
// targets.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_TARGET_H
#define RELAY_PASS_TARGET_H

#include "relay/Pass/PassOptions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace relay {

class PassRegistry;

/// A target as its record declares it.
struct TargetInfo {
  StringRef Name;    ///< `llvm`
  StringRef Summary; ///< one line, no full stop
  ArrayRef<StringRef> Keys;
  ArrayRef<PassOptionInfo> Options;
  int DeviceType = 1; ///< of its devices, by its number in DLPack
};

/// A target with the values of its options.
class Target {
public:
  /// The option that adds a key, and the option that replaces the declared
  /// keys, for targets that declare these options.
  static constexpr StringLiteral DeviceOption = "device", KeysOption = "keys";

  /// Reads \p Text, `llvm,mcpu=skylake,mattr=+avx2,+fma`. A piece without `=`
  /// is an option of type bool, or continues a list. The target refers to
  /// \p Registry.
  static llvm::Expected<Target> parse(StringRef Text,
                                      const PassRegistry &Registry);

  Target(Target &&) = default;
  Target &operator=(Target &&) = default;

  const TargetInfo &getInfo() const { return *Info; }
  StringRef getName() const { return Info->Name; }
  /// Returns the keys of lookups, in order: the name, the value of `device`,
  /// and the declared keys or the value of `keys`.
  ArrayRef<StringRef> getKeys() const { return Keys; }
  /// Returns the value of the declared option \p Name, or its default. T is the
  /// type of the option, or a std::optional of it for an optional option.
  template <typename T> T getOption(StringRef Name) const {
    T Value{};
    if (std::optional<PassOptionValue> Present = getValue(Name))
      readOption(*Present, Value);
    return Value;
  }

  /// Returns the value of the declared option \p Name, or its default; none if
  /// it is absent.
  std::optional<PassOptionValue> getValue(StringRef Name) const;
  /// Returns true if the target compiles for x86 with \p Feature, such as
  /// `sse4.1`: one of its `mcpu` or of its `mattr`, or one that these imply.
  bool hasX86Feature(StringRef Feature) const {
    return X86Features.lookup(Feature);
  }

  /// Returns `unknown processor 'skylak'; did you mean 'skylake'?` if LLVM does
  /// not know the value of `mcpu`, so that it has no features, or a message
  /// about a feature in `mattr` without sign; otherwise "".
  std::string describeIgnoredOption() const;

private:
  explicit Target(const TargetInfo &Info) : Info(&Info) {}
  llvm::Error parseOptions(StringRef Text);
  const PassOptionInfo *findOption(StringRef Name) const;
  llvm::Error setOption(const PassOptionInfo &Option, StringRef Text);
  void addKey(StringRef Key);
  void computeKeys();
  void computeX86Features();
  std::string getText(StringRef Option) const {
    return getOption<std::optional<std::string>>(Option).value_or("");
  }

  const TargetInfo *Info;
  std::map<std::string, PassOptionValue, std::less<>> Values;
  SmallVector<StringRef, 4> Keys;    ///< of Info and of Values
  llvm::StringMap<bool> X86Features; ///< false for removed ones
};

} // namespace relay

#endif // RELAY_PASS_TARGET_H
