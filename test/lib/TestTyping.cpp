//===- TestTyping.cpp - Compares all ways of typing -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass test-typing. The types that are there, those of inference, those of
// the solver for every function, those of one operation at a time, and what the
// Verifier accepts have to be the same.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/CompleteTyper.h"
#include "relay/IR/Verifier.h"
#include "relay/IR/Walk.h"

namespace relay::test {

namespace {

/// The types of all values of a module, in the order of a walk.
class TypeList {
public:
  explicit TypeList(Module &M) {
    for (Function &F : M.functions())
      walkBlocks(F.getBody(), [&](Block &B) {
        for (BlockArgument *Arg : B.getArguments())
          All.push_back({Arg, Arg->getType()});
        for (Operation &Op : B)
          All.push_back({&Op, Op.getType()});
      });
  }

  /// Makes all operations untyped.
  void forget() const {
    for (auto &[V, T] : All)
      if (isa<Operation>(V))
        V->setTypeRaw(nullptr);
  }
  /// Reports the values that are not of these types now.
  LogicalResult compare(Context &Ctx, StringRef Way) const;

private:
  std::vector<std::pair<Value *, Type *>> All;
};

class TestTyping final : public TestTypingBase<TestTyping> {
public:
  using TestTypingBase::TestTypingBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override;

private:
  LogicalResult inferAgain(Module &M, const TypeList &Types, StringRef Way,
                           InferenceOptions Options);
  LogicalResult inferOneByOne(Module &M);
};

} // namespace

static InFlightDiagnostic report(Context &Ctx, const Value &V, Type *T,
                                 StringRef Way, Type *Other) {
  auto *Op = dyn_cast<Operation>(&V);
  Location Loc = Op ? Op->getLoc() : cast<BlockArgument>(V).getLoc();
  StringRef Name = Op ? Op->getName() : cast<BlockArgument>(V).getName();
  return Ctx.emitError(Loc, "'" + Name + "' is '" + toString(T) + "', and to " +
                                Way + " '" + toString(Other) + "'");
}

/// Unknowns have numbers, which may differ.
static bool isSame(Type *L, Type *R) {
  return L == R || (L && R && L->isIncomplete() && R->isIncomplete());
}

LogicalResult TypeList::compare(Context &Ctx, StringRef Way) const {
  LogicalResult Result = success();
  for (auto &[V, T] : All)
    if (!isSame(T, V->getType()))
      Result = report(Ctx, *V, T, Way, V->getType());
  return Result;
}

LogicalResult TestTyping::inferAgain(Module &M, const TypeList &Types,
                                     StringRef Way, InferenceOptions Options) {
  Types.forget();
  LogicalResult Inferred = inferTypes(M, Options);
  LogicalResult Compared = Types.compare(M.getContext(), Way);
  return success(succeeded(Inferred) && succeeded(Compared));
}

/// What is around an operation may have made it more dynamic than its operands
/// do, or less polymorphic; and a polymorphic call may need the solver.
LogicalResult TestTyping::inferOneByOne(Module &M) {
  Context &Ctx = M.getContext();
  CompleteTyper Typer(Ctx, &M, CompleteTyper::Unification::Join);
  LogicalResult Result = success();
  walk(M, [&](Operation *Op) {
    Type *T = Op->getType(), *One = inferOperationType(*Op);
    bool Fits = isSame(T, One) || !One || (T && Typer.fits(T, One));
    if (Options.Strict ? !isSame(T, One) : !Fits)
      Result = report(Ctx, *Op, T, "the Builder", One);
  });
  return Result;
}

FailureOr<PreservedAnalyses> TestTyping::run(Module &M, ModuleAnalysisManager &,
                                             PassContext &) {
  TypeList Types(M);
  // Each way reports what it finds.
  bool Same = succeeded(inferOneByOne(M));
  Same &= succeeded(inferAgain(M, Types, "inference", {}));
  Same &= succeeded(inferAgain(M, Types, "the solver", {/*ForceSolver=*/true}));
  Same &= succeeded(verify(M, /*AllowUndefined=*/true));
  if (!Same)
    return failure();
  return PreservedAnalyses::all();
}

std::unique_ptr<Pass> createTestTypingPass(TestTypingOptions Options) {
  return std::make_unique<TestTyping>(std::move(Options));
}

} // namespace relay::test
