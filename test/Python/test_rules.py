# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of patterns as text, matches, explanations and rewrite rules."""

import unittest

import relay_opt as ro
from relay_opt.patterns import as_pattern, is_constant, is_op, wildcard

NET = """
def @main(%x: Tensor[(1, 8), float32], %w: Tensor[(4, 8), float32]) {
  %0 = nn.dense(%x, %w, units=4);
  %1 = nn.relu(%0);
  %2 = nn.relu(%1);
  nn.relu(%2)
}
"""


def parse_net():
    return ro.parse(NET)


class Match(unittest.TestCase):
    def test_module(self):
        mod = parse_net()
        main = mod["main"]
        found = mod.match("nn.relu(%y@nn.relu(%x))")
        self.assertEqual([match.root for match in found], [main.body.args[0], main.body])
        self.assertEqual([match.function for match in found], ["main", "main"])
        self.assertEqual(dict(found[1]), {"y": main.body.args[0], "x": main.body.args[0].args[0]})

    def test_pattern_object(self):
        inner = wildcard().named("data")
        pattern = is_op("nn.dense")(inner, wildcard())
        (found,) = parse_net().match(pattern)
        self.assertEqual(found["data"].name_hint, "x")
        self.assertEqual(found.nodes[inner], [found["data"]])
        with self.assertRaisesRegex(ValueError, "has the name 'data' already"):
            inner.named("other")

    def test_unbound_names_are_absent(self):
        (found,) = parse_net().match("nn.dense(%a, *) | nn.conv2d(%b, *)")
        self.assertEqual(list(found), ["a"])

    def test_nothing(self):
        self.assertEqual(parse_net().match("nn.conv2d(...)"), [])
        self.assertEqual(parse_net().match(is_constant()), [])

    def test_error(self):
        with self.assertRaises(ro.ParseError) as caught:
            parse_net().match("nn.relu(*")
        self.assertEqual((caught.exception.line, caught.exception.column), (1, 10))
        with self.assertRaises(TypeError):
            parse_net().match(4)


class Explain(unittest.TestCase):
    def test_mismatch(self):
        why = ro.explain_match(parse_net(), "nn.relu(nn.dense(*, *))")
        self.assertFalse(why.matches)
        self.assertEqual(why.reasons, ["expected a call of `nn.dense`", "found `nn.relu(nn.relu(...))`"])
        self.assertEqual(why.tried, "nn.relu(nn.relu(...))")
        self.assertIn("pattern:1:17: note: expected a call of `nn.dense`\nnn.relu(nn.dense(*, *))\n", str(why))

    def test_match(self):
        mod = parse_net()
        why = ro.explain_match(mod["main"].body, is_op("nn.relu")(wildcard()))
        self.assertTrue(why.matches)
        self.assertEqual(why.reasons, [])


class Rules(unittest.TestCase):
    def test_fixed_point(self):
        calls = []

        @ro.rewrite_rule("nn.relu(%inner@nn.relu(*))")
        def merge_relu(inner, root):
            calls.append(root)
            return inner

        mod = parse_net()
        result = merge_relu(mod)
        self.assertEqual(result.op_counts(), {"nn.dense": 1, "nn.relu": 1})
        self.assertEqual(mod.op_counts(), {"nn.dense": 1, "nn.relu": 3})
        self.assertGreaterEqual(len(calls), 2)
        self.assertEqual(merge_relu.info.name, "merge_relu")

    def test_declining(self):
        @ro.rewrite_rule("nn.relu(%x)")
        def never(x):
            return None

        mod = parse_net()
        self.assertIsNone(ro.diff(mod, never(mod)).reason)

    def test_pattern_object(self):
        @ro.rewrite_rule(is_op("nn.relu")(wildcard().named("x")) | is_op("tanh")(wildcard().named("y")), name="to_clip")
        def rule(x, y):
            self.assertIsNone(y)
            return ro.make_call("clip", [x], {"a_min": 0.0, "a_max": 6.0})

        self.assertEqual(rule(parse_net()).op_counts(), {"clip": 3, "nn.dense": 1})
        self.assertEqual(rule.info.name, "to_clip")

    def test_types(self):
        seen = []

        @ro.rewrite_rule("nn.relu(%x)", require_type=True)
        def rule(x, root):
            seen.append(str(root.checked_type))
            return None

        rule(parse_net())
        self.assertEqual(seen, ["Tensor[(1, 4), float32]"] * 3)

    def test_in_a_sequence_with_instruments(self):
        @ro.rewrite_rule("nn.relu(%inner@nn.relu(*))", opt_level=1)
        def merge_relu(inner):
            return inner

        class Names:
            def __init__(self):
                self.names = []

            def run_before_pass(self, mod, info):
                self.names.append(info.name)

        sequence = ro.Sequential([ro.Pass("simplify-inference"), merge_relu, ro.Pass("fuse-ops")])
        names = Names()
        with ro.PassContext(opt_level=1, instruments=[names]):
            sequence(parse_net())
        self.assertIn("merge_relu", names.names)
        with ro.PassContext(opt_level=1, disabled_pass=["merge_relu"]):
            self.assertEqual(sequence(parse_net()).op_counts()["nn.relu"], 3)

    def test_endless(self):
        @ro.rewrite_rule("nn.relu(%x)")
        def endless(root):
            return ro.make_call("nn.relu", [root], {})

        with self.assertRaises(ro.LimitError):
            endless(parse_net())

    def test_exception_arrives(self):
        error = KeyError("mine")

        @ro.rewrite_rule("nn.relu(%x)")
        def failing(x):
            raise error

        with self.assertRaises(KeyError) as caught:
            failing(parse_net())
        self.assertIs(caught.exception, error)

    def test_wrong_parameter(self):
        with self.assertRaisesRegex(TypeError, "no node named 'y'; it has root, x"):
            ro.rewrite_rule("nn.relu(%x)")(lambda y: y)

    def test_wrong_result(self):
        @ro.rewrite_rule("nn.relu(%x)")
        def wrong(x):
            return 4

        with self.assertRaisesRegex(TypeError, "returns an expression"):
            wrong(parse_net())


class Text(unittest.TestCase):
    def test_text_pattern_composes(self):
        pattern = is_op("nn.relu")(as_pattern("nn.dense(*, *)"))
        self.assertEqual(len(parse_net().match(pattern)), 1)


if __name__ == "__main__":
    unittest.main()
