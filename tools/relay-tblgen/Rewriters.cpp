//===- Rewriters.cpp - -gen-rewriters -------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes X.h.inc of X.td, which declares rules and patterns: declarations of
// the C++ functions that they name, and, where RELAY_DEFINE_RULES is defined,
// for each rule a function that makes its pattern, one that checks the
// constraints, one that names the constraint that fails, and one that makes the
// replacement.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "OpRecord.h"
#include "RewriteRecord.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"
#include <map>

using namespace llvm;
using namespace relay::tblgen;

namespace {

/// What `$name` stands for.
struct RuleVariable {
  std::string Type;    ///< in C++
  std::string Access;  ///< its value, given the match `M`
  std::string Pattern; ///< its part of the pattern; empty for an attribute
  const Record *Op = nullptr; ///< its operator, if it names a call
};

/// A value in generated code.
struct TypedExpression {
  std::string Type, Text;
  const Record *Op = nullptr;
};

/// What has to hold where the pattern matches.
struct RuleCondition {
  std::string Text; ///< in C++
  std::string Name; ///< for people
};

/// What the parts of a rule or pattern have in common.
class DagReader {
protected:
  explicit DagReader(const Record &R) : R(R) {}

  [[noreturn]] void fail(const Twine &Message) const {
    PrintFatalError(&R, Message + " in '" + R.getName() + "'");
  }
  const Record &getOperator(const DagInit &Dag) const {
    auto *Def = dyn_cast<DefInit>(Dag.getOperator());
    if (!Def)
      fail("'" + Dag.getOperator()->getAsString() + "' is no operator");
    return *Def->getDef();
  }
  /// The name behind the operator, `$a` of `(AddOp:$a …)`; empty for none.
  static StringRef getName(const DagInit &Dag) {
    return Dag.getName() ? Dag.getName()->getValue() : StringRef();
  }
  static bool isCallOf(const Init *I, StringRef Name) {
    auto *Dag = dyn_cast<DagInit>(I);
    auto *Def = Dag ? dyn_cast<DefInit>(Dag->getOperator()) : nullptr;
    return Def && Def->getDef()->getName() == Name;
  }
  /// The numbers of `ints<[1, 1]>`; none if \p I is something else.
  static std::optional<std::vector<std::string>> getNumbers(const Init *I) {
    auto *Def = dyn_cast<DefInit>(I);
    if (!Def || !Def->getDef()->isSubClassOf("ints"))
      return std::nullopt;
    std::vector<std::string> Numbers;
    for (int64_t Number : Def->getDef()->getValueAsListOfInts("Values"))
      Numbers.push_back(std::to_string(Number));
    return Numbers;
  }
  void checkPlainArgument(const DagInit &Dag, unsigned I) const {
    if (Dag.getArgName(I) && !isa<UnsetInit>(Dag.getArg(I)))
      fail("'$" + Dag.getArgName(I)->getValue() +
           "' stands behind an argument, not behind its operator,");
  }
  static bool isTuple(const OpRecord &Op) { return Op.getCode() == "Tuple"; }
  /// How many arguments of \p Dag are operands of \p Op, which it calls, in a
  /// pattern or a replacement, as \p Where says.
  unsigned getNumOperands(const DagInit &Dag, const OpRecord &Op,
                          StringRef Where) const {
    if (!Op.isOperator() && !isTuple(Op) && Op.getCode() != "TupleGetItem")
      fail("'" + Op.getClassName() + "' cannot stand in a " + Where);
    if (isTuple(Op))
      return Dag.getNumArgs();
    if (Op.isVariadic())
      fail("'" + Op.getClassName() + "', which takes any number of operands,");
    unsigned NumOperands = Op.getOperands().size();
    if (Dag.getNumArgs() < NumOperands)
      fail("'" + Op.getClassName() + "' takes " + Twine(NumOperands) +
           " operands, not " + Twine(Dag.getNumArgs()));
    return NumOperands;
  }
  static std::vector<FieldRecord> getFields(const OpRecord &Op) {
    return Op.getAttributes() ? Op.getAttributes()->getOwnFields()
                              : std::vector<FieldRecord>();
  }
  const FieldRecord &getField(const OpRecord &Op,
                              const std::vector<FieldRecord> &Fields,
                              StringRef Name) const {
    auto It = find_if(Fields, [&](const FieldRecord &Field) {
      return Field.getName() == Name;
    });
    if (It == Fields.end())
      fail("'" + Op.getClassName() + "' has no attribute '" + Name + "'");
    return *It;
  }

