//===- OpRecord.cpp - Ops of a .td file -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OpRecord.h.
//
//===----------------------------------------------------------------------===//

#include "OpRecord.h"
#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// OperandRecord
//===----------------------------------------------------------------------===//

// Members of a generated class with which an operand's accessor must not clash,
// and the type of its parameters.
static bool isReservedOperandName(StringRef LowerCamel) {
  return StringSwitch<bool>(LowerCamel)
      .Cases("attributes", "attrs", "build", "builder", true)
      .Cases("numRegions", "op", "opOperands", "relay", true)
      .Default(false);
}

static const Record &getOperandKindRecord(const Record &Op, StringRef Name,
                                          const Init *Kind) {
  auto *Def = dyn_cast<DefInit>(Kind);
  if (!Def || !Def->getDef()->isSubClassOf("OperandKind"))
    PrintFatalError(Op.getFieldLoc("Operands"),
                    "operand '" + Name + "' of '" + Op.getName() +
                        "' needs an OperandKind, not '" + Kind->getAsString() +
                        "'");
  return *Def->getDef();
}

OperandRecord::OperandRecord(const Record &Op, StringRef Name,
                             const Init *KindInit)
    : Name(Name), Kind(&getOperandKindRecord(Op, Name, KindInit)) {
  if (!isIdentifier(getLowerCamel()) || isReservedOperandName(getLowerCamel()))
    PrintFatalError(Op.getFieldLoc("Operands"),
                    "operand '" + Name + "' of '" + Op.getName() +
                        "' has a name that generated code cannot use");
}

std::string OperandRecord::getLowerCamel() const { return toLowerCamel(Name); }
std::string OperandRecord::getUpperCamel() const { return toUpperCamel(Name); }
StringRef OperandRecord::getDescription() const {
  return Kind->getValueAsString("Description");
}
bool OperandRecord::isVariadic() const {
  return Kind->getValueAsBit("Variadic");
}

//===----------------------------------------------------------------------===//
// OpRecord
//===----------------------------------------------------------------------===//

OpRecord::OpRecord(const Record &R) : R(&R) {
  checkSuffix(R, "Op");
  if (getName().empty())
    PrintFatalError(&R, "'" + R.getName() + "' has no name");
  if (!R.isValueUnset("Attributes"))
    Attributes.emplace(*R.getValueAsDef("Attributes"));
  checkFunction(R, "Relation", getRelation());
  checkFunction(R, "Verifier", getVerifier());
  readOperands();
  readTraits();
  size_t NumFlags = R.getValueAsListOfInts("ShapeDataDependent").size();
  if (NumFlags > 1 && NumFlags != Operands.size())
    PrintFatalError(R.getFieldLoc("ShapeDataDependent"),
                    "'" + R.getName() + "' has " + Twine(Operands.size()) +
                        " operands and " + Twine(NumFlags) +
                        " flags of dependence on their data");
}

void OpRecord::readOperands() {
  auto Fail = [&](const Twine &Message) {
    PrintFatalError(R->getFieldLoc("Operands"), Message);
  };
  const DagInit *Dag = R->getValueAsDag("Operands");
  StringMap<StringRef> Accessors;
  for (auto [Kind, Name] : zip_equal(Dag->getArgs(), Dag->getArgNames())) {
    if (!Name)
      Fail("operand " + Twine(Operands.size()) + " of '" + R->getName() +
           "' has no name");
    if (isVariadic())
      Fail("operand '" + Name->getValue() + "' of '" + R->getName() +
           "' follows '" + Operands.back().getName() +
           "', which takes all that is left");
    OperandRecord &Operand = Operands.emplace_back(*R, Name->getValue(), Kind);
    auto [Known, New] =
        Accessors.try_emplace(Operand.getLowerCamel(), Operand.getName());
    if (!New)
      Fail("operands '" + Known->second + "' and '" + Operand.getName() +
           "' of '" + R->getName() + "' have the same accessor '" +
           Known->first() + "'");
  }
}

void OpRecord::readTraits() {
  for (const Record *Trait : R->getValueAsListOfDefs("Traits"))
    Traits.push_back(Trait->getValueAsString("Enumerator"));
  bool Stateful = is_contained(Traits, "Stateful");
  if (Stateful && is_contained(Traits, "Pure"))
    PrintFatalError(R->getFieldLoc("Traits"),
                    "'" + R->getName() + "' is both Pure and Stateful");
  if (isOperator() && !Stateful && !is_contained(Traits, "Pure"))
    Traits.insert(Traits.begin(), "Pure");
  if (isVariadic())
    Traits.push_back("Variadic");
}

