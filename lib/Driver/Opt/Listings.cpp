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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relay;

void relay::printOps(const Context &Ctx, raw_ostream &OS) {
  for (StringRef Name : Ctx.getOperatorNames())
    OS << Name << '\n';
}

std::string relay::getOptionFacts(const PassOptionInfo &Option) {
  std::string Facts = "; " + getTypeText(Option);
  if (Option.IsOptional)
    return Facts;
  StringRef Default = Option.Default.empty() ? "empty" : Option.Default;
  return Facts + (", default " + Default).str();
}

static void printOptions(ArrayRef<PassOptionInfo> Options, raw_ostream &OS) {
  for (const PassOptionInfo &Option : Options)
    OS << llvm::formatv("    {0,-26} {1}{2}\n", Option.Name, Option.Description,
                        getOptionFacts(Option));
}

static void printPass(const PassInfo &Info, raw_ostream &OS) {
  OS << llvm::formatv("  {0,-28} {1} (opt level {2})\n", Info.Argument,
                      Info.Summary, Info.OptLevel);
  printOptions(Info.Options, OS);
}

static void printPipelines(const PassRegistry &Registry, raw_ostream &OS) {
  OS << "Pipelines:\n";
  for (const PipelineInfo *Pipeline : Registry.getPipelines()) {
    printPass(Pipeline->Info, OS);
    OS << "    " << Pipeline->Text << '\n';
  }
  OS << "Extension points, for " << PassRegistry::ExtensionArgument
     << "<...>:\n";
  for (StringRef Name : Registry.getExtensionPointNames()) {
    const ExtensionPoint &Point = *Registry.lookupExtensionPoint(Name);
    OS << llvm::formatv("  {0,-28} {1}\n", Name, Point.Description);
    for (StringRef Text : Point.Texts)
      OS << "    " << Text << '\n';
  }
}

static void printGroups(const PassRegistry &Registry, raw_ostream &OS) {
  OS << "Groups:\n";
  for (StringRef Name : Registry.getGroupArguments()) {
    const PassInfo &Info = Registry.lookupGroup(Name)->Info;
    OS << llvm::formatv("  {0,-28} {1}\n", (Name + "(...)").str(),
                        Info.Summary);
    printOptions(Info.Options, OS);
  }
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
  printPipelines(Registry, OS);
  printGroups(Registry, OS);
  OS << "Analyses, for "
     << llvm::join(Registry.getAnalysisPassArguments(), "<...>, ")
     << "<...>:\n";
  for (StringRef Name : Registry.getAnalysisArguments()) {
    OS << "  " << Name << '\n';
    printOptions(Registry.lookupAnalysis(Name)->Options, OS);
  }
  OS << "Targets, for -target:\n";
  for (StringRef Name : Registry.getTargetNames()) {
    const TargetInfo &Info = *Registry.lookupTarget(Name);
    OS << llvm::formatv("  {0,-28} {1}\n", Name, Info.Summary);
    printOptions(Info.Options, OS);
  }
  OS << "Config options, for -pass-config:\n";
  for (StringRef Name : Registry.getConfigNames()) {
    const PassOptionInfo *Info = Registry.lookupConfigOption(Name);
    OS << llvm::formatv("  {0}\n    {1}{2}\n", Name, Info->Description,
                        getOptionFacts(*Info));
  }
}
