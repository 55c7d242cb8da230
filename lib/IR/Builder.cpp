//===- Builder.cpp - Creating IR ------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Insertion points and typed creation. Changes of existing IR are in
// Rewriter.cpp.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Builder.h"
#include "relay/IR/Core.h"

using namespace relay;

Builder::Builder(Block &Where) : Ctx(Where.getFunction()->getContext()) {
  setInsertionPointToEnd(Where);
}
Builder::~Builder() = default;

void Builder::setInsertionPoint(Operation *Before) {
  B = Before->getBlock();
  Point = Before->getIterator();
}

void Builder::setInsertionPointAfter(Operation *Op) {
  B = Op->getBlock();
  Point = std::next(Op->getIterator());
}

void Builder::setInsertionPointToEnd(Block &Where) {
  B = &Where;
  Point = Where.end();
}

void Builder::setInsertionPointToStart(Block &Where) {
  B = &Where;
  Point = Where.begin();
}

void Builder::leavePlace(Operation *Op) {
  Block::iterator Here = Op->getIterator();
  if (B == Op->getBlock() && Point == Here)
    ++Point;
  for (InsertionGuard *G = Guards; G; G = G->Outer)
    if (G->B == Op->getBlock() && G->Point == Here)
      ++G->Point;
}

void Builder::insert(Operation *Op) {
  B->insert(Point, Op);
  if (Type *T = inferOperationType(*Op))
    Op->setTypeRaw(T);
  notifyCreated(Op);
}

Operation *Builder::createOperation(const OpInfo &Info,
                                    ArrayRef<Value *> Operands, const Attrs *A,
                                    unsigned NumRegions) {
  Operation *Op =
      Operation::create(getFunction(), Info, Operands, A, Loc, NumRegions);
  insert(Op);
  return Op;
}

Operation *Builder::createTypedOperation(const OpInfo &Info,
                                         ArrayRef<Value *> Operands,
                                         const Attrs *A, Type *T) {
  Operation *Op = Operation::create(getFunction(), Info, Operands, A, Loc, 0);
  B->insert(Point, Op);
  assert(inferOperationType(*Op) == T &&
         "the type rule results in another type");
  Op->setTypeRaw(T);
  notifyCreated(Op);
  return Op;
}

Operation *Builder::constant(TensorType *T, TensorBuffer Data) {
  return create<ConstantOp>(
      ConstantAttrs::get(Ctx, Ctx.getConstant(T, std::move(Data))));
}

void Builder::bind(Operation *Op, StringRef InternedName, Type *Annotation,
                   Attr VirtualDevice) {
  Op->bind(InternedName, Annotation, VirtualDevice);
  notifyModified(Op);
}

void Builder::bindLike(Operation *Op, const Operation *Other) {
  bind(Op, Other->getVarName(), Other->getVarAnnotation(),
       Other->getVarVirtualDevice());
}
