//===- OpFactFile.cpp - Files of facts of operators -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OpFactFile.h. After an error, reading continues at the next line; after
// an error in a section header, the section is skipped.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Facts/OpFactFile.h"
#include "relay/IR/OpHooks.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

/// Reading ends after this many errors.
static constexpr unsigned MaxFactErrors = 20;

namespace {

class OpFactReader {
public:
  OpFactReader(Context &Ctx, ArrayRef<StringRef> Keys, OpFactSink Add)
      : Ctx(Ctx), Diags(Ctx.getDiagnostics()), Keys(Keys), Add(Add),
        Text(Diags.getMainText()) {}

  LogicalResult read();
  /// Warns of entries that a lookup with \p TargetKeys does not find.
  void warnOfHidden(ArrayRef<StringRef> TargetKeys) const;

private:
  /// An entry of this file.
  struct Added {
    const OpHookKind *Kind;
    const OpInfo *Op;
    StringRef Key, Name; ///< parts of the text
  };

  Location getLoc(StringRef At) const {
    return Location::fromOffset(Diags.getMainOffset() +
                                (At.data() - Text.data()));
  }
  InFlightDiagnostic emitError(StringRef At, const Twine &Message) const {
    return Diags.emitError(getLoc(At), At.size(), Message);
  }
  bool hasEntry(const OpHookKind &Kind, const OpInfo &Op, StringRef Key) const;
  LogicalResult readLine(StringRef Line);
  LogicalResult readSection(StringRef Line);
  LogicalResult readSetting(StringRef Word);
  LogicalResult readEntry(StringRef Line);

  Context &Ctx;
  DiagnosticEngine &Diags;
  ArrayRef<StringRef> Keys;
  OpFactSink Add;
  StringRef Text;
  std::vector<Added> Entries;

  // The current section.
  bool HasSection = false;
  const OpHookKind *Kind = nullptr; ///< null if the section has an error
  StringRef Key;
  int Level = 0;
};

} // namespace

LogicalResult OpFactReader::read() {
  unsigned NumErrors = 0;
  for (StringRef Rest = Text; !Rest.empty() && NumErrors < MaxFactErrors;) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    NumErrors += failed(readLine(Line.trim()));
  }
  return success(NumErrors == 0);
}

LogicalResult OpFactReader::readLine(StringRef Line) {
  if (Line.empty() || Line.starts_with("#"))
    return success();
  if (!Line.starts_with("["))
    return readEntry(Line);
  HasSection = true;
  LogicalResult Result = readSection(Line);
  if (failed(Result))
    Kind = nullptr;
  return Result;
}

/// `[Supported key=dnnl level=120]`
LogicalResult OpFactReader::readSection(StringRef Line) {
  Key = "";
  Level = OpHookEntry::FileLevel;
  StringRef Inside = Line.drop_front();
  if (!Inside.consume_back("]"))
    return emitError(Line, "expects ']' at the end of the line");
  SmallVector<StringRef, 3> Words;
  llvm::SplitString(Inside, Words);
  if (Words.empty())
    return emitError(Line, "expects the name of a kind of fact");
  Kind = Ctx.lookupOpFactKind(Words[0]);
  if (!Kind) {
    SmallVector<StringRef> Known = Ctx.getOpFactKinds();
    return emitError(
        Words[0], "unknown kind of fact '" + Words[0] + "'; the kinds are " +
                      llvm::join(Known, ", ") + getSuggestion(Words[0], Known));
  }
  for (StringRef Word : llvm::drop_begin(Words))
    if (failed(readSetting(Word)))
      return failure();
  return success();
}

LogicalResult OpFactReader::readSetting(StringRef Word) {
  auto [Name, Value] = Word.split('=');
  if (Name == "level") {
    if (!Value.getAsInteger(10, Level))
      return success();
    return emitError(Word, "level expects an integer, got '" + Value + "'");
  }
  if (Name != "key")
    return emitError(Word, "expects key=... or level=..., got '" + Word + "'");
  if (!llvm::is_contained(Keys, Value))
    return emitError(Word, Keys.empty()
                               ? "the sections of this file have no key"
                               : "unknown key '" + Value + "'; the keys are " +
                                     llvm::join(Keys, ", ") +
                                     getSuggestion(Value, Keys));
  Key = Value;
  return success();
}

