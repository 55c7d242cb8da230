//===- FlagsTest.cpp ------------------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flags that are members: their values after a command line, errors, the output
// of -help, and duplicate names.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Flags.h"
#include "gtest/gtest.h"

using namespace relay;
using llvm::Error;

namespace {

enum class Color { None, Red, DarkRed, Green };

/// A type with its own syntax of values: `a:b`.
struct TwoNames {
  std::string First, Second;
};

Error parseFlagValue(StringRef Text, TwoNames &Value) {
  auto [First, Second] = Text.split(':');
  if (Second.empty())
    return llvm::createStringError("'" + Text + "' is not of the form a:b");
  Value = {First.str(), Second.str()};
  return Error::success();
}

struct Paint : FlagGroup {
  explicit Paint(FlagSet &Flags) : FlagGroup(Flags, "Paint") {}

  Flag<bool> Gloss{*this, "-gloss", "Make it shine"};
  Flag<Color> Tone{
      *this,
      "-tone",
      "Choose a color",
      flag::ValueName{"color"},
      flag::WithoutValue{Color::Green},
      flag::OneOf<Color>{{"red", Color::Red, "like a rose"},
                         {"dark-red", Color::DarkRed, "like an old rose"}}};
  Flag<unsigned> Coats{
      *this,         "-coats",           "How often",
      flag::Init{2}, flag::LastCounts(), flag::ValueName{"number"}};
};

struct Room : FlagGroup {
  explicit Room(FlagSet &Flags) : FlagGroup(Flags, "A room") {}

  Flag<std::string> Name{*this, "-room", "Which room"};
  Flag<std::string> Note{*this, "-room-note", "What to say", flag::MayBeEmpty(),
                         flag::WithoutValue{"nothing"}};
  Flag<double> Height{*this, "-height", "In metres", flag::Hidden()};
  Flag<int> Floor{*this, "-floor", "Which floor"};
  ListFlag<unsigned> Walls{*this, "-walls", "Which walls",
                           flag::CommaSeparated(), flag::ValueName{"wall,..."}};
  ListFlag<TwoNames> Doors{*this, "-door", "A door"};
};

class FlagsTest : public testing::Test {
protected:
  /// Reads and applies \p Arguments. Returns the errors, one per line.
  std::string parse(std::initializer_list<const char *> Arguments) {
    std::vector<const char *> Copy(Arguments);
    Line = Flags.read(Copy);
    return llvm::toString(Flags.apply(Line));
  }
  /// Returns the text of the flags of the last command line.
  std::vector<std::string> getWritten() const {
    std::vector<std::string> Written;
    for (const FlagUse &Use : Line.Flags)
      Written.push_back(Use.str());
    return Written;
  }
  std::string getHelp(bool ShowHidden) const {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Flags.printHelp(OS, "paints", "painter [options]", ShowHidden);
    return Text;
  }

  FlagSet Flags{"painter"};
  Paint P{Flags};
  Room R{Flags};
  ParsedCommandLine Line;
};

using Texts = std::vector<std::string>;

} // namespace

TEST_F(FlagsTest, DefaultsHoldUntilFlagsAreGiven) {
  EXPECT_EQ(parse({}), "");
  EXPECT_FALSE(P.Gloss);
  EXPECT_EQ(P.Tone.get(), Color::None);
  EXPECT_EQ(P.Coats, 2u);
  EXPECT_FALSE(P.Coats.isGiven());
  EXPECT_TRUE(R.Name->empty());
  EXPECT_TRUE(R.Walls.empty());
}

TEST_F(FlagsTest, ValuesFollowAnEqualsSignOrStandAlone) {
  EXPECT_EQ(parse({"-gloss", "--tone=dark-red", "-coats", "3", "--room", "=x",
                   "-floor=-1", "-height=0x1p1", "in"}),
            "");
  EXPECT_TRUE(P.Gloss);
  EXPECT_EQ(P.Tone.get(), Color::DarkRed);
  EXPECT_EQ(P.Coats, 3u);
  EXPECT_TRUE(P.Coats.isGiven());
  EXPECT_EQ(*R.Name, "=x");
  EXPECT_EQ(R.Floor, -1);
  EXPECT_EQ(R.Height, 2.0);
  EXPECT_EQ(Line.Operands, std::vector<StringRef>{"in"});
  EXPECT_EQ(getWritten(), (Texts{"-gloss", "-tone=dark-red", "-coats=3",
                                 "-room==x", "-floor=-1", "-height=0x1p1"}));
  EXPECT_TRUE(Line.has("coats"));
  EXPECT_FALSE(Line.has("walls"));
}

