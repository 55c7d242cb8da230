//===- OpHooks.h - What rooms do with operators -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hook is a function that a room above binds to an operator. Kinds and hooks
// are records (class OpHook of OpBase.td); relay-tblgen -gen-op-hooks writes a
// class for each kind, which a lookup names:
//
//   OpHooks<Expansion> Expansions(Ctx);
//   if (ExpansionFn *Expand = Expansions.lookup(*Op))
//     ...
//
// Making an OpHooks takes a lookup in the Context, so it is done once for a
// function; lookup() is an index of an array.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_OPHOOKS_H
#define RELAY_IR_OPHOOKS_H

#include "relay/IR/Context.h"
#include "relay/IR/Operation.h"

namespace relay {

/// A function of any kind of hook.
using AnyHookFn = void (*)();

/// The hooks of one kind in a Context, by the numbers of operators.
class OpHookTable {
public:
  /// Binds \p Function to \p Op. Returns false, and changes nothing, if the
  /// operator has a hook of this kind already.
  bool bind(const OpInfo &Op, AnyHookFn Function);
  /// Null if \p Op has no hook of this kind.
  AnyHookFn lookup(const OpInfo &Op) const {
    unsigned N = Op.Number.get();
    return LLVM_LIKELY(N < Functions.size()) ? Functions[N] : nullptr;
  }

private:
  SmallVector<AnyHookFn, 0> Functions;
};

/// A kind of hook. Its address is its identity; generated and static.
struct OpHookKind {
  const char *Name; ///< `Expansion`
  /// Binds the hooks that are declared with the kind itself.
  void (*BindHooks)(OpHookTable &Table);
};

/// The hooks of the generated kind \p KindT, typed. Valid as long as the
/// Context is.
template <typename KindT> class OpHooks {
public:
  using Fn = typename KindT::Fn;

  explicit OpHooks(Context &Ctx) : Table(Ctx.getOpHooks(KindT::Kind)) {}

  /// Returns the hook for \p Op, which may be unregistered, or null.
  Fn *lookup(const OpInfo &Op) const {
    return reinterpret_cast<Fn *>(Table.lookup(Op));
  }
  Fn *lookup(const Operation &Op) const { return lookup(Op.getInfo()); }

private:
  const OpHookTable &Table;
};

/// Binds \p Function to \p Op among the hooks of KindT of \p Ctx, in addition
/// to those that are declared with the kind. Called by generated code when a
/// plugin or a project registers its operators, while one thread is running.
template <typename KindT>
bool bindOpHook(Context &Ctx, const OpInfo &Op, typename KindT::Fn *Function) {
  return Ctx.bindOpHook(KindT::Kind, Op, reinterpret_cast<AnyHookFn>(Function));
}

} // namespace relay

#endif // RELAY_IR_OPHOOKS_H
