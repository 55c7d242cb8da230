//===- EqualTest.h - Comparing small functions ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fixture of the tests of structural equality and hash.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_UNIT_IR_EQUALTEST_H
#define RELAY_TEST_UNIT_IR_EQUALTEST_H

#include "TestIR.h"

namespace relay::test {

class EqualTest : public IRTest {
protected:
  EqualTest() { Bool = Ctx.getScalarType(DType::getBool()); }

  using Maker = function_ref<void(Function &)>;
  /// Creates a function with parameter `%x`, filled in by \p Make.
  Function *build(Maker Make) {
    Function *F = createFunction(M.getUniqueName("f"));
    param(F, "x");
    Make(*F);
    F->normalize();
    return F;
  }
  /// Returns the reason why the two differ, or "". Checks the hashes and
  /// symmetry, and that each is equal to itself and to its copy.
  std::string compare(Maker L, Maker R, const EqualOptions &O = {}) {
    return compare(*build(L), *build(R), O);
  }
  std::string compare(Function &L, Function &R, const EqualOptions &O = {});
  static Value *x(Function &F) { return F.getParams()[0]; }
  static void yield(Value *V) {
    Function *F = V->getFunction();
    F->getBody().setResultRaw(V);
  }
  /// Creates a closure that returns its only parameter.
  Operation *identity(Block &B, StringRef Name, Type *T) {
    Operation *Op = fn(B);
    Op->getRegion().setResultRaw(
        Op->getRegion().addArgument(Ctx.intern(Name), T));
    return Op;
  }

  Type *Bool;
};

} // namespace relay::test

#endif // RELAY_TEST_UNIT_IR_EQUALTEST_H
