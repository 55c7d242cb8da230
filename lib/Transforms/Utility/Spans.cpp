//===- Spans.cpp - Positions of values as spans ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Spans.h.
//
//===----------------------------------------------------------------------===//

#include "Spans.h"
#include "relay/IR/Context.h"

using namespace relay;

bool relay::setPosition(Rewriter &R, Value &V, const Span &Position) {
  LocationTable &Locations = R.getContext().getLocations();
  auto *Op = dyn_cast<Operation>(&V);
  Location Old = Op ? Op->getLoc() : cast<BlockArgument>(V).getLoc();
  SmallVector<Span, 2> Spans = {Position};
  for (const Span &S : Locations.getSpans(Old))
    if (S.isLayer() && Spans.size() != LocationTable::MaxSpans)
      Spans.push_back(S);
  Location New = Locations.get(Locations.getText(Old), Spans);
  if (Op)
    R.setLocation(Op, New);
  else
    R.setLocation(&cast<BlockArgument>(V), New);
  return New != Old;
}
