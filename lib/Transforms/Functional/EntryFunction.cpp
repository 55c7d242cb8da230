//===- EntryFunction.cpp - The function that a pass converts --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EntryFunction.h.
//
//===----------------------------------------------------------------------===//

#include "EntryFunction.h"

using namespace relay;

Function *relay::getEntryFunction(Module &M, StringRef Pass) {
  Context &Ctx = M.getContext();
  Function *Main = M.lookupFunction("main");
  if (!Main) {
    Ctx.emitError({}, "'" + Pass + "' expects a function @main");
    return nullptr;
  }
  if (Main->getForm() == Function::Form::OpenExpression) {
    Ctx.emitError(Main->getLoc(),
                  "'" + Pass + "' expects a function, got an expression");
    return nullptr;
  }
  return Main;
}

Function *relay::getUnusedEntryFunction(Module &M, StringRef Pass,
                                        const CallGraph &Calls) {
  Function *Main = getEntryFunction(M, Pass);
  if (!Main)
    return nullptr;
  unsigned Number = Calls.getNumber(Main);
  for (unsigned N = 0; N != Calls.size(); ++N)
    if (N != Number && llvm::is_contained(Calls.getCallees(N), Number)) {
      M.getContext().emitError(
          Main->getLoc(), "'" + Pass + "' changes the type of @main, which @" +
                              Calls.getFunction(N).getName() + " uses");
      return nullptr;
    }
  return Main;
}
