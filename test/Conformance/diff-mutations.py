"""One small edit of a Relay text, for diff-agreement.py.

A mutation is a function (random, Source) -> text, or None if it does not apply. It works on tokens and knows little of
the grammar: the reference decides whether the result is a module, and whether it is equal to the original.
"""
import base64, itertools, json, re, struct

MUTATIONS = {}  # name -> function
KEEPING = set()  # names of mutations that must leave the module the same
NEEDS = {}  # name -> what a text must contain for it to be worth a try

DTYPES = ["float32", "float16", "float64", "int8", "uint8", "int16", "int32", "int64", "bool"]
LAYOUTS = ["NCHW", "NHWC", "OIHW", "HWIO", "NCDHW", "NDHWC"]
ALIKE = [["tanh", "exp", "nn.relu", "sigmoid", "sqrt", "negative", "abs"], ["add", "multiply", "subtract", "divide", "maximum"],
         ["zeros", "ones"], ["nn.max_pool2d", "nn.avg_pool2d"], ["sum", "mean", "max", "min"], ["less", "greater", "equal"]]
COMMUTATIVE = {"add", "multiply", "maximum", "minimum", "equal", "not_equal", "logical_and", "logical_or"}
KEYWORDS = {"fn", "if", "else", "match", "def", "let", "type", "free_var"}

TOKEN = re.compile(r"""(?P<space>\s+|/\*.*?\*/|//[^\n]*) | (?P<string>"(?:[^"\\]|\\.)*") | (?P<local>%\w+) | (?P<global>@[\w.]+)
  | (?P<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:[fiu]\d*)?) | (?P<word>[A-Za-z_][\w.]*) | (?P<punct>=>|->|==|.)""", re.S | re.X)
COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/', re.S)
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)([fiu]\d*)?")
PAIRS = {"(": ")", "[": "]", "{": "}"}


def mutation(keeping=False, needs=""):
    def register(f):
        name = f.__name__.replace("_", "-")
        MUTATIONS[name] = f
        if keeping:
            KEEPING.add(name)
        NEEDS[name] = needs
        return f
    return register


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)
        self.parent = None  # index of the innermost open bracket


