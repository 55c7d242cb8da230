//===- MatchExplanation.cpp - Why a pattern does not match ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MatchExplanation.h. Reasons are in the order of reading: the expected
// expression, the binding of a name, the found expression.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/MatchExplanation.h"
#include "ExprComparison.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Pattern/Text/PatternText.h"
#include "relay/Text/Parse/Literals.h"
#include "relay/Text/Print/OperationPrinter.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Expressions, in short
//===----------------------------------------------------------------------===//

namespace {

/// Writes expressions with the names that they have in the text.
class ExpressionWriter {
public:
  ExpressionWriter(ValueNames Names, raw_ostream &OS) : Names(Names), OS(OS) {}

  /// Writes `%3`, or for unnamed values the text of writeDefinition().
  void writeUse(ExprRef E);
  /// Writes `%3 = nn.relu(%2)`, `nn.relu(%2), the result of @main`.
  void write(ExprRef E);

private:
  StringRef getName(ExprRef E) const {
    return Names && E.getValue() ? Names(*E.getValue()) : StringRef();
  }
  void writeDefinition(ExprRef E);
  void writeConstant(const Operation &Op);
  void writeArguments(ExprRef E);

  ValueNames Names;
  raw_ostream &OS;
};

} // namespace

/// Prints \p Op with its attributes, without types.
static void printPlain(const Operation &Op, raw_ostream &OS) {
  PrintOptions Options = PrintOptions::forDumps();
  Options.Types = false;
  printOperation(Op, OS, Options);
}

/// Without names, every operand would be written in full.
void ExpressionWriter::writeUse(ExprRef E) {
  if (StringRef Name = getName(E); Name.starts_with("%"))
    OS << Name;
  else if (StringRef Composite = getComposite(E.getOperation());
           !Composite.empty())
    OS << '\'' << Composite << '\'';
  else if (!Names && E.isCall() &&
           !getComposite(E.getCallee().getOperation()).empty())
    OS << '\'' << getComposite(E.getCallee().getOperation()) << "'(...)";
  else if (!Names && E.getCalledOperator())
    OS << E.getCalledOperator()->Name << "(...)";
  else if (!Names && E.getOperation() && !E.isConstant())
    OS << "(...)";
  else
    writeDefinition(E);
}

void ExpressionWriter::writeConstant(const Operation &Op) {
  auto *Ty = dyn_cast_or_null<TensorType>(Op.getType());
  if (Ty && Ty->getRank() == 0)
    return printPlain(Op, OS);
  OS << "constant";
  if (Ty)
    OS << ' ' << *Ty;
}

void ExpressionWriter::writeArguments(ExprRef E) {
  OS << '(';
  llvm::ListSeparator Comma;
  for (unsigned I = 0; I != E.getNumArguments(); ++I) {
    OS << Comma;
    writeUse(E.getArgument(I));
  }
  OS << ')';
}

void ExpressionWriter::writeDefinition(ExprRef E) {
  if (const OpInfo *Op = E.getOperator())
    OS << Op->Name;
  else if (E.getKind() == ExprRef::Kind::Global)
    OS << '@' << E.getSymbol();
  else if (E.getKind() == ExprRef::Kind::Constructor)
    OS << E.getSymbol();
  else if (E.isVariable())
    OS << '%' << E.getVariableName();
  else if (E.getKind() == ExprRef::Kind::Let)
    OS << "let";
  else if (E.isConstant())
    writeConstant(*E.getOperation());
  else if (E.isCall()) {
    writeUse(E.getCallee());
    writeArguments(E);
  } else if (Operation *Op = E.getOperation(OpCode::TupleGetItem)) {
    writeUse(E.getInput(0));
    OS << '.' << TupleGetItemOp(Op).attrs().index();
  } else {
    StringRef Name = E.getOperation()->getName();
    Name.consume_front("relay.");
    OS << Name;
  }
}

void ExpressionWriter::write(ExprRef E) {
  if (const Operation *Bound = E.getLetOperation()) {
    OS << "let %" << Bound->getVarName();
    return;
  }
  StringRef Name = getName(E);
  if (E.isVariable() && !Name.empty()) {
    OS << Name;
    return;
  }
  if (Name.starts_with("%"))
    OS << Name << " = ";
  writeDefinition(E);
  if (Name.starts_with("@"))
    OS << ", the result of " << Name;
}

void relay::writeExpression(raw_ostream &OS, ExprRef E, ValueNames Names) {
  ExpressionWriter(Names, OS).write(E);
}

static std::string toText(ExprRef E, ValueNames Names) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeExpression(OS, E, Names);
  return Text;
}

//===----------------------------------------------------------------------===//
// Expected parts
//===----------------------------------------------------------------------===//

static std::string toText(const PatternNode &Node) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPattern(OS, Node);
  return Text;
}

