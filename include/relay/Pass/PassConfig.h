//===- PassConfig.h - Typed options of a PassContext ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's pass config: options of the context in which passes run, not of a pass
// object, such as `relay.FuseOps.max_depth`. Each is declared once, in a
// Passes.td, from which relay-tblgen generates the ConfigKey that passes read
// it by.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSCONFIG_H
#define RELAY_PASS_PASSCONFIG_H

#include "relay/Pass/PassOptions.h"

namespace relay {

/// A declared option with its C++ type, as of a member of a pass's options.
template <typename T> struct ConfigKey {
  StringLiteral Name;
};

/// The options that were set.
class PassConfig {
public:
  void set(StringRef Name, PassOptionValue Value) {
    Values[Name.str()] = std::move(Value);
  }
  /// The value of \p Name, or null when it was not set.
  const PassOptionValue *lookup(StringRef Name) const {
    auto Found = Values.find(Name.str());
    return Found == Values.end() ? nullptr : &Found->second;
  }

private:
  std::map<std::string, PassOptionValue> Values;
};

} // namespace relay

#endif // RELAY_PASS_PASSCONFIG_H
