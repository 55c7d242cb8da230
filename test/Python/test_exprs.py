"""Expressions, types, attributes and modules of the package relay_opt."""

import threading
import unittest

import numpy as np

import relay_opt as ro
from relay_opt import _relay_opt as ext
from relay_opt import tvm
from relay_opt.comparison import structural_equal
from relay_opt.scopes import ScopeBuilder
from relay_opt.serialization import load_json, load_param_dict, save_json, save_param_dict


def relu(x):
    return ro.make_call("nn.relu", (x,), {})


class Exprs(unittest.TestCase):
    def test_fields(self):
        x = ro.var("x", shape=(2, 3))
        call = x + relu(x)
        self.assertEqual(call.op.name, "add")
        self.assertIs(call.op, ro.Op.get("add"))
        self.assertIs(call.args[0], x)
        self.assertIsNone(call.attrs)
        self.assertEqual(x.name_hint, "x")
        self.assertEqual(x.type_annotation, ro.TensorType((2, 3), "float32"))
        self.assertEqual([int(d) for d in x.type_annotation.shape], [2, 3])
        self.assertEqual(x.type_annotation.shape[0].dtype, "int32")
        with self.assertRaisesRegex(ValueError, "checked_type"):
            call.checked_type

    def test_functions_with_free_variables(self):
        x, y = ro.var("x", shape=(2,)), ro.var("y", shape=(2,))
        lines = ["fn (%x: Tensor[(2), float32]) {", "  free_var %y: Tensor[(2), float32];", "  add(%x, %y)", "}"]
        self.assertEqual(str(ro.Function([x], x + y)).splitlines(), lines)

    def test_attributes(self):
        x, w = ro.var("x", shape=(1, 3, 8, 8)), ro.var("w", shape=(4, 3, 3, 3))
        conv = ro.make_call("nn.conv2d", (x, w), {"padding": (1, 1, 1, 1), "channels": 4})
        self.assertEqual(conv.attrs.padding, [1, 1, 1, 1])
        self.assertEqual(conv.attrs["data_layout"], "NCHW")
        self.assertEqual(conv.attrs.channels, 4)
        self.assertIn("groups", conv.attrs.keys())
        with self.assertRaisesRegex(AttributeError, "no 'nosuch'"):
            conv.attrs.nosuch
        with self.assertRaisesRegex(TypeError, "'nn.conv2d' has no attribute 'pad'"):
            ro.make_call("nn.conv2d", (x, w), {"pad": 1})
        with self.assertRaisesRegex(TypeError, "attribute 'channels' of 'nn.conv2d' is a dimension or None"):
            ro.make_call("nn.conv2d", (x, w), {"channels": "four"})
        with self.assertRaisesRegex(TypeError, "takes 2 operands, not 1"):
            ro.make_call("nn.conv2d", (x,), {})
        with self.assertRaisesRegex(ValueError, "no operator is called 'nn.conv9d'"):
            ro.make_call("nn.conv9d", (x,), {})

    def test_numbers_are_no_operands(self):
        with self.assertRaisesRegex(TypeError, 'convert "2.0" with `const` first'):
            ro.var("x", shape=()) + 2.0

    def test_constants(self):
        for dtype in ("bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64"):
            source = np.array([[0, 1], [1, 0]], dtype)
            constant = ro.const(source)
            self.assertEqual(constant.data.dtype, dtype)
            np.testing.assert_array_equal(constant.data.numpy(), source)
        self.assertEqual(ro.const(1.5).data.dtype, "float32")
        self.assertEqual(ro.const(1).data.dtype, "int32")
        self.assertEqual(ro.const(True).data.dtype, "bool")
        self.assertEqual(ro.const([1, 2], "int64").data.shape, (2,))
        with self.assertRaisesRegex(ValueError, "does not fit"):
            ro.Array.from_bytes((3,), "int32", b"1234")

    def test_types(self):
        a, b = ro.TensorType((2,), "int8"), ro.TensorType((2,), "int8")
        self.assertEqual(a, b)
        self.assertEqual(hash(a), hash(b))
        self.assertNotEqual(a, ro.TensorType((3,), "int8"))
        var = ro.TypeVar("A")
        self.assertEqual(ro.FuncType([var], var, [var]), ro.FuncType([var], var, [var]))
        self.assertEqual(str(ro.FuncType([a], ro.TupleType([a]))), "fn (Tensor[(2), int8]) -> (Tensor[(2), int8],)")
        dynamic = ro.TensorType((tvm.relay.Any(), 2))
        self.assertEqual(str(dynamic), "Tensor[(?, 2), float32]")
        with self.assertRaisesRegex(TypeError, "not constant"):
            dynamic.concrete_shape
        with self.assertRaisesRegex(ValueError, "unknown data type"):
            ro.TensorType((2,), "flot32")

    def test_deep_chain(self):
        x = ro.var("x", shape=(2,))
        chain = x
        for _ in range(200_000):
            chain = relu(chain)
        counted = [0]

        def count(_):
            counted[0] += 1

        ro.post_order_visit(chain, count)
        self.assertEqual(counted[0], 200_002)  # and the variable and the operator
        mod = ro.IRModule.from_expr(ro.Function([x], chain))
        self.assertEqual(mod._num_operations(), 200_000)
        del chain, mod

    def test_sharing(self):
        x = ro.var("x", shape=(2,))
        shared = relu(x)
        body = ro.If(ro.const(True), shared, shared + shared)
        main = ro.IRModule.from_expr(ro.Function([x], body))["main"]
        self.assertIs(main.body, body)
        read = ro.parse(ro.IRModule.from_expr(ro.Function([x], body)).astext())["main"].body
        self.assertIs(read.true_branch, read.false_branch.args[0])
        self.assertIs(read.false_branch.args[0], read.false_branch.args[1])

    def test_scopes_are_checked(self):
        x, y = ro.var("x", shape=()), ro.var("y", shape=())
        inner = ro.Function([y], relu(y))
        for wrong, message in (
            (ro.Function([], x), "variable `x` is not bound"),
            (ro.Function([x, x], x), "variable `x` is bound twice"),
            (ro.Function([x], ro.Tuple([inner, inner.body])), "not in scope"),
            (ro.Function([x], ro.Tuple([ro.Let(y, x, y), y])), "used outside of its scope"),
        ):
            with self.assertRaisesRegex(ro.ExprError, message):
                ro.IRModule.from_expr(wrong).astext()

    def test_recursive_closure(self):
        builder = ScopeBuilder()
        n = ro.var("n", shape=(), dtype="int32")
        loop = ro.var("loop")
        zero, one = ro.const(0), ro.const(1)
        body = ro.If(n > zero, loop(n - one), n)
        result = ro.Let(loop, ro.Function([n], body, ro.TensorType((), "int32")), loop(ro.const(5)))
        mod = ro.Pass("infer-type")(ro.IRModule.from_expr(ro.Function([], result)))
        self.assertEqual(int(__import__("relay_opt.evaluation").evaluation.evaluate(mod).numpy()), 0)
        again = ro.IRModule.from_expr(mod["main"])
        self.assertTrue(structural_equal(mod, again))
        builder.ret(n)
        self.assertIs(builder.get(), n)

    def test_match_and_types(self):
        text = """
type List[A] { Cons(A, List[A]), Nil }
def @length[A](%l: List[A]) -> int32 {
  match (%l) { Cons(_, %rest) => add(1, @length(%rest)), Nil => 0 }
}
"""
        mod = ro.parse(text)
        function = mod["length"]
        self.assertEqual([p.kind for p in function.body.patterns], [2, 2])
        other = mod.shallow_copy()
        other["length"] = ro.Function(
            function.params,
            ro.Match(function.body.data, function.body.clauses, function.body.complete),
            function.ret_type,
            function.type_params,
        )
        self.assertTrue(structural_equal(ro.Pass("infer-type")(mod), ro.Pass("infer-type")(other)))

    def test_texts(self):
        x = ro.var("x", shape=(2,))
        function = ro.Function([x], relu(x))
        self.assertEqual(str(relu(x)), "free_var %x: Tensor[(2), float32];\nnn.relu(%x)\n".rstrip())
        self.assertEqual(str(function), "fn (%x: Tensor[(2), float32]) {\n  nn.relu(%x)\n}")
        mod = ro.IRModule.from_expr(function)
        self.assertEqual(str(mod), "def @main(%x: Tensor[(2), float32]) {\n  nn.relu(%x)\n}\n")
        self.assertEqual(mod.astext(), '#[version = "0.0.5"]\n' + str(mod))
        with self.assertRaises(ro.ParseError) as caught:
            ro.parse("def @main() {\n  nn.reluu(1f)\n}", "model.relay")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("model.relay", 2, 3))
        self.assertRegex(error.message, "did you mean `nn.relu`")

    def test_json_and_parameters(self):
        x = ro.var("x", shape=(2,))
        mod = ro.IRModule.from_expr(ro.Function([x], x + ro.const(np.ones(2, "float32"))))
        self.assertTrue(structural_equal(load_json(save_json(mod)), mod))
        params = {"w": np.arange(6, dtype="int16").reshape(2, 3)}
        np.testing.assert_array_equal(load_param_dict(save_param_dict(params))["w"].numpy(), params["w"])

    def test_threads(self):
        texts = []

        def work():
            for _ in range(20):
                mod = ro.parse("def @main(%x: Tensor[(2), float32]) { add(%x, add(1f, 2f)) }")
                texts.append(str(ro.Pass("default<O3>")(mod)))

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(texts), 120)
        self.assertEqual(len(set(texts)), 1)

    def test_functors(self):
        from relay_opt.functors import ExprMutator, ExprVisitor

        x = ro.var("x", shape=(2,))
        function = ro.Function([x], relu(relu(x)))

        class Swap(ExprMutator):
            def visit_call(self, call):
                call = super().visit_call(call)
                return ro.make_call("tanh", call.args, {}) if call.op.name == "nn.relu" else call

        class Count(ExprVisitor):
            calls = 0

            def visit_call(self, call):
                self.calls += 1
                super().visit_call(call)

        self.assertEqual(str(Swap().visit(function).body), str(ro.make_call("tanh", (ro.make_call("tanh", (x,), {}),), {})))
        self.assertIs(ExprMutator().visit(function), function)
        counter = Count()
        counter.visit(function)
        self.assertEqual(counter.calls, 2)

    def test_bind(self):
        x, y = ro.var("x", shape=()), ro.var("y", shape=())
        bound = ext.bind(ro.Function([x, y], x + y), {y: ro.const(1.0)})
        self.assertEqual(bound.params, [x])
        self.assertEqual(str(bound), "fn (%x: float32) {\n  add(%x, 1f)\n}")


if __name__ == "__main__":
    unittest.main()
