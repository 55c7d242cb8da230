//===- RuntimeValue.cpp - What expressions evaluate to --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Making and releasing values.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/RuntimeValue.h"
#include "llvm/Support/ErrorHandling.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Making values
//===----------------------------------------------------------------------===//

RuntimeValue RuntimeValue::makeObject(Kind K, const void *Symbol,
                                      ArrayRef<RuntimeValue> Fields,
                                      MemoryMeter *Meter) {
  auto *Object = new RuntimeObject(K, Symbol, Meter);
  Object->Fields.assign(Fields.begin(), Fields.end());
  if (Meter)
    Meter->take(Object->getMemory());
  return RuntimeValue(Object);
}

RuntimeValue::RuntimeValue(Tensor T, MemoryMeter *Meter)
    : RuntimeValue(makeObject(Kind::Tensor, nullptr, {}, Meter)) {
  Object->Value = std::move(T);
}
RuntimeValue RuntimeValue::getTuple(ArrayRef<RuntimeValue> Fields,
                                    MemoryMeter *Meter) {
  return makeObject(Kind::Tuple, nullptr, Fields, Meter);
}
RuntimeValue RuntimeValue::getClosure(const Plan &Code,
                                      ArrayRef<RuntimeValue> Captures,
                                      MemoryMeter *Meter) {
  return makeObject(Kind::Closure, &Code, Captures, Meter);
}
RuntimeValue RuntimeValue::getFunction(Function &F) {
  return makeObject(Kind::GlobalFunction, &F, {}, nullptr);
}
RuntimeValue RuntimeValue::getOperator(const OpInfo &Info) {
  return makeObject(Kind::Operator, &Info, {}, nullptr);
}
RuntimeValue RuntimeValue::getConstructor(const Constructor &C) {
  return makeObject(Kind::Constructor, &C, {}, nullptr);
}
RuntimeValue RuntimeValue::getData(const Constructor &C,
                                   ArrayRef<RuntimeValue> Fields,
                                   MemoryMeter *Meter) {
  return makeObject(Kind::Data, &C, Fields, Meter);
}
RuntimeValue RuntimeValue::getReference(RuntimeValue Contents,
                                        MemoryMeter *Meter) {
  return makeObject(Kind::Reference, nullptr, Contents, Meter);
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

void RuntimeObject::destroy(RuntimeObject *Dead) {
  SmallVector<RuntimeObject *, 8> Worklist = {Dead};
  while (!Worklist.empty()) {
    RuntimeObject *Object = Worklist.pop_back_val();
    if (Object->Meter)
      Object->Meter->giveBack(Object->getMemory());
    for (RuntimeValue &Field : Object->Fields) {
      RuntimeObject *Held = std::exchange(Field.Object, nullptr);
      if (Held && --Held->NumHandles == 0)
        Worklist.push_back(Held);
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
