//===- ModuleObject.cpp - Modules as Python has them ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the two forms of the functions of a module in step.
//
//===----------------------------------------------------------------------===//

#include "ModuleObject.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Verifier.h"

using namespace relay;
using namespace relay::python;

ModuleObject::ModuleObject()
    : Owned(std::make_unique<Module>(Engine::get().getContext())),
      IR(Owned.get()) {}

ModuleObject::ModuleObject(std::unique_ptr<Module> M) : IR(nullptr) {
  reset(std::move(M));
}

ModuleObject::~ModuleObject() {
  if (Owned)
    dispose(std::move(Owned));
}

nb::ref<ModuleObject> ModuleObject::view(Module &M) {
  return new ModuleObject(&M);
}

void ModuleObject::detach() {
  if (Owned)
    return;
  Owned = IR->clone();
  IR = Owned.get();
}

void ModuleObject::reset(std::unique_ptr<Module> M) {
  noteChange();
  Functions.clear();
  Owned = std::move(M);
  IR = Owned.get();
  list();
}

void ModuleObject::list() {
  for (Function &F : IR->functions())
    Functions[F.getName()].InIR = true;
}

SmallVector<StringRef, 4> ModuleObject::getNames() const {
  SmallVector<StringRef, 4> Names;
  for (const auto &[Name, S] : Functions)
    Names.push_back(Name);
  return Names;
}

nb::ref<FunctionExpr> ModuleObject::lookup(StringRef InternedName) {
  auto It = Functions.find(InternedName);
  if (It == Functions.end())
    return {};
  Slot &S = It->second;
  if (!S.Node)
    S.Node = readFunction(*IR->lookupFunction(InternedName),
                          Engine::get().getNodes());
  return S.Node;
}

void ModuleObject::set(StringRef InternedName, nb::ref<FunctionExpr> F) {
  noteChange();
  detach();
  Functions[InternedName] = Slot{std::move(F), false};
}

void ModuleObject::remove(StringRef InternedName) {
  noteChange();
  detach();
  Functions.erase(InternedName);
  if (Function *F = IR->lookupFunction(InternedName))
    IR->eraseFunction(F);
}

nb::ref<ModuleObject> ModuleObject::copy() {
  nb::ref<ModuleObject> New = new ModuleObject(IR->clone());
  New->Functions = Functions;
  return New;
}

/// Brings the functions of the IR into the order of the module.
void ModuleObject::restoreOrder() {
  std::vector<std::unique_ptr<Function>> Taken;
  for (auto &[Name, S] : llvm::reverse(Functions)) // the last ones cost least
    if (Function *F = IR->lookupFunction(Name))
      Taken.push_back(IR->takeFunction(F));
  for (std::unique_ptr<Function> &F : llvm::reverse(Taken))
    IR->addFunction(std::move(F));
}

/// Writes the function \p Name in place of the one that \p M has, which remains
/// if there is an error. It becomes the last function.
static llvm::Error rewriteFunction(Module &M, StringRef Name,
                                   const FunctionExpr &Source) {
  std::unique_ptr<Function> Old;
  if (Function *F = M.lookupFunction(Name))
    Old = M.takeFunction(F);
  llvm::Expected<Function *> New = writeFunction(M, Name, Source);
  if (New)
    return llvm::Error::success();
  if (Old)
    M.addFunction(std::move(Old));
  return New.takeError();
}

Module &ModuleObject::getIR(Work &W) {
  bool AnyWritten = false;
  for (auto &[Name, S] : Functions) {
    if (S.InIR)
      continue;
    AnyWritten = true;
    IR->setTyped(false);
    if (llvm::Error E = rewriteFunction(*IR, Name, *S.Node)) {
      restoreOrder();
      W.raise(ErrorKind::Value, std::move(E), Name);
    }
    S.InIR = true;
  }
  if (AnyWritten)
    restoreOrder();
  return *IR;
}

LogicalResult relay::python::typeModule(Module &M) {
  if (M.isTyped())
    return success();
  return success(succeeded(inferTypes(M)) && succeeded(verify(M)));
}

Module &ModuleObject::getTypedIR(Work &W) {
  if (!IR->isTyped())
    detach();
  Module &M = getIR(W);
  if (failed(typeModule(M)))
    W.raise(ErrorKind::Verify, "the module is not well typed");
  return M;
}

std::unique_ptr<Module> ModuleObject::copyIR(Work &W) {
  std::unique_ptr<Module> Copy = getIR(W).clone();
  if (failed(typeModule(*Copy)))
    W.raise(ErrorKind::Verify, "the module is not well typed");
  return Copy;
}

void ModuleObject::writeInto(
    Work &W,
    ArrayRef<std::pair<StringRef, nb::ref<FunctionExpr>>> NewFunctions) {
  noteChange();
  for (const auto &[Name, F] : NewFunctions)
    Functions[Name] = Slot{F, false};
  getIR(W);
}
