//===- RulePatterns.cpp - Patterns of rules in C++ ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RulePatterns.h.
//
//===----------------------------------------------------------------------===//

#include "RulePatterns.h"
#include "Names.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace relay::tblgen;

std::string PatternEmitter::emitLocal(const Twine &Value) {
  std::string Name = "P" + std::to_string(NumLocals++);
  OS << "  Pattern " << Name << " = " << Value << ";\n";
  return Name;
}

unsigned PatternEmitter::addCapture(StringRef Pattern, StringRef OpClass) {
  Captures.push_back({Pattern.str(), OpClass.str(), AlternativeDepth != 0});
  return Captures.size() - 1;
}

void PatternEmitter::addVariable(StringRef Name, RuleVariable Variable) {
  if (!isIdentifier(Name))
    fail("'$" + Name + "' cannot be a name in C++");
  if (!Variables.insert({Name, std::move(Variable)}).second)
    fail("'$" + Name + "' is named twice");
}

/// An attribute that is named a second time must have the same value.
void PatternEmitter::addAttributeVariable(StringRef Name,
                                          RuleVariable Variable) {
  auto It = Variables.find(Name);
  if (It == Variables.end())
    return addVariable(Name, std::move(Variable));
  if (!It->second.Pattern.empty() || It->second.Type != Variable.Type)
    fail("'$" + Name + "' names an attribute of type '" + Variable.Type +
         "' and something else");
  Conditions.push_back({It->second.Access + " == " + Variable.Access,
                        "$" + Name.str() + " is the same in each place"});
}

std::string PatternEmitter::emitArgument(const DagInit &Dag, unsigned I) {
  checkPlainArgument(Dag, I);
  const Init *Argument = Dag.getArg(I);
  if (auto *Inner = dyn_cast<DagInit>(Argument))
    return emitDag(*Inner);
  if (!isa<UnsetInit>(Argument))
    fail("'" + Argument->getAsString() + "' is not a pattern");
  if (!Dag.getArgName(I))
    return emitLocal("wildcard()");
  StringRef Name = Dag.getArgName(I)->getValue();
  auto It = Variables.find(Name);
  if (It == Variables.end()) {
    std::string Node = emitLocal("wildcard()");
    unsigned N = addCapture(Node, "");
    addVariable(Name,
                {"Value *", formatv("M.getValue({0})", N).str(), Node, {}});
    return Node;
  }
  if (It->second.Pattern.empty())
    fail("'$" + Name + "' is an attribute and a value");
  return It->second.Pattern;
}

std::string PatternEmitter::emitEither(const DagInit &Dag) {
  if (Dag.getNumArgs() < 2)
    fail("'Either' needs two patterns");
  ++AlternativeDepth;
  std::vector<std::string> Choices;
  for (unsigned I = 0; I != Dag.getNumArgs(); ++I)
    Choices.push_back(emitArgument(Dag, I));
  --AlternativeDepth;
  return emitLocal("anyOf({" + join(Choices, ", ") + "})");
}

std::string PatternEmitter::emitTyped(const DagInit &Dag, StringRef Method) {
  if (Dag.getNumArgs() != 2)
    fail("'" + getOperator(Dag).getName() + "' takes a type and a pattern,");
  std::string Type;
  if (auto *Text = dyn_cast<StringInit>(Dag.getArg(0)))
    Type = formatv("*DType::parse({0})", quote(Text->getValue()));
  else if (auto List = getNumbers(Dag.getArg(0)))
    Type = "{" + join(*List, ", ") + "}";
  if (Type.empty() || (Type.front() == '{') != (Method == "hasShape"))
    fail("'" + Dag.getArg(0)->getAsString() + "' is not a type for '" +
         getOperator(Dag).getName() + "'");
  std::string Inner = emitArgument(Dag, 1);
  return emitLocal(Inner + "." + Method + "(" + Type + ")");
}

std::string PatternEmitter::emitDag(const DagInit &Dag) {
  const Record &Def = getOperator(Dag);
  if (Def.isSubClassOf("OpDef"))
    return emitCall(Dag, OpRecord(Def));
  std::string Node, Type = "Value *", Access = "M.getValue({0})", Class;
  if (Def.getName() == "Constant") {
    Node = emitLocal("isConstant()");
    Type = Class = "ConstantOp";
    Access = "M.getOp<ConstantOp>({0})";
  } else if (Def.getName() == "Either") {
    Node = emitEither(Dag);
  } else if (Def.getName() == "HasDType") {
    Node = emitTyped(Dag, "hasDType");
  } else if (Def.getName() == "HasShape") {
    Node = emitTyped(Dag, "hasShape");
  } else {
    fail("'" + Def.getName() + "' is not allowed in a pattern");
  }
  if (!getName(Dag).empty()) {
    unsigned N = addCapture(Node, Class);
    addVariable(getName(Dag),
                {Type, formatv(Access.c_str(), N).str(), Node, nullptr});
  }
  return Node;
}

