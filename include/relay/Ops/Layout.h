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
  /// An axis (upper case), or the blocks of an axis (lower case, with a
  /// factor).
  struct Axis {
    char Name;
    int32_t Factor = 0;

    bool isPrimal() const { return Factor == 0; }
    /// Returns the axis itself, or the axis whose blocks this is.
    char primal() const { return isPrimal() ? Name : Name - 'a' + 'A'; }
    bool operator==(Axis O) const {
      return Name == O.Name && Factor == O.Factor;
    }
  };

  /// Parses `NCHW16c`. Returns none if it is not a layout: a letter occurs
  /// twice, or blocks have no factor or no axis.
  static std::optional<Layout> parse(StringRef Text);
  /// Returns the layout of \p Axes; the layout of a scalar if there are none.
  /// Returns none if they are not a layout: an axis occurs twice, or blocks
  /// have no axis.
  static std::optional<Layout> get(ArrayRef<Axis> Axes);

  unsigned getRank() const { return Axes.size(); }
  ArrayRef<Axis> getAxes() const { return Axes; }
  /// Returns the position of the axis (upper case) or of its blocks (lower
  /// case), or -1.
  int indexOf(char Name) const;
  bool contains(char Name) const { return indexOf(Name) >= 0; }
  /// Returns true if the axes and blocks, without the sizes of blocks, are
  /// \p Names: `NCHWc` for `NCHW16c`.
  bool hasAxes(StringRef Names) const;
  /// Returns the number of axes, without blocks.
  unsigned getNumPrimal() const;
  /// Returns true if an axis is split.
  bool isBlocked() const { return getNumPrimal() != getRank(); }
  /// Returns the size of a block of the axis \p Primal; 1 if it is not split.
  int64_t getBlockSize(char Primal) const;
  /// Returns true if this layout and \p O have the same axes.
  bool hasSameAxes(const Layout &O) const;
  std::string str() const;

private:
  SmallVector<Axis, 6> Axes;
};

/// Maps shapes of one layout to another: TVM's BijectiveLayout.
class LayoutMap {
public:
  /// Returns none if \p From and \p To do not have the same axes.
  static std::optional<LayoutMap> get(const Layout &From, const Layout &To);
  static std::optional<LayoutMap> get(StringRef From, StringRef To);

  const Layout &getFrom() const { return From; }
  const Layout &getTo() const { return To; }

  /// Returns the shape in the layout \c To of a tensor of \p Shape in \c From.
  /// Dimensions become int32; a size that is not a multiple of a block is
  /// rounded up. Fails if the ranks or the blocks differ; \p Why is set to the
  /// reason.
  FailureOr<SmallVector<Dim, 6>> forward(Context &Ctx, ArrayRef<Dim> Shape,
                                         std::string *Why = nullptr) const;
  /// As above, from \c To to \c From.
  FailureOr<SmallVector<Dim, 6>> backward(Context &Ctx, ArrayRef<Dim> Shape,
                                          std::string *Why = nullptr) const;

private:
  LayoutMap(const Layout &From, const Layout &To) : From(From), To(To) {}

  Layout From, To;
};

} // namespace relay

#endif // RELAY_OPS_LAYOUT_H
