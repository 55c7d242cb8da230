# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dataflow patterns: matching, rewriting and partitioning expressions.

A pattern is a graph of nodes, and a node has identity: where it occurs twice,
it must match one and the same expression. The names are those of
tvm.relay.dataflow_pattern.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, Iterator, NamedTuple

from . import _relay_opt as _ext
from ._relay_opt import Expr, IRModule, Op, PatternBase

__all__ = [
    "AltPattern",
    "AttrPattern",
    "CallPattern",
    "ConstantPattern",
    "DFPattern",
    "DFPatternCallback",
    "DataTypePattern",
    "DominatorPattern",
    "ExprPattern",
    "FunctionPattern",
    "IfPattern",
    "LetPattern",
    "MatchExplanation",
    "MergeComposite",
    "NodeMap",
    "PatternMatch",
    "ShapePattern",
    "TextPattern",
    "TupleGetItemPattern",
    "TuplePattern",
    "TypePattern",
    "VarPattern",
    "WildcardPattern",
    "as_pattern",
    "dominates",
    "explain_match",
    "find",
    "has_attr",
    "has_dtype",
    "has_shape",
    "has_type",
    "is_constant",
    "is_expr",
    "is_if",
    "is_let",
    "is_op",
    "is_tuple",
    "is_tuple_get_item",
    "is_var",
    "match",
    "partition",
    "rewrite",
    "wildcard",
]


def _check_pattern(value: Any) -> DFPattern:
    if not isinstance(value, DFPattern):
        raise TypeError(f"expected a pattern, got {type(value).__name__}")
    return value


def _check_patterns(values: Any) -> list[DFPattern]:
    if isinstance(values, DFPattern):
        raise TypeError("expected a list of patterns, got a pattern")
    return [_check_pattern(value) for value in values]


def _check_expr(value: Any) -> Expr:
    if not isinstance(value, Expr):
        raise TypeError(f"expected an expression, got {type(value).__name__}")
    return value


class DFPattern(PatternBase):
    """A node of a pattern."""

    # The nodes that this one consists of.
    _parts: list[DFPattern]

    def __init__(self, made: PatternBase, parts: list[DFPattern]):
        super().__init__(made)
        self._parts = parts

    def __call__(self, *args: Any) -> CallPattern:
        """Matches a call of this with these arguments; a single None stands for any number of arguments."""
        if len(args) == 1 and args[0] is None:
            return CallPattern(self, None)
        return CallPattern(self, list(args))

    def __or__(self, other: DFPattern) -> AltPattern:
        return AltPattern(self, other)

    def __add__(self, other: DFPattern) -> CallPattern:
        return is_op("add")(self, other)

    def __sub__(self, other: DFPattern) -> CallPattern:
        return is_op("subtract")(self, other)

    def __mul__(self, other: DFPattern) -> CallPattern:
        return is_op("multiply")(self, other)

    def __truediv__(self, other: DFPattern) -> CallPattern:
        return is_op("divide")(self, other)

    def has_attr(self, attrs: Any) -> AttrPattern:
        """Restricts the match to operators, calls and functions with these attributes."""
        return has_attr(attrs, self)

    def has_type(self, ttype: Any) -> TypePattern:
        """Restricts the match to expressions of a type."""
        return has_type(ttype, self)

    def has_dtype(self, dtype: str) -> DataTypePattern:
        """Restricts the match to tensors of a data type."""
        return has_dtype(dtype, self)

    def has_shape(self, shape: Any) -> ShapePattern:
        """Restricts the match to tensors of a shape."""
        return has_shape(shape, self)

    def named(self, name: str) -> DFPattern:
        """Names the node in the bindings of matches and of rewrite rules. Returns the node, which has one name."""
        _ext.pattern_set_label(self, name)
        return self

    def match(self, expr: Expr) -> bool:
        """Returns true if the pattern matches expr as a whole."""
        return match(self, expr)

    def partition(self, expr: Expr, attrs: Any = None, check: Callable[[Expr], bool] | None = None) -> Expr:
        """Replaces the matches in expr by calls of new functions; see partition()."""
        return partition(self, expr, attrs, check)

    def dominates(self, parent: DFPattern, path: DFPattern | None = None) -> DominatorPattern:
        """Restricts the match to expressions that all flow from parent leads to, along path."""
        return DominatorPattern(parent, wildcard() if path is None else path, self)

    def optional(self, option_constructor: Callable[[DFPattern], DFPattern]) -> AltPattern:
        """Matches this, or the pattern that option_constructor makes of it."""
        return self | option_constructor(self)


class TextPattern(DFPattern):
    """A pattern from its text, as in docs/Patterns.md: `nn.relu(%x@nn.bias_add(*, *))`.

    Raises ParseError.
    """

    def __init__(self, text: str):
        super().__init__(_ext.pattern_parse(text), [])
        self.text = text


