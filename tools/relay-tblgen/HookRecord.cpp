//===- HookRecord.cpp - Hooks and facts of a .td file ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See HookRecord.h.
//
//===----------------------------------------------------------------------===//

#include "HookRecord.h"
#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Returns the text of the field \p Name of \p R; empty if it is not set, as in
/// a class.
static StringRef getText(const Record &R, StringRef Name) {
  auto *Text = dyn_cast<StringInit>(R.getValueInit(Name));
  return Text ? Text->getValue() : StringRef();
}

/// Returns the record in the field \p Name of \p R; null if it is not set.
static const Record *getDef(const Record &R, StringRef Name) {
  auto *Def = dyn_cast<DefInit>(R.getValueInit(Name));
  return Def ? Def->getDef() : nullptr;
}

HookSignature::HookSignature(const Record &R)
    : Result(getDef(R, "Result")), DataType(getText(R, "DataType")) {
  if (!Result)
    PrintFatalError(&R,
                    "kind of hook '" + getText(R, "Kind") + "' has no Result");
  addArguments(R);
}

void HookSignature::addArguments(const Record &R) {
  for (const Record *Common : R.getValueAsListOfDefs("CommonArguments"))
    Parameters.push_back({Common->getValueAsString("Type").str(),
                          Common->getValueAsString("Name").str()});
  const DagInit *Arguments = R.getValueAsDag("Arguments");
  for (unsigned I = 0; I < Arguments->getNumArgs(); ++I) {
    auto *Type = dyn_cast<StringInit>(Arguments->getArg(I));
    StringRef Name = Arguments->getArgNameStr(I);
    if (!Type || !isIdentifier(Name))
      PrintFatalError(R.getFieldLoc("Arguments"),
                      "argument " + Twine(I) + " of kind of hook '" +
                          getText(R, "Kind") +
                          "' is not a C++ type with a name");
    Parameters.push_back({Type->getValue().str(), Name.str()});
  }
}

/// Returns a declaration: `Rewriter &R`, `int64_t Axis`.
static std::string declare(StringRef Type, StringRef Name) {
  bool IsTight = Type.ends_with("&") || Type.ends_with("*");
  return (Type + (IsTight ? "" : " ") + Name).str();
}

StringRef HookSignature::getResultType() const {
  return Result->getValueAsString("Type");
}

std::string HookSignature::getParameterList(bool WithData) const {
  SmallVector<std::string> Texts;
  for (const HookParameter &P : Parameters)
    Texts.push_back(declare(P.Type, P.Name));
  if (WithData && hasData())
    Texts.push_back(declare(DataType, "Data"));
  return llvm::join(Texts, ", ");
}

std::string HookSignature::getDeclaration(StringRef Function) const {
  return declare(getResultType(), Function) + "(" +
         getParameterList(/*WithData=*/true) + ")";
}

