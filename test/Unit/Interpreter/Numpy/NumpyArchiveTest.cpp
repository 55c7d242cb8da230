//===- NumpyArchiveTest.cpp - Several tensors in one file ---------------- ===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Archives that are written and read back.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Numpy/NumpyArchive.h"
#include "relay/Interpreter/Compare/TensorDifference.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

std::vector<NamedTensor> readBack(ArrayRef<NamedTensor> Tensors,
                                  function_ref<bool(StringRef)> IsWanted) {
  std::string File;
  llvm::raw_string_ostream OS(File);
  llvm::cantFail(writeNumpyArchive(OS, Tensors));
  EXPECT_TRUE(isNumpyArchive(File));
  std::shared_ptr<const llvm::MemoryBuffer> Buffer =
      llvm::MemoryBuffer::getMemBufferCopy(File);
  return llvm::cantFail(readNumpyArchive(Buffer, IsWanted));
}

TEST(NumpyArchiveTest, RoundTrip) {
  Tensor Matrix = Tensor::allocate(DType::getFloat(32), {2, 3});
  for (auto [I, X] : llvm::enumerate(Matrix.getMutableElements<float>()))
    X = float(I) / 4;
  std::vector<NamedTensor> Written = {
      {"x", Matrix}, {"n", Tensor::getScalar<int64_t>(DType::getInt(64), -5)}};
  std::vector<NamedTensor> Read =
      readBack(Written, [](StringRef) { return true; });
  ASSERT_EQ(Read.size(), Written.size());
  for (auto [Old, New] : llvm::zip(Written, Read)) {
    EXPECT_EQ(Old.Name, New.Name);
    EXPECT_TRUE(compareTensors(Old.Value, New.Value).agrees()) << Old.Name;
  }
}

TEST(NumpyArchiveTest, ReadsWhatIsWanted) {
  Tensor One = Tensor::getScalar<int64_t>(DType::getInt(64), 1);
  std::vector<NamedTensor> Read = readBack(
      {{"a", One}, {"b", One}}, [](StringRef Name) { return Name == "b"; });
  ASSERT_EQ(Read.size(), 1u);
  EXPECT_EQ(Read[0].Name, "b");
}

} // namespace
