//===- Module.cpp - Functions and type definitions ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module's symbol tables.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Module.h"
#include "relay/IR/Context.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace relay;

Module::Module(Context &Ctx) : Ctx(Ctx) {}
Module::~Module() {
  Functions.clear();
  Ctx.releaseUnusedConstants();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Function *Module::addFunction(std::unique_ptr<Function> F) {
  assert(!F->Parent && "function is in a module already");
  F->Parent = this;
  F->Serial = Ctx.takeFunctionSerial();
  bool New = FunctionByName.try_emplace(F->getName(), F.get()).second;
  assert(New && "a function of that name is there already");
  (void)New;
  Functions.push_back(std::move(F));
  return Functions.back().get();
}

Function *Module::createFunction(StringRef Name, Location Loc) {
  return addFunction(std::make_unique<Function>(Ctx, Ctx.intern(Name), Loc));
}

std::unique_ptr<Function> Module::takeFunction(Function *F) {
  auto It = llvm::find_if(Functions, [&](auto &P) { return P.get() == F; });
  assert(It != Functions.end() && "function of another module");
  std::unique_ptr<Function> Result = std::move(*It);
  Functions.erase(It);
  FunctionByName.erase(F->getName());
  F->Parent = nullptr;
  return Result;
}

void Module::eraseFunction(Function *F) { takeFunction(F); }

void Module::eraseFunctions(ArrayRef<Function *> Dead) {
  llvm::SmallPtrSet<Function *, 16> Set(Dead.begin(), Dead.end());
  for (Function *F : Dead)
    FunctionByName.erase(F->getName());
  llvm::erase_if(Functions, [&](auto &F) { return Set.contains(F.get()); });
}

Function *Module::lookupFunction(StringRef Name) const {
  return FunctionByName.lookup(Name);
}

void Module::renameFunction(Function *F, StringRef NewName) {
  assert(!lookupFunction(NewName) && "name is taken");
  FunctionByName.erase(F->getName());
  F->Name = Ctx.intern(NewName);
  FunctionByName[F->Name] = F;
}

StringRef Module::getUniqueName(StringRef Base) const {
  if (!lookupFunction(Base))
    return Ctx.intern(Base);
  for (unsigned I = 1;; ++I) {
    std::string Name = (Base + Twine(I)).str();
    if (!lookupFunction(Name))
      return Ctx.intern(Name);
  }
}

bool Module::isExpression() const {
  Function *Main = lookupFunction("main");
  return Main && Main->getForm() != Function::Form::Definition;
}

uint64_t Module::getNumOperations() const {
  uint64_t Sum = 0;
  for (Function &F : functions())
    Sum += F.getNumOperations();
  return Sum;
}

//===----------------------------------------------------------------------===//
// Type definitions
//===----------------------------------------------------------------------===//

TypeDef *Module::addTypeDef(std::unique_ptr<TypeDef> D) {
  TypeDefByName[D->Name] = D.get();
  for (auto [Tag, C] : llvm::enumerate(D->Constructors)) {
    C->Parent = D.get();
    C->Tag = Tag;
    ConstructorByName.try_emplace(C->Name, C.get());
  }
  TypeDefs.push_back(std::move(D));
  return TypeDefs.back().get();
}

TypeDef *Module::lookupTypeDef(StringRef Name) const {
  return TypeDefByName.lookup(Name);
}

Constructor *Module::lookupConstructor(StringRef Name) const {
  return ConstructorByName.lookup(Name);
}

void Module::addMetaDocument(std::unique_ptr<MetaDocument> D) {
  Documents.push_back(std::move(D));
}
