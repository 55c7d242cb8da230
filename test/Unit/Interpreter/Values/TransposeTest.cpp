//===- TransposeTest.cpp - Copies with permuted axes ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Permutations of long and short axes: long axes are copied in squares.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Values/Strides.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class TransposeTest : public testing::Test {
protected:
  TransposeTest() {
    registerAllOps(Ctx);
    Ctx.setNumThreads(2);
  }

  /// Returns the transpose of \p X by \p Axes.
  std::vector<float> evaluate(const Tensor &X, ArrayRef<int64_t> Axes) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    OS << "def @main(%x: Tensor[" << toString(X.getShape())
       << ", float32]) { transpose(%x, axes=[";
    llvm::interleaveComma(Axes, OS);
    OS << "]) }";
    auto M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "t"), Ctx);
    if (!M || failed(inferTypes(*M)))
      return {};
    Evaluator E(*M);
    auto Result = E.evaluate(*M->lookupFunction("main"), {X});
    if (failed(Result))
      return {};
    return Result->getTensor().getElements<float>().vec();
  }

  /// Each element is its own index in the data.
  void check(ArrayRef<int64_t> Shape, ArrayRef<int64_t> Axes) {
    Tensor X = Tensor::allocate(DType::getFloat(32), Shape);
    for (auto [I, Value] : llvm::enumerate(X.getMutableElements<float>()))
      Value = float(I);
    Strides Own = getStrides(Shape), Steps;
    SmallVector<int64_t, 4> Out;
    for (int64_t Axis : Axes) {
      Steps.push_back(Own[Axis]);
      Out.push_back(Shape[Axis]);
    }
    std::vector<float> Expected;
    for (int64_t I = 0; I != X.getNumElements(); ++I) {
      int64_t Rest = I, Offset = 0;
      for (size_t Axis = Out.size(); Axis-- != 0;) {
        Offset += Rest % Out[Axis] * Steps[Axis];
        Rest /= Out[Axis];
      }
      Expected.push_back(float(Offset));
    }
    EXPECT_EQ(evaluate(X, Axes), Expected) << toString(Shape);
  }

  Context Ctx;
};

TEST_F(TransposeTest, ChannelsFirstAndLast) {
  for (int64_t Channels : {1, 3, 15, 16, 17, 40}) {
    check({2, 5, 7, Channels}, {0, 3, 1, 2});
    check({2, Channels, 5, 20}, {0, 2, 3, 1});
  }
}

TEST_F(TransposeTest, WeightsAndMatrices) {
  check({3, 3, 18, 33}, {3, 2, 0, 1});
  check({1, 1, 18, 33}, {3, 2, 0, 1});
  check({100, 130}, {1, 0});
  check({300, 2, 400}, {2, 1, 0});
}

TEST_F(TransposeTest, NoElements) {
  check({0, 20, 30}, {0, 2, 1});
  check({20, 0, 30}, {2, 1, 0});
}

} // namespace
