"""Calls of operators for op-types.py: reads them from texts, and changes one thing at a time.

A type is a Tensor, a Tuple, another type as text, or None if it is not written. Sizes and values of attributes are
texts, as in a module; the sizes n, m and k are variables, of int32, int32 and int64.
"""
import collections, itertools, json, random, re, subprocess

Tensor = collections.namedtuple("Tensor", "dims dtype")
Tuple = collections.namedtuple("Tuple", "fields")
Call = collections.namedtuple("Call", "op operands attrs")  # attrs: ((name, text), …)

SCALAR = re.compile(r"(?:bool|(?:u?int|float|bfloat)\d+)\b")
CALL = re.compile(r"(?:(?:let )?%(?P<name>[\w.]+) = )?(?P<op>[a-z_][\w.]*)\((?P<args>.*)\)(?: /\* ty=(?P<type>.*?)(?: span=.*)? \*/)?;?$")
CONSTANT = {"": "int32", "f": "float32", "f64": "float64", "f16": "float16", "i64": "int64", "i16": "int16"}
UNKNOWN = "unknown"  # the type of a value that a text does not show
DEVICE = "meta[VirtualDevice][0]"
VARIABLES = {"n": 0, "m": 1, "k": 2}
NODES = [{"type_key": ""}, {"type_key": "Map", "keys": ["VirtualDevice", "tir.Var"], "data": [11, 2]}, {"type_key": "Array", "data": [3, 4, 5]}]
NODES += [{"type_key": "tir.Var", "attrs": {"dtype": t, "name": str(name), "span": "0", "type_annotation": str(kind)}}
          for t, name, kind in (("int32", 6, 9), ("int32", 7, 9), ("int64", 8, 10))]
