//===- OpDefs.cpp - -gen-op-defs ------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes X.cpp.inc for X.td: the static tables of ops and attributes, which
// need no initialization at run time, the members that OpDecls.cpp declares,
// and registerXOps(). X.cpp includes it after X.h.
//
//===----------------------------------------------------------------------===//

#include "Markdown.h"
#include "Names.h"
#include "OpRecord.h"
#include "Signatures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void emitFieldTable(const OpFile &File, const AttrsRecord &A,
                           raw_ostream &OS) {
  if (A.getFields().empty())
    return;
  OS << "static constexpr AttrField " << A.getClassName() << "Fields[] = {\n";
  for (const FieldRecord &Field : A.getFields()) {
    std::optional<StringRef> Default = Field.getDefault();
    OS << formatv("    {{{0}, FieldKind::{1}, {2}, /*Nullable=*/{3}, "
                  "/*MirroredOperand=*/{4}, /*Boxed=*/{5}},\n",
                  quote(Field.getName()), Field.getKind(),
                  Default ? quote(*Default) : "nullptr", Field.isNullable(),
                  File.getMirroredIndex(A, Field), Field.isBoxed());
  }
  OS << "};\n";
}

static void emitGetDef(const AttrsRecord &A, raw_ostream &OS) {
  StringRef Class = A.getClassName();
  OS << "const " << Class << " *" << Class << "::get";
  printGetParameters(A, OS);
  OS << " {\n";
  if (A.getFields().empty()) {
    OS << "  return getDefault(Ctx);\n}\n";
    return;
  }
  OS << "  const Attr FieldSlots[] = {\n";
  for (const FieldRecord &Field : A.getFields())
    OS << "      "
       << (Field.isMirror() ? "Attr()"
                            : Field.getSetter("Ctx", Field.getUpperCamel()))
       << ",\n";
  OS << "  };\n  return static_cast<const " << Class
     << " *>(Ctx.getAttrs(StaticInfo, FieldSlots));\n}\n";
}

// Writes the builder's function that sets Field.
static void emitSetter(const AttrsRecord &A, const FieldRecord &Field,
                       raw_ostream &OS) {
  constexpr const char *Setter =
      R"({0}::Builder &{0}::Builder::{1}({2} {3}) {{
  set({4}, {5});
  return *this;
}
)";
  OS << formatv(Setter, A.getClassName(), Field.getLowerCamel(),
                Field.getParameterType(), Field.getUpperCamel(),
                Field.getSlotName(),
                Field.getSetter("Ctx", Field.getUpperCamel()));
}

