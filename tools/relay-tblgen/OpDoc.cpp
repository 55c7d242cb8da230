//===- OpDoc.cpp - -gen-op-doc --------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the reference of the ops of a .td file in Markdown: an introduction
// from the comment at its beginning, a table of the ops, and a section per op.
//
//===----------------------------------------------------------------------===//

#include "Markdown.h"
#include "OpRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

/// Writes the attributes in a call: the required ones, and `…` if there are
/// more.
static std::vector<std::string> getArguments(const OpRecord &Op) {
  const AttrsRecord *A = Op.getAttributes();
  if (!A || A->getFields().empty())
    return {};
  if (is_contained(Op.getTraits(), "AttrsAsMeta"))
    return {"meta[" + A->getTypeKey().str() + "][0]"};
  std::vector<std::string> Arguments;
  bool More = false;
  for (const FieldRecord &Field : A->getFields())
    if (Field.getDefault() || Field.isMirror())
      More = true;
    else
      Arguments.push_back(Field.getName().str() + "=…");
  if (More)
    Arguments.push_back("…");
  return Arguments;
}

static void emitCall(const OpRecord &Op, raw_ostream &OS) {
  std::vector<std::string> Arguments;
  for (const OperandRecord &Operand : Op.getOperands())
    Arguments.push_back("%" + Operand.getName().str() +
                        (Operand.isVariadic() ? ", …" : ""));
  append_range(Arguments, getArguments(Op));
  OS << formatv("\n    {0}({1})\n", Op.getName(), join(Arguments, ", "));
}

/// Writes a line for each operand that is not a plain tensor.
static void emitOperandTable(const OpRecord &Op, raw_ostream &OS) {
  bool Any = false;
  for (const OperandRecord &Operand : Op.getOperands()) {
    if (Operand.getDescription() == "a tensor")
      continue;
    OS << (Any ? "" : "\n")
       << formatv("- `{0}`: {1}\n", Operand.getName(),
                  Operand.getDescription());
    Any = true;
  }
}

static std::string getDefault(const FieldRecord &Field) {
  if (Field.isMirror())
    return "operand `" + Field.getMirroredOperand().str() + "`";
  if (std::optional<StringRef> Default = Field.getDefault())
    return "`" + Default->str() + "`";
  return "required";
}

static void emitFields(const AttrsRecord &A, raw_ostream &OS) {
  if (A.getFields().empty())
    return;
  OS << "\n| attribute | type | default |\n| --- | --- | --- |\n";
  for (const FieldRecord &Field : A.getFields())
    OS << formatv("| `{0}` | {1}{2} | {3} |\n", Field.getName(),
                  Field.getDescription(),
                  Field.isNullable() ? " or `None`" : "", getDefault(Field));
}

//===----------------------------------------------------------------------===//
// An op
//===----------------------------------------------------------------------===//

/// Returns the operands whose elements, and not only their shapes, determine
/// the shape of the result.
static std::string getShapeOperands(const OpRecord &Op) {
  std::vector<std::string> Names;
  for (auto [Operand, Flag] : zip(Op.getOperands(), Op.getShapeDataDependent()))
    if (Flag)
      Names.push_back("`" + Operand.getName().str() + "`");
  return join(Names, ", ");
}

static void emitFacts(const OpRecord &Op, raw_ostream &OS) {
  OS << formatv("\nC++ `{0}`", Op.getClassName());
  if (const AttrsRecord *A = Op.getAttributes())
    OS << formatv(", `{0}` (`{1}`)", A->getClassName(), A->getTypeKey());
  OS << formatv("; fusion kind `{0}`", Op.getFusionKind());
  if (!Op.getTraits().empty())
    OS << "; traits `" << join(Op.getTraits(), "`, `") << "`";
  if (!Op.getRelation().empty())
    OS << formatv("; type relation `{0}`", Op.getRelation());
  std::string ShapeOperands = getShapeOperands(Op);
  if (!ShapeOperands.empty())
    OS << "; its shape function takes the elements of " << ShapeOperands;
  OS << ".\n";
}

static void emitOpSection(const OpRecord &Op, raw_ostream &OS) {
  OS << formatv("\n## `{0}`\n", Op.getName());
  if (!Op.getSummary().empty())
    OS << formatv("\n{0}\n", Op.getSummary());
  if (Op.isOperator())
    emitCall(Op, OS);
  if (!Op.getDescription().empty())
    OS << formatv("\n{0}\n", dedent(Op.getDescription()));
  emitOperandTable(Op, OS);
  if (Op.getAttributes())
    emitFields(*Op.getAttributes(), OS);
  emitFacts(Op, OS);
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

static void emitContents(ArrayRef<OpRecord> Ops, raw_ostream &OS) {
  OS << "\n| op | summary |\n| --- | --- |\n";
  for (const OpRecord &Op : Ops)
    OS << formatv("| {0} | {1} |\n", linkTo(Op.getName()),
                  toCell(Op.getSummary()));
  if (any_of(Ops, [](const OpRecord &Op) { return Op.isOperator(); }))
    OS << "\nOperands are tensors unless stated otherwise. In a call, `…` is a "
          "required value; attributes may be omitted if they have their "
          "default.\n";
}

static void emitOpDoc(RecordKeeper &Records, raw_ostream &OS) {
  OpFile File(Records);
  FileBanner Banner = getMainBanner();
  OS << formatv("<!-- Generated by relay-tblgen -gen-op-doc from {0}.td: edit "
                "that. -->\n\n# {1}\n",
                File.getFamily(), Banner.Title);
  if (!Banner.Text.empty())
    OS << '\n' << Banner.Text << '\n';
  emitContents(File.getOps(), OS);
  for (const OpRecord &Op : File.getOps())
    emitOpSection(Op, OS);
}

static TableGen::Emitter::Opt
    GenOpDoc("gen-op-doc", emitOpDoc, "Write the reference of ops in Markdown");
