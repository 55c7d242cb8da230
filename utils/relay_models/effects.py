"""Random programs whose results depend on the order of effects. They create, read and write references in `let`s,
floating nodes, callees, arguments, projections and branches, and in local closures and functions that call themselves.
All tensors of a program have one type. Each write depends on the value that it overwrites, so that a reordering is
visible. The same seed gives the same text with every version of Python.
"""
from .arguments import add_number, natural

MATRIX, IMAGE = "Tensor[(2, 2), int32]", "Tensor[(1, 2, 2, 3), int32]"
TYPES = (("int32", "int32"), ("Tensor[(2), int32]", "int32"), (MATRIX, "int32"), (IMAGE, "int32"),
         ("Tensor[(0), int32]", "int32"), ("Tensor[(1, 0, 2), int32]", "int32"), ("Tensor[(?), int32]", "int32"),
         ("float32", "float32"), ("Tensor[(3), float32]", "float32"), ("Tensor[(?, 2), float32]", "float32"))
DEPTH = 4      # of expressions in one another
STEPS = 3      # of a recursion


class Scope:
    """The names that an expression may use."""

    def __init__(self, outer=None):
        self.values = list(outer.values) if outer else []
        self.references = list(outer.references) if outer else []
        self.closures = list(outer.closures) if outer else []
        self.lines = []


