//===- RewriteListener.h - Hearing of changes of the IR ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Notifications of a Rewriter about its changes, and refusal of rewrites by
// listeners.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_REWRITELISTENER_H
#define RELAY_IR_REWRITELISTENER_H

#include "relay/IR/Module.h"

namespace relay {

/// One application of a rule, as a pass announces it.
struct Rewrite {
  StringRef Rule; ///< `inline`, `nn.batch_norm`
  /// The root; null for a whole module.
  Function *F;
  /// The operation that the rule was found to apply to; null for all of F.
  Operation *Root;
};

/// Integers that represent the floats of an operation: (New - ZeroPoint) *
/// Scale, where Scale and ZeroPoint are scalars, or vectors along Axis.
struct QuantizedOperation {
  const Operation *Op;
  const Value *New, *Scale, *ZeroPoint;
  int64_t Axis;
  /// True if the integers are a rough approximation.
  bool IsApproximate = false;
};

/// Is notified of every change by a Rewriter, and may refuse rewrites. A
/// listener installed in a Module (Module::setRewriteListeners) is notified by
/// several threads while functions are processed in parallel.
class RewriteListener {
public:
  virtual ~RewriteListener();

  //===--- Rewrites -------------------------------------------------------===//
  /// Returns true if the rewrite is to be made. All listeners are asked, and
  /// one refusal is enough.
  virtual bool shouldRewrite(const Rewrite &) { return true; }
  /// The rewrite is made: the changes that follow are its.
  virtual void notifyRewrite(const Rewrite &) {}
  /// The rewrite is not made: a listener has refused it.
  virtual void notifyRefused(const Rewrite &) {}

  //===--- Operations -----------------------------------------------------===//
  virtual void notifyCreated(Operation *) {}
  /// \p New, which was created last, is a copy of \p From.
  virtual void notifyCloned(const Operation * /*From*/, Operation * /*New*/) {}
  /// Operands, attributes, binding, place, type, location, signature, patterns
  /// or the number of regions of \p Op changed. Places that only
  /// Function::normalize() changes are not reported.
  virtual void notifyModified(Operation *) {}
  /// Uses of \p Op become uses of \p New; Op is erased next unless New uses
  /// it.
  virtual void notifyReplaced(Operation *, Value * /*New*/) {}
  /// Integers are going to replace the floats of a region, operands before
  /// users.
  virtual void notifyQuantized(ArrayRef<QuantizedOperation>) {}
  /// \p Op is erased, after the operations in its regions.
  virtual void notifyErased(Operation *) {}

  /// The arguments or the result of a region of an operation changed, or what
  /// is written of their types.
  virtual void notifyRegionModified(Block &) {}

  //===--- Functions and modules ------------------------------------------===//
  /// The signature, the attributes, the parameters or the result of the
  /// function changed, or its name.
  virtual void notifyFunctionModified(Function &) {}
  /// Inference has set the types, annotations and type arguments of the values
  /// of the function; each may have changed.
  virtual void notifyTyped(Function &) {}
  /// The function has been added to the module, with its operations; a pass may
  /// have created some of them before.
  virtual void notifyFunctionCreated(Function &) {}
  /// The function goes. Its operations have been reported as erased.
  virtual void notifyFunctionErased(Function &) {}
  /// The attributes of the module changed.
  virtual void notifyModuleModified(Module &) {}
};

/// Tells \p L that \p Op and all in its regions go.
void reportErased(RewriteListener &L, Operation *Op);
/// Tells the listeners of the module of \p F that F has been typed.
void reportTyped(Function &F);

} // namespace relay

#endif // RELAY_IR_REWRITELISTENER_H