class Source:
    """A text as tokens, with its metadata section kept separately."""

    def __init__(self, text):
        at = text.find("\n#[metadata]")
        self.code, self.tail = (text, "") if at < 0 else (text[:at], text[at:])
        self.tokens, self.close = [], {}
        open_at = []
        for m in TOKEN.finditer(self.code):
            if m.lastgroup == "space":
                continue
            t, i = Token(m.lastgroup, m.group(), m.start()), len(self.tokens)
            if t.text in PAIRS.values() and open_at:
                self.close[open_at.pop()] = i
            t.parent = open_at[-1] if open_at else None
            self.tokens.append(t)
            if t.text in PAIRS:
                open_at.append(i)

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def span(self, first, last):
        """The text of tokens first to last, comments included."""
        return self.code[self.tokens[first].start:self.tokens[last].end]

    def edit(self, *edits):
        """The whole text with (first token, last token, replacement) applied; first > last inserts before first."""
        code = self.code
        for first, last, new in sorted(edits, key=lambda e: -e[0]):
            start = self.tokens[first].start
            code = code[:start] + new + code[self.tokens[last].end if last >= first else start:]
        return code + self.tail

    def rename(self, names, within=None):
        """Replaces tokens by name, in the whole text or in a range of tokens."""
        first, last = within or (0, len(self.tokens) - 1)
        return self.edit(*[(i, i, names[self.text(i)]) for i in range(first, last + 1) if self.text(i) in names])

    def opens(self, bracket, role=None):
        return [i for i in self.close if self.text(i) == bracket and (role is None or self.role(i) == role)]

    def role(self, i):
        """The role of an opening parenthesis: 'call', 'params', 'shape', 'tuple' or 'other'."""
        before = i - 1
        if self.text(before) == "]":  # type parameters
            before = max((o for o, c in self.close.items() if c == before), default=0) - 1
        word, kind = self.text(before), self.tokens[before].kind if before >= 0 else ""
        if word == "fn" or self.text(before - 1) == "def":
            return "params"
        if self.text(i - 1) == "[":
            return "shape"
        if kind in ("word", "local", "global") and word not in KEYWORDS:
            return "call"
        return "tuple" if word in ("=", ";", "{", "}", "(", ",") and self.text(self.close[i] + 1) != "->" else "other"

    def items(self, i):
        """The items between bracket i and its match, as (first, last) tokens."""
        out, first = [], i + 1
        for j in range(i + 1, self.close[i] + 1):
            if j == self.close[i] or (self.text(j) == "," and self.tokens[j].parent == i):
                if first < j:
                    out.append((first, j - 1))
                first = j + 1
        return out

    def is_attribute(self, item):
        return self.tokens[item[0]].kind == "word" and self.text(item[0] + 1) == "="

    def attributes(self, role):
        return [(o, x) for o in self.opens("(", role) for x in self.items(o) if self.is_attribute(x)]

    def operands(self, o):
        return [x for x in self.items(o) if not self.is_attribute(x)]

    def statements(self, kind=None):
        """Bindings as (first token, name token, first and last of the value, token ';')."""
        out = []
        for i, t in enumerate(self.tokens):
            let = self.text(i - 1) == "let"
            if t.kind != "local" or not (let or self.text(i + 1) == "=") or (kind and kind != ("let" if let else "graph")):
                continue
            at = next((j for j in range(i, len(self.tokens)) if self.tokens[j].parent == t.parent and self.text(j) in ("=", ";")), None)
            end = at and next((j for j in range(at, len(self.tokens)) if self.tokens[j].parent == t.parent and self.text(j) == ";"), None)
            if end and self.text(at) == "=":
                out.append((i - let, i, at + 1, end - 1, end))
        return out

    def functions(self):
        """Global functions as (token 'def', last token of the body, '(' of the parameters)."""
        out = []
        for i, t in enumerate(self.tokens):
            if t.text == "def" and t.parent is None:
                body = next((j for j in self.opens("{") if j > i and self.tokens[j].parent is None), None)
                params = next((j for j in self.opens("(") if j > i and self.tokens[j].parent is None), None)
                if body and params:
                    out.append((i, self.close[body], params))
        return out

    def locals_in(self, first, last):
        return {self.text(i) for i in range(first, last + 1) if self.tokens[i].kind == "local"}

    def uses(self, name):
        return [i for i, t in enumerate(self.tokens) if t.text == name and self.text(i + 1) != "="]

    def numbers(self):
        return sorted({int(t.text[1:]) for t in self.tokens if t.kind == "local" and t.text[1:].isdigit()})

    def fresh(self):
        return f"%{max(self.numbers(), default=-1) + 1}"

    def swap(self, a, b):
        return self.edit((*a, self.span(*b)), (*b, self.span(*a)))


def choose(rng, items):
    items = list(items)
    return rng.choice(items) if items else None


def other(rng, item, items):
    return choose(rng, [x for x in items if x != item])


def other_number(text):
    m = NUMBER.fullmatch(text)
    value = m.group(1)
    new = repr(2 * float(value) + 1) if m.group(2) and m.group(2)[0] == "f" or "." in value else str(int(value) + 1)
    return new + (m.group(2) or "")


def other_value(rng, text):
    """A similar value of the same kind; None in the metadata."""
    if "meta[" in text:
        return None
    if text in ("True", "False"):
        return "False" if text == "True" else "True"
    if text == "None":
        return rng.choice(["[0]", "0", "1"])
    if text.startswith('"'):
        pool = next((p for p in (DTYPES, LAYOUTS) if text[1:-1] in p), None)
        return f'"{other(rng, text[1:-1], pool)}"' if pool else text[:-1] + 'x"'
    m = choose(rng, NUMBER.finditer(text))
    return text[:m.start()] + other_number(m.group()) + text[m.end():] if m else None


