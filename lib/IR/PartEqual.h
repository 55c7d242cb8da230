//===- PartEqual.h - Equality of types and attributes -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what operations are made of besides values: types, dimensions,
// attribute values, constant data. Type parameters and symbolic dimensions of
// the two sides match one to one. Recursion is as deep as types and attributes
// nest, which is bounded. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_PARTEQUAL_H
#define RELAY_LIB_IR_PARTEQUAL_H

#include "relay/IR/StructuralEqual.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// Which thing of the left side is which of the right.
template <typename T> class Bijection {
public:
  /// Whether \p L and \p R are matched, after matching them if both are free.
  bool match(T L, T R) {
    auto [ItL, NewL] = Right.try_emplace(L, R);
    auto [ItR, NewR] = Left.try_emplace(R, L);
    return ItL->second == R && ItR->second == L;
  }
  /// Whether they were matched; none when both are free still.
  std::optional<bool> isMatched(T L, T R) const {
    auto ItL = Right.find(L), ItR = Left.find(R);
    if (ItL == Right.end() && ItR == Left.end())
      return std::nullopt;
    return ItL != Right.end() && ItL->second == R;
  }
  bool hasLeft(T L) const { return Right.count(L); }
  bool hasRight(T R) const { return Left.count(R); }
  /// Matches them whatever they were matched with. The result undoes that.
  std::pair<std::optional<T>, std::optional<T>> override(T L, T R) {
    return {exchange(Right, L, R), exchange(Left, R, L)};
  }
  void restore(T L, T R, std::pair<std::optional<T>, std::optional<T>> Old) {
    reset(Right, L, Old.first);
    reset(Left, R, Old.second);
  }

private:
  using Map = llvm::DenseMap<T, T>;
  static std::optional<T> exchange(Map &M, T Key, T Value) {
    auto [It, New] = M.try_emplace(Key, Value);
    if (New)
      return std::nullopt;
    return std::exchange(It->second, Value);
  }
  static void reset(Map &M, T Key, std::optional<T> Old) {
    if (Old)
      M[Key] = *Old;
    else
      M.erase(Key);
  }

  Map Right; // of what is on the left
  Map Left;  // of what is on the right
};

class PartComparer {
public:
  /// \p MatchFree: type parameters and symbolic dimensions that were not
  /// matched yet match when they meet. Otherwise they have to be the same.
  PartComparer(const EqualOptions &O, bool MatchFree)
      : O(O), MatchFree(MatchFree) {}

  bool same(const Type *L, const Type *R);
  bool same(Attr L, Attr R);
  bool same(const Attrs *L, const Attrs *R);
  /// Lists of functions' attributes: null is the empty one.
  bool sameDict(const Attrs *L, const Attrs *R);
  /// The name of a field or entry in which the lists differ, which do.
  StringRef findDifference(const Attrs *L, const Attrs *R);
  /// Matches type parameters of signatures, by position.
  bool matchTypeParams(ArrayRef<TypeVarType *> L, ArrayRef<TypeVarType *> R);

private:
  bool sameStructure(const Type *L, const Type *R);
  bool sameTypes(ArrayRef<Type *> L, ArrayRef<Type *> R);
  bool sameFunc(const FuncType *L, const FuncType *R);
  bool sameVar(const TypeVarType *L, const TypeVarType *R);
  bool sameStructure(Attr L, Attr R);
  bool sameRaw(Attr L, Attr R);
  bool sameList(ArrayRef<Attr> L, ArrayRef<Attr> R);
  bool sameEntries(ArrayRef<NamedAttr> L, ArrayRef<NamedAttr> R);
  bool sameDimVar(Dim L, Dim R);
  bool sameFloat(Attr L, Attr R) const;
  bool sameConstant(const ConstantData *L, const ConstantData *R) const;

  /// Whether \p Compare holds for \p L and \p R, asked once for each pair.
  template <typename Fn>
  bool memoize(const void *L, const void *R, Fn &&Compare);

  const EqualOptions &O;
  bool MatchFree;
  Bijection<const TypeVarType *> TypeVars;
  Bijection<Attr> DimVars;
  /// Pairs found equal. They stay so: a match is never undone but at the end
  /// of a function type with parameters, which empties the set.
  llvm::DenseSet<std::pair<const void *, const void *>> Known;
  /// Unknown nodes that are being compared.
  llvm::DenseSet<std::pair<const void *, const void *>> Open;
};

} // namespace relay

#endif // RELAY_LIB_IR_PARTEQUAL_H
