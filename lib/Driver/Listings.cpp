//===- Listings.cpp - -print-ops and -print-passes ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Listings.h.
//
//===----------------------------------------------------------------------===//

#include "Listings.h"
#include "relay/IR/Context.h"
#include "relay/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relay;

void relay::printOps(const Context &Ctx, raw_ostream &OS) {
  for (StringRef Name : Ctx.getOperatorNames())
    OS << Name << '\n';
}

/// `; int, at least 1, default 4`
static std::string getOptionFacts(const PassOptionInfo &Option) {
  std::string Facts = "; " + getTypeText(Option);
  if (Option.IsOptional)
    return Facts;
  StringRef Default = Option.Default.empty() ? "empty" : Option.Default;
  return Facts + (", default " + Default).str();
}

static void printPass(const PassInfo &Info, raw_ostream &OS) {
  OS << llvm::formatv("  {0,-28} {1} (opt level {2})\n", Info.Argument,
                      Info.Summary, Info.OptLevel);
  for (const PassOptionInfo &Option : Info.Options)
    OS << llvm::formatv("    {0,-26} {1}{2}\n", Option.Name, Option.Description,
                        getOptionFacts(Option));
}

static void printPassesOn(PassUnit Unit, const PassRegistry &Registry,
                          raw_ostream &OS) {
  for (const PassInfo *Info : Registry.getPasses())
    if (Info->Unit == Unit)
      printPass(*Info, OS);
}

void relay::printPasses(const PassRegistry &Registry, raw_ostream &OS) {
  OS << "Module passes:\n";
  printPassesOn(PassUnit::Module, Registry, OS);
  OS << "Function passes:\n";
  printPassesOn(PassUnit::Function, Registry, OS);
  OS << "Groups:\n  function(...)\n  sequential(...)\n";
  OS << "Analyses, for require<...>, invalidate<...> and print<...>:\n";
  for (StringRef Name : Registry.getAnalysisArguments())
    OS << "  " << Name << '\n';
  OS << "Config options, for -pass-config:\n";
  for (StringRef Name : Registry.getConfigNames()) {
    const PassOptionInfo *Info = Registry.lookupConfigOption(Name);
    OS << llvm::formatv("  {0}\n    {1}{2}\n", Name, Info->Description,
                        getOptionFacts(*Info));
  }
}