# ---- attributes -------------------------------------------------------------------------------------------------------

def change_attribute(rng, s, role):
    x = choose(rng, s.attributes(role))
    new = x and other_value(rng, s.span(x[1][0] + 2, x[1][1]))
    return new and s.edit((x[1][0] + 2, x[1][1], new))


def remove_attribute(rng, s, role):
    x = choose(rng, s.attributes(role))
    if not x:
        return None
    (first, last) = x[1]
    return s.edit((first - 1, last, "")) if s.text(first - 1) == "," else s.edit((first, last + (s.text(last + 1) == ","), ""))


def reorder_attributes(rng, s, role):
    o = choose(rng, [o for o in s.opens("(", role) if sum(map(s.is_attribute, s.items(o))) > 1])
    return o and s.swap(*sorted(rng.sample([x for x in s.items(o) if s.is_attribute(x)], 2)))


def append_item(s, o, item):
    return s.edit((s.close[o], s.close[o] - 1, (", " if s.items(o) else "") + item))


@mutation()
def attr_value(rng, s):
    return change_attribute(rng, s, "call")


@mutation()
def attr_removed(rng, s):
    return remove_attribute(rng, s, "call")


@mutation(keeping=True)
def attr_order(rng, s):
    return reorder_attributes(rng, s, "call")


def add_known(rng, s, table):
    choices = []
    for o in s.opens("(", "call"):
        have = {s.text(x[0]) for x in s.items(o) if s.is_attribute(x)}
        choices += [(o, k, v) for k, v in table.get(s.text(o - 1), ()) if k not in have]
    x = choose(rng, choices)
    return x and append_item(s, x[0], f"{x[1]}={x[2]}")


def attribute_tables(facts):
    """(values seen in printed text, defaults) per operator: lists of (name, value)."""
    seen, defaults = {}, {}
    for line in (facts / "attributes-as-printed.md").read_text().splitlines():
        if m := re.match(r"- `([\w.]+)`/\S+: (.*)", line):
            seen[m.group(1)] = [(k, v) for k, vs in re.findall(r"(\w+) = ((?:`[^`]*`(?: , )?)+)", m.group(2))
                                for v in re.findall(r"`([^`]*)`", vs) if "meta[" not in v]
    ops = json.loads((facts / "ops.json").read_text())
    for op in ops["ops"]:
        defaults[op["name"]] = [(a["name"], literal(a)) for a in ops["attrs"].get(op["attrs_type"] or "", ()) if literal(a)]
    return seen, defaults


def literal(attribute):
    """A default as written in text, or None."""
    value, kind = attribute.get("default"), attribute.get("type") or ""
    if value is None or value in ("(nullptr)", "void"):
        return None
    if "String" in kind or kind == "DataType":
        return f'"{value}"'
    if kind == "bool":
        return "True" if value in ("1", "True", "true") else "False"
    if kind in ("double", "float"):
        return value + "f64" if NUMBER.fullmatch(value) else None
    return value if re.fullmatch(r"[-\d\[\], ]+", value) else None


def use_facts(facts):
    """Registers the mutations that need operators' attributes."""
    seen, defaults = attribute_tables(facts)

    @mutation()
    def attr_added(rng, s):
        return add_known(rng, s, seen)

    @mutation(keeping=True)
    def attr_default_written(rng, s):
        return add_known(rng, s, defaults)


@mutation()
def fn_attr_value(rng, s):
    return change_attribute(rng, s, "params")


@mutation()
def fn_attr_removed(rng, s):
    return remove_attribute(rng, s, "params")


@mutation(keeping=True)
def fn_attr_order(rng, s):
    return reorder_attributes(rng, s, "params")


@mutation()
def fn_attr_added(rng, s):
    o = choose(rng, s.opens("(", "params"))
    return o and append_item(s, o, rng.choice(["Mutant=1", 'Mutant="a"', "Inline=1", "Mutant=[1, 2]", "Mutant=2.5f"]))


