"""Random scripts of calls of the package relay_opt: each raises exceptions of Python, or nothing.

`python test_random_calls.py COUNT [SEED]` runs COUNT scripts, the first of which has the seed SEED. A failure prints
the seed of the script.
"""

import contextlib
import io
import random
import sys
import threading
import time
import unittest

import numpy as np

import relay_opt as ro
from relay_opt import _relay_opt as ext
from relay_opt import functors, patterns, tvm
from relay_opt.comparison import structural_equal
from relay_opt.evaluation import evaluate
from relay_opt.instruments import PassInstrument, PassTimingInstrument
from relay_opt.serialization import load_json, save_json
from relay_opt.values import Span

TEXTS = [
    "def @main(%x: Tensor[(2), float32]) { add(%x, add(1f, 2f)) }",
    "def @f[A](%x: A) -> A { %x }\ndef @main() { @f(1f) }",
    "type L[A] { C(A, L[A]), N }\ndef @n[A](%l: L[A]) -> int32 { match (%l) { C(_, %r) => add(1, @n(%r)), N => 0 } }",
    "def @main(%a: float32, %b: bool) { let %v = ref(%a); if (%b) { ref_read(%v) } else { negative(%a) } }",
    "def @main(%x: Tensor[(?, 4), float32]) { nn.relu(nn.dense(%x, meta[relay.Constant][0])) }",
    "fn (%x: int32) { (%x, %x).1 }",
    "def @main( {",
    "",
]
PASSES = ["infer-type", "fold-constant", "fuse-ops", "default<O3>", "to-a-normal-form", "inline", "simplify-expr",
          "dead-code-elimination", "lambda-lift", "fuse-ops<max-depth=2>", "no-such-pass", "<", "fuse-ops<max-depth=x>"]
OPERATORS = ["add", "nn.relu", "nn.conv2d", "tanh", "concatenate", "nn.dense", "reshape", "no.such"]
ATTRIBUTES = ["units", "padding", "newshape", "axis", "k", "channels", "nosuch"]


