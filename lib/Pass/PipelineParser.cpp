//===- PipelineParser.cpp - Pipelines as text -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the passes of the elements of a text (PipelineElements.h). Reports
// errors at their column.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PipelineParser.h"
#include "PipelineElements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

using Element = PipelineElement;

namespace {

class PipelineBuilder {
public:
  /// \p Around builds the pipeline in which this one, \p Name, occurs.
  PipelineBuilder(const PassRegistry &Registry, DiagnosticEngine &Diags,
                  raw_ostream &Errors, StringRef Name,
                  const PipelineBuilder *Around)
      : Registry(Registry), Diags(Diags), Errors(Errors), Name(Name),
        Around(Around) {}

  /// Builds the passes of \p Elements. Members of a \p Gated group are gated.
  FailureOr<PassList> build(ArrayRef<Element> Elements, bool Gated);

private:
  InFlightDiagnostic error(const Element &E, const Twine &Message) {
    return Diags.emitError(E.Loc, E.Name.size(), Message);
  }
  InFlightDiagnostic unknown(const Element &E, const Twine &What,
                             StringRef Name, ArrayRef<StringRef> Known);

  LogicalResult append(const Element &E, bool Gated, PassList &Passes);
  LogicalResult appendGroup(const Element &E, const GroupInfo &Group,
                            bool Gated, PassList &Passes);
  LogicalResult appendExtensions(const Element &E, PassList &Passes);
  const PipelineInfo *findPipeline(const Element &E, const PassInfo *Named);
  LogicalResult appendNamed(const Element &E, const PipelineInfo &Pipeline,
                            PassList &Passes);
  LogicalResult appendAnalysisPass(const Element &E,
                                   const AnalysisPassInfo &Info,
                                   PassList &Passes);
  LogicalResult appendCreated(const Element &E, std::unique_ptr<Pass> P,
                              PassList &Passes);
  LogicalResult appendPass(const Element &E, PassList &Passes);
  LogicalResult checkMembers(const Element &E, const GroupInfo &Group,
                             ArrayRef<Element> Members, PassList &Passes);
  LogicalResult reportNoGroup(const Element &E);
  LogicalResult reportUnknownPass(const Element &E);
  FailureOr<PassOptionValues> readOptions(const Element &E,
                                          const PassInfo &Info);
  /// Builds the passes of \p Text, the pipeline or extension \p Name.
  FailureOr<PassList> buildText(const Element &E, StringRef Text,
                                StringRef Name);

  const PassRegistry &Registry;
  DiagnosticEngine &Diags;
  raw_ostream &Errors;
  StringRef Name;
  const PipelineBuilder *Around;
};

} // namespace

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

InFlightDiagnostic PipelineBuilder::unknown(const Element &E, const Twine &What,
                                            StringRef Name,
                                            ArrayRef<StringRef> Known) {
  InFlightDiagnostic D = Diags.emitError(E.Loc, Name.size(),
                                         "unknown " + What + " '" + Name + "'");
  std::string Suggestion = getSuggestion(Name, Known);
  D << (Suggestion.empty() ? "; -print-passes lists the passes" : Suggestion);
  return D;
}

/// Reports \p E, which has members but is not a group.
LogicalResult PipelineBuilder::reportNoGroup(const Element &E) {
  if (Registry.findPass(E.Name))
    return error(E, "'" + E.Name + "' is not a group of passes");
  // Names of LLVM and MLIR.
  if (llvm::is_contained({"builtin.module", "module", "any"}, E.Name))
    return error(E, "unknown group '" + E.Name +
                        "'; a pipeline runs on the module: leave '" + E.Name +
                        "(' and ')' out");
  if (E.Name == "func.func")
    return error(E, "unknown group 'func.func'; did you mean 'function'?");
  return unknown(E, "group", E.Name, Registry.getGroupArguments());
}

