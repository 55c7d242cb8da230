//===- Expr.h - Relay expressions as values ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expressions that Python sees: an immutable graph of reference-counted
// nodes with TVM's kinds and fields. Nodes are independent of modules: several
// functions may share a node, and it remains valid when the IR from which it
// was read changes. ExprConversion.h converts functions of the IR to nodes and
// nodes to functions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_EXPR_H
#define RELAY_LIB_PYTHON_BINDINGS_EXPR_H

#include "Disposal.h"
#include "relay/IR/AttrRef.h"
#include "relay/IR/Attrs.h"
#include "relay/IR/Constant.h"
#include "relay/IR/OpInfo.h"
#include "relay/IR/Type.h"
#include "relay/Support/Location.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

#include <nanobind/nanobind.h>

#include <nanobind/intrusive/ref.h> // after nanobind.h, for conversions

namespace relay::python {

namespace nb = nanobind;

enum class ExprKind : uint8_t {
  Var,
  GlobalVar,
  Constant,
  Op,
  Constructor,
  Call,
  Tuple,
  TupleGetItem,
  Let,
  If,
  Match,
  Function,
  RefCreate,
  RefRead,
  RefWrite
};

/// An expression. The children are in the order in which TVM's visitors visit
/// them. Deleting a chain of any length takes constant stack.
class Expr : public nb::intrusive_base {
public:
  using Ref = nb::ref<Expr>;

  Expr(const Expr &) = delete;
  Expr &operator=(const Expr &) = delete;
  ~Expr() override;

  ExprKind getKind() const { return Kind; }
  ArrayRef<Ref> getChildren() const { return Children; }
  const Ref &getChild(unsigned I) const { return Children[I]; }

  /// The type that inference found; null if the node was not read from typed
  /// IR.
  Type *getCheckedType() const { return CheckedType; }
  void setCheckedType(Type *T) { CheckedType = T; }
  /// The spans of the node; unknown if it has none.
  Location getLoc() const { return Loc; }
  void setLoc(Location New) { Loc = New; }

protected:
  Expr(ExprKind Kind, std::vector<Ref> Children)
      : Kind(Kind), Children(std::move(Children)) {}

private:
  ExprKind Kind;
  Location Loc;
  Type *CheckedType = nullptr;
  std::vector<Ref> Children;
};
using ExprRef = Expr::Ref;

/// A local variable, equal only to itself.
class Var final : public Expr {
public:
  Var(StringRef InternedName, Type *Annotation, Attr VirtualDevice = {})
      : Expr(ExprKind::Var, {}), Name(InternedName), Annotation(Annotation),
        VirtualDevice(VirtualDevice) {}
  static bool classof(const Expr *E) { return E->getKind() == ExprKind::Var; }

  const StringRef Name;
  Type *const Annotation; ///< null if none is written
  const Attr VirtualDevice;
};

/// A global function, by name.
class GlobalVar final : public Expr {
public:
  explicit GlobalVar(StringRef InternedName)
      : Expr(ExprKind::GlobalVar, {}), Name(InternedName) {}
  static bool classof(const Expr *E) {
    return E->getKind() == ExprKind::GlobalVar;
  }

  const StringRef Name;
};

class Constant final : public Expr {
public:
  explicit Constant(Attr Value)
      : Expr(ExprKind::Constant, {}), Value(Value), Data(ConstantRef(Value)) {}
  static bool classof(const Expr *E) {
    return E->getKind() == ExprKind::Constant;
  }

  const Attr Value;
  const Disposable<ConstantRef> Data;
};

/// An operator. There is one node for each operator.
class Op final : public Expr {
public:
  explicit Op(const OpInfo &Info) : Expr(ExprKind::Op, {}), Info(Info) {}
  static bool classof(const Expr *E) { return E->getKind() == ExprKind::Op; }

  const OpInfo &Info;
};

/// A constructor of a type definition, by name.
class Constructor final : public Expr {
public:
  explicit Constructor(StringRef InternedName)
      : Expr(ExprKind::Constructor, {}), Name(InternedName) {}
  static bool classof(const Expr *E) {
    return E->getKind() == ExprKind::Constructor;
  }

  const StringRef Name;
};

/// Children: the callee, the arguments.
class Call final : public Expr {
public:
  Call(std::vector<Ref> CalleeAndArgs, const Attrs *Attributes,
       std::vector<Type *> TypeArgs = {}, bool InferredTypeArgs = false)
      : Expr(ExprKind::Call, std::move(CalleeAndArgs)), Attributes(Attributes),
        TypeArgs(std::move(TypeArgs)), InferredTypeArgs(InferredTypeArgs) {}
  static bool classof(const Expr *E) { return E->getKind() == ExprKind::Call; }

  const Ref &getCallee() const { return getChild(0); }
  ArrayRef<Ref> getArgs() const { return getChildren().drop_front(); }

