//===- PatternPrinter.cpp - Patterns to text ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the grammar of PatternText.h. A node that stands at several places is
// printed at the first one, with a name; the others are the name. Operators
// have no identity that matters.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/PatternText.h"
#include "relay/Text/Literals.h"
#include "relay/Text/Printer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

namespace {

class PatternPrinter {
public:
  PatternPrinter(raw_ostream &OS, const PatternNode &Root);
  void print(const PatternNode &Node);

private:
  void printUnnamed(const PatternNode &Node);
  /// Prints \p Node where only a `postfix` may stand.
  void printPart(const PatternNode &Node);
  void printList(const PatternNode &Node);
  void printThree(StringRef Name, const PatternNode &Node);

  raw_ostream &OS;
  llvm::DenseMap<const PatternNode *, std::string> Names;
  llvm::DenseSet<const PatternNode *> Printed;
};

} // namespace

/// The node that stands for \p Node in the text: a recursive wildcard is the
/// pattern that it is redirected to.
static const PatternNode &resolve(const PatternNode &Node) {
  const PatternNode *N = &Node;
  llvm::SmallPtrSet<const PatternNode *, 4> Seen;
  while (N->is(PatternKind::Wildcard) && !N->getChildren().empty() &&
         Seen.insert(N).second)
    N = &N->getChild(0);
  return *N;
}

/// Gives a name to every node that has a label or several users.
PatternPrinter::PatternPrinter(raw_ostream &OS, const PatternNode &Root)
    : OS(OS) {
  llvm::DenseMap<const PatternNode *, unsigned> Users;
  SmallVector<const PatternNode *> Worklist = {&resolve(Root)};
  SmallVector<const PatternNode *> Nodes;
  Users[Worklist.front()] = 1;
  while (!Worklist.empty()) {
    const PatternNode *Node = Worklist.pop_back_val();
    Nodes.push_back(Node);
    for (const PatternNode *Child : llvm::reverse(Node->getChildren()))
      if (++Users[&resolve(*Child)] == 1)
        Worklist.push_back(&resolve(*Child));
  }
  unsigned Next = 0;
  for (const PatternNode *Node : Nodes) {
    if (!Node->getLabel().empty())
      Names[Node] = Node->getLabel().str();
    else if (Users[Node] > 1 && !Node->is(PatternKind::Operator))
      Names[Node] = std::to_string(Next++);
  }
}

/// Whether what is printed of \p Node is no `postfix`.
static bool isLoose(const PatternNode &Node) {
  switch (Node.getKind()) {
  case PatternKind::Alternative:
  case PatternKind::Type:
  case PatternKind::DType:
  case PatternKind::Shape:
    return true;
  default:
    return false;
  }
}

void PatternPrinter::print(const PatternNode &Unresolved) {
  const PatternNode &Node = resolve(Unresolved);
  auto Name = Names.find(&Node);
  if (Name == Names.end())
    return printUnnamed(Node);
  OS << '%' << Name->second;
  if (!Printed.insert(&Node).second || Node.is(PatternKind::Wildcard))
    return;
  OS << '@';
  if (isLoose(Node))
    OS << '(';
  printUnnamed(Node);
  if (isLoose(Node))
    OS << ')';
}

void PatternPrinter::printList(const PatternNode &Node) {
  OS << '(';
  if (Node.hasAnyNumber())
    OS << "...";
  llvm::ListSeparator Comma;
  for (const PatternNode *Part : Node.getList()) {
    OS << Comma;
    print(*Part);
  }
  if (Node.is(PatternKind::Tuple) && Node.getChildren().size() == 1)
    OS << ',';
  OS << ')';
}

void PatternPrinter::printThree(StringRef Name, const PatternNode &Node) {
  OS << Name << '(';
  llvm::ListSeparator Comma;
  for (const PatternNode *Part : Node.getChildren()) {
    OS << Comma;
    print(*Part);
  }
  OS << ')';
}

/// `is(1f)`
static void printExpression(raw_ostream &OS, const Value &V) {
  PrintOptions Options = PrintOptions::forDumps();
  Options.Types = false;
  Function *F = V.getFunction();
  std::string Text;
  llvm::raw_string_ostream TextOS(Text);
  if (F && F->getForm() == Function::Form::OpenExpression &&
      F->getBody().getResult() == &V)
    printFunction(*F, TextOS, Options);
  else if (auto *Op = dyn_cast<Operation>(&V))
    printOperation(*Op, TextOS, Options);
  else
    TextOS << '%' << cast<BlockArgument>(V).getName();
  OS << "is(" << StringRef(Text).trim() << ')';
}

static void printAttributes(raw_ostream &OS, ArrayRef<WantedAttr> Attributes) {
  OS << '{';
  llvm::ListSeparator Comma;
  for (const auto &[Name, Value] : Attributes) {
    OS << Comma << Name << '=';
    Value.print(OS);
  }
  OS << '}';
}

void PatternPrinter::printUnnamed(const PatternNode &Node) {
  switch (Node.getKind()) {
  case PatternKind::Operator:
    OS << Node.getName();
    return;
  case PatternKind::Wildcard:
    OS << '*';
    return;
  case PatternKind::Constant:
    OS << "const";
    return;
  case PatternKind::Variable:
    OS << "var";
    if (!Node.getName().empty()) {
      llvm::SmallString<16> Name;
      writeString(Name, Node.getName());
      OS << '(' << Name << ')';
    }
    return;
  case PatternKind::Expression:
    return printExpression(OS, *Node.getExpression());
  case PatternKind::Call:
    printPart(Node.getChild(0));
    return printList(Node);
  case PatternKind::Tuple:
    return printList(Node);
  case PatternKind::TupleGetItem:
    printPart(Node.getChild(0));
    OS << '.';
    if (Node.getIndex())
      OS << *Node.getIndex();
    else
      OS << '*';
    return;
  case PatternKind::Function:
    OS << "fn";
    printList(Node);
    OS << " { ";
    print(*Node.getChildren().back());
    OS << " }";
    return;
  case PatternKind::If:
    return printThree("if", Node);
  case PatternKind::Let:
    return printThree("let", Node);
  case PatternKind::Dominator:
    return printThree("dominates", Node);
  case PatternKind::Alternative:
    // The left one is tried first, so that a tree of them prints as it is when
    // it leans to the left.
    print(Node.getChild(0));
    OS << " | ";
    return printPart(Node.getChild(1));
  case PatternKind::Attributes:
    printPart(Node.getChild(0));
    return printAttributes(OS, Node.getAttributes());
  case PatternKind::Type:
    printPart(Node.getChild(0));
    OS << ": ";
    return printType(OS, Node.getType());
  case PatternKind::DType:
    printPart(Node.getChild(0));
    OS << ": dtype(" << Node.getDType().str() << ')';
    return;
  case PatternKind::Shape:
    printPart(Node.getChild(0));
    OS << ": shape(";
    llvm::interleaveComma(Node.getShape(), OS, [&](Dim D) { printDim(OS, D); });
    OS << ')';
    return;
  }
  llvm_unreachable("unknown kind of pattern");
}

void PatternPrinter::printPart(const PatternNode &Unresolved) {
  const PatternNode &Node = resolve(Unresolved);
  if (Names.count(&Node) || !isLoose(Node))
    return print(Node);
  OS << '(';
  printUnnamed(Node);
  OS << ')';
}

void relay::printPattern(raw_ostream &OS, const PatternNode &Node) {
  PatternPrinter(OS, Node).print(Node);
}