NODES += [{"type_key": "runtime.String", "repr_str": name} for name in VARIABLES]
NODES += [{"type_key": "PrimType", "attrs": {"dtype": t}} for t in ("int32", "int64")]
NODES += [{"type_key": "Array", "data": [12]}, {"type_key": "VirtualDevice", "attrs": {"device_type_int": "1", "memory_scope": "13", "target": "0", "virtual_device_id": "0"}}]
NODES += [{"type_key": "runtime.String"}]
METADATA = json.dumps({"root": 1, "nodes": NODES, "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}})


# ---- text ---------------------------------------------------------------------------------------------------------------

def split(text):
    """The items of a list, split at commas outside of brackets and quotes."""
    items, depth, start, quoted = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            depth -= 1
        elif c == "," and not depth and not quoted:
            items.append(text[start:i].strip())
            start = i + 1
    return items + [text[start:].strip()] if text[start:].strip() else items


def parse_type(text):
    if SCALAR.fullmatch(text):
        return Tensor((), text)
    if tensor := re.fullmatch(r"Tensor\[\(([^()]*)\), (\w+)\]", text):
        return Tensor(tuple(split(tensor[1])), tensor[2])
    if text.startswith("(") and text.endswith(")"):
        return Tuple(tuple(map(parse_type, split(text[1:-1]))))
    return text


def write_size(size):
    return f"meta[tir.Var][{VARIABLES[size]}]" if size in VARIABLES else size


def write_type(t):
    if isinstance(t, Tensor):
        return f"Tensor[({', '.join(map(write_size, t.dims))}), {t.dtype}]" if t.dims else t.dtype
    if isinstance(t, Tuple):
        return "(" + ", ".join(map(write_type, t.fields)) + ("," if len(t.fields) == 1 else "") + ")"
    return t


def write_value(text):
    return re.sub(r'"[^"]*"|\b[nmk]\b', lambda word: write_size(word[0]), text)


def write_call(call, name, mirrors=()):
    """The call as the body of the function `name`. `mirrors`: attributes that repeat an operand."""
    operands = [f"%x{i}" for i in range(len(call.operands))]
    heads = [x if t is None else f"{x}: {write_type(t)}" for x, t in zip(operands, call.operands)]
    attrs = [f"{attr}={write_value(value) if 'device' not in attr else DEVICE}" for attr, value in call.attrs]
    attrs += [f"{attr}={x}" for attr, x in zip(mirrors, operands)]
    types = "type Storage { }\n" if call.op == "memory.alloc_storage" else ""
    text = f'#[version = "0.0.5"]\n{types}def @{name}({", ".join(heads)}) {{ {call.op}({", ".join(operands + attrs)}) }}\n'
    return text + "#[metadata]\n" + METADATA if "meta[" in text else text


# ---- seeds --------------------------------------------------------------------------------------------------------------

class Reader:
    """The calls of operators in a text whose operands have known types."""

    def __init__(self, mirrors):
        self.mirrors = mirrors  # operator: names of attributes that repeat an operand
        self.types = {}

    def calls(self, text):
        for line in text.splitlines():
            line = line.strip()
            if line.startswith("def @"):
                self.read_head(line)
            elif found := CALL.match(line):
                call = self.read_call(found)
                if found["name"]:
                    self.types[found["name"]] = parse_type(found["type"]) if found["type"] else UNKNOWN
                if call:
                    yield call
            elif alias := re.match(r"(?:let )?%([\w.]+) = (\(.*\))(?: /\*.*)?;", line):
                self.types[alias[1]] = self.operand_type(alias[2])

    def read_head(self, line):
        self.types = {}
        for head in split(line[line.index("(") + 1:line.rindex(")")].split(") -> ")[0]):
            if found := re.match(r"%([\w.]+)(?:: (.*?))?(?: /\*.*)?$", head):
                self.types[found[1]] = found[2] and parse_type(found[2])

    def operand_type(self, text):
        text = re.sub(r" /\*.*?\*/", "", text)
        if text.startswith("%"):
            return self.types.get(text[1:], UNKNOWN)
        if text.startswith("("):
            fields = tuple(map(self.operand_type, split(text[1:-1])))
            return UNKNOWN if UNKNOWN in fields or None in fields else Tuple(fields)
        if text in ("True", "False"):
            return Tensor((), "bool")
        number = re.fullmatch(r"-?[\d.e+-]+(f64|f16|f|i64|i16|)", text)
        return Tensor((), CONSTANT[number[1]]) if number else UNKNOWN

    def read_call(self, found):
        operands, attrs = [], []
        for item in split(found["args"]):
            attr = re.match(r"(\w+)=(.*)", item)
            if not attr:
                operands.append(self.operand_type(item))
            elif attr[1] not in self.mirrors.get(found["op"], ()):
                attrs.append((attr[1], attr[2]))
        if UNKNOWN in operands or "meta[" in found["args"] or re.search(r"meta\[|custom\[|bfloat", str(operands)):
            return None
        return Call(found["op"], tuple(operands), tuple(attrs))


def facts_of(relay_tblgen, include, shared):
    """{operator: its fields}, {operator: its traits} and {operator: type key of its attributes}, from the records; a
    field without a default in the reference is 'required'."""
    attributes, ops = {None: []}, []
    for path in sorted((include / "relay" / "Ops").glob("*.td")):
        out = subprocess.run([str(relay_tblgen), "-gen-op-json", "-I", str(include), str(path)], capture_output=True, text=True, check=True)
        family = json.loads(out.stdout)
        attributes.update((record["type_key"], record["fields"]) for record in family["attributes"])
        ops += family["ops"]
    keys = {op["name"]: op.get("attributes") for op in ops}
    for key, known in json.loads((shared / "facts" / "ops.json").read_text())["attrs"].items():
        required = {field["name"] for field in known if field.get("required")}
        for field in attributes.get(key, ()):
            field["required"] = field["name"] in required
    return {op: attributes[key] for op, key in keys.items()}, {op["name"]: op["traits"] for op in ops}, keys


def with_required(call, fields):
    """The call with None for each missing required attribute."""
    present = dict(call.attrs)
    missing = [f["name"] for f in fields if f.get("required") and f["name"] not in present and f["kind"] != "Expr"]
    return call._replace(attrs=call.attrs + tuple((name, "None") for name in missing))


def seeds_of(texts, mirrors, fields, count):
    """{operator: up to `count` calls}, such that they differ in attributes, ranks or data types; small ones first."""
    found = {op: {} for op in mirrors}
    for text in texts:
        for call in Reader(mirrors).calls(text):
            kind = str([(len(t.dims), t.dtype) if isinstance(t, Tensor) else type(t) for t in call.operands] + [a for a, _ in call.attrs])
            kinds, call = found.get(call.op), with_required(call, fields.get(call.op, ()))
            if kinds is not None and (kind not in kinds or len(str(call)) < len(str(kinds[kind]))):
                kinds[kind] = call
    return {op: sorted(kinds.values(), key=lambda call: (len(str(call)), str(call)))[:count] for op, kinds in found.items()}


# ---- changes ------------------------------------------------------------------------------------------------------------

DTYPES = ["float32", "float16", "float64", "int8", "uint8", "int32", "int64", "bool"]


def leaves(types, path=()):
    """(path, tensor) of every tensor in a list of types."""
    for i, t in enumerate(types):
        if isinstance(t, Tensor):
            yield path + (i,), t
        elif isinstance(t, Tuple):
            yield from leaves(t.fields, path + (i,))


def replaced(types, path, new):
    types = list(types)
    inner = types[path[0]]
    types[path[0]] = Tuple(replaced(inner.fields, path[1:], new)) if len(path) > 1 else new
    return tuple(types)


def mapped(types, change):
    """The types with change(tensor) for every tensor."""
    return tuple(change(t) if isinstance(t, Tensor) else Tuple(mapped(t.fields, change)) if isinstance(t, Tuple) else t for t in types)


def number(size):
    return int(size.removesuffix("i64")) if re.fullmatch(r"-?\d+(i64)?", size) else None


def beside(value):
    """Numbers near `value`, and special ones."""
    return [v for v in dict.fromkeys([value + 1, value - 1, 0, 1, -1, 2, 2 * value, -value, -2, 7]) if v != value]


def sizes_beside(size):
    value = number(size)
    return [("dim ?", "?"), ("dim n", "n"), ("dim k", "k")] + (
        [("dim int64", f"{value}i64")] + [("dim size", str(v)) for v in beside(value) if v >= 0] if value is not None else [])


def changes_of_tensor(t):
    for i, size in enumerate(t.dims):
        for kind, new in sizes_beside(size):
            yield kind, Tensor(t.dims[:i] + (new,) + t.dims[i + 1:], t.dtype)
    for dtype in DTYPES:
        if dtype != t.dtype:
            yield "dtype", Tensor(t.dims, dtype)
    yield "all dims ?", Tensor(("?",) * len(t.dims), t.dtype)
    for dims in {(), t.dims[:-1], t.dims[1:], t.dims + ("3",), ("1",) + t.dims, t.dims[:1], ("3",)} - {t.dims}:
        yield "rank", Tensor(dims, t.dtype)
    yield "kind", Tuple((t,))
    yield "kind", Tuple((t, t))


def changes_of_operands(call):
    types = call.operands
    for i, t in enumerate(types):
        yield "no type", replaced(types, (i,), None)
        if isinstance(t, Tuple):
            for fields in (t.fields[:-1], t.fields + t.fields[-1:], ()):
                yield "kind", replaced(types, (i,), Tuple(fields))
            if t.fields:
                yield "kind", replaced(types, (i,), t.fields[0])
    for path, t in leaves(types):
        for kind, new in changes_of_tensor(t):
            yield kind, replaced(types, path, new)
    yield from changes_of_all(types)
    yield "count", types[:-1]
    yield "count", types + types[-1:]


def changes_of_all(types):
    """Changes that keep operands consistent: one size, or one data type, changed at all occurrences."""
    tensors = [t for _, t in leaves(types)]
    for size in sorted({size for t in tensors for size in t.dims}):
        for _, new in sizes_beside(size):
            yield "size everywhere", mapped(types, lambda t: Tensor(tuple(new if s == size else s for s in t.dims), t.dtype))
    for dtype in sorted({t.dtype for t in tensors}):
        for new in DTYPES:
            yield "dtype everywhere", mapped(types, lambda t: Tensor(t.dims, new if t.dtype == dtype else t.dtype))
    yield "int64 everywhere", mapped(types, lambda t: Tensor(tuple(s if number(s) is None else f"{number(s)}i64" for s in t.dims), t.dtype))
    yield "? everywhere", mapped(types, lambda t: Tensor(("?",) * len(t.dims), t.dtype))


def changes_of_list(text):
    items = split(text[1:-1])
    yield "[]"
    for i, item in enumerate(items):
        for new in changes_of_list(item) if item.startswith("[") else [str(v) for v in beside(int(item))] + [f"{item}i64", "n"] if number(item) is not None and "i64" not in item else []:
            yield f"[{', '.join(items[:i] + [new] + items[i + 1:])}]"
    if items:
        yield f"[{', '.join(items[:-1])}]"
        yield f"[{', '.join(items + items[-1:])}]"
        yield f"[{', '.join(f'{item}i64' if re.fullmatch('-?[0-9]+', item) else item for item in items)}]"
        yield items[0]


def values_of(field, present, known):
    """Texts for a field, whose present text may be None: valid and invalid values."""
    kind, at = field["kind"], present if present not in (None, "None") else field.get("default")
    if kind == "Bool":
        return ["True", "False"]
    if kind == "String":
        return known + ['""', '"bad"']
    if kind == "DType":
        return [f'"{t}"' for t in DTYPES] + ['""']
    if kind in ("Double", "FloatArray"):
        return ["0f", "1f", "-1f", "0.5f", "0.1f", "[]", "[0.5f]", "[0.5f, 1f]", "[0.1f, 0.1f, 0.2f, 0.2f]", "[0.1f, 0.1f, 0.2f, 0.21f]"]
    if at and at.startswith("["):
        return list(changes_of_list(at)) + [value for value in known if value.startswith("[")]
    if at and number(at) is not None:
        return [str(v) for v in beside(number(at))] + [f"{number(at)}i64"] + ["n", f"[{at}]"] * (kind in ("Dim", "IntOrArray"))
    if kind in ("DimArray", "IntArray", "IntOrArray"):
        return ["[0]", "[1]", "[-1]", "[0, 1]", "[1, 0]", "[2, 2]", "[1, 1, 1]", "[3]", "[1i64, 2i64]", "[n, 3]"] + known
    return ["0", "1", "-1", "2", "3", "1i64"] + known if kind in ("Int", "OptInt", "Dim") else known


def changes_of_attrs(call, fields, known):
    attrs = dict(call.attrs)
    for field in fields:
        name, present = field["name"], attrs.get(field["name"])
        if field["kind"] in ("Expr", "Object"):
            continue
        without = {a: v for a, v in attrs.items() if a != name}
        if present is not None and not field.get("required"):
            yield "attr default", tuple(without.items())
        default = field.get("default")
        if default not in (None, present):
            yield "attr default", tuple({**without, name: default}.items())
        yield "attr None", tuple({**without, name: "None"}.items())
        for value in dict.fromkeys(values_of(field, present, known[name])):
            if value != present:
                yield "attr " + field["kind"], tuple({**without, name: value}.items())


def changes(call, fields, known):
    """(kind, call) for every single change of a call."""
    for kind, operands in changes_of_operands(call):
        yield kind, call._replace(operands=operands)
    for kind, attrs in changes_of_attrs(call, fields, known):
        yield kind, call._replace(attrs=attrs)


class Generator:
    """Calls of one operator: its seeds, then each with one change, alternating kinds of change, then with two."""

    def __init__(self, op, seeds, fields, known, seed):
        self.rng = random.Random(f"{seed} {op}")
        self.seeds, self.fields, self.known = seeds, fields, known

    def __iter__(self):
        seen = set()
        for kind, call in itertools.chain((("seed", call) for call in self.seeds), self.single(), self.double()):
            if str(call) not in seen:
                seen.add(str(call))
                yield kind, call

    def single(self):
        kinds = collections.defaultdict(list)
        for call in self.seeds:
            for kind, changed in changes(call, self.fields, self.known):
                kinds[kind].append((kind, changed))
        for of_kind in kinds.values():
            self.rng.shuffle(of_kind)
        for row in itertools.zip_longest(*kinds.values()):
            yield from filter(None, row)

    def double(self):
        for _ in range(300 if self.seeds else 0):
            once = self.rng.choice(list(changes(self.rng.choice(self.seeds), self.fields, self.known)))[1]
            yield "two changes", self.rng.choice(list(changes(once, self.fields, self.known)))[1]


def known_values(seeds):
    """{attribute: its texts in seeds}, over all operators."""
    known = collections.defaultdict(list)
    for name, value in sorted({attr for calls in seeds.values() for call in calls for attr in call.attrs}):
        known[name].append(value)
    return known


def generate(seeds, fields, count, seed):
    """`count` calls (operator, kind of change, call), alternating operators."""
    known = known_values(seeds)
    streams = [(op, iter(Generator(op, seeds[op], fields[op], known, seed))) for op in sorted(seeds)]
    while streams and count > 0:
        for stream in list(streams):
            kind, call = next(stream[1], (None, None))
            if call is None:
                streams.remove(stream)
            elif count > 0:
                count -= 1
                yield stream[0], kind, call
