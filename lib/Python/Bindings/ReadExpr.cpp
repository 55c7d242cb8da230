//===- ReadExpr.cpp - From IR to expressions ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates expressions for the operations of a function in their canonical
// order, in which operands come before users. Blocks nest on a stack of frames:
// the regions of an operation are read before its node is made. The `let`s of a
// block become a chain when the block ends.
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "relay/IR/Core.h"

using namespace relay;
using namespace relay::python;

ExprRef SharedNodes::getOp(const OpInfo &Info) {
  ExprRef &Node = Ops[&Info];
  if (!Node)
    Node = new python::Op(Info);
  return Node;
}

ExprRef SharedNodes::getGlobalVar(StringRef InternedName) {
  ExprRef &Node = GlobalVars[InternedName.data()];
  if (!Node)
    Node = new GlobalVar(InternedName);
  return Node;
}

ExprRef SharedNodes::getConstructor(StringRef InternedName) {
  ExprRef &Node = Constructors[InternedName.data()];
  if (!Node)
    Node = new python::Constructor(InternedName);
  return Node;
}

namespace {

class ExprReader {
public:
  ExprReader(Function &F, SharedNodes &Shared) : F(F), Shared(Shared) {
    Nodes.reserve(F.getNumValues());
  }

  nb::ref<FunctionExpr> readFunction();
  ExprRef readBody();

private:
  /// A block that is being read.
  struct Frame {
    Block *B;
    Block::iterator Next;
    /// The region that is read next of the operation at Next.
    unsigned Region = 0;
    /// The results of its regions that have been read.
    SmallVector<ExprRef, 2> Results;
    SmallVector<std::pair<ExprRef, ExprRef>, 0> Bindings;
  };

  void enter(Block &B);
  ExprRef run();
  ExprRef leave();
  void addArguments(Block &B);
  ExprRef makeVar(const BlockArgument &Arg);
  ExprRef makeVar(Operation &Op);
  ExprRef get(const Value *V) const { return Nodes.lookup(V); }
  std::vector<ExprRef> getOperands(const Operation &Op, ExprRef First = {});
  ExprRef makeNode(Operation &Op, ArrayRef<ExprRef> Regions);
  ExprRef makeCall(Operation &Op, ExprRef Callee, const Attrs *A);
  ExprRef makeFn(Block &Body, const Signature &Sig, ExprRef Result);
  ExprRef makeMatch(Operation &Op, ArrayRef<ExprRef> Regions);
  MatchPatternExpr::Ref makePattern(const MatchPattern &P);
  void finish(Operation &Op, ExprRef Node);

  Function &F;
  SharedNodes &Shared;
  /// By operation or argument; of a bound operation, the variable.
  llvm::DenseMap<const Value *, ExprRef> Nodes;
  /// The variables of closures that use themselves.
  llvm::DenseMap<const Operation *, ExprRef> Vars;
  std::vector<Frame> Frames;
};

} // namespace

static const Attrs *getOpAttrs(Attr A) {
  return A && A.getKind() == Attr::Kind::OpAttrs ? A.getOpAttrs() : nullptr;
}

nb::ref<FunctionExpr> ExprReader::readFunction() {
  ExprRef Result = readBody();
  ExprRef Fn = makeFn(F.getBody(), F.getSignature(), Result);
  Fn->setCheckedType(F.computeType());
  return static_cast<FunctionExpr *>(Fn.get());
}

ExprRef ExprReader::readBody() {
  enter(F.getBody());
  return run();
}

void ExprReader::enter(Block &B) {
  addArguments(B);
  Frame New;
  New.B = &B;
  New.Next = B.begin();
  Frames.push_back(std::move(New));
}

void ExprReader::addArguments(Block &B) {
  for (BlockArgument *Arg : B.getArguments())
    Nodes[Arg] = makeVar(*Arg);
}

ExprRef ExprReader::makeVar(const BlockArgument &Arg) {
  ExprRef Node =
      new Var(Arg.getName(), Arg.getAnnotation(), Arg.getVirtualDevice());
  Node->setCheckedType(Arg.getType());
  return Node;
}

ExprRef ExprReader::makeVar(Operation &Op) {
  ExprRef Node =
      new Var(Op.getVarName(), Op.getVarAnnotation(), Op.getVarVirtualDevice());
  Node->setCheckedType(Op.getType());
  return Node;
}

/// Reads blocks until the first one ends, and returns its expression.
ExprRef ExprReader::run() {
  while (true) {
    Frame &Top = Frames.back();
    if (Top.Next == Top.B->end()) {
      ExprRef Result = leave();
      if (Frames.empty())
        return Result;
      Frames.back().Results.push_back(std::move(Result));
      continue;
    }
    Operation &Op = *Top.Next;
    if (Top.Region < Op.getNumRegions()) {
      if (Op.is(OpCode::Fn) && Op.isBound())
        Nodes[&Op] = Vars[&Op] = makeVar(Op);
      enter(Op.getRegion(Top.Region++));
      continue;
    }
    ExprRef Node = makeNode(Op, Top.Results);
    Top.Results.clear();
    Top.Region = 0;
    ++Top.Next;
    finish(Op, std::move(Node));
  }
}

/// Ends the innermost block: its result inside of its bindings.
ExprRef ExprReader::leave() {
  Frame Done = std::move(Frames.back());
  Frames.pop_back();
  ExprRef Result = get(Done.B->getResult());
  for (auto &[Variable, Value] : llvm::reverse(Done.Bindings)) {
    ExprRef Body = Result;
    Result = new Let(std::move(Variable), std::move(Value), Body);
    Result->setCheckedType(Body->getCheckedType());
  }
  return Result;
}