@mutation()
def fn_attr_dtype(rng, s):
    x = choose(rng, [x for _o, x in s.attributes("params") if re.fullmatch(r"\d+", s.text(x[1])) and x[1] == x[0] + 2])
    return x and s.edit((x[1], x[1], s.text(x[1]) + "i64"))


# ---- operands ---------------------------------------------------------------------------------------------------------

@mutation()
def operator(rng, s):
    i = choose(rng, [o - 1 for o in s.opens("(", "call") if any(s.text(o - 1) in a for a in ALIKE)])
    return i and s.edit((i, i, other(rng, s.text(i), next(a for a in ALIKE if s.text(i) in a))))


def swap_two(rng, s, opens, items):
    o = choose(rng, [o for o in opens if len(items(o)) > 1])
    return o and s.swap(*sorted(rng.sample(items(o), 2)))


@mutation()
def operands_swapped(rng, s):
    return swap_two(rng, s, [o for o in s.opens("(", "call") if s.text(o - 1) not in COMMUTATIVE], s.operands)


@mutation()
def operands_commuted(rng, s):
    return swap_two(rng, s, [o for o in s.opens("(", "call") if s.text(o - 1) in COMMUTATIVE], s.operands)


@mutation()
def tuple_fields_swapped(rng, s):
    return swap_two(rng, s, s.opens("(", "tuple"), s.items)


@mutation()
def operand_replaced(rng, s):
    choices = [(f, x[0]) for f in s.functions() for o in s.opens("(", "call") if f[0] < o < f[1]
               for x in s.operands(o) if x[0] == x[1] and s.tokens[x[0]].kind == "local"]
    f, i = choose(rng, choices) or (None, None)
    new = f and other(rng, s.text(i), sorted(s.locals_in(f[0], i)))
    return new and s.edit((i, i, new))


@mutation()
def projection_index(rng, s):
    i = choose(rng, [i for i, t in enumerate(s.tokens) if t.kind == "number" and s.text(i - 1) == "." and s.tokens[i - 2].kind == "local"])
    return i and s.edit((i, i, str(rng.choice([n for n in range(3) if str(n) != s.text(i)]))))


@mutation(needs="if (")
def branches_swapped(rng, s):
    i = choose(rng, [i for i, t in enumerate(s.tokens) if t.text == "else" and s.text(i - 1) == "}" and s.text(i + 1) == "{"])
    if not i:
        return None
    start = next(o for o, c in s.close.items() if c == i - 1)
    return s.swap((start, i - 1), (i + 1, s.close[i + 1]))


# ---- names and numbers ------------------------------------------------------------------------------------------------

def rename_one(rng, s, is_definition):
    choices = [(f, s.text(i)) for f in s.functions() for i in range(f[0], f[1]) if s.tokens[i].kind == "local"
               and not s.text(i)[1:].isdigit() and is_definition(s, i)]
    f, name = choose(rng, choices) or (None, None)
    return f and s.rename({name: name + "_renamed"}, f[:2])


@mutation(keeping=True)
def parameter_renamed(rng, s):
    return rename_one(rng, s, lambda s, i: s.text(i + 1) in (":", "{") and s.text(i - 1) in ("(", ","))


@mutation(keeping=True, needs="let %")
def let_renamed(rng, s):
    return rename_one(rng, s, lambda s, i: s.text(i - 1) == "let")


@mutation()
def global_renamed(rng, s):
    name = choose(rng, sorted({t.text for t in s.tokens if t.kind == "global"}))
    return name and s.rename({name: name + "_renamed"})


@mutation()
def globals_exchanged(rng, s):
    names = sorted({s.text(f[0] + 1) for f in s.functions()})
    if len(names) < 2:
        return None
    a, b = rng.sample(names, 2)
    return s.rename({a: b, b: a})


