//===- TargetSupport.cpp - Operators that a target supports ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TargetSupport.h. The checks of the targets in TargetSupport.td are here.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/Partition/TargetSupport.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Transforms/Partition/TargetSupport.h.inc"

using namespace relay;

bool TargetSupportTable::supportsComposite(const Operation &Fn) const {
  StringRef Rest = getComposite(&Fn);
  return Rest.consume_front(Target) && Rest.starts_with(".");
}

bool TargetSupportTable::supportsOperator(const OpInfo &Op) const {
  auto It = Overrides.find(&Op);
  if (It != Overrides.end())
    return It->second;
  return Operators.lookup(Op).value_or(false);
}

bool TargetSupportTable::supports(const Operation &Op) const {
  if (auto Call = dyn_cast<CallValueOp>(&Op)) {
    const Operation *Callee = Op.getOperand(0)->getDefiningOp();
    return Callee && Callee->is(OpCode::Fn) && Callee->isFloating() &&
           supportsComposite(*Callee);
  }
  if (!Op.is(OpCode::Operator) || !supportsOperator(Op.getInfo()))
    return false;
  OpHook<SupportCheck> Check = Checks.lookup(Op);
  return !Check || Check(Op);
}

/// Returns `'name' of file`.
static std::string describeEntry(const OpHookEntry &Entry) {
  return ("'" + Entry.Name + "' of " + Entry.Source).str();
}

std::string TargetSupportTable::explainRefusal(const Operation &Op) const {
  if (!Op.is(OpCode::Operator))
    return ("'" + Target +
            "' only supports calls of operators and of its composites that no "
            "'let' binds")
        .str();
  StringRef Name = Op.getName();
  if (auto It = Overrides.find(&Op.getInfo());
      It != Overrides.end() && !It->second)
    return ("the file of option 'support' excludes " + Name + " from '" +
            Target + "'")
        .str();
  if (supportsOperator(Op.getInfo())) {
    const OpHookNode *Answer = Checks.lookup(Op).getFirst();
    return ("check " + describeEntry(*Answer->Entry) +
            " rejects this call for '" + Target + "'")
        .str();
  }
  if (const OpHookEntry *Entry = Operators.lookupEntry(Op.getInfo()))
    return (Entry->Source + " excludes " + Name + " from '" + Target + "'")
        .str();
  return ("'" + Target + "' has no entry for " + Name).str();
}

//===----------------------------------------------------------------------===//
// oneDNN
//===----------------------------------------------------------------------===//

static bool isInt64Tensor(const Type *T) {
  const auto *Tensor = dyn_cast_or_null<TensorType>(T);
  return Tensor && Tensor->getDType() == DType::getInt(64);
}

/// As in TVM: neither operands of int64 nor pooling with `ceil_mode`.
bool relay::isSupportedByDNNL(const Operation &Op) {
  if (llvm::any_of(Op.operands(),
                   [](Value *V) { return isInt64Tensor(V->getType()); }))
    return false;
  Attr CeilMode = Op.getAttr("ceil_mode");
  return !CeilMode || !CeilMode.isBool() || !CeilMode.getBool();
}