TEST_F(FlagsTest, OptionalValuesDoNotTakeTheNextArgument) {
  EXPECT_EQ(parse({"-tone", "red", "-room-note", "-gloss=false"}), "");
  EXPECT_EQ(P.Tone.get(), Color::Green);
  EXPECT_EQ(*R.Note, "nothing");
  EXPECT_FALSE(P.Gloss);
  EXPECT_TRUE(P.Gloss.isGiven());
  EXPECT_EQ(Line.Operands, std::vector<StringRef>{"red"});
}

TEST_F(FlagsTest, ListsGrow) {
  EXPECT_EQ(parse({"-walls=1,2", "-walls", "3", "-door=a:b", "-door=c:d,e"}),
            "");
  EXPECT_EQ(*R.Walls, (std::vector<unsigned>{1, 2, 3}));
  ASSERT_EQ(R.Doors->size(), 2u);
  EXPECT_EQ(R.Doors->back().Second, "d,e");
}

TEST_F(FlagsTest, OperandsAreWhatIsNoFlag) {
  EXPECT_EQ(parse({"-", "a", "--", "-gloss", "--"}), "");
  EXPECT_EQ(Line.Operands, (std::vector<StringRef>{"-", "a", "-gloss", "--"}));
  EXPECT_FALSE(P.Gloss);
}

TEST_F(FlagsTest, EmptyValues) {
  EXPECT_EQ(parse({"-room-note="}), "");
  EXPECT_EQ(*R.Note, "");
  EXPECT_EQ(parse({"-room=", "-floor", "", "-gloss="}),
            "option -room: the value is empty\n"
            "option -floor: the value is empty\n"
            "option -gloss: the value is empty");
}

TEST_F(FlagsTest, WrongValuesNameWhatIsExpected) {
  EXPECT_EQ(
      parse({"-gloss=maybe", "-tone=blue", "-coats=-1", "-floor=top",
             "-height=tall", "-walls=1,x", "-door=a"}),
      "option -gloss: wrong value 'maybe', expected true or false\n"
      "option -tone: unknown value 'blue', expected one of red, "
      "dark-red\n"
      "option -coats: wrong value '-1', expected an integer of at least 0\n"
      "option -floor: wrong value 'top', expected an integer\n"
      "option -height: wrong value 'tall', expected a number\n"
      "option -walls: wrong value 'x', expected an integer of at least 0\n"
      "option -door: 'a' is not of the form a:b");
  EXPECT_EQ(parse({"-tone=rad"}), "option -tone: may be given only once");
}

/// If several are equally near, the first by name.
TEST_F(FlagsTest, UnknownFlagsBetweenTwo) {
  EXPECT_EQ(parse({"-roor"}), "unknown option '-roor'; did you mean '-door'?");
}

TEST_F(FlagsTest, UnknownFlagsNameTheNearest) {
  EXPECT_EQ(parse({"-glos", "--roome=x", "-xyzzyx", "-roomy", "-tonered",
                   "-heigh=1"}),
            "unknown option '-glos'; did you mean '-gloss'?\n"
            "unknown option '--roome=x'; did you mean '--room=x'?\n"
            "unknown option '-xyzzyx'\n"
            "unknown option '-roomy'; did you mean '-room'?\n"
            "unknown option '-tonered'; did you mean '-tone'?\n"
            "unknown option '-heigh=1'");
}

