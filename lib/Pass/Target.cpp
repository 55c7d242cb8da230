//===- Target.cpp - The hardware or library to compile for ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Target.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/Target.h"
#include "StandardGroups.h"
#include "relay/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/RISCVTargetParser.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

#include "relay/Pass/TargetRegistry.inc"

void relay::registerStandardTargets(PassRegistry &Registry) {
  registerGeneratedPasses(Registry);
}

/// Returns an error about \p Text, whose options follow spaces as in TVM:
/// `llvm -mcpu=skylake`.
static Error makeSpaceError(StringRef Text) {
  SmallVector<StringRef> Words;
  llvm::SplitString(Text, Words);
  std::string WithCommas = Words.front().str();
  for (StringRef Word : llvm::drop_begin(Words))
    WithCommas += ("," + Word.ltrim('-')).str();
  return llvm::createStringError("unknown target '" + Text.trim() +
                                 "'; options follow commas: '" + WithCommas +
                                 "'");
}

Expected<Target> Target::parse(StringRef Text, const PassRegistry &Registry) {
  auto [Name, Options] = Text.split(',');
  Name = Name.trim();
  const TargetInfo *Info = Registry.lookupTarget(Name);
  if (!Info && Registry.lookupTarget(Text.split(' ').first.trim()))
    return makeSpaceError(Text);
  if (!Info) {
    SmallVector<StringRef> Known = Registry.getTargetNames();
    return llvm::createStringError(
        "unknown target '" + Name + "'; the targets are " +
        llvm::join(Known, ", ") + getSuggestion(Name, Known));
  }
  Target T(*Info);
  if (Error E = T.parseOptions(Options))
    return E;
  T.computeKeys();
  T.computeX86Features();
  return T;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

const PassOptionInfo *Target::findOption(StringRef Name) const {
  auto *It = llvm::find_if(
      Info->Options, [&](const PassOptionInfo &O) { return O.Name == Name; });
  return It == Info->Options.end() ? nullptr : It;
}

static Error makeOptionError(const Target &T, StringRef Name,
                             const Twine &Problem) {
  return llvm::createStringError("option '" + Name + "' of target '" +
                                 T.getName() + "' " + Problem);
}

static Error makeUnknownOptionError(const Target &T, StringRef Name) {
  SmallVector<StringRef> Known;
  for (const PassOptionInfo &Option : T.getInfo().Options)
    Known.push_back(Option.Name);
  return llvm::createStringError(
      "target '" + T.getName() + "' has no option '" + Name + "'" +
      getSuggestion(Name, Known) + "; its options are " +
      llvm::join(Known, ", "));
}

/// Parses the pieces of \p Text between commas, each an option; a piece that
/// continues a list belongs to the previous piece.
Error Target::parseOptions(StringRef Text) {
  while (!Text.empty()) {
    StringRef Piece;
    std::tie(Piece, Text) = Text.split(',');
    auto [Name, Value] = Piece.split('=');
    Name = Name.trim();
    const PassOptionInfo *Option = findOption(Name);
    if (!Option)
      return makeUnknownOptionError(*this, Name);
    bool IsList = Option->Shape == PassOptionShape::List;
    bool HasValue = Piece.contains('=');
    bool IsFlag = Option->Kind == PassOptionKind::Bool && !IsList && !HasValue;
    if (!HasValue && !IsFlag)
      return makeOptionError(*this, Name, "expects a value");
    while (IsList && !Text.empty() && !Text.split(',').first.contains('=') &&
           !findOption(Text.split(',').first.trim())) {
      StringRef More = Text.split(',').first;
      Value = StringRef(Value.begin(), More.end() - Value.begin());
      Text = Text.split(',').second;
    }
    if (Error E = setOption(*Option, IsFlag ? "true" : Value))
      return E;
  }
  return Error::success();
}

Error Target::setOption(const PassOptionInfo &Option, StringRef Text) {
  if (Values.count(Option.Name))
    return makeOptionError(*this, Option.Name, "is given twice");
  Expected<PassOptionValue> Value = parseOptionValue(Option, Text);
  if (!Value)
    return makeOptionError(*this, Option.Name,
                           llvm::toString(Value.takeError()));
  Values.emplace(Option.Name.str(), std::move(*Value));
  return Error::success();
}

std::optional<PassOptionValue> Target::getValue(StringRef Name) const {
  if (auto It = Values.find(Name); It != Values.end())
    return It->second;
  const PassOptionInfo *Option = findOption(Name);
  assert(Option && "the target has no such option");
  return getDefaultValue(*Option);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

void Target::addKey(StringRef Key) {
  if (!Key.empty() && !llvm::is_contained(Keys, Key))
    Keys.push_back(Key);
}

/// The keys are texts of Info and of Values.
void Target::computeKeys() {
  addKey(getName());
  if (auto It = Values.find(DeviceOption); It != Values.end())
    addKey(std::get<std::string>(It->second.Items.front()));
  auto It = Values.find(KeysOption);
  if (It == Values.end()) {
    llvm::for_each(Info->Keys, [&](StringRef Key) { addKey(Key); });
    return;
  }
  for (const PassOptionScalar &Key : It->second.Items)
    addKey(std::get<std::string>(Key));
}

//===----------------------------------------------------------------------===//
// Features of processors
//===----------------------------------------------------------------------===//

void Target::computeX86Features() {
  if (getName() != "llvm")
    return;
  llvm::Triple Triple(getText("mtriple"));
  if (Triple.getArch() != llvm::Triple::UnknownArch && !Triple.isX86())
    return;
  auto Set = [&](StringRef Feature, bool IsEnabled) {
    X86Features[Feature] = IsEnabled;
    llvm::X86::updateImpliedFeatures(Feature, IsEnabled, X86Features);
  };
  std::string Processor = getText("mcpu");
  SmallVector<StringRef> OfProcessor;
  if (llvm::X86::parseArchX86(Processor) != llvm::X86::CK_None)
    llvm::X86::getFeaturesForCPU(Processor, OfProcessor);
  for (StringRef Feature : OfProcessor)
    Set(Feature, true);
  std::vector<std::string> Listed =
      getOption<std::vector<std::string>>("mattr");
  for (StringRef Feature : Listed)
    if (bool IsEnabled = Feature.consume_front("+");
        IsEnabled || Feature.consume_front("-"))
      Set(Feature, IsEnabled);
}

/// Returns the processors of the architecture of \p T; none if LLVM does not
/// list them. Without an architecture, it is x86.
static SmallVector<StringRef, 0> getProcessors(const llvm::Triple &T) {
  SmallVector<StringRef, 0> Names;
  if (T.getArch() == llvm::Triple::UnknownArch ? T.getArchName().empty()
                                               : T.isX86()) {
    llvm::X86::fillValidCPUArchList(Names);
  } else if (T.isAArch64()) {
    llvm::AArch64::fillValidCPUArchList(Names);
  } else if (T.isARM() || T.isThumb()) {
    llvm::ARM::fillValidCPUArchList(Names);
  } else if (T.isRISCV()) {
    llvm::RISCV::fillValidCPUArchList(Names, T.isRISCV64());
    llvm::RISCV::fillValidTuneCPUArchList(Names, T.isRISCV64());
  }
  return Names;
}

std::string Target::describeIgnoredOption() const {
  if (getName() != "llvm")
    return "";
  for (StringRef Feature : getOption<std::vector<std::string>>("mattr"))
    if (!Feature.starts_with("+") && !Feature.starts_with("-"))
      return ("the feature '" + Feature + "' begins with neither '+' nor '-'")
          .str();
  std::string Processor = getText("mcpu");
  SmallVector<StringRef, 0> Known =
      getProcessors(llvm::Triple(getText("mtriple")));
  if (Processor.empty() || Processor == "generic" || Known.empty() ||
      llvm::is_contained(Known, Processor))
    return "";
  return "unknown processor '" + Processor + "'" +
         getSuggestion(Processor, Known);
}