/// `nn.conv2d = true`
LogicalResult OpFactReader::readEntry(StringRef Line) {
  if (!HasSection)
    return emitError(Line, "expects a section before the first entry: "
                           "[<kind of fact>]");
  if (!Kind)
    return success(); // the error in the section has been reported
  auto [Name, Value] = Line.split('=');
  Name = Name.trim();
  Value = Value.trim();
  if (!Line.contains('=') || Name.empty())
    return emitError(Line, "expects <operator> = <value>");
  const OpInfo *Op = Ctx.lookupOp(Name);
  if (!Op || !Op->isOperator() || !Op->isRegistered())
    return emitError(Name, "unknown operator '" + Name + "'" +
                               getSuggestion(Name, Ctx.getOperatorNames()));
  llvm::Expected<OpFactValue> Parsed = parseOpFact(*Kind, Value);
  if (!Parsed)
    return emitError(Value, "fact " + Kind->Name + " " +
                                llvm::toString(Parsed.takeError()));
  std::string Source;
  llvm::raw_string_ostream OS(Source);
  Diags.printLocation(OS, getLoc(Name));
  OpHookEntry Entry;
  Entry.Op = Op;
  Entry.Key = Key;
  Entry.Level = Level;
  Entry.Name = Value;
  Entry.Source = Source;
  Entry.Value = *Parsed;
  if (llvm::Error E = Add(*Kind, Entry))
    return emitError(Name, llvm::toString(std::move(E)));
  Entries.push_back({Kind, Op, Key, Name});
  return success();
}

//===----------------------------------------------------------------------===//
// Hidden entries
//===----------------------------------------------------------------------===//

bool OpFactReader::hasEntry(const OpHookKind &Kind, const OpInfo &Op,
                            StringRef Key) const {
  return llvm::any_of(Entries, [&](const Added &A) {
    return A.Kind == &Kind && A.Op == &Op && A.Key == Key;
  });
}

/// Returns the position of \p Key in the order of a lookup with \p TargetKeys;
/// none if it does not include the key.
static std::optional<unsigned> getRank(StringRef Key,
                                       ArrayRef<StringRef> TargetKeys) {
  auto *It = llvm::find(TargetKeys, Key);
  if (It == TargetKeys.end() && !Key.empty())
    return std::nullopt;
  return It - TargetKeys.begin();
}

/// An entry of this file with the hiding key is intended.
void OpFactReader::warnOfHidden(ArrayRef<StringRef> TargetKeys) const {
  for (const Added &A : Entries) {
    std::optional<unsigned> Rank = getRank(A.Key, TargetKeys);
    const OpHookNode *First = Ctx.getOpHooks(*A.Kind, TargetKeys).lookup(*A.Op);
    if (!Rank || First->Rank >= *Rank)
      continue;
    StringRef Hiding = TargetKeys[First->Rank];
    if (!hasEntry(*A.Kind, *A.Op, Hiding))
      Diags.emitWarning(getLoc(A.Name))
          << "'" << A.Name << "' is hidden for target '" << TargetKeys.front()
          << "' by an entry with key '" << Hiding << "'; an entry of ["
          << A.Kind->Name << " key=" << Hiding << "] overrides it";
  }
}

LogicalResult relay::parseOpFacts(std::unique_ptr<llvm::MemoryBuffer> Text,
                                  Context &Ctx, ArrayRef<StringRef> Keys,
                                  OpFactSink Add) {
  // The diagnostics engine owns the text, since locations are offsets into it.
  Ctx.getDiagnostics().setMainBuffer(std::move(Text));
  return OpFactReader(Ctx, Keys, Add).read();
}

LogicalResult relay::readOpFacts(std::unique_ptr<llvm::MemoryBuffer> Text,
                                 Context &Ctx, ArrayRef<StringRef> Keys,
                                 ArrayRef<StringRef> TargetKeys) {
  Ctx.getDiagnostics().setMainBuffer(std::move(Text));
  auto Add = [&](const OpHookKind &Kind, const OpHookEntry &Entry) {
    return Ctx.addOpHook(Kind, Entry);
  };
  OpFactReader Reader(Ctx, Keys, Add);
  if (failed(Reader.read()))
    return failure();
  Reader.warnOfHidden(TargetKeys);
  return success();
}
