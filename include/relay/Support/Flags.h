//===- Flags.h - Flags of a command line ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flag is a typed member of the object that it controls, as MLIR's
// Pass::Option is:
//
//   struct VerificationOptions : FlagGroup {
//     explicit VerificationOptions(FlagSet &Flags)
//         : FlagGroup(Flags, "Checks") {}
//     Flag<bool> Enabled{*this, "-verify-each", "Verify after each pass"};
//   };
//
// This declaration determines parsing, errors, -help, and completion of the
// flag. The FlagSet reads command lines, finds the flag nearest to an unknown
// one, and prints -help by LLVM's Option library.
//
// `-name` and `--name` are equivalent, as are `-name=value` and `-name value`.
// All arguments after `--` are operands.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_FLAGS_H
#define RELAY_SUPPORT_FLAGS_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace relay {

class FlagBase;
class FlagSet;

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// Properties of a flag other than its name and help text.
namespace flag {

/// The placeholder of the value in -help: `-o=<file>`. Completion offers
/// pipelines for `pipeline`, passes for `pass,...`, config options for
/// `key=value`, and files otherwise.
struct ValueName {
  StringLiteral Name;
};
/// The default value of a flag.
template <typename T> struct Init {
  T Value;
};
template <typename T> Init(T) -> Init<T>;
/// The value of a flag that is written without one, `-name[=value]`.
template <typename T> struct WithoutValue {
  T Value;
};
template <typename T> WithoutValue(T) -> WithoutValue<T>;
/// An allowed value of a flag of an enumeration.
template <typename T> struct Word {
  StringLiteral Text;
  T Value;
  StringLiteral Help;
};
/// All allowed values of a flag of an enumeration.
template <typename T> struct OneOf {
  OneOf(std::initializer_list<Word<T>> Words) : Words(Words) {}
  std::vector<Word<T>> Words;
};
/// Only -help-hidden lists the flag, and completion does not offer it.
struct Hidden {};
/// The number, which is unsigned, must be 1 or more.
struct Positive {};
/// `-name=` is allowed.
struct MayBeEmpty {};
/// The flag may be repeated; the last value counts.
struct LastCounts {};
/// Each value of a list is split at commas: `a,b`.
struct CommaSeparated {};
/// The flag lets the program write a file, run a command, load code or use more
/// of the machine. It is therefore not accepted from a file of another author
/// (-run-reproducer).
struct NeedsTrust {};

} // namespace flag

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

/// The heading under which -help lists flags, and the set that they belong to.
class FlagGroup {
public:
  /// Belongs to no set: for values that only the program sets.
  FlagGroup() : Title("") {}
  FlagGroup(FlagSet &Flags, StringLiteral Title)
      : Flags(&Flags), Title(Title) {}

private:
  friend class FlagBase;
  FlagSet *Flags = nullptr;
  StringLiteral Title;
};

/// A flag with a value of any type. It cannot be copied or moved, and must
/// outlive all uses of its FlagSet.
class FlagBase {
public:
  FlagBase(const FlagBase &) = delete;
  FlagBase &operator=(const FlagBase &) = delete;

  /// `-print-after`.
  StringLiteral getSpelling() const { return Spelling; }
  /// `print-after`.
  StringRef getName() const { return Spelling.drop_front(); }
  StringLiteral getHelp() const { return Help; }
  StringLiteral getTitle() const { return Title; }
  /// The placeholder of the value in -help; empty for a bool.
  StringRef getValueName() const { return ValueName; }
  /// Returns the owner that declared the flag: the program, or a plugin.
  StringRef getOwner() const { return Owner; }
  bool needsValue() const { return NeedsValue; }
  bool isHidden() const { return Hidden; }
  bool needsTrust() const { return Untrusted; }
  /// Returns true if an applied command line has the flag.
  bool isGiven() const { return !GivenAs.empty(); }

  /// An allowed value, and its description.
  struct Word {
    StringRef Text, Help;
  };
  /// Returns all allowed values; none if they cannot be listed.
  virtual SmallVector<Word> getWords() const { return {}; }

protected:
  FlagBase(FlagGroup Group, StringLiteral Spelling, StringLiteral Help);
  ~FlagBase() = default;

  /// Parses \p Text as the value; the error describes the problem.
  virtual llvm::Error parse(StringRef Text) = 0;
  /// Sets the value of a flag that is written without one.
  virtual void setWithoutValue() = 0;

  void apply(flag::ValueName M) { ValueName = M.Name; }
  void apply(flag::Hidden) { Hidden = true; }
  void apply(flag::MayBeEmpty) { MayBeEmpty = true; }
  void apply(flag::Positive) { IsPositive = true; }
  void apply(flag::LastCounts) { Repeatable = true; }
  void apply(flag::NeedsTrust) { Untrusted = true; }

  StringRef ValueName = "value";
  bool IsPositive = false;
  bool NeedsValue = true, Hidden = false, MayBeEmpty = false;
  bool Repeatable = false, Untrusted = false;

private:
  friend class FlagSet;
  /// Sets the flag from a command line, which has it as \p As, with \p Text or
  /// without a value.
  llvm::Error set(StringRef As, std::optional<StringRef> Text);

