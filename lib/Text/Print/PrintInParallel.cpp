//===- PrintInParallel.cpp - Parallel printing of functions ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a function depends on the functions before it: graph nodes are
// numbered through the module, names are unique in it, and metadata has
// indices. Nodes are therefore counted first, by several threads; names are
// assigned next, which takes little time; then each thread prints functions
// with its own printer. A function that refers to the metadata is left to the
// printer of the module, when its turn comes.
//
//===----------------------------------------------------------------------===//

#include "PrinterImpl.h"
#include "relay/IR/Threading.h"
#include "relay/IR/Walk.h"

using namespace relay;

/// Returns whether the names in \p Fn are assigned in the order of a walk, and
/// the number of its graph nodes.
void Printer::countNodes(Function &Fn, DefinitionPlan &Plan) {
  Plan.IsPlain = Fn.getForm() != Function::Form::OpenExpression;
  walk(Fn, [&](Operation *Op) {
    Plan.HasVariables |= Op->isBound() || Op->is(OpCode::Fn);
    Plan.IsPlain &= !Op->is(OpCode::Match);
    if (Op->isBound() || isInlineKind(*Op))
      return;
    if (!isInlineResult(*Op))
      ++Plan.NumNodes;
    else if (Op->getNumRegions() && Op != &*std::prev(Op->getBlock()->end()))
      Plan.IsPlain = false; // in the middle of a pass
  });
}

void Printer::planNames(Function &Fn, DefinitionPlan &Plan) {
  auto AddArguments = [&](Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      Plan.Names.push_back(makeVariableName(Arg, Arg->getName()));
  };
  AddArguments(Fn.getBody());
  if (!Plan.HasVariables)
    return;
  walk<WalkOrder::PreOrder>(Fn, [&](Operation *Op) {
    if (Op->isBound())
      Plan.Names.push_back(makeVariableName(Op, Op->getVarName()));
    if (Op->is(OpCode::Fn))
      AddArguments(Op->getRegion());
  });
}

/// Returns plans for \p Functions; none if they must be printed in order.
std::vector<Printer::DefinitionPlan>
Printer::planDefinitions(ArrayRef<Function *> Functions) {
  std::vector<DefinitionPlan> Plans(Functions.size());
  forEachInParallel(Functions,
                    [&](size_t I) { countNodes(*Functions[I], Plans[I]); });
  uint32_t Number = 0;
  for (auto [F, Plan] : llvm::zip_equal(Functions, Plans)) {
    Plan.FirstNumber = Number;
    Number += Plan.NumNodes;
    planNames(*F, Plan);
    if (Plan.IsPlain && !HasDottedNames)
      continue;
    NameCounts.clear();
    HasDottedNames = false;
    return {};
  }
  return Plans;
}

void Printer::printPlanned(Function &Fn, const DefinitionPlan &ThePlan) {
  Plan = &ThePlan;
  NumNamed = 0;
  NextNumber = ThePlan.FirstNumber;
  printDefinition(Fn);
  assert(NextNumber == ThePlan.FirstNumber + ThePlan.NumNodes &&
         NumNamed == ThePlan.Names.size() && "the plan was another");
}

namespace relay {

/// The printer of one thread.
class Printer::Worker {
public:
  Worker(Context &Ctx, const PrintOptions &Options)
      : Ctx(Ctx), Options(Options) {}

  /// Writes the text of \p F to the empty \p Text; nothing if it depends on
  /// other functions.
  void print(Function &F, const DefinitionPlan &Plan, std::string &Text) {
    // If most functions depend on others, trying each would take longer.
    if (NumDependent == MaxDependent)
      return;
    if (!P) {
      P.emplace(Ctx, llvm::nulls(), Options);
      P->IsAlone = true;
    }
    llvm::raw_string_ostream OS(Text);
    P->redirect(OS);
    P->printPlanned(F, Plan);
    P->redirect(llvm::nulls());
    IsCutOff |= P->Out.hasOverflowed();
    if (!P->IsDependent)
      return;
    Text.clear();
    ++NumDependent;
    P.reset(); // its caches may contain metadata indices
  }

  /// Returns true if a text exceeded the limit.
  bool isCutOff() const { return IsCutOff; }

private:
  static constexpr unsigned MaxDependent = 8;

  Context &Ctx;
  const PrintOptions &Options;
  std::optional<Printer> P;
  unsigned NumDependent = 0;
  bool IsCutOff = false;
};

} // namespace relay

namespace {
/// Strings of printed texts, for reuse by other functions: the system would
/// clear new memory for each.
class StringPool {
public:
  std::string take() {
    std::lock_guard<std::mutex> Guard(Lock);
    return Spare.empty() ? std::string() : Spare.pop_back_val();
  }
  void giveBack(std::string Text) {
    Text.clear();
    std::lock_guard<std::mutex> Guard(Lock);
    Spare.push_back(std::move(Text));
  }

private:
  std::mutex Lock;
  SmallVector<std::string, 8> Spare;
};
} // namespace

/// Prints the functions of \p M if several threads are available.
bool Printer::printInParallel(Module &M) {
  SmallVector<Function *, 0> Functions = getFunctions(M);
  uint64_t Work = getNumOperations(Functions);
  if (!isWorthThreads(Ctx, Functions.size(), Work) || M.getNumTypeDefs() ||
      Options.Numbers || Options.Shows || Options.Spans || Options.OnValue)
    return false;
  std::vector<DefinitionPlan> Plans = planDefinitions(Functions);
  if (Plans.empty())
    return false;
  std::vector<std::string> Texts(Functions.size());
  std::atomic<bool> AreCutOff{false};
  StringPool Strings;
  auto MakeWorker = [&]() -> TaskFn {
    return [&, W = std::make_unique<Worker>(Ctx, Options)](size_t I) {
      Texts[I] = Strings.take();
      W->print(*Functions[I], Plans[I], Texts[I]);
      if (W->isCutOff())
        AreCutOff = true;
      return success();
    };
  };
  auto Finish = [&](size_t I) {
    Out << (I ? "\n" : "");
    if (Texts[I].empty())
      printPlanned(*Functions[I], Plans[I]);
    else
      Out << Texts[I];
    Strings.giveBack(std::move(Texts[I]));
  };
  (void)runTasks(Ctx, Functions.size(), Work, MakeWorker, Finish);
  if (AreCutOff)
    Out.noteOverflow();
  return true;
}