@mutation(keeping=True)
def functions_moved(rng, s):
    fs = s.functions()
    if len(fs) < 2:
        return None
    a, b = sorted(rng.sample([f[:2] for f in fs], 2))
    # A number belongs to the node that is visited first, so the moved functions must not share numbers.
    return s.swap(a, b) if not {n for n in s.locals_in(*a) & s.locals_in(*b) if n[1:].isdigit()} else None


@mutation(keeping=True)
def renumbered(rng, s):
    old = s.numbers()
    new = rng.sample(range(3 * len(old)), len(old))
    return s.rename({f"%{o}": f"%{n}" for o, n in zip(old, new)}) if old else None


@mutation(keeping=True)
def bindings_reordered(rng, s):
    st = s.statements("graph")
    pairs = [(a, b) for a, b in zip(st, st[1:]) if b[0] == a[4] + 1 and s.text(a[1]) not in s.locals_in(b[2], b[3])
             and not any(o > a[0] for o in s.opens("{") if o < b[4])]
    a, b = choose(rng, pairs) or (None, None)
    return a and s.swap((a[0], a[4]), (b[0], b[4]))


@mutation(keeping=True, needs="[A")
def type_parameter_renamed(rng, s):
    names = [(i, s.text(j)) for i, t in enumerate(s.tokens) if s.text(i - 2) in ("def", "type") and t.text == "["
             for j in range(i + 1, s.close[i]) if s.tokens[j].kind == "word"]
    i, name = choose(rng, names) or (None, None)
    if not i:
        return None
    body = next(o for o in s.opens("{") if o > i and s.tokens[o].parent is None)
    return s.rename({name: name + "renamed"}, (i, s.close[body]))


# ---- sharing ----------------------------------------------------------------------------------------------------------

@mutation()
def sharing_split(rng, s):
    choices = [(x, u) for x in s.statements("graph") for u in s.uses(s.text(x[1])) if len(s.uses(s.text(x[1]))) > 1]
    x, use = choose(rng, choices) or (None, None)
    if not x:
        return None
    new = s.fresh()
    value = s.span(x[2], x[3])
    if "{" in value:  # bindings within it would be shared
        return None
    return s.edit((x[0], x[0] - 1, f"{new} = {value};\n  "), (use, use, new))


@mutation()
def sharing_split_inline(rng, s):
    """A use of a number is replaced by the value itself."""
    choices = [(x, u) for x in s.statements("graph") for u in s.uses(s.text(x[1])) if len(s.uses(s.text(x[1]))) > 1]
    x, use = choose(rng, choices) or (None, None)
    return x and inline(s, x, use)


def inline(s, x, use):
    value = s.span(x[2], x[3])
    projected = s.text(use + 1) == "."
    return None if "{" in value or projected else s.edit((use, use, value))


@mutation()
def sharing_merged(rng, s):
    st = [(x, COMMENT.sub(r"\1", s.span(x[2], x[3])).strip()) for x in s.statements("graph")]
    pairs = [(a, b) for (a, va), (b, vb) in itertools.combinations(st[:400], 2) if va == vb and s.text(a[1]) != s.text(b[1])]
    a, b = choose(rng, pairs) or (None, None)
    return a and s.edit((b[0], b[4], ""), *[(u, u, s.text(a[1])) for u in s.uses(s.text(b[1]))])


@mutation(keeping=True)
def single_use_inlined(rng, s):
    choices = [(x, s.uses(s.text(x[1]))[0]) for x in s.statements("graph") if len(s.uses(s.text(x[1]))) == 1]
    x, use = choose(rng, choices) or (None, None)
    text = x and inline(s, x, use)
    return text and s.edit((x[0], x[4], ""), (use, use, s.span(x[2], x[3])))


@mutation(keeping=True)
def dead_binding(rng, s):
    x = choose(rng, s.statements("graph"))
    if not x or "{" in s.span(x[2], x[3]):
        return None
    return s.edit((x[0], x[0] - 1, f"{s.fresh()} = {s.span(x[2], x[3])};\n  "))