StringRef OpRecord::getName() const { return R->getValueAsString("Name"); }
StringRef OpRecord::getCode() const { return R->getValueAsString("Code"); }
StringRef OpRecord::getSummary() const {
  return R->getValueAsString("Summary");
}
StringRef OpRecord::getDescription() const {
  return R->getValueAsString("Description");
}
StringRef OpRecord::getRelation() const {
  return R->getValueAsString("Relation");
}
StringRef OpRecord::getVerifier() const {
  return R->getValueAsString("Verifier");
}
StringRef OpRecord::getFusionKind() const {
  return R->getValueAsDef("FusionKind")->getValueAsString("Enumerator");
}
int OpRecord::getNumRegions() const { return R->getValueAsInt("NumRegions"); }

bool OpRecord::isVariadic() const {
  return !Operands.empty() && Operands.back().isVariadic();
}
ArrayRef<OperandRecord> OpRecord::getFixedOperands() const {
  return ArrayRef(Operands).drop_back(isVariadic());
}

int OpRecord::getOperandIndex(StringRef Name) const {
  auto It = find_if(Operands, [&](const OperandRecord &Operand) {
    return Operand.getName() == Name;
  });
  return It == Operands.end() ? -1 : It - Operands.begin();
}

std::vector<bool> OpRecord::getShapeDataDependent() const {
  std::vector<int64_t> Flags = R->getValueAsListOfInts("ShapeDataDependent");
  if (Flags.size() == 1 && !Operands.empty()) // one flag for all operands
    Flags.resize(Operands.size(), Flags.front());
  return std::vector<bool>(Flags.begin(), Flags.end());
}

//===----------------------------------------------------------------------===//
// OpFile
//===----------------------------------------------------------------------===//

OpFile::OpFile(const RecordKeeper &Records) : Family(getFileStem(Records)) {
  StringMap<const Record *> Names, TypeKeys;
  auto CheckUnique = [](StringMap<const Record *> &Known, StringRef Key,
                        const Record &R) {
    auto [First, New] = Known.try_emplace(Key, &R);
    if (New)
      return;
    PrintError(&R, "'" + Key + "' is declared twice");
    PrintFatalNote(First->second, "first declared here");
  };
  for (const Record *R : getDefinitions(Records, "OpDef")) {
    OpRecord Op(*R);
    CheckUnique(Names, Op.getName(), *R);
    AllOps.push_back(Op);
    if (isInMainFile(*R))
      Ops.push_back(Op);
  }
  for (const Record *R : getDefinitions(Records, "AttrsDef")) {
    AttrsRecord A(*R);
    CheckUnique(TypeKeys, A.getTypeKey(), *R);
    checkMirrors(A);
    if (isInMainFile(*R))
      Attrs.push_back(A);
  }
}

int OpFile::getMirroredIndex(const AttrsRecord &A,
                             const FieldRecord &Field) const {
  if (!Field.isMirror())
    return -1;
  for (const OpRecord &Op : AllOps)
    if (Op.getAttributes() &&
        &Op.getAttributes()->getRecord() == &A.getRecord())
      return Op.getOperandIndex(Field.getMirroredOperand());
  return -1;
}

void OpFile::checkMirrors(const AttrsRecord &A) {
  for (const FieldRecord &Field : A.getFields()) {
    if (!Field.isMirror())
      continue;
    std::string Subject =
        ("field '" + Field.getName() + "' of '" + A.getClassName() +
         "' repeats operand '" + Field.getMirroredOperand() + "'")
            .str();
    int Index = getMirroredIndex(A, Field);
    for (const OpRecord &Op : AllOps) {
      if (!Op.getAttributes() ||
          &Op.getAttributes()->getRecord() != &A.getRecord())
        continue;
      int OpIndex = Op.getOperandIndex(Field.getMirroredOperand());
      if (OpIndex < 0)
        PrintFatalError(&Op.getRecord(), Subject + ", which '" +
                                             Op.getClassName() +
                                             "' does not have");
      if (OpIndex != Index)
        PrintFatalError(&Op.getRecord(),
                        Subject + ", whose position in '" + Op.getClassName() +
                            "' differs from that in other ops");
    }
    if (Index < 0)
      PrintFatalError(&A.getRecord(), Subject + ", and no op has it");
  }
}
