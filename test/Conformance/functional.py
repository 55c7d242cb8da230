"""Random programs with closures, references, choices and recursion, and the passes that change the form of functions.

Part of pass-agreement.py. Programs are created as text.
"""
import os
import tempfile

MATRIX, ROW, SCALAR = "Tensor[(2, 3), float32]", "Tensor[(3), float32]", "float32"
INTEGER, TRUTH = "int32", "bool"
HEADER = '#[version = "0.0.5"]\n'
TENSORS = (MATRIX, ROW, SCALAR)
SHAPES = {MATRIX: "[2, 3]", ROW: "[3]", SCALAR: "[]"}
UNARY = "negative nn.relu tanh sigmoid abs ceil".split()
BINARY = "add multiply subtract maximum minimum".split()
LIST = "type List[A] {\n  Cons(A, List[A]),\n  Nil,\n}\n"

# The file that the reference imports; the installation lacks it.
GRADIENTS = HEADER + """
type GradCell[T] {
  Raw(T),
  One(fn() -> T),
  Zero(fn() -> T)
}
def @FromGradCell[T](%cell: GradCell[T]) -> T {
  match (%cell) {
    Raw(%value) => %value,
    One(%create) => %create(),
    Zero(%create) => %create()
  }
}
def @AddGradCell[T](%add: fn(T, T) -> T, %lhs: GradCell[T], %rhs: GradCell[T]) -> GradCell[T] {
  match ((%lhs, %rhs)) {
    (Zero(_), _) => %rhs,
    (_, Zero(_)) => %lhs,
    _ => Raw(%add(@FromGradCell(%lhs), @FromGradCell(%rhs)))
  }
}
def @MultiplyGradCell[T](%multiply: fn(T, T) -> T, %lhs: GradCell[T], %rhs: GradCell[T]) -> GradCell[T] {
  match ((%lhs, %rhs)) {
    (Zero(_), _) => %lhs,
    (_, Zero(_)) => %rhs,
    (One(_), _) => %rhs,
    (_, One(_)) => %lhs,
    _ => Raw(%multiply(@FromGradCell(%lhs), @FromGradCell(%rhs)))
  }
}
"""


def fn_type(params, result):
    return ("fn", tuple(params), result)


def text_of(t):
    if isinstance(t, str):
        return t
    if t[0] == "tuple":
        return "(" + ", ".join(map(text_of, t[1])) + ("," if len(t[1]) == 1 else "") + ")"
    if t[0] == "ref":
        return f"ref({text_of(t[1])})"
    return f"fn ({', '.join(map(text_of, t[1]))}) -> {text_of(t[2])}"


