//===- InferType.cpp - Infer the types of all values ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the inference of room Analysis, writes the types that it found as
// annotations, and tells whether a type or an annotation changed.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Threading.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class InferType : public InferTypeBase<InferType> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};
} // namespace

/// The types of all values of \p F and the type arguments of its calls, in the
/// order of a walk. A null type ends each list of type arguments.
static SmallVector<const Type *, 0> getTypes(Function &F) {
  SmallVector<const Type *, 0> Types;
  auto AddArguments = [&](Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      Types.push_back(Arg->getType());
  };
  AddArguments(F.getBody());
  walk(F, [&](Operation *Op) {
    Types.push_back(Op->getType());
    if (ArrayRef<Type *> Args = Op->getTypeArgs(); !Args.empty()) {
      llvm::append_range(Types, Args);
      Types.push_back(nullptr);
    }
    for (Block &B : Op->getRegions())
      AddArguments(B);
  });
  return Types;
}

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

namespace {
/// Annotates parameters, variables and results with their types. Existing
/// annotations are updated to the new type, as in TVM: `?` replaces `5` if an
/// unknown dimension reaches them.
class Annotator {
public:
  bool hasChanged() const { return HasChanged; }
  void run(Function &F);

private:
  /// Returns true if \p Annotation has to become \p T, which is null when not
  /// known.
  bool differs(Type *Annotation, Type *T) {
    bool Differs = T && T != Annotation;
    HasChanged |= Differs;
    return Differs;
  }
  void annotateArguments(Block &B);
  void annotateResult(Signature &S, Block &Body);
  void annotate(Operation *Op);

  bool HasChanged = false;
};
} // namespace

void Annotator::annotateArguments(Block &B) {
  for (BlockArgument *Arg : B.getArguments())
    if (differs(Arg->getAnnotation(), Arg->getType()))
      Arg->setAnnotation(Arg->getType());
}

void Annotator::annotateResult(Signature &S, Block &Body) {
  Type *T = Body.getResult()->getType();
  if (differs(S.ResultAnnotation, T))
    S.ResultAnnotation = T;
}

void Annotator::annotate(Operation *Op) {
  if (Op->isBound() && differs(Op->getVarAnnotation(), Op->getType()))
    Op->bind(Op->getVarName(), Op->getType(), Op->getVarVirtualDevice());
  for (Block &B : Op->getRegions())
    annotateArguments(B);
  if (Op->is(OpCode::Fn))
    annotateResult(Op->getSignature(), Op->getRegion());
}

void Annotator::run(Function &F) {
  annotateArguments(F.getBody());
  // The text of an open expression has no place for its type.
  if (F.getForm() != Function::Form::OpenExpression)
    annotateResult(F.getSignature(), F.getBody());
  if (F.getNumBindings() || F.getNumRegions())
    walk(F, [this](Operation *Op) { annotate(Op); });
}

/// Writes the types of \p F as annotations; whether one changed.
static bool annotate(Function &F) {
  Annotator A;
  A.run(F);
  return A.hasChanged();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

FailureOr<PreservedAnalyses> InferType::run(Module &M, ModuleAnalysisManager &,
                                            PassContext &) {
  SmallVector<Function *, 0> Functions = getFunctions(M);
  std::vector<SmallVector<const Type *, 0>> Before(Functions.size());
  forEachInParallel(Functions,
                    [&](size_t I) { Before[I] = getTypes(*Functions[I]); });
  if (failed(inferTypes(M)))
    return failure();
  SmallVector<char, 0> HasChanged(Functions.size());
  forEachInParallel(Functions, [&](size_t I) {
    Function &F = *Functions[I];
    HasChanged[I] = annotate(F) || getTypes(F) != Before[I];
  });
  bool Changed = false;
  for (auto [F, IsChanged] : llvm::zip_equal(Functions, HasChanged)) {
    if (!IsChanged)
      continue;
    // Inference sets types, and the Annotator writes them, without a Rewriter.
    Rewriter R(*F);
    R.noteRewrite("infer-type");
    R.noteModified(*F);
    Changed = true;
  }
  return preserved(Changed);
}

std::unique_ptr<Pass> relay::createInferTypePass() {
  return std::make_unique<InferType>();
}
