//===- PartEqual.h - Equality of types and attributes -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the parts of operations other than values: types, dimensions,
// attribute values, constant data. Type parameters and symbolic dimensions of
// both sides match one to one. The recursion is bounded by the nesting of types
// and attributes. Private to room IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_IR_PARTEQUAL_H
#define RELAY_LIB_IR_PARTEQUAL_H

#include "relay/IR/StructuralEqual.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// A one-to-one mapping between the objects of both sides.
template <typename T> class Bijection {
public:
  /// Returns true if \p L and \p R are matched, after matching them if both are
  /// free.
  bool match(T L, T R) {
    auto [ItL, NewL] = Right.try_emplace(L, R);
    auto [ItR, NewR] = Left.try_emplace(R, L);
    return ItL->second == R && ItR->second == L;
  }
  /// Returns true if \p L and \p R are matched; none if both are still free.
  std::optional<bool> isMatched(T L, T R) const {
    auto ItL = Right.find(L), ItR = Left.find(R);
    if (ItL == Right.end() && ItR == Left.end())
      return std::nullopt;
    return ItL != Right.end() && ItL->second == R;
  }
  bool hasLeft(T L) const { return Right.count(L); }
  bool hasRight(T R) const { return Left.count(R); }
  /// Matches the pair, replacing previous matches. The result restores them.
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

  Map Right; // the counterparts of the left side
  Map Left;  // the counterparts of the right side
};

class PartComparer {
public:
  /// \p MatchFree: type parameters and symbolic dimensions that are not matched
  /// yet match at their first comparison. Otherwise they must be identical.
  PartComparer(const EqualOptions &O, bool MatchFree)
      : O(O), MatchFree(MatchFree) {}

  bool same(const Type *L, const Type *R);
  bool same(Attr L, Attr R);
  bool same(const Attrs *L, const Attrs *R);
  /// Compares lists of attributes of functions: null is the empty list.
  bool sameDict(const Attrs *L, const Attrs *R);
  /// Returns the name of a field or entry in which the unequal lists differ.
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

  /// Returns the result of \p Compare for \p L and \p R, called once per pair.
  template <typename Fn>
  bool memoize(const void *L, const void *R, Fn &&Compare);

  const EqualOptions &O;
  bool MatchFree;
  Bijection<const TypeVarType *> TypeVars;
  Bijection<Attr> DimVars;
  /// Pairs found equal. They stay equal: matches are undone only at the end of
  /// a function type with parameters, which clears the set.
  llvm::DenseSet<std::pair<const void *, const void *>> Known;
  /// Unknown nodes under comparison.
  llvm::DenseSet<std::pair<const void *, const void *>> Open;
};

} // namespace relay

#endif // RELAY_LIB_IR_PARTEQUAL_H