/// Returns the pass that \p Name, a name of TVM's Python or of LLVM, means;
/// null if there is none.
static const PassInfo *findOtherName(StringRef Name,
                                     const PassRegistry &Registry) {
  auto [Before, Last] = Name.rsplit('.');
  if (StringRef("tvm.relay.transform").ends_with(Before) && !Last.empty())
    return Registry.findPass(Last); // `relay.transform.FoldConstant`
  StringRef Argument =
      llvm::StringSwitch<StringRef>(Name)
          .Cases("dce", "adce", "dead-code-elimination")
          .Cases("cse", "early-cse", "gvn", "eliminate-common-subexpr")
          .Default("");
  return Registry.lookupArgument(Argument);
}

/// Reports \p E as an unknown pass. If \p E names a family of pipelines, for
/// example `default<O9>`, lists the pipelines of the family.
LogicalResult PipelineBuilder::reportUnknownPass(const Element &E) {
  SmallVector<StringRef> Known = Registry.getElementNames(), Pipelines;
  std::string Head = (E.Name + "<").str();
  if (E.Options)
    llvm::copy_if(Known, std::back_inserter(Pipelines),
                  [&](StringRef Name) { return Name.starts_with(Head); });
  if (!Pipelines.empty())
    return Diags.emitError(E.Loc, E.getText().size(),
                           "unknown pass '" + E.getText() + "'; expects " +
                               llvm::join(Pipelines, ", "));
  if (Registry.isReferenceName(E.Name))
    return error(E, "unknown pass '" + E.Name +
                        "': " + Registry.getAbsenceReason(E.Name));
  if (const PassInfo *Meant = findOtherName(E.Name, Registry))
    return error(E, "unknown pass '" + E.Name + "'; did you mean '" +
                        Meant->Argument + "'?");
  auto IsNear = [&](StringRef Name) {
    return !getSuggestion(Name, Known).empty();
  };
  // Names of pipelines contain options: `default<O3>`.
  StringRef Unknown =
      !IsNear(E.Name) && IsNear(E.getText()) ? E.getText() : E.Name;
  if (!IsNear(Unknown))
    Known.append(Registry.getNames());
  return unknown(E, "pass", Unknown, Known);
}

