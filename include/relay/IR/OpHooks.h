//===- OpHooks.h - Functions and values bound to operators ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry binds a function (a hook) or a value (a fact) to an operator, under
// a key and at a level. Rooms declare kinds and entries as records (OpHook and
// OpFact of OpBase.td), from which relay-tblgen -gen-op-hooks generates a class
// for each kind:
//
//   OpHooks<Expansion> Expansions(Ctx, PC.getTargetKeys());
//   if (OpHook<Expansion> Expand = Expansions.lookup(*Op))
//     if (Value *New = Expand(R, Result)) // an ExpandedResult of *Op
//       ...
//
// A lookup tries the given keys in order, then the empty key; for one key, the
// entry of the highest level comes first. Plugins, files and scripts add
// entries to a Context with Context::addOpHook. docs/Hooks.md is the guide.
//
// An OpHooks object is created once per function, by a lookup in the Context.
// Its lookup() is an array access.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_OPHOOKS_H
#define RELAY_IR_OPHOOKS_H

#include "relay/IR/Context.h"
#include "relay/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <vector>

namespace relay {

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// A function of any kind of hook.
using AnyHookFn = void (*)();

/// The value of a fact: a number for a bool, an integer and an enumerator.
struct OpFactValue {
  int64_t Number = 0;
  StringRef Text = {};
};

/// One entry of a kind. Generated entries are constants, which cost nothing at
/// start-up. Functions return the operator and the hook, since a cast to
/// AnyHookFn is not a constant expression. addOpHook() copies the entry and its
/// texts.
struct OpHookEntry {
  /// The level of an entry that does not name one, as in TVM.
  static constexpr int DefaultLevel = 10;
  /// The level of entries of a user's file without a level, above the level of
  /// records.
  static constexpr int FileLevel = 100;

  const OpInfo *Op = nullptr;
  /// Replaces `Op` in static entries.
  const OpInfo &(*GetOp)() = nullptr;
  StringRef Key = "";
  int Level = DefaultLevel;
  /// The function or the value, and the file that binds it, for messages.
  StringRef Name = "", Source = "";
  /// Returns the function of a static entry; null for a fact.
  AnyHookFn (*GetFunction)() = nullptr;
  /// The value of a fact, or the number of a hook: OpHook::getNumber().
  OpFactValue Value = {};
  /// If not null, the function takes it as an additional first argument. The
  /// field DataType of a record (OpBase.td) is unrelated: it adds a last
  /// argument to all functions of a kind.
  const void *Closure = nullptr;
  /// Replaces `GetFunction` in entries that are created at run time.
  AnyHookFn Function = nullptr;

  const OpInfo &getOp() const { return GetOp ? GetOp() : *Op; }
  AnyHookFn getFunction() const {
    return GetFunction ? GetFunction() : Function;
  }
  /// Returns `'name' (source)`, as errors about the results of hooks call it.
  std::string describe() const {
    return ("'" + Name + "' (" + Source + ")").str();
  }
};

/// The type of the values of a kind of fact.
enum class OpFactType : uint8_t { None, Bool, Int, String, Enum };

/// A kind of entry. Its address is its identity; generated and static.
struct OpHookKind {
  StringRef Name; ///< `Expansion`
  /// The entries that are declared with the kind itself.
  ArrayRef<OpHookEntry> Entries = {};
  OpFactType FactType = OpFactType::None; ///< None for hooks
  /// The enumerators of an Enum, as text.
  ArrayRef<StringRef> EnumValues = {};

  bool isFact() const { return FactType != OpFactType::None; }
};

/// An entry as a lookup finds it.
struct OpHookNode {
  AnyHookFn Function = nullptr;
  const void *Closure = nullptr;
  OpFactValue Value = {};
  const OpHookEntry *Entry = nullptr;
  /// The entry to ask after this one; null for the last.
  OpHookNode *Next = nullptr;
  unsigned Rank = 0; ///< of the key
  int Level = 0;
};

/// The entries of a kind as a lookup with certain keys finds them, indexed by
/// the number of the operator.
class OpHookView {
public:
  explicit OpHookView(ArrayRef<StringRef> Keys);

  /// Adds \p Entry if the keys select it.
  void add(const OpHookEntry &Entry);
  bool hasKeys(ArrayRef<StringRef> Other) const;
  /// Returns true if no operator has an entry.
  bool empty() const { return First.empty(); }
  /// The first entry for \p Op; null if there is none.
  const OpHookNode *lookup(const OpInfo &Op) const {
    unsigned N = Op.Number.get();
    return LLVM_LIKELY(N < First.size()) ? First[N] : nullptr;
  }

private:
  std::optional<unsigned> getRank(StringRef Key) const;

