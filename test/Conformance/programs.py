"""Random programs for the kind partial-evaluate of pass-agreement.py: closures, recursion, references, lists, tuples.

Operations are used once, since the reference refuses graphs. Recursive functions do not write to references and do not call
each other: the reference then forgets writes (docs/Differences.md), or its result depends on the order of functions.
"""

PRELUDE = '#[version = "0.0.5"]\ntype List[A] { Cons(A, List[A]), Nil, }\n'
INT, BOOL, PAIR, LIST, REF, FN, THUNK, TENSOR = ("int32", "bool", "(int32, int32)", "List[int32]", "ref(int32)", "fn (int32) -> int32",
                                                  "fn () -> int32", "Tensor[(2), float32]")
BINARY = ["add", "subtract", "multiply", "maximum", "minimum"]


class Program:
    def __init__(self, rng):
        self.rng, self.names, self.globals = rng, 0, []
        self.has_references = rng.random() < 0.6

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def variable(self, env, kind):
        names = [n for n, k in env if k == kind]
        return self.rng.choice(names[-4:]) if names else None

    # ---- expressions ---------------------------------------------------------------------------------------------------

    def expr(self, kind, env, depth, pure=False):
        """An expression of a type that is not a reference or a function."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            return self.leaf(kind, env)
        if rng.random() < 0.15:
            return (f"if ({self.expr(BOOL, env, depth - 1, pure)}) {{ {self.body(kind, env, depth - 1, pure)} }} "
                    f"else {{ {self.body(kind, env, depth - 1, pure)} }}")
        if rng.random() < 0.1:
            return self.match(kind, env, depth - 1, pure)
        return {INT: self.integer, BOOL: self.boolean, PAIR: self.pair, LIST: self.list, TENSOR: self.tensor}[kind](env, depth - 1, pure)

    def leaf(self, kind, env):
        rng = self.rng
        name = self.variable(env, kind)
        if name and rng.random() < 0.6:
            return name
        if kind == INT:
            return str(rng.randrange(-2, 6))
        if kind == BOOL:
            return rng.choice(["True", "False"])
        if kind == PAIR:
            return f"({self.leaf(INT, env)}, {self.leaf(INT, env)})"
        if kind == LIST:
            return "Nil" if rng.random() < 0.5 else f"Cons({self.leaf(INT, env)}, Nil)"
        return name or "zeros(shape=[2], dtype=\"float32\")"

    def integer(self, env, depth, pure):
        rng = self.rng
        kind = rng.randrange(10)
        pair, cell = self.variable(env, PAIR), self.variable(env, REF)
        if kind < 2 and pair:
            return f"{pair}.{rng.randrange(2)}"
        if kind < 4 and cell and not pure:
            return f"ref_read({cell})"
        if kind < 7:
            call = self.call(env, depth, pure)
            if call:
                return call
        return f"{rng.choice(BINARY)}({self.expr(INT, env, depth, pure)}, {self.expr(INT, env, depth, pure)})"

    def call(self, env, depth, pure):
        rng = self.rng
        arg = lambda: self.expr(INT, env, depth - 1, pure)
        choices = [lambda n=n: f"{n}({arg()})" for n, k in env if k == FN] + [lambda n=n: f"{n}()" for n, k in env if k == THUNK]
        if pure:
            choices = []
        choices += [lambda n=n, ks=ks: f"@{n}({', '.join(self.argument(k, env, depth - 1, pure) for k in ks)})" for n, ks, p in self.globals
                    if p or not pure]
        return rng.choice(choices[-6:])() if choices else None

    def argument(self, kind, env, depth, pure):
        if kind == FN:
            return self.function(env)
        if kind == REF:
            return self.variable(env, REF) or "ref(1)"
        return self.expr(kind, env, depth, pure)

    def function(self, env):
        """A function as a value."""
        rng = self.rng
        names = [n for n, k in env if k == FN] + [f"@{n}" for n, ks, _ in self.globals if ks == [INT]]
        if names and rng.random() < 0.7:
            return rng.choice(names)
        name = self.name()
        return f"fn ({name}: int32) -> int32 {{ {rng.choice(BINARY)}({name}, {self.leaf(INT, env)}) }}"

    def boolean(self, env, depth, pure):
        rng = self.rng
        op = rng.choice(["less", "greater", "equal", "less_equal"])
        return f"{op}({self.expr(INT, env, depth, pure)}, {self.expr(INT, env, depth, pure)})"

    def pair(self, env, depth, pure):
        return f"({self.expr(INT, env, depth, pure)}, {self.expr(INT, env, depth, pure)})"

    def list(self, env, depth, pure):
        return f"Cons({self.expr(INT, env, depth, pure)}, {self.expr(LIST, env, depth, pure)})"

    def tensor(self, env, depth, pure):
        rng = self.rng
        if rng.random() < 0.3:
            return f"{rng.choice(['negative', 'exp', 'nn.relu', 'zeros_like'])}({self.expr(TENSOR, env, depth, pure)})"
        return f"{rng.choice(['add', 'multiply'])}({self.expr(TENSOR, env, depth, pure)}, {self.expr(TENSOR, env, depth, pure)})"

    def match(self, kind, env, depth, pure):
        rng = self.rng
        if rng.random() < 0.2:
            a, b = self.name(), self.name()
            body = self.body(kind, env + [(a, INT), (b, INT)], depth, pure)
            return f"(match ({self.expr(PAIR, env, depth, pure)}) {{ ({a}, {b}) => {{ {body} }}, }})"
        head, tail = self.name(), self.name()
        inner = env + [(head, INT), (tail, LIST)]
        data = self.expr(LIST, env, depth, pure)
        clauses = [f"Cons({head}, {tail}) => {{ {self.body(kind, inner, depth, pure)} }}, "]
        if rng.random() < 0.3:
            other = self.name()
            clauses.insert(0, f"Cons({other}, Nil) => {{ {self.body(kind, env + [(other, INT)], depth, pure)} }}, ")
        last = rng.choice(["Nil", "_"])
        clauses.insert(len(clauses) if last == "_" else rng.randrange(2), f"{last} => {{ {self.body(kind, env, depth, pure)} }}, ")
        return f"(match ({data}) {{ {''.join(clauses)}}})"

    # ---- bodies --------------------------------------------------------------------------------------------------------

    def body(self, kind, env, depth, pure=False, lets=None):
        env, text = list(env), ""
        for _ in range(self.rng.choice([0, 0, 0, 1, 2]) if lets is None else lets):
            text += self.let(env, depth, pure)
        return text + self.expr(kind, env, depth, pure)

    def let(self, env, depth, pure):
        rng, name = self.rng, self.name()
        kind = rng.randrange(12)
        cell = self.variable(env, REF)
        if kind == 0 and self.has_references and not pure:
            text, kind = f"ref({self.expr(INT, env, depth - 1)})", REF
        elif kind < 3 and cell and not pure:
            text, kind = f"ref_write({cell}, {self.expr(INT, env, depth - 1)})", None
        elif kind == 3 and not pure:
            text, kind = f"fn () -> int32 {{ {self.body(INT, env, depth - 1)} }}", THUNK
        elif kind == 4 and not pure:
            text, kind = self.recursive(name, [e for e in env if e[1] in (INT, BOOL, LIST, PAIR)], depth), FN
        elif kind < 7 and not pure:
            n = self.name()
            text, kind = f"fn ({n}: int32) -> int32 {{ {self.body(INT, env + [(n, INT)], depth - 1)} }}", FN
        else:
            kind = rng.choice([INT, INT, BOOL, PAIR, LIST, TENSOR])
            text = self.expr(kind, env, depth, pure)
            if kind == INT and rng.random() < 0.1:
                other = self.variable(env, INT)
                text = other or text
        if kind:
            env.append((name, kind))
        return f"let {name} = {text};\n"

    def recursive(self, name, env, depth):
        n = self.name()
        inner = env + [(n, INT)]
        again = f"{name}(subtract({n}, {self.rng.choice([1, 1, 2])}))"
        step = f"{self.rng.choice(BINARY)}({again}, {self.expr(INT, inner, depth - 2, True)})"
        return (f"fn ({n}: int32) -> int32 {{ if (less({n}, {self.rng.randrange(-1, 3)})) {{ {self.expr(INT, inner, depth - 2, True)} }} "
                f"else {{ {self.rng.choice([step, again])} }} }}")

    # ---- functions -----------------------------------------------------------------------------------------------------

    def define(self):
        rng = self.rng
        f, kind = f"g{len(self.globals)}", rng.randrange(4)
        a, b = self.name(), self.name()
        if kind == 0:  # over integers
            kinds, pure = [INT, INT], True
            env = [(a, INT), (b, INT)]
            again = f"@{f}(subtract({a}, 1), {self.expr(INT, env, 1, True)})"
            text = f"if (less({a}, 1)) {{ {self.expr(INT, env, 1, True)} }} else {{ {again} }}"
        elif kind == 1:  # over lists
            kinds, pure = [LIST, INT], True
            env, tail, head = [(a, LIST), (b, INT)], self.name(), self.name()
            inner = env + [(head, INT)]
            again = f"@{f}({tail}, {self.expr(INT, inner, 1, True)})"
            text = (f"match ({a}) {{ Cons({head}, {tail}) => {{ add({again}, {self.leaf(INT, inner)}) }}, "
                    f"Nil => {{ {self.expr(INT, env, 1, True)} }}, }}")
        elif kind == 2:
            kinds, pure = [INT], not self.has_references
            text = self.body(INT, [(a, INT)], 2, pure)
        else:
            kinds, pure = rng.choice([[FN, INT], [REF, INT]]), False
            text = self.body(INT, [(a, kinds[0]), (b, INT)], 2)
        # The reference's parser does not read the type of a reference.
        params = ", ".join(n if k == REF else f"{n}: {k}" for n, k in zip((a, b), kinds))
        self.globals.append((f, kinds, pure))
        return f"def @{f}({params}) -> int32 {{ {text} }}\n"

    def text(self, size):
        rng = self.rng
        text = PRELUDE + "".join(self.define() for _ in range(rng.choice([0, 0, 1, 1, 2, 3])))
        env = [("%x", INT), ("%c", BOOL), ("%l", LIST), ("%t", TENSOR)]
        inner = list(env)
        lets = "".join(self.let(inner, 2, False) for _ in range(rng.randrange(1, size)))
        kind = rng.choice([INT, PAIR, TENSOR, LIST, BOOL])
        result = self.expr(kind, inner, 3)
        return text + f"def @main({', '.join(f'{n}: {k}' for n, k in env)}) {{\n{lets}{result}\n}}\n"


def make_program(tvm, rng, size):
    return tvm.relay.fromtext(Program(rng).text(size))


def choose_program(rng):
    """partial-evaluate, alone or with the pass that removes what is no longer used."""
    cleans = rng.random() < 0.5

    def run(tvm, mod):
        transform = tvm.relay.transform
        mod = transform.InferType()(transform.PartialEvaluate()(mod))
        if cleans:
            mod = transform.DeadCodeElimination(inline_once=True, ignore_impurity=True)(mod)
        elif "IncompleteType" in mod.astext(show_meta_data=True):
            raise ValueError("the type of an unused value is not determined: docs/Differences.md")
        return mod
    return "partial-evaluate" + ",dead-code-elimination<inline-once;ignore-impurity>" * cleans, run
