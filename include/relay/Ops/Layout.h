//===- Layout.h - Names of the axes of tensors ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout names the axes of a tensor, outermost first: NCHW, or NCHW16c, where
// C is split and its blocks of 16 are the innermost axis. LayoutMap converts
// shapes from one layout to another of the same axes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_LAYOUT_H
#define RELAY_OPS_LAYOUT_H

#include "relay/IR/Context.h"
#include <optional>

namespace relay {

class Layout {
public:
  /// Upper case: an axis; lower case with a factor: its blocks.
  struct Axis {
    char Name;
    int32_t Factor = 0;

    bool isPrimal() const { return Factor == 0; }
    /// The axis that this is, or that its blocks are of.
    char primal() const { return isPrimal() ? Name : Name - 'a' + 'A'; }
    bool operator==(Axis O) const {
      return Name == O.Name && Factor == O.Factor;
    }
  };

  /// Reads `NCHW16c`; none when it is not a layout: a letter twice, blocks
  /// without a factor or without their axis.
  static std::optional<Layout> parse(StringRef Text);
  /// The layout of \p Axes; that of a scalar if there are none. None when they
  /// are no layout: an axis twice, or blocks without their axis.
  static std::optional<Layout> get(ArrayRef<Axis> Axes);

  unsigned getRank() const { return Axes.size(); }
  ArrayRef<Axis> getAxes() const { return Axes; }
  /// Position of the axis (upper case) or of its blocks (lower case), or -1.
  int indexOf(char Name) const;
  bool contains(char Name) const { return indexOf(Name) >= 0; }
  /// The number of axes, not counting blocks.
  unsigned getNumPrimal() const;
  /// Returns true if an axis is split.
  bool isBlocked() const { return getNumPrimal() != getRank(); }
  /// The size of a block of the axis \p Primal; 1 where it is not split.
  int64_t getBlockSize(char Primal) const;
  /// Each axis of \p O is one of this layout and the other way round.
  bool hasSameAxes(const Layout &O) const;
  std::string str() const;

private:
  SmallVector<Axis, 6> Axes;
};

/// Maps shapes of one layout to another: TVM's BijectiveLayout.
class LayoutMap {
public:
  /// None when \p From and \p To do not have the same axes.
  static std::optional<LayoutMap> get(const Layout &From, const Layout &To);
  static std::optional<LayoutMap> get(StringRef From, StringRef To);

  const Layout &getFrom() const { return From; }
  const Layout &getTo() const { return To; }

  /// The shape in the layout \c To of a tensor of \p Shape in \c From.
  /// Dimensions become int32; a size that is not a multiple of a block is
  /// rounded up. Fails if the ranks or the blocks differ; \p Why is set to the
  /// reason.
  FailureOr<SmallVector<Dim, 6>> forward(Context &Ctx, ArrayRef<Dim> Shape,
                                         std::string *Why = nullptr) const;
  /// The other way round.
  FailureOr<SmallVector<Dim, 6>> backward(Context &Ctx, ArrayRef<Dim> Shape,
                                          std::string *Why = nullptr) const;

private:
  LayoutMap(const Layout &From, const Layout &To) : From(From), To(To) {}

  Layout From, To;
};

} // namespace relay

#endif // RELAY_OPS_LAYOUT_H
