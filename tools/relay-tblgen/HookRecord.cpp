//===- HookRecord.cpp - Hooks of a .td file -------------------------------===//
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
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

/// The text of the field \p Name of a class; empty if it is not fixed yet.
static StringRef getText(const Record &Class, StringRef Name) {
  auto *Text = dyn_cast<StringInit>(Class.getValueInit(Name));
  return Text ? Text->getValue() : StringRef();
}

HookKindRecord::HookKindRecord(const Record &Class) : Class(&Class) {
  if (getText(Class, "Kind") != getName())
    PrintFatalError(&Class, "class '" + getName() +
                                "' declares a kind of hook, which has to be "
                                "named for the class");
  if (!isIdentifier(getName()))
    PrintFatalError(&Class,
                    "'" + getName() + "' cannot be the name of a C++ class");
  if (getSignature().empty())
    PrintFatalError(&Class, "kind of hook '" + getName() +
                                "' has no type of its functions");
}

StringRef HookKindRecord::getSignature() const {
  return getText(*Class, "Signature");
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

HookRecord::HookRecord(const Record &R) : R(&R) {
  if (!isIdentifier(getFunction()))
    PrintFatalError(&R, "hook " + getKind() + " of '" + getOpClass() +
                            "' is not the name of a function: '" +
                            getFunction() + "'");
}

StringRef HookRecord::getKind() const { return R->getValueAsString("Kind"); }
StringRef HookRecord::getOpClass() const {
  return R->getValueAsDef("Operator")->getName();
}
StringRef HookRecord::getFunction() const {
  return R->getValueAsString("Function");
}
StringRef HookRecord::getSignature() const {
  return R->getValueAsString("Signature");
}

//===----------------------------------------------------------------------===//
// HookFile
//===----------------------------------------------------------------------===//

HookFile::HookFile(const RecordKeeper &Records) : Stem(getFileStem(Records)) {
  readKinds(Records);
  readHooks(Records);
}

/// Whether \p Class is a kind, and not a shorter way to write hooks of one.
static bool isKind(const Record &Class) {
  SmallVector<Record *> Parents;
  Class.getDirectSuperClasses(Parents);
  return any_of(Parents, [](const Record *Parent) {
    return Parent->getName() == "OpHook";
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

/// Reports \p Hook if its function has another type as that of \p First.
static void checkSignature(const HookRecord &Hook, const HookRecord &First) {
  if (Hook.getSignature() == First.getSignature())
    return;
  PrintError(&Hook.getRecord(), "function '" + Hook.getFunction() +
                                    "' has the type '" + Hook.getSignature() +
                                    "' as hook " + Hook.getKind() + ", but '" +
                                    First.getSignature() + "' as hook " +
                                    First.getKind());
  PrintFatalNote(&First.getRecord(), "first bound here");
}

void HookFile::readHooks(const RecordKeeper &Records) {
  StringMap<const Record *> Bound;
  StringMap<HookRecord> Functions;
  for (const Record *R : getDefinitions(Records, "OpHook")) {
    HookRecord Hook(*R);
    checkKind(Hook);
    checkSignature(
        Hook, Functions.try_emplace(Hook.getFunction(), Hook).first->second);
    auto [First, New] =
        Bound.try_emplace((Hook.getKind() + " " + Hook.getOpClass()).str(), R);
    if (!New) {
      PrintError(R, "'" + Hook.getOpClass() + "' has a hook " + Hook.getKind() +
                        " already");
      PrintFatalNote(First->second, "first bound here");
    }
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

std::vector<HookRecord> HookFile::getForeignHooks() const {
  std::vector<HookRecord> Foreign;
  copy_if(Hooks, std::back_inserter(Foreign),
          [this](const HookRecord &Hook) { return !isOwnKind(Hook); });
  return Foreign;
}
