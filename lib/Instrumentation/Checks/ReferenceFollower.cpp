//===- ReferenceFollower.cpp - Integers in place of floats ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates integers that replaced floats, and compares them with the floats.
// See ReferenceFollower.h.
//
//===----------------------------------------------------------------------===//

#include "ReferenceFollower.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Core.h"
#include "relay/IR/ElementRange.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/QNN.h"
#include <cmath>

using namespace relay;

/// If an operation and its twin call different operators, the pass has replaced
/// the twin by the operation.
ReferenceFollower::ReferenceFollower(Function &After,
                                     const OperationTwins &Twins,
                                     unsigned Steps)
    : Twins(Twins), Steps(Steps) {
  for (Function *Each : getReachableFunctions(After))
    walk(*Each, [&](Operation *Op) {
      const Operation *Twin = Twins.lookup(Op);
      if (!Twin || &Twin->getInfo() == &Op->getInfo())
        return;
      Replaced[Op] = Twin;
      Values.try_emplace(Twin);
    });
  for (const Entry &Each : Twins.getQuantized()) {
    Entries[{Each.Old, Each.Region}] = &Each;
    if (isa<QnnDequantizeOp>(Each.Old))
      Inputs.insert({Each.New, Each.Region});
    Values.try_emplace(Each.Old);
    for (const Value *V : {Each.New, Each.Scale, Each.ZeroPoint})
      if (V)
        Values.try_emplace(V);
  }
}

void ReferenceFollower::restart() {
  for (auto &[V, OfValue] : Values)
    OfValue.clear();
  Computed.clear();
}

static bool haveSameType(const RuntimeValue &L, const RuntimeValue &R) {
  return L.isTensor() && R.isTensor() &&
         L.getTensor().getDType() == R.getTensor().getDType() &&
         L.getTensor().getShape() == R.getTensor().getShape();
}

void ReferenceFollower::substitute(const Operation &Op, RuntimeValue &V) {
  if (auto Found = Replaced.find(&Op); Found != Replaced.end()) {
    ArrayRef<RuntimeValue> Old = Values.find(Found->second)->second;
    SmallVector<RuntimeValue, 1> &OfOp = Computed[&Op];
    OfOp.push_back(V);
    if (OfOp.size() <= Old.size() && haveSameType(Old[OfOp.size() - 1], V))
      V = Old[OfOp.size() - 1];
  }
  if (auto Found = Values.find(&Op); Found != Values.end())
    Found->second.push_back(V);
}

void ReferenceFollower::afterBinding(const BlockArgument &Bound,
                                     const RuntimeValue &V) {
  if (auto Found = Values.find(&Bound); Found != Values.end())
    Found->second.push_back(V);
}

//===----------------------------------------------------------------------===//
// Numbers and integers
//===----------------------------------------------------------------------===//

namespace {
/// Scales and zero points of the elements of a tensor.
class ElementScales {
public:
  ElementScales(const Tensor &Of, const Tensor &Scale, const Tensor &ZeroPoint,
                int64_t Axis)
      : Scale(Scale), ZeroPoint(ZeroPoint) {
    int64_t Rank = Of.getRank(), Position = Axis < 0 ? Axis + Rank : Axis;
    if (Position < 0 || Position >= Rank)
      return;
    NumChannels = Of.getDim(Position);
    for (int64_t Extent : Of.getShape().drop_front(Position + 1))
      Inner *= Extent;
  }

  /// Returns true if vectors have a number for each channel.
  bool areValid() const {
    return llvm::all_of(ArrayRef({&Scale, &ZeroPoint}), [&](auto *T) {
      return *T && (T->getNumElements() == 1 ||
                    (T->getRank() == 1 && T->getDim(0) == NumChannels));
    });
  }
  float getScale(int64_t I) const { return float(get(Scale, I)); }
  double getZeroPoint(int64_t I) const { return get(ZeroPoint, I); }

private:
  double get(const Tensor &T, int64_t I) const {
    return T.getDouble(T.getNumElements() == 1 ? 0 : I / Inner % NumChannels);
  }

  const Tensor &Scale, &ZeroPoint;
  int64_t NumChannels = 1, Inner = 1;
};
} // namespace

/// Returns the value of \p V after the pass, a tensor, if it has been evaluated
/// once.
Tensor ReferenceFollower::getValue(const Value *V) const {
  if (const ConstantData *Data = V ? getKnownData(V) : nullptr)
    return Tensor::get(*Data);
  auto Found = Values.find(V);
  if (!V || Found == Values.end() || Found->second.size() != 1 ||
      !Found->second[0].isTensor())
    return Tensor();
  return Found->second[0].getTensor();
}

/// Returns the integers of \p Of. A region begins with results of other regions
/// before the pass.
Tensor ReferenceFollower::getIntegers(const Entry &Of) const {
  if (!Of.New || !Of.New->getDefiningOp() ||
      Inputs.contains({Of.New, Of.Region}))
    return getValue(Of.New);
  auto Found = Computed.find(Of.New->getDefiningOp());
  if (Found == Computed.end())
    return getValue(Of.New);
  bool IsKnown = Found->second.size() == 1 && Found->second[0].isTensor();
  return IsKnown ? Found->second[0].getTensor() : Tensor();
}

