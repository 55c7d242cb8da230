//===- PatternQuery.cpp - -match and -explain-match -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PatternQuery.h. Lines begin with a position in the format of compilers,
// so that editors can jump to it.
//
//===----------------------------------------------------------------------===//

#include "PatternQuery.h"
#include "Flags/Files.h"
#include "Flags/Tool.h"
#include "relay/IR/Context.h"
#include "relay/IR/Walk.h"
#include "relay/Instrumentation/Checks/ResultNames.h"
#include "relay/Pattern/Text/PatternText.h"
#include "relay/Support/PrintableText.h"

using namespace relay;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Reading patterns
//===----------------------------------------------------------------------===//

LogicalResult PatternQuery::readFile(StringRef Path, Context &Ctx,
                                     const PassRegistry &Registry,
                                     SmallVectorImpl<Pattern> &Read) {
  auto Text = openInput(Path);
  if (!Text)
    return reportToolError("relay-opt", Text.takeError());
  FailureOr<std::vector<NamedPattern>> Named =
      parsePatternFile(std::move(*Text), Ctx, Registry);
  if (failed(Named))
    return failure();
  for (NamedPattern &Each : *Named) {
    Read.push_back(Each.P);
    PatternNames.push_back(std::move(Each.Name));
    Checks.push_back(Each.Check);
  }
  return success();
}

/// Warns if \p Root cannot match any operation that findMatches() visits.
static void warnOfNoMatch(Context &Ctx, const PatternNode &Root) {
  if (Root.is(PatternKind::Operator))
    Ctx.getDiagnostics().emitWarning(
        Root.getLoc(),
        "an operator alone matches no operation; match its calls with `" +
            Root.getName() + "(...)`");
  else if (Root.is(PatternKind::Variable))
    Ctx.getDiagnostics().emitWarning(Root.getLoc(),
                                     "a variable alone matches no operation");
}

LogicalResult PatternQuery::prepare(Context &Ctx,
                                    const PassRegistry &Registry) {
  if (!Flags.isEnabled())
    return success();
  PatternNames.clear();
  Checks.clear();
  SmallVector<Pattern> Read;
  bool IsOnly = llvm::hasSingleElement(Flags.Patterns) && Flags.Files.empty();
  bool Failed = false;
  for (StringRef Text : Flags.Patterns) {
    FailureOr<Pattern> P = parsePattern(Text, "-match", Ctx);
    Failed |= failed(P);
    if (failed(P))
      continue;
    Read.push_back(*P);
    PatternNames.push_back(IsOnly ? "" : Text.str());
    Checks.push_back(nullptr);
  }
  for (StringRef Path : Flags.Files)
    Failed |= failed(readFile(Path, Ctx, Registry, Read));
  if (Failed)
    return failure();
  FailureOr<PatternProgram> Compiled =
      PatternProgram::compile(Ctx, Read, ConstantEquality::ByValue);
  if (failed(Compiled))
    return failure();
  Program.emplace(std::move(*Compiled));
  if (Flags.Explained.empty())
    for (const Pattern &P : Read)
      warnOfNoMatch(Ctx, P.getNode());
  return success();
}

//===----------------------------------------------------------------------===//
// Matches
//===----------------------------------------------------------------------===//

/// Prints the bindings of named nodes in the last match, one per line.
static void printBindings(const Matcher &Matching, ValueNames Names,
                          const DiagnosticEngine &Diags, raw_ostream &OS) {
  for (const Matcher::Binding &B : Matching.getBindings()) {
    StringRef Label = Matching.getProgram().getInst(B.Inst).Source->getLabel();
    if (Label.empty())
      continue;
    OS << "  " << Label << ": ";
    writeExpression(OS, B.Expr, Names);
    if (B.Expr.getLoc().isKnown()) {
      OS << " at ";
      Diags.printLocation(OS, B.Expr.getLoc());
    }
    OS << '\n';
  }
}

