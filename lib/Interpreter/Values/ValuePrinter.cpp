//===- ValuePrinter.cpp - Values as text ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ValuePrinter.h. Lists nest as deep as they are long, so that values are
// printed from a worklist.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Interpreter/Values/Strides.h"
#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void relay::printElement(raw_ostream &OS, const Tensor &T, int64_t I) {
  char Text[MaxNumberLength];
  DType D = T.getDType();
  if (D.isBool())
    OS << (T.getInt(I) ? "True" : "False");
  else if (D.isAnyFloat() && std::isnan(T.getDouble(I)))
    OS << "nan"; // whose sign machines do not agree on
  else if (D.isAnyFloat())
    OS << StringRef(Text, writeFloat(Text, T.getDouble(I),
                                     D.isBFloat() ? 32 : D.getBits()) -
                              Text);
  else if (D.isUInt())
    OS << uint64_t(T.getInt(I));
  else
    OS << T.getInt(I);
}

namespace {
/// Prints the elements of a tensor, row by row, omitting elided ones.
class ElementPrinter {
public:
  ElementPrinter(raw_ostream &OS, const Tensor &T, StringRef RowSeparator)
      : OS(OS), T(T), RowSeparator(RowSeparator),
        IsCut(T.getNumElements() > MaxPrintedElements) {}

  void print() {
    if (T.getRank() == 0)
      return printElement(OS, T, 0);
    if (T.getNumElements() == 0) {
      OS << "[]";
      return;
    }
    Steps = getStrides(T.getShape());
    Place.assign(T.getRank(), 0);
    OS << std::string(T.getRank(), '[');
    do
      printRow();
    while (next());
    OS << std::string(T.getRank(), ']');
  }

private:
  static constexpr int64_t NumEdge = 3;
  bool leavesOut(unsigned Axis) const {
    return IsCut && T.getDim(Axis) > 2 * NumEdge;
  }

  void printRow() {
    unsigned Last = T.getRank() - 1;
    int64_t First = 0;
    for (unsigned Axis = 0; Axis != Last; ++Axis)
      First += Place[Axis] * Steps[Axis];
    for (int64_t I = 0; I != T.getDim(Last); ++I) {
      if (I)
        OS << ", ";
      if (I == NumEdge && leavesOut(Last)) {
        OS << "..., ";
        I = T.getDim(Last) - NumEdge;
      }
      printElement(OS, T, First + I);
    }
  }

  /// Advances to the next row; returns false after the last one.
  bool next() {
    unsigned Axis = T.getRank() - 1;
    while (Axis-- != 0) {
      if (++Place[Axis] != T.getDim(Axis))
        break;
      Place[Axis] = 0;
    }
    if (Axis == ~0u)
      return false;
    unsigned NumClosed = T.getRank() - 1 - Axis;
    OS << std::string(NumClosed, ']') << ',';
    if (Place[Axis] == NumEdge && leavesOut(Axis)) {
      startLine(Axis + 1);
      OS << "...,";
      Place[Axis] = T.getDim(Axis) - NumEdge;
    }
    startLine(Axis + 1);
    OS << std::string(NumClosed, '[');
    return true;
  }
  void startLine(unsigned Indent) {
    OS << RowSeparator;
    if (RowSeparator == "\n")
      OS.indent(Indent);
  }

  raw_ostream &OS;
  const Tensor &T;
  StringRef RowSeparator;
  bool IsCut;
  Strides Steps;
  SmallVector<int64_t, 4> Place; ///< of the row
};
} // namespace

void relay::printElements(raw_ostream &OS, const Tensor &T) {
  ElementPrinter(OS, T, "\n").print();
}

void relay::printTensorType(raw_ostream &OS, const Tensor &T) {
  if (T.getRank() == 0)
    OS << T.getDType();
  else
    OS << "Tensor[" << toString(T.getShape()) << ", " << T.getDType() << ']';
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the text before the fields of \p V, or the text of a value without
/// fields.
static std::string getHead(const RuntimeValue &V) {
  switch (V.getKind()) {
  case RuntimeValue::Kind::Data:
    return V.getConstructor().Name.str();
  case RuntimeValue::Kind::Constructor:
    return V.getConstructor().Name.str();
  case RuntimeValue::Kind::GlobalFunction:
    return ("@" + V.getGlobalFunction().getName()).str();
  case RuntimeValue::Kind::Operator:
    return V.getOperatorInfo().Name.str();
  case RuntimeValue::Kind::Closure:
    return "fn";
  case RuntimeValue::Kind::Reference:
    return "ref";
  case RuntimeValue::Kind::Tuple:
  case RuntimeValue::Kind::Tensor:
    return "";
  }
  llvm_unreachable("covered switch");
}

/// Returns true if the fields of \p V are printed. References may be cyclic.
static bool showsFields(const RuntimeValue &V) {
  return V.isTuple() ||
         (V.is(RuntimeValue::Kind::Data) && !V.getFields().empty());
}

void relay::printValue(raw_ostream &OS, const RuntimeValue &V) {
  if (V.isTensor()) {
    printTensorType(OS, V.getTensor());
    OS << '\n';
    printElements(OS, V.getTensor());
    return;
  }
  struct Item {
    const RuntimeValue *Value;
    StringRef Text; ///< if there is no value
  };
  SmallVector<Item, 16> Worklist = {{&V, ""}};
  int64_t NumPrinted = 0;
  while (!Worklist.empty()) {
    Item Next = Worklist.pop_back_val();
    if (!Next.Value) {
      OS << Next.Text;
      continue;
    }
    if (NumPrinted >= MaxPrintedParts) {
      OS << "...";
      continue;
    }
    ++NumPrinted;
    if (Next.Value->isTensor()) {
      const Tensor &T = Next.Value->getTensor();
      NumPrinted += std::min(T.getNumElements(), MaxPrintedElements);
      ElementPrinter(OS, T, " ").print();
      continue;
    }
    OS << getHead(*Next.Value);
    if (!showsFields(*Next.Value))
      continue;
    ArrayRef<RuntimeValue> Fields = Next.Value->getFields();
    OS << '(';
    Worklist.push_back({nullptr, ")"});
    for (const RuntimeValue &Field : llvm::reverse(Fields)) {
      Worklist.push_back({&Field, ""});
      if (&Field != &Fields.front())
        Worklist.push_back({nullptr, ", "});
    }
  }
}