  StringLiteral Spelling, Help, Title;
  StringRef GivenAs; ///< how the command line spells it; empty if it has not
  std::string Owner;
};

/// Parses the value of a flag; the error states the problem of \p Text and the
/// expected values. For other types, add an overload in the namespace of the
/// type.
llvm::Error parseFlagValue(StringRef Text, bool &Value);
llvm::Error parseFlagValue(StringRef Text, int &Value);
llvm::Error parseFlagValue(StringRef Text, int64_t &Value);
llvm::Error parseFlagValue(StringRef Text, unsigned &Value);
llvm::Error parseFlagValue(StringRef Text, uint64_t &Value);
llvm::Error parseFlagValue(StringRef Text, double &Value);
llvm::Error parseFlagValue(StringRef Text, std::string &Value);

namespace detail {
/// Parses an integer from 1 to \p Max.
llvm::Error parsePositive(StringRef Text, uint64_t Max, uint64_t &Value);
/// As above, if T is unsigned and the flag is Positive; otherwise parses any
/// value of T.
template <typename T>
llvm::Error parseNumber(StringRef Text, bool IsPositive, T &Value) {
  if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
    uint64_t Number = 0;
    if (!IsPositive)
      return parseFlagValue(Text, Value);
    if (llvm::Error E =
            parsePositive(Text, std::numeric_limits<T>::max(), Number))
      return E;
    Value = static_cast<T>(Number);
    return llvm::Error::success();
  } else {
    return parseFlagValue(Text, Value);
  }
}
/// Calls \p Visit with the elements of `a, b`; returns an error if one is
/// empty.
llvm::Error forEachElement(StringRef Text,
                           function_ref<llvm::Error(StringRef)> Visit);
/// Returns the index of \p Text in \p Words; an error names the nearest or all
/// of them.
llvm::Expected<size_t> findWord(StringRef Text, ArrayRef<FlagBase::Word> Words);
} // namespace detail

/// A flag with one value: a bool, a number, a std::string, an enumeration with
/// flag::OneOf, or a type with a parseFlagValue() of its own.
template <typename T> class Flag : public FlagBase {
public:
  template <typename... Ms>
  Flag(FlagGroup Group, StringLiteral Spelling, StringLiteral Help,
       const Ms &...Modifiers)
      : FlagBase(Group, Spelling, Help) {
    if constexpr (std::is_same_v<T, bool>) {
      ValueName = "";
      apply(flag::WithoutValue<bool>{true});
    }
    (apply(Modifiers), ...);
  }

  /// Sets the value on behalf of the program, not of a command line.
  Flag &operator=(T NewValue) {
    Value = std::move(NewValue);
    return *this;
  }

  const T &get() const { return Value; }
  operator const T &() const { return Value; }
  const T &operator*() const { return Value; }
  const T *operator->() const { return &Value; }

  SmallVector<Word> getWords() const override {
    SmallVector<Word> Result;
    for (const flag::Word<T> &W : Words)
      Result.push_back({W.Text, W.Help});
    return Result;
  }

private:
  using FlagBase::apply;
  template <typename U> void apply(const flag::Init<U> &M) { Value = M.Value; }
  template <typename U> void apply(const flag::WithoutValue<U> &M) {
    NeedsValue = false;
    ValueWithout = M.Value;
  }
  void apply(const flag::OneOf<T> &M) { Words = M.Words; }

  llvm::Error parse(StringRef Text) override {
    if constexpr (std::is_enum_v<T>) {
      llvm::Expected<size_t> Found = detail::findWord(Text, getWords());
      if (!Found)
        return Found.takeError();
      Value = Words[*Found].Value;
      return llvm::Error::success();
    } else {
      return detail::parseNumber(Text, IsPositive, Value);
    }
  }
  void setWithoutValue() override { Value = ValueWithout; }

  T Value{}, ValueWithout{};
  std::vector<flag::Word<T>> Words;
};

/// A flag that may be repeated. With flag::CommaSeparated, each use may have
/// several values.
template <typename T> class ListFlag : public FlagBase {
public:
  template <typename... Ms>
  ListFlag(FlagGroup Group, StringLiteral Spelling, StringLiteral Help,
           const Ms &...Modifiers)
      : FlagBase(Group, Spelling, Help) {
    Repeatable = true;
    (apply(Modifiers), ...);
  }

  /// Sets the values on behalf of the program, not of a command line.
  ListFlag &operator=(std::vector<T> NewValues) {
    Values = std::move(NewValues);
    return *this;
  }

  const std::vector<T> &get() const { return Values; }
  operator const std::vector<T> &() const { return Values; }
  operator ArrayRef<T>() const { return Values; }
  const std::vector<T> &operator*() const { return Values; }
  const std::vector<T> *operator->() const { return &Values; }
  bool empty() const { return Values.empty(); }
  auto begin() const { return Values.begin(); }
  auto end() const { return Values.end(); }

private:
  using FlagBase::apply;
  void apply(flag::CommaSeparated) { CommaSeparated = true; }

  llvm::Error parse(StringRef Text) override {
    if (!CommaSeparated)
      return parseElement(Text);
    return detail::forEachElement(
        Text, [this](StringRef Element) { return parseElement(Element); });
  }
  llvm::Error parseElement(StringRef Text) {
    T Value{};
    if (llvm::Error E = detail::parseNumber(Text, IsPositive, Value))
      return E;
    Values.push_back(std::move(Value));
    return llvm::Error::success();
  }
  void setWithoutValue() override { llvm_unreachable("lists have values"); }

  std::vector<T> Values;
  bool CommaSeparated = false;
};

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

