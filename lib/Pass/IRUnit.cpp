//===- IRUnit.cpp - A module or a function --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See IRUnit.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/IRUnit.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/Text/Print/Printer.h"

using namespace relay;

std::string IRUnit::getName() const {
  if (Function *F = getAsFunction())
    return ("@" + F->getName()).str();
  return ModuleName.str();
}

void IRUnit::print(raw_ostream &OS, const PrintOptions &O) const {
  if (Function *F = getAsFunction())
    return printFunction(*F, OS, O);
  printModule(*getAsModule(), OS, O);
}

uint64_t IRUnit::getHash() const {
  if (Function *F = getAsFunction())
    return getStructuralHash(*F);
  return getStructuralHash(*getAsModule());
}
