//===- PatternQuery.cpp - -match and -explain-match -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PatternQuery.h. What is written are lines that begin with a position, as
// those of a compiler, so that editors find the places.
//
//===----------------------------------------------------------------------===//

#include "PatternQuery.h"
#include "Files.h"
#include "Tool.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Instrumentation/ResultNames.h"
#include "relay/Pattern/PatternText.h"
#include "relay/Text/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace relay;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Reading patterns
//===----------------------------------------------------------------------===//

LogicalResult PatternQuery::readFile(StringRef Path, Context &Ctx,
                                     SmallVectorImpl<Pattern> &Read) {
  auto Text = openInput(Path);
  if (!Text)
    return reportToolError("relay-opt", Text.takeError());
  FailureOr<std::vector<NamedPattern>> Named =
      parsePatternFile(std::move(*Text), Ctx);
  if (failed(Named))
    return failure();
  for (NamedPattern &Each : *Named) {
    Read.push_back(Each.P);
    PatternNames.push_back(std::move(Each.Name));
  }
  return success();
}

/// Warns where \p Root can match nothing that findMatches() looks at.
static void warnOfNoMatch(Context &Ctx, const PatternNode &Root) {
  if (Root.is(PatternKind::Operator))
    Ctx.getDiagnostics().emitWarning(
        Root.getLoc(), "the operator itself is no operation; its calls are `" +
                           Root.getName() + "(...)`");
  else if (Root.is(PatternKind::Variable))
    Ctx.getDiagnostics().emitWarning(
        Root.getLoc(), "a variable is no operation, and not looked at");
}

LogicalResult PatternQuery::prepare(Context &Ctx) {
  if (!Flags.isEnabled())
    return success();
  PatternNames.clear();
  SmallVector<Pattern> Read;
  bool IsOnly = llvm::hasSingleElement(Flags.Patterns) && Flags.Files.empty();
  bool Failed = false;
  for (StringRef Text : Flags.Patterns) {
    FailureOr<Pattern> P = parsePattern(Text, "-match", Ctx);
    Failed |= failed(P);
    if (failed(P))
      continue;
    Read.push_back(*P);
    PatternNames.push_back(IsOnly ? "" : Text.str());
  }
  for (StringRef Path : Flags.Files)
    Failed |= failed(readFile(Path, Ctx, Read));
  if (Failed)
    return failure();
  FailureOr<PatternProgram> Compiled = PatternProgram::compile(Ctx, Read);
  if (failed(Compiled))
    return failure();
  Program.emplace(std::move(*Compiled));
  if (Flags.Explained.empty())
    for (const Pattern &P : Read)
      warnOfNoMatch(Ctx, P.getNode());
  return success();
}

//===----------------------------------------------------------------------===//
// Expressions, in short
//===----------------------------------------------------------------------===//

namespace {

/// Writes expressions with the names that they have in the result.
class ExpressionWriter {
public:
  ExpressionWriter(const ResultNames &Names, raw_ostream &OS)
      : Names(Names), OS(OS) {}

  /// `%3`, or what has no name as writeDefinition() has it.
  void writeUse(ExprRef E);
  /// `%3 = nn.relu(%2)`, `nn.relu(%2), the result of @main`
  void write(ExprRef E);

private:
  void writeDefinition(ExprRef E);
  void writeConstant(const Operation &Op);
  void writeArguments(ExprRef E);

  const ResultNames &Names;
  raw_ostream &OS;
};

} // namespace

/// Prints \p Op with its attributes, without types.
static void printPlain(const Operation &Op, raw_ostream &OS) {
  PrintOptions Options = PrintOptions::forDumps();
  Options.Types = false;
  printOperation(Op, OS, Options);
}

void ExpressionWriter::writeUse(ExprRef E) {
  StringRef Name = E.getValue() ? Names.lookup(*E.getValue()) : StringRef();
  if (!Name.starts_with("%"))
    return writeDefinition(E);
  OS << Name;
}

void ExpressionWriter::writeConstant(const Operation &Op) {
  if (const Type *Ty = Op.getType(); Ty && !isa<TensorType>(Ty))
    OS << "constant";
  else if (Op.getType() && cast<TensorType>(Op.getType())->getRank() == 0)
    printPlain(Op, OS);
  else
    OS << "constant " << *Op.getType();
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
    OS << "let " << Names.lookup(*Bound);
    return;
  }
  StringRef Name = E.getValue() ? Names.lookup(*E.getValue()) : StringRef();
  if (E.isVariable()) {
    OS << Name;
    return;
  }
  if (Name.starts_with("%"))
    OS << Name << " = ";
  writeDefinition(E);
  if (Name.starts_with("@"))
    OS << ", the result of " << Name;
}

//===----------------------------------------------------------------------===//
// Matches
//===----------------------------------------------------------------------===//

/// What the named nodes of the last match are bound to, a line each.
static void printBindings(const Matcher &Matching, const ResultNames &Names,
                          const DiagnosticEngine &Diags, raw_ostream &OS) {
  for (const Matcher::Binding &B : Matching.getBindings()) {
    StringRef Label = Matching.getProgram().getInst(B.Inst).Source->getLabel();
    if (Label.empty())
      continue;
    OS << "  " << Label << ": ";
    ExpressionWriter(Names, OS).write(B.Expr);
    if (B.Expr.getLoc().isKnown()) {
      OS << " at ";
      Diags.printLocation(OS, B.Expr.getLoc());
    }
    OS << '\n';
  }
}

static Error exhausted(const Matcher &Matching) {
  return llvm::createStringError(
      "option -match: the patterns take too many steps in @" +
      Matching.getFunction().getName());
}

