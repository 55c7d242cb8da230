# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dataflow patterns: matching, rewriting, partitioning, MergeComposite."""

import unittest

import relay_opt
from relay_opt import Function, If, Let, Op, TupleGetItem, const, make_call, parse, var
from relay_opt.errors import ExprError, LimitError, VerifyError
from relay_opt.patterns import (
    DFPatternCallback,
    FunctionPattern,
    MergeComposite,
    dominates,
    has_dtype,
    has_shape,
    is_constant,
    is_expr,
    is_if,
    is_let,
    is_op,
    is_tuple,
    is_tuple_get_item,
    is_var,
    match,
    partition,
    rewrite,
    wildcard,
)

X, Y, W = var("x"), var("y"), var("w")


def call(name, *args, **attrs):
    return make_call(name, args, attrs)


def relu(e):
    return call("nn.relu", e)


def conv(data, weight):
    return call("nn.conv2d", data, weight)


def is_conv():
    return is_op("nn.conv2d")(wildcard(), wildcard())


def is_relu(p):
    return is_op("nn.relu")(p)


def text(e):
    lines = [line for line in str(e).splitlines() if not line.startswith("free_var")]
    return " ".join(" ".join(lines).split())


class Callback(DFPatternCallback):
    def __init__(self, pattern, function, **options):
        super().__init__(**options)
        self.pattern = pattern
        self.function = function
        self.count = 0

    def callback(self, pre, post, node_map):
        self.count += 1
        return self.function(pre, post, node_map)


class Matching(unittest.TestCase):
    def test_identity(self):
        a = wildcard()
        pattern = is_op("add")(a, a)
        self.assertTrue(pattern.match(X + X))
        self.assertFalse(pattern.match(X + Y))
        self.assertFalse(pattern.match(relu(X) + relu(X)))

    def test_commutes(self):
        pattern = is_var("x") + is_var("y")
        self.assertTrue(pattern.match(Y + X))
        self.assertFalse((is_var("x") - is_var("y")).match(Y - X))

    def test_scopes(self):
        p, q = wildcard(), wildcard()
        self.assertTrue(FunctionPattern([p, q], p + q).match(Function([X, Y], X + Y)))
        self.assertTrue(FunctionPattern(None, wildcard()).match(Function([X], X)))
        less = is_op("less")(wildcard(), wildcard())
        self.assertTrue(is_if(less, is_var("x"), is_var("y")).match(If(call("less", X, Y), X, Y)))
        v = wildcard()
        self.assertTrue(is_let(v, is_relu(wildcard()), v).match(Let(W, relu(X), W)))

    def test_tuples(self):
        fields = relay_opt.Tuple([X, Y])
        self.assertTrue(is_tuple([is_var("x"), wildcard()]).match(fields))
        self.assertTrue(is_tuple(None).match(fields))
        self.assertTrue(is_tuple_get_item(is_tuple(None), 1).match(TupleGetItem(fields, 1)))
        self.assertFalse(is_tuple_get_item(is_tuple(None), 1).match(TupleGetItem(fields, 0)))
        self.assertTrue(is_tuple_get_item(is_tuple(None)).match(TupleGetItem(fields, 0)))

    def test_attributes(self):
        self.assertTrue(is_op("add").has_attr({"TOpPattern": 1})(None).match(X + Y))
        e = call("nn.conv2d", X, W, kernel_size=[3, 3])
        self.assertTrue(is_conv().has_attr({"kernel_size": [3, 3], "groups": 1}).match(e))
        self.assertFalse(is_conv().has_attr({"kernel_size": [3, 1]}).match(e))
        f = Function([X], X).with_attr("Composite", "c")
        self.assertTrue(wildcard().has_attr({"Composite": "c"}).match(f))

    def test_types(self):
        t = var("t", shape=(2, 3))
        self.assertTrue(has_dtype("float32").match(relu(t)))
        self.assertFalse(has_shape((3, 2)).match(relu(t)))
        with self.assertRaises(VerifyError):
            has_dtype("float32").match(relu(X))

    def test_expressions(self):
        self.assertTrue(is_expr(relu(X) + Y).match(relu(X) + Y))
        self.assertFalse(is_expr(relu(X)).match(relu(var("x"))))
        # A bound variable, too, equals itself.
        self.assertTrue(FunctionPattern([wildcard()], is_relu(is_expr(X))).match(Function([X], relu(X))))
        self.assertTrue(is_expr(const(1)).match(const(1)))
        self.assertFalse(is_expr(const(1)).match(const(1.0)))

    def test_dominator(self):
        elementwise = wildcard().has_attr({"TOpPattern": 0})(wildcard())
        pattern = dominates(is_conv(), elementwise, wildcard() + wildcard())
        c = conv(X, W)
        self.assertTrue(pattern.match(relu(relu(c)) + call("tanh", c)))
        self.assertFalse(pattern.match(relu(Y) + c - c))

    def test_recursion(self):
        chain = wildcard()
        chain.redirect_to(is_op("cast")(chain) | is_conv())
        e = conv(X, W)
        self.assertFalse(chain.match(call("cast", X, dtype="int8")))
        for _ in range(20000):
            e = call("cast", e, dtype="int8")
        self.assertTrue(chain.match(e))
        itself = wildcard()
        itself.redirect_to(itself)
        with self.assertRaises(ExprError):
            itself.match(X)

    def test_wrong_arguments(self):
        for wrong in (
            lambda: is_op("add")(X),
            lambda: wildcard() + 1,
            lambda: match(X, X),
            lambda: is_op("add").match(3),
            lambda: is_expr(3),
            lambda: wildcard().has_type(None),
            lambda: wildcard().has_attr({"a": None}),
            lambda: rewrite(Callback(3, None), X),
            lambda: rewrite(Callback(wildcard(), None), X, 3),
        ):
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaises(ValueError):
            is_op("nosuch")


