//===- PassOptions.cpp - Options of passes as text ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassOptions.h. PassOptionReader.cpp reads a single value.
//
//===----------------------------------------------------------------------===//

#include "PassOptionReader.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <charconv>

using namespace relay;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace relay {

/// Reads `option;option=value` of one pass.
class PassOptionParser {
public:
  PassOptionParser(StringRef Owner, ArrayRef<PassOptionInfo> Options,
                   StringRef Text, Location Loc, DiagnosticEngine &Diags)
      : Owner(Owner), Options(Options), Text(Text), Start(Loc), Diags(Diags) {}

  FailureOr<PassOptionValues> parse() {
    PassOptionValues Values;
    skipSpace();
    while (Pos != Text.size()) {
      if (failed(parseOption(Values)))
        return failure();
      if (Pos == Text.size())
        break;
      if (Text[Pos] != ';')
        return error(Pos, 1, "expected ';' between options");
      ++Pos;
      skipSpace();
      if (Pos == Text.size())
        return error(Pos, 0, "expected an option after ';'");
    }
    return Values;
  }

private:
  /// Skips the space before an option.
  void skipSpace() {
    Pos = std::min(Text.size(),
                   Text.find_first_not_of(PassOptionReader::Blanks, Pos));
  }
  InFlightDiagnostic error(size_t At, size_t Length, const Twine &Message) {
    return Diags.emitError(Location::fromOffset(Start.getOffset() + At), Length,
                           Message);
  }

  LogicalResult parseOption(PassOptionValues &Values) {
    size_t At = Pos;
    StringRef Before = Text.substr(Pos).take_until(
        [](char C) { return C == '=' || C == ';'; });
    StringRef Name = Before.rtrim(PassOptionReader::Blanks);
    bool HasValue = Text.substr(Pos + Before.size()).starts_with("=");
    const PassOptionInfo *Option = lookup(Name);
    bool IsPositional = !Option && !HasValue && (Option = lookupPositional());
    if (!Option)
      return reportUnknown(Name, At);
    if (Values.find(Option->Name))
      return error(At, Name.size(),
                   "option '" + Option->Name + "' given twice");
    if (!IsPositional)
      Pos += Before.size() + HasValue;
    PassOptionValue Value;
    if (HasValue || IsPositional) {
      if (failed(parseValue(*Option, Value)))
        return failure();
    } else if (Option->Kind != PassOptionKind::Bool ||
               Option->Shape != PassOptionShape::Scalar) {
      return error(At, Name.size(), "option '" + Name + "' needs a value");
    } else {
      Value.Items.push_back(true);
    }
    Values.Values.push_back({Option, std::move(Value)});
    return success();
  }

  const PassOptionInfo *lookup(StringRef Name) const {
    auto Found = llvm::find_if(
        Options, [&](const PassOptionInfo &O) { return O.Name == Name; });
    return Found == Options.end() ? nullptr : Found;
  }
  const PassOptionInfo *lookupPositional() const {
    auto Found = llvm::find_if(
        Options, [](const PassOptionInfo &O) { return O.IsPositional; });
    return Found == Options.end() ? nullptr : Found;
  }

  /// Returns a hint about \p Text if a comma separates options in it.
  StringRef getCommaHint(StringRef Text) const {
    SmallVector<StringRef> Parts;
    Text.split(Parts, ',');
    bool HasOption = llvm::any_of(llvm::drop_begin(Parts), [&](StringRef Part) {
      return lookup(Part.split('=').first.trim()) != nullptr;
    });
    return HasOption ? "; options are separated by ';'" : "";
  }

  LogicalResult reportUnknown(StringRef Name, size_t At) {
    SmallVector<StringRef> Known;
    for (const PassOptionInfo &Option : Options)
      Known.push_back(Option.Name);
    InFlightDiagnostic D =
        error(At, Name.size(), "'" + Owner + "' has no option '" + Name + "'");
    D << getSuggestion(Name, Known) << getCommaHint(Name);
    if (!Known.empty())
      D.note(Location(),
             "options of '" + Owner + "': " + llvm::join(Known, ", "));
    return D;
  }

  LogicalResult parseValue(const PassOptionInfo &Option,
                           PassOptionValue &Value) {
    PassOptionReader Reader(Option, Text, Pos, /*End=*/";");
    std::optional<PassOptionError> E = Reader.read(Value);
    if (E)
      return error(E->At, E->Length,
                   "option '" + Option.Name + "' " + E->Message +
                       getCommaHint(Text.substr(E->At, E->Length)));
    Pos = Reader.getPosition();
    return success();
  }

  StringRef Owner;
  ArrayRef<PassOptionInfo> Options;
  StringRef Text;
  size_t Pos = 0;
  Location Start;
  DiagnosticEngine &Diags;
};

} // namespace relay