Error PatternQuery::findMatches(Module &M, raw_ostream &OS) const {
  const DiagnosticEngine &Diags = M.getContext().getDiagnostics();
  std::optional<ResultNames> Names; // made for the first match
  size_t Count = 0;
  for (Function &F : M.functions()) {
    Matcher Matching(*Program, F);
    walk(F, [&](Operation *Op) {
      Matching.matchAll(*Op, [&](unsigned I, ExprRef E) {
        if (!Count++)
          Names.emplace(M);
        Diags.printLocation(OS, E.getLoc());
        OS << ": ";
        if (!PatternNames[I].empty())
          OS << '\'' << PatternNames[I] << "' matches ";
        ExpressionWriter(*Names, OS).write(E);
        OS << '\n';
        printBindings(Matching, *Names, Diags, OS);
        return true;
      });
    });
    if (Matching.isExhausted())
      return exhausted(Matching);
  }
  OS << Count << (Count == 1 ? " match\n" : " matches\n");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

static std::string print(const PatternNode &Node) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPattern(OS, Node);
  return Text;
}

/// What a part of a pattern of another kind than what was found wants.
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
    return "a call";
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
    return "`" + print(Part) + "`";
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

/// What \p F.Part wants that is not there.
static std::string describeWanted(const MatchFailure &F) {
  using Reason = MatchFailure::Reason;
  const PatternNode &Part = *F.Part;
  switch (F.Why) {
  case Reason::Kind:
    return "expected " + describeKind(Part);
  case Reason::Operator:
    // A call that is known to be of one operator, or the operator itself.
    if (!Part.is(PatternKind::Call))
      return "expected " + describeKind(Part);
    return ("expected a call of `" + Part.getChild(0).getName() + "`").str();
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
           (Part.getLabel().empty() ? print(Part)
                                    : ("%" + Part.getLabel()).str()) +
           "`";
  case Reason::NotEqual:
    return "expected a value equal to `" + print(Part) + "`";
  case Reason::Attribute:
    return "expected " + describeAttribute(Part, F.Attribute);
  case Reason::Type:
    return "expected " + describeType(Part);
  case Reason::NoWay:
    return "a way up ends here without the parent, `" +
           print(Part.getChild(0)) + "`";
  case Reason::NotDominated:
    return "what the parent matches flows elsewhere, too";
  }
  llvm_unreachable("unknown reason");
}

/// What was found, as far as it matters to \p F.
static std::string describeFound(const MatchFailure &F,
                                 const ResultNames &Names) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "found `";
  if (F.Why == MatchFailure::Reason::Attribute && F.Found.getOperation())
    printPlain(*F.Found.getOperation(), OS);
  else
    ExpressionWriter(Names, OS).write(F.Found);
  OS << '`';
  if (F.Why == MatchFailure::Reason::Type) {
    if (const Type *Ty = F.Found.getType())
      OS << " of type " << *Ty;
    else
      OS << " without a type";
  }
  return Text;
}

void PatternQuery::explain(Matcher &Matching, unsigned I, ExprRef E,
                           const ResultNames &Names, raw_ostream &OS) const {
  const DiagnosticEngine &Diags =
      Matching.getFunction().getContext().getDiagnostics();
  MatchFailure Failure;
  bool Matches = Matching.match(I, E, Failure);
  Diagnostic D;
  D.Kind = Severity::Remark;
  D.Loc = E.getLoc();
  llvm::raw_string_ostream Message(D.Message);
  Message << '`';
  ExpressionWriter(Names, Message).write(E);
  Message << "` " << (Matches ? "matches" : "does not match");
  if (!PatternNames[I].empty())
    Message << " '" << PatternNames[I] << '\'';
  if (!Matches && Failure.Part) {
    Diagnostic Wanted, Found;
    Wanted.Kind = Found.Kind = Severity::Note;
    Wanted.Loc = Failure.Part->getLoc();
    Wanted.Message = describeWanted(Failure);
    Found.Loc = Failure.Found.getLoc();
    Found.Message = describeFound(Failure, Names);
    D.Notes = {std::move(Wanted), std::move(Found)};
  }
  Diags.print(D, OS);
  if (Matches)
    printBindings(Matching, Names, Diags, OS);
}

/// What \p I of the program is matched with where the user means \p V.
static ExprRef getMatched(const PatternProgram &Program, unsigned I,
                          const Value &V) {
  auto &Mutable = const_cast<Value &>(V);
  auto *Op = dyn_cast<Operation>(&Mutable);
  if (!Op)
    return ExprRef::getUse(&Mutable);
  if (Op->isBound() &&
      Program.getInst(Program.getRoot(I)).Kind == PatternKind::Let)
    return ExprRef::getLet(Op);
  return ExprRef::getDefinition(Op);
}

Error PatternQuery::explain(const ResultNames &Names, raw_ostream &OS) const {
  for (StringRef Name : Flags.Explained) {
    std::string Problem = Names.forEach(Name, [&](const Value &V, StringRef) {
      Matcher Matching(*Program, *V.getFunction());
      for (unsigned I = 0; I != Program->getNumPatterns(); ++I)
        explain(Matching, I, getMatched(*Program, I, V), Names, OS);
    });
    if (!Problem.empty())
      return llvm::createStringError("option -explain-match: " + Problem);
  }
  return Error::success();
}

Error PatternQuery::run(Module &M) {
  if (!Program)
    return Error::success();
  llvm::raw_string_ostream OS(Report);
  return Flags.Explained.empty() ? findMatches(M, OS)
                                 : explain(ResultNames(M), OS);
}