class Program:
    """A program under construction. `features` is what it may have: if, closures, refs, tuples, recursion."""

    def __init__(self, rng, size, features, unary=UNARY, binary=BINARY):
        self.rng, self.left, self.features = rng, size, set(features)
        self.unary, self.binary = unary, binary
        self.names = 0
        self.globals = []  # functions to call

    def name(self, prefix="v"):
        self.names += 1
        return f"%{prefix}{self.names}"

    def may(self, feature, chance):
        return feature in self.features and self.rng.random() < chance

    # Values. An expression is one text without sharing.

    def variable(self, scope, t):
        found = [name for name, known in scope if known == t]
        return self.rng.choice(found[-4:] if self.rng.random() < 0.7 else found) if found else None

    def part(self, scope, t):
        """A field of a variable, or the contents of a reference."""
        found = [f"%s.%d" % (name, i) for name, known in scope if known[0] == "tuple"
                 for i, field in enumerate(known[1]) if field == t]
        found += [f"ref_read({name})" for name, known in scope if known[0] == "ref" and known[1] == t]
        return self.rng.choice(found) if found else None

    def call(self, scope, t, depth):
        found = [(name, known) for name, known in scope if known[0] == "fn" and known[2] == t]
        if not found:
            return None
        name, known = self.rng.choice(found)
        return f"{name}({', '.join(self.value(scope, p, depth - 1) for p in known[1])})"

    def value(self, scope, t, depth=2):
        rng = self.rng
        if depth > 0 and rng.random() < 0.3:
            made = self.call(scope, t, depth)
            if made:
                return made
        if rng.random() < 0.35:
            made = self.part(scope, t)
            if made:
                return made
        if depth <= 0 or rng.random() < 0.4:
            made = self.variable(scope, t)
            if made:
                return made
        return self.fresh(scope, t, depth)

    def fresh(self, scope, t, depth):
        rng = self.rng
        value = lambda t: self.value(scope, t, depth - 1)
        if t == INTEGER:
            return str(rng.randrange(4))
        if t == TRUTH:
            return f"less({value(SCALAR)}, {value(SCALAR)})"
        if t[0] == "tuple":
            return "(" + ", ".join(map(value, t[1])) + ("," if len(t[1]) == 1 else "") + ")"
        if t[0] == "ref":
            return f"ref({value(t[1])})"
        if t[0] == "fn":
            return self.closure(scope, t)
        if t == SCALAR and (depth <= 0 or rng.random() < 0.5):
            return f"{rng.randrange(-8, 9) / 4}f"
        if depth <= 0:
            return f'{rng.choice(["zeros", "ones"])}(shape={SHAPES[t]}, dtype="float32")'
        kind = rng.randrange(10)
        if kind < 2:
            return f'{rng.choice(["zeros_like", "ones_like"])}({value(t)})'
        if kind == 2:
            return f'{rng.choice(["zeros", "ones"])}(shape={SHAPES[t]}, dtype="float32")'
        if kind < 5:
            return f"{rng.choice(self.unary)}({value(t)})"
        if t == SCALAR:
            return f"sum({value(rng.choice([MATRIX, ROW]))})" if kind < 7 else f"add({value(t)}, {value(t)})"
        other = rng.choice([t, t, t, SCALAR, ROW])
        return f"{rng.choice(self.binary)}({value(t)}, {value(other)})"

    # Statements.

    def some_type(self, depth=1):
        rng = self.rng
        if depth and self.may("tuples", 0.2):
            return ("tuple", tuple(self.some_type(0) for _ in range(rng.randrange(1, 3))))
        if depth and self.may("closures", 0.25):
            params = [self.some_type(depth - 1) for _ in range(rng.randrange(0, 3))]
            return fn_type(params, self.some_type(0))
        if depth and self.may("refs", 0.2):
            return ("ref", self.some_type(0))
        return rng.choice(TENSORS)

    def closure(self, scope, t):
        params = [(self.name("a"), p) for p in t[1]]
        declared = ", ".join(f"{name}: {text_of(p)}" for name, p in params)
        return f"fn ({declared}) -> {text_of(t[2])} {{\n{self.block(scope + params, t[2])}\n}}"

    def recursive(self, scope):
        """A closure that calls itself a few times, as a statement."""
        name, count, x = self.name("f"), self.name("n"), self.name("a")
        t = self.rng.choice(TENSORS)
        inner = scope + [(count, INTEGER), (x, t)]
        again = f"{name}(subtract({count}, 1), {self.value(inner, t)})"
        end = self.block(inner, t)
        scope.append((name, fn_type([INTEGER, t], t)))
        if self.rng.random() < 0.5:
            again = f"let {self.name()} = {again};\n{again}" if self.rng.random() < 0.2 else f"negative({again})"
        return (f"let {name} = fn ({count}: int32, {x}: {text_of(t)}) -> {text_of(t)} {{\n"
                f"if (less({count}, 1)) {{\n{end}\n}} else {{\n{again}\n}}\n}};")

    def choice(self, scope, t):
        condition = self.value(scope, TRUTH)
        return f"if ({condition}) {{\n{self.block(scope, t)}\n}} else {{\n{self.block(scope, t)}\n}}"

    def statement(self, scope):
        refs = [(name, t[1]) for name, t in scope if t[0] == "ref"]
        if refs and self.rng.random() < 0.4:
            name, t = self.rng.choice(refs)
            return f"let {self.name('u')} = ref_write({name}, {self.value(scope, t)});"
        if self.may("recursion", 0.1):
            return self.recursive(scope)
        t = self.some_type()
        name = self.name()
        made = self.choice(scope, t) if t in TENSORS and self.may("if", 0.2) else self.value(scope, t)
        scope.append((name, t))
        return f"let {name} = {made};"

    def block(self, scope, t):
        scope, lines = list(scope), []
        for _ in range(self.rng.randrange(3)):
            if self.left > 0:
                self.left -= 1
                lines.append(self.statement(scope))
        if t in TENSORS and self.left > 0 and self.may("if", 0.1):
            self.left -= 1
            return "\n".join(lines + [self.choice(scope, t)])
        return "\n".join(lines + [self.value(scope, t)])

    def function(self, name="main"):
        params = [(self.name("x"), t) for t in self.rng.choices(TENSORS, k=self.rng.randrange(1, 4))]
        if self.may("tuples", 0.3):
            params.append((self.name("x"), ("tuple", tuple(self.rng.choices(TENSORS, k=2)))))
        t = self.rng.choice(TENSORS)
        if self.may("tuples", 0.3):
            t = ("tuple", (t, self.rng.choice(TENSORS)))
        scope, lines = self.globals + params, []
        while self.left > 0:
            self.left -= 1
            lines.append(self.statement(scope))
        lines.append(self.value(scope, t))
        declared = ", ".join(f"{n}: {text_of(p)}" for n, p in params)
        return f"def @{name}({declared}) -> {text_of(t)} {{\n" + "\n".join(lines) + "\n}\n"


