//===- Provenance.cpp - The origin of operations --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation has a story after a pass has changed it. An operation created by
// a rule continues the story of the operation at which the rule was applied,
// which it replaces, or of which it is a copy.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/Provenance.h"
#include "relay/IR/Walk.h"
#include "relay/Instrumentation/Checks/ResultNames.h"
#include "relay/Pass/Pass.h"

using namespace relay;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// Returns the story of \p Op. A new story begins with the operation as read.
Provenance::Story &Provenance::getStory(const Operation *Op) {
  Story *&S = ByOperation[Op];
  if (!S) {
    S = &Stories.emplace_back();
    S->ReadAt = Op->getLoc();
    S->ReadAs = Op->getName();
  }
  return *S;
}

/// Returns the story that operations created by a rule at \p Op continue: for
/// an operator with several results, that of the operator and not of the
/// projection.
const Provenance::Story &Provenance::getOriginStory(const Operation *Op) {
  if (Op->is(OpCode::TupleGetItem))
    if (const Operation *Def = Op->getOperand(0)->getDefiningOp())
      if (Def->is(OpCode::Operator))
        return getStory(Def);
  return getStory(Op);
}

void Provenance::setOrigin(Story &S, const Story &Origin) {
  S.Origin = &Origin;
  S.NumOriginSteps = Origin.Steps.size();
}

void Provenance::addStep(Story &S, Step::Kind K, const Operation *Op) {
  const PassRun &Run = *PassRun::getCurrent();
  S.Steps.push_back({K, Run.getNumber(), Run.getName(), Rule, Op->getName()});
}

/// Returns true if \p S was recorded in the present run of this thread.
bool Provenance::isPresent(const Step &S) {
  return S.Run == PassRun::getCurrent()->getNumber();
}

void Provenance::notifyRewrite(const Rewrite &R) {
  Rule = R.Rule.str();
  Root = R.Root ? &getOriginStory(R.Root) : nullptr;
}

void Provenance::notifyCreated(Operation *Op) {
  Story &S = Stories.emplace_back();
  ByOperation[Op] = &S;
  if (Root)
    setOrigin(S, *Root);
  addStep(S, Step::Kind::Made, Op);
}

void Provenance::notifyCloned(const Operation *From, Operation *New) {
  const Story &Origin = getStory(From);
  Story &S = getStory(New);
  setOrigin(S, Origin);
  S.Steps.back().K = Step::Kind::Copied;
}

void Provenance::notifyModified(Operation *Op) {
  Story &S = getStory(Op);
  if (S.Steps.empty() || !isPresent(S.Steps.back()))
    addStep(S, Step::Kind::Changed, Op);
}

/// Returns true for aliases and scopes, which are not shown as operations.
static bool isTransparent(const Operation *Op) {
  return Op->is(OpCode::Alias) || Op->is(OpCode::Scope);
}

void Provenance::notifyReplaced(Operation *Op, Value *New) {
  const Operation *NewOp = New->getDefiningOp();
  if (!NewOp || isTransparent(Op))
    return;
  Story &S = getStory(NewOp);
  bool IsNew = !S.Steps.empty() && S.Steps.front().isCreation() &&
               isPresent(S.Steps.front());
  if (!IsNew)
    addStep(S, Step::Kind::TookPlace, Op);
  else if (!S.Origin)
    setOrigin(S, getOriginStory(Op));
}

void Provenance::notifyErased(Operation *Op) { ByOperation.erase(Op); }

/// Operations that a pass created outside of the module are attributed to the
/// pass.
void Provenance::notifyFunctionCreated(Function &F) {
  walk(F, [this](Operation *Op) {
    if (!ByOperation.contains(Op))
      notifyCreated(Op);
  });
}

void Provenance::notifyFunctionErased(Function &F) {
  walk(F, [this](Operation *Op) { ByOperation.erase(Op); });
}

