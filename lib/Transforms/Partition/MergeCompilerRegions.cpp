//===- MergeCompilerRegions.cpp - Merge regions of one compiler -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region is merged with the regions of its operands, in TVM's order, unless
// the merged region would depend on itself. Unlike in TVM, which then fails in
// partition-graph or evaluates in another order, this includes dependences
// through operations outside of regions, the order of `let`s and the scopes of
// variables. Regions with effects are not merged.
//
//===----------------------------------------------------------------------===//

#include "AnnotatedRegions.h"
#include "Annotations.h"
#include "RegionGraph.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Context.h"
#include "relay/Transforms/Partition/TargetSupport.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/BitVector.h"

using namespace relay;

namespace {

/// The obstacle of a region that is excluded.
constexpr StringLiteral CyclicObstacle =
    "the merged region would depend on itself";

/// Merges the regions of one function.
///
/// A node excludes the regions that it depends on through another node: merged
/// with one of them, it would depend on itself. Regions that no later region
/// reads are left out, so that the sets stay small. There are two kinds of
/// sets: TVM's, which follow the ends that regions read, for the host; and sets
/// that follow all dependences, for compilers.
class RegionMerger {
public:
  RegionMerger(Function &F, const RegionGraph &Graph);

  /// Decides which regions are merged. Returns the number of merges.
  unsigned run();
  /// Returns the region that the region \p N has been merged into.
  unsigned find(unsigned N) const { return Merged.find(N); }

private:
  using Set = SmallVector<unsigned, 2>;
  /// Why regions are not merged with a region that reads them.
  using Obstacles = llvm::SmallDenseMap<unsigned, StringRef, 4>;

  /// The excluded regions by node.
  struct Exclusions {
    explicit Exclusions(unsigned NumNodes) : SetOf(NumNodes) {}
    SmallVector<Set, 0> Sets = {{}};
    SmallVector<unsigned, 0> SetOf; ///< 0 is the empty set
  };

  unsigned getReadRegion(const Operation *Begin) const;
  void forEachExcluded(const Exclusions &E, ArrayRef<unsigned> Numbers,
                       function_ref<void(unsigned)> Visit) const;
  unsigned unite(Exclusions &E, ArrayRef<unsigned> Numbers,
                 ArrayRef<unsigned> Further);
  SmallVector<unsigned, 8> visitDependences(unsigned Node);
  void visitHostNode(unsigned Node);
  void visitRegion(unsigned N);
  bool isForHost(unsigned N) const;
  bool isReadInside(unsigned N, const Block &Scope) const;
  StringRef getObstacle(unsigned From, unsigned Into) const;
  bool dependsOn(unsigned Node, unsigned From) const;
  const Operation *findDetour(unsigned From, unsigned Into) const;
  void emitRemark(const Operation *Begin, unsigned From, unsigned Into,
                  StringRef Obstacle) const;
  void emitRemarks(unsigned Into, const Obstacles &Obstacles) const;
  void merge(unsigned From, unsigned Into);

  const AnnotatedRegions &Regions;
  const RegionGraph &Graph;
  std::optional<ValuePurity> Effects;
  MergedNumbers Merged;
  /// By region: the begins of regions not visited yet that read it.
  SmallVector<unsigned, 0> NumReaders;
  Exclusions All, ByEnds;
  /// By region: the innermost block with a variable that it depends on.
  SmallVector<const Block *, 0> ScopeOf;
  llvm::BitVector HasEffects;
  /// By region: lists of the regions that have been merged.
  SmallVector<unsigned, 0> Next, Last;
  unsigned NumMerges = 0;
  bool TakesRemarks = takesMissedRemarks();
};

class MergeCompilerRegions final
    : public MergeCompilerRegionsBase<MergeCompilerRegions> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &AM,
                                   PassContext &Ctx) override;
};

} // namespace

RegionMerger::RegionMerger(Function &F, const RegionGraph &Graph)
    : Regions(Graph.getRegions()), Graph(Graph), Effects(findEffects(F)),
      NumReaders(Regions.size()), All(Graph.size()), ByEnds(Regions.size()),
      ScopeOf(Regions.size()), HasEffects(Regions.size()),
      Next(Regions.size(), NoRegion) {
  while (Merged.size() != Regions.size())
    Last.push_back(Merged.add());
  for (unsigned N : Regions.getNumbers()) {
    const AnnotatedRegions::Region &Region = Regions.get(N);
    ScopeOf[N] = Graph.getScope(N);
    HasEffects[N] =
        Effects && llvm::any_of(Region.Ends, [&](const Operation *End) {
          return !Effects->isEvalPure(End);
        });
    for (const Operation *Begin : Region.Begins)
      if (unsigned From = getReadRegion(Begin); From != NoRegion)
        ++NumReaders[From];
  }
}

/// Returns the region that the begin \p Begin reads, or NoRegion.
unsigned RegionMerger::getReadRegion(const Operation *Begin) const {
  unsigned N = Regions.lookup(Begin->getOperand(0));
  return N == NoRegion ? NoRegion : find(N);
}

