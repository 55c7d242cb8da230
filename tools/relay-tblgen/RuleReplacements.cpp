//===- RuleReplacements.cpp - Replacements of rules in C++ ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RuleReplacements.h.
//
//===----------------------------------------------------------------------===//

#include "RuleReplacements.h"
#include "Names.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace relay::tblgen;

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
  fail("'" + I->getAsString() + "' is not a value");
}

/// Returns argument \p I: a name, a literal, or, if \p MayCreate, a new
/// operation.
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

/// Records a call of \p Function with arguments of \p Types.
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

/// Returns argument \p I of a constraint in readable form: `$x`, `1`, `[1, 2]`.
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
    fail("'" + Def.getName() + "' is not a Constraint");
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
    fail("'" + Def.getName() + "' is not allowed in a replacement");
  if (Dag.getNumArgs() != 1)
    fail("'value' takes one value,");
  return getArgument(Dag, 0, /*MayCreate=*/true);
}

/// Returns an expression of the attributes that the list \p Dag names: the
/// attributes of the first node, or defaults, with the other entries replaced.
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

/// Returns an expression of the attributes of a call whose operands end before
/// \p First.
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
