//===- AttrsRecord.cpp - Attributes of a .td file -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AttrsRecord.h.
//
//===----------------------------------------------------------------------===//

#include "AttrsRecord.h"
#include "DefaultValue.h"
#include "Names.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace relay::tblgen;

// Types in signatures of generated members, which a parameter must not hide,
// and members of generated classes.
static bool isReservedFieldName(StringRef UpperCamel) {
  return StringSwitch<bool>(UpperCamel)
      .Cases("ArrayRef", "Attr", "Builder", "Context", "Ctx", "Dim", true)
      .Cases("DimArg", "DimListArg", "Get", "Set", "StringRef", "ToBuilder",
             true)
      .Default(false);
}

static const Record &getFieldKindRecord(const Record &Attrs, StringRef Name,
                                        const Init *Kind) {
  auto *Def = dyn_cast<DefInit>(Kind);
  if (!Def || !Def->getDef()->isSubClassOf("FieldKind"))
    PrintFatalError(Attrs.getFieldLoc("Fields"),
                    "field '" + Name + "' of '" + Attrs.getName() +
                        "' needs a FieldKind, not '" + Kind->getAsString() +
                        "'");
  return *Def->getDef();
}

FieldRecord::FieldRecord(const Record &Attrs, StringRef Name,
                         const Init *KindInit)
    : Name(Name), Kind(&getFieldKindRecord(Attrs, Name, KindInit)) {
  auto Fail = [&](const Twine &Message) {
    PrintFatalError(Attrs.getFieldLoc("Fields"), "field '" + Name + "' of '" +
                                                     Attrs.getName() + "' " +
                                                     Message);
  };
  if (!isIdentifier(getLowerCamel()) || isReservedFieldName(getUpperCamel()))
    Fail("has a name that generated code cannot use");
  if (isNullable() && getParameterType().empty())
    Fail("cannot be None: " + getKind() + " has no such value");
  if (std::optional<StringRef> Default = getDefault())
    if (!isDefaultOfKind(*Default, getKind(), isNullable()))
      Fail("has a default that is no " + getKind() + ": '" + *Default + "'");
}

std::string FieldRecord::getLowerCamel() const { return toLowerCamel(Name); }
std::string FieldRecord::getUpperCamel() const { return toUpperCamel(Name); }

StringRef FieldRecord::getKind() const {
  return Kind->getValueAsString("Enumerator");
}
StringRef FieldRecord::getDescription() const {
  return Kind->getValueAsString("Description");
}
StringRef FieldRecord::getCppType() const {
  return Kind->getValueAsString("CppType");
}
StringRef FieldRecord::getGetter() const {
  return Kind->getValueAsString("Getter");
}
StringRef FieldRecord::getParameterType() const {
  return Kind->getValueAsString(isNullable() ? "NullableType"
                                             : "ParameterType");
}

static std::string replace(std::string Text, StringRef From, StringRef To) {
  size_t At = 0;
  while ((At = Text.find(From.str(), At)) != std::string::npos) {
    Text.replace(At, From.size(), To.str());
    At += To.size();
  }
  return Text;
}

std::string FieldRecord::getSetter(StringRef Context, StringRef Value) const {
  std::string Setter = Kind->getValueAsString("Setter").str();
  Setter = replace(Setter, "$_ctx", Context);
  if (getParameterType() == Kind->getValueAsString("ParameterType"))
    return replace(Setter, "$_value", Value);
  Setter = replace(Setter, "$_value", ("*" + Value).str());
  return (Value + " ? Attr(" + Setter + ") : Attr()").str();
}

std::optional<StringRef> FieldRecord::getDefault() const {
  if (!Kind->getValueAsBit("HasDefault"))
    return std::nullopt;
  return Kind->getValueAsString("Default");
}
bool FieldRecord::isNullable() const { return Kind->getValueAsBit("Nullable"); }
bool FieldRecord::isBoxed() const { return Kind->getValueAsBit("Boxed"); }
StringRef FieldRecord::getMirroredOperand() const {
  return Kind->getValueAsString("MirroredOperand");
}

AttrsRecord::AttrsRecord(const Record &R) : R(&R) {
  checkSuffix(R, "Attrs");
  if (getTypeKey().empty())
    PrintFatalError(&R, "'" + R.getName() + "' has no type key");
  const DagInit *Dag = R.getValueAsDag("Fields");
  StringMap<StringRef> Accessors;
  for (auto [Kind, Name] : zip_equal(Dag->getArgs(), Dag->getArgNames())) {
    if (!Name)
      PrintFatalError(R.getFieldLoc("Fields"),
                      "a field of '" + R.getName() + "' has no name");
    FieldRecord &Field = Fields.emplace_back(R, Name->getValue(), Kind);
    auto [Known, New] =
        Accessors.try_emplace(Field.getLowerCamel(), Field.getName());
    if (!New)
      PrintFatalError(R.getFieldLoc("Fields"),
                      "fields '" + Known->second + "' and '" + Field.getName() +
                          "' of '" + R.getName() +
                          "' have the same accessor '" + Known->first() + "'");
  }
}

StringRef AttrsRecord::getTypeKey() const {
  return R->getValueAsString("TypeKey");
}
StringRef AttrsRecord::getSummary() const {
  return R->getValueAsString("Summary");
}
std::vector<FieldRecord> AttrsRecord::getOwnFields() const {
  std::vector<FieldRecord> Own;
  copy_if(Fields, std::back_inserter(Own),
          [](const FieldRecord &Field) { return !Field.isMirror(); });
  return Own;
}
bool AttrsRecord::isOptional() const {
  return all_of(Fields, [](const FieldRecord &Field) {
    return Field.getDefault() || Field.isMirror();
  });
}
