"""The functions of operators of relay_opt.tvm.relay. op-functions.py compares them with TVM's."""

import importlib.util
import inspect
import subprocess
import sys
import unittest
from pathlib import Path

from relay_opt import tvm
from relay_opt.tvm import relay

HERE = Path(__file__).resolve().parent


class Ops(unittest.TestCase):
    def test_results_of_tvm(self):
        expected = HERE / "Inputs" / "op-functions.txt"
        command = [sys.executable, str(HERE / "op-functions.py"), "check", str(expected)]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.stdout, f"{len(expected.read_text().splitlines())} lines agree\n")

    def test_signature(self):
        parameters = inspect.signature(relay.nn.relu).parameters
        self.assertEqual(list(parameters), ["data"])
        self.assertEqual(inspect.signature(relay.nn.conv2d).parameters["strides"].default, (1, 1))
        self.assertEqual(relay.nn.conv2d.__name__, "conv2d")
        self.assertEqual(relay.nn.conv2d.__doc__, "Computes convolution in two dimensions.")
        with self.assertRaisesRegex(TypeError, r"conv2d\(\) got an unexpected keyword argument 'stride'"):
            relay.nn.conv2d(relay.var("x"), relay.var("w"), stride=1)
        with self.assertRaisesRegex(TypeError, r"missing 1 required positional argument: 'weight'"):
            relay.nn.conv2d(relay.var("x"))

    def test_modules(self):
        from relay_opt.tvm.relay.op.annotation import annotation  # noqa: F401
        from relay_opt.tvm.relay.op.nn import nn
        from relay_opt.tvm.relay.op.transform import split

        self.assertIs(nn.relu, relay.nn.relu)
        self.assertIs(split, relay.split)
        self.assertIs(relay.op.nn, relay.nn)
        self.assertIs(relay.qnn.op.conv2d, relay.qnn.op.qnn.conv2d)
        self.assertIsNot(relay.Any, __import__("typing").Any)
        self.assertEqual([name for name in relay.op.__all__ if not hasattr(relay, name)], [])

    def test_numbers_of_an_array_are_float32(self):
        x = relay.var("x", shape=(1, 3, 8, 8))
        text = str(relay.image.resize2d(x, (4, 4), roi=(0.0, 0.25, 1.0, 1.0)))
        self.assertIn("roi=[0f, 0.25f, 1f, 1f]", text)
        self.assertNotIn("sizes", str(relay.vision.multibox_prior(x)))

    def test_dynamic_forms(self):
        x, n = relay.var("x", shape=(4, 3)), relay.var("n", shape=(2,), dtype="int32")
        self.assertEqual(relay.reshape(x, n).op.name, "dyn.reshape")
        self.assertEqual(relay.reshape(x, relay.const([2, 6])).op.name, "reshape")
        self.assertEqual([int(d) for d in relay.reshape(x, relay.const([2, 6])).attrs.newshape], [2, 6])
        with self.assertRaises(ValueError):
            relay.strided_slice(x, n, n, axes=[0])

    def test_wrappers(self):
        x = relay.var("x", shape=(4, 3))
        parts = relay.split(x, 2)
        self.assertEqual(len(parts), 2)
        self.assertEqual(int(parts[1].index), 1)
        first, second = parts
        self.assertIs(first.tuple_value, second.tuple_value)
        self.assertEqual(len(relay.unique(x, return_counts=True)), 5)

    def test_devices(self):
        x = relay.var("x", shape=(4, 3))
        cpu = relay.annotation.on_device(x, tvm.cpu(0))
        self.assertTrue(tvm.ir.structural_equal(cpu, relay.annotation.on_device(x, "cpu")))
        self.assertFalse(tvm.ir.structural_equal(cpu, relay.annotation.on_device(x, "cuda")))
        with self.assertRaisesRegex(ValueError, "unknown device type 'tpu'; expects one of llvm, cpu, cuda"):
            relay.annotation.on_device(x, "tpu")

    def test_constants_of_bfloat16(self):
        if importlib.util.find_spec("ml_dtypes") is None:
            self.skipTest("ml_dtypes is not installed")
        self.assertEqual(relay.const(1.5, "bfloat16").data.dtype, "bfloat16")

    def test_hooks_and_absent_names(self):
        with self.assertRaisesRegex(NotImplementedError, "'register_legalize' of 'add' cannot be done from Python"):
            relay.op.register_legalize("add")(None)
        with self.assertRaisesRegex(NotImplementedError, "'register_qnn_legalize' of 'qnn.add'"):
            relay.qnn.op.register_qnn_legalize("qnn.add")
        with self.assertRaisesRegex(AttributeError, "relay_opt has no 'tvm.relay.op.strategy'"):
            relay.op.strategy
        with self.assertRaisesRegex(AttributeError, "relay_opt has no 'tvm.relay.qnn.op.requantize_config'"):
            relay.qnn.op.requantize_config
        with self.assertRaisesRegex(ValueError, "no operator is called 'no_such'"):
            relay.op.get("no_such")

    def test_pattern_tables(self):
        from relay_opt.tvm.relay.op.contrib import get_pattern_table, register_pattern_table

        @register_pattern_table("test_ops")
        def table():
            return ["a table"]

        self.assertEqual(table(), ["a table"])
        self.assertEqual(get_pattern_table("test_ops"), ["a table"])
        self.assertIsNone(get_pattern_table("test_ops_unknown"))

    def test_types(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        package = Path(tvm.__file__).resolve().parents[1]
        folders = [str(package / "tvm" / "relay" / name) for name in ("op", "qnn")]
        command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir=/dev/null", *folders]
        run = subprocess.run(command, capture_output=True, text=True, cwd=package.parent)
        errors = [line for line in run.stdout.splitlines() if "relay/op/" in line or "relay/qnn/" in line]
        self.assertEqual(errors, [])


if __name__ == "__main__":
    unittest.main()
