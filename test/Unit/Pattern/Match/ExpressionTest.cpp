//===- ExpressionTest.cpp - Expressions to match patterns with ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The free variables of a text become the parameters of the parsed function, in
// alphabetical order, so that functions can be compared.
//
//===----------------------------------------------------------------------===//

#include "ExpressionTest.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace relay;
using namespace relay::test;

ExpressionTest::ExpressionTest() {
  registerAllOps(Ctx);
  Ctx.getDiagnostics().pushHandler([this](const Diagnostic &D) {
    Errors += D.Message + "\n";
    return true;
  });
}

/// Returns the variables of \p Text and \p Other that are not declared in them,
/// in alphabetical order.
static std::vector<StringRef> findFreeNames(StringRef Text, StringRef Other) {
  std::set<StringRef> Names;
  llvm::Regex Variable("%[a-z][a-z0-9]*");
  SmallVector<StringRef> Found;
  for (StringRef T : {Text, Other})
    for (StringRef Rest = T; Variable.match(Rest, &Found);
         Rest = StringRef(Found[0].end(), T.end() - Found[0].end()))
      Names.insert(Found[0]);
  std::vector<StringRef> Free;
  for (StringRef Name : Names) {
    llvm::Regex Declared("(let |fn \\([^)]*)" + Name.str() + "($|[^a-z0-9])");
    if (!Declared.match(Text) && !Declared.match(Other))
      Free.push_back(Name);
  }
  return Free;
}

/// Returns \p Text with expanded abbreviations.
static std::string expand(StringRef Text) {
  std::string Long = Text.str();
  if (Text.starts_with("K;"))
    Long = "%0 = nn.conv2d(%x, %w);" + Long.substr(2);
  for (size_t At; (At = Long.find("PFP=")) != std::string::npos;)
    Long.replace(At, 3, "PartitionedFromPattern");
  return Long;
}

std::shared_ptr<Module> ExpressionTest::read(StringRef Text, bool Typed,
                                             StringRef Other) {
  std::string Body = expand(Text), More = expand(Other);
  if (!Text.starts_with("def ") && !Text.starts_with("free_var "))
    Body = "fn (" + llvm::join(findFreeNames(Body, More), ", ") + ") {\n" +
           Body + "\n}";
  std::string Whole = "#[version = \"0.0.5\"]\n" + Body + "\n";
  std::shared_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBufferCopy(Whole, "test"), Ctx);
  EXPECT_TRUE(M) << Whole << Errors;
  if (M && Typed) {
    EXPECT_TRUE(succeeded(inferTypes(*M))) << Whole;
  }
  return M;
}

testing::AssertionResult ExpressionTest::isEqual(Module &M, StringRef Text,
                                                 StringRef Other) {
  std::shared_ptr<Module> Expected = read(Text, false, Other);
  M.normalize();
  Difference D;
  if (isStructurallyEqual(M, *Expected, {}, &D))
    return testing::AssertionSuccess();
  std::string Message = D.Reason + "\n";
  llvm::raw_string_ostream OS(Message);
  printModule(M, OS);
  OS << "is not\n";
  printModule(*Expected, OS);
  return testing::AssertionFailure() << Message;
}

ExprRef ExpressionTest::getRoot(Module &M) {
  return ExprRef::getBody(M.lookupFunction("main")->getBody());
}

bool ExpressionTest::matchesRoot(const Pattern &P, Module &M) {
  FailureOr<PatternProgram> Program = PatternProgram::compile(Ctx, P);
  EXPECT_TRUE(succeeded(Program));
  Matcher Match(*Program, *M.lookupFunction("main"));
  ExprRef Root = getRoot(M);
  bool Matches = Match.match(0, Root);
  // The explanation takes the same path, and the index of roots agrees.
  MatchFailure Failure;
  EXPECT_EQ(Match.match(0, Root, Failure), Matches);
  EXPECT_TRUE(Matches || Failure.Part);
  if (Operation *Op = Root.getOperation(); Op && Matches) {
    EXPECT_TRUE(llvm::is_contained(Program->getCandidates(*Op), 0u));
  }
  return Matches;
}

bool ExpressionTest::matches(const Pattern &P, StringRef Text) {
  return matchesRoot(P, *read(Text));
}

bool ExpressionTest::matchesTyped(const Pattern &P, StringRef Text) {
  return matchesRoot(P, *read(Text, true));
}

Pattern ExpressionTest::is(StringRef Text) {
  std::shared_ptr<Module> M = read(Text);
  Value *V = M->lookupFunction("main")->getBody().getResult();
  return isExpr(V, M);
}
