//===- PrintOperation.cpp - Expressions of one line -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations without regions, and operands: variables by name, constants and
// references to named symbols in place.
//
//===----------------------------------------------------------------------===//

#include "PrinterImpl.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace relay;

/// Returns true for kinds without a line of their own unless bound by a `let`.
bool Printer::isInlineKind(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::Constant:
  case OpCode::GlobalRef:
  case OpCode::OpRef:
  case OpCode::ConstructorRef:
    return true;
  default:
    return false;
  }
}

bool Printer::hasTypeComment(OpCode C) {
  switch (C) {
  case OpCode::Operator:
  case OpCode::CallGlobal:
  case OpCode::CallValue:
  case OpCode::CallConstructor:
  case OpCode::Tuple:
  case OpCode::TupleGetItem:
  case OpCode::Constant:
  case OpCode::Fn:
    return true;
  default:
    return false;
  }
}

void Printer::printTypeComment(const Value *V, Location Loc) {
  const Type *Ty = Options.Types ? V->getType() : nullptr;
  if (LLVM_LIKELY(!Options.Spans || !Loc.isKnown())) {
    if (Ty)
      Out << getTypeComment(Ty);
    return;
  }
  Out << " /*";
  if (Ty)
    Out << " ty=" << getTypeText(Ty);
  ArrayRef<Span> Spans = Ctx.getDiagnostics().getLocations().getSpans(Loc);
  for (const Span &S : Spans)
    printSpan(S.Source, S.Line, S.Column);
  if (SourceTextRef Text =
          Spans.empty() ? Ctx.getDiagnostics().getSource(Loc) : nullptr) {
    auto [Line, Column] = Ctx.getDiagnostics().getLineAndColumn(Loc);
    printSpan(Text->getBuffer().getBufferIdentifier(), Line, Column);
  }
  Out << " */";
}

/// Prints ` span=source:line:column`, without characters that end or open a
/// comment.
void Printer::printSpan(StringRef Source, int Line, int Column) {
  std::string Printed = Source.str();
  for (size_t I = 0; I != Printed.size(); ++I)
    if (uint8_t(Printed[I]) < 0x20 ||
        (I && (Printed.compare(I - 1, 2, "*/") == 0 ||
               Printed.compare(I - 1, 2, "/*") == 0)))
      Printed[I] = '_';
  Out << " span=" << Printed << ':' << llvm::itostr(Line) << ':'
      << llvm::itostr(Column);
}

void Printer::notePosition(Value &V) {
  if (LLVM_UNLIKELY(bool(Options.OnValue)))
    Options.OnValue(V, Out.tell());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Printer::printOperand(Value *V) {
  if (const ValueName *N = findName(V)) {
    printName(*N);
    return;
  }
  auto *Op = dyn_cast_or_null<Operation>(V);
  if (Op && Op->isFloating() && isInlineKind(*Op)) {
    notePosition(*Op);
    return printInline(Op);
  }
  // Invalid IR in a dump: used before its definition, or undefined.
  Out << (V ? "%undefined" : "%null");
}

void Printer::printInline(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Constant:
    return printConstant(Op);
  case OpCode::GlobalRef:
    Out << '@';
    [[fallthrough]];
  default:
    Out << Op->getAttrsAs<SymbolAttrs>().symbol();
    return;
  }
}

void Printer::printOperands(Operation *Op, unsigned From) {
  for (unsigned I = From, E = Op->getNumOperands(); I != E; ++I) {
    if (I != From)
      Out << ", ";
    printOperand(Op->getOperand(I));
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Prints `(%a, %b, dtype="int8")`: operands from \p From on, then \p
/// Attributes, which begin with a comma.
void Printer::printArguments(Operation *Op, unsigned From,
                             StringRef Attributes) {
  Out << '(';
  printOperands(Op, From);
  bool First = From == Op->getNumOperands();
  Out << Attributes.drop_front(First && !Attributes.empty() ? 2 : 0) << ')';
}

/// Prints the expression of \p Op, which has no regions, followed by its type.
void Printer::printExpression(Operation *Op) {
  notePosition(*Op);
  switch (Op->getCode()) {
  case OpCode::Operator:
    Out << Op->getName();
    printArguments(Op, 0, getAttrsText(*Op));
    break;
  case OpCode::CallGlobal: {
    const auto &A = Op->getAttrsAs<CallGlobalAttrs>();
    Out << '@' << A.callee();
    printArguments(Op, 0, getCallAttrsText(A.attributes()));
    break;
  }
  case OpCode::CallValue:
    printOperand(Op->getOperand(0));
    printArguments(
        Op, 1, getCallAttrsText(Op->getAttrsAs<CallValueAttrs>().attributes()));
    break;
  case OpCode::CallConstructor: {
    const auto &A = Op->getAttrsAs<CallConstructorAttrs>();
    Out << A.constructor();
    if (Op->getNumOperands() || A.attributes())
      printArguments(Op, 0, getCallAttrsText(A.attributes()));
    break;
  }
  case OpCode::Tuple:
    printArguments(Op, 0, Op->getNumOperands() == 1 ? "," : "");
    break;
  case OpCode::TupleGetItem:
    printOperand(Op->getOperand(0));
    // `%a.0` may be the name of a variable.
    Out << (HasDottedNames ? " ." : ".")
        << uint32_t(Op->getAttrsAs<TupleGetItemAttrs>().index());
    break;
  case OpCode::RefCreate:
    Out << "ref";
    return printArguments(Op, 0, "");
  case OpCode::RefRead:
  case OpCode::RefWrite:
    Out << (Op->is(OpCode::RefRead) ? "ref_read" : "ref_write");
    return printArguments(Op, 0, "");
  case OpCode::Alias:
    return printOperand(Op->getOperand(0));
  default:
    return printInline(Op);
  }
  printTypeComment(Op, Op->getLoc());
}
