//===- TypeInferenceTest.cpp - The cost of type inference -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of steps of inference is linear in the number of functions, for
// any structure of calls. Repeated inference does not make the Context grow.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Analysis/TypingContext.h"
#include "AnalysisTest.h"

using namespace relay;
using namespace relay::test;

namespace {

class TypeInferenceTest : public AnalysisTest {
protected:
  using BodyFn = function_ref<std::string(unsigned I, unsigned Next)>;

  /// Returns functions `@f0`, `@f1`, … of which each names the next, and the
  /// last names the first. Their types are not written.
  static std::string makeCircle(unsigned Size, BodyFn Body) {
    std::string Text;
    for (unsigned I = 0; I != Size; ++I)
      Text += "def @f" + std::to_string(I) + "(%c: bool, %x: float32) { " +
              Body(I, (I + 1) % Size) + " }\n";
    return Text;
  }

  uint64_t countSteps(StringRef Text) {
    read(Text);
    TypingContext TC(*M);
    EXPECT_TRUE(succeeded(inferTypes(TC)));
    return TC.getNumSteps();
  }

  /// Sixteen times as many functions take sixteen times as many steps. If each
  /// cost a step for every other, they would take 256 times as many.
  void expectLinear(const char *What,
                    function_ref<std::string(unsigned)> Make) {
    uint64_t Few = countSteps(Make(250)), Many = countSteps(Make(4000));
    EXPECT_GE(Few, 250u) << What;
    EXPECT_GE(Many, 15 * Few) << What;
    EXPECT_LE(Many, 17 * Few) << What;
  }
};

TEST_F(TypeInferenceTest, CirclesAreLinear) {
  auto Call = [](unsigned I) { return "@f" + std::to_string(I) + "(%c, %x)"; };
  expectLinear("circle", [&](unsigned Size) {
    return makeCircle(Size, [&](unsigned, unsigned Next) {
      return "if (%c) { " + Call(Next) + " } else { tanh(%x) }";
    });
  });
  // The relations of all functions wait for the type that they share.
  expectLinear("waiting relations", [&](unsigned Size) {
    return makeCircle(Size, [&](unsigned, unsigned Next) {
      if (!Next)
        return "if (%c) { " + Call(0) + " } else { (%x, %x) }";
      return "let %t = " + Call(Next) +
             "; let %u = %t.0; if (%c) { %t } else { " + Call(Next) + " }";
    });
  });
}

TEST_F(TypeInferenceTest, ChainsAndFansAreLinear) {
  expectLinear("chain", [](unsigned Size) {
    std::string Text;
    for (unsigned I = 0; I != Size; ++I)
      Text += "def @f" + std::to_string(I) + "(%x: float32) { @f" +
              std::to_string(I + 1) + "(%x) }\n";
    return Text + "def @f" + std::to_string(Size) + "(%x: float32) { %x }\n";
  });
  expectLinear("one callee", [](unsigned Size) {
    std::string Text = "def @g(%x: float32) { tanh(%x) }\n";
    for (unsigned I = 0; I != Size; ++I)
      Text += "def @f" + std::to_string(I) + "(%x: float32) { @g(%x) }\n";
    return Text;
  });
}

/// Repeated inference and copies leave the Context unchanged.
TEST_F(TypeInferenceTest, NothingIsLeftInTheContext) {
  read(R"(
type List[A] { Cons(A, List[A]), Nil, }
def @id[A](%x: A) -> A { let %f = fn [B](%y: B) -> B { %y }; %f(%x) }
def @even(%c, %x: Tensor[(?, 4), float32]) {
  if (%c) { @odd(%c, add(%x, 1f)) } else { (%x, @id(%x)) }
}
def @odd(%c, %x) { @even(%c, %x) }
def @main(%x: Tensor[(2, 4), float32], %l: List[float32]) {
  let %g = fn (%a, %b) { (add(%a, 1f), %b) };
  match (%l) {
    Cons(%h, _) => %g(%h, (%x, @even(True, %x))),
    Nil => %g(2f, (%x, @odd(False, %x))),
  }
}
)");
  auto TypeAgain = [&](unsigned I) {
    std::unique_ptr<Module> Copy = M->clone();
    InferenceOptions Options;
    Options.ForceSolver = I % 2;
    EXPECT_TRUE(succeeded(inferTypes(*Copy, Options)));
    for (Function &F : Copy->functions())
      EXPECT_TRUE(succeeded(retype(F)));
    EXPECT_TRUE(succeeded(inferTypes(*M, Options)));
  };
  for (unsigned I = 0; I != 4; ++I)
    TypeAgain(I);
  size_t Memory = Ctx.getUniquedMemory();
  for (unsigned I = 0; I != 10'000; ++I)
    TypeAgain(I);
  EXPECT_EQ(Ctx.getUniquedMemory(), Memory);
}

} // namespace
