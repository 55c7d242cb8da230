//===- DifferenceFinder.cpp - The first operation that differs ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates two modules, and finds the first operation that differs. See
// DifferenceFinder.h.
//
//===----------------------------------------------------------------------===//

#include "DifferenceFinder.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Reduce.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// ValueRecorder
//===----------------------------------------------------------------------===//

void ValueRecorder::record(const Value &Of, const RuntimeValue &V) {
  SmallVector<RuntimeValue, 1> &Seen = Values[&Of];
  if (Seen.size() < MaxValues)
    Seen.push_back(V);
  else
    Overflown.insert(&Of);
}

ArrayRef<RuntimeValue> ValueRecorder::getValues(const Value *Of) const {
  auto Found = Values.find(Of);
  if (Found == Values.end() || Overflown.contains(Of))
    return {};
  return Found->second;
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

/// Returns true if \p V is or contains a reference. Its content may have been
/// overwritten since an operation returned it. Values beyond the number of
/// compared values are assumed to be references.
static bool holdsReference(const RuntimeValue &V) {
  SmallVector<const RuntimeValue *, 8> Worklist = {&V};
  llvm::DenseSet<const void *> Seen;
  while (!Worklist.empty()) {
    const RuntimeValue &Part = *Worklist.pop_back_val();
    if (Part && Part.is(RuntimeValue::Kind::Reference))
      return true;
    if (!Part || !(Part.isTuple() || Part.is(RuntimeValue::Kind::Data)) ||
        !Seen.insert(Part.getIdentity()).second)
      continue;
    if (Seen.size() > MaxComparedValues)
      return true;
    for (const RuntimeValue &Field : Part.getFields())
      Worklist.push_back(&Field);
  }
  return false;
}

/// Returns the difference between \p V and the values of \p Twin; none if it
/// equals one of them, if there were none, or if the pass intentionally
/// computes something else.
std::optional<ResultDifference>
DifferenceFinder::compare(const Operation *Twin, StringRef Name,
                          const RuntimeValue &V) const {
  std::optional<ResultDifference> Found;
  for (const RuntimeValue &Old : Before.getValues(Twin)) {
    ResultComparison C = compareParts(Old, V, Name, T);
    if (!C.First || !C.HasSameTypes)
      return std::nullopt;
    if (!Found)
      Found = std::move(C.First);
  }
  return Found;
}

void DifferenceFinder::noteAmplifier(const Operation &Op) {
  Amplified.insert(&Op);
  Amplifier = Amplifier ? Amplifier : &Op;
}

void DifferenceFinder::afterOperation(const Operation &Op,
                                      const RuntimeValue &V) {
  if (First || holdsReference(V))
    return;
  const Operation *Twin = Twins.lookup(&Op);
  StringRef Name = Op.getName();
  Name.consume_front("relay.");
  if (reordersNaN(Op, Twin)) {
    noteAmplifier(Op);
    return;
  }
  std::optional<ResultDifference> Found = compare(Twin, Name, V);
  if (!Found && !Before.getValues(Twin).empty())
    return;
  if (follows(Op)) {
    Amplified.insert(&Op);
    return;
  }
  if (!Found)
    return;
  if (amplifies(Op, *Twin)) {
    noteAmplifier(Op);
    return;
  }
  First = &Op;
  Difference = std::move(*Found);
}

//===----------------------------------------------------------------------===//
// Amplified differences
//===----------------------------------------------------------------------===//

static bool isCallOfFunction(const Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && (Op->is(OpCode::CallGlobal) || Op->is(OpCode::CallValue));
}

/// Returns true if the value of \p Op may differ because of an operation that
/// amplifies a difference. Calls, choices and parameters of closures are
/// unknown.
bool DifferenceFinder::follows(const Operation &Op) const {
  if (Amplified.empty())
    return false;
  if (!Op.is(OpCode::Operator) && !Op.is(OpCode::Tuple) &&
      !Op.is(OpCode::TupleGetItem))
    return true;
  return llvm::any_of(Op.operands(), [this](const Value *V) {
    return isa<BlockArgument>(V) ? !llvm::is_contained(Params, V)
                                 : Amplified.contains(V) || isCallOfFunction(V);
  });
}

/// Returns true if \p Op, whose result differs, is unchanged and has operands
/// that agree.
bool DifferenceFinder::amplifies(const Operation &Op,
                                 const Operation &Twin) const {
  if (T.isExact() || !Op.is(OpCode::Operator) ||
      &Op.getInfo() != &Twin.getInfo() || Op.getAttrs() != Twin.getAttrs() ||
      Op.getNumOperands() != Twin.getNumOperands())
    return false;
  return llvm::all_of(llvm::zip_equal(Twin.operands(), Op.operands()),
                      [this](auto Pair) {
                        return agree(std::get<0>(Pair), std::get<1>(Pair));
                      });
}

/// Returns all values of \p V; values of constants are not recorded.
static SmallVector<RuntimeValue, 1> getValuesOf(const Value *V,
                                                const ValueRecorder &Recorder) {
  SmallVector<RuntimeValue, 1> Values;
  if (const ConstantData *Data = getKnownData(V))
    Values.push_back(Tensor::get(*Data));
  else
    llvm::append_range(Values, Recorder.getValues(V));
  return Values;
}

/// Returns true if the two operands have agreed so far, within the tolerance.
/// The new operand lacks the values of later calls. Results of calls are
/// assumed to agree, since the operations in the callee are compared.
bool DifferenceFinder::agree(const Value *Old, const Value *New) const {
  if (isCallOfFunction(Old) && isCallOfFunction(New))
    return true;
  SmallVector<RuntimeValue, 1> OldValues = getValuesOf(Old, Before);
  SmallVector<RuntimeValue, 1> NewValues = getValuesOf(New, After);
  return !NewValues.empty() && OldValues.size() >= NewValues.size() &&
         llvm::all_of(llvm::zip(OldValues, NewValues), [this](auto Pair) {
           return !compareParts(std::get<0>(Pair), std::get<1>(Pair), "", T)
                       .First;
         });
}

/// Returns true if \p Op and \p Twin are both `max` or both `min`, over the
/// same elements in another order, including NaN.
bool DifferenceFinder::reordersNaN(const Operation &Op,
                                   const Operation *Twin) const {
  if (T.isExact() || !Twin || &Op.getInfo() != &Twin->getInfo() ||
      !(isa<MaxOp>(&Op) || isa<MinOp>(&Op)))
    return false;
  SmallVector<RuntimeValue, 1> OldValues =
      getValuesOf(Twin->getOperand(0), Before);
  SmallVector<RuntimeValue, 1> NewValues = getValuesOf(Op.getOperand(0), After);
  return !NewValues.empty() && OldValues.size() >= NewValues.size() &&
         llvm::all_of(llvm::zip(OldValues, NewValues), [this](auto Pair) {
           return areReorderedWithNaN(std::get<0>(Pair).getTensor(),
                                      std::get<1>(Pair).getTensor(), T);
         });
}
