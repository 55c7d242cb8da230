//===- ParseAttrPatterns.cpp - Attributes in patterns ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of PatternParser that reads `{groups=1, axes=$p}`, and its checks of
// calls against the declarations of operators.
//
//===----------------------------------------------------------------------===//

#include "PatternParser.h"
#include "relay/IR/Context.h"
#include "relay/Text/Parse/AttrValues.h"
#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Parses `{groups=1, kernel_size=[3, 3], axes=$p}`.
PatternParser::Parsed PatternParser::parseAttributes(const Pattern &Inner) {
  Location Loc = getLoc(T);
  advance();
  std::vector<WantedAttr> Attributes;
  llvm::StringSet<> Seen;
  while (!at(Tok::RBrace)) {
    Token Name = T;
    if (at(Tok::Identifier) && !Seen.insert(Name.text()).second)
      return error(Name, "attribute `" + Name.text() + "` is given twice");
    if (failed(parseAttribute(Inner, Attributes)))
      return failure();
    if (!consumeIf(Tok::Comma))
      break;
  }
  if (failed(expect(Tok::RBrace, "after the attributes")))
    return failure();
  Pattern P = Inner.hasAttrs(std::move(Attributes)).at(Loc);
  if (std::optional<unsigned> Call = lookupCall(Inner.getNode()))
    CallNumbers.try_emplace(&P.getNode(), *Call);
  return P;
}

LogicalResult
PatternParser::parseAttribute(const Pattern &Inner,
                              std::vector<WantedAttr> &Attributes) {
  Token Name = T;
  if (!at(Tok::Identifier))
    return expected("the name of an attribute");
  FailureOr<const AttrField *> Field = checkAttribute(Inner, Name);
  if (failed(Field))
    return failure();
  advance();
  if (failed(expect(Tok::Equal, "after the name of an attribute")))
    return failure();
  if (atAttrName())
    return addAttrName(Inner, *Field);
  Token At = T;
  FailureOr<AttrLiteral> Value = parseAttrValue();
  if (failed(Value) ||
      (*Field && failed(checkAttrValue(Inner, **Field, *Value, At))))
    return failure();
  Attributes.emplace_back(Name.text().str(), std::move(*Value));
  return success();
}

StringRef PatternParser::parseAttrName() {
  const char *End = Lexer::skipName(T.Begin + 1);
  StringRef Name(T.Begin + 1, End - T.Begin - 1);
  Lex.setPosition(End);
  advance();
  return Name;
}

/// Records the name of the value of \p Field, which is null if unknown.
LogicalResult PatternParser::addAttrName(const Pattern &Inner,
                                         const AttrField *Field) {
  Token At = T;
  StringRef Name = parseAttrName();
  At.End = Name.end();
  if (Name.empty())
    return error(At, "expected the name of a value after `$`");
  if (!AllowsAttrNames)
    return error(At,
                 "`$" + Name +
                     "` is allowed only in rules: `rule \"name\" = … -> …`");
  std::optional<unsigned> Call = lookupCall(Inner.getNode());
  if (!Field || !Call)
    return error(At, "`$" + Name +
                         "` names an attribute of a call of an operator: "
                         "`transpose(*){axes=$" +
                         Name + "}`");
  if (Field->Kind == FieldKind::Expr)
    return error(At, "attribute `" + Twine(Field->Name) +
                         "` is an operand; name it with `%name`");
  AttrNames.push_back({Name, getLoc(At), *Call, Field});
  return success();
}

FailureOr<AttrLiteral> PatternParser::parseAttrValue() {
  if (at(Tok::String)) {
    AttrLiteral Value(StringRef(readString(T.text())));
    advance();
    return Value;
  }
  if (atWord("True") || atWord("False")) {
    AttrLiteral Value(atWord("True"));
    advance();
    return Value;
  }
  if (!consumeIf(Tok::LBracket))
    return parseAttrNumber();
  if (Depth == MaxDepth)
    return error(T, "list nested too deep");
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  AttrLiteral::List Elements;
  while (!at(Tok::RBracket)) {
    FailureOr<AttrLiteral> Element = parseAttrValue();
    if (failed(Element))
      return failure();
    Elements.push_back(std::move(*Element));
    if (!consumeIf(Tok::Comma))
      break;
  }
  if (failed(expect(Tok::RBracket, "after the elements")))
    return failure();
  return AttrLiteral(std::move(Elements));
}