/// Calls \p Visit with the regions of the sets \p Numbers. A region that has
/// grown since excludes more, unless it is for the host.
void RegionMerger::forEachExcluded(const Exclusions &E,
                                   ArrayRef<unsigned> Numbers,
                                   function_ref<void(unsigned)> Visit) const {
  llvm::SmallDenseSet<unsigned, 16> Seen;
  SmallVector<unsigned, 16> Worklist(Numbers);
  while (!Worklist.empty())
    for (unsigned N : E.Sets[Worklist.pop_back_val()]) {
      N = find(N);
      if (!Seen.insert(N).second)
        continue;
      Visit(N);
      if (&E == &All && All.SetOf[N] != 0 && !isForHost(N))
        Worklist.push_back(All.SetOf[N]);
    }
}

/// Returns the number of the set of the regions of the sets \p Numbers and of
/// \p Further that are still read.
unsigned RegionMerger::unite(Exclusions &E, ArrayRef<unsigned> Numbers,
                             ArrayRef<unsigned> Further) {
  SmallVector<unsigned, 8> Distinct;
  for (unsigned Number : Numbers)
    if (Number != 0 && !llvm::is_contained(Distinct, Number))
      Distinct.push_back(Number);
  if (Further.empty() && Distinct.size() <= 1)
    return Distinct.empty() ? 0 : Distinct.front();
  Set Union;
  auto Add = [&](unsigned N) {
    if (NumReaders[N] != 0)
      Union.push_back(N);
  };
  forEachExcluded(E, Distinct, Add);
  llvm::for_each(Further, Add);
  if (Union.empty())
    return 0;
  llvm::sort(Union);
  Union.erase(llvm::unique(Union), Union.end());
  E.Sets.push_back(std::move(Union));
  return E.Sets.size() - 1;
}

/// Unites the sets of the dependences of \p Node. Returns the regions among
/// them.
SmallVector<unsigned, 8> RegionMerger::visitDependences(unsigned Node) {
  SmallVector<unsigned, 8> Numbers, Read;
  for (unsigned To : Graph.getDependences(Node)) {
    bool IsRegion = Graph.isRegion(To);
    unsigned Origin = IsRegion ? find(To) : To;
    // The dependences of a region for the host are not merged.
    Numbers.push_back(All.SetOf[IsRegion && isForHost(To) ? To : Origin]);
    if (IsRegion && !llvm::is_contained(Read, Origin))
      Read.push_back(Origin);
  }
  All.SetOf[Node] = unite(All, Numbers, {});
  return Read;
}

/// A node outside of regions excludes the regions that it reads.
void RegionMerger::visitHostNode(unsigned Node) {
  SmallVector<unsigned, 8> Read = visitDependences(Node);
  All.SetOf[Node] = unite(All, {All.SetOf[Node]}, Read);
}

void RegionMerger::visitRegion(unsigned N) {
  SmallVector<unsigned, 8> Read = visitDependences(N), Numbers, NotMerged;
  for (unsigned From : Read)
    Numbers.push_back(ByEnds.SetOf[From]);
  ByEnds.SetOf[N] = unite(ByEnds, Numbers, {});
  llvm::SmallDenseSet<unsigned, 16> Excluded;
  auto Exclude = [&](unsigned M) { Excluded.insert(M); };
  forEachExcluded(ByEnds, {ByEnds.SetOf[N]}, Exclude);
  if (!isForHost(N))
    forEachExcluded(All, {All.SetOf[N]}, Exclude);
  Obstacles Missed;
  for (unsigned From : Read) {
    StringRef Obstacle = Excluded.contains(From) ? StringRef(CyclicObstacle)
                                                 : getObstacle(From, N);
    if (Obstacle.empty()) {
      merge(From, N);
      continue;
    }
    NotMerged.push_back(From);
    Missed[From] = Obstacle;
  }
  if (TakesRemarks && !Missed.empty())
    emitRemarks(N, Missed);
  for (const Operation *Begin : Regions.get(N).Begins)
    if (unsigned From = getReadRegion(Begin); From != NoRegion)
      --NumReaders[From];
  All.SetOf[N] = unite(All, {All.SetOf[N]}, NotMerged);
  ByEnds.SetOf[N] = unite(ByEnds, {ByEnds.SetOf[N]}, NotMerged);
}

/// Annotations for the host are removed in the end, so that no region for it is
/// evaluated at once.
bool RegionMerger::isForHost(unsigned N) const {
  return Regions.get(N).Compiler == DefaultCompiler;
}

/// Returns true if all users of the region \p N are in \p Scope.
bool RegionMerger::isReadInside(unsigned N, const Block &Scope) const {
  for (; N != NoRegion; N = Next[N])
    for (const Operation *End : Regions.get(N).Ends)
      if (!End->getBlock()->isInside(Scope))
        return false;
  return true;
}