FailureOr<PassOptionValues> PipelineBuilder::readOptions(const Element &E,
                                                         const PassInfo &Info) {
  if (!E.Options)
    return PassOptionValues();
  return PassOptionValues::parse(Info.Argument, Info.Options, *E.Options,
                                 E.OptionsLoc, Diags);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Appends \p P, which is null if its factory rejected the options of \p E.
LogicalResult PipelineBuilder::appendCreated(const Element &E,
                                             std::unique_ptr<Pass> P,
                                             PassList &Passes) {
  if (!P)
    return error(E, "'" + E.Name + "' cannot be created with these options");
  Passes.push_back(std::move(P));
  return success();
}

LogicalResult PipelineBuilder::appendPass(const Element &E, PassList &Passes) {
  const PassInfo *Info = Registry.findPass(E.Name);
  if (!Info)
    return reportUnknownPass(E);
  FailureOr<PassOptionValues> Options = readOptions(E, *Info);
  if (failed(Options))
    return failure();
  return appendCreated(E, Registry.create(*Info, *Options), Passes);
}

LogicalResult PipelineBuilder::appendAnalysisPass(const Element &E,
                                                  const AnalysisPassInfo &Info,
                                                  PassList &Passes) {
  if (!E.Options)
    return error(E, "'" + E.Name + "' needs the name of an analysis: '" +
                        E.Name + "<…>'");
  auto [Name, Rest] = E.Options->split('<');
  const AnalysisInfo *Analysis = Registry.lookupAnalysis(Name);
  if (!Analysis) {
    SmallVector<StringRef> Known = Registry.getAnalysisArguments();
    InFlightDiagnostic D = Diags.emitError(E.OptionsLoc, Name.size(),
                                           "unknown analysis '" + Name + "'");
    D << getSuggestion(Name, Known);
    if (!Known.empty())
      D.note(Location(), "analyses: " + llvm::join(Known, ", "));
    return D;
  }
  FailureOr<PassOptionValues> Arguments = PassOptionValues();
  Location Loc =
      Location::fromOffset(E.OptionsLoc.getOffset() + Name.size() + 1);
  if (Name.size() != E.Options->size()) {
    if (!Rest.consume_back(">"))
      return Diags.emitError(E.OptionsLoc, E.Options->size(),
                             "expected '>' after the arguments of '" + Name +
                                 "'");
    Arguments =
        PassOptionValues::parse(Name, Analysis->Options, Rest, Loc, Diags);
  }
  if (failed(Arguments))
    return failure();
  return appendCreated(E, Info.Factory(*Analysis, *Arguments), Passes);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Moves the members of a `function(…)` to \p Passes; appends other passes
/// unchanged.
static void appendFlat(std::unique_ptr<Pass> P, PassList &Passes) {
  auto *Functions = dyn_cast<ModuleToFunctionPassAdaptor>(P.get());
  if (!Functions) {
    Passes.push_back(std::move(P));
    return;
  }
  for (std::unique_ptr<FunctionPass> &Member :
       Functions->getManager().takePasses())
    Passes.push_back(std::move(Member));
}

LogicalResult PipelineBuilder::appendGroup(const Element &E,
                                           const GroupInfo &Group, bool Gated,
                                           PassList &Passes) {
  if (!E.HasMembers)
    return error(E, "'" + E.Name + "' needs its members in parentheses");
  FailureOr<PassOptionValues> Options = readOptions(E, Group.Info);
  if (failed(Options))
    return failure();
  Gated = Group.Rule == GroupRule::Gated ||
          (Group.Rule == GroupRule::AsAround && Gated);
  PassList Members;
  for (const Element &Member : E.Members) {
    PassList New;
    if (failed(append(Member, Gated, New)))
      return failure();
    for (std::unique_ptr<Pass> &P : New) {
      if (Group.Rule == GroupRule::AsAround)
        Members.push_back(std::move(P));
      else
        appendFlat(std::move(P), Members);
    }
    if (Group.Rule != GroupRule::FunctionPasses)
      continue;
    if (!llvm::all_of(Members,
                      [](const auto &P) { return isa<FunctionPass>(*P); }))
      return error(Member,
                   "'" + Member.Name + "' " +
                       (Member.HasMembers ? "" : "runs on modules and ") +
                       "cannot be nested in '" + E.Name + "'");
  }
  // Members repeated in a gated group are gated each time.
  bool IsGroupAlready =
      Members.size() == 1 &&
      &Members[0]->getInfo() == &SequentialPass::getStaticInfo();
  if (Group.Rule == GroupRule::AsAround && Gated && !IsGroupAlready) {
    PassList Inner = std::exchange(Members, {});
    Members.push_back(std::make_unique<SequentialPass>(
        SequentialPass::getStaticInfo(), std::move(Inner)));
  }
  return appendCreated(
      E, Group.Factory(Group.Info, *Options, std::move(Members)), Passes);
}

LogicalResult PipelineBuilder::append(const Element &E, bool Gated,
                                      PassList &Passes) {
  const PassInfo *Info = Registry.findPass(E.Name);
  if (const GroupInfo *Group =
          Info ? Registry.lookupGroup(Info->Argument) : nullptr)
    return appendGroup(E, *Group, Gated, Passes);
  if (E.HasMembers)
    return reportNoGroup(E);
  if (E.Name == PassRegistry::ExtensionArgument)
    return appendExtensions(E, Passes);
  if (const PipelineInfo *Pipeline = findPipeline(E, Info))
    return appendNamed(E, *Pipeline, Passes);
  // `print` is a pass, `print<…>` is not.
  const AnalysisPassInfo *OnAnalysis = Registry.lookupAnalysisPass(E.Name);
  if (OnAnalysis && (E.Options || !Registry.lookupArgument(E.Name)))
    return appendAnalysisPass(E, *OnAnalysis, Passes);
  return appendPass(E, Passes);
}

FailureOr<PassList> PipelineBuilder::build(ArrayRef<Element> Elements,
                                           bool Gated) {
  PassList Passes;
  for (const Element &E : Elements)
    if (failed(append(E, Gated, Passes)))
      return failure();
  return Passes;
}

//===----------------------------------------------------------------------===//
// Pipelines by name, and extension points
//===----------------------------------------------------------------------===//

/// Parses \p Text, called \p Name, in which \p Around found the name.
static FailureOr<PassList> parseElements(StringRef Text, StringRef Name,
                                         bool Gated,
                                         const PassRegistry &Registry,
                                         raw_ostream &Errors,
                                         const PipelineBuilder *Around) {
  DiagnosticEngine Diags(Errors);
  Diags.setMainBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text, Name));
  StringRef Main = Diags.getMainText();
  FailureOr<std::vector<Element>> Elements = parsePipelineElements(Main, Diags);
  if (failed(Elements))
    return failure();
  return PipelineBuilder(Registry, Diags, Errors, Name, Around)
      .build(*Elements, Gated);
}

