//===- IRPrinting.cpp - Dumps before and after passes ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See IRPrinting.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/IRPrinting.h"
#include "relay/Pass/Pass.h"
#include "relay/Text/Printer.h"

using namespace relay;
namespace cl = llvm::cl;

IRPrintingFlags::IRPrintingFlags(IRPrintingOptions &O)
    : BeforeAll("print-before-all", cl::location(O.BeforeAll),
                cl::desc("Print IR before each pass")),
      AfterAll("print-after-all", cl::location(O.AfterAll),
               cl::desc("Print IR after each pass")),
      Before("print-before", cl::location(O.Before), cl::CommaSeparated,
             cl::value_desc("pass,..."),
             cl::desc("Print IR before these passes")),
      After("print-after", cl::location(O.After), cl::CommaSeparated,
            cl::value_desc("pass,..."),
            cl::desc("Print IR after these passes")),
      Functions("filter-print-funcs", cl::location(O.Functions),
                cl::CommaSeparated, cl::value_desc("function,..."),
                cl::desc("Print only these functions")),
      ModuleScope("print-module-scope", cl::location(O.ModuleScope),
                  cl::desc("Print the whole module, metadata included")) {}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static llvm::Error unknown(StringRef Flag, StringRef What, StringRef Name,
                           ArrayRef<StringRef> Known) {
  StringRef Near = nearestName(Name, Known);
  std::string Meant =
      Near.empty() ? "" : ("; did you mean '" + Near + "'?").str();
  return llvm::createStringError("option " + Flag + ": unknown " + What + " '" +
                                 Name + "'" + Meant);
}

llvm::Error IRPrinting::checkPasses(const PassRegistry &Registry) const {
  auto Check = [&](StringRef Flag, StringRef Name) {
    SmallVector<StringRef> Known = Registry.getArguments();
    Known.append({"invalidate", "print", "require", "sequential"});
    return llvm::is_contained(Known, Name) ? llvm::Error::success()
                                           : unknown(Flag, "pass", Name, Known);
  };
  for (const std::string &Name : Options.Before)
    if (llvm::Error E = Check("-print-before", Name))
      return E;
  for (const std::string &Name : Options.After)
    if (llvm::Error E = Check("-print-after", Name))
      return E;
  return llvm::Error::success();
}

static StringRef withoutAt(StringRef Name) {
  Name.consume_front("@");
  return Name;
}

bool IRPrinting::isWanted(const Function &F) {
  bool Wanted = llvm::any_of(Options.Functions, [&](StringRef Name) {
    return withoutAt(Name) == F.getName();
  });
  if (Wanted)
    runInOrder([this, Name = F.getName()] { SeenFunctions.insert(Name); });
  return Wanted || Options.Functions.empty();
}

llvm::Error IRPrinting::checkFunctions(Module &M) {
  SmallVector<StringRef> Known;
  for (Function &F : M.functions()) {
    isWanted(F);
    Known.push_back(F.getName());
  }
  for (const std::string &Name : Options.Functions)
    if (!SeenFunctions.contains(withoutAt(Name)))
      return unknown("-filter-print-funcs", "function", Name, Known);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Dumps
//===----------------------------------------------------------------------===//

void IRPrinting::dump(StringRef When, const Pass &P, IRUnit Unit) {
  Function *F = Unit.getAsFunction();
  if (F && !isWanted(*F))
    return;
  OS << "// *** IR Dump " << When << ' ' << P.getName() << " on "
     << Unit.getName() << " ***\n";
  if (Options.ModuleScope)
    return printModule(Unit.getModule(), OS);
  if (F)
    return printFunction(*F, OS, PrintOptions::forDumps());
  for (Function &Each : Unit.getModule().functions())
    if (isWanted(Each))
      printFunction(Each, OS, PrintOptions::forDumps());
}

/// Groups are printed only when named: their members are.
static bool isNamed(const Pass &P, bool All, ArrayRef<std::string> Names) {
  return (All && !P.getInfo().IsGroup) ||
         llvm::is_contained(Names, P.getInfo().Argument);
}

void IRPrinting::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  if (Options.ModuleScope)
    PIC.requireSingleThread(); // a dump reads all functions
  PIC.registerBeforeNonSkippedPassCallback([this](const Pass &P, IRUnit Unit) {
    if (isNamed(P, Options.BeforeAll, Options.Before))
      dump("Before", P, Unit);
  });
  PIC.registerAfterPassCallback(
      [this](const Pass &P, IRUnit Unit, const PreservedAnalyses &) {
        if (isNamed(P, Options.AfterAll, Options.After))
          dump("After", P, Unit);
        return success();
      });
}
