//===- WriteExpr.cpp - From expressions to IR -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates operations for expressions, which nest to any depth: the writer keeps
// a stack of frames, one for each unfinished node and one for each open block.
// A node with several uses becomes one operation in the block where it was
// reached first; normalize() finds its place. A chain of `let`s in the result
// of a block becomes the bindings of the block, any other `let` a scope.
//
//===----------------------------------------------------------------------===//

#include "ExprConversion.h"
#include "relay/IR/Core.h"

using namespace relay;
using namespace relay::python;

namespace {

class ExprWriter {
public:
  explicit ExprWriter(Function &F) : Ctx(F.getContext()), F(F) {}

  void keepTypes() { KeepsTypes = true; }
  llvm::Error writeFunction(const FunctionExpr &Source);
  llvm::Error writeExpression(const Expr &Source,
                              SmallVectorImpl<const Var *> *FreeVars);

private:
  /// A node or, if Where is set, a block under construction.
  struct Frame {
    const Expr *Node;
    Block *Where = nullptr;
    unsigned Step = 0;
    size_t Base = 0; ///< position of its first operand
    Operation *Op = nullptr;
    /// The variable that binds the closure, which it may use itself.
    const Var *Name = nullptr;
    /// Of a block: the innermost block around it whose variables it needs.
    Block *Needed = nullptr;
  };

  bool fail(const Twine &Message) {
    if (Error.empty())
      Error = Message.str();
    return false;
  }
  llvm::Error finish();
  void countUsesOfLets(const Expr &Root);
  bool run();
  bool enter(const Expr &Node, const Var *Name = nullptr);
  bool use(Value *V, const Twine &Message);
  void noteNeed(Block *Needed);
  bool useVar(const Var &V);
  bool makeLeaf(const Expr &Node);
  void enterBlock(Block &Where, const Expr &Root);
  bool step();
  bool stepBlock();
  bool leaveBlock();
  bool stepNode();
  bool stepIf();
  bool stepMatch();
  bool stepFn();
  bool stepLet();
  bool finishNode(Operation *Op);
  bool finishPlain();
  Operation *makeCall(const Call &Node, ArrayRef<Value *> Operands);
  Operation *makeOperatorCall(const Call &Node, const OpInfo &Info,
                              ArrayRef<Value *> Operands);
  bool bind(const Var &V, const Expr &Source, Value *Bound);
  bool define(const Var &V, Value *Meaning);
  bool addParams(const FunctionExpr &Source, Block &Body, Signature &Sig);
  BlockArgument *makeArgument(const Var &V, Block &Where);
  bool addArgument(const Var &V, Block &Where);
  MatchPattern *makePattern(const MatchPatternExpr &P, Block &Clause);
  Operation *create(const OpInfo &Info, ArrayRef<Value *> Operands,
                    const Attrs *A, const Expr &Source, unsigned Regions = 0);

  Context &Ctx;
  Function &F;
  /// By node; of a variable, the parameter or the bound operation.
  llvm::DenseMap<const Expr *, Value *> Values;
  /// The innermost block whose variables a value needs, unless it is the body.
  llvm::DenseMap<const Value *, Block *> Needs;
  /// The `let`s that several nodes use.
  llvm::DenseMap<const Expr *, unsigned> UsesOfLets;
  SmallVectorImpl<const Var *> *FreeVars = nullptr;
  bool AllowsFreeVars = false;
  bool KeepsTypes = false;
  std::vector<Frame> Frames;
  std::vector<size_t> BlockFrames; ///< the blocks among them
  std::vector<Value *> Operands;
  Block *B = nullptr; ///< the innermost open block
  Value *Result = nullptr;
  std::string Error;
};

} // namespace

/// Returns the inner one of two blocks, one of which is inside the other.
static Block *getInner(Block *L, Block *R) {
  if (!L || !R)
    return L ? L : R;
  return L->isInside(*R) ? L : R;
}

llvm::Error ExprWriter::writeFunction(const FunctionExpr &Source) {
  Block &Body = F.getBody();
  B = &Body;
  countUsesOfLets(Source);
  if (addParams(Source, Body, F.getSignature())) {
    enterBlock(Body, *Source.getBody());
    run();
  }
  return finish();
}