FailureOr<PassList> PipelineBuilder::buildText(const Element &E, StringRef Text,
                                               StringRef Name) {
  for (const PipelineBuilder *B = this; B; B = B->Around)
    if (B->Name == Name)
      return error(E, "'" + Name + "' contains itself");
  return parseElements(Text, Name, /*Gated=*/true, Registry, Errors, this);
}

/// Returns the pipeline that \p E calls, `default<O2>` or `shrink<rounds=3>`,
/// or null. \p Named is the pass with the name of E, if there is one.
const PipelineInfo *PipelineBuilder::findPipeline(const Element &E,
                                                  const PassInfo *Named) {
  if (const PipelineInfo *Exact = Registry.lookupPipeline(E.getText()))
    return Exact;
  return Named ? Registry.lookupPipeline(Named->Argument) : nullptr;
}

/// Returns the text of \p Pipeline with the values of options.
static std::string expandText(const PipelineInfo &Pipeline,
                              const PassOptionValues &Options) {
  std::string Text;
  StringRef Rest = Pipeline.Text;
  for (size_t At; (At = Rest.find('$')) != StringRef::npos;) {
    Text += Rest.take_front(At);
    Rest = Rest.drop_front(At + 1);
    StringRef Name =
        Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '-'; });
    Rest = Rest.drop_front(Name.size());
    for (const PassOptionInfo &Option : Pipeline.Info.Options)
      if (Option.Name == Name)
        Text += Options.getText(Option);
  }
  return Text.append(Rest.begin(), Rest.end());
}

LogicalResult PipelineBuilder::appendNamed(const Element &E,
                                           const PipelineInfo &Pipeline,
                                           PassList &Passes) {
  FailureOr<PassOptionValues> Options = PassOptionValues();
  if (E.getText() != Pipeline.Info.Argument)
    Options = readOptions(E, Pipeline.Info);
  if (failed(Options))
    return failure();
  FailureOr<PassList> Members =
      buildText(E, expandText(Pipeline, *Options), Pipeline.Info.Argument);
  if (failed(Members))
    return failure();
  Passes.push_back(std::make_unique<SequentialPass>(
      Pipeline.Info, std::move(*Members), Options->getText()));
  return success();
}

