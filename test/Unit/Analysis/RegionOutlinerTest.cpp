//===- RegionOutlinerTest.cpp - Outlines operations to functions ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups that become closures and global functions, and the values that they
// use. The tests of FuseOps and LambdaLift cover their additional needs.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/RegionOutliner.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Verifier.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class RegionOutlinerTest : public testing::Test {
protected:
  RegionOutlinerTest() { registerAllOps(Ctx); }

  /// Reads \p Text, which has no header, and announces a rewrite of @main.
  void read(StringRef Text) {
    std::string Whole = ("#[version = \"0.0.5\"]\n" + Text).str();
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Whole, "test"), Ctx);
    ASSERT_TRUE(M && succeeded(inferTypes(*M)));
    R.emplace(*M->lookupFunction("main"));
    ASSERT_TRUE(R->startRewrite("outline"));
  }

  /// Returns the operations of @main with these names, which must be unique.
  SmallVector<Operation *> find(ArrayRef<StringRef> Names) {
    SmallVector<Operation *> Found(Names.size());
    walk(*M->lookupFunction("main"), [&](Operation *Op) {
      const StringRef *Name = llvm::find(Names, Op->getName());
      if (Name != Names.end())
        Found[Name - Names.begin()] = Op;
    });
    return Found;
  }

  const Attrs *composite(StringRef Name) {
    return Ctx.getDictAttrs(
        {{Ctx.getString(FunctionAttrs::Composite), Ctx.getString(Name)}});
  }

  /// Returns the text of the verified module, without header and types.
  std::string text() {
    M->normalize();
    EXPECT_TRUE(succeeded(verify(*M)));
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    PrintOptions Options;
    Options.Types = false;
    printModule(*M, OS, Options);
    return Text.substr(Text.find('\n'));
  }

  Context Ctx;
  std::unique_ptr<Module> M;
  std::optional<Rewriter> R;
};

TEST_F(RegionOutlinerTest, Closure) {
  read(R"(
def @main(%x: float32, %y: float32) -> float32 {
  let %a = exp(%x);
  let %b = add(%a, %y);
  let %c = multiply(%b, %x);
  tanh(%c)
}
)");
  SmallVector<Operation *> Group = find({"add", "multiply"});
  CallValueOp Call = RegionOutliner(*R).outlineToClosure(Group, Group.back(),
                                                         composite("axpy"));
  EXPECT_EQ(Call->getVarName(), "c");
  EXPECT_EQ(text(), R"(
def @main(%x: float32, %y: float32) -> float32 {
  let %a = exp(%x);
  %0 = fn (%p0: float32, %p1: float32, %p2: float32, Composite="axpy") -> float32 {
    let %b = add(%p0, %p1);
    multiply(%b, %p2)
  };
  let %c = %0(%a, %y, %x);
  tanh(%c)
}
)");
}

TEST_F(RegionOutlinerTest, Function) {
  read(R"(
def @main[A](%x: A, %y: float32, %f: fn (A) -> float32) -> float32 {
  let %v = %f(%x);
  let %w = add(%v, 2f);
  multiply(%w, %y)
}
)");
  SmallVector<Operation *> Group = find({"relay.call", "add"});
  RegionOutliner Outliner(*R, {"in_", /*CopyConstants=*/true});
  Location LastLoc = Group.back()->getLoc();
  R->setLoc(Location());
  CallGlobalOp Call = Outliner.outlineToFunction(Group, Group.back(), "apply",
                                                 composite("f+2"));
  EXPECT_EQ(Call->getLoc(), LastLoc);
  EXPECT_EQ(M->lookupFunction("apply")->getLoc(), LastLoc);
  EXPECT_EQ(ArrayRef(Outliner.getInputs()), ArrayRef(Call->getOperandVector()));
  EXPECT_EQ(text(), R"(
def @main[A](%x: A, %y: float32, %f: fn (A) -> float32) -> float32 {
  let %w = @apply(%f, %x);
  multiply(%w, %y)
}

def @apply[A](%in_0: fn (A) -> float32, %in_1: A, Composite="f+2") -> float32 {
  let %v = %in_0(%in_1);
  add(%v, 2f)
}
)");
}

/// An outliner can be reused: each function has its own inputs and type
/// variables.
TEST_F(RegionOutlinerTest, OneAfterTheOther) {
  read(R"(
def @main[A, B](%x: A, %y: B, %f: fn (A) -> float32, %g: fn (B) -> float32) -> float32 {
  let %v = %f(%x);
  let %w = add(%v, 2f);
  let %s = %g(%y);
  let %t = multiply(%s, 3f);
  subtract(%w, %t)
}
)");
  SmallVector<Operation *> Roots = find({"add", "multiply"});
  RegionOutliner Outliner(*R, {"p", /*CopyConstants=*/true});
  StringRef Names[] = {"one", "two"};
  for (auto [Root, Name] : llvm::zip(Roots, Names))
    Outliner.outlineToFunction({Root->getOperand(0)->getDefiningOp(), Root},
                               Root, Name);
  EXPECT_EQ(text(), R"(
def @main[A, B](%x: A, %y: B, %f: fn (A) -> float32, %g: fn (B) -> float32) -> float32 {
  let %w = @one(%f, %x);
  let %t = @two(%g, %y);
  subtract(%w, %t)
}

def @one[A](%p0: fn (A) -> float32, %p1: A) -> float32 {
  let %v = %p0(%p1);
  add(%v, 2f)
}

def @two[B](%p01: fn (B) -> float32, %p11: B) -> float32 {
  let %s = %p01(%p11);
  multiply(%s, 3f)
}
)");
}

