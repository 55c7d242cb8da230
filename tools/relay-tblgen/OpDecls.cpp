//===- OpDecls.cpp - -gen-op-decls ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes X.h.inc for X.td: declarations of type relations and verifiers, a
// class for each AttrsDef, a class for each OpDef, and registerXOps(). X.h
// includes it after Builder.h and TypeRelation.h.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "OpRecord.h"
#include "Signatures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// Type relations and verifiers
//===----------------------------------------------------------------------===//

static void emitFunctions(const OpFile &File, raw_ostream &OS) {
  StringSet<> Relations, Verifiers;
  for (const OpRecord &Op : File.getOps()) {
    StringRef Relation = Op.getRelation(), Verifier = Op.getVerifier();
    if (!Relation.empty() && Relations.insert(Relation).second)
      OS << "RelationResult " << Relation << "(TypeRelation &R);\n";
    if (!Verifier.empty() && Verifiers.insert(Verifier).second)
      OS << "LogicalResult " << Verifier << "(const Operation &Op);\n";
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void emitSlots(const AttrsRecord &A, raw_ostream &OS) {
  if (A.getFields().empty())
    return;
  OS << "  enum Slot : unsigned {\n";
  interleave(
      A.getFields(), OS,
      [&](const FieldRecord &Field) { OS << "    " << Field.getSlotName(); },
      ",\n");
  OS << "\n  };\n\n";
}

static void emitAccessors(const FieldRecord &Field, raw_ostream &OS) {
  constexpr const char *Accessor = R"(
  {0} {1}() const {{ return {2}({3}); }
)";
  constexpr const char *Presence = R"(  /// Whether it is not None.
  bool has{0}() const {{ return bool(getSlot({1})); }
)";
  OS << formatv(Accessor, Field.getCppType(), Field.getLowerCamel(),
                Field.getGetter(), Field.getSlotName());
  if (Field.isNullable())
    OS << formatv(Presence, Field.getUpperCamel(), Field.getSlotName());
}

static void emitGetDecl(const AttrsRecord &A, raw_ostream &OS) {
  OS << "  static const " << A.getClassName() << " *get";
  printGetParameters(A, OS);
  OS << ";\n";
}

// Emits the class that collects values of the fields of A.
static void emitAttrsBuilder(const AttrsRecord &A, raw_ostream &OS) {
  constexpr const char *Head = R"(
/// Makes {0}, each field at its default until it is set.
class {0}::Builder : public AttrsBuilder {{
public:
  explicit Builder(Context &Ctx) : AttrsBuilder(Ctx, *getDefault(Ctx)) {{}
  Builder(Context &Ctx, const {0} &From) : AttrsBuilder(Ctx, From) {{}
  const {0} *get() const {{ return static_cast<const {0} *>(intern()); }
)";
  OS << formatv(Head, A.getClassName());
  for (const FieldRecord &Field : A.getOwnFields())
    OS << formatv("  Builder &{0}({1} {2});\n", Field.getLowerCamel(),
                  Field.getParameterType(), Field.getUpperCamel());
  OS << formatv(
      "};\ninline {0}::Builder {0}::toBuilder(Context &Ctx) const {{\n"
      "  return Builder(Ctx, *this);\n}\n",
      A.getClassName());
}

static void emitAttrs(const AttrsRecord &A, raw_ostream &OS) {
  constexpr const char *Head = R"(
/// {1}
class {0} : public Attrs {{
public:
  class Builder;
)";
  constexpr const char *Static =
      R"(  static constexpr const AttrsInfo &getInfoStatic() {{ return StaticInfo; }
  static bool classof(const Attrs *A) {{ return &A->getInfo() == &StaticInfo; }
  /// Every field at its default; a required one is None.
  static const {0} *getDefault(Context &Ctx);
  /// A builder that starts from these values.
  inline Builder toBuilder(Context &Ctx) const;
)";
  OS << formatv(Head, A.getClassName(),
                A.getSummary().empty() ? A.getTypeKey() : A.getSummary());
  emitSlots(A, OS);
  OS << formatv(Static, A.getClassName());
  emitGetDecl(A, OS);
  for (const FieldRecord &Field : A.getOwnFields())
    emitAccessors(Field, OS);
  OS << "\nprivate:\n  static const AttrsInfo StaticInfo;\n};\n";
  emitAttrsBuilder(A, OS);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static void emitOperandDecls(const OpRecord &Op, raw_ostream &OS) {
  for (auto [I, Operand] : enumerate(Op.getOperands())) {
    if (Operand.isVariadic())
      OS << formatv("  auto {0}() const {{ return "
                    "llvm::drop_begin(Op->operands(), {1}); }\n",
                    Operand.getLowerCamel(), I);
    else
      OS << formatv("  Value *{0}() const {{ return Op->getOperand({1}); }\n",
                    Operand.getLowerCamel(), I);
  }
}

static void emitBuild(const OpRecord &Op, bool WithAttrs, raw_ostream &OS) {
  OS << "  static " << Op.getClassName() << " build";
  printBuildParameters(Op, WithAttrs, OS);
  OS << ";\n";
}

static void emitOpDecl(const OpRecord &Op, raw_ostream &OS) {
  constexpr const char *Head = R"(
/// {1}{2}
class {0} : public OpView {{
public:
  explicit {0}(const Operation *Op) : OpView(Op) {{
    assert(Op && &Op->getInfo() == &StaticInfo && "no {0}");
  }
  {0}(std::nullptr_t = nullptr) {{}
  static const OpInfo &getInfo() {{ return StaticInfo; }

)";
  constexpr const char *Attrs = R"(  const {0} &attrs() const {{
    return Op->getAttrsAs<{0}>();
  }
)";
  OS << formatv(Head, Op.getClassName(), Op.getName(),
                Op.getSummary().empty() ? "" : ": " + Op.getSummary().str());
  emitOperandDecls(Op, OS);
  const AttrsRecord *A = Op.getAttributes();
  if (A)
    OS << formatv(Attrs, A->getClassName());
  OS << '\n';
  emitBuild(Op, /*WithAttrs=*/A != nullptr, OS);
  if (A && A->isOptional())
    emitBuild(Op, /*WithAttrs=*/false, OS);
  for (unsigned N : getNumsOfFields(Op)) {
    OS << "  static " << Op.getClassName() << " build";
    printBuildParameters(Op, Op.getAttributes()->getOwnFields(), N, OS);
    OS << ";\n";
  }
  OS << "\nprivate:\n  static const OpInfo StaticInfo;\n};\n";
}

static void emitOpDecls(RecordKeeper &Records, raw_ostream &OS) {
  OpFile File(Records);
  emitSourceFileHeader("Declarations of ops", OS, Records);
  OS << "\nnamespace relay {\n\n";
  emitFunctions(File, OS);
  for (const AttrsRecord &A : File.getAttrs())
    emitAttrs(A, OS);
  for (const OpRecord &Op : File.getOps())
    emitOpDecl(Op, OS);
  OS << "\n/// Declares the ops of " << File.getFamily()
     << ".td.\nvoid register" << File.getFamily()
     << "Ops(Context &Ctx);\n\n} // namespace relay\n";
}

static TableGen::Emitter::Opt
    GenOpDecls("gen-op-decls", emitOpDecls,
               "Declare attributes and classes of ops");