def parse(tvm, text):
    return tvm.relay.fromtext(HEADER + text)


# ---- lazy-gradient-init -------------------------------------------------------------------------------------------------

def make_lazy(tvm, rng, size):
    """A program, or the gradient of one. Choices are left out: the reference makes them ill-typed."""
    if rng.random() < 0.3:
        mod = parse(tvm, Program(rng, size // 2, ["closures"], UNARY[:-1], BINARY[:3]).function())
        mod = tvm.relay.transform.InferType()(mod)
        return tvm.IRModule.from_expr(tvm.relay.transform.gradient(mod["main"], mod))
    return parse(tvm, Program(rng, size, ["closures", "refs", "tuples"]).function())


def correct_zeros(tvm, mod):
    """The reference takes zeros_like for ones: docs/Differences.md."""
    relay = tvm.relay
    zero = mod.get_type("GradCell")[3]  # after the type

    class Correct(relay.ExprMutator):
        def visit_call(self, call):
            call = super().visit_call(call)
            is_one = isinstance(call.op, relay.Constructor) and call.op.name_hint == "One"
            body = call.args[0].body if is_one and isinstance(call.args[0], relay.Function) else None
            if isinstance(body, relay.Call) and getattr(body.op, "name", "") == "zeros_like":
                return relay.Call(zero, call.args)
            return call
    mod["main"] = Correct().visit(mod["main"])
    return mod


def delays_effects(ours, theirs):
    """Whether the reference evaluates an operand later, where it should bind it: docs/Differences.md."""
    return ours.count("let ") > theirs.astext(show_meta_data=False).count("let ")


def run_lazy(tvm, mod):
    """The pass of the reference, which finds the file of cells in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "gradient.rly"), "w") as file:
            file.write(GRADIENTS)
        tvm._ffi.register_func("tvm.relay.std_path", lambda: folder + "/", override=True)
        return correct_zeros(tvm, tvm.relay.transform.LazyGradientInit()(mod))


def choose_lazy(rng):
    return "lazy-gradient-init", run_lazy


# ---- to-cps and un-cps --------------------------------------------------------------------------------------------------

def make_functions(rng, size, features):
    """The text of a few functions, each of which calls the ones before it."""
    made, scope = [], []
    for i in range(rng.randrange(3)):
        params = rng.choices(TENSORS, k=rng.randrange(1, 3))
        result = rng.choice(TENSORS)
        program = Program(rng, size // 3, features)
        names = [(program.name("x"), t) for t in params]
        declared = ", ".join(f"{n}: {text_of(t)}" for n, t in names)
        body = program.block(scope + names, result)
        made.append(f"def @g{i}({declared}) -> {result} {{\n{body}\n}}\n")
        scope.append((f"@g{i}", fn_type(params, result)))
    return made, scope


def make_cps(tvm, rng, size):
    features = ["closures", "refs", "tuples", "if", "recursion"]
    functions, scope = make_functions(rng, size, features)
    main = Program(rng, size, features)
    main.globals = scope
    return parse(tvm, "".join(functions) + main.function())


def choose_cps(rng):
    only_to = rng.random() < 0.5

    def run(tvm, mod):
        transform = tvm.relay.transform
        mod["main"] = transform.to_cps(mod["main"], mod)
        mod = transform.InferType()(mod)
        if not only_to:
            mod["main"] = transform.un_cps(mod["main"])
        return mod
    return "to-cps" if only_to else "to-cps,un-cps", run


# ---- defunctionalization ------------------------------------------------------------------------------------------------

def make_defunctionalized(tvm, rng, size):
    """Calls of functions that take a function of one type. Only closures, functions and parameters are passed, as
    arguments of direct calls in @main: the reference converts nothing else."""
    t = rng.choice(TENSORS)
    f = fn_type([t], t)
    text, scope = "", []
    for i in range(rng.randrange(1, 3)):
        program = Program(rng, 0, [])
        names = [("%f", f), (program.name("x"), t)]
        value = lambda: program.value(names[1:], t, 1)
        calls = value()
        for _ in range(rng.randrange(1, 3)):
            calls = f"{rng.choice(BINARY)}(%f({calls}), {value()})"
        if scope and rng.random() < 0.5:
            calls = f"{rng.choice(scope)}(%f, {calls})"
        text += f"def @h{i}(%f: {text_of(f)}, {names[1][0]}: {t}) -> {t} {{\n{calls}\n}}\n"
        scope.append(f"@h{i}")
    text += f"def @plain(%x: {t}) -> {t} {{\nnegative(%x)\n}}\n"
    main = Program(rng, 0, [])
    params = [(main.name("x"), t) for _ in range(rng.randrange(1, 4))]
    lines, known = [], list(params)
    used = False
    for _ in range(rng.randrange(1, max(2, size // 2))):
        arg = main.name("a")
        closure = f"fn ({arg}: {t}) -> {t} {{\n{main.value(known + [(arg, t)], t, 2)}\n}}"
        function = "@plain" if not used and rng.random() < 0.2 else closure
        used |= function == "@plain"
        name = main.name()
        lines.append(f"let {name} = {rng.choice(scope)}({function}, {main.value(known, t, 1)});")
        known.append((name, t))
    declared = ", ".join(f"{n}: {t}" for n, t in params)
    text += f"def @main({declared}) -> {t} {{\n" + "\n".join(lines) + f"\n{main.value(known, t, 2)}\n}}\n"
    return parse(tvm, text)


def rename_constructors(tvm, mod):
    """The constructors of the reference have numbers as names, which text cannot have; ours count from 0."""
    relay = tvm.relay
    var = next((v for v in mod.get_global_type_vars() if v.name_hint == "DefuncFuncType"), None)
    if var is None:
        return mod
    old = mod[var].constructors
    new = [relay.Constructor(f"Closure{i}", c.inputs, var) for i, c in enumerate(old)]
    renamed = dict(zip([c.name_hint for c in old], new))

    class Rename(relay.ExprMutator):
        def visit_constructor(self, c):
            return renamed.get(c.name_hint, c)

        def visit_match(self, m):
            clauses = []
            for clause in m.clauses:
                lhs = clause.lhs
                if isinstance(lhs, relay.PatternConstructor) and lhs.constructor.name_hint in renamed:
                    lhs = relay.PatternConstructor(renamed[lhs.constructor.name_hint], lhs.patterns)
                clauses.append(relay.Clause(lhs, self.visit(clause.rhs)))
            return relay.Match(self.visit(m.data), clauses, m.complete)
    for v, f in list(mod.functions.items()):
        mod.update_func(v, Rename().visit(f))
    mod[var] = relay.TypeData(var, [], new)
    return mod


def run_defunctionalized(tvm, mod):
    mod["main"] = tvm.relay.transform.Defunctionalization(mod["main"], mod)
    return rename_constructors(tvm, mod)


def choose_defunctionalized(rng):
    return "defunctionalization", run_defunctionalized
