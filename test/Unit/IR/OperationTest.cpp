//===- OperationTest.cpp - Operations, uses and the arena -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operation and Block: use-lists, memory, regions, binding.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include <cstring>
#include <set>

using namespace relay;
using namespace relay::test;

namespace {

class OperationTest : public IRTest {};

TEST_F(OperationTest, UseListsFollowOperands) {
  Function *F = createFunction();
  Block &B = F->getBody();
  Value *X = param(F, "x"), *Y = param(F, "y");
  Operation *Add = add(B, X, X);
  EXPECT_EQ(X->getNumUses(), 2u);
  EXPECT_FALSE(X->hasOneUse());
  Add->setOperandRaw(1, Y);
  EXPECT_TRUE(X->hasOneUse());
  EXPECT_TRUE(Y->hasOneUse());
  EXPECT_EQ(Y->use_begin()->getUserOp(), Add);
  EXPECT_EQ(Y->use_begin()->getOperandNo(), 1u);
  EXPECT_EQ(Y->use_begin()->getUserBlock(), nullptr);
  B.setResultRaw(Y);
  EXPECT_EQ(Y->getNumUses(), 2u);
  EXPECT_EQ(Y->use_begin()->getUserBlock(), &B);
  EXPECT_EQ(Y->use_begin()->getUserOp(), nullptr);
  X->replaceAllUsesWith(Y);
  EXPECT_TRUE(X->use_empty());
  EXPECT_EQ(Y->getNumUses(), 3u);
  EXPECT_EQ(Y->countUses(), 3u);
  B.setResultRaw(nullptr);
  EXPECT_EQ(Y->getNumUses(), 2u);
}

TEST_F(OperationTest, EraseDropsUsesAndRegions) {
  Function *F = createFunction();
  Block &B = F->getBody();
  Value *X = param(F, "x");
  Operation *If = makeIf(B, X);
  for (Block &Region : If->getRegions())
    Region.setResultRaw(neg(Region, X));
  EXPECT_EQ(X->getNumUses(), 3u);
  If->erase();
  EXPECT_TRUE(X->use_empty());
  EXPECT_TRUE(B.empty());
}

TEST_F(OperationTest, MemoryIsRecycledBySize) {
  Function *F = createFunction();
  Block &B = F->getBody();
  Value *X = param(F, "x");
  Operation *First = neg(B, X);
  First->erase();
  EXPECT_EQ(neg(B, X), First);
  for (int I = 0; I != 100; ++I)
    makeIf(B, X)->erase();
  size_t Before = F->getArena().getTotalMemory();
  for (int I = 0; I != 10000; ++I) {
    Operation *If = makeIf(B, X);
    If->getRegion(0).setResultRaw(neg(If->getRegion(0), X));
    let(add(B, X, X), "a")->erase();
    If->erase();
  }
  EXPECT_LE(F->getArena().getTotalMemory(), Before + 4096);
}

TEST_F(OperationTest, MemoryOfRegionsIsRecycled) {
  Function *F = createFunction();
  Block &B = F->getBody();
  Value *X = param(F, "x");
  auto CreateAndErase = [&] {
    Operation *If = makeIf(B, X);
    for (Block &Region : If->getRegions())
      Region.setResultRaw(neg(Region, X));
    If->erase();
  };
  CreateAndErase();
  size_t Before = F->getArena().getTotalMemory();
  for (int I = 0; I != 10000; ++I)
    CreateAndErase();
  EXPECT_LE(F->getArena().getTotalMemory(), Before + 4096);
}

TEST_F(OperationTest, RegionsAreAddedInLinearMemory) {
  Function *F = createFunction();
  Block &B = F->getBody();
  Operation *Match = make(B, "relay.match", param(F, "x"), nullptr, 0);
  constexpr unsigned N = 10000;
  SmallVector<Block *, 0> Regions;
  for (unsigned I = 0; I != N; ++I)
    Regions.push_back(&Match->addRegion());
  EXPECT_TRUE(
      llvm::equal(Regions, llvm::make_pointer_range(Match->getRegions())));
  size_t Filled = F->getArena().getTotalMemory();
  EXPECT_LE(Filled, N * (sizeof(Block) + 8 * sizeof(Block *)));
  Match->erase();
  make(B, "relay.match", param(F, "y"), nullptr, N)->erase();
  EXPECT_LE(F->getArena().getTotalMemory(), Filled + 4096);
}

TEST_F(OperationTest, ArenaGivesLargeBlocksToo) {
  IRArena Arena(Ctx);
  std::memset(Arena.allocate(10), 1, 10);
  std::memset(Arena.allocate(size_t(5) << 20), 2, size_t(5) << 20);
  void *Small = Arena.allocate(24);
  Arena.recycle(Small, 24);
  EXPECT_EQ(Arena.allocate(24), Small);
  EXPECT_NE(Arena.allocate(24), Small);
  int Numbers[] = {1, 2, 3};
  EXPECT_EQ(Arena.copy(ArrayRef<int>(Numbers)), ArrayRef<int>(Numbers));
}

TEST_F(OperationTest, SlabsAreOfTheSizeAskedFor) {
  EXPECT_EQ(Ctx.takeSlab(1, 0).second, 4096u);
  EXPECT_EQ(Ctx.takeSlab(4097, 0).second, 8192u);
  EXPECT_EQ(Ctx.takeSlab(1, 40000).second, 32768u);
  EXPECT_EQ(Ctx.takeSlab(1, size_t(1) << 30).second, size_t(2) << 20);
  auto [Large, Size] = Ctx.takeSlab((size_t(2) << 20) + 1, 0);
  EXPECT_EQ(Size, size_t(4) << 20);
  std::memset(Large, 1, Size);
  Ctx.giveBackSlab(Large, Size);
}

TEST_F(OperationTest, SlabsGivenBackAreTakenAgain) {
  std::vector<std::pair<void *, size_t>> Slabs;
  for (size_t Wanted = 4096; Wanted <= (size_t(2) << 20); Wanted *= 2)
    for (int I = 0; I != 3; ++I) {
      Slabs.push_back(Ctx.takeSlab(1, Wanted));
      std::memset(Slabs.back().first, I, Slabs.back().second);
    }
  std::set<void *> Known;
  for (auto [Slab, Size] : Slabs) {
    EXPECT_TRUE(Known.insert(Slab).second);
    Ctx.giveBackSlab(Slab, Size);
  }
  for (auto [Slab, Size] : llvm::reverse(Slabs))
    EXPECT_EQ(Ctx.takeSlab(1, Size).first, Slab);
}

TEST_F(OperationTest, BudgetOfABinaryOperation) {
  EXPECT_LE(sizeof(Operation) + 2 * sizeof(Use), 160u);
}

TEST_F(OperationTest, BindingIsApartFromTheOperation) {
  Function *F = createFunction();
  Operation *Op = neg(F->getBody(), param(F, "x"));
  EXPECT_TRUE(Op->isFloating());
  EXPECT_EQ(Op->getVarName(), "");
  EXPECT_EQ(Op->getVarAnnotation(), nullptr);
  Op->bind(Ctx.intern("a"), Vector, Ctx.getString("device"));
  EXPECT_TRUE(Op->isBound());
  EXPECT_EQ(Op->getVarName(), "a");
  EXPECT_EQ(Op->getVarAnnotation(), Vector);
  EXPECT_EQ(Op->getVarVirtualDevice(), Ctx.getString("device"));
  Op->unbind();
  EXPECT_TRUE(Op->isFloating());
}

TEST_F(OperationTest, BlocksKnowTheirPlace) {
  Function *F = createFunction();
  Block &B = F->getBody();
  Value *X = param(F, "x");
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  BlockArgument *Y = Body.addArgument(Ctx.intern("y"), nullptr);
  BlockArgument *Z = Body.addArgument(Ctx.intern("z"), Vector);
  EXPECT_EQ(Body.getParentOp(), Closure);
  EXPECT_EQ(Body.getParentBlock(), &B);
  EXPECT_EQ(B.getParentBlock(), nullptr);
  EXPECT_EQ(Body.getFunction(), F);
  EXPECT_EQ(Y->getType(), nullptr);
  EXPECT_EQ(Z->getArgNo(), 1u);
  Body.eraseArgument(0);
  EXPECT_EQ(Z->getArgNo(), 0u);
  EXPECT_EQ(Body.getArgument(0), Z);
  EXPECT_EQ(X->getFunction(), F);
  Operation *Op = neg(Body, Z);
  EXPECT_EQ(Op->getParentOp(), Closure);
  Body.remove(Op);
  EXPECT_EQ(Op->getBlock(), nullptr);
  B.push_back(Op);
  EXPECT_EQ(Op->getParentOp(), nullptr);
}

TEST_F(OperationTest, FunctionTypesAndAttributes) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  EXPECT_EQ(F->getType(), nullptr);
  F->getBody().setResultRaw(X);
  EXPECT_EQ(F->getType(), Ctx.getFuncType({}, {Vector}, Vector));
  EXPECT_FALSE(F->isSkippedByOptimization());
  F->getSignature().Attributes =
      Ctx.getDictAttrs({{Ctx.getString("Extern"), Ctx.getInt(0)}});
  EXPECT_FALSE(F->isSkippedByOptimization());
  F->getSignature().Attributes =
      Ctx.getDictAttrs({{Ctx.getString("Compiler"), Ctx.getString("a")}});
  EXPECT_TRUE(F->isSkippedByOptimization());
  EXPECT_EQ(F->getAttr("Compiler"), Ctx.getString("a"));
}

