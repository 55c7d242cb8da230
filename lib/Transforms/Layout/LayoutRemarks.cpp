//===- LayoutRemarks.cpp - Why operations keep their layouts --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remarks `kept-layout` of a LayoutConverter, with the operand that has to
// be transformed back.
//
//===----------------------------------------------------------------------===//

#include "LayoutConverter.h"
#include "relay/Pass/PassInstrumentation.h"

using namespace relay;

static constexpr StringLiteral KeptLayout = "kept-layout";

/// Returns `operand 0 goes back from 'NHWC' to 'NCHW'`.
static std::string describeWayBack(unsigned I, LayoutRef From, LayoutRef To) {
  return ("operand " + Twine(I) + " goes back from '" + From->str() + "' to '" +
          To->str() + "'")
      .str();
}

/// Describes the first operand of \p Op, or field of an operand, that has been
/// replaced by a value in another layout; empty if there is none.
std::string LayoutConverter::describePlaced(Operation *Op) const {
  for (auto [I, V] : llvm::enumerate(Op->operands())) {
    SmallVector<PlacedValue, 4> Values = {lookup(V)};
    if (auto It = Tuples.find(V); It != Tuples.end())
      Values.append(It->second.Fields);
    else if (isTupleInPlace(V))
      for (Value *Field : cast<TupleOp>(V).fields())
        Values.push_back(lookup(Field));
    for (const PlacedValue &P : Values)
      if (P.Old != P.New)
        return describeWayBack(I, P.New, P.Old);
  }
  return "";
}

/// Returns true if an attribute of \p Op names a layout.
static bool namesLayout(const Operation &Op) {
  const Attrs *A = Op.getAttrs();
  return A && !A->isDict() &&
         llvm::any_of(A->getInfo().Fields, [](const AttrField &Field) {
           return StringRef(Field.Name).ends_with("layout");
         });
}

void LayoutConverter::remarkKept(Operation *Op) const {
  bool IsCall = Op->is(OpCode::Operator) || Op->is(OpCode::CallGlobal) ||
                Op->is(OpCode::CallValue) || Op->is(OpCode::CallConstructor);
  std::string Way = TakesRemarks && IsCall ? describePlaced(Op) : "";
  if (Way.empty())
    return;
  StringRef Reason = !Op->is(OpCode::Operator)
                         ? "its arguments keep their types"
                     : Inferences.lookup(*Op) ? "its layout rule does not apply"
                                              : "it has no layout rule";
  emitMissedRemark(Op, KeptLayout, Reason + "; " + Way);
}

void LayoutConverter::remarkNotConverted(Operation *Op,
                                         const ConvertedOp &Converted) const {
  if (TakesRemarks && (Converted.Info != &Op->getInfo() ||
                       Converted.Attributes != Op->getAttrs()))
    emitMissedRemark(Op, KeptLayout,
                     "its operands and results do not fit the requested "
                     "layouts");
}

void LayoutConverter::remarkUnchanged(Operation *Op) const {
  if (TakesRemarks && namesLayout(*Op))
    emitMissedRemark(Op, KeptLayout,
                     NoRequest + ", and its operands keep theirs");
}

void LayoutConverter::remarkRestored(Operation *Op,
                                     const ConversionPlan &P) const {
  if (!TakesRemarks || P.IsConverted)
    return;
  for (unsigned I = 0; I < P.Needed.size(); ++I) {
    const PlacedValue &From = P.Operands.Values[I];
    if (From.Old == From.New || P.Needed[I] != From.Old)
      continue;
    return emitMissedRemark(Op, KeptLayout,
                            "its layout rule keeps '" + P.Needed[I]->str() +
                                "'; " + describeWayBack(I, From.New, From.Old));
  }
}
