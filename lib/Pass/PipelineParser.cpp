//===- PipelineParser.cpp - Pipelines as text -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two steps: text to a tree of named elements, and the tree to passes. Both
// report at the column of what is wrong.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PipelineParser.h"
#include "AnalysisPasses.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

namespace {

/// `name`, `name<options>` or `name(members)`.
struct Element {
  StringRef Name;
  Location Loc;
  std::optional<StringRef> Options;
  Location OptionsLoc;
  bool HasMembers = false;
  std::vector<Element> Members;
};

//===----------------------------------------------------------------------===//
// Text to elements
//===----------------------------------------------------------------------===//

class ElementParser {
public:
  ElementParser(StringRef Text, DiagnosticEngine &Diags)
      : Text(Text), Diags(Diags) {}

  FailureOr<std::vector<Element>> parse() {
    std::vector<Element> Elements;
    if (Text.empty())
      return Elements;
    if (failed(parseList(Elements, 0)))
      return failure();
    if (Pos != Text.size())
      return error(Pos, Text[Pos] == ')' ? "unmatched ')'" : "expected ','");
    return Elements;
  }

private:
  static constexpr unsigned MaxDepth = 100;

  InFlightDiagnostic error(size_t At, const Twine &Message) {
    return Diags.emitError(Location::fromOffset(At), Message);
  }
  bool consume(char C) {
    bool Is = Pos != Text.size() && Text[Pos] == C;
    Pos += Is;
    return Is;
  }

  LogicalResult parseList(std::vector<Element> &Elements, unsigned Depth) {
    do {
      Element &E = Elements.emplace_back();
      if (failed(parseElement(E, Depth)))
        return failure();
    } while (consume(','));
    return success();
  }

  LogicalResult parseElement(Element &E, unsigned Depth) {
    E.Loc = Location::fromOffset(Pos);
    E.Name = Text.substr(Pos).take_while([](char C) {
      return llvm::isAlnum(C) || StringRef("-_.").contains(C);
    });
    if (E.Name.empty())
      return error(Pos, "expected a pass");
    Pos += E.Name.size();
    size_t At = Pos;
    if (consume('<'))
      return parseOptions(E, At);
    if (!consume('('))
      return success();
    if (Depth == MaxDepth)
      return error(At, "groups nested too deeply");
    E.HasMembers = true;
    if (consume(')'))
      return success();
    if (failed(parseList(E.Members, Depth + 1)))
      return failure();
    if (consume(')'))
      return success();
    InFlightDiagnostic D = error(Pos, "expected ',' or ')'");
    D.note(Location::fromOffset(At), "to match this '('");
    return D;
  }

  /// Takes the text up to the `>` that is not inside of double quotes.
  LogicalResult parseOptions(Element &E, size_t Open) {
    size_t Start = Pos;
    bool Quoted = false;
    for (; Pos != Text.size() && (Quoted || Text[Pos] != '>'); ++Pos) {
      if (Quoted && Text[Pos] == '\\' && Pos + 1 != Text.size())
        ++Pos;
      else if (Text[Pos] == '"')
        Quoted = !Quoted;
    }
    if (Pos == Text.size())
      return error(Open, "unmatched '<'");
    E.Options = Text.slice(Start, Pos++);
    E.OptionsLoc = Location::fromOffset(Start);
    return success();
  }

  StringRef Text;
  size_t Pos = 0;
  DiagnosticEngine &Diags;
};

//===----------------------------------------------------------------------===//
// Elements to passes
//===----------------------------------------------------------------------===//

class PipelineBuilder {
public:
  PipelineBuilder(const PassRegistry &Registry, DiagnosticEngine &Diags)
      : Registry(Registry), Diags(Diags) {}

  FailureOr<ModulePassManager> buildModule(ArrayRef<Element> Elements);

private:
  InFlightDiagnostic error(const Element &E, const Twine &Message) {
    return Diags.emitError(E.Loc, E.Name.size(), Message);
  }
  InFlightDiagnostic unknown(const Element &E, const Twine &What,
                             SmallVector<StringRef> Known);

  static bool isGroup(const Element &E) {
    return E.HasMembers || E.Name == "function" || E.Name == "sequential";
  }
  LogicalResult checkGroup(const Element &E);
  /// The pass of \p E, which is no group.
  std::unique_ptr<Pass> buildPass(const Element &E);
  std::unique_ptr<Pass> buildAnalysisPass(AnalysisAction Action,
                                          const Element &E);
  LogicalResult buildFunctions(ArrayRef<Element> Elements,
                               FunctionPassManager &FPM);
  LogicalResult buildSequential(ArrayRef<Element> Elements,
                                SequentialPass &Group);

  const PassRegistry &Registry;
  DiagnosticEngine &Diags;
};

} // namespace

InFlightDiagnostic PipelineBuilder::unknown(const Element &E, const Twine &What,
                                            SmallVector<StringRef> Known) {
  InFlightDiagnostic D = error(E, "unknown " + What + " '" + E.Name + "'");
  std::string Suggestion = getSuggestion(E.Name, Known);
  D << (Suggestion.empty() ? "; -print-passes lists the passes" : Suggestion);
  return D;
}

LogicalResult PipelineBuilder::checkGroup(const Element &E) {
  if (E.Name != "function" && E.Name != "sequential") {
    if (Registry.lookupArgument(E.Name))
      return error(E, "'" + E.Name + "' is no group of passes");
    return unknown(E, "group", {"function", "sequential"});
  }
  if (!E.HasMembers)
    return error(E, "'" + E.Name + "' needs its members in parentheses");
  return success();
}

