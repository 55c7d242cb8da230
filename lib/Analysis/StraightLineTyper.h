//===- StraightLineTyper.h - Types without unification ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to type inference: one pass in canonical order over a function in
// which everything follows from what stands before it, which is nearly every
// function. Gives up where something has to be solved for or is wrong; then
// FunctionTyper does the whole function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_ANALYSIS_STRAIGHTLINETYPER_H
#define RELAY_LIB_ANALYSIS_STRAIGHTLINETYPER_H

#include "TypingContext.h"
#include "llvm/Support/Allocator.h"

namespace relay {

class StraightLineTyper {
public:
  explicit StraightLineTyper(TypingContext &TC);

  /// Types all values of \p F. False when that cannot be done in one pass; the
  /// types of operations are then undefined.
  bool run(Function &F);

private:
  /// What an operation without regions has been found to be, by declaration,
  /// attributes and operand types.
  struct Entry {
    uint64_t Hash = 0;
    const OpInfo *Info = nullptr;
    const Attrs *A = nullptr;
    ArrayRef<Type *> Operands;
    Type *Result = nullptr;
  };

  bool runBody(Function &F);
  bool typeArguments(Block &B);
  bool visit(Operation *Op);
  /// Before the regions of \p Op.
  bool enter(Operation *Op);
  /// After the regions of \p Op.
  bool leave(Operation *Op);
  bool leaveFn(Operation *Op);
  bool setType(Operation *Op, Type *T);

  Type *lookup(Operation *Op);
  Type *lookupSlow(Operation *Op, uint64_t Hash, ArrayRef<Type *> Operands);
  Type *compute(Operation *Op, ArrayRef<Type *> Operands, bool &IsReusable);
  Type *computeOperator(Operation *Op, ArrayRef<Type *> Operands,
                        bool &IsReusable);
  Type *computeCall(FuncType *Callee, ArrayRef<Type *> Operands);
  Type *computeCore(Operation *Op, ArrayRef<Type *> Operands);
  Entry &findSlot(uint64_t Hash);
  void grow();

  TypingContext &TC;
  Context &Ctx;
  llvm::BumpPtrAllocator Arena;
  std::vector<Entry> Table; ///< open addressing; a power of two
  size_t NumEntries = 0;
  SmallVector<Type *, 8> Scratch;
};

} // namespace relay

#endif // RELAY_LIB_ANALYSIS_STRAIGHTLINETYPER_H