class ExprPattern(DFPattern):
    """Matches expressions that are structurally equal to one; of an operator, the operator itself."""

    def __init__(self, expr: Expr):
        super().__init__(_ext.pattern_expr(_check_expr(expr)), [])
        self.expr = expr


class VarPattern(DFPattern):
    """Matches a variable, or those of a name."""

    def __init__(self, name_hint: str = ""):
        super().__init__(_ext.pattern_var(name_hint), [])
        self.name = name_hint


class ConstantPattern(DFPattern):
    """Matches a constant."""

    def __init__(self) -> None:
        super().__init__(_ext.pattern_constant(), [])


class CallPattern(DFPattern):
    """Matches a call; without a list of arguments, with any number of them."""

    def __init__(self, op: DFPattern, args: Any):
        args = None if args is None else _check_patterns(args)
        super().__init__(_ext.pattern_call(_check_pattern(op), args), [op, *(args or [])])
        self.op = op
        self.args = args


class FunctionPattern(DFPattern):
    """Matches a function literal; without a list of parameters, with any number of them."""

    def __init__(self, params: Any, body: DFPattern):
        params = None if params is None else _check_patterns(params)
        super().__init__(_ext.pattern_function(params, _check_pattern(body)), [*(params or []), body])
        self.params = params
        self.body = body


class IfPattern(DFPattern):
    """Matches an `if`."""

    def __init__(self, cond: DFPattern, true_branch: DFPattern, false_branch: DFPattern):
        parts = _check_patterns([cond, true_branch, false_branch])
        super().__init__(_ext.pattern_if(*parts), parts)
        self.cond, self.true_branch, self.false_branch = parts


class LetPattern(DFPattern):
    """Matches a `let`."""

    def __init__(self, var: DFPattern, value: DFPattern, body: DFPattern):
        parts = _check_patterns([var, value, body])
        super().__init__(_ext.pattern_let(*parts), parts)
        self.var, self.value, self.body = parts


class TuplePattern(DFPattern):
    """Matches a tuple; without a list of fields, with any number of them."""

    def __init__(self, fields: Any):
        fields = None if fields is None else _check_patterns(fields)
        super().__init__(_ext.pattern_tuple(fields), fields or [])
        self.fields = fields

    def __getitem__(self, index: int) -> DFPattern:
        if self.fields is None or index >= len(self.fields):
            raise IndexError("TuplePattern index out of range")
        return self.fields[index]

    def __len__(self) -> int:
        return len(self.fields or [])

    def astype(self, _: Any) -> None:
        raise TypeError("astype cannot be used on TuplePattern")


class TupleGetItemPattern(DFPattern):
    """Matches a field of a tuple, or any field of it."""

    def __init__(self, tuple_value: DFPattern, index: int | None = None):
        self.index = -1 if index is None else index
        made = _ext.pattern_tuple_get_item(_check_pattern(tuple_value), None if self.index == -1 else self.index)
        super().__init__(made, [tuple_value])
        self.tuple = tuple_value


class AltPattern(DFPattern):
    """Matches one of two patterns; left is tried first."""

    def __init__(self, left: DFPattern, right: DFPattern):
        parts = _check_patterns([left, right])
        super().__init__(_ext.pattern_alt(*parts), parts)
        self.left, self.right = parts


class WildcardPattern(DFPattern):
    """Matches anything."""

    def __init__(self) -> None:
        super().__init__(_ext.pattern_wildcard(), [])

    def redirect_to(self, pat: DFPattern) -> None:
        """Makes the wildcard match what pat matches, which may contain the wildcard."""
        _ext.pattern_redirect(self, _check_pattern(pat))
        self._parts = [pat]


class TypePattern(DFPattern):
    """Matches what pattern matches, of a type."""

    def __init__(self, pattern: DFPattern, ttype: Any):
        super().__init__(_ext.pattern_type(_check_pattern(pattern), ttype), [pattern])
        self.pattern = pattern
        self.type = ttype


class DataTypePattern(DFPattern):
    """Matches what pattern matches, of a data type."""

    def __init__(self, pattern: DFPattern, dtype: str):
        super().__init__(_ext.pattern_dtype(_check_pattern(pattern), dtype), [pattern])
        self.pattern = pattern
        self.dtype = dtype


class ShapePattern(DFPattern):
    """Matches what pattern matches, of a shape."""

    def __init__(self, pattern: DFPattern, shape: Any):
        self.shape = list(shape)
        super().__init__(_ext.pattern_shape(_check_pattern(pattern), self.shape), [pattern])
        self.pattern = pattern