class Script:
    """One random script; `values` are the objects that it has made."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.depth = 0
        self.values = [ro.var("x", shape=(2,)), ro.const(1.0), ro.TensorType((2,)), ro.TypeVar("A")]
        self.contexts = []

    def any(self):
        """Returns a value of any kind, often one that the script has made."""
        r = self.random
        if r.random() < 0.7:
            return r.choice(self.values)
        deep = []
        for _ in range(r.choice([1, 30, 1100])):
            deep = [deep]
        cyclic = [1]
        cyclic.append(cyclic)
        return r.choice([
            None, True, -1, 0, 3, 2**40, 2**70, 1.5, float("nan"), "x", "", "main", "float32", "\udcff", b"\xff", [],
            (), {}, deep, cyclic, [None], {"k": 1}, {1: None}, object(), int, len, np.float32(1), np.zeros((2, 0)),
            np.array(["s"]), range(3), r.choice(TEXTS), r.choice(PASSES), Span("s", 1, 2), tvm.tir.Any(),
        ])

    def of(self, *classes):
        """Returns a value of one of the classes if the script has any, rarely another."""
        found = [v for v in self.values if isinstance(v, classes)]
        return self.random.choice(found) if found and self.random.random() < 0.9 else self.any()

    def expr(self):
        return self.of(ro.Expr)

    def var(self):
        return self.of(ro.Var)

    def type(self):
        return self.of(ro.Type)

    def module(self):
        return self.of(ro.IRModule)

    def some(self, make):
        """Returns a list of a few values, or anything."""
        if self.random.random() < 0.05:
            return self.any()
        return [make() for _ in range(self.random.choice([0, 1, 1, 2, 3]))]

    def attributes(self):
        return {self.random.choice(ATTRIBUTES): self.any() for _ in range(self.random.choice([0, 0, 1, 2]))}

    # Callbacks: any of them may raise, call the package, or return what it must not.

    def callback(self, result=None):
        def call(*arguments):
            self.values += arguments[:2]
            if self.random.random() < 0.2:
                raise self.random.choice([ValueError, KeyError, RuntimeError, StopIteration])("a callback")
            if self.depth < 2 and self.random.random() < 0.5:
                self.step()
            if self.random.random() < 0.1:
                return self.any()
            return arguments[0] if result is None and arguments else result

        return call

    def instrument(self):
        new = PassTimingInstrument() if self.random.random() < 0.1 else PassInstrument()
        for hook in ("enter_pass_ctx", "exit_pass_ctx", "should_run", "run_before_pass", "run_after_pass"):
            if self.random.random() < 0.4:
                new.__dict__[hook] = self.callback(True)
        return new

    def python_pass(self):
        decorate = self.random.choice([ro.module_pass, ro.function_pass])
        return decorate(self.callback(), opt_level=self.random.choice([0, 1, 2]), name="random")

    def enter(self):
        context = self.of(ro.PassContext) if self.random.random() < 0.5 else ro.PassContext.current()
        context.__enter__()
        self.contexts.append(context)

    def leave(self):
        context = self.random.choice(self.contexts)
        context.__exit__(None, None, None)
        self.contexts.reverse()
        self.contexts.remove(context)
        self.contexts.reverse()

    def in_thread(self):
        def work():
            with contextlib.suppress(Exception):
                self.step()

        thread = threading.Thread(target=work)
        thread.start()
        thread.join(self.random.choice([0, 0.1]))  # not longer: the caller may hold the lock

    def set_function(self):
        self.module()[self.random.choice(["main", "f", "g", "", self.any()])] = self.of(ro.Function)

    def delete_function(self):
        del self.module()[self.random.choice(["main", "f", "g"])]

    def set_attributes(self):
        self.module()._attrs = self.attributes()

    def drop(self):
        del self.values[self.random.randrange(len(self.values))]

    def matcher(self):
        return self.random.choice([
            patterns.wildcard, patterns.is_constant, lambda: patterns.is_op("add")(patterns.wildcard(), self.any()),
            lambda: patterns.is_var(self.any()), lambda: patterns.is_expr(self.expr()),
            lambda: patterns.is_let(patterns.is_var(), patterns.wildcard(), patterns.wildcard()),
            lambda: patterns.wildcard().has_attr(self.attributes()), lambda: patterns.is_tuple(self.some(self.matcher)),
        ])()

    def rewrite(self):
        class Callback(patterns.DFPatternCallback):
            def __init__(inner):
                super().__init__(require_type=self.random.random() < 0.5)
                inner.pattern = self.matcher()
                inner.callback = self.callback(self.expr())

        return patterns.rewrite(Callback(), self.expr())

    def calls(self):
        """Returns functions, each of which makes one random call."""
        r, e, any_ = self.random, self.expr, self.any
        return [
            lambda: ro.parse(r.choice([r.choice(TEXTS), any_()])),
            lambda: ro.parse_expr(r.choice(TEXTS)),
            lambda: ro.IRModule(r.choice([None, {"main": self.of(ro.Function)}, any_()])),
            lambda: ro.from_expr(e()),
            lambda: ro.var(r.choice(["x", "y", any_()]), self.type()),
            lambda: ro.const(any_(), r.choice([None, "int8", "bool", any_()])),
            lambda: ro.TensorType(r.choice([(2,), (2, tvm.tir.Any()), any_()]), r.choice(["float32", "int8", any_()])),
            lambda: ro.TupleType(self.some(self.type)),
            lambda: ro.FuncType(self.some(self.type), self.type(), r.choice([None, self.some(self.type)])),
            lambda: ro.TypeVar(r.choice(["A", any_()]), r.choice([0, any_()])),
            lambda: ro.RefType(self.type()),
            lambda: ro.Call(e(), self.some(e), r.choice([None, self.attributes(), any_()]), r.choice([None, self.some(self.type)])),
            lambda: ro.make_call(r.choice(OPERATORS), self.some(e), self.attributes()),
            lambda: ro.Op.get(r.choice(OPERATORS)),
            lambda: e() + e(),
            lambda: ro.Tuple(self.some(e), any_() if r.random() < 0.1 else None),
            lambda: ro.TupleGetItem(e(), r.choice([0, 1, any_()])),
            lambda: ro.Let(self.var(), e(), e()),
            lambda: ro.If(e(), e(), e()),
            lambda: ro.Function(self.some(self.var), e(), r.choice([None, self.type()]), r.choice([None, self.some(self.type)]), r.choice([None, self.attributes()])),
            lambda: ro.Match(e(), [ro.Clause(self.of(ext.MatchPattern), e()) for _ in range(r.choice([0, 1, 2]))]),
            lambda: r.choice([ro.PatternWildcard(), ro.PatternVar(self.var()), ro.PatternTuple(self.some(lambda: self.of(ext.MatchPattern)))]),
            lambda: ro.RefWrite(ro.RefCreate(e()), ro.RefRead(e())),
            lambda: functors.bind(e(), {self.var(): e()}),
            lambda: functors.ExprMutator().visit(e()),
            lambda: functors.function_with_fields(self.of(ro.Function), r.choice([None, self.some(self.var)]), r.choice([None, e()]), attrs=r.choice([None, any_()]), virtual_device=r.choice([None, any_()])),
            lambda: ro.post_order_visit(e(), self.callback()),
            lambda: ro.free_vars(e()),
            lambda: structural_equal(any_(), any_()),
            lambda: (hash(any_()), self.type() == self.type(), hash(self.type())),
            lambda: str(any_()),
            lambda: repr(any_()),
            lambda: e().astext(),
            lambda: (e().checked_type, e().span),
            lambda: load_json(save_json(self.of(ro.IRModule, ro.Expr))),
            lambda: self.module()[r.choice(["main", "f", any_()])],
            lambda: self.module().shallow_copy(),
            lambda: self.module().update(self.module()),
            lambda: self.module()._add_type_def(r.choice(["T", any_()]), self.some(self.type), [("K", self.some(self.type))]),
            lambda: self.module().astext(),
            self.set_function,
            self.delete_function,
            self.set_attributes,
            self.drop,
            lambda: ro.Pass(r.choice(PASSES)),
            lambda: self.of(ro.Pass)(self.module()),
            lambda: self.of(ro.Pass)(self.module()),
            lambda: self.python_pass()(self.module()),
            self.python_pass,
            lambda: ro.Sequential(self.some(lambda: self.of(ro.Pass))),
            lambda: ro.PassManager.parse(r.choice(PASSES), r.choice([[], ["-print-op-diff"], ["-nosuch"]])).run(self.module()),
            lambda: ro.PassContext(r.choice([0, 2, 3, any_()]), instruments=self.some(self.instrument), disabled_pass=r.choice([None, ["FuseOps"], any_()]), config=r.choice([None, any_()])),
            lambda: self.of(ro.PassContext).override_instruments(self.some(self.instrument)),
            self.enter,
            self.enter,
            self.leave,
            self.in_thread,
            lambda: evaluate(self.module(), *[r.choice([np.zeros(2, "float32"), any_()]) for _ in range(r.choice([0, 1]))]),
            self.matcher,
            lambda: self.matcher().match(e()),
            lambda: self.matcher().partition(e()),
            self.rewrite,
        ]

    def step(self):
        self.depth += 1
        try:
            result = self.random.choice(self.calls())()
            if result is not None:
                self.values.append(result)
        finally:
            self.depth -= 1

    def run(self, steps=60):
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            for _ in range(steps):
                with contextlib.suppress(Exception):
                    self.step()
            for context in reversed(self.contexts):
                with contextlib.suppress(Exception):
                    context.__exit__(None, None, None)


def run_scripts(seeds, seconds=None):
    """Runs the scripts of the seeds until the time is over; returns their number."""
    end = None if seconds is None else time.monotonic() + seconds
    count = 0
    for seed in seeds:
        if end is not None and time.monotonic() > end:
            break
        with open(PROGRESS, "w") if PROGRESS else contextlib.nullcontext() as file:
            if file:
                file.write(str(seed))
        Script(seed).run()
        count += 1
    return count


PROGRESS = None


class RandomCalls(unittest.TestCase):
    def test_random_calls(self):
        counts = []
        # The contexts that scripts leave behind, and their instruments, go with the thread.
        thread = threading.Thread(target=lambda: counts.append(run_scripts(range(100_000), seconds=5)))
        thread.start()
        thread.join()
        self.assertGreater(counts[0], 5)
        # The package works as before.
        with ro.PassContext():
            mod = ro.Pass("fold-constant")(ro.parse(TEXTS[0]))
        self.assertIn("add(%x, 3f", str(mod))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PROGRESS = "/tmp/random-calls.seed"
        first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
        print(run_scripts(range(first, first + int(sys.argv[1]))), "scripts")
    else:
        unittest.main()
