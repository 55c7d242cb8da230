//===- TypeInference.cpp - Types of a module's values ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which functions are typed. Each is tried straight away
// (StraightLineTyper) and solved for (FunctionTyper) only when that fails.
// Where signatures are not written out, callees come before callers, and
// functions that call each other are solved for together.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "FunctionTyper.h"
#include "StraightLineTyper.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/RewriteListener.h"
#include "relay/IR/Threading.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// The type of \p F as declared; null when a part is left out.
static FuncType *getDeclaredSignature(const Function &F) {
  SmallVector<Type *, 8> Params;
  for (BlockArgument *P : F.getParams()) {
    Type *T = getInitialType(P);
    if (!T || T->isIncomplete())
      return nullptr;
    Params.push_back(T);
  }
  const Signature &Sig = F.getSignature();
  if (!Sig.ResultAnnotation || Sig.ResultAnnotation->isIncomplete())
    return nullptr;
  return F.getContext().getFuncType(Sig.TypeParams, Params,
                                    Sig.ResultAnnotation);
}

//===----------------------------------------------------------------------===//
// Order of functions
//===----------------------------------------------------------------------===//

using FunctionGroup = SmallVector<Function *, 1>;

/// The circles of functions that call each other, callees first. Only calls of
/// functions without a written type count.
static std::vector<FunctionGroup> getCircles(TypingContext &TC) {
  CallGraph Graph(TC.getModule(),
                  [&](const Function &F) { return !TC.getSignature(F); });
  std::vector<FunctionGroup> Groups(Graph.getNumComponents());
  for (auto [I, Group] : llvm::enumerate(Groups))
    for (unsigned N : llvm::reverse(Graph.getComponent(I)))
      Group.push_back(&Graph.getFunction(N));
  return Groups;
}

/// One function a group, in their order, when all types are written.
static std::vector<FunctionGroup> getGroups(TypingContext &TC) {
  bool IsComplete = true;
  for (Function &F : TC.getModule().functions()) {
    FuncType *Declared = getDeclaredSignature(F);
    TC.setSignature(F, Declared);
    IsComplete &= Declared != nullptr;
  }
  if (!IsComplete)
    return getCircles(TC);
  std::vector<FunctionGroup> Groups;
  for (Function &F : TC.getModule().functions())
    Groups.push_back({&F});
  return Groups;
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Checks the written types of the constructors' fields.
static void checkTypeDefs(TypingContext &TC) {
  for (TypeDef &Def : TC.getModule().typeDefs())
    for (const auto &C : Def.Constructors)
      for (Type *T : C->Fields)
        TC.checkWritten(Def.Loc, T);
}

static void inferGroup(TypingContext &TC, StraightLineTyper &StraightLine,
                       const FunctionGroup &G, InferenceOptions Options) {
  TC.addSteps(G.size());
  if (!Options.ForceSolver && G.size() == 1 && StraightLine.run(*G[0])) {
    if (!TC.getSignature(*G[0]))
      TC.setSignature(*G[0], G[0]->getType());
    return;
  }
  typeFunctions(TC, G);
}

/// Types the functions of \p Functions that need no solver, on several threads,
/// and removes them. Errors in other functions are not reported here.
static void inferAtOnce(TypingContext &TC,
                        SmallVectorImpl<Function *> &Functions) {
  TC.addSteps(Functions.size());
  SmallVector<FuncType *, 0> Types(Functions.size());
  auto MakeWorker = [&]() -> TaskFn {
    auto Own = std::make_unique<TypingContext>(TC);
    auto StraightLine = std::make_unique<StraightLineTyper>(*Own);
    return [&, Own = std::move(Own),
            StraightLine = std::move(StraightLine)](size_t I) {
      size_t NumErrors = Own->getNumErrors();
      if (StraightLine->run(*Functions[I]) && Own->getNumErrors() == NumErrors)
        Types[I] = Functions[I]->getType();
      return success();
    };
  };
  (void)runTasks(TC.getContext(), Functions.size(), getNumOperations(Functions),
                 MakeWorker);
  size_t NumLeft = 0;
  for (auto [F, T] : llvm::zip_equal(ArrayRef(Functions), Types)) {
    if (!T)
      Functions[NumLeft++] = F;
    else if (!TC.getSignature(*F))
      TC.setSignature(*F, T);
  }
  Functions.truncate(NumLeft);
}

/// Types on several threads, where that is worth it, what can be typed straight
/// away, and takes it out of \p Groups. Callers of functions without a written
/// type need another round; when that would type few, it is left to the typing
/// in order, which reports errors too.
static void inferInParallel(TypingContext &TC,
                            std::vector<FunctionGroup> &Groups) {
  SmallVector<Function *, 0> Left;
  for (const FunctionGroup &G : Groups)
    if (G.size() == 1)
      Left.push_back(G[0]);
  llvm::DenseSet<Function *> Typed(Left.begin(), Left.end());
  for (size_t Before = Left.size() * 2;
       Left.size() * 2 <= Before &&
       isWorthThreads(TC.getContext(), Left.size(), getNumOperations(Left));) {
    Before = Left.size();
    inferAtOnce(TC, Left);
  }
  for (Function *F : Left)
    Typed.erase(F);
  llvm::erase_if(Groups,
                 [&](const FunctionGroup &G) { return Typed.contains(G[0]); });
}

LogicalResult relay::inferTypes(Module &M, InferenceOptions Options) {
  TypingContext TC(M);
  return inferTypes(TC, Options);
}

LogicalResult relay::inferTypes(TypingContext &TC, InferenceOptions Options) {
  checkTypeDefs(TC);
  std::vector<FunctionGroup> Groups = getGroups(TC);
  if (!Options.ForceSolver)
    inferInParallel(TC, Groups);
  StraightLineTyper StraightLine(TC);
  for (const FunctionGroup &G : Groups)
    inferGroup(TC, StraightLine, G, Options);
  for (Function &F : TC.getModule().functions())
    reportTyped(F);
  LogicalResult Result = TC.report();
  TC.getModule().setTyped(succeeded(Result));
  return Result;
}

LogicalResult relay::retype(Function &F) {
  F.normalize();
  TypingContext TC(*F.getModule(), TypingContext::Callees::Typed);
  TC.setSignature(F, F.computeType()); // F.getType() may be frozen
  if (!StraightLineTyper(TC).run(F))
    typeFunctions(TC, &F);
  reportTyped(F);
  return TC.report();
}