void Provenance::registerCallbacks(PassContext &PC) {
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  PIC.requireSingleThread(); // the story of a callee continues in its callers
  PIC.registerRewriteListener(this);
  PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &) {
    Rule.clear();
    Root = nullptr;
  });
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Returns `nn.relu`, `call`.
static StringRef getPlainName(StringRef OpName) {
  OpName.consume_front("relay.");
  return OpName;
}

void Provenance::print(const Step &S, raw_ostream &OS) const {
  OS << "  " << S.Pass;
  if (!S.Rule.empty())
    OS << " (" << S.Rule << ')';
  switch (S.K) {
  case Step::Kind::Made:
    OS << " made " << getPlainName(S.Op) << '\n';
    return;
  case Step::Kind::Copied:
    OS << " copied it\n";
    return;
  case Step::Kind::Changed:
    OS << " changed it\n";
    return;
  case Step::Kind::TookPlace:
    OS << " substituted it for " << getPlainName(S.Op) << '\n';
    return;
  }
}

void Provenance::print(const Story &Last, const DiagnosticEngine &Locations,
                       raw_ostream &OS) const {
  SmallVector<std::pair<const Story *, size_t>> Chain;
  size_t NumSteps = Last.Steps.size();
  for (const Story *S = &Last; S; NumSteps = S->NumOriginSteps, S = S->Origin)
    Chain.push_back({S, NumSteps});
  for (auto [S, Count] : llvm::reverse(Chain)) {
    if (!S->ReadAs.empty()) {
      OS << "  read as " << getPlainName(S->ReadAs) << " at ";
      Locations.printLocation(OS, S->ReadAt);
      OS << '\n';
    }
    for (const Step &Each : ArrayRef(S->Steps).take_front(Count))
      print(Each, OS);
  }
}

/// Returns `nn.relu`, `a parameter`, `a parameter of fn`, `a variable of
/// match`.
static std::string describeValue(const Value &V, const Operation *Around) {
  if (const Operation *Op = V.getDefiningOp())
    return getPlainName(Op->getName()).str();
  if (!Around)
    return "a parameter";
  return ((Around->is(OpCode::Fn) ? "a parameter of " : "a variable of ") +
          getPlainName(Around->getName()))
      .str();
}

void Provenance::print(StringRef Name, const Value &V, raw_ostream &OS) const {
  const auto *Arg = dyn_cast<BlockArgument>(&V);
  const Operation *Around =
      Arg ? Arg->getParentBlock()->getParentOp() : nullptr;
  const DiagnosticEngine &Locations =
      V.getFunction()->getContext().getDiagnostics();
  OS << Name;
  if (!Name.starts_with("@"))
    OS << " in @" << V.getFunction()->getName();
  OS << ": " << describeValue(V, Around) << '\n';
  // Parameters have the lifetime of their closure. Parameters of functions may
  // be created by a pass without announcement.
  auto Known = ByOperation.find(Arg ? Around : V.getDefiningOp());
  if (Known != ByOperation.end())
    return print(*Known->second, Locations, OS);
  OS << (Arg ? "  at " : "  read at ");
  Locations.printLocation(OS,
                          Arg ? Arg->getLoc() : V.getDefiningOp()->getLoc());
  OS << '\n';
}

void Provenance::takeOver(Instrumentation &Previous) {
  Problems = std::move(static_cast<Provenance &>(Previous).Problems);
}

Error Provenance::finish(Module &M, bool Failed) {
  if (Failed)
    return Error::success();
  ResultNames Names(M);
  for (StringRef Name : Opts.Names) {
    std::string Problem = Names.forEach(
        Name, [&](const Value &V, StringRef Called) { print(Called, V, OS); });
    auto [Noted, IsFirst] = Problems.try_emplace(Name, Problem);
    if (!IsFirst && !Noted->second.empty())
      Noted->second = Problem;
  }
  return Error::success();
}

Error Provenance::report(raw_ostream &, const ModulePassManager &,
                         bool Failed) {
  if (!Failed)
    for (StringRef Name : Opts.Names)
      if (std::string Problem = Problems.lookup(Name); !Problem.empty())
        return llvm::createStringError("option -why: " + Problem);
  return Error::success();
}
