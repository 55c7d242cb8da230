//===- FunctionHistoryTest.cpp - The changes of a function ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FunctionHistory: hunks with context, counts of operations, new and removed
// functions, and the limit of lines.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/FunctionHistory.h"
#include "../../Pass/TestPass.h"

using namespace relay;
using namespace relay::test;

namespace {

class FunctionHistoryTest : public PassTest {
protected:
  FunctionHistoryTest() : F(addFunction("f")) {}

  /// Makes the body a chain of \p N operations \p Name, except for the names
  /// and positions in \p Others.
  void build(size_t N, StringRef Name,
             std::map<size_t, std::string> Others = {}) {
    F.getBody().setResultRaw(nullptr);
    Builder B(F.getBody());
    Value *V = F.getParams()[0];
    for (size_t I = 0; I != N; ++I) {
      std::string Op = Others.count(I) ? Others[I] : Name.str();
      V = B.createOperation(*Ctx.lookupOp(Op), V);
    }
    F.getBody().setResultRaw(V);
    F.normalize();
  }
  /// Replaces the operations \p Old of the body by \p New.
  void replace(StringRef Old, StringRef New) {
    Rewriter R(F);
    SmallVector<Operation *> Found;
    for (Operation &Op : F.getBody())
      if (Op.getName() == Old)
        Found.push_back(&Op);
    for (Operation *Op : Found) {
      R.setInsertionPoint(Op);
      R.replaceOp(Op, R.createOperation(*Ctx.lookupOp(New), Op->getOperand(0)));
    }
    F.normalize();
  }
  /// Returns `@1/1 a b -c +d`: the positions of hunks, and the names in their
  /// lines.
  std::string show(const FunctionDelta &Delta) {
    std::string Text;
    for (const DiffHunk &H : Delta.Hunks) {
      Text += "@" + std::to_string(H.FirstBefore) + "/" +
              std::to_string(H.FirstAfter);
      for (const DiffHunk::Line &L : H.Lines)
        Text += " " + (std::string(1, char(L.Where)) + getName(L.Number));
      Text += "\n";
    }
    return Text;
  }
  std::string getName(unsigned Line) {
    StringRef Text = Table.getLine(Line);
    return Text.split(" = ").second.split('(').first.str();
  }

  Function &F;
  LineTable Table;
  FunctionHistory History{"f", Table};
};

} // namespace

TEST_F(FunctionHistoryTest, FirstUpdateAddsIt) {
  build(2, "exp");
  FunctionDelta Delta = History.update(F);
  EXPECT_EQ(Delta.K, FunctionDelta::Kind::Added);
  EXPECT_EQ(Delta.Name, "f");
  EXPECT_EQ(Delta.LinesAdded, 4u); // signature, two operations, brace
  EXPECT_EQ(Delta.LinesRemoved, 0u);
  EXPECT_EQ(Delta.Operations, (OpCountChanges{{"exp", 2}}));
  EXPECT_TRUE(History.isThere());
}

TEST_F(FunctionHistoryTest, HunksHaveThreeLinesAround) {
  build(30, "exp", {{5, "tanh"}, {20, "tanh"}});
  History.update(F);
  replace("tanh", "sqrt");
  FunctionDelta Delta = History.update(F);
  EXPECT_EQ(Delta.K, FunctionDelta::Kind::Changed);
  // A new node has a new name, which changes its user's line, too.
  EXPECT_EQ(show(Delta),
            "@4/4  exp  exp  exp -tanh -exp +sqrt +exp  exp  exp  exp\n"
            "@19/19  exp  exp  exp -tanh -exp +sqrt +exp  exp  exp  exp\n");
  EXPECT_EQ(Delta.LinesAdded, 4u);
  EXPECT_EQ(Delta.LinesRemoved, 4u);
  EXPECT_EQ(Delta.Operations, (OpCountChanges{{"sqrt", 2}, {"tanh", -2}}));
}

TEST_F(FunctionHistoryTest, NearDifferencesShareAHunk) {
  build(30, "exp", {{5, "tanh"}, {12, "tanh"}});
  History.update(F);
  replace("tanh", "sqrt");
  EXPECT_EQ(show(History.update(F)),
            "@4/4  exp  exp  exp -tanh -exp +sqrt +exp  exp  exp  exp  exp  "
            "exp -tanh -exp +sqrt +exp  exp  exp  exp\n");
}

TEST_F(FunctionHistoryTest, NothingChanged) {
  build(3, "exp");
  History.update(F);
  FunctionDelta Delta = History.update(F);
  EXPECT_TRUE(Delta.Hunks.empty());
  EXPECT_TRUE(Delta.Operations.empty());
}

TEST_F(FunctionHistoryTest, Removed) {
  build(2, "exp");
  History.update(F);
  FunctionDelta Delta = History.remove();
  EXPECT_EQ(Delta.K, FunctionDelta::Kind::Removed);
  EXPECT_EQ(Delta.LinesRemoved, 4u);
  EXPECT_EQ(Delta.Operations, (OpCountChanges{{"exp", -2}}));
  EXPECT_FALSE(History.isThere());
  EXPECT_EQ(History.getNumOperations(), 0u);
}

TEST_F(FunctionHistoryTest, LimitOfLines) {
  constexpr size_t N = FunctionDelta::MaxLines;
  build(N, "exp");
  History.update(F);
  replace("exp", "tanh");
  FunctionDelta Delta = History.update(F);
  EXPECT_EQ(Delta.LinesRemoved, N);
  EXPECT_EQ(Delta.LinesAdded, N);
  size_t Kept = 0;
  for (const DiffHunk &H : Delta.Hunks)
    Kept += H.Lines.size();
  EXPECT_EQ(Kept, FunctionDelta::MaxLines);
}
