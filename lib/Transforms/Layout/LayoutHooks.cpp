//===- LayoutHooks.cpp - Tables and utilities of layout hooks -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of the hooks of Layouts.td, and functions that the hooks share.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/Layout/LayoutHooks.h"
#include "LayoutUtils.h"
#include "relay/Ops/Annotation.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Dyn.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/Memory.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"
#include "relay/Ops/Vision.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// LayoutPool
//===----------------------------------------------------------------------===//

LayoutRef LayoutPool::get(StringRef Text) {
  if (auto It = Layouts.find(Text); It != Layouts.end())
    return &It->second;
  std::optional<Layout> L = Layout::parse(Text);
  // `NCHW04c` is `NCHW4c`.
  return L ? get(L->getAxes()) : nullptr;
}

LayoutRef LayoutPool::get(ArrayRef<Layout::Axis> Axes) {
  std::optional<Layout> L = Layout::get(Axes);
  if (!L)
    return nullptr;
  return &Layouts.try_emplace(L->str(), *L).first->second;
}

//===----------------------------------------------------------------------===//
// Utilities for rules
//===----------------------------------------------------------------------===//

const Attrs *relay::withField(Context &Ctx, const Attrs &A, StringRef Name,
                              Attr Value) {
  SmallVector<Attr, 16> Slots(A.getSlots());
  int Index = A.getInfo().getFieldIndex(Name);
  assert(Index >= 0 && "no such field");
  Slots[Index] = Value;
  return Ctx.getAttrs(A.getInfo(), Slots);
}

const Attrs *relay::spellOutPadding(Context &Ctx, const Attrs &A,
                                    unsigned NumAxes) {
  Attr Padding = A.lookup("padding");
  ArrayRef<Attr> Values = Padding ? Padding.getArray() : ArrayRef<Attr>();
  SmallVector<Attr, 6> All;
  if (Values.size() == 1)
    All.assign(2 * NumAxes, Values[0]);
  else if (Values.size() == NumAxes)
    for (unsigned I = 0; I < 2 * NumAxes; ++I)
      All.push_back(Values[I % NumAxes]);
  else
    return &A;
  return withField(Ctx, A, "padding", Ctx.getArray(All));
}

LayoutRef relay::getLayoutField(const LayoutQuery &Q, StringRef Name) {
  Attr Value = Q.Attributes->lookup(Name);
  return Value && Value.isString() ? Q.Pool.get(Value.getString()) : nullptr;
}

std::optional<unsigned> relay::moveAxis(int64_t Axis, const Layout &Old,
                                        const Layout &New) {
  std::optional<unsigned> From = normalizeAxis(Axis, Old.getRank());
  if (!From || !Old.getAxes()[*From].isPrimal())
    return std::nullopt;
  int To = New.indexOf(Old.getAxes()[*From].Name);
  return To < 0 ? std::nullopt : std::optional<unsigned>(To);
}
