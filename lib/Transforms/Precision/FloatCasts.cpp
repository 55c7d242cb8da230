//===- FloatCasts.cpp - Values in other data types ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FloatCasts.h. Tuples may be nested to any depth.
//
//===----------------------------------------------------------------------===//

#include "FloatCasts.h"
#include "TensorUtils.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Ops/Elementwise.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool relay::holdsFloats(Type *T) {
  bool Found = false;
  walkTypes(T, [&](Type *Part) {
    Found |= isFloatTensor(Part);
    return !Found && isa<TupleType>(Part);
  });
  return Found;
}

bool relay::computesFloats(const Operation &Op) {
  return holdsFloats(Op.getType()) || llvm::any_of(Op.operands(), [](Value *V) {
           return holdsFloats(V->getType());
         });
}

Type *FloatTypes::convert(Type *T) {
  if (!T)
    return nullptr;
  SmallVector<Type *, 8> Stack = {T};
  while (!Stack.empty()) {
    Type *Top = Stack.back();
    if (Known.contains(Top)) {
      Stack.pop_back();
      continue;
    }
    if (!isa<TupleType>(Top)) {
      Known[Top] =
          isFloatTensor(Top)
              ? Ctx.getTensorType(llvm::cast<TensorType>(Top)->getShape(), D)
              : Top;
      continue;
    }
    size_t Size = Stack.size();
    for (Type *Field : llvm::cast<TupleType>(Top)->getFields())
      if (!Known.contains(Field))
        Stack.push_back(Field);
    if (Stack.size() == Size)
      Known[Top] =
          rebuild(Ctx, Top, [&](Type *Field) { return Known.lookup(Field); });
  }
  return Known.lookup(T);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Casts at the insertion point.
Value *FloatCasts::castTensor(Value *V, Type *To) {
  if (V->getType() == To)
    return V;
  Value *&Cast = Casts[{V, To}];
  if (Cast)
    return Cast;
  Value *New = R.create<CastOp>(V, llvm::cast<TensorType>(To)->getDType());
  Cast = New;
  Casts[{New, V->getType()}] = V;
  return New;
}

namespace {
/// A tuple whose first fields have been cast.
struct PartialTuple {
  Value *V;
  const TupleType *To;
  SmallVector<Value *, 4> Fields;
};
} // namespace

Value *FloatCasts::castFields(Value *V, Type *To) {
  SmallVector<PartialTuple, 2> Stack = {{V, llvm::cast<TupleType>(To), {}}};
  while (true) {
    PartialTuple &Top = Stack.back();
    size_t Index = Top.Fields.size();
    if (Index == Top.To->getFields().size()) {
      Value *Tuple = R.create<TupleOp>(Top.Fields);
      Stack.pop_back();
      if (Stack.empty())
        return Tuple;
      Stack.back().Fields.push_back(Tuple);
      continue;
    }
    Type *FieldType = Top.To->getFields()[Index];
    Value *Field = R.create<TupleGetItemOp>(Top.V, Index);
    if (Field->getType() != FieldType && isa<TupleType>(FieldType))
      Stack.push_back({Field, llvm::cast<TupleType>(FieldType), {}});
    else
      Top.Fields.push_back(castTensor(Field, FieldType));
  }
}

Value *FloatCasts::cast(Value *V, Type *To) {
  if (V->getType() == To)
    return V;
  Rewriter::InsertionGuard Guard(R);
  setInsertionPointAfter(R, V);
  if (isa<TensorType>(To))
    return castTensor(V, To);
  if (Value *Known = Casts.lookup({V, To}))
    return Known;
  Value *Tuple = castFields(V, To); // adds casts of the fields
  return Casts[{V, To}] = Tuple;
}
