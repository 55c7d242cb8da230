//===- Type.cpp - Relay types ---------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Printing of types, and properties computed from their parts. Context creates
// types.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Context.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

std::optional<int64_t> TensorType::getNumElements() const {
  int64_t Product = 1;
  for (Dim D : Shape) {
    if (!D.isConst() || D.getInt() < 0)
      return std::nullopt;
    if (llvm::MulOverflow(Product, D.getInt(), Product) || Product > int64_t(1)
                                                                         << 62)
      return std::nullopt;
  }
  return Product;
}

//===----------------------------------------------------------------------===//
// Type parameters
//===----------------------------------------------------------------------===//

void TypeParamList::push_back(TypeVarType *Var) {
  Vars.push_back(Var);
  if (Var)
    Var->NumHolders.fetch_add(1, std::memory_order_relaxed);
}

void TypeParamList::release() {
  for (TypeVarType *Var : Vars)
    if (Var && Var->NumHolders.fetch_sub(1, std::memory_order_acq_rel) == 1)
      Var->Ctx.reuseTypeVar(Var);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static StringRef getInfix(DimOp Op) {
  switch (Op) {
  case DimOp::Add:
    return " + ";
  case DimOp::Sub:
    return " - ";
  case DimOp::Mul:
    return "*";
  case DimOp::Div:
    return "/";
  case DimOp::Mod:
    return "%";
  default:
    return "";
  }
}

static void printDimExpr(raw_ostream &OS, Dim D) {
  ArrayRef<Dim> Operands = D.getOperands();
  StringRef Infix = getInfix(D.getOp());
  if (Infix.empty()) {
    OS << getDimOpTypeKey(D.getOp()).drop_front(4) << '(';
    llvm::interleaveComma(Operands, OS, [&](Dim O) { printDim(OS, O); });
    OS << ')';
    return;
  }
  OS << '(';
  printDim(OS, Operands[0]);
  OS << Infix;
  printDim(OS, Operands[1]);
  OS << ')';
}

void relay::printDim(raw_ostream &OS, Dim D) {
  switch (D.getKind()) {
  case Attr::Kind::Any:
    OS << '?';
    return;
  case Attr::Kind::Int:
    OS << D.getInt();
    if (D.getNumberType() == DType::getInt(64))
      OS << "i64";
    return;
  case Attr::Kind::DimVar:
    OS << D.getVarName();
    return;
  case Attr::Kind::DimExpr:
    return printDimExpr(OS, D);
  case Attr::Kind::Object:
    OS << D.getTypeKey().drop_front(4) << "(...)";
    return;
  default:
    OS << "<none>";
  }
}

namespace {
class TypePrinter {
public:
  TypePrinter(raw_ostream &OS, function_ref<void(raw_ostream &, Dim)> PrintDim)
      : OS(OS), PrintDim(PrintDim) {}

  void print(const Type *T) {
    if (!T) {
      OS << "<unknown>";
      return;
    }
    switch (T->getKind()) {
    case Type::Kind::Tensor:
      return printTensor(cast<TensorType>(T));
    case Type::Kind::Tuple:
      return printTuple(cast<TupleType>(T));
    case Type::Kind::Func:
      return printFunc(cast<FuncType>(T));
    case Type::Kind::Ref:
      OS << "ref(";
      print(cast<RefType>(T)->getValueType());
      OS << ')';
      return;
    case Type::Kind::Var:
      OS << cast<TypeVarType>(T)->getName();
      return;
    case Type::Kind::Call:
      OS << cast<TypeCall>(T)->getName() << '[';
      printList(cast<TypeCall>(T)->getArgs());
      OS << ']';
      return;
    case Type::Kind::Incomplete:
      OS << '?' << cast<IncompleteType>(T)->getId();
      return;
    }
  }

private:
  void printList(ArrayRef<Type *> Types) {
    llvm::interleaveComma(Types, OS, [&](const Type *T) { print(T); });
  }

  void printTensor(const TensorType *T) {
    if (T->isScalar()) {
      OS << T->getDType();
      return;
    }
    OS << "Tensor[(";
    llvm::interleaveComma(T->getShape(), OS, [&](Dim D) {
      if (PrintDim)
        PrintDim(OS, D);
      else
        printDim(OS, D);
    });
    OS << "), " << T->getDType() << ']';
  }

  void printTuple(const TupleType *T) {
    OS << '(';
    printList(T->getFields());
    OS << (T->getNumFields() == 1 ? ",)" : ")");
  }

  void printFunc(const FuncType *T) {
    OS << "fn ";
    if (!T->getTypeParams().empty()) {
      OS << '[';
      llvm::interleaveComma(T->getTypeParams(), OS,
                            [&](const Type *P) { print(P); });
      OS << ']';
    }
    OS << '(';
    printList(T->getParams());
    OS << ") -> ";
    print(T->getResult());
  }

  raw_ostream &OS;
  function_ref<void(raw_ostream &, Dim)> PrintDim;
};
} // namespace

void relay::printType(raw_ostream &OS, const Type *T,
                      function_ref<void(raw_ostream &, Dim)> PrintDim) {
  TypePrinter(OS, PrintDim).print(T);
}

std::string relay::toString(const Type *T) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printType(OS, T);
  return Text;
}