class Program:
    def __init__(self, random, ops):
        self.random = random
        self.left = ops
        self.number = 0
        self.names = 0
        self.type, self.dtype = random.choose(TYPES)
        self.functions = []  # (name, whether it takes a counter, whether it gives a pair)

    def name(self, head):
        self.names += 1
        return f"%{head}{self.names}"

    def constant(self):
        number = self.random.below(7) - 3
        if self.dtype != "float32":
            return str(number)
        return self.random.choose(("nanf", "inff", "-inff")) if self.random.chance(1, 8) else f"{number}f"

    def indent(self, text):
        return "".join(f"  {line}\n" for line in text.splitlines())

    # Expressions.

    def value(self, scope, depth):
        """A tensor of the program's type."""
        self.left -= 1
        if depth <= 0 or self.left <= 0:
            return self.random.choose(scope.values)
        kinds = (self.operator, self.operator, self.read, self.read, self.project, self.project_past_write, self.scoped,
                 self.call, self.call, self.apply, self.apply, self.apply_computed, self.branch, self.local_call, self.leaf,
                 self.rewritten, self.shaped)
        return self.random.choose(kinds)(scope, depth - 1)

    def leaf(self, scope, depth):
        return self.random.choose(scope.values)

    def operator(self, scope, depth):
        if self.random.chance(1, 4):
            return f"{self.random.choose(('negative', 'abs'))}({self.value(scope, depth)})"
        second = self.constant() if self.random.chance(1, 4) else self.value(scope, depth)
        return f"{self.random.choose(('add', 'subtract', 'maximum'))}({self.value(scope, depth)}, {second})"

    def rewritten(self, scope, depth):
        """Expressions that rules and folding transform, around an expression with an effect."""
        inner = self.value(scope, depth)
        if "=" in inner:  # It cannot be written twice.
            inner = self.leaf(scope, depth)
        return self.random.choose((f"multiply({inner}, {self.one()})", f"reshape_like({inner}, {inner})",
                                   f"({inner}, {self.value(scope, depth)}, {inner}).{self.random.below(3)}",
                                   f"add({inner}, zeros_like({self.value(scope, depth)}))",
                                   f"where(True, {inner}, {self.value(scope, depth)})",
                                   f"if (True) {{ {inner} }} else {{ {self.value(scope, depth)} }}"))

    def shaped(self, scope, depth):
        """Expressions that passes treat specially for tensors of some types; otherwise a duplicate operation."""
        if "?" in self.type:
            return self.resized(scope, depth)
        if self.type == MATRIX:
            return self.parallel(scope, depth)
        if self.type == IMAGE:
            return self.convolution(scope, depth)
        inner = self.value(scope, depth)
        if "=" in inner:
            inner = f"negative({self.leaf(scope, depth)})"
        return f"maximum(subtract({inner}, {self.constant()}), {inner})"

    def resized(self, scope, depth):
        """Two values with equal types whose extents differ at run time."""
        short, other = self.value(scope, depth), self.value(scope, depth)
        longer = f"concatenate(({self.leaf(scope, depth)}, {other}), axis=0)"
        if self.random.chance(1, 2):
            return f"add({short}, sum({longer}, axis=[0], keepdims=True))"
        first, second = self.name("p"), self.name("p")
        return f"(fn ({first}: {self.type}, {second}: {self.type}) {{ subtract({first}, sum({second}, axis=[0], " \
               f"keepdims=True)) }})({short}, {longer})"

    def parallel(self, scope, depth):
        """Two multiplications of the same matrix."""
        data = self.leaf(scope, depth)
        left, right = (f"nn.dense({data}, {self.value(scope, depth)}, units=2, out_dtype=\"int32\")" for _ in range(2))
        return f"subtract({left}, {right})"

    def convolution(self, scope, depth):
        """A convolution by a constant, or a pool."""
        data = self.value(scope, depth)
        if self.random.chance(1, 3):
            return f"nn.max_pool2d({data}, pool_size=[1, 1])"
        weight = f"full({self.random.below(5) - 2}, shape=[2, 2, 1, 1], dtype=\"int32\")"
        return f"nn.conv2d({data}, {weight}, padding=[0, 0, 0, 0], channels=2, kernel_size=[1, 1], out_dtype=\"int32\")"

    def one(self):
        return "1f" if self.dtype == "float32" else "1"

    def read(self, scope, depth):
        return f"ref_read({self.reference(scope, depth)})"

    def write(self, scope, depth):
        """Writes a combination of the old value and a new one."""
        reference = self.random.choose(scope.references)
        mixture = f"subtract({self.value(scope, depth)}, ref_read({reference}))"
        if self.random.chance(1, 3):
            mixture = f"subtract(ref_read({reference}), {self.value(scope, depth)})"
        return f"ref_write({self.reference(scope, depth, reference)}, {mixture})"

    def project(self, scope, depth):
        fields = [self.value(scope, depth) for _ in range(1 + self.random.below(3))]
        return f"({', '.join(fields)}{',' if len(fields) == 1 else ''}).{self.random.below(len(fields))}"

    def project_past_write(self, scope, depth):
        if self.random.chance(1, 2):
            return f"({self.write(scope, depth)}, {self.value(scope, depth)}).1"
        return f"({self.value(scope, depth)}, {self.write(scope, depth)}).0"

    def scoped(self, scope, depth):
        inner = Scope(scope)
        text = "".join(self.random.choose((self.bind, self.bind_write, self.bind_closure))(inner, depth)
                       for _ in range(1 + self.random.below(2)))
        return f"({text.strip()} {self.value(inner, depth)})".replace("\n", " ")

    def call(self, scope, depth):
        if not self.functions:
            return self.read(scope, depth)
        name, counts, is_pair = self.random.choose(self.functions)
        counter = f"{self.random.below(STEPS)}, " if counts else ""
        text = f"{name}({counter}{self.reference(scope, depth)}, {self.value(scope, depth)})"
        return f"{text}.{self.random.below(2)}" if is_pair else text

    def local_call(self, scope, depth):
        if not scope.closures:
            return self.call(scope, depth)
        name, counts = self.random.choose(scope.closures)
        counter = f"{self.random.below(STEPS)}, " if counts else ""
        return f"{name}({counter}{self.value(scope, depth)})"

    def apply(self, scope, depth):
        """Calls a closure in place; its argument may be unused."""
        inner, param = Scope(scope), self.name("p")
        inner.values += [param, param]
        params, argument = f"{param}: {self.type}", self.value(scope, depth)
        if self.random.chance(1, 2):
            second = self.name("p")
            inner.values += [second]
            params, argument = f"{params}, {second}: {self.type}", f"{argument}, {self.value(scope, depth)}"
        body = self.block(inner, depth, self.random.below(2))
        return f"(fn ({params}) {{\n{body}}})({argument})"

    def apply_computed(self, scope, depth):
        """Calls the result of an expression with an effect."""
        inner, param = Scope(scope), self.name("a")
        inner.values.append(param)
        body = self.block(inner, depth, self.random.below(2))
        return f"(let {self.name('u')} = {self.write(scope, depth)}; fn ({param}: {self.type}) {{\n{body}}})" \
               f"({self.value(scope, depth)})"

    def branch(self, scope, depth):
        then, other = self.block(Scope(scope), depth, 1), self.block(Scope(scope), depth, self.random.below(2))
        return f"if ({self.condition(scope, depth)}) {{\n{then}}} else {{\n{other}}}"

    def condition(self, scope, depth):
        if self.random.chance(1, 3):
            return "%c"
        data = self.value(scope, depth)
        if self.type != self.dtype:
            data = f"sum({data})"
        return f"less({data}, {self.constant()})"

    def reference(self, scope, depth, name=None):
        """A reference, computed in several ways."""
        name = name or self.random.choose(scope.references)
        if depth <= 0 or self.left <= 0 or self.random.chance(3, 5):
            return name
        self.left -= 1
        kind = self.random.below(4)
        if kind == 0:
            return f"({self.value(scope, depth - 1)}, {name}).1"
        if kind == 1:
            return f"(let {self.name('u')} = {self.write(scope, depth - 1)}; {name})"
        if kind == 2:
            return f"(if ({self.condition(scope, depth - 1)}) {{ {name} }} else {{ {self.random.choose(scope.references)} }})"
        return f"ref({self.value(scope, depth - 1)})"

    # Blocks.

    def statements(self, scope, depth, count):
        return "".join(self.random.choose((self.bind, self.bind, self.node, self.node, self.bind_write, self.bind_write,
                                           self.make, self.bind_closure, self.bind_loop, self.drop))(scope, depth)
                       for _ in range(count))

    def bind(self, scope, depth):
        text, name = self.value(scope, depth), self.name("v")
        scope.values.append(name)
        return f"let {name} = {text};\n"

    def drop(self, scope, depth):
        """An unused `let`."""
        return f"let {self.name('d')} = {self.value(scope, depth)};\n"

    def node(self, scope, depth):
        """A node of the graph, which is evaluated at its first use, if at all."""
        text = self.value(scope, depth)
        if text.startswith("%") and "(" not in text and "." not in text:
            return ""
        before, name = "", f"%{self.number}"
        self.number += 1
        scope.values += [name, name]
        return f"{before}{name} = {text};\n"

    def bind_write(self, scope, depth):
        return f"let {self.name('u')} = {self.write(scope, depth)};\n"

    def make(self, scope, depth):
        text = f"ref({self.value(scope, depth)})"
        if self.random.chance(1, 3):
            name = f"%{self.number}"
            self.number += 1
            scope.references.append(name)
            return f"{name} = {text};\n"
        name = self.name("r")
        scope.references.append(name)
        return f"let {name} = {text};\n"

    def bind_closure(self, scope, depth):
        inner, param = Scope(scope), self.name("p")
        inner.values.append(param)
        body, name = self.block(inner, depth, 1 + self.random.below(2)), self.name("f")
        scope.closures.append((name, False))
        return f"let {name} = fn ({param}: {self.type}) {{\n{body}}};\n"

    def bind_loop(self, scope, depth):
        """A closure that calls itself, possibly in an unused `let`."""
        inner, name, count, param = Scope(scope), self.name("f"), self.name("n"), self.name("p")
        inner.values.append(param)
        head = self.statements(inner, depth, self.random.below(2))
        body = self.recursion(inner, depth, count, lambda deeper, level: (
            f"{name}(subtract({count}, 1), {self.value(deeper, level)})"))
        scope.closures.append((name, True))
        return f"let {name} = fn ({count}: int32, {param}: {self.type}) -> {self.type} {{\n{self.indent(head + body)}}};\n"

    def recursion(self, scope, depth, count, again):
        """An `if` that ends or continues a recursion; its own value may be dropped."""
        deeper = Scope(scope)
        before = self.statements(deeper, depth, self.random.below(2))
        if self.random.chance(1, 2):
            after = f"let {self.name('d')} = {again(deeper, depth - 1)};\n{self.value(deeper, depth - 1)}"
        else:
            after = again(deeper, depth - 1)
        end = self.block(Scope(scope), depth - 1, 1)
        return f"if (less({count}, 1)) {{\n{end}}} else {{\n{self.indent(before + after)}}}\n"

    def block(self, scope, depth, count):
        text = self.statements(scope, depth, count)
        return self.indent(f"{text}{self.value(scope, depth)}")

    # Functions.

    def function(self, ops):
        self.left = ops
        name, reference, value = f"@f{len(self.functions)}", self.name("r"), self.name("x")
        scope = Scope()
        scope.values, scope.references = [value], [reference]
        counts, is_pair, is_inlined = (self.random.chance(1, 3) for _ in range(3))
        count, params = self.name("n"), f"{reference}: ref({self.type}), {value}: {self.type}"
        attributes = ", Inline=1" if is_inlined and not counts else ""
        head = self.statements(scope, DEPTH - 1, 1 + self.random.below(2))
        if counts:
            is_pair, params = False, f"{count}: int32, {params}"
            body = head + self.recursion(scope, DEPTH - 2, count, lambda deeper, level: (
                f"{name}(subtract({count}, 1), {self.reference(deeper, level)}, {self.value(deeper, level)})"))
        elif is_pair:
            body = f"{head}({self.value(scope, DEPTH - 1)}, {self.value(scope, DEPTH - 1)})"
        else:
            body = f"{head}{self.value(scope, DEPTH - 1)}"
        self.functions.append((name, counts, is_pair))
        result = f"({self.type}, {self.type})" if is_pair else self.type
        return f"def {name}({params}{attributes}) -> {result} {{\n{self.indent(body)}}}\n"

    def main(self, ops):
        self.left = ops
        scope = Scope()
        scope.values, scope.references = ["%x", "%y"], ["%r"]
        text = f"let %r = ref(%x);\n{self.statements(scope, DEPTH, 2 + self.random.below(4))}"
        self.left = max(self.left, 8)
        fields = [self.value(scope, DEPTH) for _ in range(1 + self.random.below(3))]
        reads = [f"ref_read({name})" for name in scope.references]
        return f"def @main(%x: {self.type}, %y: {self.type}, %c: bool) {{\n" \
               f"{self.indent(f'{text}({chr(44).join(fields + reads)},)')}}}\n"


def write(args, out):
    from .random_graph import Random
    random = Random(args.seed)
    program = Program(random, args.ops)
    count = random.below(4)
    functions = [program.function(args.ops // (2 * count)) for _ in range(count)]
    # Only @main has the condition %c.
    functions = [text.replace("(%c)", "(True)") for text in functions]
    out.write('#[version = "0.0.5"]\n' + "\n".join(functions + [program.main(args.ops)]))


def add_arguments(parser):
    add_number(parser, "seed", 0, "the program; another number, another program", natural)
    add_number(parser, "ops", 40, "about how many operations")


MODELS = {"effects": ("a random program with effects", add_arguments, write)}
