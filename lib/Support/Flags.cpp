//===- Flags.cpp - Flags of a command line --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Flags.h. Command lines are read by looking each name up in the FlagSet;
// LLVM's Option library, whose table takes longer to build than all else at
// start-up, prints -help.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Flags.h"
#include "relay/Support/Diagnostics.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/StringSaver.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;
using llvm::opt::Option;
using llvm::opt::OptTable;

char FlagValueError::ID;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Error makeWrongValue(StringRef Text, const Twine &Expected) {
  return llvm::createStringError("wrong value '" + Text + "', expected " +
                                 Expected);
}

template <typename T>
static Error parseInteger(StringRef Text, T &Value, StringRef Expected) {
  if (Text.getAsInteger(0, Value))
    return makeWrongValue(Text, Expected);
  return Error::success();
}

Error relay::parseFlagValue(StringRef Text, bool &Value) {
  Value = Text.equals_insensitive("true") || Text == "1";
  if (Value || Text.equals_insensitive("false") || Text == "0")
    return Error::success();
  return makeWrongValue(Text, "true or false");
}

Error relay::parseFlagValue(StringRef Text, int &Value) {
  return parseInteger(Text, Value, "an integer");
}

Error relay::parseFlagValue(StringRef Text, int64_t &Value) {
  return parseInteger(Text, Value, "an integer");
}

Error relay::parseFlagValue(StringRef Text, unsigned &Value) {
  return parseInteger(Text, Value, "an integer of at least 0");
}

Error relay::parseFlagValue(StringRef Text, uint64_t &Value) {
  return parseInteger(Text, Value, "an integer of at least 0");
}

Error relay::parseFlagValue(StringRef Text, double &Value) {
  if (Text.getAsDouble(Value))
    return makeWrongValue(Text, "a number");
  return Error::success();
}

Error relay::parseFlagValue(StringRef Text, std::string &Value) {
  Value = Text.str();
  return Error::success();
}

Error detail::parsePositive(StringRef Text, uint64_t Max, uint64_t &Value) {
  if (Text.getAsInteger(0, Value) || Value == 0 || Value > Max)
    return makeWrongValue(Text, "an integer of at least 1");
  return Error::success();
}

Error detail::forEachElement(StringRef Text,
                             function_ref<Error(StringRef)> Visit) {
  for (StringRef Element : llvm::split(Text, ',')) {
    if (Element.trim().empty())
      return llvm::createStringError("the list '" + Text +
                                     "' has an empty element");
    if (Error E = Visit(Element.trim()))
      return E;
  }
  return Error::success();
}

static SmallVector<StringRef> getTexts(ArrayRef<FlagBase::Word> Words) {
  SmallVector<StringRef> Texts;
  for (const FlagBase::Word &W : Words)
    Texts.push_back(W.Text);
  return Texts;
}

