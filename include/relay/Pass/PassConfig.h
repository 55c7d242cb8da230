//===- PassConfig.h - Typed options of a PassContext ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's pass config: options that are not of one pass object but of the context
// in which passes run, `relay.FuseOps.max_depth`. Each is declared once, in a
// Passes.td, which generates the ConfigKey that passes read it by.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSCONFIG_H
#define RELAY_PASS_PASSCONFIG_H

#include "relay/Pass/PassInfo.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace relay {

/// The declaration of an option; known to the PassRegistry.
struct ConfigOptionInfo {
  StringRef Name; ///< TVM's key
  PassOptionKind Kind;
  StringRef Default; ///< as text
  StringRef Description;
};

/// A declared option with its C++ type: bool, int64_t, std::string or
/// std::vector<std::string>.
template <typename T> struct ConfigKey {
  StringLiteral Name;
};

using ConfigValue =
    std::variant<bool, int64_t, std::string, std::vector<std::string>>;

/// Reads \p Text as a value of \p Kind.
llvm::Expected<ConfigValue> parseConfigValue(PassOptionKind Kind,
                                             StringRef Text);

/// The options that were set.
class PassConfig {
public:
  void set(StringRef Name, ConfigValue Value) {
    Values[Name.str()] = std::move(Value);
  }
  /// The value of \p Name, or null when it was not set.
  const ConfigValue *lookup(StringRef Name) const {
    auto Found = Values.find(Name.str());
    return Found == Values.end() ? nullptr : &Found->second;
  }

private:
  std::map<std::string, ConfigValue> Values;
};

} // namespace relay

#endif // RELAY_PASS_PASSCONFIG_H
