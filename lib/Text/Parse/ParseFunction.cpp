//===- ParseFunction.cpp - Signatures and closures ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Common parts of global functions and closures, and the canonical order of
// functions after their text has been read.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "relay/IR/Threading.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

void Parser::beginFunction(Function &NewF) {
  F = &NewF;
  ++FunctionNumber;
  Graph.beginFunction();
  Region = 0;
  RegionIsOpen.clear();
  RegionOf.clear();
  RegionsNeeded.clear();
  MetaConstants.clear();
}

void Parser::finishFunction() {
  if (NumErrors)
    return;
  if (Ctx.getNumThreads() > 1 && !IsExpression && !Leader)
    Unordered.push_back(F);
  else
    F->normalize();
}

void Parser::finishFunctions() {
  if (NumErrors)
    return;
  forEachInParallel(Unordered, NumCreated,
                    [&](size_t I) { Unordered[I]->normalize(); });
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// `[A, B](%x: A, …, Primitive=1) -> B`
bool Parser::parseSignature(Signature &Sig, Block &Body) {
  if (T.is(Tok::LBracket)) {
    SmallVector<TypeVarType *, 4> Params;
    if (!parseTypeParams(Params))
      return false;
    Sig.TypeParams = ArrayRef(Params);
  }
  if (!expect(Tok::LParen, "before the parameters") || !parseParams(Sig, Body))
    return false;
  return !consumeIf(Tok::Arrow) || parseAnnotation(Sig.ResultAnnotation);
}

/// Parses `[A, B: Shape]`, from the bracket on.
bool Parser::parseTypeParams(SmallVectorImpl<TypeVarType *> &Params) {
  advance();
  while (!T.is(Tok::RBracket)) {
    if (!parseTypeParam(Params))
      return false;
    if (!consumeIf(Tok::Comma))
      break;
  }
  return expect(Tok::RBracket, "after the type parameters");
}

bool Parser::parseTypeParam(SmallVectorImpl<TypeVarType *> &Params) {
  if (!T.is(Tok::Identifier))
    return expected("a type parameter");
  StringRef Name = Ctx.intern(T.text());
  advance();
  TypeVarKind Kind = TypeVarKind::Type;
  if (consumeIf(Tok::Colon)) {
    static constexpr StringLiteral Kinds[] = {"Type", "ShapeVar", "BaseType",
                                              "Shape"};
    const auto *It = llvm::find(Kinds, T.is(Tok::Identifier) ? T.text() : "");
    if (It == std::end(Kinds))
      return expected("the kind of a type parameter: `Type`, `ShapeVar`, "
                      "`BaseType` or `Shape`");
    Kind = TypeVarKind(It - std::begin(Kinds));
    advance();
  }
  Params.push_back(Ctx.createTypeVar(Name, Kind));
  TypeVars.define(Name, Params.back());
  return true;
}

/// Parses parameters, then attributes, up to the `)`.
bool Parser::parseParams(Signature &Sig, Block &Body) {
  AttrEntries Entries;
  bool InAttrs = false;
  while (!T.is(Tok::RParen)) {
    InAttrs |= T.is(Tok::Identifier);
    if (InAttrs ? !parseFunctionAttr(Sig, Entries) : !parseParam(Body))
      return false;
    if (!consumeIf(Tok::Comma))
      break;
  }
  if (!T.is(Tok::RParen))
    return expected("`,` or `)` among the parameters");
  advance();
  if (!Entries.empty())
    Sig.Attributes = Ctx.getDictAttrs(Entries.takeVector());
  return true;
}

/// `%x {virtual_device=…}: T`
bool Parser::parseParam(Block &Body) {
  if (!T.is(Tok::Local))
    return expected("a parameter");
  StringRef Name = declareLocal();
  Location Loc = loc(T.Begin);
  Lex.takeSpan();
  advance();
  Attr Device;
  Type *Annotation = nullptr;
  if (!parseOptionalDevice(Device))
    return false;
  if (consumeIf(Tok::Colon) && !parseAnnotation(Annotation))
    return false;
  BlockArgument *Arg = Body.addArgument(Name, Annotation, Loc);
  Arg->setVirtualDevice(Device);
  if (StringRef Span = Lex.takeSpan(); !Span.empty())
    Arg->setLoc(getSpanned(Loc, Span));
  // The first of two parameters with the same name counts, as in TVM.
  auto *Old = dyn_cast_or_null<BlockArgument>(Names.lookupInterned(Name));
  if (!Old || Old->getParentBlock() != &Body)
    Names.define(Name, Arg);
  return true;
}

/// Parses `{virtual_device=meta[VirtualDevice][0]}`, if present.
bool Parser::parseOptionalDevice(Attr &Out) {
  if (!consumeIf(Tok::LBrace))
    return true;
  if (!atWord("virtual_device"))
    return expected("`virtual_device`");
  advance();
  return expect(Tok::Equal, "after `virtual_device`") &&
         parseVirtualDevice(Out) &&
         expect(Tok::RBrace, "after the virtual device");
}

bool Parser::parseVirtualDevice(Attr &Out) {
  Token At = T;
  if (!parseAttrValue(Out))
    return false;
  bool Good = Out.getKind() == Attr::Kind::Object
                  ? Out.getTypeKey() == "VirtualDevice"
                  : !Out && Options.AllowUndefinedGlobals;
  if (!Good)
    error(At, "expected a virtual device");
  return true;
}

bool Parser::parseFunctionAttr(Signature &Sig, AttrEntries &Entries) {
  if (!T.is(Tok::Identifier))
    return expected("an attribute");
  Token At = T;
  StringRef Key = parseAttrKey();
  if (!expect(Tok::Equal, "after the name of an attribute"))
    return false;
  if (Key == "virtual_device")
    return parseVirtualDevice(Sig.VirtualDevice);
  Attr Value;
  if (!parseAttrValue(Value))
    return false;
  if (!Entries.insert({Ctx.getString(Key), Value}).second)
    error(At, "attribute `" + Key + "` is given twice");
  return true;
}

bool Parser::parseFunctionBody() {
  if (!expect(Tok::LBrace, "before the body"))
    return false;
  unsigned Before = NumErrors;
  B->setResultRaw(parseSequence(/*OwnsBlock=*/true, /*IsFunctionBody=*/true));
  if (T.is(Tok::RBrace))
    return true;
  if (NumErrors == Before)
    expected("`}` after the body");
  return false;
}

//===----------------------------------------------------------------------===//
// Closures
//===----------------------------------------------------------------------===//

Value *Parser::parseFn() {
  const char *At = T.Begin;
  Operation *Op = create(FnOp::getInfo(), {}, nullptr, At, 1);
  StringRef Name = std::exchange(ClosureName, {});
  // It is bound later by the `let` whose value it is.
  if (!Name.empty())
    RegionsNeeded[Op] = Region;
  advance();
  RegionScope Scope(*this, Op->getRegion());
  if (!Name.empty())
    Names.define(Name, Op);
  if (!parseSignature(Op->getSignature(), Op->getRegion()) ||
      !parseFunctionBody())
    return nullptr;
  if (!Op->use_empty())
    Recursive = Op;
  return finish(Op);
}

//===----------------------------------------------------------------------===//
// Free variables
//===----------------------------------------------------------------------===//

namespace {
/// Finds the free variables in the order in which the printer visits them:
/// operands before the contents of an operation, a block's result after its
/// operations.
class FreeVarFinder : public IRVisitor {
public:
  explicit FreeVarFinder(Block &Body) : Body(Body) { traverse(Body, *this); }

  void enter(Operation *Op) {
    for (Value *V : Op->operands())
      use(V);
  }
  void leaveBlock(Block &B) { use(B.getResult()); }
  SmallVector<BlockArgument *, 8> take() { return Found.takeVector(); }

private:
  void use(Value *V) {
    auto *Arg = dyn_cast<BlockArgument>(V);
    if (Arg && Arg->getParentBlock() == &Body)
      Found.insert(Arg);
  }

  Block &Body;
  llvm::SmallSetVector<BlockArgument *, 8> Found;
};
} // namespace

/// Makes the used free variables of an expression the parameters of `@main`, in
/// the order of their uses, so that printing preserves them.
void Parser::orderFreeVars() {
  Block &Body = F->getBody();
  SmallVector<BlockArgument *, 8> Old = FreeVarFinder(Body).take();
  if (Old == SmallVector<BlockArgument *, 8>(Body.getArguments()))
    return;
  unsigned NumOld = Body.getNumArguments();
  for (BlockArgument *Arg : Old) {
    BlockArgument *New =
        Body.addArgument(Arg->getName(), Arg->getAnnotation(), Arg->getLoc());
    New->setVirtualDevice(Arg->getVirtualDevice());
    Arg->replaceAllUsesWith(New);
  }
  while (NumOld)
    Body.eraseArgument(--NumOld);
  F->normalize();
}

/// If the expression of the file is a closure, it becomes `@main`.
void Parser::unwrapClosure() {
  Block &Body = F->getBody();
  auto *Fn = dyn_cast<Operation>(Body.getResult());
  if (!Fn || !Fn->is(OpCode::Fn) || Fn->isBound() || !Fn->hasOneUse() ||
      &*Body.begin() != Fn || !F->getParams().empty())
    return;
  Block &Region = Fn->getRegion();
  for (BlockArgument *Old : Region.getArguments()) {
    BlockArgument *New =
        Body.addArgument(Old->getName(), Old->getAnnotation(), Old->getLoc());
    New->setVirtualDevice(Old->getVirtualDevice());
    Old->replaceAllUsesWith(New);
  }
  F->getSignature() = std::move(Fn->getSignature());
  Body.setResultRaw(Region.getResult());
  Region.setResultRaw(nullptr);
  while (!Region.empty()) {
    Operation *Op = &*Region.begin();
    Region.remove(Op);
    Body.push_back(Op);
  }
  Fn->erase();
  F->setForm(Function::Form::FnExpression);
  F->normalize();
}
