//===- PassOptions.h - Options of passes as text ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts between the text of a pass's options, `max-depth=4;inline-once`, and
// the struct that relay-tblgen generates for them. Reading reports wrong names
// and values at their column; writing gives text that reads back. Groups,
// analyses and the config of a PassContext have options of the same kinds.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSOPTIONS_H
#define RELAY_PASS_PASSOPTIONS_H

#include "relay/Pass/PassInfo.h"
#include "relay/Support/Diagnostics.h"
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace relay {

/// One scalar; for an Enum the index of its value.
using PassOptionScalar = std::variant<bool, int64_t, double, std::string>;

/// The C++ type of a map, sorted by key.
template <typename T>
using PassOptionMap = std::map<std::string, std::vector<T>>;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The value of an option, without its C++ type.
struct PassOptionValue {
  std::vector<PassOptionScalar> Items;     ///< of a scalar (one) or list
  PassOptionMap<PassOptionScalar> Entries; ///< of a map
  bool operator==(const PassOptionValue &O) const {
    return Items == O.Items && Entries == O.Entries;
  }
};

namespace detail {

template <typename T> T fromScalar(const PassOptionScalar &S) {
  if constexpr (std::is_enum_v<T>)
    return T(std::get<int64_t>(S));
  else
    return std::get<T>(S);
}
template <typename T> PassOptionScalar toScalar(const T &Value) {
  if constexpr (std::is_enum_v<T>)
    return int64_t(Value);
  else
    return PassOptionScalar(Value);
}
template <typename T>
std::vector<T> fromScalars(const std::vector<PassOptionScalar> &Items) {
  std::vector<T> Values;
  for (const PassOptionScalar &S : Items)
    Values.push_back(fromScalar<T>(S));
  return Values;
}
template <typename T>
std::vector<PassOptionScalar> toScalars(const std::vector<T> &Values) {
  std::vector<PassOptionScalar> Items;
  for (const T &Value : Values)
    Items.push_back(toScalar<T>(Value));
  return Items;
}

} // namespace detail

/// Converts \p From, which has been checked against the declaration of an
/// option, to the declared C++ type.
template <typename T> void readOption(const PassOptionValue &From, T &To) {
  To = detail::fromScalar<T>(From.Items.front());
}
template <typename T>
void readOption(const PassOptionValue &From, std::vector<T> &To) {
  To = detail::fromScalars<T>(From.Items);
}
template <typename T>
void readOption(const PassOptionValue &From, PassOptionMap<T> &To) {
  To.clear();
  for (const auto &[Key, Items] : From.Entries)
    To[Key] = detail::fromScalars<T>(Items);
}
template <typename T>
void readOption(const PassOptionValue &From, std::optional<T> &To) {
  readOption(From, To.emplace());
}

/// The inverse of readOption().
template <typename T> PassOptionValue toOptionValue(const T &From) {
  return {{detail::toScalar(From)}, {}};
}
template <typename T>
PassOptionValue toOptionValue(const std::vector<T> &From) {
  return {detail::toScalars(From), {}};
}
template <typename T>
PassOptionValue toOptionValue(const PassOptionMap<T> &From) {
  PassOptionValue Value;
  for (const auto &[Key, Items] : From)
    Value.Entries[Key] = detail::toScalars(Items);
  return Value;
}

/// Reads \p Text as the value of \p Option. The error states the expected type:
/// `expects an integer, got 'deep'`.
llvm::Expected<PassOptionValue> parseOptionValue(const PassOptionInfo &Option,
                                                 StringRef Text);

/// Returns the default value of \p Option; none if it is optional.
std::optional<PassOptionValue> getDefaultValue(const PassOptionInfo &Option);

/// Returns a readable type of \p Option: `int, 1 to 8`, `optional list of
/// string`.
std::string getTypeText(const PassOptionInfo &Option);

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The options of one pass, checked against its declaration. An accessor leaves
/// the variable unchanged if the option is absent.
class PassOptionValues {
public:
  PassOptionValues() = default;

  /// Parses \p Text, the options between `<` and `>` after \p Owner, which is
  /// at \p Loc of the text that \p Diags shows.
  static FailureOr<PassOptionValues> parse(StringRef Owner,
                                           ArrayRef<PassOptionInfo> Options,
                                           StringRef Text, Location Loc,
                                           DiagnosticEngine &Diags);

  bool empty() const { return Values.empty(); }
  template <typename T> void get(StringRef Name, T &Value) const {
    if (const PassOptionValue *Found = find(Name))
      readOption(*Found, Value);
  }
  /// Returns the options as canonical text that reads back,
  /// `max-depth=4;inline-once`: in the order of declaration, without default
  /// values.
  std::string getText() const;
  /// Returns the text of the value of \p Option, or of its default; empty for
  /// an optional option without a value.
  std::string getText(const PassOptionInfo &Option) const;

  /// Makes the paths of files absolute. Returns true if there are any.
  bool makePathsAbsolute();

  /// Returns the text of one value for each of \p Options, in this order.
  template <typename... Ts>
  static std::string getText(ArrayRef<PassOptionInfo> Options,
                             const Ts &...OptionValues) {
    assert(Options.size() == sizeof...(OptionValues));
    PassOptionValues All;
    const PassOptionInfo *Option = Options.begin();
    (All.Values.push_back({Option++, toOptionValue(OptionValues)}), ...);
    return All.getText();
  }

private:
  friend class PassOptionParser;
  const PassOptionValue *find(StringRef Name) const;

  std::vector<std::pair<const PassOptionInfo *, PassOptionValue>> Values;
};

/// Parses \p Text as a boolean: `true`, `false`, `1`, `0`, or TVM's `True` and
/// `False`.
std::optional<bool> parseBoolText(StringRef Text);

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes `argument<option;option=value>`; omits options with default values.
class PassOptionPrinter {
public:
  PassOptionPrinter(raw_ostream &OS, StringRef Argument);
  ~PassOptionPrinter();

  template <typename T>
  void print(const PassOptionInfo &Option, const T &Value, const T &Default) {
    if (Value != Default)
      print(Option, toOptionValue(Value));
  }
  template <typename T>
  void print(const PassOptionInfo &Option, const std::optional<T> &Value,
             const std::optional<T> &) {
    if (Value)
      print(Option, toOptionValue(*Value));
  }
  void print(const PassOptionInfo &Option, const PassOptionValue &Value);
  /// Writes \p Text, such as the name of an analysis, unchanged.
  void printPlain(StringRef Text);

private:
  /// Starts an option.
  raw_ostream &start();

  raw_ostream &OS;
  bool Any = false;
};

} // namespace relay

#endif // RELAY_PASS_PASSOPTIONS_H
