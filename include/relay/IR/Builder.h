//===- Builder.h - Creating IR ----------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builder creates operations at an insertion point and types them at once when
// their operands are typed. Passes, which change IR that is there, use its
// derived class Rewriter.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_BUILDER_H
#define RELAY_IR_BUILDER_H

#include "relay/IR/AttrsBuilder.h"
#include "relay/IR/Constant.h"
#include "relay/IR/Module.h"

namespace relay {

class Builder {
public:
  explicit Builder(Context &Ctx) : Ctx(Ctx) {}
  /// Inserts at the end of \p B.
  explicit Builder(Block &B);
  virtual ~Builder();

  Context &getContext() const { return Ctx; }
  Function &getFunction() const { return *B->getFunction(); }
  void setInsertionPoint(Operation *Before);
  void setInsertionPointAfter(Operation *Op);
  void setInsertionPointToEnd(Block &Where);
  void setInsertionPointToStart(Block &Where);
  /// Restores the insertion point and the location at the end of its life. The
  /// operation that the insertion point is at may be moved or erased in
  /// between, by a Rewriter: the point is then at the next one.
  class InsertionGuard {
  public:
    explicit InsertionGuard(Builder &Owner)
        : Owner(Owner), Outer(Owner.Guards), B(Owner.B), Point(Owner.Point),
          Loc(Owner.Loc) {
      Owner.Guards = this;
    }
    InsertionGuard(const InsertionGuard &) = delete;
    InsertionGuard &operator=(const InsertionGuard &) = delete;
    ~InsertionGuard() {
      Owner.B = B;
      Owner.Point = Point;
      Owner.Loc = Loc;
      Owner.Guards = Outer;
    }

  private:
    friend class Builder;
    Builder &Owner;
    InsertionGuard *Outer;
    Block *B;
    Block::iterator Point;
    Location Loc;
  };

  /// The location of operations created from here on.
  void setLoc(Location L) { Loc = L; }
  Location getLoc() const { return Loc; }

  /// Makes and inserts a floating operation, and types it if that can be done.
  /// Generated `XOp::build` functions call this.
  Operation *createOperation(const OpInfo &Info, ArrayRef<Value *> Operands,
                             const Attrs *A = nullptr, unsigned NumRegions = 0);
  /// Like createOperation() for an operation without regions whose type rule is
  /// known to result in \p T.
  Operation *createTypedOperation(const OpInfo &Info,
                                  ArrayRef<Value *> Operands, const Attrs *A,
                                  Type *T);
  /// `create<AddOp>(X, Y)`: the op's generated build().
  template <typename OpT, typename... Args> OpT create(Args &&...As) {
    return OpT::build(*this, std::forward<Args>(As)...);
  }
  /// `create<TransposeOp>(X, {1, 0})`: with a list of integers after the
  /// operands.
  template <typename OpT, typename... Args>
  OpT create(Value *Operand, std::initializer_list<int64_t> List,
             Args &&...As) {
    return OpT::build(*this, Operand, List, std::forward<Args>(As)...);
  }
  template <typename OpT, typename... Args>
  OpT create(Value *Lhs, Value *Rhs, std::initializer_list<int64_t> List,
             Args &&...As) {
    return OpT::build(*this, Lhs, Rhs, List, std::forward<Args>(As)...);
  }

  /// A constant of \p T, whose shape is static, with the bytes \p Data.
  Operation *constant(TensorType *T, TensorBuffer Data);
  /// A constant of \p T with \p Elements, row-major, of T's element type (see
  /// dispatchDType()).
  template <typename E>
  Operation *constant(TensorType *T, ArrayRef<E> Elements) {
    assert(isElementType<E>(T->getDType()) &&
           "elements of another type than the constant");
    return constant(T, TensorBuffer::copy(ArrayRef(
                           reinterpret_cast<const char *>(Elements.data()),
                           Elements.size() * sizeof(E))));
  }
  /// A scalar of \p T, which has an element type, from a number (see
  /// toElement()).
  template <typename N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0>
  Operation *constant(DType T, N Value) {
    return splat(Ctx.getScalarType(T), Value);
  }
  /// A constant of \p T, whose shape is static and whose data type has an
  /// element type, with \p Value for each element (see toElement()).
  template <typename N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0>
  Operation *splat(TensorType *T, N Value) {
    using NumberT =
        std::conditional_t<std::is_floating_point_v<N>, double, int64_t>;
    return constant(
        T, makeSplat(T->getDType(), *T->getNumElements(), NumberT(Value)));
  }

  /// Binds \p Op by `let %Name: Annotation = …` where it stands.
  void bind(Operation *Op, StringRef InternedName, Type *Annotation = nullptr,
            Attr VirtualDevice = {});
  /// Binds \p Op with the name, annotation and device of the bound \p Other.
  void bindLike(Operation *Op, const Operation *Other);

protected:
  virtual void notifyCreated(Operation *) {}
  virtual void notifyModified(Operation *) {}
  void insert(Operation *Op);
  /// Moves insertion points at \p Op, which is about to move, to the next
  /// operation.
  void leavePlace(Operation *Op);

  Context &Ctx;
  Block *B = nullptr;
  Block::iterator Point;
  Location Loc;
  InsertionGuard *Guards = nullptr; ///< the innermost one
};

/// The type of \p Op of its operands', its regions' and its module's types;
/// null when it cannot be told. Does not change anything.
Type *inferOperationType(const Operation &Op);

} // namespace relay

#endif // RELAY_IR_BUILDER_H
