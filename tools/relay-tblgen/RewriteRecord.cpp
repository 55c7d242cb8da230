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
const DagInit &RewriteRecord::getSource() const {
  return *R->getValueAsDag("Source");
}
const DagInit &RewriteRecord::getResult() const {
  return *R->getValueAsDag("Result");
}
std::vector<const DagInit *> RewriteRecord::getConstraints() const {
  std::vector<const DagInit *> Dags;
  for (const Init *I : *R->getValueAsListInit("Constraints"))
    Dags.push_back(cast<DagInit>(I));
  return Dags;
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
// RewriteFile
//===----------------------------------------------------------------------===//

RewriteFile::RewriteFile(const RecordKeeper &Records)
    : Stem(getFileStem(Records)) {
  for (const Record *R : getDefinitions(Records, "Rewrite"))
    if (isInMainFile(*R))
      Rules.emplace_back(*R);
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