  const Record &R;
};

/// Makes the pattern of a rule, and knows its names.
class PatternEmitter : public DagReader {
public:
  PatternEmitter(const Record &R, raw_ostream &OS) : DagReader(R), OS(OS) {}

  /// Writes what makes \p Source and returns the variable that holds it.
  std::string emitSource(const DagInit &Source);
  /// Writes the list of what the match has to tell.
  void emitCaptures() const;
  const MapVector<StringRef, RuleVariable> &getVariables() const {
    return Variables;
  }
  /// Attributes that have to be the same.
  ArrayRef<RuleCondition> getConditions() const { return Conditions; }

private:
  struct Capture {
    std::string Pattern, OpClass;
    bool IsOptional;
  };

  std::string emitLocal(const Twine &Value);
  std::string emitArgument(const DagInit &Dag, unsigned I);
  std::string emitDag(const DagInit &Dag);
  std::string emitCall(const DagInit &Dag, const OpRecord &Op);
  std::string emitEither(const DagInit &Dag);
  std::string emitTyped(const DagInit &Dag, StringRef Method);
  void emitAttributes(const DagInit &Dag, const OpRecord &Op, unsigned First,
                      std::string &Node, unsigned Call);
  void emitAttribute(const OpRecord &Op, const FieldRecord &Field,
                     const Init *Value, StringRef Name, std::string &Node,
                     unsigned Call);
  std::string getLiteral(const Init *I, bool IsBool) const;
  void checkKind(const OpRecord &Op, const FieldRecord &Field,
                 const Init *Value) const;
  unsigned addCapture(StringRef Pattern, StringRef OpClass);
  void addVariable(StringRef Name, RuleVariable Variable);
  void addAttributeVariable(StringRef Name, RuleVariable Variable);

  raw_ostream &OS;
  unsigned NumLocals = 0, AlternativeDepth = 0;
  std::vector<Capture> Captures;
  MapVector<StringRef, RuleVariable> Variables;
  std::vector<RuleCondition> Conditions;
};

/// The C++ functions that rules name, each once for each type that it is used
/// with.
class NativeDeclarations {
public:
  /// Notes that \p Function is called with arguments of \p Types.
  void add(const NativeFunctionRecord &Function, ArrayRef<std::string> Types) {
    std::string Parameters = join(Types, ", ");
    if (!Function.isConstraint())
      Parameters = "Rewriter &R" + (Types.empty() ? "" : ", " + Parameters);
    std::string Type = Function.getType().str();
    if (!StringRef(Type).ends_with("*") && !StringRef(Type).ends_with("&"))
      Type += " ";
    Declarations.insert(
        {Type + Function.getFunction().str() + "(" + Parameters + ");", 0});
  }
  void emit(raw_ostream &OS) const {
    for (const auto &[Declaration, Unused] : Declarations)
      OS << Declaration << '\n';
  }

private:
  MapVector<std::string, char, std::map<std::string, unsigned>> Declarations;
};

/// Makes the constraints and the replacement of a rule.
class ReplacementEmitter : public DagReader {
public:
  ReplacementEmitter(const Record &R, const PatternEmitter &Source,
                     NativeDeclarations &Natives, raw_ostream &OS)
      : DagReader(R), Natives(Natives), OS(OS) {
    for (const auto &[Name, V] : Source.getVariables())
      Known[Name] = {V.Type, "Arg_" + Name.str(), V.Op};
  }