static void emitAttrs(const OpFile &File, const AttrsRecord &A,
                      raw_ostream &OS) {
  constexpr const char *Static = R"(LLVM_REQUIRE_CONSTANT_INITIALIZATION
const AttrsInfo {0}::StaticInfo = {{
    {1},
    {2},
};
const {0} *{0}::getDefault(Context &Ctx) {{
  return static_cast<const {0} *>(Ctx.getDefaultAttrs(StaticInfo));
}
)";
  StringRef Class = A.getClassName();
  OS << "\n// " << Class << "\n\n";
  emitFieldTable(File, A, OS);
  OS << formatv(Static, Class, quote(A.getTypeKey()),
                A.getFields().empty() ? "{}" : (Class + "Fields").str());
  emitGetDef(A, OS);
  for (const FieldRecord &Field : A.getOwnFields())
    emitSetter(A, Field, OS);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static std::string getTraits(const OpRecord &Op) {
  if (Op.getTraits().empty())
    return "0";
  return join(map_range(Op.getTraits(),
                        [](StringRef Trait) {
                          return ("uint32_t(OpTrait::" + Trait + ")").str();
                        }),
              " | ");
}

static std::string getFunction(StringRef Name) {
  return Name.empty() ? "nullptr" : ("&relay::" + Name).str();
}

// Writes the tables that the op's own table refers to.
static void emitOperandTables(const OpRecord &Op, raw_ostream &OS) {
  StringRef Class = Op.getClassName();
  if (!Op.getOperands().empty()) {
    OS << "static constexpr StringLiteral " << Class << "Operands[] = {";
    interleaveComma(Op.getOperands(), OS, [&](const OperandRecord &Operand) {
      OS << quote(Operand.getName());
    });
    OS << "};\n";
  }
  std::vector<bool> Flags = Op.getShapeDataDependent();
  if (Flags.empty())
    return;
  OS << "static constexpr bool " << Class << "ShapeDataDependent[] = {";
  interleaveComma(Flags, OS,
                  [&](bool Flag) { OS << (Flag ? "true" : "false"); });
  OS << "};\n";
}

static void emitDoc(const OpRecord &Op, raw_ostream &OS) {
  StringRef Class = Op.getClassName();
  if (!Op.getOperands().empty()) {
    OS << "static constexpr const char *" << Class << "OperandDocs[] = {";
    interleaveComma(Op.getOperands(), OS, [&](const OperandRecord &Operand) {
      OS << quote(Operand.getDescription());
    });
    OS << "};\n";
  }
  OS << formatv(
      "static constexpr OpDoc {0}Doc = {{\n    {1},\n    {2},\n    "
      "{3}, {4}};\n",
      Class, quote(Op.getSummary()), quote(dedent(Op.getDescription())),
      quote(join(Op.getTraits(), ", ")),
      Op.getOperands().empty() ? "{}" : (Class + "OperandDocs").str());
}

static void emitInfo(const OpRecord &Op, raw_ostream &OS) {
  constexpr const char *Info = R"(LLVM_REQUIRE_CONSTANT_INITIALIZATION
const OpInfo {0}::StaticInfo = {{
    {1},
    OpCode::{2},
    FusionKind::{3},
    {4},
    /*NumOperands=*/{5},
    {6},
    {7},
    {8},
    {9},
    {10},
    &{0}Doc,
};
)";
  std::string Class = Op.getClassName().str();
  const AttrsRecord *A = Op.getAttributes();
  OS << formatv(
      Info, Class, quote(Op.getName()), Op.getCode(), Op.getFusionKind(),
      getTraits(Op), Op.getFixedOperands().size(),
      Op.getOperands().empty() ? "{}" : Class + "Operands",
      A ? "&" + A->getClassName().str() + "::getInfoStatic()" : "nullptr",
      getFunction(Op.getRelation()), getFunction(Op.getVerifier()),
      Op.getShapeDataDependent().empty() ? "{}" : Class + "ShapeDataDependent");
}

// Writes the local array of all operands if one of them is variadic.
static void emitOperandVector(const OpRecord &Op, raw_ostream &OS) {
  std::string Variadic = Op.getOperands().back().getUpperCamel();
  OS << "  SmallVector<relay::Value *, 8> OpOperands = {";
  interleaveComma(Op.getFixedOperands(), OS, [&](const OperandRecord &Operand) {
    OS << Operand.getUpperCamel();
  });
  OS << "};\n  OpOperands.append(" << Variadic << ".begin(), " << Variadic
     << ".end());\n";
}

// Writes the array of operands to forward, and returns its name.
static std::string emitOperandArray(const OpRecord &Op, raw_ostream &OS) {
  if (Op.getOperands().empty())
    return "{}";
  if (Op.getFixedOperands().empty())
    return Op.getOperands().front().getUpperCamel();
  if (Op.isVariadic()) {
    emitOperandVector(Op, OS);
    return "OpOperands";
  }
  OS << "  relay::Value *const OpOperands[] = {";
  interleaveComma(Op.getOperands(), OS, [&](const OperandRecord &Operand) {
    OS << Operand.getUpperCamel();
  });
  OS << "};\n";
  return "OpOperands";
}

static void emitBuildHead(const OpRecord &Op, bool WithAttrs, raw_ostream &OS) {
  OS << Op.getClassName() << ' ' << Op.getClassName() << "::build";
  printBuildParameters(Op, WithAttrs, OS);
  OS << " {\n";
}

static void emitBuild(const OpRecord &Op, raw_ostream &OS) {
  bool HasAttrs = Op.getAttributes();
  emitBuildHead(Op, HasAttrs, OS);
  std::string Operands = emitOperandArray(Op, OS);
  std::string NumRegions =
      Op.getNumRegions() < 0 ? "NumRegions" : itostr(Op.getNumRegions());
  OS << formatv("  return {0}(Builder.createOperation(StaticInfo, {1}, {2}, "
                "{3}));\n}\n",
                Op.getClassName(), Operands,
                HasAttrs ? "Attributes" : "nullptr", NumRegions);
}

static void emitBuildWithDefaults(const OpRecord &Op, raw_ostream &OS) {
  emitBuildHead(Op, /*WithAttrs=*/false, OS);
  OS << "  return build(Builder, ";
  for (const OperandRecord &Operand : Op.getOperands())
    OS << Operand.getUpperCamel() << ", ";
  OS << Op.getAttributes()->getClassName()
     << "::getDefault(Builder.getContext())"
     << (Op.getNumRegions() < 0 ? ", NumRegions" : "") << ");\n}\n";
}

// Writes the build() that takes the first N fields.
static void emitBuildWithFields(const OpRecord &Op, unsigned N,
                                raw_ostream &OS) {
  std::vector<FieldRecord> Fields = Op.getAttributes()->getOwnFields();
  OS << Op.getClassName() << ' ' << Op.getClassName() << "::build";
  printBuildParameters(Op, Fields, N, OS);
  OS << " {\n  return build(Builder, ";
  for (const OperandRecord &Operand : Op.getOperands())
    OS << Operand.getUpperCamel() << ", ";
  OS << Op.getAttributes()->getClassName() << "::Builder(Builder.getContext())";
  for (const FieldRecord &Field : ArrayRef(Fields).take_front(N))
    OS << '.' << Field.getLowerCamel() << '(' << getFieldParameter(Op, Field)
       << ')';
  OS << ".get());\n}\n";
}

static void emitOpDef(const OpRecord &Op, raw_ostream &OS) {
  OS << "\n// " << Op.getClassName() << "\n\n";
  emitOperandTables(Op, OS);
  emitDoc(Op, OS);
  emitInfo(Op, OS);
  emitBuild(Op, OS);
  if (Op.getAttributes() && Op.getAttributes()->isOptional())
    emitBuildWithDefaults(Op, OS);
  for (unsigned N : getNumsOfFields(Op))
    emitBuildWithFields(Op, N, OS);
}

static void emitRegistration(const OpFile &File, raw_ostream &OS) {
  OS << "\nvoid register" << File.getFamily() << "Ops(Context &Ctx) {\n";
  if (File.getOps().empty())
    OS << "  (void)Ctx;\n";
  for (const OpRecord &Op : File.getOps())
    OS << "  Ctx.registerOp(" << Op.getClassName() << "::getInfo());\n";
  OS << "}\n";
}

static void emitOpDefs(RecordKeeper &Records, raw_ostream &OS) {
  OpFile File(Records);
  emitSourceFileHeader("Definitions of ops", OS, Records);
  OS << "\nnamespace relay {\n";
  for (const AttrsRecord &A : File.getAttrs())
    emitAttrs(File, A, OS);
  for (const OpRecord &Op : File.getOps())
    emitOpDef(Op, OS);
  emitRegistration(File, OS);
  OS << "\n} // namespace relay\n";
}

static TableGen::Emitter::Opt
    GenOpDefs("gen-op-defs", emitOpDefs,
              "Define the tables and members of ops, and register them");
