# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TVM's interface: modules, passes, instruments, targets and the prelude."""

import contextlib
import io
import unittest

from relay_opt import tvm
from relay_opt.errors import ExprError
from relay_opt.tvm import relay

X = relay.var("x", shape=(2, 3))


def make_module():
    return tvm.IRModule.from_expr(relay.nn.relu(relay.add(X, relay.const(1.0))))


@tvm.ir.instrument.pass_instrument
class Names:
    def __init__(self):
        self.contexts = 0
        self.names = []

    def enter_pass_ctx(self):
        self.contexts += 1

    def run_before_pass(self, mod, info):
        self.names.append(info.name)


class Modules(unittest.TestCase):
    def test_functions_and_attributes(self):
        mod = tvm.IRModule({"f": relay.Function([X], X), relay.GlobalVar("g"): relay.Function([], relay.const(1))}, attrs={"a": 1})
        self.assertEqual([v.name_hint for v in mod.get_global_vars()], ["f", "g"])
        self.assertEqual(mod.get_attr("a"), 1)
        with self.assertRaises(TypeError):
            tvm.IRModule({"f": X})
        with self.assertRaises(TypeError):
            tvm.IRModule({}, {"T": 1})

    def test_attributes_of_functions(self):
        function = relay.Function([X], X)
        self.assertEqual((len(function.attrs), str(function.attrs), bool(function.attrs)), (0, "{}", False))
        named = function.with_attr("Num", 3).with_attr("Composite", "a.b")
        self.assertEqual((len(named.attrs), str(named.attrs), bool(named.attrs)), (2, '{"Composite": "a.b", "Num": 3}', True))
        self.assertEqual(str(relay.nn.dense(X, X).attrs), "relay.attrs.DenseAttrs(units=None, out_dtype='')")
        copy = relay.Function(function.params, function.body, attrs=function.attrs)
        self.assertTrue(tvm.ir.structural_equal(copy, function))
        self.assertEqual(str(copy), str(function))

    def test_equality_of_floats(self):
        leaky = lambda alpha: relay.nn.leaky_relu(X, alpha=alpha)
        self.assertTrue(tvm.ir.structural_equal(leaky(0.1), leaky(0.1 + 1e-12)))
        self.assertFalse(tvm.ir.structural_equal(leaky(0.1), leaky(0.1 + 1e-6)))

    def test_attributes_of_calls(self):
        call = relay.Call(relay.var("f"), [X], attrs=tvm.ir.make_node("DictAttrs", mode="fast"))
        self.assertEqual(call.attrs["mode"], "fast")
        self.assertEqual(tvm.ir.make_node("relay.attrs.CastAttrs", dtype="int8").dtype, "int8")
        with self.assertRaises(TypeError):
            tvm.ir.make_node("nosuch")

    def test_match_without_clauses(self):
        match = relay.adt.Match(X, [])
        self.assertEqual(match.clauses, [])
        with self.assertRaises(ExprError):
            tvm.IRModule.from_expr(match).astext()


class Passes(unittest.TestCase):
    def test_result_of_module_pass(self):
        first, second = make_module(), make_module()
        replace = tvm.transform.module_pass(lambda mod, ctx: second, opt_level=0, name="replace")
        keep = tvm.transform.module_pass(lambda mod, ctx: mod, opt_level=0, name="keep")
        self.assertTrue(replace(first).same_as(second))
        self.assertTrue(keep(first).same_as(first))
        # A pass that the function runs does not change what it returns.
        nested = tvm.transform.module_pass(lambda mod, ctx: (replace(mod), mod)[1], opt_level=0, name="nested")
        self.assertTrue(nested(first).same_as(first))

    def test_texts(self):
        keep = tvm.transform.module_pass(lambda mod, ctx: mod, opt_level=2, name="keep")
        self.assertEqual(str(keep), "Run Module pass: keep at the optimization level 2")
        sequence = tvm.transform.Sequential([keep])
        self.assertTrue(str(sequence).endswith("The passes will be executed are: [keep ]"))

    def test_print_ir(self):
        output = io.StringIO()
        with contextlib.redirect_stderr(output):
            tvm.transform.PrintIR("here")(make_module())
        self.assertTrue(output.getvalue().startswith("PrintIR(here):\n#[version"))
        self.assertIn("nn.relu", output.getvalue())

    def test_configs(self):
        configs = tvm.transform.PassContext.list_configs()
        self.assertEqual(configs["relay.FuseOps.max_depth"], {"type": "IntImm"})
        for name in configs:
            tvm.transform.PassContext(config={name: 1})

    def test_derived_instrument(self):
        @tvm.ir.instrument.pass_instrument
        class Derived(Names):
            def enter_pass_ctx(self):
                raise ValueError("derived")

        with self.assertRaisesRegex(ValueError, "derived"):
            with tvm.transform.PassContext(instruments=[Derived()]):
                pass

    def test_build(self):
        names = Names()
        with tvm.transform.PassContext(opt_level=2, instruments=[names]):
            built = relay.build(make_module(), "llvm")
        self.assertIn("FuseOps", names.names)
        self.assertNotIn("EliminateCommonSubexpr", names.names)
        self.assertEqual(names.contexts, 1)
        with self.assertRaisesRegex(AttributeError, "generates no code.*export_library"):
            built.export_library("x.so")

    def test_targets(self):
        self.assertIsNone(tvm.target.Target.current())
        with tvm.target.Target("llvm") as target:
            self.assertEqual(tvm.target.Target.current(), target)
            self.assertEqual(target.kind.name, "llvm")
        self.assertIsNone(tvm.target.Target.current())

    def test_no_targets(self):
        end = relay.transform.AnnotateTarget([])(make_module())["main"].body
        self.assertEqual((end.op.name, end.attrs.compiler), ("annotation.compiler_end", "default"))
        self.assertEqual(end.args[0].op.name, "nn.relu")

    def test_compiler_without_operators(self):
        passes = [relay.transform.AnnotateTarget("nosuch"), relay.transform.MergeCompilerRegions(), relay.transform.PartitionGraph()]
        result = tvm.transform.Sequential(passes)(make_module())
        expected = relay.transform.InferType()(make_module())
        self.assertTrue(tvm.ir.structural_equal(result["main"].body, expected["main"].body, True))


class Prelude(unittest.TestCase):
    def test_lists(self):
        mod = tvm.IRModule({})
        prelude = relay.prelude.Prelude(mod)
        _, cons, nil = mod.get_type("List")
        numbers = nil()
        for number in (3, 2, 1):
            numbers = cons(relay.const(number), numbers)
        i, j = (relay.var(n, relay.TensorType((), "int32")) for n in "ij")
        digits = relay.Function([i, j], i * relay.const(10) + j)
        mod["main"] = relay.Function([], prelude.foldl(digits, relay.const(0), prelude.rev(numbers)))
        self.assertEqual(relay.create_executor(mod=mod).evaluate()().numpy(), 321)

    def test_missing(self):
        with self.assertRaisesRegex(AttributeError, "tensor_array of float32"):
            relay.prelude.Prelude().get_global_var("tensor_array", "float32")