@mutation(needs="let %")
def let_to_graph(rng, s):
    x = choose(rng, [x for x in s.statements("let") if x[2] != x[3]])
    if not x:
        return None
    new = s.fresh()
    return s.edit((x[0], x[2] - 1, f"{new} = "), *[(u, u, new) for u in s.uses(s.text(x[1])) if u != x[1]])


@mutation()
def graph_to_let(rng, s):
    x = choose(rng, s.statements("graph"))
    if not x:
        return None
    return s.edit((x[1], x[1], "let %bound"), *[(u, u, "%bound") for u in s.uses(s.text(x[1]))])


@mutation(needs="let %")
def let_alias(rng, s):
    x = choose(rng, s.statements("let"))
    uses = x and [u for u in s.uses(s.text(x[1])) if u > x[4]]
    return s.edit((x[4], x[4], f";\n  let %alias = {s.text(x[1])};"), (uses[0], uses[0], "%alias")) if uses else None


@mutation(needs="let %")
def lets_reordered(rng, s):
    st = s.statements("let")
    pairs = [(a, b) for a, b in zip(st, st[1:]) if b[0] == a[4] + 1 and s.text(a[1]) not in s.locals_in(b[2], b[3])]
    a, b = choose(rng, pairs) or (None, None)
    return a and s.swap((a[0], a[4]), (b[0], b[4]))


# ---- types ------------------------------------------------------------------------------------------------------------

def shapes(s):
    """Brackets of 'Tensor[...]'."""
    return [o for o in s.opens("[") if s.text(o - 1) == "Tensor"]


def change_type(rng, s, change):
    """Changes one tensor type, at one position or wherever the same type is written."""
    o = choose(rng, shapes(s))
    old = o and s.span(o, s.close[o])
    new = old and change(old)
    if not new:
        return None
    everywhere = rng.random() < 0.7
    return s.edit(*[(p, s.close[p], new) for p in shapes(s) if p == o or everywhere and s.span(p, s.close[p]) == old])


def change_dimension(rng, old, change):
    m = choose(rng, re.finditer(r"(?<![\w\[])\d+(?=[,)])", old))
    return m and old[:m.start()] + change(m.group()) + old[m.end():]


@mutation()
def dimension(rng, s):
    return change_type(rng, s, lambda old: change_dimension(rng, old, lambda d: str(int(d) + 1)))


@mutation()
def dimension_any(rng, s):
    return change_type(rng, s, lambda old: change_dimension(rng, old, lambda d: "?"))


@mutation()
def dimension_int64(rng, s):
    return change_type(rng, s, lambda old: change_dimension(rng, old, lambda d: d + "i64"))


@mutation()
def dtype(rng, s):
    old = choose(rng, sorted({t.text for t in s.tokens if t.text in DTYPES}))
    new = old and other(rng, old, DTYPES)
    if not new:
        return None
    if rng.random() < 0.5:
        return s.rename({old: new})
    i = rng.choice([i for i, t in enumerate(s.tokens) if t.text == old])
    return s.edit((i, i, new))


def annotations(s):
    """Type annotations of parameters, as (token ':', last token)."""
    return [(x[0] + 1, x[1]) for o in s.opens("(", "params") for x in s.items(o) if s.text(x[0] + 1) == ":"]


@mutation()
def parameter_annotation_removed(rng, s):
    x = choose(rng, annotations(s))
    return x and s.edit((*x, ""))


@mutation()
def parameter_annotation_changed(rng, s):
    xs = annotations(s)
    x = choose(rng, xs)
    new = x and other(rng, s.span(*x), sorted({s.span(*y) for y in xs} | {": float32", ": int64"}))
    return new and s.edit((*x, new))


@mutation()
def parameters_swapped(rng, s):
    params = lambda o: [x for x in s.items(o) if s.tokens[x[0]].kind == "local"]
    return swap_two(rng, s, s.opens("(", "params"), params)


@mutation()
def parameter_added(rng, s):
    o = choose(rng, s.opens("(", "params"))
    return o and s.edit((o, o, "(%extra: float32" + (", " if s.items(o) else "")))


