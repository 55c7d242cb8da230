//===- RandomInputsTest.cpp - Random arguments of functions ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of each kind of type.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/RandomInputs.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

TEST(RandomInputsTest, KindsOfTypes) {
  Context Ctx;
  registerAllOps(Ctx);
  std::unique_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBufferCopy(R"(
type Box[A] {
  MkBox(A),
}
def @main(%x: Tensor[(2, 3), float32], %p: (int32, bool), %b: Box[int8],
          %f: fn (int32) -> int32) {
  %x
}
def @reference(%r: ref(int32)) {
  1
})",
                                                       "test"),
                  Ctx);
  ASSERT_TRUE(M);
  ASSERT_TRUE(succeeded(inferTypes(*M)));
  MemoryMeterRef Meter(new MemoryMeter(1 << 20));
  RandomInputs Inputs(*M, InputKind::Signed, /*Seed=*/1, Meter.get());
  std::vector<RuntimeValue> Values =
      llvm::cantFail(Inputs.make(*M->lookupFunction("main")));
  ASSERT_EQ(Values.size(), 4u);
  ASSERT_TRUE(Values[0].isTensor());
  EXPECT_EQ(Values[0].getTensor().getNumElements(), 6);
  ASSERT_TRUE(Values[1].isTuple());
  EXPECT_EQ(Values[1].getFields().size(), 2u);
  ASSERT_TRUE(Values[2].is(RuntimeValue::Kind::Data));
  EXPECT_EQ(Values[2].getConstructor().Name, "MkBox");
  EXPECT_TRUE(Values[3].is(RuntimeValue::Kind::Operator));
  auto None = Inputs.make(*M->lookupFunction("reference"));
  ASSERT_FALSE(None);
  EXPECT_EQ(llvm::toString(None.takeError()),
            "%r: cannot make a value of type ref(int32)");
}

/// Returns the arguments of kind \p K as text, a line for each: floats,
/// integers, floats, variances, weights, zero points.
static std::string makeNumbers(InputKind K) {
  Context Ctx;
  registerAllOps(Ctx);
  std::unique_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBufferCopy(R"(
def @main(%x: Tensor[(6), float32], %n: Tensor[(6), int32],
          %g: Tensor[(2), float32], %v: Tensor[(2), float32],
          %w: Tensor[(2, 2), float32], %z: Tensor[(2), int32]) {
  %0 = nn.dense(reshape(%x, newshape=[3, 2]), %w, units=2);
  %1 = nn.batch_norm(%0, %g, %g, %g, %v);
  (%n, %1.0, qnn.quantize(%0, %g, %z, out_dtype="int8"))
})",
                                                       "test"),
                  Ctx);
  if (!M || failed(inferTypes(*M)))
    return "no module";
  MemoryMeterRef Meter(new MemoryMeter(1 << 20));
  RandomInputs Inputs(*M, K, /*Seed=*/3, Meter.get());
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const RuntimeValue &V :
       llvm::cantFail(Inputs.make(*M->lookupFunction("main")))) {
    const Tensor &T = V.getTensor();
    for (int64_t I = 0; I != T.getNumElements(); ++I)
      OS << (I ? " " : "") << llvm::format("%.4g", T.getDouble(I));
    OS << '\n';
  }
  return Text;
}

TEST(RandomInputsTest, Numbers) {
  EXPECT_EQ(makeNumbers(InputKind::Signed),
            "0.2789 0.08024 -1.595 1.85 -0.9565 -0.8405\n"
            "1 -1 -3 -4 -3 1\n"
            "0.4859 0.8515\n"
            "1.466 1.332\n"
            "-0.5558 0.4835 0.6333 -0.5338\n"
            "-3 2\n");
  EXPECT_EQ(makeNumbers(InputKind::Wide),
            "-0.0532 -0.5129 10.77 -1.297 -0.08562 -17.93\n"
            "1 93 -5.053e+04 1.99e+08 9 31\n"
            "845 -1.796\n"
            "1.466 1.332\n"
            "-0.5558 0.4835 0.6333 -0.5338\n"
            "3 3\n");
}

} // namespace
