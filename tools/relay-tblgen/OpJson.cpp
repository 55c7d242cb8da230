//===- OpJson.cpp - -gen-op-json ------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the declarations of the ops and attributes of a .td file as JSON, for
// external tools.
//
//===----------------------------------------------------------------------===//

#include "OpRecord.h"
#include "llvm/Support/JSON.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

static void emitField(const FieldRecord &Field, json::OStream &J) {
  J.object([&] {
    J.attribute("name", Field.getName());
    J.attribute("kind", Field.getKind());
    if (std::optional<StringRef> Default = Field.getDefault())
      J.attribute("default", *Default);
    else
      J.attribute("required", !Field.isMirror());
    J.attribute("nullable", Field.isNullable());
    J.attribute("boxed", Field.isBoxed());
    if (Field.isMirror())
      J.attribute("operand", Field.getMirroredOperand());
  });
}

static void emitAttrs(const AttrsRecord &A, json::OStream &J) {
  J.object([&] {
    J.attribute("class", A.getClassName());
    J.attribute("type_key", A.getTypeKey());
    J.attributeArray("fields", [&] {
      for (const FieldRecord &Field : A.getFields())
        emitField(Field, J);
    });
  });
}

static void emitOperand(const OperandRecord &Operand, json::OStream &J) {
  J.object([&] {
    J.attribute("name", Operand.getName());
    J.attribute("description", Operand.getDescription());
    J.attribute("variadic", Operand.isVariadic());
  });
}

static void emitTraits(const OpRecord &Op, json::OStream &J) {
  J.attribute("fusion_kind", Op.getFusionKind());
  J.attributeArray("traits", [&] {
    for (StringRef Trait : Op.getTraits())
      J.value(Trait);
  });
  if (!Op.getRelation().empty())
    J.attribute("relation", Op.getRelation());
  if (!Op.getVerifier().empty())
    J.attribute("verifier", Op.getVerifier());
  if (Op.getNumRegions())
    J.attribute("regions", Op.getNumRegions());
  J.attributeArray("shape_data_dependent", [&] {
    for (bool Flag : Op.getShapeDataDependent())
      J.value(Flag);
  });
}

static void emitOpObject(const OpRecord &Op, json::OStream &J) {
  J.object([&] {
    J.attribute("name", Op.getName());
    J.attribute("class", Op.getClassName());
    J.attribute("code", Op.getCode());
    J.attribute("summary", Op.getSummary());
    J.attributeArray("operands", [&] {
      for (const OperandRecord &Operand : Op.getOperands())
        emitOperand(Operand, J);
    });
    if (Op.getAttributes())
      J.attribute("attributes", Op.getAttributes()->getTypeKey());
    emitTraits(Op, J);
  });
}

static void emitOpJson(RecordKeeper &Records, raw_ostream &OS) {
  OpFile File(Records);
  json::OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("family", File.getFamily());
    J.attributeArray("attributes", [&] {
      for (const AttrsRecord &A : File.getAttrs())
        emitAttrs(A, J);
    });
    J.attributeArray("ops", [&] {
      for (const OpRecord &Op : File.getOps())
        emitOpObject(Op, J);
    });
  });
  OS << '\n';
}

static TableGen::Emitter::Opt GenOpJson("gen-op-json", emitOpJson,
                                        "Write what ops declare as JSON");