TEST_F(FlagsTest, SynonymsStandForFlags) {
  static constexpr FlagSynonym List[] = {
      {"-varnish", "-gloss"},
      {"-red", "-tone=red"},
      {"-r", "-room"},
      {"-dry", ""},
      {"-gloss", "-room"},
      {"-lacquer", "-coats=<number>", FlagSynonym::Use::Answered}};
  Flags.setSynonyms(List);
  EXPECT_EQ(parse({"--varnish", "-red", "-r", "hall", "-dry"}), "");
  EXPECT_TRUE(P.Gloss);
  EXPECT_EQ(R.Name.get(), "hall");
  EXPECT_EQ(parse({"-dry", "--dry", "-gloss", "-varnish"}),
            "option -dry: may be given only once\n"
            "options -varnish and -gloss are the same flag, which may be given "
            "only once\n"
            "option -varnish: may be given only once");
  EXPECT_EQ(
      parse({"-red=much", "-lacquer=3", "-dry=much", "-varnis", "-varnish"}),
      "unknown option '-red=much'; did you mean '-tone=red'?\n"
      "unknown option '-lacquer=3'; did you mean '-coats=<number>'?\n"
      "unknown option '-dry=much'\n"
      "unknown option '-varnis'\n"
      "option -varnish: may be given only once");
}

TEST_F(FlagsTest, ValuesMayNotBeMissing) {
  EXPECT_EQ(parse({"-gloss", "--room"}), "option -room: requires a value");
  EXPECT_EQ(parse({"-room", "--gloss"}),
            "option -room: requires a value, got the option '--gloss'; as a "
            "value it is '-room=--gloss'");
  EXPECT_EQ(parse({"-room", "-glossy"}), "");
}

TEST_F(FlagsTest, OnlySomeFlagsMayBeGivenTwice) {
  EXPECT_EQ(
      parse({"-coats=1", "-coats=4", "-gloss", "-gloss", "-room=a", "-room=b"}),
      "option -gloss: may be given only once\n"
      "option -room: may be given only once");
  EXPECT_EQ(P.Coats, 4u);
}

TEST_F(FlagsTest, NamesThatClashNameBothOwners) {
  EXPECT_FALSE(bool(Flags.checkNames()));
  Flags.setOwner("plugin 'gilder'");
  FlagGroup Gold(Flags, "Gold");
  Flag<bool> Shine(Gold, "-shine", "Shine"), Gloss(Gold, "-gloss", "Gloss");
  EXPECT_EQ(
      llvm::toString(Flags.checkNames()),
      "plugin 'gilder' declares flag '-gloss', which painter has already");
  EXPECT_EQ(Flags.lookup("gloss"), &P.Gloss);
  EXPECT_EQ(Flags.lookup("shine")->getOwner(), "plugin 'gilder'");
  EXPECT_EQ(Flags.lookup("matt"), nullptr);
}

TEST_F(FlagsTest, HelpListsGroups) {
  const std::string Before = "OVERVIEW: paints\n"
                             "\n"
                             "USAGE: painter [options]\n"
                             "\n"
                             "A room:\n"
                             "  -door=<value>        A door\n"
                             "  -floor=<value>       Which floor\n";
  const std::string Hidden = "  -height=<value>      In metres\n";
  const std::string After = "  -room-note[=<value>] What to say\n"
                            "  -room=<value>        Which room\n"
                            "  -walls=<wall,...>    Which walls\n"
                            "\n"
                            "Paint:\n"
                            "  -coats=<number> How often\n"
                            "  -gloss          Make it shine\n"
                            "  -tone[=<color>] Choose a color\n"
                            "                    =red: like a rose\n"
                            "                    =dark-red: like an old rose\n";
  EXPECT_EQ(getHelp(/*ShowHidden=*/false), Before + After);
  EXPECT_EQ(getHelp(/*ShowHidden=*/true), Before + Hidden + After);
}

TEST_F(FlagsTest, FlagsAreSortedByName) {
  Texts Names;
  for (const FlagBase *F : Flags.getFlags())
    Names.push_back(F->getName().str());
  EXPECT_EQ(Names, (Texts{"coats", "door", "floor", "gloss", "height", "room",
                          "room-note", "tone", "walls"}));
  SmallVector<FlagBase::Word> Words = Flags.lookup("tone")->getWords();
  ASSERT_EQ(Words.size(), 2u);
  EXPECT_EQ(Words[1].Text, "dark-red");
}
