//===- PassInfo.h - The declaration of a pass -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PassInfo is the static record that relay-tblgen generates for each pass of a
// Passes.td: names, unit, opt level, required passes, options, statistics.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSINFO_H
#define RELAY_PASS_PASSINFO_H

#include "relay/Support/LLVM.h"

namespace relay {

/// What a pass runs on.
enum class PassUnit : uint8_t { Module, Function };

enum class PassOptionKind : uint8_t { Bool, Int, String, List };

/// One option of a pass: `max-depth` of `fuse-ops<max-depth=4>`.
struct PassOptionInfo {
  StringRef Name;
  PassOptionKind Kind;
  StringRef Default; ///< as text; lists separated by commas
  StringRef Description;
};

/// One counter of a pass.
struct PassStatisticInfo {
  StringRef Name;
  StringRef Description;
};

struct PassInfo {
  StringRef Name;     ///< the record's, as reports print it: `FoldConstant`
  StringRef Argument; ///< in pipeline text: `fold-constant`
  PassUnit Unit = PassUnit::Module;
  /// The least opt level at which a group of passes runs it.
  unsigned OptLevel = 0;
  /// Not to be skipped by instruments or bisection.
  bool IsRequired = false;
  /// A group of passes, whose members are seen by themselves.
  bool IsGroup = false;
  /// Names of the passes that a group runs before this one.
  ArrayRef<StringRef> Requires;
  StringRef Summary;
  ArrayRef<PassOptionInfo> Options;
  ArrayRef<PassStatisticInfo> Statistics;
};

} // namespace relay

#endif // RELAY_PASS_PASSINFO_H