class AttrPattern(DFPattern):
    """Matches what pattern matches, with attributes of these values."""

    def __init__(self, pattern: DFPattern, attrs: Any):
        self.attrs = {key: attrs[key] for key in attrs.keys()}
        super().__init__(_ext.pattern_attrs(_check_pattern(pattern), self.attrs), [pattern])
        self.pattern = pattern


class DominatorPattern(DFPattern):
    """Matches child if all ways up from it lead along path to parent, and all flow out of parent to child."""

    def __init__(self, parent: DFPattern, path: DFPattern, child: DFPattern):
        parts = _check_patterns([parent, path, child])
        super().__init__(_ext.pattern_dominator(*parts), parts)
        self.parent, self.path, self.child = parts


def is_var(name: str = "") -> VarPattern:
    """Matches a variable, or those of a name."""
    return VarPattern(name)


def is_constant() -> ConstantPattern:
    """Matches a constant."""
    return ConstantPattern()


def is_expr(expr: Expr) -> ExprPattern:
    """Matches expressions that are structurally equal to expr."""
    return ExprPattern(expr)


def is_op(op_name: str) -> ExprPattern:
    """Matches the operator of a name, which is the callee of its calls."""
    return ExprPattern(Op.get(op_name))


def is_tuple(fields: Any) -> TuplePattern:
    """Matches a tuple of these fields; None stands for any number of fields."""
    return TuplePattern(fields)


def is_tuple_get_item(tuple_value: DFPattern, index: int | None = None) -> TupleGetItemPattern:
    """Matches a field of a tuple, or any field of it."""
    return TupleGetItemPattern(tuple_value, index)


def is_if(cond: DFPattern, true_branch: DFPattern, false_branch: DFPattern) -> IfPattern:
    """Matches an `if`."""
    return IfPattern(cond, true_branch, false_branch)


def is_let(var: DFPattern, value: DFPattern, body: DFPattern) -> LetPattern:
    """Matches a `let`."""
    return LetPattern(var, value, body)


def wildcard() -> WildcardPattern:
    """Matches anything."""
    return WildcardPattern()


def has_type(ttype: Any, pattern: DFPattern | None = None) -> TypePattern:
    """Matches expressions of a type."""
    return TypePattern(wildcard() if pattern is None else pattern, ttype)


def has_dtype(dtype: str, pattern: DFPattern | None = None) -> DataTypePattern:
    """Matches tensors of a data type."""
    return DataTypePattern(wildcard() if pattern is None else pattern, dtype)


def has_shape(shape: Any, pattern: DFPattern | None = None) -> ShapePattern:
    """Matches tensors of a shape."""
    return ShapePattern(wildcard() if pattern is None else pattern, shape)


def has_attr(attrs: Any, pattern: DFPattern | None = None) -> AttrPattern:
    """Matches operators, calls and functions with attributes of these values."""
    return AttrPattern(wildcard() if pattern is None else pattern, attrs)


def dominates(parent: DFPattern, path: DFPattern, child: DFPattern) -> DominatorPattern:
    """Matches child if all ways up from it lead along path to parent, and all flow out of parent to child."""
    return DominatorPattern(parent, path, child)


def match(pattern: DFPattern, expr: Expr) -> bool:
    """Returns true if pattern matches expr as a whole."""
    return _ext.pattern_match(_check_pattern(pattern), _check_expr(expr))


def as_pattern(pattern: DFPattern | str) -> DFPattern:
    """Returns a pattern, or the pattern of a text."""
    return TextPattern(pattern) if isinstance(pattern, str) else _check_pattern(pattern)


class PatternMatch(Mapping):
    """A match: the matched expression `root`, and what each named node of the pattern matched, by name.

    `nodes` has what all nodes matched, by node. `function` is the name of the
    function in a module.
    """

    def __init__(self, root: Expr, bindings: Any, pattern: DFPattern, function: str | None):
        self.root = root
        self.function = function
        self.nodes = NodeMap(bindings, pattern)
        self._named: dict[str, Expr] = bindings.named()

    def __getitem__(self, name: str) -> Expr:
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def __repr__(self) -> str:
        return f"PatternMatch({str(self.root).splitlines()[-1]!r}, names={list(self)})"


def find(pattern: DFPattern | str, source: Any) -> list[PatternMatch]:
    """Returns the matches of pattern at the calls and other parts of an expression or a module, inner ones first.

    Matches may overlap.
    """
    compiled = as_pattern(pattern)
    if not isinstance(source, IRModule):
        found = _ext.pattern_find(compiled, _check_expr(source))
        return [PatternMatch(root, bindings, compiled, None) for root, bindings in found]
    return [
        PatternMatch(root, bindings, compiled, name)
        for name in source._names()
        for root, bindings in _ext.pattern_find(compiled, source[name].body)
    ]


