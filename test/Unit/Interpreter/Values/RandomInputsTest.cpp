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

} // namespace
