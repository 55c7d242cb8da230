//===- Replacement.cpp - Replacements of rules in text --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are computed before operations are created: a rule that would change
// the type of its root does not apply, and has no side effects.
//
//===----------------------------------------------------------------------===//

#include "Replacement.h"
#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/TypeRelation.h"
#include "relay/IR/TypingRules.h"
#include "relay/Text/Parse/AttrValues.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static Attr getMatchedAttr(const RuleMatch &M, Replacement::MatchedAttr A) {
  auto *Call = cast<Operation>(M.getValue(A.Capture));
  return Call->getAttrs()->getSlot(A.Field);
}

/// Returns the attributes of the call \p N, null if it takes none; none if an
/// attribute of the match does not fit the field.
std::optional<const Attrs *> Replacement::getAttrs(Context &Ctx, const Node &N,
                                                   const RuleMatch &M) const {
  const AttrsInfo *Info = N.Op->Attributes;
  if (!Info)
    return nullptr;
  const Attrs *From =
      N.AttrsFrom ? cast<Operation>(M.getValue(*N.AttrsFrom))->getAttrs()
                  : Ctx.getDefaultAttrs(*Info);
  SmallVector<Attr, 16> Slots(From->getSlots());
  for (const NewAttr &Change : N.Changes) {
    if (auto *Literal = std::get_if<Attr>(&Change.Value)) {
      Slots[Change.Field] = *Literal;
      continue;
    }
    std::optional<Attr> Value =
        toFieldValue(Ctx, Info->Fields[Change.Field],
                     getMatchedAttr(M, std::get<MatchedAttr>(Change.Value)));
    if (!Value)
      return std::nullopt;
    Slots[Change.Field] = *Value;
  }
  return Ctx.getAttrs(*Info, Slots);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns the type of the call \p N. If the result of the operator depends on
/// the values of operands, it is only known once they exist.
Type *Replacement::inferCall(Context &Ctx, const Node &N, const RuleMatch &M,
                             Typing &T) const {
  SmallVector<Type *, 4> Operands;
  for (auto [I, Operand] : llvm::enumerate(N.Operands)) {
    Operands.push_back(T.Types[Operand]);
    if (!Operands.back() || N.Op->mirrorsOperand(I))
      return nullptr;
  }
  std::optional<const Attrs *> A = getAttrs(Ctx, N, M);
  if (!A || !N.Op->InferType)
    return nullptr;
  TypeRelation Relation(Ctx, *N.Op, *A, Operands, nullptr);
  RelationResult Outcome = N.Op->InferType(Relation);
  if (Outcome == RelationResult::Failed)
    T.Message = Relation.getMessage().empty()
                    ? ("'" + N.Op->Name + "' does not take these types").str()
                    : Relation.getMessage().str();
  return Outcome == RelationResult::Solved ? Relation.getResult() : nullptr;
}

static Type *inferProjection(Type *Tuple, int64_t Index, std::string &Message) {
  auto *Fields = dyn_cast_or_null<TupleType>(Tuple);
  if (Fields && uint64_t(Index) < Fields->getNumFields())
    return Fields->getField(Index);
  if (Tuple)
    Message = typing::getProjectionError(Index, Tuple);
  return nullptr;
}

Replacement::Typing Replacement::inferTypes(Context &Ctx,
                                            const RuleMatch &M) const {
  Typing T;
  for (auto [I, N] : llvm::enumerate(Nodes)) {
    Type *New = nullptr;
    auto GetType = [&](unsigned Node) { return T.Types[Node]; };
    switch (N.Kind) {
    case NodeKind::Matched:
      New = M.getValue(N.Capture)->getType();
      break;
    case NodeKind::Constant:
      New = N.Value.getConstant()->getType();
      break;
    case NodeKind::Call:
      New = inferCall(Ctx, N, M, T);
      break;
    case NodeKind::Tuple:
      if (llvm::all_of(N.Operands, GetType))
        New = Ctx.getTupleType(llvm::map_to_vector(N.Operands, GetType));
      break;
    case NodeKind::Projection:
      New = inferProjection(GetType(N.Operands.front()), N.Index, T.Message);
      break;
    }
    if (New && New->getDepth() > Type::MaxDepth)
      T.Message = Type::TooDeep;
    else if (New && New->getSize() > Type::MaxSize)
      T.Message = Type::TooLarge;
    T.Types.push_back(New);
    if (T.Message.empty())
      continue;
    T.Wrong = I;
    break;
  }
  return T;
}

//===----------------------------------------------------------------------===//
// Applicability of the rule
//===----------------------------------------------------------------------===//

static Context &getContext(const RuleMatch &M) {
  return M.getRoot()->getFunction()->getContext();
}

/// Returns true if the attributes of \p M satisfy required equalities, and fit
/// where they are used.
bool Replacement::areAttrsFit(Context &Ctx, const RuleMatch &M) const {
  return llvm::all_of(Equal,
                      [&](const auto &Pair) {
                        return getMatchedAttr(M, Pair.first) ==
                               getMatchedAttr(M, Pair.second);
                      }) &&
         llvm::all_of(Nodes, [&](const Node &N) {
           return N.Kind != NodeKind::Call || getAttrs(Ctx, N, M);
         });
}

/// Returns the type of the replacement if it is known to differ from the
/// root's; otherwise null.
Type *Replacement::getOtherType(Context &Ctx, const RuleMatch &M) const {
  Typing T = inferTypes(Ctx, M);
  Type *Old = M.getRoot()->getType();
  if (T.Wrong || !Old || !T.Types.back() || isSameType(Old, T.Types.back()))
    return nullptr;
  return T.Types.back();
}

/// Without its type, no value can replace the root.
bool Replacement::isApplicable(const RuleMatch &M) const {
  Context &Ctx = getContext(M);
  return M.getRoot()->getType() && areAttrsFit(Ctx, M) && !getOtherType(Ctx, M);
}

std::string Replacement::explainType(const RuleMatch &M) const {
  if (!M.getRoot()->getType())
    return "its type is not known";
  Context &Ctx = getContext(M);
  Type *New = areAttrsFit(Ctx, M) ? getOtherType(Ctx, M) : nullptr;
  if (!New)
    return "";
  return "it would replace a value of type " +
         toString(M.getRoot()->getType()) + " by one of type " + toString(New);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// Reports that the node \p N cannot be created for \p M.
Value *Replacement::fail(Context &Ctx, const RuleMatch &M, const Node &N,
                         const Twine &Message) const {
  InFlightDiagnostic D = Ctx.emitError(
      M.getRoot()->getLoc(),
      "rule '" + RuleName + "' creates an invalid operation: " + Message);
  D.note(N.Loc, "this part of the rule");
  return nullptr;
}

Value *Replacement::buildNode(Rewriter &R, const Node &N, const RuleMatch &M,
                              ArrayRef<Value *> Values) const {
  auto Operands = llvm::map_to_vector<4>(
      N.Operands, [&](unsigned Node) { return Values[Node]; });
  switch (N.Kind) {
  case NodeKind::Matched:
    return M.getValue(N.Capture);
  case NodeKind::Constant:
    return R.create<ConstantOp>(N.Value);
  case NodeKind::Tuple:
    return R.create<TupleOp>(ArrayRef<Value *>(Operands));
  case NodeKind::Projection:
    return R.create<TupleGetItemOp>(Operands.front(), N.Index);
  case NodeKind::Call:
    break;
  }
  Operation *Call =
      R.createOperation(*N.Op, Operands, *getAttrs(R.getContext(), N, M));
  if (N.Op->Verify && failed(N.Op->Verify(*Call)))
    return fail(R.getContext(), M, N,
                "an invalid call of '" + N.Op->Name + "'");
  return Call;
}

Value *Replacement::build(Rewriter &R, const RuleMatch &M) const {
  Typing T = inferTypes(R.getContext(), M);
  if (T.Wrong)
    return fail(R.getContext(), M, Nodes[*T.Wrong], T.Message);
  SmallVector<Value *, 8> Values;
  for (const Node &N : Nodes) {
    Values.push_back(buildNode(R, N, M, Values));
    if (!Values.back())
      return nullptr;
  }
  return Values.back();
}
