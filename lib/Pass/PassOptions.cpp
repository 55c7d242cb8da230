//===- PassOptions.cpp - Options of passes as text ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassOptions.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassOptions.h"
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
// Reading
//===----------------------------------------------------------------------===//

namespace relay {

/// Reads `option;option=value` of one pass.
class PassOptionParser {
public:
  PassOptionParser(const PassInfo &Info, StringRef Text, Location Loc,
                   DiagnosticEngine &Diags)
      : Info(Info), Text(Text), Start(Loc), Diags(Diags) {}

  FailureOr<PassOptionValues> parse() {
    PassOptionValues Values;
    while (Pos != Text.size()) {
      FailureOr<PassOptionValues::OptionValue> Value = parseOption(Values);
      if (failed(Value))
        return failure();
      Values.Values.push_back(std::move(*Value));
      if (Pos == Text.size())
        break;
      if (Text[Pos] != ';')
        return error(Pos, 1, "expected ';' between options");
      if (++Pos == Text.size())
        return error(Pos, 0, "expected an option after ';'");
    }
    return Values;
  }

private:
  using OptionValue = PassOptionValues::OptionValue;

  InFlightDiagnostic error(size_t At, size_t Length, const Twine &Message) {
    return Diags.emitError(Location::fromOffset(Start.getOffset() + At), Length,
                           Message);
  }

  FailureOr<OptionValue> parseOption(const PassOptionValues &Before) {
    size_t At = Pos;
    StringRef Name = Text.substr(Pos).take_until(
        [](char C) { return C == '=' || C == ';'; });
    Pos += Name.size();
    OptionValue Value;
    Value.Option = lookup(Name, At);
    if (!Value.Option)
      return failure();
    if (Before.find(Name))
      return error(At, Name.size(), "option '" + Name + "' given twice");
    if (Pos != Text.size() && Text[Pos] == '=') {
      ++Pos;
      if (failed(parseValue(Value)))
        return failure();
      return Value;
    }
    if (Value.Option->Kind != PassOptionKind::Bool)
      return error(At, Name.size(), "option '" + Name + "' needs a value");
    Value.Number = true;
    return Value;
  }

  const PassOptionInfo *lookup(StringRef Name, size_t At) {
    SmallVector<StringRef> Known;
    for (const PassOptionInfo &Option : Info.Options) {
      if (Option.Name == Name)
        return &Option;
      Known.push_back(Option.Name);
    }
    InFlightDiagnostic D =
        error(At, Name.size(),
              "'" + Info.Argument + "' has no option '" + Name + "'");
    D << getSuggestion(Name, Known);
    if (!Known.empty())
      D.note(Location(),
             "options of '" + Info.Argument + "': " + llvm::join(Known, ", "));
    return nullptr;
  }

  LogicalResult parseValue(OptionValue &Value) {
    size_t At = Pos;
    bool IsList = Value.Option->Kind == PassOptionKind::List;
    do {
      FailureOr<std::string> Item = parseItem(IsList);
      if (failed(Item))
        return failure();
      Value.Strings.push_back(std::move(*Item));
    } while (IsList && Pos != Text.size() && Text[Pos] == ',' && ++Pos);
    if (IsList && Value.Strings == std::vector<std::string>{""} &&
        Text.substr(At, Pos - At).empty())
      Value.Strings.clear(); // `list=` is the empty list
    return convert(Value, At);
  }

  /// A value up to `;`, or to `,` in a list, or one in double quotes.
  FailureOr<std::string> parseItem(bool InList) {
    if (Pos != Text.size() && Text[Pos] == '"')
      return parseQuoted();
    StringRef Item = Text.substr(Pos).take_until(
        [&](char C) { return C == ';' || (InList && C == ','); });
    Pos += Item.size();
    return Item.str();
  }

  FailureOr<std::string> parseQuoted() {
    size_t At = Pos++;
    std::string Item;
    while (Pos != Text.size() && Text[Pos] != '"') {
      if (Text[Pos] == '\\' && Pos + 1 != Text.size())
        ++Pos;
      Item += Text[Pos++];
    }
    if (Pos == Text.size())
      return error(At, 1, "unterminated quoted value");
    ++Pos;
    return Item;
  }