/// Returns why \p From is not merged with \p Into, which reads it and does not
/// depend on it in another way; empty if it is merged.
StringRef RegionMerger::getObstacle(unsigned From, unsigned Into) const {
  if (Regions.get(From).Compiler != Regions.get(Into).Compiler)
    return "the regions are for different compilers";
  if (isForHost(Into))
    return "";
  if (HasEffects[From] || HasEffects[Into])
    return "one of the regions has effects";
  // The merged region is evaluated where the variables of Into are there.
  if (ScopeOf[From] == ScopeOf[Into] || isReadInside(From, *ScopeOf[Into]))
    return "";
  return "results are used outside of the scope of a variable that the merged "
         "region would need";
}

/// Returns true if \p Node depends on \p From, which is still read.
bool RegionMerger::dependsOn(unsigned Node, unsigned From) const {
  bool IsFound = false;
  forEachExcluded(All, {All.SetOf[Graph.isRegion(Node) ? find(Node) : Node]},
                  [&](unsigned Excluded) { IsFound |= Excluded == From; });
  return IsFound;
}

/// Returns an operand of \p Into that depends on \p From and is not in it; null
/// if there is none among the first MaxDetours.
const Operation *RegionMerger::findDetour(unsigned From, unsigned Into) const {
  constexpr size_t MaxDetours = 16;
  ArrayRef<Operation *> Begins = Regions.get(Into).Begins;
  for (const Operation *Begin : Begins.take_front(MaxDetours)) {
    const Operation *Op = Begin->getOperand(0)->getDefiningOp();
    unsigned Node = Op ? Graph.getNode(Op) : NoRegion;
    if (Node == NoRegion || (Graph.isRegion(Node) && find(Node) == From))
      continue;
    if (dependsOn(Node, From))
      return isCompilerEnd(Op) ? Op->getOperand(0)->getDefiningOp() : Op;
  }
  return nullptr;
}

/// Emits a remark on the operation that ends the region of \p Begin and is not
/// merged with the region of Begin.
void RegionMerger::emitRemark(const Operation *Begin, unsigned From,
                              unsigned Into, StringRef Obstacle) const {
  StringRef Compiler = Regions.get(Into).Compiler;
  if (isForHost(From) || Compiler != Regions.get(From).Compiler)
    return;
  std::string Why = Obstacle.str();
  if (Obstacle == CyclicObstacle)
    if (const Operation *Detour = findDetour(From, Into))
      Why += " through " + Detour->getDescription();
  const Operation *End = Begin->getOperand(0)->getDefiningOp();
  const Operation *Reader = Begin->uses().begin()->getUserOp();
  emitMissedRemark(End->getOperand(0)->getDefiningOp(), "not-merged",
                   "the region for '" + Compiler +
                       "' is not merged with that of " +
                       Reader->getDescription() + ": " + Why);
}

/// Emits remarks on the regions in \p Obstacles that \p Into reads and is not
/// merged with.
void RegionMerger::emitRemarks(unsigned Into,
                               const Obstacles &Obstacles) const {
  for (const Operation *Begin : Regions.get(Into).Begins) {
    unsigned From = getReadRegion(Begin);
    auto It = From == NoRegion ? Obstacles.end() : Obstacles.find(From);
    if (It != Obstacles.end())
      emitRemark(Begin, From, Into, It->second);
  }
}

void RegionMerger::merge(unsigned From, unsigned Into) {
  Merged.merge(From, Into);
  NumReaders[Into] += NumReaders[From];
  Next[Last[Into]] = From;
  Last[Into] = Last[From];
  ++NumMerges;
}

unsigned RegionMerger::run() {
  for (unsigned Node : Graph.getOrder()) {
    if (Graph.isRegion(Node))
      visitRegion(Node);
    else
      visitHostNode(Node);
  }
  return NumMerges;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Removes the pairs of an end and a begin inside of a merged region.
static void removeInnerAnnotations(Rewriter &R, const AnnotatedRegions &Regions,
                                   const RegionMerger &Merger) {
  for (unsigned N : Regions.getNumbers())
    for (Operation *Begin : Regions.get(N).Begins) {
      Operation *End = Begin->getOperand(0)->getDefiningOp();
      unsigned From = Regions.lookup(End);
      if (From == NoRegion || Merger.find(From) != Merger.find(N))
        continue;
      R.replaceOpByLessDynamic(Begin, End->getOperand(0));
      if (End->use_empty())
        R.eraseOp(End);
    }
}

FailureOr<PreservedAnalyses>
MergeCompilerRegions::run(Function &F, FunctionAnalysisManager &,
                          PassContext &) {
  auto Graph = RegionGraph::create(F, RegionGraph::HostNodes::Regions);
  if (failed(Graph))
    return failure();
  if (!*Graph)
    return preserved(false);
  const AnnotatedRegions &Regions = (*Graph)->getRegions();
  RegionMerger Merger(F, **Graph);
  unsigned Number = Merger.run();
  Rewriter R(F);
  if (Number == 0 || !R.startRewrite("merge-regions"))
    return preserved(false);
  R.keepResultAnnotations();
  removeInnerAnnotations(R, Regions, Merger);
  NumMerged += Number;
  if (failed(updateDynamicTypes(F)))
    return failure();
  return preserved(true);
}

std::unique_ptr<Pass> relay::createMergeCompilerRegionsPass() {
  return std::make_unique<MergeCompilerRegions>();
}
