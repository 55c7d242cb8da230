//===- ParseInParallelTest.cpp - Text read on several threads -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module, its locations and the diagnostics are the same for any number of
// threads. The debug log tells whether the text was read in parts or, for the
// reasons below, in order.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Context.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {
class ParseInParallelTest : public testing::Test {
protected:
  /// Returns the observable results of reading \p Text: diagnostics, then the
  /// module with all locations, then the layers that the context knows.
  std::string read(StringRef Text, unsigned NumThreads) {
    Context Ctx;
    registerAllOps(Ctx);
    Ctx.setNumThreads(NumThreads);
    Ctx.setMinParallelWork(0);
    Log.clear();
    llvm::raw_string_ostream LogOS(Log);
    Ctx.getDebugLog().setStream(LogOS);
    Ctx.getDebugLog().setLevel("ParseInParallel", 3);
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
      Ctx.getDiagnostics().print(D, OS);
      return true;
    });
    std::unique_ptr<Module> M = parseModule(
        llvm::MemoryBuffer::getMemBufferCopy(Text, "test.relay"), Ctx, Options);
    if (!M)
      return Result;
    PrintOptions Printing;
    Printing.Spans = true;
    printModule(*M, OS, Printing);
    for (StringRef Layer : Ctx.getLocations().getAllLayers())
      OS << "layer " << Layer << '\n';
    return Result;
  }
  /// Reads \p Text on one, two and four threads, and returns the results. \p
  /// LogLine is the log on four threads.
  std::string expectSame(StringRef Text, StringRef LogLine) {
    std::string One = read(Text, 1);
    EXPECT_EQ(Log, "");
    EXPECT_EQ(read(Text, 2), One);
    EXPECT_EQ(read(Text, 4), One);
    EXPECT_EQ(Log,
              "ParseInParallel: the text is read in " + LogLine.str() + "\n");
    return One;
  }
  std::string expectParts(StringRef Text, unsigned NumParts) {
    return expectSame(Text, std::to_string(NumParts) + " parts");
  }
  std::string expectInOrder(StringRef Text) {
    return expectSame(Text, "order");
  }

  /// Returns `@f0` with \p Body, and two more functions.
  static std::string makeText(StringRef Body, StringRef Between = "\n",
                              StringRef Behind = "") {
    return ("def @f0(%x: int32) {\n" + Body + "\n}\n" + Between +
            "def @f1(%x: int32) {\n  %0 = abs(%x);\n  @f0(%0)\n}\n" + Between +
            "def @f2(%x: int32) {\n  @f1(%x)\n}\n" + Behind)
        .str();
  }

  ParserOptions Options;
  std::string Log;
};

constexpr StringLiteral Constant =
    R"({"root": 1, "nodes": [{"type_key": ""},
    {"type_key": "Map", "keys": ["relay.Constant", "tir.Var"], "data": [2, 4]},
    {"type_key": "Array", "data": [3]},
    {"type_key": "relay.Constant", "attrs": {"_checked_type_": "0", "data": "0", "span": "0", "virtual_device_": "0"}},
    {"type_key": "Array", "data": [5]},
    {"type_key": "tir.Var", "attrs": {"dtype": "int32", "name": "6", "span": "0", "type_annotation": "0"}},
    {"type_key": "runtime.String", "repr_str": "n"}],
  "b64ndarrays": ["P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA="],
  "attrs": {"tvm_version": "0.18.0"}
})";

TEST_F(ParseInParallelTest, ManyFunctions) {
  std::string Text = "#[version = \"0.0.5\"]\n";
  for (unsigned I = 0; I != 100; ++I) {
    std::string N = std::to_string(I);
    Text += "def @f" + N + "(%x" + N + ": int32) -> int32 {\n  %" + N +
            " = add(%x" + N + ", " + N + ");\n  let %y = @f" +
            std::to_string((I + 7) % 100) + "(%" + N +
            ");\n  negative(%y)\n}\n\n";
  }
  std::string Result = expectParts(Text, 25);
  EXPECT_NE(Result.find("def @f99("), std::string::npos);
}

TEST_F(ParseInParallelTest, Constructs) {
  expectParts("type List[A] {\n  Cons(A, List[A]),\n  Nil,\n}\n"
              "extern type Other\n\n"
              "def @f[A](%l: List[A]) -> List[A] {\n"
              "  match (%l) {\n    Cons(%h, %t) => Cons(%h, @f(%t)),\n"
              "    Nil => Nil,\n  }\n}\n\n"
              "def @g(%x: Tensor[(2), float32], %c: bool, Primitive=1) {\n"
              "  let %a.1 = fn (%n: int32) {\n    if (%c) {\n      %a.1(%n)\n"
              "    } else {\n      %n\n    }\n  };\n"
              "  %0 = (%a.1, @main_T.Any(), 1.5f, -2i64);\n  %0.0\n}\n"
              "def @main_T.Any()() {\n  %0 = reshape(1f, newshape=[1]);\n"
              "  split(%0, indices_or_sections=1).0\n}\n",
              3);
}