/// The value of a flag has the wrong form, which is detected after the command
/// line is parsed. Tools exit as for any invalid value of a flag.
class FlagValueError
    : public llvm::ErrorInfo<FlagValueError, llvm::StringError> {
public:
  static char ID;
  explicit FlagValueError(const Twine &Message)
      : ErrorInfo(Message, llvm::inconvertibleErrorCode()) {}
};

/// Returns an error if one of \p Flags occurs without \p Needed, which they
/// modify.
llvm::Error checkNotGiven(ArrayRef<const FlagBase *> Flags,
                          const Twine &Needed);

/// The spelling of a flag in another program.
struct FlagSynonym {
  enum class Use : uint8_t {
    Accepted, ///< stands for its meaning
    Answered  ///< is unknown; the error names its meaning
  };
  StringLiteral Spelling; ///< `-mlir-timing`
  /// A flag, `-time-passes`, or a flag with its value, `-threads=1`. Empty if
  /// the program always behaves as requested.
  StringLiteral Meaning;
  Use How = Use::Accepted;
};

/// A flag on a command line.
struct FlagUse {
  FlagBase *Flag;
  std::optional<StringRef> Value;
  StringRef Spelling; ///< the flag's, or that of a synonym

  /// `-name=value` or `-name`, as written.
  std::string str() const;
};

/// The parts of a command line. Its strings refer to the arguments.
struct ParsedCommandLine {
  std::vector<FlagUse> Flags;
  std::vector<StringRef> Operands;
  /// Problems: unknown flags and missing values.
  std::vector<std::string> Problems;
  /// The names of unknown flags, without dashes and values.
  std::vector<StringRef> Unknown;
  /// Synonyms that have no effect.
  std::vector<StringRef> WithoutEffect;

  /// Returns true if the command line has the flag \p Name (without dashes).
  bool has(StringRef Name) const;
  /// Returns true if the switch \p Name (without dashes) is on. An invalid
  /// value counts as off: FlagSet::apply() reports it.
  bool isOn(StringRef Name) const;
};

/// All flags of a command line.
class FlagSet {
public:
  /// \p Owner names the declarer of flags in errors: `relay-opt`.
  explicit FlagSet(StringRef Owner) : Owner(Owner) {}
  FlagSet(const FlagSet &) = delete;
  FlagSet &operator=(const FlagSet &) = delete;

  /// Adds spellings of other programs. -help does not show them; \p List must
  /// outlive the set.
  void setSynonyms(ArrayRef<FlagSynonym> List) { Synonyms = List; }
  ArrayRef<FlagSynonym> getSynonyms() const { return Synonyms; }
  /// Sets the owner of flags that are declared from now on.
  void setOwner(StringRef NewOwner) { Owner = NewOwner.str(); }
  /// Returns an error if two flags with one name have been declared; it names
  /// both owners. Only the first of them is part of the set.
  llvm::Error checkNames() const;

  /// Returns the flag \p Name (without dashes); null if there is none.
  FlagBase *lookup(StringRef Name) const { return ByName.lookup(Name); }
  /// Returns all flags, sorted by name.
  std::vector<const FlagBase *> getFlags() const;

  /// Splits \p Arguments, without the program's name; sets no flag.
  ParsedCommandLine read(ArrayRef<const char *> Arguments) const;
  /// Sets the flags of \p Line. The error has all problems of the line and of
  /// the values.
  llvm::Error apply(const ParsedCommandLine &Line);

  /// Prints \p Overview, \p Usage and all flags by group, the group "Passes"
  /// first and the others by title.
  void printHelp(raw_ostream &OS, const char *Overview, const char *Usage,
                 bool ShowHidden) const;

private:
  friend class FlagBase;
  void add(FlagBase &Flag);
  struct Spelling;
  std::optional<Spelling> findSpelling(StringRef Name) const;
  static void addFixed(const Spelling &Found, ParsedCommandLine &Line);
  void addSeparate(const Spelling &Found, StringRef Argument, const char *Next,
                   ParsedCommandLine &Line) const;
  bool readFlag(StringRef Argument, const char *Next,
                ParsedCommandLine &Line) const;
  /// Returns true if \p Argument begins with the dashes and the name of a flag.
  bool isFlag(StringRef Argument) const;
  std::string getUnknownText(StringRef Argument) const;

  std::string Owner;
  llvm::StringMap<FlagBase *> ByName;
  std::vector<FlagBase *> Flags;
  ArrayRef<FlagSynonym> Synonyms;
  std::vector<std::string> Clashes;
};

} // namespace relay

#endif // RELAY_SUPPORT_FLAGS_H
