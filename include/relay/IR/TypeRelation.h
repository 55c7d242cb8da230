//===- TypeRelation.h - The interface of type relations ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between the relations of room Ops and their users: the Builder,
// which computes a result type from complete operand types, and the inference
// of room Analysis, which unifies. A relation reads operand types, which may be
// unknown, and assigns types to operands and to the result.
//
//   RelationResult inferTranspose(TypeRelation &R) {
//     const TensorType *Data = R.getTensor(0);
//     if (!Data)
//       return R.unresolved(0);
//     ...
//     return R.setResult(R.getTensorType(Shape, Data->getDType()));
//   }
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_TYPERELATION_H
#define RELAY_IR_TYPERELATION_H

#include "relay/IR/Context.h"
#include "relay/IR/OpInfo.h"
#include "relay/IR/Type.h"

namespace relay {

class TypeRelation {
public:
  TypeRelation(Context &Ctx, const OpInfo &Info, const Attrs *A,
               ArrayRef<Type *> Operands, Type *Result)
      : Ctx(Ctx), Info(Info), A(A), Operands(Operands), Result(Result) {}
  virtual ~TypeRelation();

  Context &getContext() const { return Ctx; }
  const OpInfo &getInfo() const { return Info; }
  /// The attributes as the op's own class: `R.getAttrs<Conv2DAttrs>()`.
  template <typename T> const T &getAttrs() const {
    return static_cast<const T &>(*A);
  }
  unsigned getNumOperands() const { return Operands.size(); }

  /// The known type of an operand or the result: null if unknown; parts of it
  /// may be Incomplete.
  Type *getOperand(unsigned I) const { return known(Operands[I]); }
  Type *getResult() const { return Result ? known(Result) : nullptr; }
  /// Operand \p I as a tensor; null when it is not known to be one. Use
  /// unresolved(I) then, which tells "not yet" from "something else".
  const TensorType *getTensor(unsigned I) const {
    return dyn_cast_or_null<TensorType>(getOperand(I));
  }
  const TupleType *getTuple(unsigned I) const {
    return dyn_cast_or_null<TupleType>(getOperand(I));
  }
  /// The operation that is typed, for relations that look at the values of
  /// operands; null when there is none.
  void setOperation(const Operation *O) { Op = O; }
  /// The data of operand \p I where it is a constant; null otherwise. Only for
  /// operands that an attribute mirrors (`arange`).
  const ConstantData *getConstant(unsigned I);
  /// Returns true if the result depends on more than attributes and operand
  /// types.
  bool readsValues() const { return ReadsValues; }

  /// Returns the result of a relation for which getTensor(I) or getTuple(I) is
  /// null: Unresolved if the type is unknown, Failed with a diagnostic if it is
  /// known and not \p Expected ("a tensor", "a tuple of tensors").
  RelationResult unresolved(unsigned I, StringRef Expected = "a tensor");

  /// The fields of the tuple of tensors \p I. On failure the relation returns
  /// \p Out.
  FailureOr<SmallVector<const TensorType *, 8>>
  getTensorFields(unsigned I, RelationResult &Out);

  /// Sets the result type to \p T, or unifies both if it is known.
  RelationResult setResult(Type *T);
  /// Makes the result and operand \p I of one type, also where it is unknown.
  RelationResult setResultLike(unsigned I);
  /// Sets the type of operand \p I to \p T, or unifies both if it is known.
  LogicalResult setOperand(unsigned I, Type *T);

  /// Reports \p Message, the op's name and the operand types, and fails.
  RelationResult error(const Twine &Message);

  Type *getTensorType(ArrayRef<Dim> Shape, DType T) const {
    return Ctx.getTensorType(Shape, T);
  }
  Type *getTupleType(ArrayRef<Type *> Fields) const {
    return Ctx.getTupleType(Fields);
  }

  /// Why the last error happened; used by solvers that emit it later.
  StringRef getMessage() const { return Message; }

protected:
  /// The known part of \p T: null for an unsolved unknown.
  virtual Type *known(Type *T) const;
  /// Unifies the type of operand \p I (or of the result, -1) with \p T.
  virtual LogicalResult unify(int I, Type *T);
  /// Unifies the types of the result and of operand \p I.
  virtual LogicalResult unifyResultWith(unsigned I);

  Context &Ctx;
  const OpInfo &Info;
  const Attrs *A;
  ArrayRef<Type *> Operands;
  Type *Result;
  const Operation *Op = nullptr;
  bool ReadsValues = false;
  std::string Message;
};

/// Returns the type of a call of the operator \p Info with operands of the
/// types
/// \p Operands. Returns null, without a diagnostic, if it does not take them,
/// if one of them is null, or if the type depends on values.
Type *inferCallType(Context &Ctx, const OpInfo &Info, const Attrs *A,
                    ArrayRef<Type *> Operands);

/// Returns true if \p A and \p B hold for the same integer under every binding
/// of variables, as far as simple arithmetic tells.
bool provablyEqual(Dim A, Dim B);

} // namespace relay

#endif // RELAY_IR_TYPERELATION_H
