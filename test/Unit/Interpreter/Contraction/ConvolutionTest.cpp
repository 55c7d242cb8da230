//===- ConvolutionTest.cpp - Convolutions of tensors ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions with sizes near those of panels are bit-identical to sums over
// the channels and the positions of the kernel in order, including padding.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

/// nn.conv2d of NCHW and OIHW, one image.
struct Conv2DCase {
  int64_t Channels, Height, Width;
  int64_t OutChannels, KernelHeight, KernelWidth;
  int64_t Stride = 1, Padding = 0, Dilation = 1, Groups = 1;

  int64_t getOut(int64_t In, int64_t Kernel) const {
    return (In + 2 * Padding - (Kernel - 1) * Dilation - 1) / Stride + 1;
  }
  int64_t getOutHeight() const { return getOut(Height, KernelHeight); }
  int64_t getOutWidth() const { return getOut(Width, KernelWidth); }
  int64_t getGroupIn() const { return Channels / Groups; }

  std::string getText() const {
    std::string Text =
        llvm::formatv("def @main(%x: Tensor[(1, {0}, {1}, {2}), float32], %w: "
                      "Tensor[({3}, {4}, {5}, {6}), float32]) {{\n",
                      Channels, Height, Width, OutChannels, getGroupIn(),
                      KernelHeight, KernelWidth);
    Text += llvm::formatv("  nn.conv2d(%x, %w, strides=[{0}, {0}], "
                          "padding=[{1}, {1}, {1}, {1}], dilation=[{2}, {2}], "
                          "groups={3}, channels={4}, kernel_size=[{5}, {6}])\n",
                          Stride, Padding, Dilation, Groups, OutChannels,
                          KernelHeight, KernelWidth);
    return Text + "}";
  }

  /// Returns element (\p O, \p Y, \p X) of the result.
  float getElement(ArrayRef<float> Data, ArrayRef<float> Weight, int64_t O,
                   int64_t Y, int64_t X) const {
    float Sum = 0;
    int64_t First = O / (OutChannels / Groups) * getGroupIn();
    for (int64_t C = 0; C != getGroupIn(); ++C)
      for (int64_t KY = 0; KY != KernelHeight; ++KY)
        for (int64_t KX = 0; KX != KernelWidth; ++KX) {
          int64_t Row = Y * Stride - Padding + KY * Dilation;
          int64_t Column = X * Stride - Padding + KX * Dilation;
          bool IsData =
              Row >= 0 && Row < Height && Column >= 0 && Column < Width;
          int64_t At = ((First + C) * Height + Row) * Width + Column;
          int64_t Place =
              ((O * getGroupIn() + C) * KernelHeight + KY) * KernelWidth + KX;
          Sum += Weight[Place] * (IsData ? Data[At] : 0.0f);
        }
    return Sum;
  }
};

class ConvolutionTest : public testing::Test {
protected:
  ConvolutionTest() { registerAllOps(Ctx); }

  static Tensor getTensor(ArrayRef<int64_t> Shape, uint32_t Seed) {
    Tensor T = Tensor::allocate(DType::getFloat(32), Shape);
    for (float &Value : T.getMutableElements<float>()) {
      Seed = Seed * 1664525 + 1013904223;
      Value = float(int32_t(Seed)) / float(1 << 28);
    }
    return T;
  }

  /// Returns the bits of \p C's result on \p NumThreads threads; \p W is the
  /// weight.
  std::vector<uint32_t> evaluate(const Conv2DCase &C, const Tensor &X,
                                 const Tensor &W, unsigned NumThreads) {
    std::string Text = C.getText();
    auto M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "t"), Ctx);
    Ctx.setNumThreads(NumThreads);
    if (!M || failed(inferTypes(*M)))
      return {};
    Evaluator E(*M);
    auto Result = E.evaluate(*M->lookupFunction("main"), {X, W});
    if (failed(Result))
      return {};
    return getBits(Result->getTensor().getElements<float>());
  }

  static std::vector<uint32_t> getBits(ArrayRef<float> Values) {
    std::vector<uint32_t> Bits;
    for (float Value : Values)
      Bits.push_back(llvm::bit_cast<uint32_t>(Value));
    return Bits;
  }

  void check(const Conv2DCase &C) {
    Tensor X = getTensor({1, C.Channels, C.Height, C.Width}, 1);
    Tensor W = getTensor(
        {C.OutChannels, C.getGroupIn(), C.KernelHeight, C.KernelWidth}, 2);
    std::vector<float> Expected;
    for (int64_t O = 0; O != C.OutChannels; ++O)
      for (int64_t Row = 0; Row != C.getOutHeight(); ++Row)
        for (int64_t Column = 0; Column != C.getOutWidth(); ++Column)
          Expected.push_back(C.getElement(
              X.getElements<float>(), W.getElements<float>(), O, Row, Column));
    EXPECT_EQ(evaluate(C, X, W, 1), getBits(Expected)) << C.getText();
    EXPECT_EQ(evaluate(C, X, W, 3), getBits(Expected)) << C.getText();
  }

  Context Ctx;
};

TEST_F(ConvolutionTest, WidthsAroundPanels) {
  for (int64_t Width : {1, 3, 7, 15, 16, 17, 35})
    for (int64_t Padding : {0, 1, 2})
      check({3, 5, Width + 2, 7, 3, 3, 1, Padding});
}

TEST_F(ConvolutionTest, StridesAndDilations) {
  for (int64_t Stride : {1, 2, 3})
    for (int64_t Dilation : {1, 2, 3})
      check({4, 19, 23, 8, 3, 2, Stride, 1, Dilation});
}

TEST_F(ConvolutionTest, KernelsOfOnePlaceAndOfAll) {
  check({40, 9, 9, 13, 1, 1});
  check({40, 9, 9, 13, 1, 1, 2});
  check({300, 4, 5, 7, 4, 5});
  check({2, 20, 21, 3, 20, 21});
}

TEST_F(ConvolutionTest, Groups) {
  check({8, 9, 17, 12, 3, 3, 1, 1, 1, 4});
  check({8, 9, 17, 24, 3, 3, 1, 1, 1, 8});
}

TEST_F(ConvolutionTest, OneChannelByOne) {
  for (int64_t Stride : {1, 2, 3})
    for (int64_t Padding : {0, 1, 4})
      check({5, 9, 17, 5, 3, 3, Stride, Padding, 1, 5});
  check({2, 9, 17, 2, 3, 3, 1, 2, 2, 2});
  check({2, 1, 1, 2, 5, 5, 1, 2, 1, 2});
}

TEST_F(ConvolutionTest, PaddingTimesInfinity) {
  // The bits of a NaN depend on the machine: only its position is compared.
  Conv2DCase C{1, 3, 4, 1, 3, 3, 1, 1};
  Tensor X = getTensor({1, 1, 3, 4}, 1), W = getTensor({1, 1, 3, 3}, 2);
  W.getMutableElements<float>()[0] = INFINITY;
  std::vector<uint32_t> Bits = evaluate(C, X, W, 1);
  ASSERT_EQ(Bits.size(), 12u);
  for (int64_t I = 0; I != 12; ++I)
    EXPECT_EQ(std::isnan(llvm::bit_cast<float>(Bits[I])), I < 4 || I % 4 == 0);
}

TEST_F(ConvolutionTest, LargerThanOneBlock) {
  check({30, 14, 14, 100, 3, 3, 1, 1});
}

} // namespace
