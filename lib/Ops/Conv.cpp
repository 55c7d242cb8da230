//===- Conv.cpp - Convolutions --------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Conv.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Conv.h"
#include "relay/Ops/ConvRelations.h"

#include "relay/Ops/Conv.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type relations
//===----------------------------------------------------------------------===//

RelationResult relay::inferConv2D(TypeRelation &R) {
  return inferConv(R,
                   ConvParams::get(R.getAttrs<Conv2DAttrs>(), "NCHW", "OIHW"));
}

RelationResult relay::inferConv3D(TypeRelation &R) {
  return inferConv(
      R, ConvParams::get(R.getAttrs<Conv3DAttrs>(), "NCDHW", "OIDHW"));
}

RelationResult relay::inferConv2DTranspose(TypeRelation &R) {
  return inferConvTranspose(
      R, ConvParams::getTransposed(R.getAttrs<Conv2DTransposeAttrs>(), "NCHW",
                                   "IOHW"));
}