/// The least free number, including numbers that became free again. A search
/// from 1 for each name would take 1.25 billion steps here.
TEST_F(OperationTest, UniqueNames) {
  createFunction("f");
  for (unsigned I = 1; I != 50000; ++I)
    ASSERT_EQ(createFunction(M.getUniqueName("f"))->getName(),
              "f" + std::to_string(I));
}

TEST_F(OperationTest, UniqueNamesThatAreFreeAgain) {
  for (StringRef Name : {"f", "f1", "f2", "f3", "f12", "f11", "f13"})
    createFunction(Name);
  EXPECT_EQ(M.getUniqueName("f"), "f4");
  EXPECT_EQ(M.getUniqueName("f"), "f4"); // not yet used
  EXPECT_EQ(M.getUniqueName("f1"), "f14");
  M.eraseFunction(M.lookupFunction("f2"));
  EXPECT_EQ(M.getUniqueName("f"), "f2");
  M.renameFunction(M.lookupFunction("f12"), "g");
  EXPECT_EQ(M.getUniqueName("f1"), "f12");
  M.eraseFunctions({M.lookupFunction("f1"), M.lookupFunction("f11")});
  EXPECT_EQ(M.getUniqueName("f"), "f1");
  EXPECT_EQ(M.getUniqueName("f1"), "f1");
}

TEST_F(OperationTest, ModuleSymbols) {
  Function *F = createFunction("f");
  EXPECT_EQ(M.lookupFunction("f"), F);
  EXPECT_EQ(M.getUniqueName("g"), "g");
  EXPECT_EQ(M.getUniqueName("f"), "f1");
  M.renameFunction(F, "h");
  EXPECT_EQ(M.lookupFunction("f"), nullptr);
  EXPECT_EQ(M.lookupFunction("h"), F);
  std::unique_ptr<Function> Taken = M.takeFunction(F);
  EXPECT_EQ(M.getNumFunctions(), 0u);
  EXPECT_EQ(Taken->getModule(), nullptr);
  M.addFunction(std::move(Taken));
  EXPECT_EQ(F->getModule(), &M);
  M.eraseFunction(F);
  EXPECT_EQ(M.lookupFunction("h"), nullptr);
}

} // namespace
