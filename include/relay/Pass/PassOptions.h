//===- PassOptions.h - Options of passes as text ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the text of a pass's options, `max-depth=4;inline-once`, and the
// struct that relay-tblgen generates of them. Reading reports wrong names and
// values at their column; writing gives text that reads back.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSOPTIONS_H
#define RELAY_PASS_PASSOPTIONS_H

#include "relay/Pass/PassInfo.h"
#include "relay/Support/Diagnostics.h"
#include <optional>
#include <string>
#include <vector>

namespace relay {

/// The options given to one pass, checked against its declaration. An accessor
/// leaves the variable as it is when the option was not given.
class PassOptionValues {
public:
  PassOptionValues() = default;

  /// Reads \p Text, what stands between `<` and `>`, at \p Loc of the text that
  /// \p Diags shows.
  static FailureOr<PassOptionValues> parse(const PassInfo &Info, StringRef Text,
                                           Location Loc,
                                           DiagnosticEngine &Diags);

  bool empty() const { return Values.empty(); }
  void get(StringRef Name, bool &Value) const;
  void get(StringRef Name, int64_t &Value) const;
  void get(StringRef Name, std::string &Value) const;
  void get(StringRef Name, std::vector<std::string> &Value) const;

private:
  friend class PassOptionParser;
  struct OptionValue {
    const PassOptionInfo *Option;
    int64_t Number = 0;               ///< Bool, Int
    std::vector<std::string> Strings; ///< String (one), List
  };
  const OptionValue *find(StringRef Name) const;

  std::vector<OptionValue> Values;
};

/// The value of \p Text as a boolean: `true`, `false`, `1`, `0`, as TVM `True`
/// and `False`.
std::optional<bool> parseBoolText(StringRef Text);

/// Writes `argument<option;option=value>`, options at their default left out.
class PassOptionPrinter {
public:
  PassOptionPrinter(raw_ostream &OS, StringRef Argument);
  ~PassOptionPrinter();

  void print(StringRef Name, bool Value, bool Default);
  void print(StringRef Name, int64_t Value, int64_t Default);
  void print(StringRef Name, const std::string &Value,
             const std::string &Default);
  void print(StringRef Name, const std::vector<std::string> &Value,
             const std::vector<std::string> &Default);
  /// Writes \p Text, such as an analysis's name, as it is.
  void printPlain(StringRef Text);

private:
  /// Starts an option.
  raw_ostream &start(StringRef Name);

  raw_ostream &OS;
  bool Any = false;
};

} // namespace relay

#endif // RELAY_PASS_PASSOPTIONS_H