def results(s):
    """Result types of functions, as (token '->', last token)."""
    out = []
    for o in s.opens("(", "params"):
        end = s.close[o]
        if s.text(end + 1) == "->":
            body = next((j for j in range(end, len(s.tokens)) if s.text(j) == "{" and s.tokens[j].parent == s.tokens[o].parent), None)
            out += [(end + 1, body - 1)] if body else []
    return out


@mutation()
def result_type_removed(rng, s):
    x = choose(rng, results(s))
    return x and s.edit((*x, ""))


@mutation()
def result_type_any(rng, s):
    """A dimension of a result type becomes '?', which the reference propagates to the parameters."""
    x = choose(rng, results(s))
    new = x and change_dimension(rng, s.span(*x), lambda d: "?")
    return new and s.edit((*x, new))


@mutation(needs="let %")
def let_annotated(rng, s):
    """Adds an annotation to a let, from the comment after its value if there is one."""
    x = choose(rng, [x for x in s.statements("let") if s.text(x[1] + 1) == "="])
    m = x and re.search(r"/\* ty=((?:[^*]|\*(?!/))*?)(?: span=\S+)? \*/$", s.code[s.tokens[x[2]].start:s.tokens[x[4]].start].strip())
    return m and s.edit((x[1], x[1], f"{s.text(x[1])}: {m.group(1)}"))


@mutation(needs="let %")
def let_annotation_removed(rng, s):
    x = choose(rng, [x for x in s.statements("let") if s.text(x[1] + 1) == ":"])
    return x and s.edit((x[1] + 1, x[2] - 2, ""))


# ---- constants --------------------------------------------------------------------------------------------------------

def scalars(s):
    """Scalar constants that are expressions."""
    roles = {o: s.role(o) for o in s.opens("(")}
    return [i for i, t in enumerate(s.tokens) if (t.kind == "number" or t.text in ("True", "False")) and t.parent is not None
            and (roles.get(t.parent) in ("call", "tuple") or s.text(t.parent) == "{" and "Tensor" not in s.text(i - 1))
            and s.text(i - 1) in ("(", ",", "{", ";", "=") and s.text(i - 2) not in ("version",)
            and not (s.text(i - 1) == "=" and s.tokens[i - 2].kind == "word")]


@mutation()
def constant_value(rng, s):
    i = choose(rng, scalars(s))
    new = i and other_value(rng, s.text(i))
    return new and s.edit((i, i, new))


@mutation()
def constant_dtype(rng, s):
    i = choose(rng, [i for i in scalars(s) if s.tokens[i].kind == "number"])
    if not i:
        return None
    m = NUMBER.fullmatch(s.text(i))
    suffix = other(rng, m.group(2) or "", ["", "i64", "i16"] if (m.group(2) or "i")[0] == "i" else ["f", "f64", "f16"])
    return s.edit((i, i, m.group(1) + suffix))


FORMATS = {(0, 8): "b", (0, 16): "h", (0, 32): "i", (0, 64): "q", (1, 1): "?", (1, 8): "B", (1, 16): "H", (1, 32): "I", (1, 64): "Q",
           (2, 16): "e", (2, 32): "f", (2, 64): "d"}