static Error exhausted(const Matcher &Matching) {
  return llvm::createStringError(
      "option -match: the patterns take too many steps in @" +
      Matching.getFunction().getName());
}

/// Returns true if the check of pattern \p I refuses the match of \p E.
bool PatternQuery::isRefused(unsigned I, ExprRef E) const {
  const Operation *Root = E.getOperation();
  return Checks[I] && Root && !Checks[I](*Root);
}

Error PatternQuery::findMatches(Module &M, raw_ostream &OS) const {
  const DiagnosticEngine &Diags = M.getContext().getDiagnostics();
  std::optional<ResultNames> Names; // created for the first match
  auto GetName = [&](const Value &V) { return Names->lookup(V); };
  size_t Count = 0;
  for (Function &F : M.functions()) {
    Matcher Matching(*Program, F);
    walk(F, [&](Operation *Op) {
      Matching.matchAll(*Op, [&](unsigned I, ExprRef E) {
        if (isRefused(I, E))
          return true;
        if (!Count++)
          Names.emplace(M);
        Diags.printLocation(OS, E.getLoc());
        OS << ": ";
        if (!PatternNames[I].empty())
          OS << '\'' << PatternNames[I] << "' matches ";
        writeExpression(OS, E, GetName);
        OS << '\n';
        printBindings(Matching, GetName, Diags, OS);
        return true;
      });
    });
    if (Matching.isExhausted())
      return exhausted(Matching);
  }
  OS << Count << (Count == 1 ? " match\n" : " matches\n");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

void PatternQuery::explain(Matcher &Matching, unsigned I, ExprRef E,
                           ValueNames Names, raw_ostream &OS) const {
  const DiagnosticEngine &Diags =
      Matching.getFunction().getContext().getDiagnostics();
  MatchExplanation Found = explainMatch(Matching, I, E, Names);
  Diagnostic D;
  D.Kind = Severity::Remark;
  D.Loc = Found.TriedLoc;
  D.Message =
      "`" + Found.Tried + "` " + (Found.Matches ? "matches" : "does not match");
  if (!PatternNames[I].empty())
    D.Message += " '" + PatternNames[I] + "'";
  if (Found.Matches && isRefused(I, E))
    D.Message += ", whose check refuses it";
  D.Notes = std::move(Found.Reasons);
  Diags.print(D, OS);
  if (Found.Matches)
    printBindings(Matching, Names, Diags, OS);
}

/// Returns the expression that node \p I of the program is matched with if the
/// user means \p V.
static ExprRef getMatched(const PatternProgram &Program, unsigned I,
                          const Value &V) {
  auto &Mutable = const_cast<Value &>(V);
  auto *Op = dyn_cast<Operation>(&Mutable);
  if (!Op)
    return ExprRef::getUse(&Mutable);
  if (Op->isBound() &&
      Program.getInst(Program.getRoot(I)).Kind == PatternKind::Let)
    return ExprRef::getLet(Op);
  return ExprRef::getDefinition(Op);
}

Error PatternQuery::explain(const ResultNames &Names, raw_ostream &OS) const {
  auto GetName = [&](const Value &V) { return Names.lookup(V); };
  for (StringRef Name : Flags.Explained) {
    std::string Problem = Names.forEach(Name, [&](const Value &V, StringRef) {
      Matcher Matching(*Program, *V.getFunction());
      for (unsigned I = 0; I != Program->getNumPatterns(); ++I)
        explain(Matching, I, getMatched(*Program, I, V), GetName, OS);
    });
    if (!Problem.empty())
      return llvm::createStringError("option -explain-match: " + Problem);
  }
  return Error::success();
}

Error PatternQuery::run(Module &M) {
  if (!Program)
    return Error::success();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Error E = Flags.Explained.empty() ? findMatches(M, OS)
                                    : explain(ResultNames(M), OS);
  Report += toPrintable(Text);
  return E;
}