llvm::Error ExprWriter::writeExpression(const Expr &Source,
                                        SmallVectorImpl<const Var *> *Wanted) {
  AllowsFreeVars = true;
  FreeVars = Wanted;
  B = &F.getBody();
  countUsesOfLets(Source);
  enterBlock(F.getBody(), Source);
  run();
  return finish();
}

llvm::Error ExprWriter::finish() {
  if (!Error.empty())
    return llvm::createStringError(Error);
  F.normalize();
  return llvm::Error::success();
}

/// Counts the uses of each `let`: only a chain that is used once can be the
/// bindings of a block.
void ExprWriter::countUsesOfLets(const Expr &Root) {
  visitPostOrder(ExprRef(const_cast<Expr *>(&Root)), [&](const ExprRef &Node) {
    for (const ExprRef &Child : Node->getChildren())
      if (isa<Let>(Child.get()))
        ++UsesOfLets[Child.get()];
  });
}

bool ExprWriter::run() {
  while (!Frames.empty())
    if (!step())
      return false;
  return true;
}

bool ExprWriter::step() {
  return Frames.back().Where ? stepBlock() : stepNode();
}

Operation *ExprWriter::create(const OpInfo &Info, ArrayRef<Value *> Ops,
                              const Attrs *A, const Expr &Source,
                              unsigned Regions) {
  Operation *Op = Operation::create(F, Info, Ops, A, Source.getLoc(), Regions);
  B->push_back(Op);
  Block *Needed = nullptr;
  for (Value *V : Ops)
    Needed = getInner(Needed, Needs.lookup(V));
  if (Needed)
    Needs[Op] = Needed;
  return Op;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Begins \p Node, or uses its value if it has one.
bool ExprWriter::enter(const Expr &Node, const Var *Name) {
  if (auto *V = dyn_cast<Var>(&Node))
    return useVar(*V);
  if (auto It = Values.find(&Node); It != Values.end())
    return use(It->second, "an expression needs variables that are not in "
                           "scope where it is used");
  if (Node.getChildren().empty() && !isa<Tuple>(&Node))
    return makeLeaf(Node);
  Frame New;
  New.Node = &Node;
  New.Base = Operands.size();
  New.Name = Name;
  Frames.push_back(New);
  return true;
}

/// Makes \p V the result. Fails with \p Message if it needs variables that are
/// not in scope.
bool ExprWriter::use(Value *V, const Twine &Message) {
  Block *Needed = Needs.lookup(V);
  if (Needed && !B->isInside(*Needed))
    return fail(Message);
  noteNeed(Needed);
  Result = V;
  return true;
}

bool ExprWriter::useVar(const Var &V) {
  if (auto It = Values.find(&V); It != Values.end())
    return use(It->second,
               "variable `" + V.Name + "` is used outside of its scope");
  if (!AllowsFreeVars)
    return fail("variable `" + V.Name + "` is not bound");
  BlockArgument *Arg = makeArgument(V, F.getBody());
  Values[&V] = Result = Arg;
  if (FreeVars)
    FreeVars->push_back(&V);
  return true;
}

bool ExprWriter::makeLeaf(const Expr &Node) {
  switch (Node.getKind()) {
  case ExprKind::Constant: {
    Attr Value = cast<python::Constant>(&Node)->Value;
    Result =
        create(ConstantOp::getInfo(), {}, ConstantAttrs::get(Ctx, Value), Node);
    if (KeepsTypes)
      Result->setTypeRaw(Node.getCheckedType());
    Values[&Node] = Result;
    return true;
  }
  // Each use of a name is a value of its own.
  case ExprKind::GlobalVar:
    Result = create(GlobalRefOp::getInfo(), {},
                    SymbolAttrs::get(Ctx, cast<GlobalVar>(&Node)->Name), Node);
    return true;
  case ExprKind::Constructor:
    Result = create(
        ConstructorRefOp::getInfo(), {},
        SymbolAttrs::get(Ctx, cast<python::Constructor>(&Node)->Name), Node);
    return true;
  default:
    Result = create(
        OpRefOp::getInfo(), {},
        SymbolAttrs::get(Ctx, Ctx.intern(cast<python::Op>(&Node)->Info.Name)),
        Node);
    return true;
  }
}

/// Returns true if the callee of a call is not an operand.
static bool isNamedCallee(const Expr &Callee) {
  return isa<python::Op>(&Callee) || isa<GlobalVar>(&Callee) ||
         isa<python::Constructor>(&Callee);
}

bool ExprWriter::stepNode() {
  Frame &Top = Frames.back();
  switch (Top.Node->getKind()) {
  case ExprKind::If:
    return stepIf();
  case ExprKind::Match:
    return stepMatch();
  case ExprKind::Function:
    return stepFn();
  case ExprKind::Let:
    return stepLet();
  default:
    break;
  }
  ArrayRef<ExprRef> Children = Top.Node->getChildren();
  if (isa<Call>(Top.Node) && isNamedCallee(*Children.front()))
    Children = Children.drop_front();
  if (Top.Step)
    Operands.push_back(Result);
  if (Top.Step == Children.size())
    return finishPlain();
  return enter(*Children[Top.Step++]);
}

bool ExprWriter::finishPlain() {
  Frame &Top = Frames.back();
  const Expr &Node = *Top.Node;
  ArrayRef<Value *> Ops = ArrayRef(Operands).drop_front(Top.Base);
  switch (Node.getKind()) {
  case ExprKind::Call:
    return finishNode(makeCall(cast<Call>(Node), Ops));
  case ExprKind::Tuple:
    return finishNode(create(TupleOp::getInfo(), Ops, nullptr, Node));
  case ExprKind::TupleGetItem: {
    unsigned Index = cast<python::TupleGetItem>(Node).Index;
    return finishNode(create(TupleGetItemOp::getInfo(), Ops,
                             TupleGetItemAttrs::get(Ctx, Index), Node));
  }
  case ExprKind::RefCreate:
    return finishNode(create(RefCreateOp::getInfo(), Ops, nullptr, Node));
  case ExprKind::RefRead:
    return finishNode(create(RefReadOp::getInfo(), Ops, nullptr, Node));
  default:
    return finishNode(create(RefWriteOp::getInfo(), Ops, nullptr, Node));
  }
}

bool ExprWriter::finishNode(Operation *Op) {
  if (!Op)
    return false;
  if (KeepsTypes)
    Op->setTypeRaw(Frames.back().Node->getCheckedType());
  Values[Frames.back().Node] = Op;
  Operands.resize(Frames.back().Base);
  Frames.pop_back();
  Result = Op;
  return true;
}

Operation *ExprWriter::makeOperatorCall(const Call &Node, const OpInfo &Info,
                                        ArrayRef<Value *> Ops) {
  if (!Info.takesOperands(Ops.size())) {
    fail("`" + Info.Name + "` takes " + Twine(Info.NumOperands) +
         " operands, found " + Twine(Ops.size()));
    return nullptr;
  }
  const Attrs *A = Node.Attributes;
  if (!A && Info.Attributes)
    A = Ctx.getDefaultAttrs(*Info.Attributes);
  if (A && (!Info.Attributes || &A->getInfo() != Info.Attributes)) {
    fail("`" + Info.Name + "` does not take attributes of kind `" +
         A->getInfo().TypeKey + "`");
    return nullptr;
  }
  return create(Info, Ops, A, Node);
}

Operation *ExprWriter::makeCall(const Call &Node, ArrayRef<Value *> Ops) {
  const Expr &Callee = *Node.getCallee();
  if (auto *TheOp = dyn_cast<python::Op>(&Callee))
    return makeOperatorCall(Node, TheOp->Info, Ops);
  Attr A;
  if (Node.Attributes)
    A = Ctx.getOpAttrsAttr(Node.Attributes);
  Operation *New;
  if (auto *Global = dyn_cast<GlobalVar>(&Callee))
    New = create(CallGlobalOp::getInfo(), Ops,
                 CallGlobalAttrs::get(Ctx, Global->Name, A), Node);
  else if (auto *Cons = dyn_cast<python::Constructor>(&Callee))
    New = create(CallConstructorOp::getInfo(), Ops,
                 CallConstructorAttrs::get(Ctx, Cons->Name, A), Node);
  else
    New =
        create(CallValueOp::getInfo(), Ops, CallValueAttrs::get(Ctx, A), Node);
  if (!Node.TypeArgs.empty())
    New->setTypeArgs(F, Node.TypeArgs, Node.InferredTypeArgs);
  return New;
}

//===----------------------------------------------------------------------===//
// Nodes with regions
//===----------------------------------------------------------------------===//

bool ExprWriter::stepIf() {
  Frame &Top = Frames.back();
  const Expr &Node = *Top.Node;
  switch (Top.Step++) {
  case 0:
    return enter(*Node.getChild(0));
  case 1:
    Top.Op = create(IfOp::getInfo(), Result, nullptr, Node, 2);
    enterBlock(Top.Op->getRegion(0), *Node.getChild(1));
    return true;
  case 2:
    enterBlock(Top.Op->getRegion(1), *Node.getChild(2));
    return true;
  default:
    return finishNode(Top.Op);
  }
}

bool ExprWriter::stepFn() {
  Frame &Top = Frames.back();
  auto &Node = cast<FunctionExpr>(*Top.Node);
  if (Top.Step++)
    return finishNode(Top.Op);
  Operation *Op = create(FnOp::getInfo(), {}, nullptr, Node, 1);
  Top.Op = Op;
  if (Top.Name && !define(*Top.Name, Op))
    return false;
  if (!addParams(Node, Op->getRegion(), Op->getSignature()))
    return false;
  enterBlock(Op->getRegion(), *Node.getBody());
  return true;
}

bool ExprWriter::stepLet() {
  Frame &Top = Frames.back();
  if (Top.Step++)
    return finishNode(Top.Op);
  Top.Op = create(ScopeOp::getInfo(), {}, nullptr, *Top.Node, 1);
  const Expr &Node = *Top.Node;
  enterBlock(Top.Op->getRegion(), Node);
  UsesOfLets[&Node] = 1; // it is the beginning of its own block
  return true;
}

bool ExprWriter::stepMatch() {
  Frame &Top = Frames.back();
  auto &Node = cast<Match>(*Top.Node);
  if (Top.Step++ == 0)
    return enter(*Node.getChild(0));
  unsigned NumClauses = Node.Patterns.size();
  if (NumClauses == 0)
    return fail("a Match has one or more clauses");
  if (Top.Step == 2) {
    Top.Op = create(MatchOp::getInfo(), Result, nullptr, Node, NumClauses);
    Top.Op->setCompleteMatch(Node.IsComplete);
    SmallVector<MatchPattern *, 4> Patterns;
    for (unsigned I = 0; I != NumClauses; ++I) {
      Block &Clause = Top.Op->getRegion(I);
      Patterns.push_back(makePattern(*Node.Patterns[I], Clause));
      if (!Patterns.back())
        return false;
    }
    Top.Op->setPatterns(Patterns);
  }
  unsigned I = Top.Step - 2;
  if (I == NumClauses)
    return finishNode(Top.Op);
  enterBlock(Top.Op->getRegion(I), *Node.getChild(I + 1));
  return true;
}

/// Returns the pattern \p P, whose variables become arguments of \p Clause;
/// null after an error. The bindings limit how deeply patterns nest.
MatchPattern *ExprWriter::makePattern(const MatchPatternExpr &P,
                                      Block &Clause) {
  auto *New = new (F.getArena().allocate(sizeof(MatchPattern))) MatchPattern;
  New->K = MatchPattern::Kind(P.K);
  if (P.K == MatchPatternExpr::Kind::Constructor)
    New->Constructor = cast<python::Constructor>(P.Target.get())->Name;
  if (P.K == MatchPatternExpr::Kind::Var) {
    if (!addArgument(*cast<Var>(P.Target.get()), Clause))
      return nullptr;
    New->Variable = Clause.getArguments().back();
  }
  SmallVector<MatchPattern *, 4> Children;
  for (const MatchPatternExpr::Ref &Child : P.Children) {
    Children.push_back(makePattern(*Child, Clause));
    if (!Children.back())
      return nullptr;
  }
  New->Children = F.getArena().copy(ArrayRef<MatchPattern *>(Children));
  return New;
}

//===----------------------------------------------------------------------===//
// Blocks and variables
//===----------------------------------------------------------------------===//

void ExprWriter::enterBlock(Block &Where, const Expr &Root) {
  Frame New;
  New.Node = &Root;
  New.Where = &Where;
  BlockFrames.push_back(Frames.size());
  Frames.push_back(New);
  B = &Where;
}

/// Ends the innermost block. The operation around it needs the variables that
/// its values need.
bool ExprWriter::leaveBlock() {
  Block *Needed = Frames.back().Needed;
  Frames.pop_back();
  BlockFrames.pop_back();
  Operation *Owner = B->getParentOp();
  if (!Owner)
    return true;
  B = Owner->getBlock();
  if (!Needed)
    return true;
  Block *&OfOwner = Needs[Owner];
  OfOwner = getInner(OfOwner, Needed);
  noteNeed(Needed);
  return true;
}

/// Records that the innermost block needs variables of \p Needed.
void ExprWriter::noteNeed(Block *Needed) {
  if (!Needed || Needed == B)
    return;
  Block *&OfBlock = Frames[BlockFrames.back()].Needed;
  OfBlock = getInner(OfBlock, Needed);
}

bool ExprWriter::stepBlock() {
  enum { AtNode, AtValue, AtResult };
  Frame &Top = Frames.back();
  if (Top.Step == AtResult) {
    Top.Where->setResultRaw(Result);
    return leaveBlock();
  }
  auto *TheLet = dyn_cast<Let>(Top.Node);
  if (Top.Step == AtValue) {
    auto *Variable = dyn_cast<Var>(TheLet->getChild(0).get());
    if (!Variable)
      return fail("a `let` binds a variable");
    if (!bind(*Variable, *TheLet->getChild(1), Result))
      return false;
    Top.Node = TheLet->getChild(2).get();
    Top.Step = AtNode;
    return true;
  }
  if (!TheLet || UsesOfLets.lookup(TheLet) > 1 || Values.count(TheLet)) {
    Top.Step = AtResult;
    return enter(*Top.Node);
  }
  Top.Step = AtValue;
  const Expr &Value = *TheLet->getChild(1);
  bool IsNewClosure = isa<FunctionExpr>(&Value) && !Values.count(&Value);
  return enter(Value, IsNewClosure ? dyn_cast<Var>(TheLet->getChild(0).get())
                                   : nullptr);
}

/// Makes \p V the name of \p Bound, the value of \p Source. A new closure,
/// which may use its name, is bound itself; normalize() does the same to other
/// operations that only their alias uses.
bool ExprWriter::bind(const Var &V, const Expr &Source, Value *Bound) {
  auto *Op = dyn_cast<Operation>(Bound);
  bool IsNamedClosure = Op && !Op->isBound() && Values.lookup(&V) == Op;
  if (IsNamedClosure)
    Values.erase(&V);
  else
    Op = create(AliasOp::getInfo(), Bound, nullptr, Source);
  Op->bind(Ctx.intern(V.Name), V.Annotation, V.VirtualDevice);
  return define(V, Op);
}

bool ExprWriter::define(const Var &V, Value *Meaning) {
  if (!Values.try_emplace(&V, Meaning).second)
    return fail("variable `" + V.Name + "` is bound twice");
  if (B != &F.getBody())
    Needs[Meaning] = B;
  return true;
}

BlockArgument *ExprWriter::makeArgument(const Var &V, Block &Where) {
  BlockArgument *Arg = Where.addArgument(V.Name, V.Annotation);
  Arg->setVirtualDevice(V.VirtualDevice);
  if (KeepsTypes)
    Arg->setTypeRaw(V.getCheckedType());
  return Arg;
}

bool ExprWriter::addArgument(const Var &V, Block &Where) {
  BlockArgument *Arg = makeArgument(V, Where);
  if (!Values.try_emplace(&V, Arg).second)
    return fail("variable `" + V.Name + "` is bound twice");
  if (&Where != &F.getBody())
    Needs[Arg] = &Where;
  return true;
}

bool ExprWriter::addParams(const FunctionExpr &Source, Block &Body,
                           Signature &Sig) {
  Sig.ResultAnnotation = Source.ResultAnnotation;
  Sig.TypeParams = Source.TypeParams;
  Sig.Attributes = Source.Attributes;
  Sig.VirtualDevice = Source.VirtualDevice;
  for (const ExprRef &Param : Source.getParams()) {
    auto *V = dyn_cast<Var>(Param.get());
    if (!V)
      return fail("a parameter is a variable");
    if (!addArgument(*V, Body))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

static llvm::Expected<Function *> tryWriteFunction(Module &M, StringRef Name,
                                                   const FunctionExpr &Source) {
  Function *F = M.createFunction(Name);
  ExprWriter Writer(*F);
  if (llvm::Error E = Writer.writeFunction(Source)) {
    M.eraseFunction(F);
    return E;
  }
  return F;
}

/// Calls \p Write with \p Source, and if that fails with a copy in which each
/// variable has one scope. Returns the first error if both fail.
template <typename WriteT>
static llvm::Expected<Function *> writeWithRenaming(const Expr &Source,
                                                    WriteT Write) {
  llvm::Expected<Function *> F = Write(Source);
  if (F)
    return F;
  python::ExprRef Renamed = renameVariables(Source);
  llvm::Expected<Function *> Second = Write(*Renamed);
  if (!Second) {
    llvm::consumeError(Second.takeError());
    return F;
  }
  llvm::consumeError(F.takeError());
  return Second;
}

llvm::Expected<Function *>
relay::python::writeFunction(Module &M, StringRef Name,
                             const FunctionExpr &Source) {
  return writeWithRenaming(Source, [&](const Expr &E) {
    return tryWriteFunction(M, Name, cast<FunctionExpr>(E));
  });
}

static llvm::Expected<Function *>
tryWriteExpression(Module &M, StringRef Name, const Expr &Source,
                   SmallVectorImpl<const Var *> *FreeVars) {
  Function *F = M.createFunction(Name);
  F->setForm(Function::Form::OpenExpression);
  if (FreeVars)
    FreeVars->clear();
  ExprWriter Writer(*F);
  if (llvm::Error E = Writer.writeExpression(Source, FreeVars)) {
    M.eraseFunction(F);
    return E;
  }
  return F;
}

llvm::Expected<Function *>
relay::python::writeExpression(Module &M, StringRef Name, const ExprRef &Source,
                               SmallVectorImpl<const Var *> *FreeVars) {
  return writeWithRenaming(*Source, [&](const Expr &E) {
    return tryWriteExpression(M, Name, E, FreeVars);
  });
}

/// Writes an expression with its types; a function in the form of one unless
/// \p IsOpen is set, which allows free variables.
static llvm::Expected<Function *> tryWriteForPrinting(Module &M, StringRef Name,
                                                      const Expr &Source,
                                                      bool IsOpen) {
  Function *F = M.createFunction(Name);
  auto *Fn = IsOpen ? nullptr : dyn_cast<FunctionExpr>(&Source);
  F->setForm(Fn ? Function::Form::FnExpression
                : Function::Form::OpenExpression);
  ExprWriter Writer(*F);
  Writer.keepTypes();
  if (llvm::Error E = Fn ? Writer.writeFunction(*Fn)
                         : Writer.writeExpression(Source, nullptr)) {
    M.eraseFunction(F);
    return E;
  }
  return F;
}

llvm::Expected<Function *>
relay::python::writeForPrinting(Module &M, StringRef Name,
                                const ExprRef &Source) {
  auto Write = [&](bool IsOpen) {
    return writeWithRenaming(*Source, [&](const Expr &E) {
      return tryWriteForPrinting(M, Name, E, IsOpen);
    });
  };
  llvm::Expected<Function *> F = Write(/*IsOpen=*/false);
  if (F || !isa<FunctionExpr>(Source.get()))
    return F;
  llvm::consumeError(F.takeError());
  return Write(/*IsOpen=*/true);
}
