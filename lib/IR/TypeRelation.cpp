//===- TypeRelation.cpp - The interface of type relations -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relation interface over complete types, which the Builder uses; room
// Analysis derives from it to unify.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TypeRelation.h"
#include "relay/IR/Core.h"
#include "relay/IR/Operation.h"
#include "relay/IR/TypeUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace relay;

TypeRelation::~TypeRelation() = default;

//===----------------------------------------------------------------------===//
// Results and failures
//===----------------------------------------------------------------------===//

/// `'op': Message: T1, T2 and T3`.
static std::string describe(StringRef Op, const Twine &Message,
                            ArrayRef<Type *> Types) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << '\'' << Op << "': " << Message;
  for (auto [I, T] : llvm::enumerate(Types)) {
    OS << (I == 0 ? ": " : I + 1 == Types.size() ? " and " : ", ");
    if (T)
      OS << *T;
    else
      OS << "unknown";
  }
  return Text;
}

RelationResult TypeRelation::error(const Twine &Text) {
  SmallVector<Type *, 8> Types;
  for (unsigned I = 0; I != getNumOperands(); ++I)
    Types.push_back(getOperand(I));
  Message = describe(Info.Name, Text, Types);
  return RelationResult::Failed;
}

RelationResult TypeRelation::unresolved(unsigned I, StringRef Expected) {
  if (!getOperand(I))
    return RelationResult::Unresolved;
  if (I < Info.OperandNames.size())
    return error("operand '" + Info.OperandNames[I] + "' is not " + Expected);
  return error("operand " + Twine(I + 1) + " is not " + Expected);
}

FailureOr<SmallVector<const TensorType *, 8>>
TypeRelation::getTensorFields(unsigned I, RelationResult &Out) {
  const TupleType *Tuple = getTuple(I);
  if (!Tuple) {
    Out = unresolved(I, "a tuple of tensors");
    return failure();
  }
  SmallVector<const TensorType *, 8> Tensors;
  for (Type *Field : Tuple->getFields()) {
    Type *T = known(Field);
    auto *Tensor = dyn_cast_or_null<TensorType>(T);
    if (!Tensor) {
      Out = T ? error("a field of the tuple is not a tensor")
              : RelationResult::Unresolved;
      return failure();
    }
    Tensors.push_back(Tensor);
  }
  return Tensors;
}

/// Returns true if \p D is the result of arithmetic that is out of range: an
/// int32 overflow, or constants that could not be folded.
static bool isOutOfRange(Dim D) {
  if (D.isConst())
    return D.getInt() != int32_t(D.getInt()) &&
           D.getNumberType() == DType::getInt(32);
  if (!D.isExpr())
    return false;
  SmallVector<Dim, 8> Worklist = {D};
  llvm::SmallDenseSet<Dim, 8> Seen;
  while (!Worklist.empty()) {
    Dim Part = Worklist.pop_back_val();
    if (Part.isExpr() && Seen.insert(Part).second)
      llvm::append_range(Worklist, Part.getOperands());
    else if (!Part.isExpr() && !Part.isConst())
      return false;
  }
  return true;
}

static bool hasDimOutOfRange(Type *T) {
  if (auto *Tuple = dyn_cast<TupleType>(T))
    return llvm::any_of(Tuple->getFields(), hasDimOutOfRange);
  auto *Tensor = dyn_cast<TensorType>(T);
  return Tensor && llvm::any_of(Tensor->getShape(), isOutOfRange);
}

RelationResult TypeRelation::setResult(Type *T) {
  if (T->getSize() > Type::MaxSize)
    return error("the type of the result has more than " +
                 Twine(Type::MaxSize) + " parts");
  if (hasDimOutOfRange(T))
    return error("a dimension of the result, " + toString(T) +
                 ", is out of range; the operands have types");
  Type *Old = getResult();
  if (succeeded(unify(-1, T)))
    return RelationResult::Solved;
  return error("the result is " + toString(T) + ", but " + toString(Old) +
               " is expected; the operands have types");
}

RelationResult TypeRelation::setResultLike(unsigned I) {
  Type *Old = getResult();
  if (succeeded(unifyResultWith(I)))
    return RelationResult::Solved;
  return error("the result has the operand's type, but " + toString(Old) +
               " is expected");
}

LogicalResult TypeRelation::setOperand(unsigned I, Type *T) {
  if (succeeded(unify(I, T)))
    return success();
  std::string Name = I < Info.OperandNames.size()
                         ? ("'" + Info.OperandNames[I] + "'").str()
                         : std::to_string(I + 1);
  error("operand " + Name + " must have type " + toString(T) +
        "; the operands have types");
  return failure();
}

const ConstantData *TypeRelation::getConstant(unsigned I) {
  ReadsValues = true;
  const Operation *Operand = Op && I < Op->getNumOperands()
                                 ? Op->getOperand(I)->getDefiningOp()
                                 : nullptr;
  return getKnownData(Operand);
}

//===----------------------------------------------------------------------===//
// Relations over complete types
//===----------------------------------------------------------------------===//

Type *TypeRelation::known(Type *T) const {
  return T && !isa<IncompleteType>(T) ? T : nullptr;
}

LogicalResult TypeRelation::unify(int I, Type *T) {
  Type *Old = I < 0 ? getResult() : getOperand(I);
  if (I < 0 && !Old) {
    Result = T;
    return success();
  }
  return success(joinTypes(Ctx, Old, T));
}

LogicalResult TypeRelation::unifyResultWith(unsigned I) {
  return unify(-1, getOperand(I));
}

Type *relay::inferCallType(Context &Ctx, const OpInfo &Info, const Attrs *A,
                           ArrayRef<Type *> Operands) {
  if (!Info.InferType || llvm::is_contained(Operands, nullptr))
    return nullptr;
  TypeRelation Relation(Ctx, Info, A, Operands, nullptr);
  bool IsSolved = Info.InferType(Relation) == RelationResult::Solved;
  return IsSolved && !Relation.readsValues() ? Relation.getResult() : nullptr;
}