  SmallVector<std::string, 2> Keys;
  std::deque<OpHookNode> Nodes; // which stay where they are
  SmallVector<OpHookNode *, 0> First;
};

/// All entries of one kind in a Context, which owns the table.
class OpHookTable {
public:
  explicit OpHookTable(const OpHookKind &Kind);

  /// Adds \p Entry, which stays valid. Returns the entry of the same operator,
  /// key and level, and adds nothing, if there is one.
  const OpHookEntry *add(const OpHookEntry &Entry);
  /// Adds a copy of \p Entry, whose texts and closure stay valid.
  const OpHookEntry *addCopy(const OpHookEntry &Entry);
  /// Returns the view with \p Keys, which is valid as long as the table and is
  /// updated when entries are added.
  const OpHookView &getView(ArrayRef<StringRef> Keys);

private:
  SmallVector<const OpHookEntry *, 0> Entries;
  /// The entries of each operator; empty until one is added.
  llvm::DenseMap<const OpInfo *, SmallVector<const OpHookEntry *, 1>> ByOp;
  std::vector<std::unique_ptr<OpHookEntry>> Copies;
  std::vector<std::unique_ptr<OpHookView>> Views;
};

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

namespace detail {
template <typename Fn> struct HookCaller;
template <typename ResultT, typename... Args>
struct HookCaller<ResultT(Args...)> {
  using Result = ResultT;