TEST_F(ParseInParallelTest, Spans) {
  std::string Result = expectParts(
      makeText(
          "  %0 = abs(%x) /* ty=int32 span=a/b:0:0 */;\n"
          "  let %y = (%0, %x) /* ty=(int32, int32) span=c:3:4 span=d:0:0 */;\n"
          "  %y.0 /* ty=int32 span=e:0:0 */"),
      3);
  EXPECT_NE(Result.find("span=a/b:0:0"), std::string::npos);
  EXPECT_NE(Result.find("layer d\nlayer e\n"), std::string::npos);
}

TEST_F(ParseInParallelTest, Metadata) {
  std::string Meta = ("\n#[metadata]\n" + Constant + "\n").str();
  expectParts(makeText("  %x", "\n", Meta), 3);
  // All functions have one variable and one constant.
  std::string Text;
  for (StringRef Name : {"f", "g", "h"})
    Text += ("def @" + Name + "(%y: Tensor[(meta[tir.Var][0]), int32]) {\n" +
             "  (%y, meta[relay.Constant][0], meta[relay.Constant][0])\n}\n\n")
                .str();
  std::string Result = expectParts(Text + Meta, 3);
  EXPECT_NE(Result.find("def @h(%y2: Tensor[(meta[tir.Var][0]), int32]"),
            std::string::npos);
  // A constant that is elided in a dump.
  Options.AllowUndefinedGlobals = true;
  expectParts("def @f() {\n"
              "  meta[relay.Constant][0] /* elided: Tensor[(2), int32] */\n}\n"
              "def @g() {\n  @h()\n}\n",
              2);
}

//===----------------------------------------------------------------------===//
// Diagnostics of the serial parser
//===----------------------------------------------------------------------===//

TEST_F(ParseInParallelTest, Errors) {
  EXPECT_EQ(expectInOrder(makeText("  %y")),
            "test.relay:2:3: error: undefined variable `%y`\n"
            "  %y\n  ^~\n");
  // In the order of the text, up to the limit.
  std::string Two = makeText("  %y", "def @g() {\n  1 +\n}\n");
  StringRef First = "test.relay:2:3: error: undefined variable `%y`";
  EXPECT_TRUE(StringRef(expectInOrder(Two)).starts_with(First));
  EXPECT_TRUE(StringRef(expectInOrder(Two)).contains("test.relay:6:1: "));
  Options.ErrorLimit = 1;
  EXPECT_TRUE(StringRef(expectInOrder(Two)).contains("too many errors"));
}

TEST_F(ParseInParallelTest, NamesOfOtherFunctions) {
  EXPECT_TRUE(StringRef(expectInOrder(makeText("  @f3(%x)")))
                  .contains("undefined function `@f3`; did you mean `@f0`?"));
  EXPECT_TRUE(
      StringRef(expectInOrder(makeText("  %x", "def @f0() {\n  1\n}\n")))
          .contains("function `@f0` is defined twice"));
  // A graph variable belongs to its function.
  EXPECT_TRUE(
      StringRef(expectInOrder(makeText("  %x", "def @g() {\n  %0\n}\n")))
          .contains("graph variable `%0` is not bound in this function"));
}

TEST_F(ParseInParallelTest, Types) {
  EXPECT_TRUE(StringRef(expectInOrder(makeText("  fn (%l: List) { %l }")))
                  .contains("undefined type `List`"));
  EXPECT_TRUE(
      StringRef(expectInOrder("type T {\n  A(List),\n}\n" + makeText("  %x")))
          .contains("undefined type `List`"));
  // A definition after a function, which a later function needs.
  expectInOrder("def @f() {\n  1\n}\ntype T {\n  nil,\n}\n"
                "def @g() {\n  nil\n}\ndef @h() {\n  1\n}\n");
  expectInOrder(makeText("  cast(%x, dtype=\"custom[b]8\")",
                         "def @g(%x: custom[a]8) {\n  %x\n}\n"));
}

TEST_F(ParseInParallelTest, UnknownOperators) {
  EXPECT_TRUE(StringRef(expectInOrder(makeText("  abss(%x)")))
                  .contains("did you mean `abs`?"));
  Options.AllowUnregisteredOps = true;
  expectInOrder(makeText("  new.op(%x)"));
}

