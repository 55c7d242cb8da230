//===- RewriteRecord.cpp - Rules of a .td file ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RewriteRecord.h.
//
//===----------------------------------------------------------------------===//

#include "RewriteRecord.h"
#include "Names.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// RewriteRecord
//===----------------------------------------------------------------------===//

RewriteRecord::RewriteRecord(const Record &R) : R(&R) {
  if (R.isAnonymous())
    PrintFatalError(&R, "a rule has to have a name");
}

StringRef RewriteRecord::getSummary() const {
  return R->getValueAsString("Summary");
}
int64_t RewriteRecord::getBenefit() const {
  return R->getValueAsInt("Benefit");
}
bool RewriteRecord::sharesInner() const {
  return R->getValueAsBit("SharesInner");
}
std::vector<StringRef> RewriteRecord::getExcepted() const {
  std::vector<StringRef> Enumerators;
  for (const Record *Numbers : R->getValueAsListOfDefs("Except"))
    Enumerators.push_back(Numbers->getValueAsString("Enumerator"));
  return Enumerators;
}
const DagInit &RewriteRecord::getSource() const {
  return *R->getValueAsDag("Source");
}
const DagInit &RewriteRecord::getResult() const {
  return *R->getValueAsDag("Result");
}
static std::vector<const DagInit *> getDags(const Record &R, StringRef Field) {
  std::vector<const DagInit *> Dags;
  for (const Init *I : *R.getValueAsListInit(Field))
    Dags.push_back(cast<DagInit>(I));
  return Dags;
}
std::vector<const DagInit *> RewriteRecord::getConstraints() const {
  return getDags(*R, "Constraints");
}
std::vector<const DagInit *> RewriteRecord::getExamples() const {
  return getDags(*R, "Examples");
}

//===----------------------------------------------------------------------===//
// CompositePatternRecord
//===----------------------------------------------------------------------===//

CompositePatternRecord::CompositePatternRecord(const Record &R) : R(&R) {
  if (getName().empty())
    PrintFatalError(&R, "a pattern has to have a name");
}

StringRef CompositePatternRecord::getName() const {
  return R->getValueAsString("Name");
}
const DagInit &CompositePatternRecord::getSource() const {
  return *R->getValueAsDag("Source");
}

//===----------------------------------------------------------------------===//
// NativeFunctionRecord
//===----------------------------------------------------------------------===//

NativeFunctionRecord::NativeFunctionRecord(const Record &R) : R(&R) {
  if (!isIdentifier(getFunction()))
    PrintFatalError(&R, "'" + R.getName() + "' does not name a function: '" +
                            getFunction() + "'");
  if (getType().empty())
    PrintFatalError(&R, "'" + R.getName() + "' has no type");
}

StringRef NativeFunctionRecord::getFunction() const {
  return R->getValueAsString("Function");
}
StringRef NativeFunctionRecord::getType() const {
  return isConstraint() ? "bool" : R->getValueAsString("Type");
}

std::vector<StringRef> NativeFunctionRecord::getParameters() const {
  return R->getValueAsListOfStrings("Parameters");
}

//===----------------------------------------------------------------------===//
// Shadowed rules
//===----------------------------------------------------------------------===//

namespace {
/// Decides whether one pattern matches wherever another one does, judged by
/// their text; swapped operands are ignored.
class PatternCover {
public:
  bool covers(const DagInit &General, const DagInit &Specific);

private:
  bool coversArgument(const DagInit &General, const DagInit &Specific,
                      unsigned I);
  bool coversValue(const Init *General, const StringInit *Name,
                   const Init *Specific, const StringInit *SpecificName);

  /// The bindings of names of the general pattern, as text.
  StringMap<std::string> Names;
};
} // namespace

static StringRef getOperatorName(const DagInit &Dag) {
  return cast<DefInit>(Dag.getOperator())->getDef()->getName();
}

bool PatternCover::coversValue(const Init *General, const StringInit *Name,
                               const Init *Specific,
                               const StringInit *SpecificName) {
  if (isa<UnsetInit>(General)) {
    if (!Name)
      return true;
    bool IsOpen = isa<UnsetInit>(Specific);
    if (IsOpen && !SpecificName) // two `?` are distinct
      return Names.try_emplace(Name->getValue(), "?").second;
    std::string Text = IsOpen ? ("$" + SpecificName->getValue()).str()
                              : Specific->getAsString();
    return Names.try_emplace(Name->getValue(), Text).first->second == Text;
  }
  auto *GeneralDag = dyn_cast<DagInit>(General);
  auto *SpecificDag = dyn_cast<DagInit>(Specific);
  if (GeneralDag && SpecificDag)
    return covers(*GeneralDag, *SpecificDag);
  return General == Specific;
}

bool PatternCover::coversArgument(const DagInit &General,
                                  const DagInit &Specific, unsigned I) {
  return coversValue(General.getArg(I), General.getArgName(I),
                     Specific.getArg(I), Specific.getArgName(I));
}

bool PatternCover::covers(const DagInit &General, const DagInit &Specific) {
  StringRef Name = getOperatorName(General);
  if (Name == "Either" || Name == "attrs") {
    std::string Text = General.getAsString();
    return Text == Specific.getAsString() && !StringRef(Text).contains('$');
  }
  if (Name != getOperatorName(Specific) ||
      General.getNumArgs() > Specific.getNumArgs())
    return false;
  // Omitted attributes may have any value.
  for (unsigned I = 0; I != General.getNumArgs(); ++I)
    if (!coversArgument(General, Specific, I))
      return false;
  return true;
}

/// Returns true if \p First, which is tried before \p Second, matches wherever
/// \p Second does.
static bool isShadowedBy(const RewriteRecord &Second,
                         const RewriteRecord &First) {
  if (!First.getConstraints().empty() ||
      (Second.sharesInner() && !First.sharesInner()))
    return false;
  return PatternCover().covers(First.getSource(), Second.getSource());
}

//===----------------------------------------------------------------------===//
// RewriteFile
//===----------------------------------------------------------------------===//

void RewriteFile::checkShadowed() const {
  std::vector<const RewriteRecord *> Order;
  for (const RewriteRecord &Rule : Rules)
    Order.push_back(&Rule);
  stable_sort(Order, [](const RewriteRecord *A, const RewriteRecord *B) {
    return A->getBenefit() > B->getBenefit();
  });
  for (auto [I, Second] : enumerate(Order))
    for (const RewriteRecord *First : ArrayRef(Order).take_front(I)) {
      if (First->getSource().getOperator() !=
              Second->getSource().getOperator() ||
          !isShadowedBy(*Second, *First))
        continue;
      PrintError(&Second->getRecord(),
                 "'" + Second->getName() + "' never applies: '" +
                     First->getName() + "' matches wherever it does");
      PrintFatalNote(&First->getRecord(), "declared here");
    }
}

RewriteFile::RewriteFile(const RecordKeeper &Records)
    : Stem(getFileStem(Records)) {
  for (const Record *R : getDefinitions(Records, "Rewrite"))
    if (isInMainFile(*R))
      Rules.emplace_back(*R);
  checkShadowed();
  StringMap<const Record *> Names;
  for (const Record *R : getDefinitions(Records, "CompositePattern")) {
    CompositePatternRecord Pattern(*R);
    auto [First, IsNew] = Names.try_emplace(Pattern.getName(), R);
    if (!IsNew) {
      PrintError(R, "pattern '" + Pattern.getName() + "' is declared twice");
      PrintFatalNote(First->second, "first declared here");
    }
    if (isInMainFile(*R))
      Patterns.push_back(Pattern);
  }
}
