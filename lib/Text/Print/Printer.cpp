//===- Printer.cpp - IR to Relay text -------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules, definitions, and the contents of regions. Regions nest to any depth:
// printBlocks() uses an explicit stack. It is not a visitor of traverse(): an
// operation is printed where its block yields it, not at its position, and a
// scope that is the result of a block continues that block.
//
//===----------------------------------------------------------------------===//

#include "PrinterImpl.h"
#include "relay/IR/Walk.h"
#include "relay/Text/Print/StableNumbers.h"

using namespace relay;

/// Returns true if the types in the text of \p M may exceed the limit of
/// characters.
static bool mayPassLimit(Module &M) {
  // Maximum text sizes of a part of a type, and of an operation without its
  // type.
  constexpr uint64_t PerPart = 24, PerOperation = 128;
  Context &Ctx = M.getContext();
  uint64_t Limit = Ctx.getLimits().Characters;
  if (M.getNumOperations() *
          (Ctx.getLargestTypeSize() * PerPart + PerOperation) <=
      Limit)
    return false;
  uint64_t Length = 0;
  for (Function &F : M.functions())
    walk(F, [&](Operation *Op) {
      const Type *T = Op->getType();
      Length += (T ? T->getSize() : 0) * PerPart + PerOperation;
    });
  return Length > Limit;
}

void relay::printModule(Module &M, raw_ostream &OS, const PrintOptions &O) {
  // Nothing is written if the text would exceed the limit.
  if (mayPassLimit(M)) {
    Printer Attempt(M.getContext(), llvm::nulls(), O);
    Attempt.printModule(M);
    if (!Attempt.finish())
      return;
  }
  Printer P(M.getContext(), OS, O);
  P.printModule(M);
  P.finish();
}

void relay::printFunction(Function &F, raw_ostream &OS, const PrintOptions &O) {
  Printer P(F.getContext(), OS, O);
  P.printFunction(F);
  P.finish();
}

void relay::printDefinitions(Module &M, raw_ostream &OS) {
  PrintOptions O = PrintOptions::forDumps();
  Printer P(M.getContext(), OS, O);
  P.printDefinitions(M);
  P.finish();
}

void relay::visitPrintedNames(
    Module &M, function_ref<void(const Value &, StringRef)> Visit) {
  llvm::raw_null_ostream Nowhere;
  PrintOptions Options;
  Printer P(M.getContext(), Nowhere, Options);
  for (Function &F : M.functions())
    P.visitNames(F, Visit);
}

