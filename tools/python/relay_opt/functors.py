# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Visitors and mutators of expressions, and substitution."""

from __future__ import annotations

from typing import Any

from ._relay_opt import (
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Op,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
)
from .expr import Clause

_METHODS = {
    Function: "visit_function",
    Call: "visit_call",
    Let: "visit_let",
    Var: "visit_var",
    GlobalVar: "visit_global_var",
    If: "visit_if",
    Tuple: "visit_tuple",
    TupleGetItem: "visit_tuple_getitem",
    Constant: "visit_constant",
    Op: "visit_op",
    RefCreate: "visit_ref_create",
    RefRead: "visit_ref_read",
    RefWrite: "visit_ref_write",
    Constructor: "visit_constructor",
    Match: "visit_match",
}


def function_with_fields(
    function: Function,
    params: Any = None,
    body: Expr | None = None,
    ret_type: Any = None,
    ty_params: Any = None,
    attrs: Any = None,
    virtual_device: Any = None,
    span: Any = None,
) -> Function:
    """Returns a copy of function with the given fields, or function if none differs."""
    params = None if params is None or _same(list(params), function.params) else list(params)
    body = None if body is function.body else body
    fields = (params, body, ret_type, ty_params, attrs, virtual_device, span)
    if all(field is None for field in fields):
        return function
    return function._with_fields(*fields)


def _same(new: list[Any], old: list[Any]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old))


class ExprFunctor:
    """Calls a method for each kind of expression, once for each node."""

    def __init__(self) -> None:
        self.memo_map: dict[Expr, Any] = {}

    def visit(self, expr: Expr) -> Any:
        """Returns what the method for the kind of expr returned the first time."""
        memo = self.memo_map
        if expr in memo:
            return memo[expr]
        method = _METHODS.get(type(expr))
        if method is None:
            raise Exception(f"warning unhandled case: {type(expr)}")
        result = getattr(self, method)(expr)
        memo[expr] = result
        return result


def _missing(name: str):
    def visit(self: ExprFunctor, _: Expr) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no {name}")

    visit.__name__ = name
    return visit


for _name in _METHODS.values():
    setattr(ExprFunctor, _name, _missing(_name))


class ExprVisitor(ExprFunctor):
    """Visits the parts of each expression."""

    def visit_tuple(self, tup: Tuple) -> None:
        for field in tup.fields:
            self.visit(field)

    def visit_call(self, call: Call) -> None:
        self.visit(call.op)
        for arg in call.args:
            self.visit(arg)

    def visit_var(self, var: Var) -> None: ...

    def visit_let(self, let: Let) -> None:
        self.visit(let.var)
        self.visit(let.value)
        self.visit(let.body)

    def visit_function(self, fn: Function) -> None:
        for param in fn.params:
            self.visit(param)
        self.visit(fn.body)

    def visit_if(self, i: If) -> None:
        self.visit(i.cond)
        self.visit(i.true_branch)
        self.visit(i.false_branch)

    def visit_global_var(self, gv: GlobalVar) -> None: ...

    def visit_constructor(self, c: Constructor) -> None: ...

    def visit_op(self, op: Op) -> None: ...

    def visit_constant(self, const: Constant) -> None: ...

    def visit_ref_create(self, r: RefCreate) -> None:
        self.visit(r.value)

    def visit_ref_read(self, r: RefRead) -> None:
        self.visit(r.ref)

    def visit_ref_write(self, r: RefWrite) -> None:
        self.visit(r.ref)
        self.visit(r.value)

    def visit_tuple_getitem(self, t: TupleGetItem) -> None:
        self.visit(t.tuple_value)

    def visit_match(self, m: Match) -> None:
        self.visit(m.data)
        for clause in m.clauses:
            self.visit(clause.rhs)


class ExprMutator(ExprFunctor):
    """Rebuilds expressions whose parts changed."""

    def visit_function(self, fn: Function) -> Expr:
        params = [self.visit(param) for param in fn.params]
        return function_with_fields(fn, params, self.visit(fn.body))

    def visit_let(self, let: Let) -> Expr:
        var = self.visit(let.var)
        value = self.visit(let.value)
        body = self.visit(let.body)
        if var is let.var and value is let.value and body is let.body:
            return let
        return Let(var, value, body, let.span)

    def visit_call(self, call: Call) -> Expr:
        op = self.visit(call.op)
        old = call.args
        args = [self.visit(arg) for arg in old]
        if op is call.op and all(new is arg for new, arg in zip(args, old)):
            return call
        return Call(op, args, call.attrs, call.type_args, call.span)

    def visit_var(self, var: Var) -> Expr:
        return var

    def visit_global_id(self, global_var: GlobalVar) -> Expr:
        return global_var

    def visit_global_var(self, gvar: GlobalVar) -> Expr:
        return gvar

    def visit_if(self, ite: If) -> Expr:
        cond = self.visit(ite.cond)
        true_branch = self.visit(ite.true_branch)
        false_branch = self.visit(ite.false_branch)
        if cond is ite.cond and true_branch is ite.true_branch and false_branch is ite.false_branch:
            return ite
        return If(cond, true_branch, false_branch, ite.span)

    def visit_tuple(self, tup: Tuple) -> Expr:
        old = tup.fields
        fields = [self.visit(field) for field in old]
        return tup if all(new is field for new, field in zip(fields, old)) else Tuple(fields, tup.span)

    def visit_tuple_getitem(self, op: TupleGetItem) -> Expr:
        value = self.visit(op.tuple_value)
        return op if value is op.tuple_value else TupleGetItem(value, op.index, op.span)

    def visit_op(self, op: Op) -> Expr:
        return op

    def visit_constant(self, const: Constant) -> Expr:
        return const

    def visit_constructor(self, con: Constructor) -> Expr:
        return con

    def visit_match(self, m: Match) -> Expr:
        data = self.visit(m.data)
        clauses = m.clauses
        new = [Clause(clause.lhs, self.visit(clause.rhs)) for clause in clauses]
        if data is m.data and all(n.rhs is c.rhs for n, c in zip(new, clauses)):
            return m
        return Match(data, new, m.complete)

    def visit_ref_create(self, r: RefCreate) -> Expr:
        value = self.visit(r.value)
        return r if value is r.value else RefCreate(value, r.span)

    def visit_ref_write(self, r: RefWrite) -> Expr:
        ref, value = self.visit(r.ref), self.visit(r.value)
        return r if ref is r.ref and value is r.value else RefWrite(ref, value, r.span)

    def visit_ref_read(self, r: RefRead) -> Expr:
        ref = self.visit(r.ref)
        return r if ref is r.ref else RefRead(ref, r.span)


def bind(expr: Expr, binds: dict[Any, Expr]) -> Expr:
    """Replaces variables of expr by expressions. A function loses the parameters that are replaced."""
    from . import _relay_opt as _ext

    return _ext.bind(expr, dict(binds))
