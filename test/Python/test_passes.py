"""Passes, contexts and instruments of the package relay_opt."""

import gc
import unittest
import weakref

import relay_opt as ro
from relay_opt import tvm
from relay_opt.instruments import PassInstrument, PassTimingInstrument, pass_instrument
from relay_opt.tvm import relay
from relay_opt.tvm.transform import PassContext, Sequential

TEXT = "def @main(%x: Tensor[(2), float32]) { add(%x, add(1f, 2f)) }"


class Recorder:
    def __init__(self, name, log, fails=()):
        self.name_, self.log, self.fails = name, log, fails

    def _note(self, hook):
        self.log.append(f"{self.name_} {hook}")
        if hook in self.fails:
            raise ValueError(f"{self.name_} {hook}")

    def enter_pass_ctx(self):
        self._note("enter")

    def exit_pass_ctx(self):
        self._note("exit")

    def should_run(self, mod, info):
        self._note("should_run")
        return True

    def run_before_pass(self, mod, info):
        self._note("before")

    def run_after_pass(self, mod, info):
        self._note("after")


Instrument = pass_instrument(Recorder)


class Passes(unittest.TestCase):
    def setUp(self):
        self.mod = ro.parse(TEXT)

    def run_with(self, fails):
        """Runs InferType with instruments A, B, C, of which B fails; returns what was called."""
        log = []
        context = PassContext(
            instruments=[Instrument("A", log), Instrument("B", log, [fails]), Instrument("C", log)]
        )
        with self.assertRaisesRegex(ValueError, f"^B {fails}$"):
            with context:
                relay.transform.InferType()(self.mod)
        mark = len(log)
        context.override_instruments([])
        return log[:mark], log[mark:]

    def test_failing_hooks(self):
        entered = ["A enter", "B enter", "C enter"]
        asked = ["A should_run", "B should_run", "C should_run"]
        exited = ["A exit", "B exit", "C exit"]
        self.assertEqual(self.run_with("enter"), (["A enter", "B enter", "A exit"], []))
        before = ["A before", "B before", "C before"]
        after = ["A after", "B after", "C after"]
        self.assertEqual(self.run_with("exit"), (entered + asked + before + after + ["A exit", "B exit"], []))
        self.assertEqual(self.run_with("should_run"), (entered + asked[:2] + exited, exited))
        self.assertEqual(self.run_with("before"), (entered + asked + before[:2] + exited, exited))
        self.assertEqual(self.run_with("after"), (entered + asked + before + after[:2] + exited, exited))

    def test_exceptions_arrive_unchanged(self):
        class Own(Exception):
            pass

        raised = Own("mine")

        @ro.module_pass(opt_level=0)
        def fails(mod, ctx):
            raise raised

        try:
            Sequential([fails])(self.mod)
        except Own as caught:
            self.assertIs(caught, raised)
        frames = []
        traceback = raised.__traceback__
        while traceback:
            frames.append(traceback.tb_frame.f_code.co_name)
            traceback = traceback.tb_next
        self.assertIn("fails", frames)

    def test_modules_are_values(self):
        before = str(self.mod)
        body = self.mod["main"].body
        folded = relay.transform.FoldConstant()(self.mod)
        self.assertEqual(str(self.mod), before)
        self.assertIs(self.mod["main"].body, body)
        self.assertEqual(list(map(str, folded["main"].body.args)), ["free_var %x: Tensor[(2), float32] /* ty=Tensor[(2), float32] */;\n%x", "3f /* ty=float32 */"])

    def test_python_passes(self):
        @ro.function_pass(opt_level=1)
        class Wrap:
            def __init__(self, times):
                self.times = times

            def transform_function(self, func, mod, ctx):
                body = func.body
                for _ in range(self.times):
                    body = ro.make_call("negative", (body,), {})
                return ro.Function(func.params, body, None, func.type_params, func.attrs)

        wrap = Wrap(3)
        self.assertEqual(wrap.info.name, "Wrap")
        self.assertEqual(wrap.times, 3)
        result = wrap(self.mod)
        self.assertEqual(relay.analysis.list_op_freqs(result), {"add": 2, "negative": 3})
        self.assertEqual(result["main"].checked_type, self.mod["main"].checked_type)

        @ro.module_pass(opt_level=2)
        def add_function(mod, ctx):
            self.assertIsInstance(ctx, PassContext)
            mod["g"] = ro.Function([], ro.const(1.0))
            return mod

        with PassContext(opt_level=1):
            self.assertNotIn("g", Sequential([add_function])(self.mod))
        self.assertIn("g", Sequential([add_function])(self.mod))
        self.assertNotIn("g", self.mod)
        with PassContext(disabled_pass=["add_function"]):
            self.assertNotIn("g", Sequential([add_function])(self.mod))
        with self.assertRaisesRegex(TypeError, "returns an IRModule"):
            ro.module_pass(lambda mod, ctx: 3, opt_level=0)(self.mod)
        with self.assertRaisesRegex(ro.Error, "not bound"):
            ro.function_pass(lambda f, mod, ctx: ro.Function([], f.body), opt_level=0, name="bad")(self.mod)

    def test_modules_of_hooks_stay_valid(self):
        kept = []

        class Keep(PassInstrument):
            def run_before_pass(self, mod, info):
                kept.append((mod, mod["main"]))

            def run_after_pass(self, mod, info):
                kept.append((mod, None))

        with PassContext(instruments=[Keep()]):
            relay.transform.FoldConstant()(self.mod)
        self.assertEqual(str(kept[0][0]), str(self.mod))
        self.assertIn("3f", str(kept[-1][0]))

    def test_timing(self):
        timing = PassTimingInstrument()
        with PassContext(instruments=[timing]):
            mod = relay.transform.InferType()(self.mod)
            relay.transform.FoldScaleAxis()(mod)
            text = timing.render()
        names = [line.split(":")[0] for line in text.splitlines()]
        self.assertEqual(names, ["InferType", "FoldScaleAxis", "\tFoldConstant", "\t\tInferType"])
        self.assertRegex(text.splitlines()[0], r"^InferType: \d+us \[\d+us\] \(\d+\.\d\d%; \d+\.\d\d%\)$")

    def test_contexts_nest(self):
        outer = PassContext(opt_level=1)
        with outer:
            self.assertIs(PassContext.current(), outer)
            with PassContext(opt_level=3) as inner:
                self.assertIs(PassContext.current(), inner)
            self.assertIs(PassContext.current(), outer)
        self.assertEqual(PassContext.current().opt_level, 2)
        with self.assertRaisesRegex(ro.PipelineError, "relay.FuseOps.max_depht"):
            PassContext(config={"relay.FuseOps.max_depht": 3})

    def test_options(self):
        self.assertEqual(
            relay.transform.ConvertLayout({"nn.conv2d": ["NHWC", "default"]}).pipeline,
            "convert-layout<desired-layouts=nn.conv2d:NHWC:default>",
        )
        with self.assertRaises(ro.PipelineError) as caught:
            ro.Pass("fuse-ops<max-depht=3>")
        self.assertRegex(str(caught.exception), "max-depht")
        with self.assertRaisesRegex(AttributeError, "docs/Python.md"):
            relay.transform.CollagePartition
        with self.assertRaisesRegex(AttributeError, "tvm.autotvm"):
            tvm.autotvm

    def test_pass_manager(self):
        manager = ro.PassManager.parse("fold-constant,fuse-ops", ["-print-op-diff"])
        run = manager.run(self.mod)
        self.assertEqual(run.output, "(0, FoldConstant, {add: -1})\n(0, FuseOps, {call: 1, fn: 1})\n")
        self.assertEqual([(r.name, r.unit, r.changed) for r in run.runs], [("FoldConstant", "@main", True), ("FuseOps", "@main", True)])
        self.assertEqual(run.op_difference, {"add": -1})
        self.assertEqual(str(manager), "function(fold-constant,fuse-ops)")
        with self.assertRaisesRegex(ro.PipelineError, "did you mean 'fuse-ops'"):
            ro.PassManager.parse("fuse-opps")

    def test_nothing_leaks(self):
        def make():
            @ro.module_pass(opt_level=0)
            def identity(mod, ctx):
                return mod

            identity(self.mod)
            return weakref.ref(identity)

        made = make()
        gc.collect()
        self.assertIsNone(made())


if __name__ == "__main__":
    unittest.main()