bool Printer::finish() {
  Out.flush();
  if (!Out.hasOverflowed())
    return true;
  if (!std::exchange(HasReportedOverflow, true))
    reportLimit(Ctx.getDiagnostics(), Ctx.getLimits().Characters, "characters",
                "-max-characters");
  return false;
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

void Printer::printModule(Module &M) {
  if (Options.Frame)
    Out << "#[version = \"0.0.5\"]\n";
  StringRef Separator = "";
  for (const TypeDef &D : M.typeDefs()) {
    Out << Separator;
    Separator = "\n";
    printTypeDef(D);
  }
  for (Function &Each : M.functions())
    reserveConstants(Each);
  if (!printInParallel(M))
    for (Function &Each : M.functions()) {
      Out << Separator;
      Separator = "\n";
      printDefinition(Each);
    }
  if (Meta.empty() || !Options.Metadata || !Options.Frame)
    return;
  Out << "\n";
  raw_ostream &OS = Out.getStream(); // flushed
  if (!Out.hasOverflowed())
    Meta.write(OS);
}

/// Opaque constants of \p Fn keep their indices; others get none of these.
void Printer::reserveConstants(Function &Fn) {
  if (LLVM_LIKELY(!Ctx.hasOpaqueConstants()))
    return;
  walk(Fn, [&](Operation *Op) {
    const ConstantData *Data = getConstantData(Op);
    if (!Data || !Data->isOpaque() || !Data->getOpaqueName().Index)
      return;
    Meta.reserveConstant(*Data->getOpaqueName().Index);
    if (Options.Numbers)
      Options.Numbers->reserveConstant(*Data->getOpaqueName().Index);
  });
}

void Printer::printDefinitions(Module &M) {
  for (const TypeDef &D : M.typeDefs())
    printTypeDef(D);
  const Attrs *A = M.getAttributes();
  Text Entries;
  if (A)
    appendEntries(Entries, A->getEntries());
  if (!Entries.empty())
    Out << "// attributes: "
        << StringRef(Entries.data(), Entries.size()).drop_front(2) << "\n";
}

void Printer::printFunction(Function &Fn) {
  reserveConstants(Fn);
  printDefinition(Fn);
}

void Printer::visitNames(Function &Fn,
                         function_ref<void(const Value &, StringRef)> Visit) {
  printDefinition(Fn);
  for (const ValueName &N : Names)
    if (N.V)
      Visit(*N.V, N.Text ? StringRef(N.Text, N.Size)
                         : StringRef(std::to_string(N.Size)));
}

void Printer::keepNames() {
  for (const ValueName &N : std::exchange(Names, {}))
    if (N.V)
      OtherNames[N.V] = N;
  NamesNewValues = true;
}

void Printer::forget(const Operation &Op) {
  OtherNames.erase(&Op);
  MetaIndices.erase(&Op);
  for (Block &Region : Op.getRegions())
    for (const BlockArgument *Arg : Region.getArguments())
      OtherNames.erase(Arg);
}

/// Names \p V, an operation created after the others were named.
void Printer::nameNewValue(Value *V) {
  auto *Op = dyn_cast_or_null<Operation>(V);
  if (!Op || findName(Op) || (Op->isFloating() && isInlineKind(*Op)))
    return;
  if (Op->isBound())
    nameVariable(Op, Op->getVarName());
  else
    numberNode(Op);
}

bool Printer::isNameless(const Operation &Op) {
  if (!Op.is(OpCode::Constant))
    return isInlineKind(Op);
  return !getLiteral(Op.getAttrs()).empty();
}

void Printer::printOperation(Operation &Op) {
  if (NamesNewValues)
    for (Value *V : Op.operands())
      nameNewValue(V);
  if (isInlineKind(Op))
    return printInline(&Op);
  if (!Op.getNumRegions())
    return printExpression(&Op);
  Out << Op.getName();
  if (Op.getNumOperands())
    printArguments(&Op, 0, "");
}

/// An `extern type` is a definition without constructors in TVM, and is printed
/// as one.
void Printer::printTypeDef(const TypeDef &D) {
  TypeVarCounts.clear();
  Out << "type " << D.Name;
  if (!D.TypeParams.empty()) {
    StringRef Separator = "[";
    for (const TypeVarType *T : D.TypeParams) {
      Out << Separator << getTypeVarName(T);
      Separator = ", ";
    }
    Out << "]";
  }
  Out << " {\n";
  if (D.Constructors.empty())
    Out << "  \n";
  for (const auto &C : D.Constructors) {
    Out << "  " << C->Name;
    StringRef Separator = "(";
    for (const Type *T : C->Fields) {
      Out << Separator << getTypeText(T);
      Separator = ", ";
    }
    Out << (C->Fields.empty() ? ",\n" : "),\n");
  }
  Out << "}\n";
}

void Printer::beginFunction(Function &Fn) {
  F = &Fn;
  Names.assign(Fn.getNumValues(), ValueName());
  OtherNames.clear();
  TypeVarCounts.clear();
  Numbered = nullptr;
  IsOpen = Fn.getForm() == Function::Form::OpenExpression;
  if (Options.Numbers)
    Options.Numbers->update(Fn);
  if (Options.Shows)
    findShown(Fn);
}

/// Marks the contents of shown operations as shown.
void Printer::findShown(Function &Fn) {
  Shown.clear();
  walk(Fn, [&](Operation *Op) {
    if (!Options.Shows(*Op))
      return;
    for (Operation *Each = Op; Each && Shown.insert(Each).second;)
      Each = Each->getParentOp();
  });
}

/// Returns true if a shown operation uses \p Arg.
bool Printer::isShown(const BlockArgument &Arg) const {
  return llvm::any_of(Arg.uses(), [&](const Use &U) {
    return U.getUserOp() && Shown.contains(U.getUserOp());
  });
}

/// Begins the lines of \p Op, which are discarded if they are not shown.
void Printer::beginLine(Operation *Op, unsigned Indent) {
  if (LLVM_LIKELY(!Options.Shows) || Hidden)
    return;
  if (Shown.contains(Op)) {
    JustHid = false;
    return;
  }
  if (!JustHid) {
    indent(Indent);
    Out << "// ...";
  }
  JustHid = true;
  Hidden = Op;
  Out.redirect(llvm::nulls());
}

/// Ends the lines of \p Op.
void Printer::endLine(Operation *Op) {
  if (LLVM_LIKELY(Hidden != Op))
    return;
  Hidden = nullptr;
  Out.redirect(*Stream);
}

void Printer::printDefinition(Function &Fn) {
  beginFunction(Fn);
  AtStart = IsOpen;
  if (IsOpen)
    return printBlocks(Fn.getBody(), 0);
  bool IsExpression = Fn.getForm() == Function::Form::FnExpression;
  if (IsExpression)
    Out << "fn ";
  else
    Out << "def @" << Fn.getName();
  printSignature(Fn.getSignature(), Fn.getBody());
  printBlocks(Fn.getBody(), 2);
  Out << '}';
  if (FuncType *Ty = IsExpression && Options.Types ? Fn.getType() : nullptr)
    Out << getTypeComment(Ty);
  Out << '\n';
}

/// Prints `[A](%x: A, Primitive=1) -> A {`.
void Printer::printSignature(const Signature &Sig, Block &Body) {
  if (!Sig.TypeParams.empty()) {
    StringRef Separator = "[";
    for (const TypeVarType *T : Sig.TypeParams) {
      static constexpr StringLiteral Kinds[] = {"", ": ShapeVar", ": BaseType",
                                                ": Shape"};
      Out << Separator << getTypeVarName(T) << Kinds[unsigned(T->getVarKind())];
      Separator = ", ";
    }
    Out << ']';
  }
  StringRef Separator = "";
  Out << '(';
  bool JustHidParam = false;
  for (BlockArgument *Arg : Body.getArguments()) {
    bool Hides = Options.Shows && !isShown(*Arg);
    if (Hides)
      nameVariable(Arg, Arg->getName());
    if (std::exchange(JustHidParam, Hides) && Hides)
      continue;
    Out << Separator;
    if (Hides)
      Out << "...";
    else
      printParam(Arg);
    Separator = ", ";
  }
  Text Rest;
  if (Sig.Attributes)
    appendEntries(Rest, Sig.Attributes->getEntries());
  if (Sig.VirtualDevice) {
    llvm::append_range(Rest, StringRef(", virtual_device="));
    appendValue(Rest, Sig.VirtualDevice);
  }
  StringRef RestText(Rest.data(), Rest.size());
  Out << (Separator.empty() ? RestText.drop_front(RestText.empty() ? 0 : 2)
                            : RestText)
      << ") ";
  if (Sig.ResultAnnotation)
    Out << "-> " << getTypeText(Sig.ResultAnnotation) << ' ';
  Out << '{';
}

void Printer::printParam(BlockArgument *Arg) {
  notePosition(*Arg);
  printBinding(Arg, Arg->getName(), Arg->getVirtualDevice(),
               Arg->getAnnotation(), Arg->getLoc());
}

/// Prints the span of a value that has no other place for it.
void Printer::printVariable(Operation *Op) {
  printBinding(Op, Op->getVarName(), Op->getVarVirtualDevice(),
               Op->getVarAnnotation(),
               hasTypeComment(Op->getCode()) ? Location() : Op->getLoc());
}

/// Prints `%x {virtual_device=…}: T /* ty=T */` and names \p V.
void Printer::printBinding(const Value *V, StringRef Name, Attr Device,
                           Type *Annotation, Location Loc) {
  nameVariable(V, Name);
  printName(*findName(V));
  if (Device) {
    Text DeviceText;
    appendValue(DeviceText, Device);
    Out << " {virtual_device="
        << StringRef(DeviceText.data(), DeviceText.size()) << '}';
  }
  if (Annotation)
    Out << ": " << getTypeText(Annotation);
  printTypeComment(V, Loc);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Printer::indent(unsigned N) {
  // Limits the width of deeply nested lines.
  constexpr unsigned MaxIndent = 200;
  N = std::min(N, MaxIndent);
  static constexpr StringLiteral Spaces = "                                ";
  if (!AtStart)
    Out << '\n';
  AtStart = false;
  for (; N > Spaces.size(); N -= Spaces.size())
    Out << Spaces;
  Out << Spaces.take_front(N);
}

/// Prints the lines of \p Body, including the line breaks before and after.
void Printer::printBlocks(Block &Body, unsigned Indent) {
  Stack.push_back({&Body, nullptr, Body.begin(), 0, Indent, false});
  while (!Stack.empty()) {
    if (Stack.back().B)
      stepBlock();
    else
      stepOperation();
  }
  Out << '\n';
}

void Printer::stepBlock() {
  Frame &Top = Stack.back();
  while (Top.It != Top.B->end()) {
    Operation *Op = &*Top.It++;
    if (Op->isFloating() && (isInlineKind(*Op) || isInlineResult(*Op)))
      continue;
    if (IsOpen)
      declareFreeVars(Op, Top.Indent);
    beginLine(Op, Top.Indent);
    indent(Top.Indent);
    if (Op->isBound()) {
      Out << "let ";
      printVariable(Op);
      Out << " = ";
    } else {
      if (Op->getNumRegions())
        numberNested(Op);
      if (!Numbered)
        numberNode(Op);
      printOperand(Op);
      Out << " = ";
    }
    if (Op->getNumRegions())
      return startOperation(Op, Top.Indent, /*IsResult=*/false);
    printExpression(Op);
    Out << ';';
    endLine(Op);
  }
  printResult(Top);
}

/// Prints the last line of a block, and leaves the block's frame.
void Printer::printResult(Frame Top) {
  Value *V = Top.B->getResult();
  auto *Op = dyn_cast_or_null<Operation>(V);
  bool IsInline = Op && !isInlineKind(*Op) && isInlineResult(*Op);
  if (IsInline && Op->is(OpCode::Scope)) {
    // The result of the `let`s of a block may have `let`s of its own.
    Block &Inner = Op->getRegion();
    Stack.back() = {&Inner, nullptr, Inner.begin(), 0, Top.Indent, false};
    return;
  }
  Stack.pop_back();
  if (IsOpen && IsInline)
    declareFreeVars(Op, Top.Indent);
  else if (IsOpen)
    declareFreeVar(V, Top.Indent);
  if (IsInline)
    beginLine(Op, Top.Indent);
  indent(Top.Indent);
  if (IsInline && Op->getNumRegions())
    return startOperation(Op, Top.Indent, /*IsResult=*/true);
  if (IsInline) {
    printExpression(Op);
    endLine(Op);
  } else {
    printOperand(V);
  }
}

//===----------------------------------------------------------------------===//
// Operations with regions
//===----------------------------------------------------------------------===//

/// Nested lines have smaller numbers than the enclosing line, whose number is
/// printed first.
void Printer::numberNested(Operation *Op) {
  if (Numbered)
    return;
  Numbered = Op;
  for (Block &B : Op->getRegions())
    walk(B, [&](Operation *Inner) {
      if (Inner->isFloating() && !isInlineKind(*Inner) &&
          !isInlineResult(*Inner))
        numberNode(Inner);
    });
  numberNode(Op);
}

void Printer::startOperation(Operation *Op, unsigned Indent, bool IsResult) {
  notePosition(*Op);
  Stack.push_back({nullptr, Op, {}, 0, Indent, IsResult});
}

void Printer::stepOperation() {
  Frame &Top = Stack.back();
  if (Top.Next != Top.Op->getNumRegions())
    return openRegion(Top);
  Frame Done = Top;
  Stack.pop_back();
  closeRegions(Done);
  if (!Done.IsResult)
    Out << ';';
  if (Shown.contains(Done.Op))
    JustHid = false; // the end of the block is shown
  endLine(Done.Op);
  if (Numbered == Done.Op)
    Numbered = nullptr;
}

/// Prints the text before the next region of the operation on top.
void Printer::openRegion(Frame &Top) {
  Operation *Op = Top.Op;
  unsigned I = Top.Next++, Indent = Top.Indent + 2;
  Block &Region = Op->getRegion(I);
  switch (Op->getCode()) {
  case OpCode::If:
    if (I == 0) {
      Out << "if (";
      printOperand(Op->getOperand(0));
      Out << ") {";
    } else {
      indent(Top.Indent);
      Out << "} else {";
    }
    break;
  case OpCode::Match:
    if (I == 0) {
      Out << (Op->isCompleteMatch() ? "match (" : "match? (");
      printOperand(Op->getOperand(0));
      Out << ") {";
    } else {
      indent(Indent);
      Out << "},";
    }
    indent(Indent);
    printPattern(Op->getPatterns()[I]);
    Out << " => {";
    Indent += 2;
    break;
  case OpCode::Fn:
    Out << "fn ";
    printSignature(Op->getSignature(), Region);
    break;
  default:
    Out << '(';
    break;
  }
  Stack.push_back({&Region, nullptr, Region.begin(), 0, Indent, false});
}

/// Prints the text after the last region of \p Done's operation.
void Printer::closeRegions(const Frame &Done) {
  OpCode Code = Done.Op->getCode();
  if (Code == OpCode::Match) {
    indent(Done.Indent + 2);
    Out << "},";
  }
  indent(Done.Indent);
  Out << (Code == OpCode::Scope ? ')' : '}');
  if (hasTypeComment(Code))
    printTypeComment(Done.Op, Done.Op->getLoc());
}

/// The recursion is bounded: the parser limits the nesting of patterns.
void Printer::printPattern(const MatchPattern *P) {
  switch (P->K) {
  case MatchPattern::Kind::Wildcard:
    Out << '_';
    return;
  case MatchPattern::Kind::Var:
    return printParam(P->Variable);
  case MatchPattern::Kind::Constructor:
    Out << P->Constructor;
    if (P->Children.empty())
      return;
    break;
  case MatchPattern::Kind::Tuple:
    break;
  }
  StringRef Separator = "(";
  for (const MatchPattern *Child : P->Children) {
    Out << Separator;
    printPattern(Child);
    Separator = ", ";
  }
  Out << (P->Children.empty() ? "()" : ")");
}

//===----------------------------------------------------------------------===//
// Free variables
//===----------------------------------------------------------------------===//

/// Prints `free_var %x: T;` before the first line that uses it.
void Printer::declareFreeVar(Value *V, unsigned Indent) {
  auto *Arg = dyn_cast_or_null<BlockArgument>(V);
  if (!Arg || Arg->getParentBlock() != &F->getBody() || findName(Arg))
    return;
  indent(Indent);
  Out << "free_var ";
  printParam(Arg);
  Out << ';';
}

void Printer::declareFreeVars(Operation *Op, unsigned Indent) {
  for (Value *V : Op->operands())
    declareFreeVar(V, Indent);
}
