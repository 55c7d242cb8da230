//===- RewriterUnits.cpp - Changes to blocks, functions and modules -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes of a Rewriter other than those to operations: results and arguments
// of blocks, signatures, attributes of functions and modules, and the list of
// functions.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Rewriter.h"
#include "relay/IR/Walk.h"

using namespace relay;

/// Returns the attributes \p A, null or a Dict, with \p Key set to \p Value, or
/// removed if that is none.
static const Attrs *withAttr(Context &Ctx, const Attrs *A, StringRef Key,
                             Attr Value) {
  SmallVector<NamedAttr, 8> Entries;
  if (A && A->getSlot(0))
    Entries.append(A->getSlot(0).getDict().begin(),
                   A->getSlot(0).getDict().end());
  auto *Known = llvm::find_if(Entries, [&](const NamedAttr &Entry) {
    return Entry.first.getString() == Key;
  });
  if (!Value) {
    if (Known != Entries.end())
      Entries.erase(Known);
  } else if (Known != Entries.end()) {
    Known->second = Value;
  } else {
    Entries.push_back({Ctx.getString(Key), Value});
  }
  return Entries.empty() ? nullptr : Ctx.getDictAttrs(Entries);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Rewriter::retypeParent(Block &Body) {
  if (Operation *Parent = Body.getParentOp(); Parent && Body.getResult())
    retype(Parent);
}

void Rewriter::setResult(Block &Where, Value *V) {
  if (Where.getResult() == V)
    return;
  setResultOnly(Where, V);
  retypeParent(Where);
}

void Rewriter::setResultOnly(Block &Where, Value *V) {
  if (Where.getResult() == V)
    return;
  beginChange(*Where.getFunction());
  if (Value *Old = Where.getResult(); Old && V)
    followResultType(Where, Old->getType(), V->getType());
  Where.setResultRaw(V);
  notifyBlockModified(Where, "modified a result");
}

BlockArgument *Rewriter::addArgument(Block &Where, StringRef InternedName,
                                     Type *Annotation, Location L) {
  BlockArgument *Arg = Where.addArgument(InternedName, Annotation, L);
  notifyBlockModified(Where, "added a parameter");
  retypeParent(Where);
  return Arg;
}

BlockArgument *Rewriter::addArgumentLike(Block &Where,
                                         const BlockArgument &Other) {
  BlockArgument *Arg =
      Where.addArgument(Other.getName(), Other.getAnnotation(), Other.getLoc());
  Arg->setTypeRaw(Other.getType());
  Arg->setVirtualDevice(Other.getVirtualDevice());
  notifyBlockModified(Where, "added a parameter");
  retypeParent(Where);
  return Arg;
}

void Rewriter::eraseArgument(Block &Where, unsigned I) {
  Where.eraseArgument(I);
  notifyBlockModified(Where, "erased a parameter");
  retypeParent(Where);
}

void Rewriter::renameArgument(BlockArgument *Arg, StringRef InternedName) {
  Arg->setName(InternedName);
  notifyBlockModified(*Arg->getParentBlock(), "renamed a parameter");
}

void Rewriter::setAnnotation(BlockArgument *Arg, Type *Annotation) {
  beginChange(*Arg->getFunction());
  Arg->setAnnotation(Annotation);
  notifyBlockModified(*Arg->getParentBlock(), "annotated a parameter");
}

void Rewriter::setVirtualDevice(BlockArgument *Arg, Attr Device) {
  Arg->setVirtualDevice(Device);
  notifyBlockModified(*Arg->getParentBlock(), "moved a parameter");
}

void Rewriter::setLocation(BlockArgument *Arg, Location L) {
  if (Arg->getLoc() == L)
    return;
  Arg->setLoc(L);
  notifyBlockModified(*Arg->getParentBlock(), "located a parameter");
}

void Rewriter::inlineBlock(Block &From, Block &To, Operation *Before,
                           ArrayRef<Value *> Arguments) {
  assert(Arguments.size() == From.getNumArguments() && "one value an argument");
  for (auto [Parameter, Argument] : llvm::zip(From.getArguments(), Arguments))
    replaceAllUses(Parameter, Argument);
  while (!From.empty()) {
    Operation *Op = &*From.begin();
    if (Before)
      moveBefore(Op, Before);
    else
      moveToEnd(Op, To);
  }
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Returns the signature of the function or closure whose body is \p Body.
static Signature &getMutableSignature(Block &Body) {
  if (Operation *Fn = Body.getParentOp())
    return Fn->getSignature();
  return Body.getFunction()->getSignature();
}

const Signature &Rewriter::getSignature(Block &Body) {
  return getMutableSignature(Body);
}

void Rewriter::notifySignatureModified(Block &Body, const char *What) {
  if (Operation *Fn = Body.getParentOp())
    return notifyModified(Fn);
  notifyBlockModified(Body, What);
}

void Rewriter::setSignature(Block &Body, Signature New) {
  beginChange(*Body.getFunction());
  getMutableSignature(Body) = std::move(New);
  notifySignatureModified(Body, "modified a signature");
  retypeParent(Body);
}

void Rewriter::setResultAnnotation(Block &Body, Type *Annotation) {
  beginChange(*Body.getFunction());
  getMutableSignature(Body).ResultAnnotation = Annotation;
  notifySignatureModified(Body, "annotated a result");
  retypeParent(Body);
}

void Rewriter::setResultDevice(Block &Body, Attr Device) {
  getMutableSignature(Body).VirtualDevice = Device;
  notifySignatureModified(Body, "moved a result");
}

void Rewriter::setForm(Function &F, Function::Form NewForm) {
  if (F.getForm() == NewForm)
    return;
  F.setForm(NewForm);
  noteModified(F);
}

void Rewriter::setFunctionAttr(Block &Body, StringRef Key, Attr Value) {
  const Attrs *Old = getSignature(Body).Attributes;
  setFunctionAttrs(Body, withAttr(Ctx, Old, Key, Value));
}

void Rewriter::setFunctionAttrs(Block &Body, const Attrs *New) {
  Signature &S = getMutableSignature(Body);
  if (New == S.Attributes)
    return;
  S.Attributes = New;
  notifySignatureModified(Body, "modified attributes");
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

void Rewriter::setModuleAttr(Module &M, StringRef Key, Attr Value) {
  const Attrs *New = withAttr(Ctx, M.getAttributes(), Key, Value);
  if (New == M.getAttributes())
    return;
  M.setAttributes(New);
  noteModuleChange(M, "modified its attributes");
  for (RewriteListener *L : Listeners)
    L->notifyModuleModified(M);
}

Function *Rewriter::addFunction(Module &M, std::unique_ptr<Function> New) {
  Function *F = M.addFunction(std::move(New));
  F->getRewriteLog().setState(RewriteLog::State::Announced);
  noteModuleChange(M, "added @" + F->getName());
  for (RewriteListener *L : Listeners)
    L->notifyFunctionCreated(*F);
  return F;
}

/// Reports that all operations of \p F are erased.
static void reportContentsErased(ArrayRef<RewriteListener *> Listeners,
                                 Function &F) {
  if (!Listeners.empty())
    walk(F, [&](Operation *Op) {
      for (RewriteListener *L : Listeners)
        L->notifyErased(Op);
    });
}

void Rewriter::discardFunction(std::unique_ptr<Function> F) {
  reportContentsErased(Listeners, *F);
}

void Rewriter::eraseFunctions(Module &M, ArrayRef<Function *> Dead) {
  for (Function *F : Dead) {
    noteModuleChange(M, "erased @" + F->getName());
    reportContentsErased(Listeners, *F);
    for (RewriteListener *L : Listeners)
      L->notifyFunctionErased(*F);
  }
  M.eraseFunctions(Dead);
}

void Rewriter::renameFunction(Function &F, StringRef NewName) {
  noteModuleChange(*F.getModule(), "renamed @" + F.getName());
  F.getModule()->renameFunction(&F, NewName);
  for (RewriteListener *L : Listeners)
    L->notifyFunctionModified(F);
}
