//===- RuntimeValue.cpp - Results of expressions --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creation and release of values.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/RuntimeValue.h"
#include "llvm/Support/ErrorHandling.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Creating values
//===----------------------------------------------------------------------===//

/// The approximate memory of an object, without the elements of a tensor.
static uint64_t getObjectMemory(bool IsTensor, size_t NumFields) {
  if (IsTensor)
    return sizeof(TensorObject);
  return sizeof(CompoundObject) + NumFields * sizeof(RuntimeValue);
}

RuntimeValue::RuntimeValue(Tensor T, MemoryMeter *Meter)
    : RuntimeValue(new TensorObject(std::move(T), Meter)) {
  if (Meter)
    Meter->take(getObjectMemory(true, 0));
}
RuntimeValue RuntimeValue::getCompound(Kind K, const void *Symbol,
                                       ArrayRef<RuntimeValue> Fields,
                                       MemoryMeter *Meter) {
  if (Meter)
    Meter->take(getObjectMemory(false, Fields.size()));
  return RuntimeValue(new CompoundObject(K, Symbol, Fields, Meter));
}
RuntimeValue RuntimeValue::getTuple(ArrayRef<RuntimeValue> Fields,
                                    MemoryMeter *Meter) {
  return getCompound(Kind::Tuple, nullptr, Fields, Meter);
}
RuntimeValue RuntimeValue::getClosure(const EvaluationPlan &Code,
                                      ArrayRef<RuntimeValue> Captures,
                                      MemoryMeter *Meter) {
  return getCompound(Kind::Closure, &Code, Captures, Meter);
}
RuntimeValue RuntimeValue::getFunction(Function &F) {
  return getCompound(Kind::GlobalFunction, &F, {}, nullptr);
}
RuntimeValue RuntimeValue::getOperator(const OpInfo &Info) {
  return getCompound(Kind::Operator, &Info, {}, nullptr);
}
RuntimeValue RuntimeValue::getConstructor(const Constructor &C) {
  return getCompound(Kind::Constructor, &C, {}, nullptr);
}
RuntimeValue RuntimeValue::getData(const Constructor &C,
                                   ArrayRef<RuntimeValue> Fields,
                                   MemoryMeter *Meter) {
  return getCompound(Kind::Data, &C, Fields, Meter);
}
RuntimeValue RuntimeValue::getReference(RuntimeValue Contents,
                                        MemoryMeter *Meter) {
  return getCompound(Kind::Reference, nullptr, Contents, Meter);
}

StringRef RuntimeValue::describe() const {
  if (!Object)
    return "nothing";
  switch (getKind()) {
  case Kind::Tensor:
    return "a tensor";
  case Kind::Tuple:
    return "a tuple";
  case Kind::Closure:
  case Kind::GlobalFunction:
  case Kind::Operator:
  case Kind::Constructor:
    return "a function";
  case Kind::Data:
    return "a value of an algebraic data type";
  case Kind::Reference:
    return "a reference";
  }
  llvm_unreachable("covered switch");
}

//===----------------------------------------------------------------------===//
// Releasing values
//===----------------------------------------------------------------------===//

static void giveBack(MemoryMeter *Meter, uint64_t Bytes) {
  if (Meter)
    Meter->giveBack(Bytes);
}

void RuntimeObject::destroy(RuntimeObject *Dead) {
  SmallVector<CompoundObject *, 8> Worklist;
  auto Destroy = [&](RuntimeObject *Object) {
    if (Object->K != RuntimeValue::Kind::Tensor)
      return Worklist.push_back(static_cast<CompoundObject *>(Object));
    giveBack(Object->Meter.get(), getObjectMemory(true, 0));
    delete static_cast<TensorObject *>(Object);
  };
  Destroy(Dead);
  while (!Worklist.empty()) {
    CompoundObject *Object = Worklist.pop_back_val();
    giveBack(Object->Meter.get(),
             getObjectMemory(false, Object->Fields.size()));
    for (RuntimeValue &Field : Object->Fields) {
      RuntimeObject *Held = std::exchange(Field.Object, nullptr);
      if (Held && --Held->NumHandles == 0)
        Destroy(Held);
    }
    delete Object;
  }
}

void ReferenceList::add(const RuntimeValue &Reference) {
  if (Cells.size() >= NextSweep)
    sweep();
  Cells.push_back(Reference);
}

void ReferenceList::sweep() {
  llvm::erase_if(Cells, [](const RuntimeValue &Cell) {
    return Cell.Object->NumHandles == 1;
  });
  NextSweep = std::max<size_t>(1024, Cells.size() * 2);
}

ReferenceList::~ReferenceList() {
  for (const RuntimeValue &Cell : Cells)
    Cell.setContents(RuntimeValue());
}