FailureOr<PassOptionValues>
PassOptionValues::parse(StringRef Owner, ArrayRef<PassOptionInfo> Options,
                        StringRef Text, Location Loc, DiagnosticEngine &Diags) {
  FailureOr<PassOptionValues> Values =
      PassOptionParser(Owner, Options, Text, Loc, Diags).parse();
  if (succeeded(Values))
    llvm::sort(Values->Values, [](const auto &L, const auto &R) {
      return L.first < R.first; // both of Options
    });
  return Values;
}

const PassOptionValue *PassOptionValues::find(StringRef Name) const {
  for (const auto &[Option, Value] : Values)
    if (Option->Name == Name)
      return &Value;
  return nullptr;
}

bool PassOptionValues::makePathsAbsolute() {
  bool HasPaths = false;
  auto Change = [&](PassOptionScalar &S) {
    auto &Text = std::get<std::string>(S);
    if (Text.empty())
      return;
    llvm::SmallString<128> Path(Text);
    llvm::sys::fs::make_absolute(Path);
    Text = Path.str().str();
    HasPaths = true;
  };
  for (auto &[Option, Value] : Values) {
    if (Option->Kind != PassOptionKind::File)
      continue;
    llvm::for_each(Value.Items, Change);
    for (auto &Entry : Value.Entries)
      llvm::for_each(Entry.second, Change);
  }
  return HasPaths;
}

static void printValue(raw_ostream &OS, const PassOptionInfo &Option,
                       const PassOptionValue &Value);

std::string PassOptionValues::getText(const PassOptionInfo &Option) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (const PassOptionValue *Value = find(Option.Name))
    printValue(OS, Option, *Value);
  else if (std::optional<PassOptionValue> Default = getDefaultValue(Option))
    printValue(OS, Option, *Default);
  return Text;
}

std::string PassOptionValues::getText() const {
  std::string Text;
  {
    llvm::raw_string_ostream OS(Text);
    PassOptionPrinter P(OS, "");
    for (const auto &[Option, Value] : Values)
      if (!(getDefaultValue(*Option) == std::optional(Value)))
        P.print(*Option, Value);
  }
  return StringRef(Text)
      .drop_front(!Text.empty())
      .drop_back(!Text.empty())
      .str();
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

raw_ostream &PassOptionPrinter::start() {
  OS << (Any ? ';' : '<');
  Any = true;
  return OS;
}

/// Writes \p Item so that it reads back: in quotes unless it is plain. In a map
/// `:` is special too.
static void printItem(raw_ostream &OS, StringRef Item, bool InMap) {
  if (!Item.empty() && Item.find_first_of(";<>,\"\\()") == StringRef::npos &&
      Item == Item.trim(PassOptionReader::Blanks) &&
      !(InMap && Item.contains(':'))) {
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

/// Writes the shortest decimal number that reads back as \p Value.
static void printFloat(raw_ostream &OS, double Value) {
  char Buffer[32];
  auto [End, Code] = std::to_chars(Buffer, std::end(Buffer), Value);
  assert(Code == std::errc() && "the buffer is long enough for any number");
  (void)Code;
  OS.write(Buffer, End - Buffer);
}

static void printScalar(raw_ostream &OS, const PassOptionInfo &Option,
                        const PassOptionScalar &S) {
  switch (Option.Kind) {
  case PassOptionKind::Bool:
    OS << (std::get<bool>(S) ? "true" : "false");
    return;
  case PassOptionKind::Int:
    OS << std::get<int64_t>(S);
    return;
  case PassOptionKind::Float:
    return printFloat(OS, std::get<double>(S));
  case PassOptionKind::Enum:
    OS << Option.Values[std::get<int64_t>(S)];
    return;
  case PassOptionKind::String:
  case PassOptionKind::File:
    return printItem(OS, std::get<std::string>(S),
                     Option.Shape == PassOptionShape::Map);
  }
  llvm_unreachable("unknown kind of option");
}

static void printValue(raw_ostream &OS, const PassOptionInfo &Option,
                       const PassOptionValue &Value) {
  auto Print = [&](const PassOptionScalar &S) { printScalar(OS, Option, S); };
  llvm::interleave(Value.Items, OS, Print, ",");
  llvm::interleave(
      Value.Entries, OS,
      [&](const auto &Entry) {
        printItem(OS, Entry.first, /*InMap=*/true);
        for (const PassOptionScalar &S : Entry.second)
          Print((OS << ':', S));
      },
      ",");
}

void PassOptionPrinter::print(const PassOptionInfo &Option,
                              const PassOptionValue &Value) {
  start();
  // An empty list without its name would read as the default.
  bool IsEmpty = Value.Items.empty() && Value.Entries.empty();
  if (!Option.IsPositional || IsEmpty) {
    OS << Option.Name;
    if (!IsEmpty && Option.Kind == PassOptionKind::Bool &&
        Option.Shape == PassOptionShape::Scalar &&
        std::get<bool>(Value.Items.front()))
      return;
    OS << '=';
  }
  printValue(OS, Option, Value);
}

void PassOptionPrinter::printPlain(StringRef Text) { start() << Text; }
