//===- AnnotatedRegions.cpp - Regions between annotations -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk, depth first: an operation joins the regions of its open operands,
// which are the operands that no annotation ends. Variables are never open, so
// that a region does not contain a `let`. A begin that is bound to a variable
// is in no region.
//
//===----------------------------------------------------------------------===//

#include "AnnotatedRegions.h"
#include "Forms/DepthFirstWalk.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Annotation.h"
#include "relay/Transforms/Partition/TargetSupport.h"

using namespace relay;

bool relay::isCompilerBegin(const Value *V) {
  return llvm::isa_and_present<CompilerBeginOp>(V);
}

bool relay::isCompilerEnd(const Value *V) {
  return llvm::isa_and_present<CompilerEndOp>(V);
}

StringRef relay::getAnnotatedCompiler(const Operation &Op) {
  if (!isCompilerBegin(&Op) && !isCompilerEnd(&Op))
    return {};
  return Op.getAttrsAs<CompilerAttrs>().compiler();
}

unsigned AnnotatedRegions::lookup(const Value *V) const {
  unsigned N = V && IsAnnotated ? NumberOf[V->getIndex()] : NoRegion;
  return N == NoRegion ? NoRegion : Merged.find(N);
}

/// Returns true if a user of \p V joins its region.
static bool isOpen(const Value *V) {
  const Operation *Op = V ? V->getDefiningOp() : nullptr;
  return Op && Op->isFloating() && !isCompilerEnd(Op);
}

/// Returns the operands of \p Op without the callee.
static MutableArrayRef<Use> getInputs(const Operation &Op) {
  return Op.getUses().drop_front(Op.is(OpCode::CallValue));
}

/// Merges the regions of the open inputs of \p Op. Returns the number of the
/// merged region, or NoRegion. Operations with blocks are in no region.
unsigned AnnotatedRegions::joinOperands(const Operation &Op) {
  unsigned N = NoRegion;
  if (Op.getNumRegions() != 0)
    return N;
  for (const Value *V : getInputs(Op)) {
    unsigned M = isOpen(V) ? lookup(V) : NoRegion;
    if (M == NoRegion)
      continue;
    if (N == NoRegion)
      N = M;
    Merged.merge(M, N);
  }
  return N;
}

void AnnotatedRegions::add(Operation &Op) {
  unsigned N;
  if (isCompilerBegin(&Op) && Op.isBound()) {
    N = NoRegion;
  } else if (isCompilerBegin(&Op)) {
    N = Merged.add();
  } else if (isCompilerEnd(&Op)) {
    N = isOpen(Op.getOperand(0)) ? lookup(Op.getOperand(0)) : NoRegion;
  } else {
    N = joinOperands(Op);
  }
  if (N != NoRegion)
    NumberOf[Op.getIndex()] = N;
}

class AnnotatedRegions::Order : public DepthFirstWalk {
public:
  explicit Order(Function &F) : Visited(F.getNumValues()) { walk(F.getBody()); }
  ArrayRef<Operation *> get() const { return Ops; }

protected:
  Operation *enterBinding(Operation *Op) override {
    return visit(Op) ? Op : nullptr;
  }
  bool enterUse(Value *V, Operation *, Block *) override {
    Operation *Op = V->getDefiningOp();
    return Op && Op->isFloating() && visit(Op);
  }
  void leave(Operation *Op) override { Ops.push_back(Op); }

private:
  /// Returns true at the first visit.
  bool visit(const Operation *Op) {
    bool IsNew = !Visited.test(Op->getIndex());
    Visited.set(Op->getIndex());
    return IsNew;
  }

  llvm::BitVector Visited;
  SmallVector<Operation *, 0> Ops;
};

/// Returns true if \p F has an annotation.
static bool hasAnnotations(Function &F) {
  return walk(F,
              [](Operation *Op) -> WalkResult {
                return success(!isCompilerBegin(Op) && !isCompilerEnd(Op));
              })
      .wasInterrupted();
}

AnnotatedRegions::AnnotatedRegions(Function &F)
    : F(F), IsAnnotated(hasAnnotations(F)) {
  if (!IsAnnotated)
    return;
  NumberOf.assign(F.getNumValues(), NoRegion);
  Order DepthFirst(F);
  for (Operation *Op : DepthFirst.get())
    add(*Op);
  Regions.resize(Merged.size());
  for (unsigned N = 0; N != Merged.size(); ++N)
    if (Merged.find(N) == N)
      Numbers.push_back(N);
  for (Operation *Op : DepthFirst.get()) {
    unsigned N = lookup(Op);
    if (N == NoRegion)
      continue;
    Region &R = Regions[N];
    if (isCompilerEnd(Op)) {
      R.Ends.push_back(Op);
    } else if (isCompilerBegin(Op)) {
      if (R.Begins.empty())
        R.Compiler = getAnnotatedCompiler(*Op);
      R.Begins.push_back(Op);
    } else {
      R.Members.push_back(Op);
    }
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Checks the values that enter the region \p N at its member \p Op.
LogicalResult AnnotatedRegions::checkInputs(const Operation &Op,
                                            unsigned N) const {
  if (llvm::all_of(getInputs(Op),
                   [&](const Value *V) { return isOpen(V) && lookup(V) == N; }))
    return success();
  return F.getContext().emitError(
      Op.getLoc(),
      "an operand of '" + Op.getName() + "' enters the region of compiler '" +
          Regions[N].Compiler + "' without 'annotation.compiler_begin'");
}

/// Checks that the value of \p Op is used inside of its region \p N only.
LogicalResult AnnotatedRegions::checkUses(const Operation &Op,
                                          unsigned N) const {
  bool Leaves = Op.isBound() || llvm::any_of(Op.uses(), [&](const Use &U) {
                  const Operation *User = U.getUserOp();
                  if (!User)
                    User = U.getUserBlock()->getParentOp();
                  return !User || isCompilerBegin(User) || lookup(User) != N;
                });
  if (!Leaves)
    return success();
  return F.getContext().emitError(
      Op.getLoc(),
      "the value of '" + Op.getName() + "' leaves the region of compiler '" +
          Regions[N].Compiler + "' without 'annotation.compiler_end'");
}

LogicalResult AnnotatedRegions::checkOperation(const Operation &Op) const {
  unsigned N = lookup(&Op);
  if (N == NoRegion && !isCompilerEnd(&Op))
    return success();
  StringRef Compiler = getAnnotatedCompiler(Op);
  if (N == NoRegion)
    return F.getContext().emitError(Op.getLoc(),
                                    "'annotation.compiler_end' of '" +
                                        Compiler + "' ends no region");
  // Regions for the host are not evaluated at once.
  if (Regions[N].Compiler == DefaultCompiler &&
      (Compiler.empty() || Compiler == DefaultCompiler))
    return success();
  bool IsAnnotation = isCompilerBegin(&Op) || isCompilerEnd(&Op);
  if (IsAnnotation && Compiler != Regions[N].Compiler)
    return F.getContext().emitError(Op.getLoc(),
                                    "'" + Op.getName() + "' of '" + Compiler +
                                        "' is in a region of compiler '" +
                                        Regions[N].Compiler + "'");
  if (!IsAnnotation && failed(checkInputs(Op, N)))
    return failure();
  return isCompilerEnd(&Op) ? success() : checkUses(Op, N);
}

LogicalResult AnnotatedRegions::check() const {
  return success(!walk(F, [&](Operation *Op) -> WalkResult {
                    return checkOperation(*Op);
                  }).wasInterrupted());
}
