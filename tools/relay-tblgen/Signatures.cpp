//===- Signatures.cpp - Parameters of generated functions -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Signatures.h. Value is qualified, since an operand `value` may name a
// parameter.
//
//===----------------------------------------------------------------------===//

#include "Signatures.h"

using namespace llvm;
using namespace relay::tblgen;

static void printOperandParameters(const OpRecord &Op, raw_ostream &OS) {
  OS << "(Builder &Builder";
  for (const OperandRecord &Operand : Op.getOperands())
    OS << (Operand.isVariadic() ? ", ArrayRef<relay::Value *> "
                                : ", relay::Value *")
       << Operand.getUpperCamel();
}

void relay::tblgen::printBuildParameters(const OpRecord &Op, bool WithAttrs,
                                         raw_ostream &OS) {
  printOperandParameters(Op, OS);
  if (WithAttrs)
    OS << ", const " << Op.getAttributes()->getClassName() << " *Attributes";
  if (Op.getNumRegions() < 0)
    OS << ", unsigned NumRegions";
  OS << ')';
}

iota_range<unsigned> relay::tblgen::getNumsOfFields(const OpRecord &Op) {
  const AttrsRecord *A = Op.getAttributes();
  if (!A || Op.getNumRegions() < 0)
    return seq(0u, 0u);
  unsigned NumRequired = 0, NumFields = 0;
  for (const FieldRecord &Field : A->getOwnFields()) {
    ++NumFields;
    if (!Field.getDefault())
      NumRequired = NumFields;
  }
  unsigned First = std::max(NumRequired, 1u);
  return seq(First, std::max(First, std::min(NumFields, NumRequired + 2) + 1));
}

std::string relay::tblgen::getFieldParameter(const OpRecord &Op,
                                             const FieldRecord &Field) {
  bool Taken = any_of(Op.getOperands(), [&](const OperandRecord &Operand) {
    return Operand.getUpperCamel() == Field.getUpperCamel();
  });
  return Field.getUpperCamel() + (Taken ? "Value" : "");
}

void relay::tblgen::printBuildParameters(const OpRecord &Op,
                                         ArrayRef<FieldRecord> Fields,
                                         unsigned N, raw_ostream &OS) {
  printOperandParameters(Op, OS);
  for (const FieldRecord &Field : Fields.take_front(N))
    OS << ", " << Field.getParameterType() << ' '
       << getFieldParameter(Op, Field);
  OS << ')';
}

void relay::tblgen::printGetParameters(const AttrsRecord &A, raw_ostream &OS) {
  OS << "(Context &Ctx";
  for (const FieldRecord &Field : A.getFields())
    if (!Field.isMirror())
      OS << ", " << Field.getParameterType() << ' ' << Field.getUpperCamel();
  OS << ')';
}