  LogicalResult convert(OptionValue &Value, size_t At) {
    const PassOptionInfo &Option = *Value.Option;
    if (Option.Kind == PassOptionKind::Bool) {
      std::optional<bool> B = parseBoolText(Value.Strings[0]);
      if (!B)
        return error(At, Pos - At,
                     "option '" + Option.Name + "' is true or false, not '" +
                         Value.Strings[0] + "'");
      Value.Number = *B;
    }
    if (Option.Kind == PassOptionKind::Int &&
        !llvm::to_integer(Value.Strings[0], Value.Number, 10))
      return error(At, Pos - At,
                   "option '" + Option.Name + "' is an integer, not '" +
                       Value.Strings[0] + "'");
    return success();
  }

  const PassInfo &Info;
  StringRef Text;
  size_t Pos = 0;
  Location Start;
  DiagnosticEngine &Diags;
};

} // namespace relay

FailureOr<PassOptionValues> PassOptionValues::parse(const PassInfo &Info,
                                                    StringRef Text,
                                                    Location Loc,
                                                    DiagnosticEngine &Diags) {
  return PassOptionParser(Info, Text, Loc, Diags).parse();
}

const PassOptionValues::OptionValue *
PassOptionValues::find(StringRef Name) const {
  auto Found = llvm::find_if(
      Values, [&](const OptionValue &V) { return V.Option->Name == Name; });
  return Found == Values.end() ? nullptr : &*Found;
}

void PassOptionValues::get(StringRef Name, bool &Value) const {
  if (const OptionValue *V = find(Name))
    Value = V->Number;
}
void PassOptionValues::get(StringRef Name, int64_t &Value) const {
  if (const OptionValue *V = find(Name))
    Value = V->Number;
}
void PassOptionValues::get(StringRef Name, std::string &Value) const {
  if (const OptionValue *V = find(Name))
    Value = V->Strings[0];
}
void PassOptionValues::get(StringRef Name,
                           std::vector<std::string> &Value) const {
  if (const OptionValue *V = find(Name))
    Value = V->Strings;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

PassOptionPrinter::PassOptionPrinter(raw_ostream &OS, StringRef Argument)
    : OS(OS) {
  OS << Argument;
}

PassOptionPrinter::~PassOptionPrinter() {
  if (Any)
    OS << '>';
}

raw_ostream &PassOptionPrinter::start(StringRef Name) {
  OS << (Any ? ';' : '<') << Name;
  Any = true;
  return OS;
}

/// Writes \p Item so that it reads back: in quotes unless it is plain.
static void printItem(raw_ostream &OS, StringRef Item) {
  if (!Item.empty() && Item.find_first_of(";<>,\"\\()") == StringRef::npos) {
    OS << Item;
    return;
  }
  OS << '"';
  for (char C : Item) {
    if (C == '"' || C == '\\')
      OS << '\\';
    OS << C;
  }
  OS << '"';
}

void PassOptionPrinter::print(StringRef Name, bool Value, bool Default) {
  if (Value == Default)
    return;
  start(Name);
  if (!Value)
    OS << "=false";
}

void PassOptionPrinter::print(StringRef Name, int64_t Value, int64_t Default) {
  if (Value != Default)
    start(Name) << '=' << Value;
}

void PassOptionPrinter::print(StringRef Name, const std::string &Value,
                              const std::string &Default) {
  if (Value != Default)
    printItem(start(Name) << '=', Value);
}

void PassOptionPrinter::print(StringRef Name,
                              const std::vector<std::string> &Value,
                              const std::vector<std::string> &Default) {
  if (Value == Default)
    return;
  start(Name) << '=';
  llvm::interleave(
      Value, OS, [&](const std::string &Item) { printItem(OS, Item); }, ",");
}

void PassOptionPrinter::printPlain(StringRef Text) { start(Text); }
