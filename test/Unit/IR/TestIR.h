//===- TestIR.h - Small IR for the unit tests -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Room IR knows the core constructs and no operators. These are enough for its
// tests: `test.neg` and `test.add`, whose result has the type of their first
// operand, `test.longer`, whose result is a longer vector, `test.effect`, and
// `test.attrs` with a field of each of a few kinds.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_UNIT_IR_TESTIR_H
#define RELAY_TEST_UNIT_IR_TESTIR_H

#include "relay/IR/Constant.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/Verifier.h"
#include "relay/IR/Walk.h"
#include "gtest/gtest.h"

namespace relay::test {

/// Declares the operations above in \p Ctx.
void registerTestOps(Context &Ctx);

/// A context, and short ways to make IR in it.
class IRTest : public testing::Test {
protected:
  IRTest();

  Function *createFunction(StringRef Name = "main") {
    return M.createFunction(Name);
  }
  /// A parameter of \p F of type `Tensor[(3), float32]` unless \p T is given.
  BlockArgument *param(Function *F, StringRef Name, Type *T = nullptr) {
    return F->getBody().addArgument(Ctx.intern(Name), T ? T : Vector);
  }

  /// At the end of \p B.
  Operation *make(Block &B, StringRef Name, ArrayRef<Value *> Operands,
                  const Attrs *A = nullptr, unsigned NumRegions = 0);
  Operation *neg(Block &B, Value *V) { return make(B, "test.neg", V); }
  Operation *add(Block &B, Value *L, Value *R) {
    return make(B, "test.add", {L, R});
  }
  Operation *tuple(Block &B, ArrayRef<Value *> Fields) {
    return make(B, "relay.tuple", Fields);
  }
  Operation *project(Block &B, Value *V, int64_t Index);
  Operation *constant(Block &B, double Value, DType T = DType::getFloat(32));
  Operation *makeIf(Block &B, Value *Condition) {
    return make(B, "relay.if", Condition, nullptr, 2);
  }
  Operation *scope(Block &B) { return make(B, "relay.scope", {}, nullptr, 1); }
  /// Its type, if it is a closure, is set when the region is complete.
  Operation *fn(Block &B) { return make(B, "relay.fn", {}, nullptr, 1); }
  Operation *let(Operation *Op, StringRef Name) {
    Op->bind(Ctx.intern(Name));
    return Op;
  }
  Operation *alias(Block &B, Value *V, StringRef Name) {
    return let(make(B, "relay.alias", V), Name);
  }
  Operation *call(Block &B, StringRef Callee, ArrayRef<Value *> Arguments);
  const Attrs *getAttrs(StringRef Op, ArrayRef<Attr> Slots);

  /// Gives every operation of \p F the type that can be told.
  void infer(Function &F);
  /// Names of the operations of \p B in order: `test.neg`, or `%x` when bound.
  std::string order(Block &B);
  /// What verify() reports of \p F, or "" when it accepts it.
  std::string verifyText(Function &F, bool AllowUndefined = false);
  std::string verifyText(Module &M, bool AllowUndefined = false);

  Context Ctx;
  Module M{Ctx};
  TensorType *Vector;
};

} // namespace relay::test

#endif // RELAY_TEST_UNIT_IR_TESTIR_H
