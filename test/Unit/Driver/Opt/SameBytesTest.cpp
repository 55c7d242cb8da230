//===- SameBytesTest.cpp - relay-opt equals a Session ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline produces the same bytes on the command line and in a program.
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Opt/RelayOptMain.h"
#include "relay/Session/Session.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace relay;

namespace {

/// Operators of several kinds, folded constants, one of which is larger than
/// half of -max-memory, an effect, and metadata.
constexpr StringLiteral Text = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 8, 6, 6), float32], %w: Tensor[(4, 8, 3, 3), float32], %r: ref(float32)) {
  let %old = ref_read(%r);
  let %u = ref_write(%r, add(%old, 1f));
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = nn.batch_norm(%0, ones(shape=[4], dtype="float32"), zeros(shape=[4], dtype="float32"), full(0.1f, shape=[4], dtype="float32"), full(3f, shape=[4], dtype="float32"));
  %2 = nn.relu(%1.0);
  %3 = add(%2, multiply(full(2f, shape=[4, 1, 1], dtype="float32"), 0.7f));
  %4 = sum(full(1f, shape=[1024, 1024, 600], dtype="float32"));
  (@scaled(%3), %4, %old, ref_read(%r))
}
def @scaled(%y: Tensor[(1, 4, 6, 6), float32]) -> Tensor[(1, 4, 6, 6), float32] {
  divide(add(%y, arange(0f, 6f, 1f, start=0f, stop=6f, step=1f, dtype="float32")), 3f)
}
)";

/// A file that is removed by the destructor.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef Contents) : Remover(getPath()) {
    std::error_code Problem;
    llvm::raw_fd_ostream OS(Path, Problem);
    EXPECT_FALSE(Problem);
    OS << Contents;
  }
  const std::string &getName() const { return Path; }
  std::string read() const {
    auto Buffer = llvm::MemoryBuffer::getFile(Path);
    return Buffer ? (*Buffer)->getBuffer().str() : "";
  }

private:
  StringRef getPath() {
    llvm::SmallString<64> Made;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("same-bytes", "relay", Made));
    Path = std::string(Made);
    return Path;
  }

  std::string Path;
  llvm::FileRemover Remover;
};

/// Returns the output of relay-opt, in a separate process.
std::string runTool(StringRef Passes) {
  TemporaryFile Input(Text), Output("");
  std::vector<std::string> Arguments = {"relay-opt", Input.getName(),
                                        "-passes=" + Passes.str(), "-o",
                                        Output.getName()};
  std::vector<char *> Argv;
  for (std::string &Argument : Arguments)
    Argv.push_back(Argument.data());
  EXPECT_EXIT(_exit(relayOptMain(Argv.size(), Argv.data())),
              testing::ExitedWithCode(0), "");
  return Output.read();
}

/// Returns the output of a program.
std::string runSession(StringRef Passes) {
  std::string Messages, Result;
  llvm::raw_string_ostream MessageStream(Messages), OS(Result);
  Session S("program", MessageStream, MessageStream);
  OwnedModule M = S.read(llvm::MemoryBuffer::getMemBuffer(Text, "m.relay"));
  FailureOr<ModulePassManager> Pipeline = S.parsePipeline(Passes);
  EXPECT_TRUE(M && succeeded(Pipeline) && succeeded(S.run(*M, *Pipeline)) &&
              succeeded(S.print(*M, OS)))
      << Messages;
  return Result;
}

class SameBytesTest : public testing::TestWithParam<const char *> {};

TEST_P(SameBytesTest, ToolAndSession) {
  std::string Expected = runSession(GetParam());
  EXPECT_TRUE(StringRef(Expected).contains("def @main(")) << Expected;
  EXPECT_EQ(runTool(GetParam()), Expected);
}

INSTANTIATE_TEST_SUITE_P(
    Pipelines, SameBytesTest,
    testing::Values("infer-type", "fold-constant",
                    "simplify-inference,fold-constant,fuse-ops",
                    "convert-layout<desired-layouts=nn.conv2d:NHWC:default>,"
                    "fold-constant",
                    "to-a-normal-form,inline,dead-code-elimination",
                    "default<O3>"));

} // namespace
