//===- EqualTest.cpp - Comparing small functions --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EqualTest.h.
//
//===----------------------------------------------------------------------===//

#include "EqualTest.h"

using namespace relay;
using namespace relay::test;

std::string EqualTest::compare(Function &L, Function &R,
                               const EqualOptions &O) {
  Difference D, Back;
  bool Equal = isStructurallyEqual(L, R, O, &D);
  EXPECT_EQ(isStructurallyEqual(R, L, O, &Back), Equal);
  EXPECT_EQ(D.Reason.empty(), Equal);
  for (Function *F : {&L, &R}) {
    EXPECT_EQ(verifyText(*F, /*AllowUndefined=*/true), "");
    EXPECT_TRUE(isStructurallyEqual(*F, *F, O));
    Function Copy(Ctx, Ctx.intern("copy"));
    Copy.cloneFrom(*F);
    Copy.normalize();
    EXPECT_TRUE(isStructurallyEqual(*F, Copy, O));
    EXPECT_EQ(getStructuralHash(*F), getStructuralHash(Copy));
  }
  if (!O.RelativeTolerance && !O.AttributeTolerance && O.ResultVirtualDevices &&
      !O.MatchLiftedNames) {
    EXPECT_EQ(getStructuralHash(L) == getStructuralHash(R), Equal) << D.Reason;
  }
  if (!Equal) {
    EXPECT_EQ(D.LeftFunction, &L);
    EXPECT_EQ(D.RightFunction, &R);
  }
  return D.Reason;
}