class Rewriting(unittest.TestCase):
    def setUp(self):
        self.a = wildcard()
        self.tanh = lambda pre, post, node_map: call("tanh", node_map[self.a][0])

    def check(self, pattern, function, expr, expected, count=None, **options):
        callback = Callback(pattern, function, **options)
        self.assertEqual(text(rewrite(callback, expr)), expected)
        if count is not None:
            self.assertEqual(callback.count, count)

    def test_order(self):
        seen = []

        def function(pre, post, node_map):
            seen.append((text(pre), text(post), text(node_map[self.a][0]), len(node_map)))
            return self.tanh(pre, post, node_map)

        inner = relu(X)
        rewrite(Callback(is_relu(self.a), function), relu(inner))
        self.assertEqual(
            seen,
            [
                ("nn.relu(%x)", "nn.relu(%x)", "%x", 3),
                ("%0 = nn.relu(%x); nn.relu(%0)", "%0 = tanh(%x); nn.relu(%0)", "tanh(%x)", 3),
            ],
        )

    def test_fixed_point(self):
        pattern = is_relu(is_relu(self.a))
        five = relu(relu(relu(relu(relu(X)))))
        keep = lambda pre, post, node_map: relu(node_map[self.a][0])
        self.check(pattern, keep, five, "nn.relu(%x)")
        self.check(pattern, keep, five, "%0 = nn.relu(%x); %1 = nn.relu(%0); nn.relu(%1)", rewrite_once=True)

    def test_unchanged(self):
        e = Function([X], relu(X))
        self.assertTrue(rewrite(Callback(is_relu(self.a), lambda pre, post, node_map: post), e).same_as(e))
        # An equal replacement ends the rounds.
        self.check(is_relu(self.a), lambda pre, post, m: relu(m[self.a][0]), relu(X), "nn.relu(%x)", 1)

    def test_kinds(self):
        self.check(is_op("add"), lambda *_: Op.get("subtract"), X + Y, "subtract(%x, %y)")
        self.check(is_constant(), lambda *_: const(2.0), relu(const(1.0)), "nn.relu(2f)", 2)
        self.check(is_let(wildcard(), wildcard(), wildcard()), lambda *_: X, Let(Y, relu(X), relu(Y)), "%x")
        self.check(is_relu(self.a), self.tanh, Let(Y, relu(X), relu(Y)), "let %y = tanh(%x); tanh(%y)")

    def test_one_variable_in_several_scopes(self):
        f = Function([X], relu(X))
        self.check(is_op("add")(self.a, wildcard()), self.tanh, f(X) + Y, "%0 = fn (%x) { nn.relu(%x) }; %1 = %0(%x1); tanh(%1)")

    def test_types(self):
        t = var("t", shape=(2,), dtype="float16")
        seen = []

        def function(pre, post, node_map):
            seen.append(str(pre.checked_type))
            return post

        rewrite(Callback(is_relu(self.a), function, require_type=True), relu(t))
        self.assertEqual(seen, ["Tensor[(2), float16]"])

    def test_limits(self):
        grow = lambda pre, post, m: relu(call("tanh", m[self.a][0]))
        with self.assertRaisesRegex(LimitError, "100 rewrite passes"):
            rewrite(Callback(is_relu(self.a), grow), relu(X))
        double = lambda pre, post, m: relu(relu(relu(m[self.a][0])))
        with self.assertRaisesRegex(LimitError, "grow without limit"):
            rewrite(Callback(is_relu(self.a), double), relu(X))

    def test_callback_errors(self):
        with self.assertRaises(ZeroDivisionError):
            rewrite(Callback(is_relu(self.a), lambda *_: 1 / 0), relu(X))
        with self.assertRaisesRegex(TypeError, "a callback returns an expression"):
            rewrite(Callback(is_relu(self.a), lambda *_: None), relu(X))
        with self.assertRaises(ExprError):
            rewrite(Callback(is_op("nn.relu"), lambda *_: Op.get("add")), relu(X))


