//===- Rewriters.cpp - -gen-rewriters -------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes X.h.inc for X.td, which declares rules and patterns. It declares the
// C++ functions that they name. If RELAY_DEFINE_RULES is defined, it defines
// for each rule a function that creates its pattern, one that checks the
// constraints, one that names the constraint that fails, and one that creates
// the replacement.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "RuleReplacements.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

static void emitVariables(const PatternEmitter &Source, raw_ostream &OS) {
  for (const auto &[Name, V] : Source.getVariables())
    OS << "  [[maybe_unused]] " << V.Type
       << (StringRef(V.Type).ends_with("*") ? "" : " ") << "Arg_" << Name
       << " = " << V.Access << ";\n";
}

/// Writes the function that names the first of \p Conditions that fails.
static void emitNameFailed(const RewriteRecord &Rule,
                           const PatternEmitter &Source,
                           ArrayRef<RuleCondition> Conditions,
                           raw_ostream &OS) {
  OS << formatv("static std::string nameFailedOf{0}("
                "[[maybe_unused]] const RuleMatch &M) {{\n",
                Rule.getName());
  emitVariables(Source, OS);
  for (const RuleCondition &C : Conditions)
    OS << formatv("  if (!({0}))\n    return {1};\n", C.Text, quote(C.Name));
  OS << "  return \"\";\n}\n";
}

/// Writes the function that checks the constraints; returns true if there are
/// any, which another function then explains.
static bool emitCheck(const RewriteRecord &Rule, const PatternEmitter &Source,
                      NativeDeclarations &Natives, raw_ostream &OS) {
  std::vector<RuleCondition> Conditions(Source.getConditions());
  ReplacementEmitter Constraints(Rule.getRecord(), Source, Natives, OS);
  for (const DagInit *Dag : Rule.getConstraints())
    Conditions.push_back(Constraints.getConstraint(*Dag));
  OS << formatv("static bool check{0}([[maybe_unused]] const RuleMatch &M) "
                "{{\n",
                Rule.getName());
  emitVariables(Source, OS);
  OS << "  return ";
  interleave(
      Conditions, OS, [&](const RuleCondition &C) { OS << C.Text; },
      " &&\n         ");
  OS << (Conditions.empty() ? "true" : "") << ";\n}\n";
  if (!Conditions.empty())
    emitNameFailed(Rule, Source, Conditions, OS);
  return !Conditions.empty();
}

static void emitBuild(const RewriteRecord &Rule, const PatternEmitter &Source,
                      NativeDeclarations &Natives, raw_ostream &OS) {
  OS << formatv("static Value *build{0}([[maybe_unused]] Rewriter &R,\n"
                "    [[maybe_unused]] const RuleMatch &M) {{\n",
                Rule.getName());
  emitVariables(Source, OS);
  ReplacementEmitter Result(Rule.getRecord(), Source, Natives, OS);
  std::string Value = Result.emitResult(Rule.getResult());
  OS << "  return " << Value << ";\n}\n";
}

/// Writes the functions that create the examples of \p Rule.
static void emitExamples(const RewriteRecord &Rule, raw_ostream &OS) {
  for (auto [I, Example] : enumerate(Rule.getExamples())) {
    OS << formatv("static Pattern makeExample{0}Of{1}() {{\n", I,
                  Rule.getName());
    PatternEmitter Pattern(Rule.getRecord(), OS);
    std::string Root = Pattern.emitSource(*Example);
    OS << "  return " << Root << ";\n}\n";
  }
}

static void emitRule(const RewriteRecord &Rule, NativeDeclarations &Natives,
                     raw_ostream &OS) {
  std::string Make;
  raw_string_ostream MakeOS(Make);
  PatternEmitter Source(Rule.getRecord(), MakeOS);
  std::string Root = Source.emitSource(Rule.getSource());
  MakeOS << formatv("  RewriteRule Rule({0}, {1}, {2});\n",
                    quote(Rule.getName()), quote(Rule.getSummary()), Root);
  Source.emitCaptures();
  MakeOS << formatv("  Rule.Benefit = {0};\n  Rule.SharesInner = {1};\n"
                    "  Rule.Check = check{2};\n  Rule.Build = build{2};\n",
                    Rule.getBenefit(), Rule.sharesInner() ? "true" : "false",
                    Rule.getName());
  OS << "\n// " << Rule.getName() << '\n';
  if (emitCheck(Rule, Source, Natives, OS))
    MakeOS << formatv("  Rule.NameFailed = nameFailedOf{0};\n", Rule.getName());
  for (StringRef Numbers : Rule.getExcepted())
    MakeOS << formatv("  Rule.Except |= ExceptedNumbers::{0};\n", Numbers);
  for (size_t I = 0, E = Rule.getExamples().size(); I != E; ++I)
    MakeOS << formatv("  Rule.Examples.push_back(makeExample{0}Of{1}());\n", I,
                      Rule.getName());
  MakeOS << "  return Rule;\n";
  emitBuild(Rule, Source, Natives, OS);
  emitExamples(Rule, OS);
  OS << formatv("static RewriteRule make{0}() {{\n", Rule.getName()) << Make
     << "}\n";
}