TEST_F(RegionOutlinerTest, ConstantsAsInputs) {
  read(R"(
def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(6), float32] {
  %0 = reshape(%x, newshape=[6]);
  add(%0, 2f)
}
)");
  SmallVector<Operation *> Group = find({"reshape", "add"});
  RegionOutliner(*R).outlineToFunction(Group, Group.back(), "flat");
  EXPECT_EQ(text(), R"(
def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(6), float32] {
  @flat(%x, 2f)
}

def @flat(%p0: Tensor[(2, 3), float32], %p1: float32) -> Tensor[(6), float32] {
  %0 = reshape(%p0, newshape=[6]);
  add(%0, %p1)
}
)");
}

/// The type of `arange` depends on its operands, which are in its attributes.
TEST_F(RegionOutlinerTest, MirroredConstants) {
  StringRef Text = R"(
def @main(%x: Tensor[(5), float32]) -> Tensor[(5), float32] {
  %0 = arange(0f, 5f, 1f, start=0f, stop=5f, step=1f, dtype="float32");
  add(%0, %x)
}
)";
  for (bool IsGlobal : {false, true}) {
    read(Text);
    SmallVector<Operation *> Group = find({"arange", "add"});
    RegionOutliner Outliner(*R);
    if (IsGlobal)
      Outliner.outlineToFunction(Group, Group.back(), "range");
    else
      Outliner.outlineToClosure(Group, Group.back());
    EXPECT_EQ(Outliner.getInputs().size(), 1u);
    EXPECT_EQ(Outliner.getInputs()[0],
              M->lookupFunction("main")->getParams()[0]);
    M->normalize();
    EXPECT_TRUE(succeeded(verify(*M)));
  }
}

TEST_F(RegionOutlinerTest, SeveralResults) {
  StringRef Text = R"(
def @main(%x: float32) -> float32 {
  %0 = exp(%x);
  %1 = negative(%0);
  %2 = tanh(%0);
  %3 = add(%1, %2);
  subtract(%3, %1)
}
)";
  read(Text);
  SmallVector<Operation *> Group = find({"exp", "negative", "tanh"});
  RegionOutliner(*R).outlineToClosure(Group, {Group[1], Group[2]});
  EXPECT_EQ(text(), R"(
def @main(%x: float32) -> float32 {
  %3 = fn (%p0: float32) -> (float32, float32) {
    %0 = exp(%p0);
    %1 = negative(%0);
    %2 = tanh(%0);
    (%1, %2)
  };
  %4 = %3(%x);
  %5 = %4.0;
  %6 = %4.1;
  %7 = add(%5, %6);
  subtract(%7, %5)
}
)");
  read(Text);
  Group = find({"exp", "negative", "tanh"});
  RegionOutliner(*R).outlineToFunction(Group, {Group[1], Group[2]}, "both");
  EXPECT_EQ(text(), R"(
def @main(%x: float32) -> float32 {
  %0 = @both(%x);
  %1 = %0.0;
  %2 = %0.1;
  %3 = add(%1, %2);
  subtract(%3, %1)
}

def @both(%p0: float32) -> (float32, float32) {
  %4 = exp(%p0);
  %5 = negative(%4);
  %6 = tanh(%4);
  (%5, %6)
}
)");
}

/// The values that regions of a member use are inputs, too.
TEST_F(RegionOutlinerTest, Regions) {
  StringRef Text = R"(
def @main(%c: bool, %x: float32, %y: float32) -> float32 {
  let %v = exp(%x);
  let %w = if (%c) {
    let %u = add(%v, %y);
    multiply(%u, %u)
  } else {
    %y
  };
  negative(%w)
}
)";
  read(Text);
  SmallVector<Operation *> Group = find({"relay.if", "negative"});
  RegionOutliner(*R).outlineToClosure(Group, Group.back());
  EXPECT_EQ(text(), R"(
def @main(%c: bool, %x: float32, %y: float32) -> float32 {
  let %v = exp(%x);
  %0 = fn (%p0: bool, %p1: float32, %p2: float32) -> float32 {
    let %w = if (%p0) {
      let %u = add(%p1, %p2);
      multiply(%u, %u)
    } else {
      %p2
    };
    negative(%w)
  };
  %0(%c, %v, %y)
}
)");
  read(Text);
  Group = find({"relay.if", "negative"});
  RegionOutliner(*R).outlineToFunction(Group, Group.back(), "choose");
  EXPECT_EQ(text(), R"(
def @main(%c: bool, %x: float32, %y: float32) -> float32 {
  let %v = exp(%x);
  @choose(%c, %v, %y)
}

def @choose(%p0: bool, %p1: float32, %p2: float32) -> float32 {
  let %w = if (%p0) {
    let %u = add(%p1, %p2);
    multiply(%u, %u)
  } else {
    %p2
  };
  negative(%w)
}
)");
}

} // namespace
