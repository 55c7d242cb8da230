//===- Handles.cpp - References to IR that may be erased ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Handles.h. A flag marks operations with handles; when such an operation
// is erased, the table is updated.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Handles.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// HandleTable
//===----------------------------------------------------------------------===//

uint32_t HandleTable::getNumber(Operation &Op) {
  auto [Known, IsNew] = Numbers.try_emplace(&Op, Entries.size());
  if (!IsNew)
    return Known->second;
  Op.HasHandle = true;
  if (Free.empty()) {
    Entries.push_back({&Op, 0});
    return Known->second;
  }
  uint32_t Number = Free.pop_back_val();
  Known->second = Number;
  Entries[Number].Op = &Op;
  return Number;
}

void HandleTable::erase(const Operation &Op) {
  auto Known = Numbers.find(&Op);
  Entry &E = Entries[Known->second];
  E.Op = nullptr;
  // A number without remaining generations is not reused.
  if (++E.Generation != UINT32_MAX)
    Free.push_back(Known->second);
  Numbers.erase(Known);
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

std::shared_ptr<HandleTable> Function::getHandles() {
  if (!Handles)
    Handles = std::make_shared<HandleTable>(*this);
  return Handles;
}

OperationHandle::OperationHandle(Operation &Op)
    : Table(Op.getFunction()->getHandles()), Number(Table->getNumber(Op)),
      Generation(Table->Entries[Number].Generation) {}

Operation *OperationHandle::get() const {
  if (!Table || !Table->F)
    return nullptr;
  const HandleTable::Entry &E = Table->Entries[Number];
  return E.Generation == Generation && !E.Op->isErased() ? E.Op : nullptr;
}

llvm::Expected<Operation *> OperationHandle::getOrError() const {
  if (Operation *Op = get())
    return Op;
  if (!Table)
    return llvm::createStringError("the handle refers to no operation");
  if (!Table->F)
    return llvm::createStringError(
        "the function of the operation has been erased");
  return llvm::createStringError("the operation has been erased from @" +
                                 Table->F->getName());
}

llvm::Expected<Function *> FunctionHandle::getOrError() const {
  if (Function *F = get())
    return F;
  return llvm::createStringError(Table ? "the function has been erased"
                                       : "the handle refers to no function");
}