class MatchExplanation(NamedTuple):
    """Whether a pattern matches an expression, and the deepest reasons why it does not.

    reasons has the wanted part of the pattern, then the found expression.
    """

    tried: str
    matches: bool
    reasons: list[str]
    text: str

    def __str__(self) -> str:
        return self.text


def explain_match(source: Any, pattern: DFPattern | str, function: str = "main") -> MatchExplanation:
    """Explains why pattern does not match an expression as a whole, or the result of a function of a module."""
    expr = source[function].body if isinstance(source, IRModule) else _check_expr(source)
    return MatchExplanation(*_ext.pattern_explain(as_pattern(pattern), expr))


class NodeMap(Mapping):
    """The nodes of a pattern with the lists of expressions that they matched."""

    def __init__(self, bindings: Any, pattern: DFPattern):
        self._bindings = bindings
        self._pattern = pattern

    def __getitem__(self, pattern: DFPattern) -> list[Expr]:
        found = self._bindings.lookup(pattern)
        if found is None:
            raise KeyError(pattern)
        return found

    def __contains__(self, pattern: object) -> bool:
        return isinstance(pattern, DFPattern) and self._bindings.lookup(pattern) is not None

    def __iter__(self) -> Iterator[DFPattern]:
        seen = {self._pattern}
        work = [self._pattern]
        while work:
            pattern = work.pop()
            if pattern in self:
                yield pattern
            new = [part for part in pattern._parts if part not in seen]
            seen.update(new)
            work += new

    def __len__(self) -> int:
        return sum(1 for _ in self)


class DFPatternCallback:
    """A rewrite: derived classes set pattern and define callback().

    With require_type, expressions are typed before each pass. With
    rewrite_once, the callback is done after the first pass that changes
    something.
    """

    def __init__(self, require_type: bool = False, rewrite_once: bool = False):
        self.pattern: DFPattern | None = None
        self.require_type = require_type
        self.rewrite_once = rewrite_once

    def rewrite(self, expr: Expr) -> Expr:
        """Rewrites expr with this callback; see rewrite()."""
        return rewrite(self, expr)

    def callback(self, pre: Expr, post: Expr, node_map: NodeMap) -> Expr:
        """Returns the replacement of a match.

        pre is the matched expression, post the same with its inputs rewritten.
        node_map has the rewritten expressions that the nodes of the pattern
        matched. Returning post changes nothing.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define callback()")


def _entry(callback: DFPatternCallback) -> tuple[DFPattern, Callable[..., Expr], bool, bool]:
    pattern = callback.pattern
    if pattern is None:
        raise AssertionError("the callback has no pattern")
    function = callback.callback

    def call(pre: Expr, post: Expr, bindings: Any) -> Expr:
        return function(pre, post, NodeMap(bindings, pattern))

    return _check_pattern(pattern), call, bool(callback.require_type), bool(callback.rewrite_once)


def rewrite(callbacks: Any, expr: Expr, mod: Any = None) -> Expr:
    """Rewrites expr with a DFPatternCallback or a list of them until nothing changes.

    mod has the functions that expr calls, for type inference. Raises LimitError
    after 100 passes.
    """
    if isinstance(callbacks, DFPatternCallback):
        callbacks = [callbacks]
    return _ext.pattern_rewrite([_entry(callback) for callback in callbacks], _check_expr(expr), mod)


def partition(
    pattern: DFPattern, expr: Expr, attrs: Any = None, check: Callable[[Expr], bool] | None = None
) -> Expr:
    """Replaces the matches of pattern in expr by calls of new functions.

    attrs are attributes of each function. check is called with the root of each
    match; matches for which it returns false stay as they are.
    """
    if check is not None and not callable(check):
        raise TypeError("check is a function")
    if attrs is not None:
        attrs = {key: attrs[key] for key in attrs.keys()}
    return _ext.pattern_partition(_check_pattern(pattern), _check_expr(expr), attrs, check)


class MergeComposite(_ext.MergeCompositeBase):
    """A pass that makes composite functions of the matches of a pattern table.

    The entries are (name, pattern) or (name, pattern, check); check(expr) is
    called with the root of each match.
    """

    def __init__(self, pattern_table: Any):
        super().__init__([self._entry(entry) for entry in pattern_table])

    @staticmethod
    def _entry(entry: Any) -> tuple[str, DFPattern, Any]:
        if not isinstance(entry, (tuple, list)) or len(entry) not in (2, 3):
            raise ValueError("an entry of a pattern table is (name, pattern) or (name, pattern, check)")
        name, pattern, check = (*entry, None)[:3]
        if not isinstance(name, str):
            raise TypeError(f"the name of a composite is a string, got {type(name).__name__}")
        if check is not None and not callable(check):
            raise TypeError(f"the check of '{name}' is not a function")
        return name, _check_pattern(pattern), check