/// Returns the floats that the integers of \p Of represent; none if they are
/// not known.
Tensor ReferenceFollower::getFloats(const Entry &Of) const {
  Tensor Integers = getIntegers(Of);
  Tensor Scale = getScale(Of), Zero = getZeroPoint(Of);
  auto *T = dyn_cast_or_null<TensorType>(Of.Old->getType());
  if (!Integers || !T)
    return Tensor();
  ElementScales Scales(Integers, Scale, Zero, Of.Axis);
  if (!Scales.areValid())
    return Tensor();
  DType Float32 = DType::getFloat(32);
  Tensor Floats = Tensor::allocate(Float32, Integers.getShape());
  MutableArrayRef<float> To = Floats.getMutableElements<float>();
  for (int64_t I = 0; I != Integers.getNumElements(); ++I)
    To[I] = float(double(Integers.getInt(I)) - Scales.getZeroPoint(I)) *
            Scales.getScale(I);
  return Floats;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Returns the floats of \p Old, a value before the pass, that the integers in
/// \p Region represent; constants outside of it as they are.
RuntimeValue ReferenceFollower::resolve(const Value *Old,
                                        unsigned Region) const {
  if (const Entry *Of = Entries.lookup({Old, Region})) {
    Tensor Floats = getFloats(*Of);
    return Floats ? RuntimeValue(Floats) : RuntimeValue();
  }
  if (const ConstantData *Data = getKnownData(Old))
    return Tensor::get(*Data);
  const Operation *Tuple = Old->getDefiningOp();
  if (!Tuple || !isa<TupleOp>(Tuple))
    return RuntimeValue();
  SmallVector<RuntimeValue, 4> Fields;
  for (const Value *Operand : Tuple->operands()) {
    const Entry *Of = Entries.lookup({Operand, Region});
    Tensor Floats = Of ? getFloats(*Of) : Tensor();
    if (!Floats)
      return RuntimeValue();
    Fields.push_back(Floats);
  }
  return RuntimeValue::getTuple(std::move(Fields));
}

/// Returns the result of the operation of \p Of for the floats that the
/// integers of its operands represent; none if they are not known.
RuntimeValue ReferenceFollower::compute(Evaluator &E, const Entry &Of) const {
  if (isa<QnnQuantizeOp>(Of.Old))
    return resolve(Of.Old->getOperand(0), Of.Region);
  if (!Of.Old->is(OpCode::Operator) || isa<QnnDequantizeOp>(Of.Old))
    return RuntimeValue();
  SmallVector<RuntimeValue, 4> Operands;
  for (const Value *Operand : Of.Old->operands()) {
    Operands.push_back(resolve(Operand, Of.Region));
    if (!Operands.back())
      return RuntimeValue();
  }
  FailureOr<RuntimeValue> Result = E.evaluate(*Of.Old, Operands);
  return succeeded(Result) && Result->isTensor() ? *Result : RuntimeValue();
}

/// Returns \p Number in steps of \p Scale from \p ZeroPoint, in \p Range.
static double quantize(double Number, double Scale, double ZeroPoint,
                       const ElementRange &Range) {
  double Quantized = std::round(Number / Scale) + ZeroPoint;
  if (!(Quantized < Range.Highest)) // NaN becomes the greatest integer
    return Range.Highest;
  return std::max(Quantized, Range.Lowest);
}

/// Compares the integers of \p Of with \p Floats in their scale. Products are
/// exact as integers, but not as floats.
std::optional<ResultDifference>
ReferenceFollower::compare(const Entry &Of, const Tensor &Floats) const {
  Tensor Integers = getIntegers(Of);
  Tensor Scale = getScale(Of), Zero = getZeroPoint(Of);
  if (!Integers || Integers.getShape() != Floats.getShape())
    return std::nullopt;
  ElementScales Scales(Integers, Scale, Zero, Of.Axis);
  std::optional<ElementRange> Range = getElementRange(Integers.getDType());
  if (!Scales.areValid() || !Range)
    return std::nullopt;
  constexpr double Rounding = 0x1p-15;
  int64_t Count = Integers.getNumElements();
  double Largest = 0;
  for (int64_t I = 0; I != Count; ++I)
    Largest = std::max(Largest, std::abs(Integers.getDouble(I)));
  double Bound = Steps + Rounding * Largest;
  for (int64_t I = 0; I != Count; ++I) {
    double Expected = quantize(Floats.getDouble(I), Scales.getScale(I),
                               Scales.getZeroPoint(I), *Range);
    if (std::abs(Integers.getDouble(I) - Expected) <= Bound)
      continue;
    std::string At = Integers.getRank()
                         ? " at " + describeIndex(Integers.getShape(), I)
                         : "";
    return ResultDifference{("its '" + Of.Old->getName() + "'" + At + " is " +
                             Twine(Integers.getInt(I)) +
                             ", and its floats are " +
                             Twine(int64_t(Expected)) + " in the same scale")
                                .str(),
                            ""};
  }
  return std::nullopt;
}

const Operation *
ReferenceFollower::findDifference(Evaluator &E, ResultDifference &Difference) {
  for (const Entry &Each : Twins.getQuantized()) {
    RuntimeValue Floats =
        Each.IsApproximate ? RuntimeValue() : compute(E, Each);
    if (!Floats || !Floats.isTensor())
      continue;
    std::optional<ResultDifference> Found = compare(Each, Floats.getTensor());
    if (!Found)
      continue;
    Difference = std::move(*Found);
    return Each.New->getDefiningOp();
  }
  return nullptr;
}