  /// Null if there are none. Calls of values other than operators may have
  /// attributes, too, as in TVM.
  const Attrs *const Attributes;
  const std::vector<Type *> TypeArgs;
  const bool InferredTypeArgs;
};

class Tuple final : public Expr {
public:
  explicit Tuple(std::vector<Ref> Fields)
      : Expr(ExprKind::Tuple, std::move(Fields)) {}
  static bool classof(const Expr *E) { return E->getKind() == ExprKind::Tuple; }
};

/// Child: the tuple.
class TupleGetItem final : public Expr {
public:
  TupleGetItem(Ref Tuple, unsigned Index)
      : Expr(ExprKind::TupleGetItem, {std::move(Tuple)}), Index(Index) {}
  static bool classof(const Expr *E) {
    return E->getKind() == ExprKind::TupleGetItem;
  }

  const unsigned Index;
};

/// Children: the variable, its value, the body.
class Let final : public Expr {
public:
  Let(Ref Variable, Ref Value, Ref Body)
      : Expr(ExprKind::Let,
             {std::move(Variable), std::move(Value), std::move(Body)}) {}
  static bool classof(const Expr *E) { return E->getKind() == ExprKind::Let; }
};

/// Children: the condition, the true branch, the false branch.
class If final : public Expr {
public:
  If(Ref Condition, Ref True, Ref False)
      : Expr(ExprKind::If,
             {std::move(Condition), std::move(True), std::move(False)}) {}
  static bool classof(const Expr *E) { return E->getKind() == ExprKind::If; }
};

/// Children: the value. Serves all operations on references.
template <ExprKind TheKind> class RefExpr final : public Expr {
public:
  explicit RefExpr(std::vector<Ref> Operands)
      : Expr(TheKind, std::move(Operands)) {}
  static bool classof(const Expr *E) { return E->getKind() == TheKind; }
};
using RefCreate = RefExpr<ExprKind::RefCreate>;
using RefRead = RefExpr<ExprKind::RefRead>;
using RefWrite = RefExpr<ExprKind::RefWrite>;

/// The pattern of a clause of a `match`.
class MatchPatternExpr final : public nb::intrusive_base {
public:
  enum class Kind : uint8_t { Wildcard, Var, Constructor, Tuple };
  using Ref = nb::ref<MatchPatternExpr>;

  MatchPatternExpr(Kind K, ExprRef Target, std::vector<Ref> TheChildren)
      : K(K), Target(std::move(Target)), Children(std::move(TheChildren)) {
    for (const Ref &Child : Children)
      Depth = std::max(Depth, Child->Depth + 1);
  }

  const Kind K;
  const ExprRef Target; ///< Var: the variable. Constructor: the constructor.
  const std::vector<Ref> Children;
  /// Levels of nesting. The bindings refuse more than 1000, so that functions
  /// over patterns may recurse.
  unsigned Depth = 1;
};

/// Children: the value, the results of the clauses.
class Match final : public Expr {
public:
  Match(std::vector<Ref> DataAndResults,
        std::vector<MatchPatternExpr::Ref> Patterns, bool IsComplete)
      : Expr(ExprKind::Match, std::move(DataAndResults)),
        Patterns(std::move(Patterns)), IsComplete(IsComplete) {}
  static bool classof(const Expr *E) { return E->getKind() == ExprKind::Match; }

  const std::vector<MatchPatternExpr::Ref> Patterns;
  const bool IsComplete;
};

/// A function, global or not. Children: the parameters, the body.
class FunctionExpr final : public Expr {
public:
  FunctionExpr(std::vector<Ref> ParamsAndBody, Type *ResultAnnotation,
               TypeParamList TypeParams, const Attrs *Attributes,
               Attr VirtualDevice = {})
      : Expr(ExprKind::Function, std::move(ParamsAndBody)),
        ResultAnnotation(ResultAnnotation), TypeParams(std::move(TypeParams)),
        Attributes(Attributes), VirtualDevice(VirtualDevice) {}
  static bool classof(const Expr *E) {
    return E->getKind() == ExprKind::Function;
  }

  ArrayRef<Ref> getParams() const { return getChildren().drop_back(); }
  const Ref &getBody() const { return getChildren().back(); }

  Type *const ResultAnnotation; ///< null if none is written
  const TypeParamList TypeParams;
  const Attrs *const Attributes; ///< null, or a Dict
  const Attr VirtualDevice;
};

/// Calls \p Visit with each node that \p Root reaches, once, children first, in
/// the order of TVM's post_order_visit. Iterative.
void visitPostOrder(const ExprRef &Root,
                    llvm::function_ref<void(const ExprRef &)> Visit);

/// Returns \p Node with other children, as many as it has.
ExprRef withChildren(const Expr &Node, std::vector<ExprRef> Children);

/// Replaces variables of \p Root that are keys of \p Values. A function that
/// binds one loses the parameter. Parts without such variables are shared.
/// Iterative.
ExprRef substitute(const ExprRef &Root,
                   const llvm::DenseMap<const Expr *, ExprRef> &Values);

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_EXPR_H