static std::string describeCall(const PatternNode &Part) {
  const PatternNode &Callee = Part.getChild(0);
  return Callee.is(PatternKind::Operator)
             ? ("a call of `" + Callee.getName() + "`").str()
             : "a call";
}

/// Describes a part of a pattern whose kind differs from the found expression.
static std::string describeKind(const PatternNode &Part) {
  switch (Part.getKind()) {
  case PatternKind::Operator:
    return ("the operator `" + Part.getName() + "`").str();
  case PatternKind::Constant:
    return "a constant";
  case PatternKind::Variable:
    return Part.getName().empty()
               ? "a variable"
               : ("the variable `%" + Part.getName() + "`").str();
  case PatternKind::Call:
    return describeCall(Part);
  case PatternKind::Tuple:
    return "a tuple";
  case PatternKind::TupleGetItem:
    return "a projection";
  case PatternKind::Function:
    return "a function";
  case PatternKind::If:
    return "an `if`";
  case PatternKind::Let:
    return "a `let`";
  case PatternKind::Attributes:
    return "something with attributes";
  default:
    return "`" + toText(Part) + "`";
  }
}

static std::string describeAttribute(const PatternNode &Part, StringRef Name) {
  for (const auto &[Wanted, Value] : Part.getAttributes())
    if (Wanted == Name) {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      OS << "`" << Name << "=";
      Value.print(OS);
      OS << "`";
      return Text;
    }
  return "attributes";
}

static std::string describeType(const PatternNode &Part) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Part.is(PatternKind::Type)) {
    OS << "the type " << *Part.getType();
  } else if (Part.is(PatternKind::DType)) {
    OS << "elements of " << Part.getDType().str();
  } else {
    OS << "the shape (";
    llvm::interleaveComma(Part.getShape(), OS, [&](Dim D) { printDim(OS, D); });
    OS << ')';
  }
  return Text;
}

/// Returns the part of \p Part that must have one value at all occurrences:
/// `%x`.
static std::string describeShared(const PatternNode &Part) {
  return Part.getLabel().empty() ? toText(Part) : ("%" + Part.getLabel()).str();
}

/// Describes the requirement of \p F.Part that is not met.
static std::string describeWanted(const MatchFailure &F) {
  using Reason = MatchFailure::Reason;
  const PatternNode &Part = *F.Part;
  switch (F.Why) {
  case Reason::Kind:
  case Reason::Operator:
    return "expected " + describeKind(Part);
  case Reason::Count:
    return ("expected " + Twine(Part.getList().size()) +
            (Part.is(PatternKind::Call)    ? " arguments"
             : Part.is(PatternKind::Tuple) ? " fields"
                                           : " parameters"))
        .str();
  case Reason::Index:
    return "expected field " + std::to_string(*Part.getIndex());
  case Reason::NotTheSame:
    return "expected the same value as at the other place of `" +
           describeShared(Part) + "`";
  case Reason::NotEqual:
    return "expected a value equal to `" + toText(Part) + "`";
  case Reason::Attribute:
    return "expected " + describeAttribute(Part, F.Attribute);
  case Reason::Type:
    return "expected " + describeType(Part);
  case Reason::NoWay:
    return "a path ends here without reaching the parent, `" +
           toText(Part.getChild(0)) + "`";
  case Reason::NotDominated:
    return "the value that the parent matches also flows elsewhere";
  }
  llvm_unreachable("unknown reason");
}

//===----------------------------------------------------------------------===//
// Found values
//===----------------------------------------------------------------------===//

/// Returns a data type as written in patterns: void is the empty string.
static std::string getDTypeText(DType T) { return T.isVoid() ? "" : T.str(); }

/// Attributes of operators are of float64 and are written like float32, as in
/// Relay text.
static void writeFloatAttr(raw_ostream &OS, Attr Value) {
  char Buffer[MaxNumberLength];
  DType T = Value.getNumberType();
  double Number = Value.getFloat();
  OS << StringRef(Buffer, writeFloat(Buffer, Number, 64) - Buffer)
     << (T == DType::getFloat(64) ? getDoubleSuffix(Number)
                                  : getScalarSuffix(T).value_or(""));
}

/// Writes \p Value as in patterns, if they can require it.
static void writeAttr(raw_ostream &OS, Attr Value) {
  switch (Value.getKind()) {
  case Attr::Kind::None:
    OS << "None";
    return;
  case Attr::Kind::Any:
    OS << '?';
    return;
  case Attr::Kind::Bool:
    return AttrLiteral(Value.getBool()).print(OS);
  case Attr::Kind::Int:
    return AttrLiteral(Value.getInt(), Value.getNumberType()).print(OS);
  case Attr::Kind::Float:
    return writeFloatAttr(OS, Value);
  case Attr::Kind::DType:
    return AttrLiteral(StringRef(getDTypeText(Value.getDType()))).print(OS);
  case Attr::Kind::String:
    return AttrLiteral(Value.getString()).print(OS);
  case Attr::Kind::Array:
    OS << '[';
    llvm::interleaveComma(Value.getArray(), OS,
                          [&](Attr Element) { writeAttr(OS, Element); });
    OS << ']';
    return;
  default:
    OS << "...";
  }
}

