//===- PassOptionReader.cpp - The value of an option as text --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassOptionReader.h.
//
//===----------------------------------------------------------------------===//

#include "PassOptionReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

std::optional<bool> relay::parseBoolText(StringRef Text) {
  return llvm::StringSwitch<std::optional<bool>>(Text)
      .Cases("true", "True", "1", true)
      .Cases("false", "False", "0", false)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::optional<PassOptionError> PassOptionReader::read(PassOptionValue &Value) {
  std::optional<PassOptionError> E = readShape(Value);
  skipBlanks();
  return E;
}

std::optional<PassOptionError>
PassOptionReader::readShape(PassOptionValue &Value) {
  switch (Option.Shape) {
  case PassOptionShape::Scalar:
    return readScalar("", Value.Items.emplace_back());
  case PassOptionShape::List:
    return readList(Value);
  case PassOptionShape::Map:
    return readMap(Value);
  }
  llvm_unreachable("unknown shape of option");
}

/// An empty text is the empty list; `""` is a list of one empty string.
std::optional<PassOptionError>
PassOptionReader::readList(PassOptionValue &Value) {
  if (atEnd())
    return std::nullopt;
  do {
    if (auto E = readScalar(",", Value.Items.emplace_back()))
      return E;
  } while (consume(','));
  return std::nullopt;
}

std::optional<PassOptionError>
PassOptionReader::readMap(PassOptionValue &Value) {
  if (atEnd())
    return std::nullopt;
  do {
    std::string Key;
    if (auto E = readKey(Value, Key))
      return E;
    std::vector<PassOptionScalar> &Items = Value.Entries[Key];
    do {
      if (auto E = readScalar(",:", Items.emplace_back()))
        return E;
    } while (consume(':'));
  } while (consume(','));
  return std::nullopt;
}

/// Reads a key and the `:` after it.
std::optional<PassOptionError> PassOptionReader::readKey(PassOptionValue &Value,
                                                         std::string &Key) {
  skipBlanks();
  size_t At = Pos;
  if (auto E = readItem(",:", Key))
    return E;
  if (Value.Entries.count(Key))
    return wrong(At, "has the key '" + Twine(Key) + "' twice");
  if (!consume(':'))
    return wrong(At,
                 "needs ':' and a value after the key '" + Twine(Key) + "'");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

std::optional<PassOptionError>
PassOptionReader::readScalar(StringRef Separators, PassOptionScalar &S) {
  skipBlanks();
  size_t At = Pos;
  std::string Item;
  if (auto E = readItem(Separators, Item))
    return E;
  return convert(Item, At, S);
}

std::optional<PassOptionError> PassOptionReader::readItem(StringRef Separators,
                                                          std::string &Item) {
  if (Pos != Text.size() && Text[Pos] == '"')
    return readQuoted(Item);
  StringRef Plain = Text.substr(Pos).take_until(
      [&](char C) { return End.contains(C) || Separators.contains(C); });
  Plain = Plain.rtrim(Blanks);
  Pos += Plain.size();
  Item = Plain.str();
  return std::nullopt;
}

std::optional<PassOptionError> PassOptionReader::readQuoted(std::string &Item) {
  size_t At = Pos++;
  while (Pos != Text.size() && Text[Pos] != '"') {
    if (Text[Pos] == '\\' && Pos + 1 != Text.size())
      ++Pos;
    Item += Text[Pos++];
  }
  if (!consume('"'))
    return PassOptionError{At, 1, "has an unterminated quoted value"};
  return std::nullopt;
}

/// Parses \p Text, a limit in a record, as a number.
static void parseLimit(StringRef Text, int64_t &Limit) {
  bool Failed = Text.getAsInteger(10, Limit);
  assert(!Failed && "the limit is no integer");
  (void)Failed;
}
static void parseLimit(StringRef Text, double &Limit) {
  bool Failed = Text.getAsDouble(Limit);
  assert(!Failed && "the limit is no number");
  (void)Failed;
}

template <typename T>
std::optional<PassOptionError>
PassOptionReader::checkLimits(T Number, StringRef Item, size_t At) const {
  T Limit = T();
  if (!Option.Min.empty() && (parseLimit(Option.Min, Limit), Number < Limit))
    return wrong(At, "expects at least " + Option.Min + ", got '" + Item + "'");
  if (!Option.Max.empty() && (parseLimit(Option.Max, Limit), Number > Limit))
    return wrong(At, "expects at most " + Option.Max + ", got '" + Item + "'");
  return std::nullopt;
}

/// Returns the list of values for the error of an Enum.
static std::string getValueText(const PassOptionInfo &Option) {
  return "expects one of " + llvm::join(Option.Values, ", ");
}

std::optional<PassOptionError>
PassOptionReader::convert(StringRef Item, size_t At, PassOptionScalar &S) {
  switch (Option.Kind) {
  case PassOptionKind::Bool: {
    std::optional<bool> B = parseBoolText(Item);
    if (!B)
      return wrong(At, "expects true or false, got '" + Item + "'");
    S = *B;
    return std::nullopt;
  }
  case PassOptionKind::Int: {
    int64_t Number;
    if (!llvm::to_integer(Item, Number, 10))
      return wrong(At, "expects an integer, got '" + Item + "'");
    S = Number;
    return checkLimits(Number, Item, At);
  }
  case PassOptionKind::Float: {
    double Number;
    if (Item.getAsDouble(Number) || Number != Number)
      return wrong(At, "expects a number, got '" + Item + "'");
    S = Number;
    return checkLimits(Number, Item, At);
  }
  case PassOptionKind::Enum: {
    const auto *Found = llvm::find(Option.Values, Item);
    if (Found == Option.Values.end())
      return wrong(At, getValueText(Option) + ", got '" + Item + "'" +
                           getSuggestion(Item, Option.Values));
    S = int64_t(Found - Option.Values.begin());
    return std::nullopt;
  }
  case PassOptionKind::String:
  case PassOptionKind::File:
    S = Item.str();
    return std::nullopt;
  }
  llvm_unreachable("unknown kind of option");
}

//===----------------------------------------------------------------------===//
// Whole texts
//===----------------------------------------------------------------------===//

llvm::Expected<PassOptionValue>
relay::parseOptionValue(const PassOptionInfo &Option, StringRef Text) {
  PassOptionValue Value;
  PassOptionReader Reader(Option, Text, 0, /*End=*/"");
  std::optional<PassOptionError> E = Reader.read(Value);
  if (E)
    return llvm::createStringError(E->Message);
  if (Reader.getPosition() != Text.size())
    return llvm::createStringError("has '" + Text.substr(Reader.getPosition()) +
                                   "' after the value");
  return Value;
}

std::optional<PassOptionValue>
relay::getDefaultValue(const PassOptionInfo &Option) {
  if (Option.IsOptional)
    return std::nullopt;
  return llvm::cantFail(parseOptionValue(Option, Option.Default));
}

static StringRef getName(PassOptionKind Kind) {
  switch (Kind) {
  case PassOptionKind::Bool:
    return "bool";
  case PassOptionKind::Int:
    return "int";
  case PassOptionKind::Float:
    return "float";
  case PassOptionKind::Enum:
    return "enum";
  case PassOptionKind::String:
    return "string";
  case PassOptionKind::File:
    return "file";
  }
  llvm_unreachable("unknown kind of option");
}

std::string relay::getTypeText(const PassOptionInfo &Option) {
  std::string Text = Option.IsOptional ? "optional " : "";
  if (Option.Shape == PassOptionShape::List)
    Text += "list of ";
  if (Option.Shape == PassOptionShape::Map)
    Text += "map to ";
  Text += Option.Kind == PassOptionKind::Enum ? llvm::join(Option.Values, "|")
                                              : getName(Option.Kind).str();
  if (!Option.Min.empty() && !Option.Max.empty())
    return Text + (", " + Option.Min + " to " + Option.Max).str();
  if (!Option.Min.empty())
    return Text + (", at least " + Option.Min).str();
  if (!Option.Max.empty())
    return Text + (", at most " + Option.Max).str();
  return Text;
}