class Partitioning(unittest.TestCase):
    def test_partition(self):
        self.assertEqual(
            text(partition(is_relu(is_conv()), relu(conv(X, W)), {"Composite": "c"})),
            '%1 = fn (%FunctionVar_0_0, %FunctionVar_0_1, PartitionedFromPattern="nn.conv2d_nn.relu_", Composite="c") '
            "{ %0 = nn.conv2d(%FunctionVar_0_0, %FunctionVar_0_1); nn.relu(%0) }; %1(%x, %w)",
        )

    def test_refused(self):
        c = conv(X, W)
        shared = relu(c) + c
        self.assertTrue(partition(is_relu(is_conv()), shared).same_as(shared))
        e = relu(c)
        self.assertTrue(partition(is_relu(is_conv()), e, check=lambda root: not root.same_as(e)).same_as(e))
        let = Let(Y, relu(X), relu(Y))
        self.assertTrue(partition(is_let(wildcard(), wildcard(), wildcard()), let).same_as(let))


class Composites(unittest.TestCase):
    MODULE = parse("def @main(%x: Tensor[(2), float32]) { tanh(nn.relu(nn.relu(%x))) }")

    def test_merge(self):
        seen = []

        def check(root):
            seen.append((root.op.name, str(root.checked_type)))
            return True

        table = [("pair", is_relu(is_relu(wildcard())), check), ("tanh", is_op("tanh")(wildcard()))]
        merge = MergeComposite(table)
        for _ in range(3):  # one pass object runs any number of times
            result = str(merge(self.MODULE))
            self.assertIn('Composite="pair"', result)
            self.assertIn('Composite="tanh"', result)
        self.assertEqual(seen, [("nn.relu", "Tensor[(2), float32]")] * 3)

    def test_errors(self):
        with self.assertRaises(ZeroDivisionError):
            MergeComposite([("a", is_relu(wildcard()), lambda _: 1 / 0)])(self.MODULE)
        with self.assertRaises(ValueError):
            MergeComposite([("a",)])
        with self.assertRaises(TypeError):
            MergeComposite([("a", X)])


if __name__ == "__main__":
    unittest.main()