std::unique_ptr<Pass> PipelineBuilder::buildPass(const Element &E) {
  if (std::optional<AnalysisAction> Action = parseAnalysisAction(E.Name))
    if (E.Options || *Action != AnalysisAction::Print)
      return buildAnalysisPass(*Action, E);
  const PassInfo *Info = Registry.lookupArgument(E.Name);
  if (!Info) {
    SmallVector<StringRef> Known = Registry.getArguments();
    Known.append({"function", "invalidate", "require", "sequential"});
    unknown(E, "pass", std::move(Known));
    return nullptr;
  }
  FailureOr<PassOptionValues> Options = PassOptionValues();
  if (E.Options)
    Options = PassOptionValues::parse(Info->Argument, Info->Options, *E.Options,
                                      E.OptionsLoc, Diags);
  if (failed(Options))
    return nullptr;
  return Registry.create(*Info, *Options);
}

std::unique_ptr<Pass> PipelineBuilder::buildAnalysisPass(AnalysisAction Action,
                                                         const Element &E) {
  if (!E.Options) {
    error(E, "'" + E.Name + "' needs the name of an analysis: '" + E.Name +
                 "<…>'");
    return nullptr;
  }
  if (const AnalysisInfo *Analysis = Registry.lookupAnalysis(*E.Options))
    return createAnalysisPass(Action, *Analysis);
  SmallVector<StringRef> Known = Registry.getAnalysisArguments();
  InFlightDiagnostic D = Diags.emitError(
      E.OptionsLoc, E.Options->size(), "unknown analysis '" + *E.Options + "'");
  D << getSuggestion(*E.Options, Known);
  if (!Known.empty())
    D.note(Location(), "analyses: " + llvm::join(Known, ", "));
  return nullptr;
}

LogicalResult PipelineBuilder::buildFunctions(ArrayRef<Element> Elements,
                                              FunctionPassManager &FPM) {
  for (const Element &E : Elements) {
    if (isGroup(E)) {
      if (failed(checkGroup(E)))
        return failure();
      if (E.Name != "function")
        return error(E, "'" + E.Name + "' cannot stand in 'function'");
      if (failed(buildFunctions(E.Members, FPM)))
        return failure();
      continue;
    }
    std::unique_ptr<Pass> P = buildPass(E);
    if (!P)
      return failure();
    if (!isa<FunctionPass>(*P))
      return error(E, "'" + E.Name +
                          "' runs on modules and cannot stand in 'function'");
    FPM.addPass(std::unique_ptr<FunctionPass>(cast<FunctionPass>(P.release())));
  }
  return success();
}

/// A `function(…)` in a group is only its members: the group decides of each.
LogicalResult PipelineBuilder::buildSequential(ArrayRef<Element> Elements,
                                               SequentialPass &Group) {
  for (const Element &E : Elements) {
    if (!isGroup(E)) {
      std::unique_ptr<Pass> P = buildPass(E);
      if (!P)
        return failure();
      Group.addPass(std::move(P));
      continue;
    }
    if (failed(checkGroup(E)))
      return failure();
    if (E.Name == "function") {
      FunctionPassManager FPM;
      if (failed(buildFunctions(E.Members, FPM)))
        return failure();
      for (const auto &P : FPM.getPasses())
        Group.addPass(P->clone());
      continue;
    }
    auto Inner = std::make_unique<SequentialPass>();
    if (failed(buildSequential(E.Members, *Inner)))
      return failure();
    Group.addPass(std::move(Inner));
  }
  return success();
}

FailureOr<ModulePassManager>
PipelineBuilder::buildModule(ArrayRef<Element> Elements) {
  ModulePassManager PM;
  FunctionPassManager Pending; // function passes in a row
  auto Flush = [&] {
    if (!Pending.empty())
      PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(
          std::exchange(Pending, FunctionPassManager())));
  };
  for (const Element &E : Elements) {
    if (isGroup(E)) {
      Flush();
      if (failed(checkGroup(E)))
        return failure();
      if (E.Name == "function") {
        if (failed(buildFunctions(E.Members, Pending)))
          return failure();
        Flush();
        continue;
      }
      auto Group = std::make_unique<SequentialPass>();
      if (failed(buildSequential(E.Members, *Group)))
        return failure();
      PM.addPass(std::move(Group));
      continue;
    }
    std::unique_ptr<Pass> P = buildPass(E);
    if (!P)
      return failure();
    if (isa<FunctionPass>(*P)) {
      Pending.addPass(
          std::unique_ptr<FunctionPass>(cast<FunctionPass>(P.release())));
      continue;
    }
    Flush();
    PM.addPass(std::unique_ptr<ModulePass>(cast<ModulePass>(P.release())));
  }
  Flush();
  return PM;
}

FailureOr<ModulePassManager> relay::parsePipeline(StringRef Text,
                                                  StringRef Name,
                                                  const PassRegistry &Registry,
                                                  raw_ostream &Errors) {
  DiagnosticEngine Diags(Errors);
  Diags.setMainBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text, Name));
  StringRef Main = Diags.getMainText();
  FailureOr<std::vector<Element>> Elements = ElementParser(Main, Diags).parse();
  if (failed(Elements))
    return failure();
  return PipelineBuilder(Registry, Diags).buildModule(*Elements);
}
