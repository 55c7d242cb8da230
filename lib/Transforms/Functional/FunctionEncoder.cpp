//===- FunctionEncoder.cpp - Data types for functions ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FunctionEncoder.h. The names are TVM's, with a number for the second data
// type and the further ones.
//
//===----------------------------------------------------------------------===//

#include "FunctionEncoder.h"
#include "MatchPatterns.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

FunctionEncoder::FunctionEncoder(Rewriter &R, Module &M)
    : R(R), M(M), Ctx(M.getContext()) {}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type *FunctionEncoder::encode(Type *T) {
  if (!T || isa<TensorType, TypeVarType>(T))
    return T;
  auto It = Known.find(T);
  if (It != Known.end())
    return It->second;
  Type *New;
  if (auto *Func = dyn_cast<FuncType>(T)) {
    const Encoding *E = getEncoding(Func);
    New = E ? Ctx.getTypeCall(E->Definition->Name, {}) : nullptr;
  } else {
    bool HasFailed = false;
    New = rebuild(Ctx, T, [&](Type *Part) {
      Type *NewPart = encode(Part);
      HasFailed |= !NewPart;
      return NewPart ? NewPart : Part;
    });
    New = HasFailed ? nullptr : New;
  }
  return Known[T] = New;
}

const FunctionEncoder::Encoding *FunctionEncoder::getEncoding(FuncType *T) {
  if (!T->getTypeParams().empty() || !getFreeTypeVars(T).empty())
    return nullptr;
  std::unique_ptr<Encoding> &Entry = Encodings[T];
  if (Entry)
    return Entry.get();
  Encoding *E = (Entry = std::make_unique<Encoding>()).get();
  define(T, *E);
  return E;
}

/// Returns \p Base with the least number that \p IsTaken rejects for no name.
/// Returns a name for a data type that no data type has yet.
StringRef FunctionEncoder::getTypeName() {
  constexpr StringLiteral Base = "DefuncFuncType";
  std::string Name;
  do
    Name = NumTypes++ ? (Base + Twine(NumTypes - 1)).str() : Base.str();
  while (M.lookupTypeDef(Name));
  return Ctx.intern(Name);
}

void FunctionEncoder::define(FuncType *T, Encoding &E) {
  auto D = std::make_unique<TypeDef>();
  D->Name = getTypeName();
  E.Definition = M.addTypeDef(std::move(D));
  StringRef Name = M.getUniqueName("applyFuncType");
  E.Apply = R.addFunction(M, std::make_unique<Function>(Ctx, Name, R.getLoc()));

  SmallVector<Type *, 4> Params;
  for (Type *Param : T->getParams())
    Params.push_back(encode(Param));
  Block &Body = E.Apply->getBody();
  Signature Sig;
  Sig.ResultAnnotation = encode(T->getResult());
  R.setSignature(Body, std::move(Sig));
  Value *Self =
      R.addArgument(Body, Ctx.intern("x"),
                    Ctx.getTypeCall(E.Definition->Name, {}), R.getLoc());
  for (Type *Param : Params)
    R.addArgument(Body, Ctx.intern("y"), Param, R.getLoc());
  Rewriter::InsertionGuard Guard(R);
  R.setInsertionPointToEnd(Body);
  E.Match = R.create<MatchOp>(Self, 0u);
}

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

StringRef FunctionEncoder::getConstructorName() {
  std::string Name;
  do
    Name = ("Closure" + Twine(NumConstructors++)).str();
  while (M.lookupConstructor(Name));
  return Ctx.intern(Name);
}

FunctionEncoder::Clause FunctionEncoder::addConstructor(FuncType *T,
                                                        ArrayRef<Type *> Fields,
                                                        Location Loc) {
  Encoding &E = *Encodings.find(T)->second;
  auto C = std::make_unique<Constructor>();
  C->Name = getConstructorName();
  C->Fields.append(Fields.begin(), Fields.end());
  StringRef Name = M.addConstructor(*E.Definition, std::move(C))->Name;

  Block &Body = R.addRegion(E.Match);
  SmallVector<MatchPattern *, 4> Variables;
  for (Type *Field : Fields)
    Variables.push_back(createVariablePattern(
        R.addArgument(Body, Ctx.intern("x"), Field, Loc)));
  E.Patterns.push_back(createConstructorPattern(*E.Apply, Name, Variables));
  ArrayRef<BlockArgument *> Params = E.Apply->getParams();
  return {Name, &Body, Params.front(), Params.drop_front()};
}

/// A type without values gets a constructor that nothing calls, and a function
/// that calls itself.
void FunctionEncoder::finish() {
  for (auto &[T, E] : Encodings) {
    if (E->Patterns.empty()) {
      Clause C = addConstructor(T, {}, {});
      R.setInsertionPointToEnd(*C.Body);
      SmallVector<Value *, 4> Arguments(E->Apply->getParams());
      R.setResult(*C.Body,
                  R.create<CallGlobalOp>(Arguments, E->Apply->getName()));
    }
    R.setPatterns(E->Match, E->Patterns);
    R.setResult(E->Apply->getBody(), E->Match);
  }
}

SmallVector<Function *> FunctionEncoder::getFunctions() const {
  SmallVector<Function *> Functions;
  for (auto &[T, E] : Encodings)
    Functions.push_back(E->Apply);
  return Functions;
}