std::string PatternEmitter::emitCall(const DagInit &Dag, const OpRecord &Op) {
  bool IsTuple = isTuple(Op);
  unsigned NumOperands = getNumOperands(Dag, Op, "pattern");
  std::vector<std::string> Operands;
  for (unsigned I = 0; I != NumOperands; ++I)
    Operands.push_back(emitArgument(Dag, I));
  std::string List = "ArrayRef<Pattern>({" + join(Operands, ", ") + "})";
  if (Operands.empty())
    List = "ArrayRef<Pattern>()";
  std::string Index;
  if (Op.getCode() == "TupleGetItem" && Dag.getNumArgs() == 2 &&
      isa<IntInit>(Dag.getArg(1)))
    Index = ", " + Dag.getArg(1)->getAsString();
  std::string Node =
      IsTuple ? emitLocal("isTuple(" + List + ")")
      : Op.isOperator()
          ? emitLocal("isOp<" + Op.getClassName() + ">().call(" + List + ")")
          : emitLocal("isTupleGetItem(" + Operands.front() + Index + ")");
  unsigned Call = addCapture(Node, Op.getClassName());
  std::string Whole = Node;
  if (Index.empty())
    emitAttributes(Dag, Op, NumOperands, Whole, Call);
  if (!getName(Dag).empty())
    addVariable(getName(Dag),
                {Op.getClassName().str(),
                 formatv("M.getOp<{0}>({1})", Op.getClassName(), Call), Whole,
                 &Op.getRecord()});
  return Whole;
}

/// Writes the constraints on the attributes of the call \p Node, which becomes
/// the pattern with these constraints.
void PatternEmitter::emitAttributes(const DagInit &Dag, const OpRecord &Op,
                                    unsigned First, std::string &Node,
                                    unsigned Call) {
  std::vector<FieldRecord> Fields = getFields(Op);
  unsigned NumGiven = Dag.getNumArgs() - First;
  if (NumGiven == 1 && isCallOf(Dag.getArg(First), "attrs")) {
    auto &List = *cast<DagInit>(Dag.getArg(First));
    for (unsigned I = 0; I != List.getNumArgs(); ++I) {
      if (!List.getArgName(I))
        fail("an attribute of '" + Op.getClassName() + "' has no name");
      StringRef Name = List.getArgName(I)->getValue();
      emitAttribute(Op, getField(Op, Fields, Name), List.getArg(I), Name, Node,
                    Call);
    }
    return;
  }
  if (NumGiven > Fields.size())
    fail("'" + Op.getClassName() + "' has " + Twine(Fields.size()) +
         " attributes, not " + Twine(NumGiven));
  for (unsigned I = 0; I != NumGiven; ++I) {
    checkPlainArgument(Dag, First + I);
    const StringInit *Name = Dag.getArgName(First + I);
    emitAttribute(Op, Fields[I], Dag.getArg(First + I),
                  Name ? Name->getValue() : StringRef(), Node, Call);
  }
}

void PatternEmitter::emitAttribute(const OpRecord &Op, const FieldRecord &Field,
                                   const Init *Value, StringRef Name,
                                   std::string &Node, unsigned Call) {
  if (!isa<UnsetInit>(Value)) {
    checkKind(Op, Field, Value);
    Node =
        emitLocal(formatv("{0}.hasAttr({1}, {2})", Node, quote(Field.getName()),
                          getLiteral(Value, Field.getKind())));
    return;
  }
  if (Name.empty())
    return;
  if (AlternativeDepth)
    fail("'$" + Name + "' names an attribute of only one alternative");
  addAttributeVariable(Name,
                       {Field.getCppType().str(),
                        formatv("M.getOp<{0}>({1}).attrs().{2}()",
                                Op.getClassName(), Call, Field.getLowerCamel()),
                        "", nullptr});
}

/// Reports \p Value if \p Field cannot have it, so that the pattern would never
/// match.
void PatternEmitter::checkKind(const OpRecord &Op, const FieldRecord &Field,
                               const Init *Value) const {
  StringRef Kind = Field.getKind();
  bool Fits = true;
  if (isa<StringInit>(Value))
    Fits = Kind == "String";
  else if (isa<IntInit>(Value))
    Fits = Kind == "Int" || Kind == "OptInt" || Kind == "Bool" ||
           Kind == "Double" || Kind == "Dim" || Kind == "IntOrArray" ||
           Kind == "Object";
  else if (getNumbers(Value))
    Fits = Kind == "DimArray" || Kind == "IntArray" || Kind == "IntOrArray" ||
           Kind == "Object";
  if (!Fits)
    fail("attribute '" + Field.getName() + "' of '" + Op.getClassName() +
         "', " + Field.getDescription() + ", is never '" +
         Value->getAsString() + "'");
}

std::string PatternEmitter::getLiteral(const Init *I, StringRef Kind) const {
  if (auto *Number = dyn_cast<IntInit>(I)) {
    if (Kind == "Bool")
      return Number->getValue() ? "true" : "false";
    if (Kind == "Double")
      return formatv("AttrLiteral(double({0}))", Number->getValue());
    return formatv("AttrLiteral(int64_t({0}), DType::getInt(32))",
                   Number->getValue());
  }
  if (auto *Text = dyn_cast<StringInit>(I))
    return quote(Text->getValue());
  if (auto List = getNumbers(I)) {
    for (std::string &Element : *List)
      Element = "AttrLiteral(" + Element + ")";
    return "AttrLiteral(AttrLiteral::List{" + join(*List, ", ") + "})";
  }
  fail("'" + I->getAsString() + "' is not a value of an attribute");
}

std::string PatternEmitter::emitSource(const DagInit &Source) {
  if (!getOperator(Source).isSubClassOf("OpDef"))
    fail("the root of the pattern is not a call");
  return emitDag(Source);
}

void PatternEmitter::emitCaptures() const {
  OS << "  Rule.Captures = {";
  interleave(
      Captures, OS,
      [&](const Capture &C) {
        OS << "{" << C.Pattern << ", "
           << (C.OpClass.empty() ? "nullptr" : "&" + C.OpClass + "::getInfo()")
           << ", " << (C.IsOptional ? "true" : "false") << "}";
      },
      ",\n                   ");
  OS << "};\n";
}