static void emitRules(const RewriteFile &File, NativeDeclarations &Natives,
                      raw_ostream &OS) {
  if (File.getRules().empty())
    return;
  OS << formatv("\nnamespace {0}RuleDetail {{\n", File.getStem());
  for (const RewriteRecord &Rule : File.getRules())
    emitRule(Rule, Natives, OS);
  OS << formatv("\n} // namespace {0}RuleDetail\n\n"
                "std::vector<RewriteRule> get{0}Rules() {{\n"
                "  std::vector<RewriteRule> Rules;\n",
                File.getStem());
  for (const RewriteRecord &Rule : File.getRules())
    OS << formatv("  Rules.push_back({0}RuleDetail::make{1}());\n",
                  File.getStem(), Rule.getName());
  OS << "  return Rules;\n}\n";
}

static void emitPatterns(const RewriteFile &File, raw_ostream &OS) {
  if (File.getPatterns().empty())
    return;
  OS << formatv("\nnamespace {0}PatternDetail {{\n", File.getStem());
  for (auto [I, Named] : enumerate(File.getPatterns())) {
    OS << formatv("\nstatic Pattern makePattern{0}() {{\n", I);
    PatternEmitter Source(Named.getRecord(), OS);
    std::string Root = Source.emitSource(Named.getSource());
    for (const auto &[Name, V] : Source.getVariables())
      if (!V.Pattern.empty())
        OS << formatv("  {0}.as({1});\n", V.Pattern, quote(Name));
    OS << "  return " << Root << ";\n}\n";
  }
  OS << formatv("\n} // namespace {0}PatternDetail\n\n"
                "std::vector<NamedPattern> get{0}Patterns() {{\n"
                "  std::vector<NamedPattern> Patterns;\n",
                File.getStem());
  for (auto [I, Named] : enumerate(File.getPatterns()))
    OS << formatv("  Patterns.push_back({{{0}, "
                  "{1}PatternDetail::makePattern{2}()});\n",
                  quote(Named.getName()), File.getStem(), I);
  OS << "  return Patterns;\n}\n";
}

static void emitRewriterDeclarations(const RewriteFile &File,
                                     const NativeDeclarations &Natives,
                                     raw_ostream &OS) {
  OS << formatv("\n#ifndef RELAY_RULES_{0}\n#define RELAY_RULES_{0}\n\n"
                "#include \"relay/IR/Core.h\"\n"
                "#include \"relay/Pattern/Text/PatternText.h\"\n"
                "#include \"relay/Pattern/Rewrite/RewriteRule.h\"\n\n"
                "namespace relay {{\n\n",
                File.getStem());
  Natives.emit(OS);
  if (!File.getRules().empty())
    OS << formatv("\n/// The rules of {0}.td, in its order.\n"
                  "std::vector<RewriteRule> get{0}Rules();\n",
                  File.getStem());
  if (!File.getPatterns().empty())
    OS << formatv("\n/// The patterns of {0}.td, in its order.\n"
                  "std::vector<NamedPattern> get{0}Patterns();\n",
                  File.getStem());
  OS << formatv("\n} // namespace relay\n\n#endif // RELAY_RULES_{0}\n",
                File.getStem());
}

static void emitRewriters(RecordKeeper &Records, raw_ostream &OS) {
  RewriteFile File(Records);
  NativeDeclarations Natives;
  std::string Definitions;
  raw_string_ostream DefinitionsOS(Definitions);
  emitRules(File, Natives, DefinitionsOS);
  emitPatterns(File, DefinitionsOS);
  emitSourceFileHeader("Rules and patterns", OS, Records);
  emitRewriterDeclarations(File, Natives, OS);
  OS << "\n#ifdef RELAY_DEFINE_RULES\n#undef RELAY_DEFINE_RULES\n\n"
        "namespace relay {\n"
     << Definitions
     << "\n} // namespace relay\n\n#endif // RELAY_DEFINE_RULES\n";
}

static TableGen::Emitter::Opt
    GenRewriters("gen-rewriters", emitRewriters,
                 "Write rules and patterns and declare their functions");