  RuleCondition getConstraint(const DagInit &Dag);
  /// Writes what makes \p Result and returns an expression of it.
  std::string emitResult(const DagInit &Result);

private:
  static std::string getArgumentName(const DagInit &Dag, unsigned I);
  TypedExpression getArgument(const DagInit &Dag, unsigned I, bool MayCreate);
  TypedExpression getLiteral(const Init *I) const;
  TypedExpression emitDag(const DagInit &Dag);
  TypedExpression emitCall(const DagInit &Dag, const OpRecord &Op);
  TypedExpression emitNative(const DagInit &Dag, const Record &Def);
  std::string getAttributes(const DagInit &Dag, const OpRecord &Op,
                            unsigned First);
  std::string getNamedAttributes(const DagInit &Dag, const OpRecord &Op);
  TypedExpression emitLocal(StringRef Name, TypedExpression Value);
  void addNative(const NativeFunctionRecord &Function,
                 std::vector<std::string> Types);

  NativeDeclarations &Natives;
  raw_ostream &OS;
  StringMap<TypedExpression> Known;
  unsigned NumLocals = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

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

/// An attribute that is named a second time has to have the same value.
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
    fail("'" + Argument->getAsString() + "' is no pattern");
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
    fail("'" + Dag.getArg(0)->getAsString() + "' is no type for '" +
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
    fail("'" + Def.getName() + "' cannot stand in a pattern");
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

/// Writes what is asked of the attributes of the call \p Node, which becomes
/// the pattern that asks for it.
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
                          getLiteral(Value, Field.getKind() == "Bool")));
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

/// Reports \p Value if no \p Field ever has it, so that the pattern would never
/// match.
void PatternEmitter::checkKind(const OpRecord &Op, const FieldRecord &Field,
                               const Init *Value) const {
  StringRef Kind = Field.getKind();
  bool Fits = true;
  if (isa<StringInit>(Value))
    Fits = Kind == "String";
  else if (isa<IntInit>(Value))
    Fits = Kind == "Int" || Kind == "OptInt" || Kind == "Bool" ||
           Kind == "Dim" || Kind == "IntOrArray" || Kind == "Object";
  else if (getNumbers(Value))
    Fits = Kind == "DimArray" || Kind == "IntArray" || Kind == "IntOrArray" ||
           Kind == "Object";
  if (!Fits)
    fail("attribute '" + Field.getName() + "' of '" + Op.getClassName() +
         "', " + Field.getDescription() + ", is never '" +
         Value->getAsString() + "'");
}

std::string PatternEmitter::getLiteral(const Init *I, bool IsBool) const {
  if (auto *Number = dyn_cast<IntInit>(I)) {
    if (IsBool)
      return Number->getValue() ? "true" : "false";
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
  fail("'" + I->getAsString() + "' is no value of an attribute");
}

std::string PatternEmitter::emitSource(const DagInit &Source) {
  if (!getOperator(Source).isSubClassOf("OpDef"))
    fail("the root of the pattern is no call");
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

//===----------------------------------------------------------------------===//
// Constraints and replacements
//===----------------------------------------------------------------------===//

TypedExpression ReplacementEmitter::emitLocal(StringRef Name,
                                              TypedExpression Value) {
  std::string Local = "V" + std::to_string(NumLocals++);
  OS << "  auto " << Local << " = " << Value.Text << ";\n";
  Value.Text = Local;
  if (!Name.empty() && !Known.insert({Name, Value}).second)
    fail("'$" + Name + "' is named twice");
  return Value;
}

TypedExpression ReplacementEmitter::getLiteral(const Init *I) const {
  if (auto *Number = dyn_cast<IntInit>(I))
    return {"int64_t", formatv("int64_t({0})", Number->getValue()), nullptr};
  if (auto *Text = dyn_cast<StringInit>(I))
    return {"StringRef", "StringRef(" + quote(Text->getValue()) + ")", nullptr};
  if (auto List = getNumbers(I))
    return {"std::initializer_list<int64_t>",
            "std::initializer_list<int64_t>{" + join(*List, ", ") + "}",
            nullptr};
  fail("'" + I->getAsString() + "' is no value");
}

/// Argument \p I: a name, a literal, or, if \p MayCreate, what is made anew.
TypedExpression ReplacementEmitter::getArgument(const DagInit &Dag, unsigned I,
                                                bool MayCreate) {
  const Init *Argument = Dag.getArg(I);
  if (isa<UnsetInit>(Argument) && Dag.getArgName(I)) {
    auto It = Known.find(Dag.getArgName(I)->getValue());
    if (It == Known.end())
      fail("the pattern does not name '$" + Dag.getArgName(I)->getValue() +
           "', which stands");
    return It->second;
  }
  if (auto *Inner = dyn_cast<DagInit>(Argument)) {
    if (!MayCreate)
      fail("a constraint takes names and literals, not '" +
           Inner->getAsString() + "',");
    return emitDag(*Inner);
  }
  return getLiteral(Argument);
}

/// Notes that \p Function is called with arguments of \p Types.
void ReplacementEmitter::addNative(const NativeFunctionRecord &Function,
                                   std::vector<std::string> Types) {
  std::vector<StringRef> Declared = Function.getParameters();
  if (!Declared.empty() && Declared.size() != Types.size())
    fail("'" + Function.getFunction() + "' takes " + Twine(Declared.size()) +
         " arguments, not " + Twine(Types.size()) + ",");
  if (!Declared.empty())
    Types.assign(Declared.begin(), Declared.end());
  Natives.add(Function, Types);
}

/// Argument \p I of a constraint for people: `$x`, `1`, `[1, 2]`.
std::string ReplacementEmitter::getArgumentName(const DagInit &Dag,
                                                unsigned I) {
  const Init *Argument = Dag.getArg(I);
  if (isa<UnsetInit>(Argument) && Dag.getArgName(I))
    return "$" + Dag.getArgName(I)->getValue().str();
  if (auto List = getNumbers(Argument))
    return "[" + join(*List, ", ") + "]";
  return Argument->getAsString();
}

RuleCondition ReplacementEmitter::getConstraint(const DagInit &Dag) {
  const Record &Def = getOperator(Dag);
  if (!Def.isSubClassOf("Constraint"))
    fail("'" + Def.getName() + "' is no Constraint");
  std::vector<std::string> Types, Arguments, Names;
  for (unsigned I = 0; I != Dag.getNumArgs(); ++I) {
    TypedExpression Argument = getArgument(Dag, I, /*MayCreate=*/false);
    Types.push_back(Argument.Type);
    Arguments.push_back(Argument.Text);
    Names.push_back(getArgumentName(Dag, I));
  }
  NativeFunctionRecord Function(Def);
  addNative(Function, Types);
  std::string Callee = Function.getFunction().str();
  return {Callee + "(" + join(Arguments, ", ") + ")",
          Callee + "(" + join(Names, ", ") + ")"};
}

TypedExpression ReplacementEmitter::emitNative(const DagInit &Dag,
                                               const Record &Def) {
  std::vector<std::string> Types, Arguments = {"R"};
  for (unsigned I = 0; I != Dag.getNumArgs(); ++I) {
    TypedExpression Argument = getArgument(Dag, I, /*MayCreate=*/true);
    Types.push_back(Argument.Type);
    Arguments.push_back(Argument.Text);
  }
  NativeFunctionRecord Function(Def);
  addNative(Function, Types);
  return emitLocal(
      getName(Dag),
      {Function.getType().str(),
       (Function.getFunction() + "(" + join(Arguments, ", ") + ")").str(),
       nullptr});
}

TypedExpression ReplacementEmitter::emitDag(const DagInit &Dag) {
  const Record &Def = getOperator(Dag);
  if (Def.isSubClassOf("NativeCode"))
    return emitNative(Dag, Def);
  if (Def.isSubClassOf("OpDef"))
    return emitCall(Dag, OpRecord(Def));
  if (Def.getName() != "value")
    fail("'" + Def.getName() + "' cannot stand in a replacement");
  if (Dag.getNumArgs() != 1)
    fail("'value' takes one value,");
  return getArgument(Dag, 0, /*MayCreate=*/true);
}

/// What makes the attributes that the list \p Dag names: those of the node that
/// comes first, or defaults, but for the others.
std::string ReplacementEmitter::getNamedAttributes(const DagInit &Dag,
                                                   const OpRecord &Op) {
  std::vector<FieldRecord> Fields = getFields(Op);
  std::string Class = Op.getAttributes()->getClassName().str();
  std::string Builder = Class + "::Builder(R.getContext())";
  StringRef FirstName = Dag.getNumArgs() && Dag.getArgName(0)
                            ? Dag.getArgName(0)->getValue()
                            : StringRef();
  auto From = Known.find(FirstName);
  bool HasNode = Dag.getNumArgs() && isa<UnsetInit>(Dag.getArg(0)) &&
                 From != Known.end() && From->second.Op;
  if (HasNode) {
    OpRecord FromOp(*From->second.Op);
    if (!FromOp.getAttributes() ||
        FromOp.getAttributes()->getClassName() != Class)
      fail("'$" + FirstName + "' has no attributes for '" + Op.getClassName() +
           "'");
    Builder = From->second.Text + ".attrs().toBuilder(R.getContext())";
  }
  for (unsigned I = HasNode; I != Dag.getNumArgs(); ++I) {
    if (!Dag.getArgName(I))
      fail("an attribute of '" + Op.getClassName() + "' has no name");
    const FieldRecord &Field =
        getField(Op, Fields, Dag.getArgName(I)->getValue());
    Builder += "." + Field.getLowerCamel() + "(" +
               getArgument(Dag, I, /*MayCreate=*/true).Text + ")";
  }
  return Builder + ".get()";
}

/// What makes the attributes of a call whose operands end before \p First.
std::string ReplacementEmitter::getAttributes(const DagInit &Dag,
                                              const OpRecord &Op,
                                              unsigned First) {
  std::vector<FieldRecord> Fields = getFields(Op);
  unsigned NumGiven = Dag.getNumArgs() - First;
  if (NumGiven > Fields.size() && !isCallOf(Dag.getArg(First), "attrs"))
    fail("'" + Op.getClassName() + "' has " + Twine(Fields.size()) +
         " attributes, not " + Twine(NumGiven));
  if (!Op.getAttributes())
    return "";
  if (NumGiven == 1 && isCallOf(Dag.getArg(First), "attrs"))
    return ", " + getNamedAttributes(*cast<DagInit>(Dag.getArg(First)), Op);
  for (unsigned I = NumGiven; I != Fields.size(); ++I)
    if (!Fields[I].getDefault())
      fail("the attribute '" + Fields[I].getName() + "' of '" +
           Op.getClassName() + "' is missing");
  std::string Builder = ", " + Op.getAttributes()->getClassName().str() +
                        "::Builder(R.getContext())";
  for (unsigned I = 0; I != NumGiven; ++I)
    Builder += "." + Fields[I].getLowerCamel() + "(" +
               getArgument(Dag, First + I, /*MayCreate=*/true).Text + ")";
  return Builder + ".get()";
}

TypedExpression ReplacementEmitter::emitCall(const DagInit &Dag,
                                             const OpRecord &Op) {
  bool IsTuple = isTuple(Op);
  unsigned NumOperands = getNumOperands(Dag, Op, "replacement");
  std::vector<std::string> Operands;
  for (unsigned I = 0; I != NumOperands; ++I) {
    checkPlainArgument(Dag, I);
    Operands.push_back(getArgument(Dag, I, /*MayCreate=*/true).Text);
  }
  std::string List = join(Operands, ", ");
  if (IsTuple)
    List = "ArrayRef<Value *>({" + List + "})";
  std::string Attributes = getAttributes(Dag, Op, NumOperands);
  if (List.empty())
    Attributes = StringRef(Attributes).drop_front(Attributes.empty() ? 0 : 2);
  std::string Create =
      formatv("R.create<{0}>({1}{2})", Op.getClassName(), List, Attributes);
  return emitLocal(getName(Dag),
                   {Op.getClassName().str(), Create, &Op.getRecord()});
}

std::string ReplacementEmitter::emitResult(const DagInit &Result) {
  return emitDag(Result).Text;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static void emitVariables(const PatternEmitter &Source, raw_ostream &OS) {
  for (const auto &[Name, V] : Source.getVariables())
    OS << "  [[maybe_unused]] " << V.Type
       << (StringRef(V.Type).ends_with("*") ? "" : " ") << "Arg_" << Name
       << " = " << V.Access << ";\n";
}

/// Writes the function that names the first of \p Conditions that fails.
static void emitNameFailed(const RewriteRecord &Rule,
                           const PatternEmitter &Source,
                           ArrayRef<RuleCondition> Conditions,
                           raw_ostream &OS) {
  OS << formatv("static std::string nameFailedOf{0}("
                "[[maybe_unused]] const RuleMatch &M) {{\n",
                Rule.getName());
  emitVariables(Source, OS);
  for (const RuleCondition &C : Conditions)
    OS << formatv("  if (!({0}))\n    return {1};\n", C.Text, quote(C.Name));
  OS << "  return \"\";\n}\n";
}

/// Writes the function that checks the constraints; true if there are any, of
/// which another function then tells.
static bool emitCheck(const RewriteRecord &Rule, const PatternEmitter &Source,
                      NativeDeclarations &Natives, raw_ostream &OS) {
  std::vector<RuleCondition> Conditions(Source.getConditions());
  ReplacementEmitter Constraints(Rule.getRecord(), Source, Natives, OS);
  for (const DagInit *Dag : Rule.getConstraints())
    Conditions.push_back(Constraints.getConstraint(*Dag));
  OS << formatv("static bool check{0}([[maybe_unused]] const RuleMatch &M) "
                "{{\n",
                Rule.getName());
  emitVariables(Source, OS);
  OS << "  return ";
  interleave(
      Conditions, OS, [&](const RuleCondition &C) { OS << C.Text; },
      " &&\n         ");
  OS << (Conditions.empty() ? "true" : "") << ";\n}\n";
  if (!Conditions.empty())
    emitNameFailed(Rule, Source, Conditions, OS);
  return !Conditions.empty();
}

static void emitBuild(const RewriteRecord &Rule, const PatternEmitter &Source,
                      NativeDeclarations &Natives, raw_ostream &OS) {
  OS << formatv("static Value *build{0}([[maybe_unused]] Rewriter &R,\n"
                "    [[maybe_unused]] const RuleMatch &M) {{\n",
                Rule.getName());
  emitVariables(Source, OS);
  ReplacementEmitter Result(Rule.getRecord(), Source, Natives, OS);
  std::string Value = Result.emitResult(Rule.getResult());
  OS << "  return " << Value << ";\n}\n";
}

/// Writes the functions that make the examples of \p Rule.
static void emitExamples(const RewriteRecord &Rule, raw_ostream &OS) {
  for (auto [I, Example] : enumerate(Rule.getExamples())) {
    OS << formatv("static Pattern makeExample{0}Of{1}() {{\n", I,
                  Rule.getName());
    PatternEmitter Pattern(Rule.getRecord(), OS);
    std::string Root = Pattern.emitSource(*Example);
    OS << "  return " << Root << ";\n}\n";
  }
}

static void emitRule(const RewriteRecord &Rule, NativeDeclarations &Natives,
                     raw_ostream &OS) {
  std::string Make;
  raw_string_ostream MakeOS(Make);
  PatternEmitter Source(Rule.getRecord(), MakeOS);
  std::string Root = Source.emitSource(Rule.getSource());
  MakeOS << formatv("  RewriteRule Rule({0}, {1}, {2});\n",
                    quote(Rule.getName()), quote(Rule.getSummary()), Root);
  Source.emitCaptures();
  MakeOS << formatv("  Rule.Benefit = {0};\n  Rule.SharesInner = {1};\n"
                    "  Rule.Check = check{2};\n  Rule.Build = build{2};\n",
                    Rule.getBenefit(), Rule.sharesInner() ? "true" : "false",
                    Rule.getName());
  OS << "\n// " << Rule.getName() << '\n';
  if (emitCheck(Rule, Source, Natives, OS))
    MakeOS << formatv("  Rule.NameFailed = nameFailedOf{0};\n", Rule.getName());
  for (StringRef Numbers : Rule.getExcepted())
    MakeOS << formatv("  Rule.Except |= ExceptedNumbers::{0};\n", Numbers);
  for (size_t I = 0, E = Rule.getExamples().size(); I != E; ++I)
    MakeOS << formatv("  Rule.Examples.push_back(makeExample{0}Of{1}());\n", I,
                      Rule.getName());
  MakeOS << "  return Rule;\n";
  emitBuild(Rule, Source, Natives, OS);
  emitExamples(Rule, OS);
  OS << formatv("static RewriteRule make{0}() {{\n", Rule.getName()) << Make
     << "}\n";
}

static void emitRules(const RewriteFile &File, NativeDeclarations &Natives,
                      raw_ostream &OS) {
  if (File.getRules().empty())
    return;
  OS << formatv("\nnamespace {0}RuleDetail {{\n", File.getStem());
  for (const RewriteRecord &Rule : File.getRules())
    emitRule(Rule, Natives, OS);
  OS << formatv("\n} // namespace {0}RuleDetail\n\n"
                "std::vector<RewriteRule> get{0}Rules() {{\n"
                "  std::vector<RewriteRule> Rules;\n",
                File.getStem());
  for (const RewriteRecord &Rule : File.getRules())
    OS << formatv("  Rules.push_back({0}RuleDetail::make{1}());\n",
                  File.getStem(), Rule.getName());
  OS << "  return Rules;\n}\n";
}

static void emitPatterns(const RewriteFile &File, raw_ostream &OS) {
  if (File.getPatterns().empty())
    return;
  OS << formatv("\nnamespace {0}PatternDetail {{\n", File.getStem());
  for (auto [I, Named] : enumerate(File.getPatterns())) {
    OS << formatv("\nstatic Pattern makePattern{0}() {{\n", I);
    PatternEmitter Source(Named.getRecord(), OS);
    std::string Root = Source.emitSource(Named.getSource());
    for (const auto &[Name, V] : Source.getVariables())
      if (!V.Pattern.empty())
        OS << formatv("  {0}.as({1});\n", V.Pattern, quote(Name));
    OS << "  return " << Root << ";\n}\n";
  }
  OS << formatv("\n} // namespace {0}PatternDetail\n\n"
                "std::vector<NamedPattern> get{0}Patterns() {{\n"
                "  std::vector<NamedPattern> Patterns;\n",
                File.getStem());
  for (auto [I, Named] : enumerate(File.getPatterns()))
    OS << formatv("  Patterns.push_back({{{0}, "
                  "{1}PatternDetail::makePattern{2}()});\n",
                  quote(Named.getName()), File.getStem(), I);
  OS << "  return Patterns;\n}\n";
}

static void emitRewriterDeclarations(const RewriteFile &File,
                                     const NativeDeclarations &Natives,
                                     raw_ostream &OS) {
  OS << formatv("\n#ifndef RELAY_RULES_{0}\n#define RELAY_RULES_{0}\n\n"
                "#include \"relay/IR/Core.h\"\n"
                "#include \"relay/Pattern/Text/PatternText.h\"\n"
                "#include \"relay/Pattern/Rewrite/RewriteRule.h\"\n\n"
                "namespace relay {{\n\n",
                File.getStem());
  Natives.emit(OS);
  if (!File.getRules().empty())
    OS << formatv("\n/// The rules of {0}.td, in its order.\n"
                  "std::vector<RewriteRule> get{0}Rules();\n",
                  File.getStem());
  if (!File.getPatterns().empty())
    OS << formatv("\n/// The patterns of {0}.td, in its order.\n"
                  "std::vector<NamedPattern> get{0}Patterns();\n",
                  File.getStem());
  OS << formatv("\n} // namespace relay\n\n#endif // RELAY_RULES_{0}\n",
                File.getStem());
}

static void emitRewriters(RecordKeeper &Records, raw_ostream &OS) {
  RewriteFile File(Records);
  NativeDeclarations Natives;
  std::string Definitions;
  raw_string_ostream DefinitionsOS(Definitions);
  emitRules(File, Natives, DefinitionsOS);
  emitPatterns(File, DefinitionsOS);
  emitSourceFileHeader("Rules and patterns", OS, Records);
  emitRewriterDeclarations(File, Natives, OS);
  OS << "\n#ifdef RELAY_DEFINE_RULES\n#undef RELAY_DEFINE_RULES\n\n"
        "namespace relay {\n"
     << Definitions
     << "\n} // namespace relay\n\n#endif // RELAY_DEFINE_RULES\n";
}

static TableGen::Emitter::Opt
    GenRewriters("gen-rewriters", emitRewriters,
                 "Write rules and patterns and declare their functions");
