//===- FunctionTyperOps.cpp - Types of single operations ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of FunctionTyper that visits operations without regions.
//
//===----------------------------------------------------------------------===//

#include "FunctionTyper.h"

using namespace relay;

/// `1 argument`, `2 arguments`.
static std::string countOf(size_t N, StringRef Singular) {
  return (Twine(N) + " " + Singular + (N == 1 ? "" : "s")).str();
}

void FunctionTyper::visit(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Operator:
    return setTerm(Op, visitOperator(Op));
  case OpCode::CallGlobal: {
    S.solve();
    StringRef Name = Op->getAttr("callee").getString();
    Function *F = M.lookupFunction(Name);
    return setTerm(Op, visitCall(Op, "@" + Name, getCallee(F), getTerms(Op),
                                 F ? F->getLoc() : Location()));
  }
  case OpCode::CallValue:
    return setTerm(Op, visitCallValue(Op));
  case OpCode::CallConstructor:
    return setTerm(Op, visitCallConstructor(Op));
  case OpCode::Tuple:
    return setTerm(Op, S.createTuple(getTerms(Op)));
  case OpCode::TupleGetItem:
    return setTerm(Op, visitProjection(Op));
  case OpCode::Constant:
    return setTerm(
        Op, S.create(Op->getAttrs()->getSlot(0).getConstant()->getType()));
  case OpCode::Alias:
    return setTerm(Op, getTerm(Op->getOperand(0)));
  case OpCode::GlobalRef:
  case OpCode::OpRef:
  case OpCode::ConstructorRef:
    return setTerm(Op, visitSymbol(Op));
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return setTerm(Op, visitReference(Op));
  default:
    llvm_unreachable("a construct with regions");
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

TypeTerm *FunctionTyper::visitOperator(Operation *Op) {
  return addRelation(Op, Op->getInfo(), Op->getAttrs(), getTerms(Op));
}

TypeTerm *FunctionTyper::addRelation(Operation *Op, const OpInfo &Info,
                                     const Attrs *A,
                                     ArrayRef<TypeTerm *> Operands) {
  if (!Info.InferType) // not declared
    return S.createUntyped();
  if (!Info.hasTrait(OpTrait::Variadic) &&
      Operands.size() != size_t(Info.NumOperands)) {
    TC.error(Op->getLoc(), "'" + Info.Name + "' takes " +
                               countOf(Info.NumOperands, "operand") + ", not " +
                               Twine(Operands.size()));
    return S.createUntyped();
  }
  TypeTerm *Result = S.createUnknown();
  S.addRelation(Info, A, Op, Operands, Result);
  return Result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static const Operation *skipAliases(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  while (Op && Op->is(OpCode::Alias))
    Op = Op->getOperand(0)->getDefiningOp();
  return Op;
}

/// How messages call the value \p V.
static std::string getNameOf(const Value *V) {
  if (auto *Arg = dyn_cast<BlockArgument>(V))
    return ("%" + Arg->getName()).str();
  auto *Op = cast<Operation>(V);
  if (Op->isBound() && !Op->getVarName().empty())
    return ("%" + Op->getVarName()).str();
  return "the function";
}

TypeTerm *FunctionTyper::visitCallValue(Operation *Op) {
  S.solve();
  const Operation *Callee = skipAliases(Op->getOperand(0));
  if (Callee && Callee->is(OpCode::OpRef))
    if (const OpInfo *Info =
            Ctx.lookupOp(Callee->getAttr("symbol").getString()))
      return visitCallOfOperator(Op, *Info);
  SmallVector<TypeTerm *, 4> Args = getTerms(Op);
  return visitCall(Op, getNameOf(Op->getOperand(0)), Args[0],
                   ArrayRef(Args).drop_front());
}

/// A call of a variable that is an operator: the operator's relation counts.
TypeTerm *FunctionTyper::visitCallOfOperator(Operation *Op,
                                             const OpInfo &Info) {
  SmallVector<TypeTerm *, 4> Terms = getTerms(Op);
  Terms.erase(Terms.begin());
  Attr Written = Op->getAttr("attributes");
  const Attrs *A = Written ? Written.getOpAttrs() : nullptr;
  if (!A && Info.Attributes) {
    if (llvm::any_of(Info.Attributes->Fields, [](const AttrField &F) {
          return F.isRequired() && F.Kind != FieldKind::Expr;
        })) {
      TC.error(Op->getLoc(), "'" + Info.Name + "' needs attributes");
      return S.createUntyped();
    }
    A = Ctx.getDefaultAttrs(*Info.Attributes);
  }
  TypeTerm *Result = addRelation(Op, Info, A, Terms);
  Terms.push_back(Result);
  TypeArgs.push_back({Op, Terms});
  return Result;
}

TypeTerm *FunctionTyper::visitCallConstructor(Operation *Op) {
  S.solve();
  StringRef Name = Op->getAttr("constructor").getString();
  const Constructor *C = M.lookupConstructor(Name);
  if (!C)
    return S.createUntyped();
  return visitCall(Op, "'" + Name + "'", S.create(TC.getConstructorType(*C)),
                   getTerms(Op));
}

/// Those that are written, and unknowns for the others.
SmallVector<TypeTerm *, 4> FunctionTyper::getTypeArgs(Operation *Op,
                                                      size_t Count) {
  SmallVector<TypeTerm *, 4> Args;
  for (Type *T : Op->getTypeArgs().take_front(Count))
    Args.push_back(S.createFromText(T));
  while (Args.size() < Count)
    Args.push_back(S.createUnknown());
  return Args;
}

TypeTerm *FunctionTyper::visitCall(Operation *Op, const Twine &Name,
                                   TypeTerm *Callee, ArrayRef<TypeTerm *> Args,
                                   Location DefinedAt) {
  if (S.isUntyped(Callee))
    return S.createUntyped();
  if (S.isUnknown(Callee)) {
    TypeTerm *Result = S.createUnknown();
    unify(Callee, S.createFunc({}, Args, Result), Op->getLoc(),
          Name + " is called");
    return Result;
  }
  std::optional<FuncTerm> Fn = S.getFunc(Callee);
  if (!Fn) {
    TC.error(Op->getLoc(),
             Name + " is called but is not a function: " + describe(Callee));
    return S.createUntyped();
  }
  if (Fn->Params.size() != Args.size()) {
    TC.error(Op->getLoc(),
             Name + " takes " + countOf(Fn->Params.size(), "argument") +
                 ", not " + Twine(Args.size()) + ": " + describe(Callee));
    TC.note(DefinedAt, Name + " is defined here");
    return S.createUntyped();
  }
  SmallVector<TypeTerm *, 4> Params(Fn->Params);
  TypeTerm *Result = Fn->Result;
  if (!Fn->TypeParams.empty()) {
    SmallVector<TypeTerm *, 4> Given = getTypeArgs(Op, Fn->TypeParams.size());
    for (TypeTerm *&P : Params)
      P = S.substitute(P, Fn->TypeParams, Given);
    Result = S.substitute(Result, Fn->TypeParams, Given);
    TypeArgs.push_back({Op, std::move(Given)});
  }
  bool Fits = true;
  for (auto [I, P] : llvm::enumerate(Params))
    if (failed(S.unifyInto(P, Args[I]))) {
      Fits = false;
      reportMismatch(P, Args[I], Op->getLoc(),
                     "argument " + Twine(I + 1) + " of " + Name +
                         " is not of the type of the parameter");
      TC.note(DefinedAt, Name + " is defined here");
    }
  // What a polymorphic function gives for wrong arguments means nothing.
  if (!Fits && !Fn->TypeParams.empty())
    return S.createUntyped();
  return Result;
}

//===----------------------------------------------------------------------===//
// The rest of the language
//===----------------------------------------------------------------------===//

TypeTerm *FunctionTyper::visitSymbol(Operation *Op) {
  StringRef Symbol = Op->getAttr("symbol").getString();
  if (Op->is(OpCode::GlobalRef))
    return getCallee(M.lookupFunction(Symbol));
  if (Op->is(OpCode::OpRef)) {
    const OpInfo *Info = Ctx.lookupOp(Symbol);
    return Info ? S.create(TC.getOperatorType(*Info)) : S.createUntyped();
  }
  const Constructor *C = M.lookupConstructor(Symbol);
  return C ? S.create(TC.getConstructorType(*C)) : S.createUntyped();
}

TypeTerm *FunctionTyper::visitReference(Operation *Op) {
  TypeTerm *First = getTerm(Op->getOperand(0));
  if (Op->is(OpCode::RefCreate))
    return S.createRef(First);
  TypeTerm *Value =
      Op->is(OpCode::RefRead) ? S.createUnknown() : getTerm(Op->getOperand(1));
  unify(First, S.createRef(Value), Op->getLoc(),
        Op->is(OpCode::RefRead) ? "'ref_read' of what is not a reference"
                                : "'ref_write' of another type than the "
                                  "reference holds");
  if (Op->is(OpCode::RefRead))
    return Value;
  return S.create(Ctx.getTupleType({}));
}

TypeTerm *FunctionTyper::visitProjection(Operation *Op) {
  TypeTerm *Tuple = getTerm(Op->getOperand(0));
  int64_t Index = Op->getAttrs()->getSlot(0).getInt();
  if (auto Fields = S.getTuple(Tuple))
    if (Index >= 0 && Index < int64_t(Fields->size()))
      return (*Fields)[Index];
  TypeTerm *Result = S.createUnknown();
  S.addRelation(Op->getInfo(), Op->getAttrs(), Op, {Tuple}, Result);
  return Result;
}
