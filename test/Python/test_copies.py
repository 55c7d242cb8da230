# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies, pickles and repr() of the objects of the package relay_opt."""

import copy
import multiprocessing
import pickle
import unittest

import numpy as np

import relay_opt as ro
from relay_opt.comparison import structural_equal
from relay_opt.instruments import PassTimingInstrument


def copies(value):
    """Yields copies of all kinds."""
    yield copy.copy(value)
    yield copy.deepcopy(value)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))


def fold(mod):
    """Returns the folded module; works in another process."""
    return ro.Pass("fold-constant")(mod)


def dense():
    x = ro.var("x", shape=(2, 2))
    return ro.make_call("nn.dense", (x, x), {"units": 2})


class Copies(unittest.TestCase):
    def test_modules_and_expressions(self):
        x, data = ro.var("x", shape=(2,)), np.array([1.5, float("nan")], "float32")
        function = ro.Function([x], ro.Let(ro.var("y"), x + ro.const(data), ro.Tuple([x])), attrs={"k": 1})
        mod = ro.IRModule({"main": function}, attrs={"version": 2})
        mod._add_type_def("T", [], [("A", [ro.TensorType((2,))])])
        for value in (mod, function, x, ro.const(data), dense(), ro.TupleGetItem(ro.Tuple([x]), 0)):
            for made in copies(value):
                self.assertIsNot(made, value)
                self.assertIs(type(made), type(value))
                self.assertTrue(structural_equal(made, value, map_free_vars=True), str(value))
        for made in copies(mod):
            self.assertEqual(made.attrs["version"], 2)
            del made["main"]
            self.assertIn("main", mod)

    def test_values(self):
        tensor = ro.TensorType((2, 3), "int8")
        values = [ro.Op.get("add"), dense().attrs, tensor, ro.TupleType([tensor]), ro.RefType(tensor), ro.FuncType([tensor], tensor)]
        for value in values:
            for made in copies(value):
                self.assertEqual(made, value)
        for made in copies(ro.GlobalVar("f")):
            self.assertEqual(made.name_hint, "f")
        for made in copies(ro.TypeVar("A")):
            self.assertEqual(made.name_hint, "A")

    def test_arrays(self):
        for dtype in ("float32", "bfloat16", "bool", "int64"):
            array = ro.const(np.arange(6).reshape(2, 3), dtype).data
            for made in copies(array):
                self.assertEqual((made.shape, made.dtype, made.tobytes()), (array.shape, dtype, array.tobytes()))

    def test_shared_parts_stay_shared(self):
        x = ro.var("x", shape=(2,))
        first, second = pickle.loads(pickle.dumps((x, x)))
        self.assertIs(first, second)
        call = copy.deepcopy(x + x)
        self.assertIs(call.args[0], call.args[1])

    def test_other_processes(self):
        mod = ro.parse("def @main() { add(1f, 2f) }")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            result = pool.map(fold, [mod])[0]
        self.assertTrue(structural_equal(result, fold(mod)))


class Reprs(unittest.TestCase):
    def test_expressions(self):
        x, y = ro.var("x"), ro.var("y")
        call = ro.make_call("nn.relu", (x,), {})
        for value, text in (
            (call, "Call(Op(nn.relu), [%x])"),
            (call + y, "Call(Op(add), [Call(...), %y])"),
            (ro.Function([x, y], call), "Function([%x, %y], Call(...))"),
            (ro.Let(x, ro.const(1.0), x), "Let(%x, Constant(1.0), %x)"),
            (ro.If(x, call, y), "If(%x, Call(...), %y)"),
            (ro.TupleGetItem(ro.Tuple([x]), 0), "TupleGetItem(Tuple(...), 0)"),
            (ro.RefWrite(ro.RefCreate(x), ro.RefRead(y)), "RefWrite(RefCreate(...), RefRead(...))"),
            (ro.const(np.zeros((2, 3), "int8")), "Constant(shape=(2, 3), dtype='int8')"),
            (ro.Match(x, [ro.Clause(ro.PatternWildcard(), y)]), "Match(%x)"),
        ):
            self.assertEqual(repr(value), text)

    def test_contexts(self):
        context = ro.PassContext(3, ["A", "B"], ["FuseOps"], [PassTimingInstrument()], {"relay.FuseOps.max_depth": 3})
        expected = (
            'Pass context information: \n\topt_level: 3\n\trequired passes: ["A", "B"]\n\tdisabled passes: ["FuseOps"]\n\t'
            'instruments: [PassTimingInstrument]\n\tconfig: {"relay.FuseOps.max_depth": 3}\n\ttrace stack: []'
        )
        self.assertEqual((repr(context), str(context)), (expected, expected))

    def test_runs(self):
        run = ro.PassManager.parse("fold-constant,fuse-ops").run(ro.parse("def @main() { add(1f, 2f) }"))
        self.assertRegex(repr(run), r"^PassRun\(\d+ runs, \d+ of them with changes\)$")


if __name__ == "__main__":
    unittest.main()