/// Returns true if \p E calls an operator that has the attribute \p Name.
static bool hasField(ExprRef E, StringRef Name) {
  const OpInfo *Op = E.getCalledOperator();
  return Op && Op->Attributes &&
         llvm::any_of(Op->Attributes->Fields, [&](const AttrField &Field) {
           return Name == Field.Name;
         });
}

/// Describes the attribute of \p F, and whether it has its default value.
static std::string describeFoundAttr(const MatchFailure &F) {
  Attr Value = getPatternAttr(F.Found, F.Attribute);
  if (!Value && !hasField(F.Found, F.Attribute))
    return ("found no `" + F.Attribute + "`").str();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "found `" << F.Attribute << '=';
  writeAttr(OS, Value);
  OS << '`';
  return Text;
}

/// Returns true if \p F found a variable that a `let` binds but expected
/// another kind of expression, which may be hidden by the `let`.
static bool isHiddenByLet(const MatchFailure &F) {
  using Reason = MatchFailure::Reason;
  return (F.Why == Reason::Kind || F.Why == Reason::Operator ||
          F.Why == Reason::NotEqual) &&
         !F.Part->is(PatternKind::Variable) && F.Found.isVariable() &&
         F.Found.getVariable()->getDefiningOp();
}

/// Returns true if the text of \p E includes its type: `constant Tensor[...]`.
static bool hasTypeInText(ExprRef E) {
  auto *Ty = dyn_cast_or_null<TensorType>(E.getType());
  return E.isConstant() && Ty && Ty->getRank() != 0;
}

/// Describes the found expression as far as \p F requires.
static std::string describeFound(const MatchFailure &F, ValueNames Names) {
  if (F.Why == MatchFailure::Reason::Attribute)
    return describeFoundAttr(F);
  if (isHiddenByLet(F))
    return "found the variable `" + toText(F.Found, Names) +
           "`, which a `let` binds";
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "found `";
  writeExpression(OS, F.Found, Names);
  OS << '`';
  if (F.Why == MatchFailure::Reason::NotTheSame &&
      isEqualConstant(F.Bound, F.Found))
    OS << ", an equal constant but not the same one";
  bool AsksForType = F.Why == MatchFailure::Reason::Type;
  bool TellsType = AsksForType || (F.Why == MatchFailure::Reason::NotEqual &&
                                   !hasTypeInText(F.Found));
  if (const Type *Ty = F.Found.getType(); Ty && TellsType)
    OS << " of type " << *Ty;
  else if (AsksForType)
    OS << " without a type";
  return Text;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

static Diagnostic makeNote(Location Loc, std::string Message) {
  return {Severity::Note, Loc, 0, std::move(Message), {}};
}

MatchExplanation relay::explainMatch(Matcher &Matching, unsigned I, ExprRef E,
                                     ValueNames Names) {
  MatchExplanation Result;
  Result.Tried = toText(E, Names);
  Result.TriedLoc = E.getLoc();
  MatchFailure F;
  Result.Matches = Matching.match(I, E, F);
  if (Result.Matches || !F.Part)
    return Result;
  Result.Reasons.push_back(makeNote(F.Part->getLoc(), describeWanted(F)));
  if (F.Bound)
    Result.Reasons.push_back(
        makeNote(F.Bound.getLoc(), "`" + describeShared(*F.Part) + "` is `" +
                                       toText(F.Bound, Names) + "` there"));
  Result.Reasons.push_back(makeNote(F.Found.getLoc(), describeFound(F, Names)));
  return Result;
}

std::string relay::explainMatch(Matcher &Matching, unsigned I,
                                Operation *Root) {
  MatchExplanation Explanation = explainMatch(
      Matching, I, ExprRef::getDefinition(Root), /*Names=*/nullptr);
  if (Explanation.Matches)
    return "it matches";
  if (Explanation.Reasons.empty())
    return "the patterns take too many steps";
  const DiagnosticEngine &Diags =
      Matching.getFunction().getContext().getDiagnostics();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::ListSeparator Comma;
  for (const Diagnostic &Reason : Explanation.Reasons)
    OS << Comma << Reason.Message;
  if (Location Loc = Explanation.Reasons.back().Loc; Loc.isKnown()) {
    OS << " at ";
    Diags.printLocation(OS, Loc);
  }
  return Text;
}