std::string HookSignature::getForwardedNames() const {
  SmallVector<StringRef> Names;
  for (const HookParameter &P : Parameters)
    Names.push_back(P.Name);
  return llvm::join(Names, ", ");
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

HookKindRecord::HookKindRecord(const Record &Class) : Class(&Class) {
  if (getText(Class, "Kind") != getName())
    PrintFatalError(
        &Class,
        "class '" + getName() +
            "' declares a kind of hook, which must have the name of the class");
  if (!isIdentifier(getName()))
    PrintFatalError(&Class,
                    "'" + getName() + "' cannot be the name of a C++ class");
  if (!isFact()) {
    (void)getSignature(); // checks it
    return;
  }
  if (!getDef(Class, "Type"))
    PrintFatalError(&Class, "kind of fact '" + getName() + "' has no Type");
  for (StringRef Value : getEnumValues())
    if (!isKebab(Value))
      PrintFatalError(&Class, "value '" + Value + "' of kind of fact '" +
                                  getName() + "' is not in kebab case");
}

bool HookKindRecord::isFact() const { return Class->isSubClassOf("OpFact"); }

/// Returns \p Test of \p Result with `$_self` replaced.
static std::string getTest(const Record &Result, StringRef Test) {
  std::string Text;
  StringRef Rest = Result.getValueAsString(Test);
  while (!Rest.empty()) {
    auto [Before, After] = Rest.split("$_self");
    Text += Before;
    if (Before.size() != Rest.size())
      Text += "Answer";
    Rest = After;
  }
  return Text;
}

std::string HookKindRecord::getNoOpinionTest() const {
  return getTest(getSignature().getResult(), "NoOpinion");
}
std::string HookKindRecord::getFailureTest() const {
  return getTest(getSignature().getResult(), "Failed");
}

const Record &HookKindRecord::getTypeRecord() const {
  return *getDef(*Class, "Type");
}
StringRef HookKindRecord::getFactType() const {
  return getTypeRecord().getValueAsString("Enumerator");
}
std::vector<StringRef> HookKindRecord::getEnumValues() const {
  return getTypeRecord().getValueAsListOfStrings("Values");
}
std::string HookKindRecord::getValueType() const {
  if (getFactType() == "Enum")
    return (getName() + "Value").str();
  if (getFactType() == "String")
    return "StringRef";
  return getFactType() == "Bool" ? "bool" : "int64_t";
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

HookRecord::HookRecord(const Record &R) : R(&R) {
  isFact() ? checkValue() : checkFunction();
}

void HookRecord::checkFunction() const {
  if (!isIdentifier(getName()))
    PrintFatalError(R, "hook " + getKind() + " of '" + getOpClass() +
                           "' is not the name of a function: '" + getName() +
                           "'");
  if (getData().empty() == getSignature().hasData())
    PrintFatalError(R, "hook " + getKind() + " of '" + getOpClass() + "' has " +
                           (getData().empty() ? "no Data" : "Data") +
                           ", but functions of this kind take " +
                           (getData().empty()
                                ? "'" + getSignature().getDataType().str() + "'"
                                : "none"));
}

void HookRecord::checkValue() const {
  const Record *Type = getDef(*R, "Type");
  if (!Type)
    PrintFatalError(R, "kind of fact '" + getKind() + "' has no Type");
  StringRef Enumerator = Type->getValueAsString("Enumerator");
  std::vector<StringRef> Values = Type->getValueAsListOfStrings("Values");
  if (Enumerator == "Bool")
    Values = {"false", "true"};
  int64_t Number;
  if (Enumerator == "Int" && getName().getAsInteger(10, Number))
    PrintFatalError(R, "fact " + getKind() + " of '" + getOpClass() +
                           "' is not an integer: '" + getName() + "'");
  if (!Values.empty() && !is_contained(Values, getName()))
    PrintFatalError(R, "fact " + getKind() + " of '" + getOpClass() +
                           "' is not one of " + llvm::join(Values, ", ") +
                           ": '" + getName() + "'");
}

StringRef HookRecord::getKind() const { return R->getValueAsString("Kind"); }
bool HookRecord::isFact() const { return R->isSubClassOf("OpFact"); }
StringRef HookRecord::getOpClass() const {
  return R->getValueAsDef("Operator")->getName();
}
StringRef HookRecord::getKey() const { return R->getValueAsString("Key"); }
int64_t HookRecord::getLevel() const { return R->getValueAsInt("Level"); }
StringRef HookRecord::getName() const {
  return R->getValueAsString(isFact() ? "Value" : "Function");
}
std::string HookRecord::getFunctionType() const {
  return getSignature().getType(/*WithData=*/true);
}
StringRef HookRecord::getData() const { return R->getValueAsString("Data"); }

std::string HookRecord::getValueInitializer() const {
  if (!isFact()) {
    int64_t Number = R->getValueAsInt("Number");
    return Number ? "{" + std::to_string(Number) + ", {}}" : "";
  }
  const Record *Type = getDef(*R, "Type");
  StringRef Enumerator = Type->getValueAsString("Enumerator");
  if (Enumerator == "String")
    return "{0, " + quote(getName()) + "}";
  if (Enumerator == "Int")
    return ("{" + getName() + ", {}}").str();
  std::vector<StringRef> Values = Type->getValueAsListOfStrings("Values");
  if (Enumerator == "Bool")
    Values = {"false", "true"};
  return "{" + std::to_string(find(Values, getName()) - Values.begin()) +
         ", {}}";
}

//===----------------------------------------------------------------------===//
// HookFile
//===----------------------------------------------------------------------===//

HookFile::HookFile(const RecordKeeper &Records) : Stem(getFileStem(Records)) {
  readKinds(Records);
  readHooks(Records);
}

/// Returns true if \p Class is a kind, rather than an abbreviation for entries
/// of a kind.
static bool isKind(const Record &Class) {
  SmallVector<Record *> Parents;
  Class.getDirectSuperClasses(Parents);
  return any_of(Parents, [](const Record *Parent) {
    return Parent->getName() == "OpHook" || Parent->getName() == "OpFact";
  });
}

void HookFile::readKinds(const RecordKeeper &Records) {
  std::vector<const Record *> Classes;
  for (const auto &[Name, Class] : Records.getClasses())
    if (isKind(*Class))
      Classes.push_back(Class.get());
  sort(Classes, [](const Record *A, const Record *B) {
    return A->getID() < B->getID();
  });
  for (const Record *Class : Classes) {
    HookKindRecord Kind(*Class);
    KindNames.insert(Kind.getName());
    if (isInMainFile(*Class))
      Kinds.push_back(Kind);
  }
}

void HookFile::checkKind(const HookRecord &Hook) const {
  if (!KindNames.contains(Hook.getKind()))
    PrintFatalError(&Hook.getRecord(), "no class declares the kind of hook '" +
                                           Hook.getKind() + "'");
}

/// Reports an error if the function of \p Hook has another type than the
/// function of \p First.
static void checkSignature(const HookRecord &Hook, const HookRecord &First) {
  if (Hook.getFunctionType() == First.getFunctionType())
    return;
  PrintError(&Hook.getRecord(),
             "function '" + Hook.getName() + "' has the type '" +
                 Hook.getFunctionType() + "' as hook " + Hook.getKind() +
                 ", but '" + First.getFunctionType() + "' as hook " +
                 First.getKind());
  PrintFatalNote(&First.getRecord(), "first bound here");
}

/// Reports that \p Hook has the operator, key and level of \p First.
[[noreturn]] static void reportClash(const HookRecord &Hook,
                                     const HookRecord &First) {
  std::string Key =
      Hook.getKey().empty() ? "" : (" for '" + Hook.getKey() + "'").str();
  PrintError(&Hook.getRecord(),
             (Hook.isFact() ? "fact " : "hook ") + Hook.getKind() + " of '" +
                 Hook.getOpClass() + "'" + Key + " at level " +
                 Twine(Hook.getLevel()) + " is '" + Hook.getName() + "' and '" +
                 First.getName() + "'");
  PrintFatalNote(&First.getRecord(), "first bound here");
}

void HookFile::readHooks(const RecordKeeper &Records) {
  StringMap<HookRecord> Bound, Functions;
  std::vector<const Record *> All = getDefinitions(Records, "OpEntry");
  for (const Record *R : All) {
    if (!R->isSubClassOf("OpHook") && !R->isSubClassOf("OpFact"))
      PrintFatalError(R, "an OpEntry is an OpHook or an OpFact");
    HookRecord Hook(*R);
    checkKind(Hook);
    if (!Hook.isFact())
      checkSignature(Hook,
                     Functions.try_emplace(Hook.getName(), Hook).first->second);
    std::string Place = (Hook.getKind() + " " + Hook.getOpClass() + " " +
                         Hook.getKey() + " " + Twine(Hook.getLevel()))
                            .str();
    auto [First, New] = Bound.try_emplace(Place, Hook);
    if (!New)
      reportClash(Hook, First->second);
    if (isInMainFile(*R) || isOwnKind(Hook))
      Hooks.push_back(Hook);
  }
}

bool HookFile::isOwnKind(const HookRecord &Hook) const {
  return any_of(Kinds, [&](const HookKindRecord &Kind) {
    return Kind.getName() == Hook.getKind();
  });
}

std::vector<HookRecord> HookFile::getHooksOf(const HookKindRecord &Kind) const {
  std::vector<HookRecord> Own;
  copy_if(Hooks, std::back_inserter(Own), [&](const HookRecord &Hook) {
    return Hook.getKind() == Kind.getName();
  });
  return Own;
}

std::vector<StringRef> HookFile::getForeignKinds() const {
  std::vector<StringRef> Names;
  for (const HookRecord &Hook : Hooks)
    if (!isOwnKind(Hook) && !is_contained(Names, Hook.getKind()))
      Names.push_back(Hook.getKind());
  return Names;
}

std::vector<HookRecord> HookFile::getForeignHooks(StringRef Kind) const {
  std::vector<HookRecord> Foreign;
  copy_if(Hooks, std::back_inserter(Foreign),
          [&](const HookRecord &Hook) { return Hook.getKind() == Kind; });
  return Foreign;
}

bool HookFile::declaresFacts() const {
  return any_of(Kinds,
                [](const HookKindRecord &Kind) { return Kind.isFact(); });
}
