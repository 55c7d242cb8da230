//===- Program.cpp - Original bodies during partial evaluation ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Program.h.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "relay/IR/Walk.h"

using namespace relay;

namespace {

/// Numbers the values of each body.
class BodyNumbering : public IRVisitor {
public:
  BodyNumbering(MutableArrayRef<ProgramFunction::Place> Places,
                llvm::DenseMap<const Block *, BodyLayout> &Layouts)
      : Places(Places), Layouts(Layouts) {}

  void enterBlock(Block &B) {
    if (isBody(B))
      Open.push_back({{uint32_t(Open.size())}, Depth, Depth});
    else
      Open.back().MaxDepth = std::max(Open.back().MaxDepth, ++Depth);
    for (BlockArgument *Arg : B.getArguments())
      add(*Arg);
  }
  void leaveBlock(Block &B) {
    if (!isBody(B)) {
      --Depth;
      return;
    }
    OpenBody Closed = Open.pop_back_val();
    Closed.Layout.Nesting = Closed.MaxDepth - Closed.Depth;
    Layouts[&B] = Closed.Layout;
    if (Open.empty())
      return;
    --Depth;
    Open.back().Layout.NumOperations += Closed.Layout.NumOperations;
    Open.back().MaxDepth = std::max(Open.back().MaxDepth, Closed.MaxDepth);
  }
  void enter(Operation *Op) {
    add(*Op);
    ++Open.back().Layout.NumOperations;
    if (Op->is(OpCode::Fn))
      ++Depth;
  }

private:
  struct OpenBody {
    BodyLayout Layout;
    uint32_t Depth, MaxDepth; ///< of regions, from the body of the function
  };

  static bool isBody(Block &B) {
    return !B.getParentOp() || B.getParentOp()->is(OpCode::Fn);
  }
  void add(Value &V) {
    BodyLayout &Layout = Open.back().Layout;
    Places[V.getIndex()] = {Layout.Level, Layout.NumSlots++};
  }

  MutableArrayRef<ProgramFunction::Place> Places;
  llvm::DenseMap<const Block *, BodyLayout> &Layouts;
  SmallVector<OpenBody, 4> Open;
  uint32_t Depth = 0;
};

} // namespace

ProgramFunction::ProgramFunction(Function &F, const Purity *Calls)
    : Places(F.getNumValues()) {
  BodyNumbering Numbering(Places, Layouts);
  traverse(F.getBody(), Numbering);
  if (Calls)
    Effects.emplace(F, [&](StringRef Name) { return Calls->isCallPure(Name); });
}