TEST_F(ParseInParallelTest, OlderReleases) {
  EXPECT_TRUE(StringRef(expectInOrder("v0.0.4\n" + makeText("  %x")))
                  .contains("remark: text of TVM 0.6"));
  Options.QuietUpgrades = true;
  expectInOrder("v0.0.4\n" + makeText("  %x"));
  Options.QuietUpgrades = false;
  Options.Release = 7;
  EXPECT_TRUE(StringRef(expectInOrder(makeText("  %x + 1.5")))
                  .contains("remark: floats without suffix are float64"));
  expectInOrder(makeText("  contrib_reverse_reshape(%x, newshape=[1])"));
}

TEST_F(ParseInParallelTest, MissingData) {
  EXPECT_TRUE(StringRef(expectInOrder(makeText("  meta[relay.Constant][0]")))
                  .contains("needs a metadata section"));
  EXPECT_TRUE(StringRef(expectInOrder(makeText("  meta[relay.Constant][0]",
                                               "\n", "#[metadata]\n{]\n")))
                  .contains("error: "));
  Options.AllowUndefinedGlobals = true;
  expectInOrder(
      makeText("  fn (%v: Tensor[(meta[tir.Var][0]), int32]) { %v }"));
  unsigned NumLookups = 0;
  Options.LookupConstant = [&](StringRef) -> llvm::Expected<Attr> {
    ++NumLookups;
    return Attr();
  };
  expectInOrder(makeText("  meta[relay.Constant][0] /* sha256:abc */"));
  EXPECT_EQ(NumLookups, 3u); // one each time
}

//===----------------------------------------------------------------------===//
// Text that only looks like a definition
//===----------------------------------------------------------------------===//

TEST_F(ParseInParallelTest, Comments) {
  StringRef Inside = "}\n\ndef @g(%x: int32) {\n"
                     "  abs(%x) /* ty=int32 span=layer:0:0 */\n}\n\n";
  for (StringRef Open : {"/*\n", "/* /* a */\n", "/* /*\n*/\n"}) {
    std::string Result =
        expectInOrder(makeText(("  %x " + Open + Inside + "*/").str()));
    EXPECT_EQ(StringRef(Result).find("@g"), StringRef::npos);
    EXPECT_EQ(StringRef(Result).find("layer"), StringRef::npos);
    EXPECT_NE(StringRef(Result).find("def @f2("), StringRef::npos);
  }
  // An unclosed comment, and one that begins in one part and ends in another.
  EXPECT_TRUE(StringRef(expectInOrder(makeText(("  %x /*" + Inside).str())))
                  .contains("unterminated comment"));
  expectInOrder(makeText("  %x", ("\n/*" + Inside + "*/\n\n").str()));
  // These do not look like a definition.
  expectParts(makeText("  %x // }\n/* } def @g */\n// def @h() { 1 }"), 3);
}

TEST_F(ParseInParallelTest, Strings) {
  expectParts(
      makeText("  let %f = fn (%n: int32, a=\"\\n}\\ndef @g() {\") { %n };\n"
               "  %f(%x)"),
      3);
  EXPECT_TRUE(
      StringRef(
          expectInOrder(makeText(
              "  let %f = fn (a=\"\n}\n\ndef @g() {\n  1\n}\n\") { 1 };\n1")))
          .contains("unterminated string"));
}

TEST_F(ParseInParallelTest, OtherPartsOfFiles) {
  expectInOrder(makeText("  %x", "#[version = \"0.0.5\"]\n"));
  expectInOrder("#[version = \"0.0.4\"]\n" + makeText("  %x"));
  expectInOrder("fn () {\n  1\n}\n" + makeText("  %x"));
  expectInOrder("{}\n" + makeText("  %x"));
  expectInOrder(makeText("  %x", "\n", "1\n"));
  // A metadata section that differs from the one that the functions see.
  std::string Meta = ("\n#[metadata]\n" + Constant + "\n").str();
  expectInOrder("/*" + Meta + "*/" + makeText("  meta[relay.Constant][0]"));
  expectInOrder(makeText("  %x", "\n", "/*\n#[metadata]\n*/\n") +
                makeText("  meta[relay.Constant][0]", "\n", Meta));
  expectInOrder(makeText("  %x /*" + Meta + "*/") +
                makeText("  meta[relay.Constant][0]", "\n", Meta));
  // Text whose meaning depends on the previous part.
  expectInOrder(makeText("  %x", "/* span=a:0:0 */\n"));
}
} // namespace
