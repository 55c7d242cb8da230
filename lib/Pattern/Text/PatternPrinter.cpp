//===- PatternPrinter.cpp - Patterns to text ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the grammar of PatternText.h. A node that occurs several times is
// printed with a name at its first occurrence, and as the name at others. Names
// come from the nodes, changed if they are taken or invalid in text. An
// operator node that is used twice is printed twice, without a name.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Text/PatternText.h"
#include "relay/Text/Parse/Lexer.h"
#include "relay/Text/Parse/Literals.h"
#include "relay/Text/Print/OperationPrinter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace relay;

namespace {

class PatternPrinter {
public:
  PatternPrinter(raw_ostream &OS, const PatternNode &Root);
  void print(const PatternNode &Node);

private:
  void giveNames(ArrayRef<const PatternNode *> Nodes,
                 const llvm::DenseMap<const PatternNode *, unsigned> &Users);
  std::string makeUnique(StringRef Label);
  void printUnnamed(const PatternNode &Node);
  void printEnclosed(const PatternNode &Node, bool InParentheses);
  /// Prints \p Node as a `postfix`.
  void printPart(const PatternNode &Node);
  /// Prints \p Node before \p Next, a `(`, `.` or `{`.
  void printBefore(const PatternNode &Node, char Next);
  void printList(const PatternNode &Node);
  void printParts(StringRef Name, const PatternNode &Node);

  raw_ostream &OS;
  llvm::DenseMap<const PatternNode *, std::string> Names;
  llvm::StringSet<> Taken;
  llvm::DenseSet<const PatternNode *> Printed;
};

} // namespace

/// Returns the node that is printed for \p Node: for a recursive wildcard, the
/// pattern that it is redirected to.
static const PatternNode &resolve(const PatternNode &Node) {
  const PatternNode *N = &Node;
  llvm::SmallPtrSet<const PatternNode *, 4> Seen;
  while (N->is(PatternKind::Wildcard) && !N->getChildren().empty() &&
         Seen.insert(N).second)
    N = &N->getChild(0);
  return *N;
}

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
  giveNames(Nodes, Users);
}

/// Returns true if `%` followed by \p Label is a name.
static bool isName(StringRef Label) {
  return llvm::all_of(Label, llvm::isDigit) ||
         (!llvm::isDigit(Label.front()) &&
          llvm::all_of(Label, Lexer::isNameChar));
}

/// Makes \p Label a name that no other node has.
std::string PatternPrinter::makeUnique(StringRef Label) {
  std::string Name = Label.str();
  if (!isName(Label)) {
    Name.insert(Name.begin(), '_');
    for (char &C : Name)
      if (!Lexer::isNameChar(C))
        C = '_';
  }
  std::string Unique = Name;
  for (unsigned I = 1; !Taken.insert(Unique).second; ++I)
    Unique = "_" + Name + "_" + std::to_string(I);
  return Unique;
}

/// Gives a name to every node that has a label or several users.
void PatternPrinter::giveNames(
    ArrayRef<const PatternNode *> Nodes,
    const llvm::DenseMap<const PatternNode *, unsigned> &Users) {
  for (const PatternNode *Node : Nodes)
    if (!Node->getLabel().empty())
      Names[Node] = makeUnique(Node->getLabel());
  unsigned Next = 0;
  for (const PatternNode *Node : Nodes) {
    if (!Node->getLabel().empty() || Users.lookup(Node) == 1 ||
        Node->is(PatternKind::Operator))
      continue;
    std::string Name;
    do
      Name = std::to_string(Next++);
    while (!Taken.insert(Name).second);
    Names[Node] = Name;
  }
}

/// Returns true if the text of \p Node is not a `postfix`.
static bool isLoose(const PatternNode &Node) {
  return matchesAsChild(Node.getKind()) && !Node.is(PatternKind::Attributes);
}

/// Returns true if the text of \p Node would be parsed differently with \p Next
/// after it: `const.0` is one word, and `var(` begins the name of a variable.
static bool mergesWith(const PatternNode &Node, char Next) {
  switch (Node.getKind()) {
  case PatternKind::Operator:
  case PatternKind::Constant:
    return Next == '.';
  case PatternKind::Variable:
    return Node.getName().empty() && Next != '{';
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

void PatternPrinter::printEnclosed(const PatternNode &Node,
                                   bool InParentheses) {
  if (InParentheses)
    OS << '(';
  print(Node);
  if (InParentheses)
    OS << ')';
}

void PatternPrinter::printPart(const PatternNode &Unresolved) {
  const PatternNode &Node = resolve(Unresolved);
  printEnclosed(Node, isLoose(Node) && !Names.count(&Node));
}

/// A name applies to the whole `postfix` after it: `(%a@P)(*)`.
void PatternPrinter::printBefore(const PatternNode &Unresolved, char Next) {
  const PatternNode &Node = resolve(Unresolved);
  if (Names.count(&Node))
    return printEnclosed(Node, !Node.is(PatternKind::Wildcard) &&
                                   !Printed.contains(&Node));
  printEnclosed(Node, isLoose(Node) || mergesWith(Node, Next));
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

void PatternPrinter::printParts(StringRef Name, const PatternNode &Node) {
  OS << Name << '(';
  llvm::ListSeparator Comma;
  for (const PatternNode *Part : Node.getChildren()) {
    OS << Comma;
    print(*Part);
  }
  OS << ')';
}

/// Prints `is(1f)`.
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
    printBefore(Node.getChild(0), '(');
    return printList(Node);
  case PatternKind::Tuple:
    return printList(Node);
  case PatternKind::TupleGetItem:
    printBefore(Node.getChild(0), '.');
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
    return printParts("if", Node);
  case PatternKind::Let:
    return printParts("let", Node);
  case PatternKind::Dominator:
    return printParts("dominates", Node);
  case PatternKind::Alternative:
    // Alternatives of the first child are tried first, as if they were
    // alternatives of this node.
    print(Node.getChild(0));
    for (const PatternNode *Other : Node.getChildren().drop_front()) {
      OS << " | ";
      printPart(*Other);
    }
    return;
  case PatternKind::Attributes:
    printBefore(Node.getChild(0), '{');
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

void relay::printPattern(raw_ostream &OS, const PatternNode &Node) {
  PatternPrinter(OS, Node).print(Node);
}