FailureOr<AttrLiteral> PatternParser::parseAttrNumber() {
  bool IsNegative = consumeIf(Tok::Minus);
  NumberLiteral N;
  if (at(Tok::Number)) {
    std::string Wrong = readNumber(T.text(), IsNegative, N);
    if (!Wrong.empty())
      return error(T, Wrong);
  } else if (!at(Tok::Identifier) || !readNonFinite(T.text(), IsNegative, N)) {
    return expected("the value of an attribute");
  }
  advance();
  if (N.IsFloat)
    return AttrLiteral(N.getFloat(), N.Ty);
  return AttrLiteral(N.Int, N.Ty);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

std::optional<unsigned>
PatternParser::lookupCall(const PatternNode &Node) const {
  auto It = CallNumbers.find(&Node);
  return It == CallNumbers.end() ? std::nullopt : std::optional(It->second);
}

const OpInfo &PatternParser::getCalledOperator(unsigned Call) const {
  return *Ctx.lookupOp(Calls[Call]->getChild(0).getName());
}

LogicalResult PatternParser::checkOperands(const Pattern &Call,
                                           const Token &At) {
  if (!Call->getChild(0).is(PatternKind::Operator))
    return success();
  return checkOperandCount(*Ctx.lookupOp(Call->getChild(0).getName()),
                           Call->getList().size(), At,
                           "; `(...)` is any number");
}

LogicalResult PatternParser::checkOperandCount(const OpInfo &Op, size_t Count,
                                               const Token &At,
                                               StringRef Hint) {
  if (Op.takesOperands(Count))
    return success();
  return error(
      At, "`" + Op.Name + "` takes " +
              (Op.hasTrait(OpTrait::Variadic) ? "at least " : "") +
              Twine(Op.NumOperands) +
              (Op.NumOperands == 1 ? " operand, not " : " operands, not ") +
              Twine(Count) + Hint);
}

/// Reports \p Name if it cannot be an attribute of the expression that \p Inner
/// matches. Returns the field; null if only the match determines it.
FailureOr<const AttrField *> PatternParser::checkAttribute(const Pattern &Inner,
                                                           const Token &Name) {
  std::optional<unsigned> Call = lookupCall(Inner.getNode());
  if (!Call)
    return static_cast<const AttrField *>(nullptr);
  return findField(getCalledOperator(*Call), Name);
}

/// Returns the field \p Name of \p Op; reports a missing field.
FailureOr<const AttrField *> PatternParser::findField(const OpInfo &Op,
                                                      const Token &Name) {
  SmallVector<StringRef, 16> Known;
  if (Op.Attributes)
    for (const AttrField &Field : Op.Attributes->Fields) {
      if (Name.text() == Field.Name)
        return &Field;
      Known.push_back(Field.Name);
    }
  return error(Name, "`" + Op.Name + "` has no attribute `" + Name.text() + "`")
         << getSuggestion(Name.text(), Known);
}

/// Returns true if a field of \p Kind may equal \p Wanted by the comparison of
/// patterns.
static bool mayBe(PatternParser &P, const AttrField &Field, Attr Wanted) {
  switch (Field.Kind) {
  case FieldKind::Bool:
  case FieldKind::Int:
  case FieldKind::OptInt:
  case FieldKind::Dim:
    return Wanted.isInt() || Wanted.isBool();
  case FieldKind::Double:
    return Wanted.isFloat();
  case FieldKind::String:
    return Wanted.isString();
  case FieldKind::DType:
    return Wanted.isString() && P.findDType(Wanted.getString());
  case FieldKind::IntOrArray:
    return Wanted.isInt() || Wanted.isArray();
  case FieldKind::Constant:
  case FieldKind::Expr:
    return false;
  case FieldKind::Object:
    return true;
  default:
    return Wanted.isArray();
  }
}

/// Reports \p Value if \p Field of the call \p Inner cannot have it.
LogicalResult PatternParser::checkAttrValue(const Pattern &Inner,
                                            const AttrField &Field,
                                            const AttrLiteral &Value,
                                            const Token &At) {
  Attr Wanted = Value.get(Ctx);
  if (mayBe(*this, Field, Wanted))
    return success();
  const OpInfo &Op = getCalledOperator(*lookupCall(Inner.getNode()));
  InFlightDiagnostic D = error(
      At, "attribute `" + Twine(Field.Name) + "` of `" + Op.Name +
              "` expects " + describe(Field.Kind) + ", got " +
              (Wanted.isString() ? "the string \"" + Wanted.getString() + "\""
                                 : Twine(describe(Wanted))));
  if (Field.Kind == FieldKind::DType && Wanted.isString())
    D << suggestDType(Wanted.getString());
  return D;
}