  static ResultT call(const OpHookNode &Node, Args... As) {
    if (LLVM_LIKELY(!Node.Closure))
      return reinterpret_cast<ResultT (*)(Args...)>(Node.Function)(
          std::forward<Args>(As)...);
    using Thunk = ResultT(const void *, Args...);
    return reinterpret_cast<Thunk *>(Node.Function)(Node.Closure,
                                                    std::forward<Args>(As)...);
  }
  template <typename ClosureT>
  static ResultT callClosure(const void *Closure, Args... As) {
    return (*static_cast<const ClosureT *>(Closure))(std::forward<Args>(As)...);
  }
};
} // namespace detail

/// The hooks of one operator, of the generated kind \p KindT. A call asks the
/// first entry and, as long as the answer is that the entry has no opinion, the
/// next.
template <typename KindT> class OpHook {
  using Caller = detail::HookCaller<typename KindT::Fn>;

public:
  OpHook() = default;
  explicit OpHook(const OpHookNode *First) : First(First) {}
  explicit operator bool() const { return First; }
  const OpHookNode *getFirst() const { return First; }
  /// The `Number` of the first entry.
  int64_t getNumber() const { return First->Value.Number; }

  template <typename... Args>
  typename Caller::Result operator()(Args &&...As) const {
    const OpHookNode *Node;
    return ask(Node, std::forward<Args>(As)...);
  }
  /// Calls the hooks, and sets \p Node to the one that answered.
  template <typename... Args>
  typename Caller::Result ask(const OpHookNode *&Node, Args &&...As) const {
    Node = First;
    if constexpr (KindT::MayHaveNoOpinion)
      for (; Node->Next; Node = Node->Next) {
        auto Answer = Caller::call(*Node, As...);
        if (KindT::hasFailed(Answer) || !KindT::hasNoOpinion(Answer))
          return Answer;
      }
    return Caller::call(*Node, As...);
  }

private:
  const OpHookNode *First = nullptr;
};

/// The hooks of the generated kind \p KindT. Valid as long as the Context is.
template <typename KindT> class OpHooks {
public:
  /// Looks up under \p Keys, in this order, before the empty key.
  explicit OpHooks(Context &Ctx, ArrayRef<StringRef> Keys = {})
      : View(Ctx.getOpHooks(KindT::Kind, Keys)) {}

  /// Returns null if there is no hook for \p Op, which may be unregistered.
  OpHook<KindT> lookup(const OpInfo &Op) const {
    return OpHook<KindT>(View.lookup(Op));
  }
  OpHook<KindT> lookup(const Operation &Op) const {
    return lookup(Op.getInfo());
  }

private:
  const OpHookView &View;
};

/// Adds \p Closure, called with the arguments of a function of the kind, to the
/// hooks of \p Entry.Op. An error if an entry of the same key and level exists.
template <typename KindT, typename ClosureT>
llvm::Error addOpHook(Context &Ctx, OpHookEntry Entry, ClosureT Closure) {
  auto Owned = std::make_shared<const ClosureT>(std::move(Closure));
  using Caller = detail::HookCaller<typename KindT::Fn>;
  Entry.Function =
      reinterpret_cast<AnyHookFn>(&Caller::template callClosure<ClosureT>);
  Entry.Closure = Owned.get();
  Ctx.keep(std::move(Owned));
  return Ctx.addOpHook(KindT::Kind, Entry);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

namespace detail {
template <typename ValueT> ValueT readFact(const OpFactValue &Value) {
  if constexpr (std::is_same_v<ValueT, StringRef>)
    return Value.Text;
  else
    return ValueT(Value.Number);
}
template <typename ValueT> OpFactValue writeFact(const ValueT &Value) {
  if constexpr (std::is_same_v<ValueT, StringRef>)
    return {0, Value};
  else
    return {int64_t(Value), {}};
}
} // namespace detail

/// The facts of the generated kind \p KindT. Valid as long as the Context is.
template <typename KindT> class OpFacts {
public:
  using Value = typename KindT::Value;

  /// Looks up under \p Keys, in this order, before the empty key.
  explicit OpFacts(Context &Ctx, ArrayRef<StringRef> Keys = {})
      : View(Ctx.getOpHooks(KindT::Kind, Keys)) {}

  /// None if nothing is known of \p Op, which may be unregistered.
  std::optional<Value> lookup(const OpInfo &Op) const {
    if (const OpHookNode *Node = View.lookup(Op))
      return detail::readFact<Value>(Node->Value);
    return std::nullopt;
  }
  std::optional<Value> lookup(const Operation &Op) const {
    return lookup(Op.getInfo());
  }
  /// Returns the entry that lookup() reads, or null.
  const OpHookEntry *lookupEntry(const OpInfo &Op) const {
    const OpHookNode *Node = View.lookup(Op);
    return Node ? Node->Entry : nullptr;
  }
  /// Returns true if no operator has a fact of this kind for the keys.
  bool empty() const { return View.empty(); }

private:
  const OpHookView &View;
};

/// Adds the fact that \p Entry.Op has \p Value. An error if an entry of the
/// same key and level exists.
template <typename KindT>
llvm::Error addOpFact(Context &Ctx, OpHookEntry Entry,
                      const typename KindT::Value &Value) {
  Entry.Value = detail::writeFact(Value);
  return Ctx.addOpHook(KindT::Kind, Entry);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// Adds entries while a plugin or a program registers its operators, without
/// records. Context::getRefusedRegistrations() has the errors.
class OpHookRegistration {
public:
  /// The entries have this key and level; messages name them by \p Source.
  explicit OpHookRegistration(Context &Ctx, StringRef Source,
                              StringRef Key = "",
                              int Level = OpHookEntry::DefaultLevel)
      : Ctx(Ctx), Source(Source), Key(Key), Level(Level) {}

  /// Adds \p Closure, called \p Name in messages.
  template <typename KindT, typename ClosureT>
  void addHook(const OpInfo &Op, StringRef Name, ClosureT Closure) {
    auto Owned = std::make_shared<const ClosureT>(std::move(Closure));
    OpHookEntry &Entry = makeEntry(Op, Name);
    Entry.Function = reinterpret_cast<AnyHookFn>(
        &detail::HookCaller<typename KindT::Fn>::template callClosure<
            ClosureT>);
    Entry.Closure = Owned.get();
    Ctx.keep(std::move(Owned));
    Ctx.registerOpHooks(KindT::Kind, Entry);
  }
  template <typename KindT>
  void addFact(const OpInfo &Op, const typename KindT::Value &Value) {
    OpFactValue V = detail::writeFact(Value);
    V.Text = Ctx.intern(V.Text);
    OpHookEntry &Entry = makeEntry(Op, toString(KindT::Kind, V));
    Entry.Value = V;
    Ctx.registerOpHooks(KindT::Kind, Entry);
  }

private:
  /// An entry that the Context keeps.
  OpHookEntry &makeEntry(const OpInfo &Op, StringRef Name);
  static std::string toString(const OpHookKind &Kind, const OpFactValue &Value);

  Context &Ctx;
  StringRef Source, Key;
  int Level;
};

/// Reads \p Text as a value of the kind of fact \p Kind. The error continues a
/// sentence: `expects true or false, got 'maybe'`.
llvm::Expected<OpFactValue> parseOpFact(const OpHookKind &Kind, StringRef Text);

} // namespace relay

#endif // RELAY_IR_OPHOOKS_H
