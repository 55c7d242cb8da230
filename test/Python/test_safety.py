"""What Python may do to the package relay_opt without a crash or a wrong result."""

import functools
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref
from pathlib import Path

import numpy as np

import relay_opt as ro
from relay_opt import _relay_opt as ext
from relay_opt import tvm
from relay_opt.evaluation import evaluate
from relay_opt.functors import ExprMutator, bind, function_with_fields
from relay_opt.instruments import PassInstrument
from relay_opt.tvm import relay
from relay_opt.values import Span

TEXT = "def @main(%x: Tensor[(2), float32]) { add(%x, add(1f, 2f)) }"


def isolated(test):
    """Runs a test, which would crash without the mend that it tests, in a process of its own."""

    @functools.wraps(test)
    def run(self):
        if "RELAY_OPT_ISOLATED" in os.environ:
            return test(self)
        name = f"{type(self).__name__}.{test.__name__}"
        environment = {**os.environ, "RELAY_OPT_ISOLATED": "1"}
        done = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    return run


class Crashes(unittest.TestCase):
    @isolated
    def test_modules_die_while_another_thread_parses(self):
        text = "\n".join(f"def @f{i}(%x: Tensor[({i + 1}), float32]) {{ add(%x, {i}f) }}" for i in range(300))
        pool, end = [], time.monotonic() + 3

        def parse():
            while time.monotonic() < end:
                pool.append(ro.parse(text))

        def drop():
            while time.monotonic() < end:
                if pool:
                    pool.pop()

        threads = [threading.Thread(target=work) for work in (parse, parse, drop)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertIn("f299", ro.parse(text))

    @isolated
    def test_contexts_are_entered_again(self):
        log = []

        class Note(PassInstrument):
            def enter_pass_ctx(self):
                log.append("enter")

            def exit_pass_ctx(self):
                log.append("exit")

        context = ro.PassContext(opt_level=3, instruments=[Note()])
        with context:
            with context, ro.PassContext.current():
                ro.Pass("infer-type")(ro.parse(TEXT))
            self.assertIs(ro.PassContext.current(), context)
            with ro.PassContext():
                with self.assertRaisesRegex(RuntimeError, "entered already"):
                    context.__enter__()
            failures = []

            def enter():
                try:
                    context.__enter__()
                except RuntimeError as error:
                    failures.append(error)

            thread = threading.Thread(target=enter)
            thread.start()
            thread.join()
            self.assertEqual(len(failures), 1)
        self.assertEqual(log, ["enter", "exit"])
        with self.assertRaisesRegex(RuntimeError, "not the innermost"):
            context.__exit__(None, None, None)

    @isolated
    def test_hooks_leave_their_context_alone(self):
        class Override(PassInstrument):
            def run_before_pass(self, mod, info):
                ro.PassContext.current().override_instruments([])

        class Leave(PassInstrument):
            def run_after_pass(self, mod, info):
                ro.PassContext.current().__exit__(None, None, None)

        class Enter(PassInstrument):
            def exit_pass_ctx(self):
                contexts[-1].__enter__()

        contexts = []
        for instruments in ([Override(), Override(), Override()], [Leave()], [Enter()]):
            contexts.append(ro.PassContext(instruments=instruments))
            with self.assertRaisesRegex(RuntimeError, "a hook of an instrument cannot"):
                with contexts[-1]:
                    ro.Pass("infer-type")(ro.parse(TEXT))
        self.assertEqual(ro.PassContext.current().opt_level, 2)
        self.assertEqual(ro.PassContext.current().instruments, [])

    @isolated
    def test_cyclic_attributes(self):
        cyclic = []
        cyclic.append(cyclic)
        table = {}
        table["t"] = table
        for value in (cyclic, table):
            with self.assertRaisesRegex(ValueError, "nested more than 1000 levels"):
                ro.Function([], ro.const(1.0), attrs={"k": value})

    @isolated
    def test_none_in_match(self):
        x = ro.var("x")
        for wrong in (
            lambda: ro.PatternTuple([None]),
            lambda: ro.PatternConstructor(ext.Constructor("Cons"), [x]),
            lambda: ro.Match(x, [ro.Clause(None, x)]),
            lambda: ro.Match(x, [ro.Clause(ro.PatternWildcard(), None)]),
        ):
            self.assertRaises(TypeError, wrong)

    @isolated
    def test_binders_stay_variables(self):
        x, v = ro.var("x"), ro.const(1.0)
        with self.assertRaisesRegex(ro.ExprError, "`x` is bound by a `let`"):
            bind(ro.Let(x, v, x), {x: ro.const(2.0)})

    @isolated
    def test_arrays_larger_than_memory(self):
        huge = np.broadcast_to(np.float32(1), (10**9, 10**9))
        for load in (ro.const, ro.from_dlpack, tvm.nd.array):
            self.assertRaises(MemoryError, load, huge)
        with self.assertRaisesRegex(BufferError, "not row-major"):
            ro.from_dlpack(huge, copy=False)

    @isolated
    def test_subinterpreters_are_refused(self):
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        script = f"""
import sys
sys.path[:] = {sys.path!r}
try:
    import relay_opt
except ImportError as error:
    assert "main interpreter" in str(error), error
else:
    raise AssertionError("the package was imported")
"""
        self.assertIsNone(interpreters.run_string(interpreters.create(), script))
        self.assertIn("main", ro.parse(TEXT))

    def test_arguments_of_types(self):
        tensor = ro.TensorType((2,))
        self.assertRaises(TypeError, ro.FuncType, [tensor], tensor, [tensor])
        self.assertRaises(TypeError, ro.FuncType, [tensor], None)
        self.assertRaises(ValueError, ro.TypeVar, "a", 17)
        mod = ro.IRModule()
        self.assertRaises(TypeError, mod._add_type_def, "T", [tensor], [])
        self.assertRaises(TypeError, mod._add_type_def, "T", [], [("A", [None])])
        self.assertEqual(mod._type_defs(), [])

    def test_type_variables_are_not_used_again(self):
        variable = ro.TypeVar("again")
        kept = ro.TupleType([variable])
        del variable
        gc.collect()
        self.assertFalse(ro.TypeVar("again").same_as(kept.fields[0]))
        fields = ro.parse("def @f[B](%x: (B, B)) { %x }")["f"].params[0].type_annotation
        gc.collect()
        self.assertFalse(ro.TypeVar("B").same_as(fields.fields[0]))


class Results(unittest.TestCase):
    def test_modules_from_functions(self):
        function = ro.Function([], ro.const(1.0))
        for mod in (ro.IRModule({"f": function}, attrs={"k": 1}), tvm.IRModule({ro.GlobalVar("f"): function}, None, {"k": 1})):
            self.assertIs(mod["f"], function)
            self.assertEqual(mod.attrs["k"], 1)
        self.assertRaises(TypeError, ro.IRModule, {}, {"T": 1})
        self.assertRaises(TypeError, ro.from_expr, function, None, {"T": 1})
        self.assertRaises(TypeError, ro.IRModule, {"f": 3})

    def test_function_pass_that_changes_its_module(self):
        mod = ro.parse("def @f() { 1f }\ndef @g() { 2f }")

        @ro.function_pass(opt_level=0)
        def change(func, mod, ctx):
            mod["h"] = ro.Function([], ro.const(4.0))
            if "g" in mod:
                del mod["g"]
            return ro.Function([], ro.const(3.0))

        result = change(mod)
        self.assertEqual(sorted(result._names()), ["f", "h"])
        self.assertEqual(float(evaluate(result, function="f").numpy()), 3.0)
        self.assertEqual(sorted(mod._names()), ["f", "g"])

    def test_hooks_change_copies(self):
        class Change(PassInstrument):
            def run_before_pass(self, mod, info):
                mod._attrs = {"changed": 1}
                mod._add_type_def("T", [], [("A", [])])

        with ro.PassContext(instruments=[Change()]):
            result = ro.Pass("infer-type")(ro.parse(TEXT))
        self.assertIsNone(result.attrs)
        self.assertEqual(result._type_defs(), [])

    def test_caught_errors_are_not_reported_again(self):
        @ro.module_pass(opt_level=0)
        def fails(mod, ctx):
            try:
                ro.parse("def @main() { nosuch.operator() }")
            except ro.ParseError:
                pass
            return ro.IRModule({"main": ro.Function([], ro.make_call("nn.dense", (ro.const(1.0), ro.const(2.0)), {}))})

        with self.assertRaises(ro.Error) as caught:
            fails(ro.parse(TEXT))
        self.assertNotIn("nosuch", str(caught.exception))

    def test_state_after_an_expression_error(self):
        mod = ro.parse(TEXT + "\ndef @z() { 1f }")
        x = ro.var("x", shape=(2, 3))
        mod["f"] = ro.Function([x], ro.make_call("nn.dense", (x, x), {"units": 7}))
        mod["g"] = ro.Function([], ro.var("unbound"))
        self.assertRaises(ro.ExprError, str, mod)
        del mod["g"]
        self.assertRaises(ro.VerifyError, ro.Pass("fuse-ops"), mod)
        mod["main"] = ro.Function([], ro.var("unbound"))
        self.assertRaises(ro.ExprError, str, mod)
        mod["main"] = ro.Function([], ro.const(5.0))
        del mod["f"]
        self.assertEqual(str(mod), "def @main() {\n  5f\n}\n\ndef @z() -> float32 {\n  1f /* ty=float32 */\n}\n".replace(" -> float32", "").replace(" /* ty=float32 */", ""))

    def test_function_with_fields(self):
        x, y = ro.var("x"), ro.var("y")
        function = ro.Function([x], x, attrs={"k": 1})
        self.assertIs(function_with_fields(function, params=[x], body=x), function)
        self.assertEqual(function_with_fields(function, params=[]).params, [])
        self.assertEqual(function_with_fields(function, params=[x, y]).params, [x, y])
        changed = function_with_fields(function, body=y, span=Span("layer", 2, 3))
        self.assertEqual((changed.body, changed.attrs["k"], changed.span), (y, 1, Span("layer", 2, 3)))
        self.assertRaises(TypeError, function_with_fields, function, virtual_device=3)

    def test_tuples_are_evaluated(self):
        mod = ro.parse("def @main(%x: ((float32,), (float32,), ())) { %x.1.0 }")
        one, two = (np.array(v, "float32") for v in (1, 2))
        self.assertEqual(float(evaluate(mod, ((one,), (two,), ())).numpy()), 2)

    def test_bytes_that_are_not_text(self):
        data = TEXT.encode() + b" // \xff\n"
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "model.relay"
            path.write_bytes(data)
            self.assertIn("main", ro.read(path))
        self.assertIn("main", ro.parse(data))
        self.assertIn("main", ro.parse(data.decode("utf-8", "surrogateescape")))
        self.assertRaises(TypeError, ro.parse, 3)

    def test_instances(self):
        self.assertIsInstance(tvm.tir.Any(), tvm.tir.Any)
        self.assertNotIsInstance(3, tvm.tir.Any)
        self.assertIsInstance(ro.PatternWildcard(), ro.PatternWildcard)
        self.assertNotIsInstance(ro.PatternTuple([]), ro.PatternWildcard)
        self.assertIsInstance(ro.PatternTuple([]), ro.PatternTuple)

    def test_spans(self):
        span = Span("layer", 4, 5)
        x = ro.var("x", span=span)
        makers = [
            lambda: ro.const(1.0, span=span),
            lambda: ro.Call(ro.Op.get("tanh"), [x], span=span),
            lambda: ro.Tuple([x], span),
            lambda: ro.TupleGetItem(x, 0, span),
            lambda: ro.Let(x, x, x, span),
            lambda: ro.If(x, x, x, span),
            lambda: ro.Function([x], x, span=span),
            lambda: ro.RefCreate(x, span),
            lambda: ro.RefRead(x, span),
            lambda: ro.RefWrite(x, x, span),
        ]
        for make in makers:
            self.assertEqual(make().span, span)
        self.assertRaises(TypeError, ro.Tuple, [x], 3)

        class Other(ExprMutator):
            def visit_var(self, var):
                return ro.var("y")

        self.assertEqual(Other().visit(makers[3]()).span, span)

    def test_equal_types_have_equal_hashes(self):
        def make(name):
            var = ro.TypeVar(name)
            return ro.TupleType([ro.FuncType([var], ro.TupleType([var]), [var])])

        self.assertEqual(make("A"), make("B"))
        self.assertEqual(hash(make("A")), hash(make("B")))

    def test_cycles_are_collected(self):
        class Holder(PassInstrument):
            pass

        def context():
            holder = Holder()
            holder.context = ro.PassContext(instruments=[holder])
            return weakref.ref(holder)

        def closure():
            class Marker:
                pass

            marker, box = Marker(), []

            @ro.module_pass(opt_level=0)
            def identity(mod, ctx):
                return mod if box and marker else None

            box.append(identity)
            identity(ro.parse(TEXT))
            return weakref.ref(marker)

        for make in (context, closure):
            made = make()
            gc.collect()
            self.assertIsNone(made(), make.__name__)

    def test_shared_functions_are_not_collected(self):
        def make():
            def identity(mod, ctx):
                return mod if box else None

            box = [ro.module_pass(identity, opt_level=0)]
            return ext.SequentialBase(box, 0, "sequence", [])

        sequence = make()
        gc.collect()
        self.assertIn("main", sequence(ro.parse(TEXT)))

    def test_default_contexts_go_with_their_threads(self):
        found = []

        class Marker(PassInstrument):
            pass

        def work():
            marker = Marker()
            ro.PassContext.current().override_instruments([marker])
            found.append(weakref.ref(marker))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        gc.collect()
        self.assertIsNone(found[0]())

    def wait_for(self, child):
        """Returns the exit status of a child process; one that hangs is killed."""
        killer = threading.Timer(60, os.kill, (child, signal.SIGKILL))
        killer.start()
        status = os.waitpid(child, 0)[1]
        killer.cancel()
        return status

    def fork_and_fold(self):
        child = os.fork()
        if child == 0:
            ro.Pass("fold-constant")(ro.parse("def @main() { add(1f, 2f) }"))
            os._exit(0)
        self.assertEqual(self.wait_for(child), 0)

    def test_fork_beside_passes_of_a_thread(self):
        text = "\n".join(f"def @f{i}(%x: Tensor[({i + 1}), float32]) {{ add(%x, 1f) }}" for i in range(500))
        ended = threading.Event()

        def work():
            while not ended.is_set():
                ro.Pass("fold-constant,fuse-ops")(ro.parse(text))

        thread = threading.Thread(target=work)
        thread.start()
        try:
            for _ in range(20):
                self.fork_and_fold()
        finally:
            ended.set()
            thread.join()

    def test_fork_in_a_pass(self):
        @ro.function_pass(opt_level=0)
        def forks(func, mod, ctx):
            self.fork_and_fold()
            return func

        module = ro.parse("def @main(%x: float32) { add(%x, 1f) }")
        self.assertEqual(str(forks(module)), str(ro.Pass("infer-type")(module)))
        self.fork_and_fold()

    def test_unknown_types_of_arrays(self):
        with self.assertRaisesRegex(ValueError, "longdouble of numpy is not one of Relay's"):
            ro.const(np.zeros(2, "longdouble"))
        with self.assertRaisesRegex(ValueError, "unknown data type 'complex64'"):
            ro.const(np.zeros(2, "complex64"))

    def test_texts_of_options(self):
        from relay_opt.tvm.relay.transform import _text

        self.assertEqual(_text('a"b\\c'), '"a\\"b\\\\c"')
        self.assertEqual(_text("a:b"), "a:b")

    def test_required_passes(self):
        with self.assertRaisesRegex(TypeError, "list/tuple"):
            ro.module_pass(lambda mod, ctx: mod, opt_level=0, required="ab")


if __name__ == "__main__":
    unittest.main()
