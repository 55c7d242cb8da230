//===- Module.cpp - Functions and type definitions ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module's symbol tables, type definitions and attributes.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Module.h"
#include "relay/IR/Context.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

/// The variables of a module and its clones.
class Module::DimVars {
public:
  explicit DimVars(Context &Ctx) : Ctx(Ctx) {}
  DimVars(const DimVars &) = delete;
  ~DimVars() {
    for (Dim Var : llvm::reverse(Vars)) // the next module reuses them in order
      Ctx.reuseDimVar(Var);
  }
  Dim create(StringRef Name, DType T, bool SizeVar) {
    return Vars.emplace_back(Ctx.createDimVar(Name, T, SizeVar));
  }

private:
  Context &Ctx;
  std::vector<Dim> Vars;
};

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
  forgetNumber(F->getName());
  F->Parent = nullptr;
  return Result;
}

void Module::eraseFunction(Function *F) { takeFunction(F); }

void Module::eraseFunctions(ArrayRef<Function *> Dead) {
  llvm::SmallPtrSet<Function *, 16> Set(Dead.begin(), Dead.end());
  for (Function *F : Dead) {
    FunctionByName.erase(F->getName());
    forgetNumber(F->getName());
  }
  llvm::erase_if(Functions, [&](auto &F) { return Set.contains(F.get()); });
}

Function *Module::lookupFunction(StringRef Name) const {
  return FunctionByName.lookup(Name);
}

void Module::renameFunction(Function *F, StringRef NewName) {
  assert(!lookupFunction(NewName) && "name is taken");
  FunctionByName.erase(F->getName());
  forgetNumber(F->getName());
  F->Name = Ctx.intern(NewName);
  FunctionByName[F->Name] = F;
}

StringRef Module::getUniqueName(StringRef Base) const {
  StringRef Interned = Ctx.intern(Base);
  if (!lookupFunction(Interned))
    return Interned;
  unsigned &Next = NextNumbers.try_emplace(Interned, 1).first->second;
  llvm::SmallString<64> Name;
  do
    (Base + Twine(Next++)).toVector(Name = "");
  while (lookupFunction(Name));
  --Next; // the name is not yet used
  return Ctx.intern(Name);
}

/// Releases \p Name, which may end in several numbers: `f12` in 2 and 12.
void Module::forgetNumber(StringRef Name) {
  if (NextNumbers.empty())
    return;
  for (size_t I = Name.size(); I && llvm::isDigit(Name[I - 1]); --I) {
    unsigned Number;
    auto Found = NextNumbers.find(Name.take_front(I - 1));
    if (Found != NextNumbers.end() && Name[I - 1] != '0' &&
        !Name.drop_front(I - 1).getAsInteger(10, Number))
      Found->second = std::min(Found->second, Number);
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

Constructor *Module::addConstructor(TypeDef &D,
                                    std::unique_ptr<Constructor> C) {
  C->Parent = &D;
  C->Tag = D.Constructors.size();
  ConstructorByName.try_emplace(C->Name, C.get());
  D.Constructors.push_back(std::move(C));
  return D.Constructors.back().get();
}

TypeDef *Module::lookupTypeDef(StringRef Name) const {
  return TypeDefByName.lookup(Name);
}

Constructor *Module::lookupConstructor(StringRef Name) const {
  return ConstructorByName.lookup(Name);
}

Dim Module::createDimVar(StringRef Name, DType T, bool SizeVar) {
  if (!Vars)
    Vars = std::make_shared<DimVars>(Ctx);
  return Vars->create(Name, T, SizeVar);
}
