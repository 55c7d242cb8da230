//===- FunctionTyperResults.cpp - Writing back inferred types -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of FunctionTyper that reports values whose type cannot be
// inferred, and that writes types and type arguments back.
//
//===----------------------------------------------------------------------===//

#include "FunctionTyper.h"
#include "relay/IR/Walk.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Unknown types
//===----------------------------------------------------------------------===//

void FunctionTyper::reportUnknown() {
  // After an error much is unknown; and in an expression anything may be.
  if (TC.getNumErrors() != ErrorsBefore || TC.isLenient())
    return;
  for (Function *F : Functions)
    reportUnknownIn(*F);
}

/// Reports the unknowns that do not follow from other unknowns.
bool FunctionTyper::reportUnknownIn(Function &F) {
  Current = &F;
  CurrentFirst = FirstTerm.lookup(&F);
  const Operation *First = nullptr;
  auto Report = [&](Location Loc, const Twine &Message) {
    TC.error(Loc, Message);
  };
  walkBlocks(F.getBody(), [&](Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      if (S.isUnknown(getTerm(Arg)))
        Report(Arg->getLoc(), "cannot infer the type of %" + Arg->getName());
  });
  walk(F, [&](Operation *Op) {
    if (!S.isUnknown(getTerm(Op)))
      return;
    if (!First)
      First = Op;
    if (llvm::any_of(Op->operands(),
                     [&](Value *V) { return S.isUnknown(getTerm(V)); }))
      return;
    std::string Operands;
    for (Value *V : Op->operands())
      Operands += (Operands.empty() ? ": " : ", ") + describe(getTerm(V));
    Report(Op->getLoc(),
           "'" + Op->getName() + "': cannot infer the type" + Operands);
  });
  if (First && TC.getNumErrors() == ErrorsBefore)
    Report(First->getLoc(),
           "'" + First->getName() + "': cannot infer the type");
  return First;
}

//===----------------------------------------------------------------------===//
// Writing back
//===----------------------------------------------------------------------===//

Type *FunctionTyper::finish(TypeTerm *T, Location Loc) {
  Type *Result = S.resolve(T);
  if (Result && !isa<IncompleteType>(Result))
    return Result;
  if (!Result && !S.getReason().empty() && TC.getNumErrors() == ErrorsBefore)
    TC.error(Loc, S.getReason());
  return nullptr;
}

void FunctionTyper::writeBackArguments(Block &B) {
  for (BlockArgument *Arg : B.getArguments())
    Arg->setTypeRaw(finish(getTerm(Arg), Arg->getLoc()));
}

void FunctionTyper::writeBackTypeArgs(Operation *Op,
                                      ArrayRef<TypeTerm *> Terms) {
  SmallVector<Type *, 4> Types;
  for (TypeTerm *T : Terms)
    Types.push_back(S.resolve(T));
  if (!llvm::is_contained(Types, nullptr))
    Op->setTypeArgs(*Op->getFunction(), Types,
                    /*Inferred=*/Op->getWrittenTypeArgs().empty());
}

void FunctionTyper::writeBackOperation(Operation *Op) {
  Op->setTypeRaw(finish(getTerm(Op), Op->getLoc()));
  for (Block &B : Op->getRegions())
    writeBackArguments(B);
  if (auto It = TypeArgs.find(Op); It != TypeArgs.end())
    writeBackTypeArgs(Op, It->second);
}

void FunctionTyper::writeBack(Function &F) {
  Current = &F;
  CurrentFirst = FirstTerm.lookup(&F);
  writeBackArguments(F.getBody());
  walk(F, [&](Operation *Op) { writeBackOperation(Op); });
  if (!TC.getSignature(F))
    TC.setSignature(
        F, cast_or_null<FuncType>(finish(Signatures[&F].Whole, F.getLoc())));
}
