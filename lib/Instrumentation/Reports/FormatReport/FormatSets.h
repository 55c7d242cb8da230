//===- FormatSets.h - Formats of operations at a position -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts and data types of the operations at one position of the input,
// each once, for comparison.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INSTRUMENTATION_FORMATREPORT_FORMATSETS_H
#define RELAY_LIB_INSTRUMENTATION_FORMATREPORT_FORMATSETS_H

#include "relay/Analysis/TensorFormats.h"

namespace relay {

struct FormatSets {
  SmallVector<Attr, 1> Layouts, LayoutAttrs;
  SmallVector<DType, 1> Types, OperandTypes;

  explicit FormatSets(ArrayRef<OperationFormat> Operations) {
    for (const OperationFormat &Op : Operations) {
      add(Layouts, Op.Layout, !Op.Layout);
      add(LayoutAttrs, Op.LayoutAttrs, !Op.LayoutAttrs);
      add(Types, Op.ResultType, Op.ResultType.isVoid());
      add(OperandTypes, Op.OperandType, Op.OperandType.isVoid());
    }
  }

  /// Return true if both know formats and these differ.
  bool hasOtherLayout(const FormatSets &O) const {
    return differ(Layouts, O.Layouts) || differ(LayoutAttrs, O.LayoutAttrs);
  }
  bool hasOtherType(const FormatSets &O) const {
    return differ(Types, O.Types) || differ(OperandTypes, O.OperandTypes);
  }

private:
  template <typename T>
  static void add(SmallVector<T, 1> &To, const T &Element, bool IsUnknown) {
    if (!IsUnknown && !llvm::is_contained(To, Element))
      To.push_back(Element);
  }
  template <typename T>
  static bool differ(const SmallVector<T, 1> &A, const SmallVector<T, 1> &B) {
    return !A.empty() && !B.empty() &&
           (A.size() != B.size() || !llvm::all_of(A, [&](const T &Element) {
              return llvm::is_contained(B, Element);
            }));
  }
};

inline void sortByPosition(std::vector<OperationFormat> &Operations) {
  llvm::stable_sort(Operations,
                    [](const OperationFormat &A, const OperationFormat &B) {
                      return A.Position < B.Position;
                    });
}

/// Calls \p Visit with each position and the operations there in \p Before and
/// in \p After, which are sorted; one may be empty.
template <typename VisitFn>
void forEachPosition(ArrayRef<OperationFormat> Before,
                     ArrayRef<OperationFormat> After, VisitFn Visit) {
  auto Take = [](ArrayRef<OperationFormat> &From, uint32_t Position) {
    ArrayRef<OperationFormat> Taken = From.take_while(
        [&](const OperationFormat &Op) { return Op.Position == Position; });
    From = From.drop_front(Taken.size());
    return Taken;
  };
  while (!Before.empty() || !After.empty()) {
    uint32_t Position = ~0u;
    for (ArrayRef<OperationFormat> Operations : {Before, After})
      if (!Operations.empty())
        Position = std::min(Position, Operations.front().Position);
    ArrayRef<OperationFormat> Old = Take(Before, Position);
    ArrayRef<OperationFormat> New = Take(After, Position);
    Visit(Position, Old, New);
  }
}

} // namespace relay

#endif // RELAY_LIB_INSTRUMENTATION_FORMATREPORT_FORMATSETS_H
