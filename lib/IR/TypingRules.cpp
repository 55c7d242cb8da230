//===- TypingRules.cpp - Typing rules without terms -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the typing rules that are independent of terms: types of
// symbols, names in messages. The rules are templates in TypingRules.h.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TypingRules.h"

using namespace relay;

std::string typing::countOf(size_t N, StringRef Singular) {
  return (Twine(N) + " " + Singular + (N == 1 ? "" : "s")).str();
}

std::string typing::getNameOf(const Value *V) {
  if (auto *Arg = dyn_cast<BlockArgument>(V))
    return ("%" + Arg->getName()).str();
  auto *Op = cast<Operation>(V);
  if (Op->isBound() && !Op->getVarName().empty())
    return ("%" + Op->getVarName()).str();
  return "the function";
}

FuncType *typing::getConstructorType(Context &Ctx, const Constructor &C) {
  ArrayRef<TypeVarType *> Vars = C.Parent->TypeParams;
  SmallVector<Type *, 4> Args(Vars.begin(), Vars.end());
  return Ctx.getFuncType(Vars, C.Fields, Ctx.getTypeCall(C.Parent->Name, Args));
}

FailureOr<const Attrs *>
typing::getPassedAttrs(Context &Ctx, const Operation &Op, const OpInfo &Info) {
  Attr Written = CallValueOp(&Op).attrs().attributes();
  if (Written)
    return Written.getOpAttrs();
  if (!Info.Attributes)
    return static_cast<const Attrs *>(nullptr);
  if (llvm::any_of(Info.Attributes->Fields, [](const AttrField &F) {
        return F.isRequired() && F.Kind != FieldKind::Expr;
      }))
    return failure();
  return Ctx.getDefaultAttrs(*Info.Attributes);
}

std::string typing::getProjectionError(int64_t Index, Type *T) {
  if (isa_and_nonnull<TupleType>(T))
    return "no field " + std::to_string(Index) + " in " + toString(T);
  return "projection from a value that is not a tuple: " + toString(T);
}