LogicalResult PipelineBuilder::appendExtensions(const Element &E,
                                                PassList &Passes) {
  const ExtensionPoint *Point =
      E.Options ? Registry.lookupExtensionPoint(*E.Options) : nullptr;
  if (!Point) {
    SmallVector<StringRef> Known = Registry.getExtensionPointNames();
    if (!E.Options)
      return error(E, "'" + E.Name +
                          "' needs the name of an extension point: '" + E.Name +
                          "<…>'");
    return Diags.emitError(E.OptionsLoc, E.Options->size(),
                           "unknown extension point '" + *E.Options + "'")
           << getSuggestion(*E.Options, Known);
  }
  for (StringRef Text : Point->Texts) {
    FailureOr<PassList> Members = buildText(E, Text, E.getText());
    if (failed(Members))
      return failure();
    llvm::move(*Members, std::back_inserter(Passes));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

FailureOr<ModulePassManager> relay::parsePipeline(StringRef Text,
                                                  StringRef Name,
                                                  const PassRegistry &Registry,
                                                  raw_ostream &Errors) {
  FailureOr<PassList> Passes =
      parseElements(Text, Name, /*Gated=*/false, Registry, Errors, nullptr);
  if (failed(Passes))
    return failure();
  return makeModulePipeline(std::move(*Passes));
}

/// Calls \p Visit for all of \p Elements, in the order of the text.
static void forEachElement(ArrayRef<Element> Elements,
                           function_ref<void(const Element &)> Visit) {
  for (const Element &E : Elements) {
    Visit(E);
    forEachElement(E.Members, Visit);
  }
}

std::optional<std::string>
relay::makePathsAbsolute(StringRef Text, const PassRegistry &Registry) {
  DiagnosticEngine Diags(llvm::nulls());
  auto Elements = parsePipelineElements(Text, Diags);
  assert(succeeded(Elements) && "the pipeline has been parsed before");
  std::string Result;
  const char *Copied = Text.begin();
  forEachElement(*Elements, [&](const Element &E) {
    const PassInfo *Info = Registry.findPass(E.Name);
    if (!Info || !E.Options)
      return;
    auto Options = PassOptionValues::parse(Info->Argument, Info->Options,
                                           *E.Options, E.OptionsLoc, Diags);
    if (failed(Options) || !Options->makePathsAbsolute())
      return;
    Result.append(Copied, E.Options->begin());
    Result += Options->getText();
    Copied = E.Options->end();
  });
  if (Copied == Text.begin())
    return std::nullopt;
  return Result.append(Copied, Text.end());
}

std::unique_ptr<Pass> relay::createPipeline(const PipelineInfo &Pipeline,
                                            const PassRegistry &Registry,
                                            const PassOptionValues &Options,
                                            raw_ostream &Errors) {
  FailureOr<PassList> Passes =
      parseElements(expandText(Pipeline, Options), Pipeline.Info.Argument,
                    /*Gated=*/true, Registry, Errors, nullptr);
  if (failed(Passes))
    return nullptr;
  return std::make_unique<SequentialPass>(Pipeline.Info, std::move(*Passes),
                                          Options.getText());
}

LogicalResult relay::checkPipelines(const PassRegistry &Registry,
                                    raw_ostream &Errors) {
  bool Ok = true;
  // An error in a pipeline is found again in each pipeline that names it.
  llvm::StringSet<> Reported;
  auto Check = [&](function_ref<bool(raw_ostream &)> IsGood) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    if (IsGood(OS))
      return;
    Ok = false;
    if (Reported.insert(Text).second)
      Errors << Text;
  };
  for (const PipelineInfo *Pipeline : Registry.getPipelines())
    Check([&](raw_ostream &OS) {
      return createPipeline(*Pipeline, Registry, {}, OS) != nullptr;
    });
  for (const ExtensionPoint *Point : Registry.getExtensionPoints()) {
    for (StringRef Text : Point->Texts)
      Check([&](raw_ostream &OS) {
        return succeeded(parsePipeline(
            Text,
            (PassRegistry::ExtensionArgument + "<" + Point->Name + ">").str(),
            Registry, OS));
      });
    if (Point->IsDeclared)
      continue;
    Ok = false;
    DiagnosticEngine(Errors).emitError(
        Location(),
        "unknown extension point '" + Point->Name + "'" +
            getSuggestion(Point->Name, Registry.getExtensionPointNames()));
  }
  return llvm::success(Ok);
}
