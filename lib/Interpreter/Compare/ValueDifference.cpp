//===- ValueDifference.cpp - Differences of two values --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks through two values side by side. Values nest as deep as lists are long,
// share parts, and contain themselves through references: the walk uses a
// worklist, and visits each pair once.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Compare/TensorDifference.h"
#include "llvm/ADT/DenseSet.h"

using namespace relay;
using Kind = RuntimeValue::Kind;

namespace {
class ValueComparison {
public:
  ValueComparison(Tolerance T,
                  function_ref<void(const ValueDifference &)> Report)
      : T(T), Report(Report) {}

  void run(const RuntimeValue &Expected, const RuntimeValue &Actual) {
    Worklist.push_back({&Expected, &Actual, Root});
    while (!Worklist.empty())
      compare(Worklist.pop_back_val());
  }

private:
  static constexpr size_t Root = ~size_t(0);
  struct Pair {
    const RuntimeValue *Expected, *Actual;
    size_t Step; ///< the last step of the path
  };
  /// Field \p Field of the value that the step \p Parent leads to.
  struct Step {
    size_t Parent, Depth, Field;
  };

  void compare(const Pair &P);
  void compareFields(const Pair &P);
  void report(const Pair &P, ValueDifference::Kind K, std::string Reason);
  std::string getPath(size_t Last) const;

  Tolerance T;
  function_ref<void(const ValueDifference &)> Report;
  SmallVector<Pair, 8> Worklist;
  std::vector<Step> Steps;
  llvm::DenseSet<std::pair<const void *, const void *>> Seen;
};
} // namespace

std::string ValueComparison::getPath(size_t Last) const {
  constexpr size_t MaxShown = 8;
  SmallVector<size_t, MaxShown> Fields;
  for (; Last != Root && Fields.size() != MaxShown; Last = Steps[Last].Parent)
    Fields.push_back(Steps[Last].Field);
  std::string Path;
  if (Last != Root)
    Path = ".[" + std::to_string(Steps[Last].Depth) + "]";
  for (size_t Field : llvm::reverse(Fields))
    Path += "." + std::to_string(Field);
  return Path;
}

void ValueComparison::report(const Pair &P, ValueDifference::Kind K,
                             std::string Reason) {
  ValueDifference D;
  D.K = K;
  D.Path = getPath(P.Step);
  D.Reason = std::move(Reason);
  if (K == ValueDifference::Kind::Tensors)
    D.Elements =
        compareTensors(P.Expected->getTensor(), P.Actual->getTensor(), T);
  D.Expected = P.Expected;
  D.Actual = P.Actual;
  Report(D);
}

/// Returns the symbol that the value refers to: `Cons`, `@f`, `nn.relu`.
static StringRef getSymbolName(const RuntimeValue &V) {
  switch (V.getKind()) {
  case Kind::Data:
  case Kind::Constructor:
    return V.getConstructor().Name;
  case Kind::GlobalFunction:
    return V.getGlobalFunction().getName();
  case Kind::Operator:
    return V.getOperatorInfo().Name;
  case Kind::Tensor:
  case Kind::Tuple:
  case Kind::Closure:
  case Kind::Reference:
    return "";
  }
  llvm_unreachable("covered switch");
}

/// Returns `a tuple of 2 fields`, `a value of an algebraic data type, Cons`.
static std::string describeStructure(const RuntimeValue &V) {
  std::string Text = V.describe().str();
  if (V.isTuple())
    return Text + " of " + std::to_string(V.getFields().size()) + " fields";
  if (V && !getSymbolName(V).empty())
    Text += ", " + getSymbolName(V).str();
  return Text;
}

static bool isFunction(const RuntimeValue &V) {
  return V.is(Kind::Closure) || V.is(Kind::GlobalFunction) ||
         V.is(Kind::Operator) || V.is(Kind::Constructor);
}

static bool hasSameStructure(const RuntimeValue &L, const RuntimeValue &R) {
  if (!L || !R || L.getKind() != R.getKind())
    return !L && !R;
  if (L.isTensor() || L.is(Kind::Closure))
    return true;
  return getSymbolName(L) == getSymbolName(R) &&
         L.getFields().size() == R.getFields().size();
}

void ValueComparison::compare(const Pair &P) {
  using Difference = ValueDifference::Kind;
  bool IsSame = hasSameStructure(*P.Expected, *P.Actual);
  if (isFunction(*P.Expected) && isFunction(*P.Actual) &&
      (!IsSame || P.Expected->is(Kind::Closure)))
    return report(P, Difference::NotCompared,
                  IsSame ? "closures are not compared"
                         : "different functions are not compared");
  if (!IsSame)
    return report(P, Difference::Structure,
                  describeStructure(*P.Actual) + " instead of " +
                      describeStructure(*P.Expected));
  if (!*P.Expected)
    return;
  if (Seen.size() == MaxComparedValues) {
    Worklist.clear();
    return report(P, Difference::Overflow,
                  "there are more values than are compared");
  }
  if (!Seen.insert({P.Expected->getIdentity(), P.Actual->getIdentity()}).second)
    return;
  if (P.Expected->isTensor())
    return report(P, Difference::Tensors, "");
  compareFields(P);
}

void ValueComparison::compareFields(const Pair &P) {
  size_t Depth = P.Step == Root ? 1 : Steps[P.Step].Depth + 1;
  ArrayRef<RuntimeValue> Left = P.Expected->getFields(),
                         Right = P.Actual->getFields();
  for (size_t I = Left.size(); I-- != 0;) {
    Worklist.push_back({&Left[I], &Right[I], Steps.size()});
    Steps.push_back({P.Step, Depth, I});
  }
}

void relay::compareValues(const RuntimeValue &Expected,
                          const RuntimeValue &Actual, Tolerance T,
                          function_ref<void(const ValueDifference &)> Report) {
  ValueComparison(T, Report).run(Expected, Actual);
}