void ExprReader::finish(Operation &Op, ExprRef Node) {
  if (!Op.is(OpCode::Alias) && !Op.is(OpCode::Scope)) {
    Node->setCheckedType(Op.getType());
    if (Op.getLoc().hasSpan())
      Node->setLoc(Op.getLoc());
  }
  if (!Op.isBound()) {
    Nodes[&Op] = std::move(Node);
    return;
  }
  ExprRef Variable = Vars.lookup(&Op);
  if (!Variable)
    Variable = makeVar(Op);
  Nodes[&Op] = Variable;
  Frames.back().Bindings.push_back({std::move(Variable), std::move(Node)});
}

std::vector<ExprRef> ExprReader::getOperands(const Operation &Op,
                                             ExprRef First) {
  std::vector<ExprRef> Operands;
  Operands.reserve(Op.getNumOperands() + 1);
  if (First)
    Operands.push_back(std::move(First));
  for (const Value *V : Op.operands())
    Operands.push_back(get(V));
  return Operands;
}

ExprRef ExprReader::makeCall(Operation &Op, ExprRef Callee, const Attrs *A) {
  ArrayRef<Type *> TypeArgs = Op.getTypeArgs();
  return new Call(getOperands(Op, std::move(Callee)), A,
                  {TypeArgs.begin(), TypeArgs.end()}, Op.hasInferredTypeArgs());
}

ExprRef ExprReader::makeFn(Block &Body, const Signature &Sig, ExprRef Result) {
  std::vector<ExprRef> Children;
  for (const BlockArgument *Param : Body.getArguments())
    Children.push_back(get(Param));
  Children.push_back(std::move(Result));
  for (TypeVarType *Var : Sig.TypeParams)
    Engine::get().keepTypeVars(Var);
  return new FunctionExpr(std::move(Children), Sig.ResultAnnotation,
                          Sig.TypeParams, Sig.Attributes, Sig.VirtualDevice);
}

/// Returns the pattern \p P. The text format limits how deeply patterns nest.
MatchPatternExpr::Ref ExprReader::makePattern(const MatchPattern &P) {
  std::vector<MatchPatternExpr::Ref> Children;
  for (const MatchPattern *Child : P.Children)
    Children.push_back(makePattern(*Child));
  ExprRef Target;
  if (P.K == MatchPattern::Kind::Var)
    Target = get(P.Variable);
  if (P.K == MatchPattern::Kind::Constructor)
    Target = Shared.getConstructor(P.Constructor);
  return new MatchPatternExpr(MatchPatternExpr::Kind(P.K), std::move(Target),
                              std::move(Children));
}

ExprRef ExprReader::makeMatch(Operation &Op, ArrayRef<ExprRef> Regions) {
  std::vector<ExprRef> Children = getOperands(Op);
  llvm::append_range(Children, Regions);
  std::vector<MatchPatternExpr::Ref> Patterns;
  for (const MatchPattern *P : Op.getPatterns())
    Patterns.push_back(makePattern(*P));
  return new Match(std::move(Children), std::move(Patterns),
                   Op.isCompleteMatch());
}

ExprRef ExprReader::makeNode(Operation &Op, ArrayRef<ExprRef> Regions) {
  switch (Op.getCode()) {
  case OpCode::Operator:
    return makeCall(Op, Shared.getOp(Op.getInfo()), Op.getAttrs());
  case OpCode::CallGlobal: {
    const auto &A = Op.getAttrsAs<CallGlobalAttrs>();
    return makeCall(Op, Shared.getGlobalVar(A.callee()),
                    getOpAttrs(A.attributes()));
  }
  case OpCode::CallConstructor: {
    const auto &A = Op.getAttrsAs<CallConstructorAttrs>();
    return makeCall(Op, Shared.getConstructor(A.constructor()),
                    getOpAttrs(A.attributes()));
  }
  case OpCode::CallValue:
    return makeCall(Op, {},
                    getOpAttrs(Op.getAttrsAs<CallValueAttrs>().attributes()));
  case OpCode::Tuple:
    return new python::Tuple(getOperands(Op));
  case OpCode::TupleGetItem:
    return new python::TupleGetItem(get(Op.getOperand(0)),
                                    Op.getAttrsAs<TupleGetItemAttrs>().index());
  case OpCode::Constant:
    return new python::Constant(Op.getAttrsAs<ConstantAttrs>().value());
  case OpCode::If:
    return new python::If(get(Op.getOperand(0)), Regions[0], Regions[1]);
  case OpCode::Match:
    return makeMatch(Op, Regions);
  case OpCode::Fn:
    return makeFn(Op.getRegion(), Op.getSignature(), Regions[0]);
  case OpCode::Scope:
    return Regions[0];
  case OpCode::Alias:
    return get(Op.getOperand(0));
  case OpCode::GlobalRef:
    return Shared.getGlobalVar(Op.getAttrsAs<SymbolAttrs>().symbol());
  case OpCode::OpRef:
    return Shared.getOp(
        *F.getContext().lookupOp(Op.getAttrsAs<SymbolAttrs>().symbol()));
  case OpCode::ConstructorRef:
    return Shared.getConstructor(Op.getAttrsAs<SymbolAttrs>().symbol());
  case OpCode::RefCreate:
    return new python::RefCreate(getOperands(Op));
  case OpCode::RefRead:
    return new python::RefRead(getOperands(Op));
  case OpCode::RefWrite:
    return new python::RefWrite(getOperands(Op));
  }
  llvm_unreachable("unknown construct");
}

nb::ref<FunctionExpr> relay::python::readFunction(Function &F,
                                                  SharedNodes &Shared) {
  return ExprReader(F, Shared).readFunction();
}

ExprRef relay::python::readBody(Function &F, SharedNodes &Shared) {
  return ExprReader(F, Shared).readBody();
}
