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
  OpFactReader(Context &Ctx, ArrayRef<StringRef> Keys)
      : Ctx(Ctx), Diags(Ctx.getDiagnostics()), Keys(Keys),
        Text(Diags.getMainText()) {}

  LogicalResult read();

private:
  InFlightDiagnostic emitError(StringRef At, const Twine &Message) const {
    size_t Offset = Diags.getMainOffset() + (At.data() - Text.data());
    return Diags.emitError(Location::fromOffset(Offset), At.size(), Message);
  }
  LogicalResult readLine(StringRef Line);
  LogicalResult readSection(StringRef Line);
  LogicalResult readSetting(StringRef Word);
  LogicalResult readEntry(StringRef Line);

  Context &Ctx;
  DiagnosticEngine &Diags;
  ArrayRef<StringRef> Keys;
  StringRef Text;

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
    return emitError(Words[0], "unknown kind of fact '" + Words[0] + "'" +
                                   getSuggestion(Words[0], Known) +
                                   "; the kinds are " +
                                   llvm::join(Known, ", "));
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
    return emitError(Word, "no target has the key '" + Value + "'" +
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
  size_t Offset = Diags.getMainOffset() + (Name.data() - Text.data());
  Diags.printLocation(OS, Location::fromOffset(Offset));
  OpHookEntry Entry;
  Entry.Op = Op;
  Entry.Key = Key;
  Entry.Level = Level;
  Entry.Name = Value;
  Entry.Source = Source;
  Entry.Value = *Parsed;
  if (llvm::Error E = Ctx.addOpHook(*Kind, Entry))
    return emitError(Name, llvm::toString(std::move(E)));
  return success();
}

LogicalResult relay::readOpFacts(std::unique_ptr<llvm::MemoryBuffer> Text,
                                 Context &Ctx, ArrayRef<StringRef> Keys) {
  // The diagnostics engine owns the text, since locations are offsets into it.
  Ctx.getDiagnostics().setMainBuffer(std::move(Text));
  return OpFactReader(Ctx, Keys).read();
}
