//===- TestIR.h - Small IR for the unit tests -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library IR defines the core constructs, but no operators. Its tests use
// these operators: `test.neg` and `test.add`, whose result has the type of the
// first operand; `test.longer`, whose result is a longer vector; `test.effect`;
// and `test.attrs` with fields of several kinds.
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

/// A context, and helpers that create IR in it.
class IRTest : public testing::Test {
protected:
  IRTest();

  Function *createFunction(StringRef Name = "main") {
    return M.createFunction(Name);
  }
  /// Adds a parameter to \p F, of type `Tensor[(3), float32]` unless \p T is
  /// given.
  BlockArgument *param(Function *F, StringRef Name, Type *T = nullptr) {
    return F->getBody().addArgument(Ctx.intern(Name), T ? T : Vector);
  }

  /// Creates an operation at the end of \p B.
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
  /// Creates a function whose type, if it is a closure, is set when the region
  /// is complete.
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

  /// Infers the types of all operations of \p F, as far as possible.
  void infer(Function &F);
  /// Returns the names of the operations of \p B in order: `test.neg`, or `%x`
  /// if bound.
  std::string order(Block &B);
  /// Returns the diagnostics of verify() for \p F; "" if it succeeds.
  std::string verifyText(Function &F, bool AllowUndefined = false);
  std::string verifyText(Module &M, bool AllowUndefined = false);

  Context Ctx;
  Module M{Ctx};
  TensorType *Vector;
};

} // namespace relay::test

#endif // RELAY_TEST_UNIT_IR_TESTIR_H
