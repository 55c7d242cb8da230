//===- PassOptionRecord.cpp - Options of passes ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PassOptionRecord of PassRecord.h: the types of options in text, in C++ and in
// documentation, and checks of the values in a record.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "PassRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;
using namespace relay::tblgen;

/// Returns the ScalarType of \p Type, or of its elements.
static const Record *getScalarOf(const Record *Type) {
  return Type->isSubClassOf("ScalarType") ? Type
                                          : Type->getValueAsDef("Element");
}

PassOptionRecord::PassOptionRecord(const Record &R)
    : R(&R), Scalar(getScalarOf(R.getValueAsDef("Type"))) {}

StringRef PassOptionRecord::getName() const {
  return R->getValueAsString("Name");
}
std::string PassOptionRecord::getMember() const {
  return kebabToUpperCamel(getName());
}
StringRef PassOptionRecord::getKind() const {
  return Scalar->getValueAsString("Kind");
}
StringRef PassOptionRecord::getShape() const {
  const Record *Type = R->getValueAsDef("Type");
  if (Type->isSubClassOf("ListType"))
    return "List";
  return Type->isSubClassOf("MapType") ? "Map" : "Scalar";
}
bool PassOptionRecord::isOptional() const {
  return R->getValueAsBit("IsOptional");
}
StringRef PassOptionRecord::getMin() const {
  return Scalar->getValueAsDef("Range")->getValueAsString("Min");
}
StringRef PassOptionRecord::getMax() const {
  return Scalar->getValueAsDef("Range")->getValueAsString("Max");
}
std::vector<StringRef> PassOptionRecord::getValues() const {
  return Scalar->getValueAsListOfStrings("Values");
}
std::string PassOptionRecord::getEnumerator(StringRef Value) const {
  return kebabToUpperCamel(Value);
}
StringRef PassOptionRecord::getDescription() const {
  return R->getValueAsString("Description");
}
std::vector<StringRef> PassOptionRecord::getDefaults() const {
  return R->getValueAsListOfStrings("Default");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::string PassOptionRecord::getScalarType(StringRef EnumName) const {
  return StringSwitch<std::string>(getKind())
      .Case("Bool", "bool")
      .Case("Int", "int64_t")
      .Case("Float", "double")
      .Case("Enum", EnumName.str())
      .Default("std::string");
}

std::string PassOptionRecord::getCppType(StringRef EnumName) const {
  std::string Type = getScalarType(EnumName);
  if (getShape() == "List")
    Type = "std::vector<" + Type + ">";
  if (getShape() == "Map")
    Type = "::relay::PassOptionMap<" + Type + ">";
  return isOptional() ? "std::optional<" + Type + ">" : Type;
}

std::string PassOptionRecord::getTypeText() const {
  std::string Text = isOptional() ? "optional " : "";
  if (getShape() == "List")
    Text += "list of ";
  if (getShape() == "Map")
    Text += "map to ";
  Text += getKind() == "Enum" ? join(getValues(), "|") : getKind().lower();
  if (!getMin().empty() && !getMax().empty())
    return Text + (", " + getMin() + " to " + getMax()).str();
  if (!getMin().empty())
    return Text + (", at least " + getMin()).str();
  if (!getMax().empty())
    return Text + (", at most " + getMax()).str();
  return Text;
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

/// Returns \p Item of a list as pipeline text.
static std::string quoteItem(StringRef Item) {
  if (!Item.empty() && Item.find_first_of(",\"\\") == StringRef::npos)
    return Item.str();
  return quote(Item);
}

std::string PassOptionRecord::getDefault() const {
  std::vector<std::string> Items;
  for (StringRef Item : getDefaults())
    Items.push_back(getShape() == "List" && isText() ? quoteItem(Item)
                                                     : Item.str());
  return join(Items, ",");
}

std::string PassOptionRecord::getScalarInitializer(StringRef Text) const {
  if (isText())
    return quote(Text);
  if (getKind() == "Enum")
    return getEnumName() + "::" + getEnumerator(Text);
  return Text.str();
}

std::string PassOptionRecord::getMapInitializer() const {
  std::vector<std::string> Entries;
  for (StringRef Text : getDefaults()) {
    SmallVector<StringRef> Parts;
    Text.split(Parts, ':');
    std::vector<std::string> Values;
    for (StringRef Value : ArrayRef<StringRef>(Parts).drop_front())
      Values.push_back(getScalarInitializer(Value));
    Entries.push_back("{" + quote(Parts[0]) + ", {" + join(Values, ", ") +
                      "}}");
  }
  return Entries.empty() ? "" : " = {" + join(Entries, ", ") + "}";
}

std::string PassOptionRecord::getInitializer() const {
  if (isOptional())
    return "";
  if (getShape() == "Map")
    return getMapInitializer();
  std::vector<std::string> Items;
  for (StringRef Text : getDefaults())
    Items.push_back(getScalarInitializer(Text));
  if (getShape() == "List")
    return Items.empty() ? "" : " = {" + join(Items, ", ") + "}";
  return Items[0] == "\"\"" ? "" : " = " + Items[0];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Returns true if \p Text is a finite number, as a double in \p Value.
static bool isNumber(StringRef Text, StringRef Kind, double &Value) {
  int64_t Integer;
  if (Kind == "Int" && Text.getAsInteger(10, Integer))
    return false;
  return !Text.getAsDouble(Value) && std::isfinite(Value);
}

std::string PassOptionRecord::checkValues() const {
  if (getKind() != "Enum")
    return "";
  if (getValues().empty())
    return "is an enumeration without values";
  StringSet<> Enumerators;
  for (StringRef Value : getValues())
    if (!isIdentifier(getEnumerator(Value)) ||
        !Enumerators.insert(getEnumerator(Value)).second)
      return ("has a value that is not a name or is repeated: '" + Value + "'")
          .str();
  return "";
}

std::string PassOptionRecord::checkLimits() const {
  double Min, Max;
  for (auto [Text, Value] : {std::pair(getMin(), &Min), {getMax(), &Max}})
    if (!Text.empty() && !isNumber(Text, getKind(), *Value))
      return ("has a limit that is no " + getKind().lower() + ": '" + Text +
              "'")
          .str();
  if (!getMin().empty() && !getMax().empty() && Min > Max)
    return ("has limits that exclude each other: " + getMin() + " to " +
            getMax())
        .str();
  return "";
}

/// Returns the problem of \p Text as a scalar of the default; empty if there is
/// none. The limits have been checked before.
std::string PassOptionRecord::checkScalar(StringRef Text) const {
  std::string Wrong = ("has the default '" + Text + "', which is ").str();
  if (getKind() == "Bool" && Text != "true" && Text != "false")
    return Wrong + "not true or false";
  if (getKind() == "Enum" && !is_contained(getValues(), Text))
    return Wrong + "not one of its values";
  if (getKind() != "Int" && getKind() != "Float")
    return "";
  double Value, Limit;
  if (!isNumber(Text, getKind(), Value))
    return Wrong + "no " + getKind().lower();
  if (!getMin().empty() && (getMin().getAsDouble(Limit), Value < Limit))
    return Wrong + ("less than " + getMin()).str();
  if (!getMax().empty() && (getMax().getAsDouble(Limit), Value > Limit))
    return Wrong + ("more than " + getMax()).str();
  return "";
}

std::string PassOptionRecord::checkDefault() const {
  if (getShape() == "Scalar" && !isOptional() && getDefaults().size() != 1)
    return "has no default";
  for (StringRef Text : getDefaults()) {
    SmallVector<StringRef> Parts = {Text};
    if (getShape() == "Map") {
      Parts.clear();
      Text.split(Parts, ':');
      Parts.erase(Parts.begin()); // the key
      if (Parts.empty())
        return ("has the default '" + Text + "' without ':' and a value").str();
    }
    for (StringRef Part : Parts)
      if (std::string Wrong = checkScalar(Part); !Wrong.empty())
        return Wrong;
  }
  return "";
}

std::string PassOptionRecord::check() const {
  for (auto Check :
       {&PassOptionRecord::checkValues, &PassOptionRecord::checkLimits,
        &PassOptionRecord::checkDefault})
    if (std::string Wrong = (this->*Check)(); !Wrong.empty())
      return Wrong;
  return "";
}