Expected<size_t> detail::findWord(StringRef Text,
                                  ArrayRef<FlagBase::Word> Words) {
  SmallVector<StringRef> Texts = getTexts(Words);
  auto *Found = llvm::find(Texts, Text);
  if (Found != Texts.end())
    return Found - Texts.begin();
  std::string Hint = getSuggestion(Text, Texts);
  if (Hint.empty())
    Hint = ", expected one of " + llvm::join(Texts, ", ");
  return llvm::createStringError("unknown value '" + Text + "'" + Hint);
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

FlagBase::FlagBase(FlagGroup Group, StringLiteral Spelling, StringLiteral Help)
    : Spelling(Spelling), Help(Help), Title(Group.Title) {
  assert(Spelling.size() > 1 && Spelling.front() == '-' &&
         "the name of a flag begins with a dash");
  if (Group.Flags)
    Group.Flags->add(*this);
}

/// Returns the message for a flag that occurs as \p First and again as \p
/// Second.
static std::string getOnceText(StringRef First, StringRef Second) {
  if (First == Second)
    return ("option " + First + ": may be given only once").str();
  return ("options " + First + " and " + Second +
          " are the same flag, which may be given only once")
      .str();
}

Error FlagBase::set(StringRef As, std::optional<StringRef> Text) {
  auto Fail = [&](const Twine &Problem) {
    return llvm::createStringError("option " + Spelling + ": " + Problem);
  };
  if (isGiven() && !Repeatable)
    return llvm::createStringError(getOnceText(GivenAs, As));
  GivenAs = As;
  if (!Text) {
    setWithoutValue();
    return Error::success();
  }
  if (Text->empty() && !MayBeEmpty && getWords().empty())
    return Fail("the value is empty");
  if (Error E = parse(*Text))
    return Fail(llvm::toString(std::move(E)));
  return Error::success();
}

Error relay::checkNotGiven(ArrayRef<const FlagBase *> Flags,
                           const Twine &Needed) {
  for (const FlagBase *F : Flags)
    if (F->isGiven())
      return llvm::createStringError("option " + F->getSpelling() +
                                     ": is only meaningful with " + Needed);
  return Error::success();
}

std::string FlagUse::str() const {
  std::string Text = Flag->getSpelling().str();
  return Value ? Text + "=" + Value->str() : Text;
}

bool ParsedCommandLine::has(StringRef Name) const {
  return llvm::any_of(
      Flags, [&](const FlagUse &U) { return U.Flag->getName() == Name; });
}

bool ParsedCommandLine::isOn(StringRef Name) const {
  return llvm::any_of(Flags, [&](const FlagUse &U) {
    bool Value = true;
    if (U.Flag->getName() != Name)
      return false;
    if (U.Value)
      llvm::consumeError(parseFlagValue(*U.Value, Value));
    return Value;
  });
}

//===----------------------------------------------------------------------===//
// The table of -help
//===----------------------------------------------------------------------===//

namespace {

/// The table of LLVM's Option library, which prints -help: two entries for
/// operands and unknown flags, titles of groups, and flags in the required
/// order.
class FlagTable {
public:
  explicit FlagTable(std::vector<FlagBase *> Flags);

  const OptTable &get() const { return *Options; }

private:
  struct Table : llvm::opt::GenericOptTable {
    explicit Table(ArrayRef<Info> Entries) : GenericOptTable(Entries) {}
  };

  void addEntry(ArrayRef<StringLiteral> Prefixes, StringLiteral Name,
                const char *Help, const char *ValueName,
                Option::OptionClass Kind, bool Hidden, unsigned Group);
  void addSpecialEntries(ArrayRef<FlagBase *> Flags);
  unsigned getGroup(StringLiteral Title);
  const char *getHelpText(const FlagBase &Flag);
  const char *getValueText(const FlagBase &Flag);

  std::vector<OptTable::Info> Entries;
  llvm::BumpPtrAllocator Texts;
  llvm::StringSaver Saver{Texts};
  std::optional<Table> Options;
};

} // namespace

static constexpr StringLiteral Prefixes[] = {"-", "--"};

/// Implements the order of the Option library: a name comes after its prefixes.
static bool comesBefore(const FlagBase *L, const FlagBase *R) {
  StringRef A = L->getName(), B = R->getName();
  size_t Size = std::min(A.size(), B.size());
  if (int Order = A.take_front(Size).compare_insensitive(B.take_front(Size)))
    return Order < 0;
  return A.size() == B.size() ? A < B : A.size() > B.size();
}

FlagTable::FlagTable(std::vector<FlagBase *> Flags) {
  addSpecialEntries(Flags);
  llvm::sort(Flags, comesBefore);
  for (const FlagBase *F : Flags)
    addEntry(Prefixes, F->getSpelling(), getHelpText(*F), getValueText(*F),
             Option::JoinedClass, F->isHidden(), getGroup(F->getTitle()));
  Options.emplace(Entries);
}

/// Adds the entries that are not spellings, with the titles of \p Flags.
void FlagTable::addSpecialEntries(ArrayRef<FlagBase *> Flags) {
  addEntry({}, "<operand>", nullptr, nullptr, Option::InputClass, false, 0);
  addEntry({}, "<unknown>", nullptr, nullptr, Option::UnknownClass, false, 0);
  for (const FlagBase *F : Flags)
    if (!getGroup(F->getTitle()))
      addEntry({}, F->getTitle(), F->getTitle().data(), nullptr,
               Option::GroupClass, false, 0);
}

void FlagTable::addEntry(ArrayRef<StringLiteral> Prefixes, StringLiteral Name,
                         const char *Help, const char *ValueName,
                         Option::OptionClass Kind, bool Hidden,
                         unsigned Group) {
  Entries.push_back(
      {Prefixes, Name, Help, /*HelpTextsForVariants=*/{}, ValueName,
       /*ID=*/unsigned(Entries.size() + 1), static_cast<unsigned char>(Kind),
       /*Param=*/0, Hidden ? unsigned(llvm::opt::HelpHidden) : 0,
       llvm::opt::DefaultVis, static_cast<unsigned short>(Group), /*AliasID=*/0,
       /*AliasArgs=*/nullptr, /*Values=*/nullptr});
}

/// Returns the entry of the group; 0 if there is none.
unsigned FlagTable::getGroup(StringLiteral Title) {
  auto Found = llvm::find_if(Entries, [&](const OptTable::Info &Entry) {
    return Entry.Kind == Option::GroupClass && Entry.PrefixedName == Title;
  });
  return Found == Entries.end() ? 0 : Found->ID;
}

/// Returns the help text with a line for each value of an enumeration.
const char *FlagTable::getHelpText(const FlagBase &Flag) {
  std::string Text = Flag.getHelp().str();
  for (const FlagBase::Word &W : Flag.getWords())
    Text += ("\n  =" + W.Text + ": " + W.Help).str();
  return Saver.save(Text).data();
}

/// Returns `=<file>`, `[=<command>]`, or nothing.
const char *FlagTable::getValueText(const FlagBase &Flag) {
  if (Flag.getValueName().empty())
    return "";
  std::string Value = ("=<" + Flag.getValueName() + ">").str();
  return Saver.save(Flag.needsValue() ? Value : "[" + Value + "]").data();
}

//===----------------------------------------------------------------------===//
// Sets of flags
//===----------------------------------------------------------------------===//

void FlagSet::add(FlagBase &Flag) {
  Flag.Owner = Owner;
  auto [Entry, Inserted] = ByName.try_emplace(Flag.getName(), &Flag);
  if (Inserted)
    Flags.push_back(&Flag);
  else
    Clashes.push_back((Owner + " declares flag '" + Flag.getSpelling() +
                       "', which " + Entry->second->getOwner() + " has already")
                          .str());
}

Error FlagSet::checkNames() const {
  Error All = Error::success();
  for (const std::string &Clash : Clashes)
    All = llvm::joinErrors(std::move(All), llvm::createStringError(Clash));
  return All;
}

std::vector<const FlagBase *> FlagSet::getFlags() const {
  std::vector<const FlagBase *> Sorted(Flags.begin(), Flags.end());
  llvm::sort(Sorted, [](const FlagBase *L, const FlagBase *R) {
    return L->getName() < R->getName();
  });
  return Sorted;
}

/// Returns `unknown option '-pases=x'`, with a suggestion that includes the
/// value.
std::string FlagSet::getUnknownText(StringRef Argument) const {
  std::string Text = ("unknown option '" + Argument + "'").str();
  StringRef Name = Argument.take_until([](char C) { return C == '='; });
  StringRef Value = Argument.drop_front(Name.size());
  StringRef Dashes = Name.take_while([](char C) { return C == '-'; });
  Name = Name.drop_front(Dashes.size());
  auto Suggest = [&](const Twine &Meant) {
    return Text + ("; did you mean '" + Meant + "'?").str();
  };
  // The flag of `-j4` is `-j`.
  for (StringRef Spelled : {Name, Name.rtrim("0123456789")})
    for (const FlagSynonym &Synonym : Synonyms)
      if (Synonym.Spelling.drop_front() == Spelled && !Synonym.Meaning.empty())
        return Suggest(Synonym.Meaning);
  SmallVector<StringRef> Known;
  for (const FlagBase *F : Flags)
    if (!F->isHidden())
      Known.push_back(F->getName());
  llvm::sort(Known);
  StringRef Near = nearestName(Name, Known);
  return Near.empty() ? Text : Suggest(Dashes + Near + Value);
}

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

/// A spelling on command lines: a flag's, or that of a synonym.
struct FlagSet::Spelling {
  StringRef Text; ///< with one dash
  FlagBase *Flag; ///< null if it has no effect
  /// For a synonym: its value.
  std::optional<StringRef> Value;

  /// Returns true if a value may follow.
  bool takesValue() const { return Flag && !Value; }
};

/// Returns the spelling \p Name (without dashes), if the command line may have
/// it; a flag hides a synonym.
std::optional<FlagSet::Spelling> FlagSet::findSpelling(StringRef Name) const {
  if (FlagBase *Flag = lookup(Name))
    return Spelling{Flag->getSpelling(), Flag, std::nullopt};
  auto *Found = llvm::find_if(Synonyms, [&](const FlagSynonym &Synonym) {
    return Synonym.Spelling.drop_front() == Name;
  });
  if (Found == Synonyms.end() || Found->How != FlagSynonym::Use::Accepted)
    return std::nullopt;
  auto [Meaning, Value] = Found->Meaning.split('=');
  Spelling Result{Found->Spelling, lookup(Meaning.ltrim('-')), std::nullopt};
  assert((Meaning.empty() || Result.Flag) && "a synonym of no flag");
  if (Meaning.size() != Found->Meaning.size())
    Result.Value = Value;
  return Result;
}

/// Splits `-name=value`, `--name=value` or these without a value.
static std::pair<StringRef, std::optional<StringRef>>
splitFlag(StringRef Argument) {
  auto [Name, Value] = Argument.drop_front().split('=');
  std::optional<StringRef> Given;
  if (Argument.contains('='))
    Given = Value;
  Name.consume_front("-");
  return {Name, Given};
}

/// Returns true if a spelling with a fixed value is on: \p Value is `true`, or
/// there is none. Returns none if it is not a boolean.
static std::optional<bool> readSwitch(std::optional<StringRef> Value) {
  bool IsOn = true;
  if (!Value)
    return IsOn;
  if (Error E = parseFlagValue(*Value, IsOn)) {
    llvm::consumeError(std::move(E));
    return std::nullopt;
  }
  return IsOn;
}

bool FlagSet::isFlag(StringRef Argument) const {
  if (!Argument.starts_with("-"))
    return false;
  StringRef Name = splitFlag(Argument).first;
  return lookup(Name) ||
         llvm::any_of(Synonyms, [&](const FlagSynonym &Synonym) {
           return Synonym.Spelling.drop_front() == Name;
         });
}

/// Adds \p Found, which has a fixed value, to \p Line.
void FlagSet::addFixed(const Spelling &Found, ParsedCommandLine &Line) {
  if (Found.Flag)
    Line.Flags.push_back({Found.Flag, Found.Value, Found.Text});
  else if (llvm::is_contained(Line.WithoutEffect, Found.Text))
    Line.Problems.push_back(getOnceText(Found.Text, Found.Text));
  else
    Line.WithoutEffect.push_back(Found.Text);
}

/// Adds \p Found, whose value is \p Next, to \p Line. \p Next is null after the
/// last argument.
void FlagSet::addSeparate(const Spelling &Found, StringRef Argument,
                          const char *Next, ParsedCommandLine &Line) const {
  std::string Problem =
      ("option -" + Argument.ltrim('-') + ": requires a value").str();
  if (!Next)
    Line.Problems.push_back(Problem);
  else if (isFlag(Next))
    Line.Problems.push_back((Problem + ", got the option '" + Next +
                             "'; as a value it is '" + Argument + "=" + Next +
                             "'")
                                .str());
  else
    Line.Flags.push_back({Found.Flag, StringRef(Next), Found.Text});
}

/// Adds the flag \p Argument to \p Line. \returns true if its value is \p Next.
bool FlagSet::readFlag(StringRef Argument, const char *Next,
                       ParsedCommandLine &Line) const {
  auto [Name, Value] = splitFlag(Argument);
  std::optional<Spelling> Found = findSpelling(Name);
  bool HasFixedValue = Found && !Found->takesValue();
  std::optional<bool> IsOn = HasFixedValue ? readSwitch(Value) : true;
  if (!Found || !IsOn) {
    Line.Problems.push_back(getUnknownText(Argument));
    Line.Unknown.push_back(Argument.split('=').first.ltrim('-'));
    return false;
  }
  if (HasFixedValue) {
    if (*IsOn)
      addFixed(*Found, Line);
    return false;
  }
  if (!Value && Found->Flag->needsValue()) {
    addSeparate(*Found, Argument, Next, Line);
    return true;
  }
  Line.Flags.push_back({Found->Flag, Value, Found->Text});
  return false;
}

/// Empty arguments that are not values are ignored.
ParsedCommandLine FlagSet::read(ArrayRef<const char *> Arguments) const {
  ParsedCommandLine Line;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef Argument = Arguments[I];
    if (Argument == "--") {
      Line.Operands.insert(Line.Operands.end(), Arguments.begin() + I + 1,
                           Arguments.end());
      break;
    }
    const char *Next = I + 1 < Arguments.size() ? Arguments[I + 1] : nullptr;
    if (Argument == "-" || (!Argument.empty() && Argument.front() != '-'))
      Line.Operands.push_back(Argument);
    else if (!Argument.empty() && readFlag(Argument, Next, Line))
      ++I;
  }
  return Line;
}

Error FlagSet::apply(const ParsedCommandLine &Line) {
  Error All = Error::success();
  for (const std::string &Problem : Line.Problems)
    All = llvm::joinErrors(std::move(All), llvm::createStringError(Problem));
  for (const FlagUse &Use : Line.Flags)
    All = llvm::joinErrors(std::move(All),
                           Use.Flag->set(Use.Spelling, Use.Value));
  return All;
}

void FlagSet::printHelp(raw_ostream &OS, const char *Overview,
                        const char *Usage, bool ShowHidden) const {
  // OptTable sorts groups by title.
  std::string Text;
  llvm::raw_string_ostream TextOS(Text);
  FlagTable(Flags).get().printHelp(TextOS, Usage, Overview, ShowHidden);
  size_t Passes = Text.find("\n\nPasses:\n");
  if (Passes == std::string::npos) {
    OS << Text;
    return;
  }
  size_t Groups = Text.find("\n\n", Text.find("USAGE:"));
  size_t End = std::min(Text.find("\n\n", Passes + 2), Text.size() - 1);
  StringRef All = Text;
  OS << All.slice(0, Groups) << All.slice(Passes, End)
     << All.slice(Groups, Passes) << All.substr(End);
}
