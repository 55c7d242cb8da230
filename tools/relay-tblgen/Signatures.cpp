//===- Signatures.cpp - Parameters of generated functions -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Signatures.h. Value is qualified, since a parameter may be named for an
// operand `value`.
//
//===----------------------------------------------------------------------===//

#include "Signatures.h"

using namespace llvm;

void relay::tblgen::printBuildParameters(const OpRecord &Op, bool WithAttrs,
                                         raw_ostream &OS) {
  OS << "(Builder &Builder";
  for (const OperandRecord &Operand : Op.getOperands())
    OS << (Operand.isVariadic() ? ", ArrayRef<relay::Value *> "
                                : ", relay::Value *")
       << Operand.getUpperCamel();
  if (WithAttrs)
    OS << ", const " << Op.getAttributes()->getClassName() << " *Attributes";
  if (Op.getNumRegions() < 0)
    OS << ", unsigned NumRegions";
  OS << ')';
}

void relay::tblgen::printGetParameters(const AttrsRecord &A, raw_ostream &OS) {
  OS << "(Context &Ctx";
  for (const FieldRecord &Field : A.getFields())
    if (!Field.isMirror())
      OS << ", " << Field.getParameterType() << ' ' << Field.getUpperCamel();
  OS << ')';
}
