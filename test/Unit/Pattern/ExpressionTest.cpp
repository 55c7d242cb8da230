//===- ExpressionTest.cpp - Expressions to match patterns with ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The free variables of a text are found by their names.
//
//===----------------------------------------------------------------------===//

#include "ExpressionTest.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

using namespace relay;
using namespace relay::test;

ExpressionTest::ExpressionTest() {
  registerAllOps(Ctx);
  Ctx.getDiagnostics().pushHandler([this](const Diagnostic &D) {
    Errors += D.Message + "\n";
    return true;
  });
}

/// Variables of \p Text that nothing in it declares, as declarations.
static std::string declareVariables(StringRef Text) {
  llvm::SetVector<StringRef> Names;
  llvm::Regex Variable("%[a-z][a-z0-9]*");
  SmallVector<StringRef> Found;
  for (StringRef Rest = Text; Variable.match(Rest, &Found);
       Rest = StringRef(Found[0].end(), Text.end() - Found[0].end()))
    Names.insert(Found[0]);
  std::string Declarations;
  for (StringRef Name : Names) {
    llvm::Regex Declared("(free_var |let |fn \\([^)]*)" + Name.str() +
                         "($|[^a-z0-9])");
    if (!Declared.match(Text))
      Declarations += ("free_var " + Name + ";\n").str();
  }
  return Declarations;
}

std::shared_ptr<Module> ExpressionTest::read(StringRef Text, bool Typed) {
  std::string Body = Text.str();
  if (Text.starts_with("K;"))
    Body = "%0 = nn.conv2d(%x, %w);" + Body.substr(2);
  // A file with one closure is a function, and no expression in one.
  if (StringRef(Body).starts_with("fn "))
    Body = "(" + Body + ",)";
  std::string Whole =
      "#[version = \"0.0.5\"]\n" + declareVariables(Body) + Body + "\n";
  std::shared_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBufferCopy(Whole, "test"), Ctx);
  EXPECT_TRUE(M) << Whole << Errors;
  if (M && Typed) {
    EXPECT_TRUE(succeeded(inferTypes(*M))) << Whole;
  }
  return M;
}

ExprRef ExpressionTest::getRoot(Module &M) {
  ExprRef Root = ExprRef::getBody(M.lookupFunction("main")->getBody());
  Operation *Tuple = Root.getOperation(OpCode::Tuple);
  if (!Tuple || Tuple->getNumOperands() != 1)
    return Root;
  ExprRef Field = ExprRef::getUse(Tuple->getOperand(0));
  return Field.getOperation(OpCode::Fn) ? Field : Root;
}

bool ExpressionTest::matchesRoot(const Pattern &P, Module &M) {
  FailureOr<PatternProgram> Program = PatternProgram::compile(Ctx, P);
  EXPECT_TRUE(succeeded(Program));
  Matcher Match(*Program, *M.lookupFunction("main"));
  ExprRef Root = getRoot(M);
  bool Matches = Match.match(0, Root);
  // The explanation takes the same way, and the index of roots agrees.
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
