//===- TypingContext.cpp - Type inference's view of a module --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TypingContext.h.
//
//===----------------------------------------------------------------------===//

#include "TypingContext.h"
#include "relay/IR/Context.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

LogicalResult TypingContext::report() {
  constexpr size_t MaxErrors = 20;
  llvm::sort(Errors, [](const Error &L, const Error &R) {
    return std::pair(L.Loc.getRaw(), L.Number) <
           std::pair(R.Loc.getRaw(), R.Number);
  });
  for (const Error &E : ArrayRef(Errors).take_front(MaxErrors)) {
    InFlightDiagnostic D = Ctx.emitError(E.Loc, E.Message);
    for (auto &[Loc, Message] : E.Notes)
      D.note(Loc, Message);
  }
  return success(Errors.empty());
}

void TypingContext::checkWritten(Location Loc, Type *T) {
  if (!T || isa<TensorType>(T))
    return;
  SmallVector<Type *, 8> Stack = {T};
  while (!Stack.empty()) {
    Type *Next = Stack.pop_back_val();
    if (!Next || !Checked.try_emplace(Next, true).second)
      continue;
    Stack.append(getParts(Next));
    auto *Call = dyn_cast<TypeCall>(Next);
    TypeDef *Def = Call ? M.lookupTypeDef(Call->getName()) : nullptr;
    if (Def && Def->TypeParams.size() != Call->getArgs().size())
      error(Loc, "type '" + Call->getName() + "' takes " +
                     Twine(Def->TypeParams.size()) + " type arguments, not " +
                     Twine(Call->getArgs().size()) + ": " + toString(Next));
  }
}