def other_element(rng, data):
    """A serialised NDArray with one element changed by far more than rounding, or None."""
    ndim, code, bits = struct.unpack_from("<iBB", data, 24)
    f, at = FORMATS.get((code, bits)), 32 + 8 * ndim + 8
    if not f or len(data) <= at:
        return None
    at += rng.randrange((len(data) - at) // struct.calcsize(f)) * struct.calcsize(f)
    old = struct.unpack_from("<" + f, data, at)[0]
    new = (not old) if f == "?" else old - 1 if old > 0 and code < 2 else old + 1 if code < 2 else 1.0 if abs(old) > 100 else old + 1 + abs(old)
    out = bytearray(data)
    struct.pack_into("<" + f, out, at, new)
    return bytes(out)


@mutation()
def constant_data(rng, s):
    old = choose(rng, re.findall(r'"([\w+/=]{40,})"', s.tail[s.tail.find('"b64ndarrays"'):]) if '"b64ndarrays"' in s.tail else [])
    new = old and other_element(rng, base64.b64decode(old))
    return new and s.code + s.tail.replace(old, base64.b64encode(new).decode(), 1)


@mutation()
def constant_exchanged(rng, s):
    """A use of one constant of the metadata becomes a use of another."""
    uses = [i + 5 for i, t in enumerate(s.tokens) if t.text == "meta" and s.text(i + 2) == "relay.Constant"]
    i = choose(rng, uses)
    new = i and other(rng, s.text(i), sorted({s.text(u) for u in uses}))
    return new and s.edit((i, i, new))


# ---- data types, matches, devices, layout of the text ------------------------------------------------------------------

def clauses(s):
    """Clauses of matches, as (first token, last token)."""
    out = []
    for i, t in enumerate(s.tokens):
        if t.text == "=>" and s.text(i + 1) == "{":
            first = i - 1
            while s.text(first - 1) not in ("{", ",") or s.tokens[first - 1].parent != (t.parent if s.text(first - 1) == "," else s.tokens[t.parent].parent):
                first -= 1
            out.append((first, s.close[i + 1], t.parent))
    return out


@mutation(needs="match")
def clauses_swapped(rng, s):
    cs = clauses(s)
    a, b = choose(rng, [(a, b) for a, b in itertools.combinations(cs, 2) if a[2] == b[2]]) or (None, None)
    return a and s.swap(a[:2], b[:2])


@mutation(needs="match")
def match_completeness(rng, s):
    i = choose(rng, [i for i, t in enumerate(s.tokens) if t.text == "match"])
    return i and (s.edit((i, i + 1, "match")) if s.text(i + 1) == "?" else s.edit((i, i, "match?")))


@mutation(keeping=True, needs="match")
def pattern_renamed(rng, s):
    choices = [(c, s.text(i)) for c in clauses(s) for i in range(c[0], c[1]) if s.tokens[i].kind == "local"
               and i < next(j for j in range(c[0], c[1]) if s.text(j) == "=>")]
    c, name = choose(rng, choices) or (None, None)
    return c and s.rename({name: name + "_renamed"}, c[:2])


@mutation(needs="\ntype ")
def constructor_renamed(rng, s):
    name = choose(rng, constructors(s))
    return name and s.rename({name: name + "Renamed"})


@mutation(needs="\ntype ")
def constructors_swapped(rng, s):
    types = [i for i, t in enumerate(s.tokens) if t.text == "{" and t.parent is None
             and "type" in (s.text(i - 2), s.text(next((o for o, c in s.close.items() if c == i - 1), 0) - 2))]
    return swap_two(rng, s, types, s.items)


def constructors(s):
    return sorted({s.text(x[0]) for i, t in enumerate(s.tokens) if t.text == "type" for o in s.opens("{")[:99]
                   if o > i and s.tokens[o].parent is None and "def" not in {s.text(j) for j in range(i, o)} for x in s.items(o)})


@mutation(needs="virtual_device=")
def device_changed(rng, s):
    m = choose(rng, re.finditer(r'(?<="device_type_int": ")\d+', s.tail))
    return m and s.code + s.tail[:m.start()] + ("1" if m.group() != "1" else "2") + s.tail[m.end():]


@mutation(needs="virtual_device=")
def device_removed(rng, s):
    i = choose(rng, [i for i, t in enumerate(s.tokens) if t.text == "virtual_device" and s.text(i - 1) == "{"])
    return i and s.edit((i - 1, s.close[i - 1], ""))


@mutation(keeping=True)
def comments_removed(_rng, s):
    return COMMENT.sub(r"\1", s.code) + s.tail if COMMENT.search(s.code) else None


@mutation(keeping=True)
def spaces_added(_rng, s):
    return re.sub(r"(?<=[,;])\s+", "  \n\t", s.code) + s.tail if "," in s.code else None
