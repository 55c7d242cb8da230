"""Bodies of mixed random graphs: values with their known properties; choice of operands, creation of operations.

The generator knows the shape of each value, the bounds of its elements, and whether it is exact. Thus indices stay in
their axes, logarithms get positive numbers, and values stay bounded. Discontinuous operators (comparisons, rounding,
indices of maxima) require exact values: those whose bits no reordering of additions can change.
"""
from math import inf, prod

from ..builder import SUFFIXES, Tensor, Value, constant

FLOATS = ("float32", "float16", "bfloat16", "float64")
SIGNED = ("int32", "int8", "int16", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
NUMBERS = FLOATS + INTEGERS
DTYPES = NUMBERS + ("bool",)

LIMIT = 400     # elements of a value
WINDOW = 24     # values that later operations choose from
REACH = 64.0    # magnitude up to which floats may grow before they are brought back


def bits(dtype):
    return int("".join(filter(str.isdigit, dtype))) if dtype != "bool" else 1


def bounds_of(dtype):
    """The least and greatest value of an integer type or bool."""
    if dtype in SIGNED:
        return -(1 << (bits(dtype) - 1)), (1 << (bits(dtype) - 1)) - 1
    return 0, (1 << bits(dtype)) - 1


class Operand:
    """A tensor: `shape` are its real extents, None if known only at run time; `dims`, in its type, may be "?"."""
    __slots__ = ("value", "shape", "dtype", "low", "high", "exact", "used")

    def __init__(self, value, shape, low, high, exact):
        self.value, self.shape, self.dtype = value, tuple(shape), value.type.dtype
        self.low, self.high, self.exact = low, high, exact
        self.used = False

    @property
    def text(self):
        return self.value.text

    @property
    def type(self):
        return self.value.type

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return prod(self.shape) if None not in self.shape else LIMIT

    @property
    def static(self):
        return "?" not in self.type.shape

    @property
    def writable(self):
        """Whether TVM reads its type: it rejects a scalar `bfloat16`, which it prints."""
        return self.rank > 0 or self.dtype != "bfloat16"

    @property
    def peak(self):
        return max(abs(self.low), abs(self.high))


class Body:
    """A scope being filled; `root` is the body of the enclosing global function, which gets new parameters."""

    def __init__(self, graph, scope, outer=None):
        self.graph, self.random, self.scope = graph, graph.random, scope
        self.outer = outer
        self.root = outer.root if outer else self
        self.window, self.left = [], []
        self.params = []

    # Available values.

    def values(self):
        found = self.window + self.params
        return found + self.outer.values() if self.outer else found

    def candidates(self, dtypes, rank, exact, dynamic, where):
        return [operand for operand in self.values()
                if operand.dtype in dtypes and (rank is None or operand.rank == rank) and operand.size <= LIMIT
                and (operand.exact or not exact) and (operand.static or dynamic)
                and (None not in operand.shape or dynamic) and (where is None or where(operand))]

    def prefer(self, operands):
        """One of these, preferably an unused one."""
        for _ in range(3):
            operand = self.random.choose(operands)
            if not operand.used:
                break
        return operand

    def pick(self, dtypes=DTYPES, rank=None, exact=False, dynamic=False, where=None):
        """A value with these properties, a new one if there is none; None if `where` refuses that too."""
        found = self.candidates(dtypes, rank, exact, dynamic, where)
        if found and not self.random.chance(1, 12):
            return self.prefer(found)
        new = self.fresh(self.extents(rank), self.random.choose([dtype for dtype in dtypes]))
        return new if where is None or where(new) else None

    def need(self, shape, dtype, low=-inf, high=inf, exact=False):
        """A value of this type and within these bounds, created if needed."""
        type = Tensor(tuple(shape), dtype)
        found = [operand for operand in self.values() if operand.type == type and (operand.exact or not exact)]
        if found and self.random.chance(2, 3):
            return self.within(self.prefer(found), low, high)
        alike = [operand for operand in self.values() if operand.dtype == dtype and operand.static
                 and operand.size == prod(shape) and (operand.exact or not exact)]
        if alike and self.random.chance(1, 2):
            return self.within(self.move("reshape", self.prefer(alike), shape, newshape=list(shape)), low, high)
        if self.random.chance(1, 3):
            return self.within(self.constant(shape, dtype), low, high)
        return self.within(self.fresh(shape, dtype), low, high)

    def extents(self, rank=None):
        if rank is None:
            rank = self.random.below(5)
        return tuple(1 + self.random.below(5 if rank < 4 else 3) for _ in range(rank))

    def fresh(self, shape, dtype):
        """A new parameter of the function, if that is possible."""
        if not shape and dtype == "bfloat16":
            return self.constant(shape, dtype)
        root = self.root
        low, high = (0.5, 1.5) if len(shape) < 2 else (-1.75, 1.75)
        if dtype not in FLOATS:
            low, high = bounds_of(dtype)
        operand = Operand(root.scope.param("data", Tensor(tuple(shape), dtype)), shape, low, high, True)
        root.params.append(operand)
        return operand

    def constant(self, shape, dtype, values=None):
        """A constant of the metadata, with these values or random ones."""
        count = prod(shape)
        if values is None:
            span = 2 if dtype == "bool" else 5
            shift = 0 if dtype in UNSIGNED or dtype == "bool" else 2
            scale = 4 if dtype in FLOATS else 1
            values = [(self.random.below(span) - shift) / scale if scale > 1 else self.random.below(span) - shift
                      for _ in range(count)]
        if not shape and (dtype in SUFFIXES or dtype == "bool"):
            return self.scalar(values[0], dtype)
        text = self.graph.module.constant(tuple(shape), dtype, values)
        low, high = (min(values), max(values)) if count else (0, 0)
        return Operand(Value(text, Tensor(tuple(shape), dtype)), shape, low, high, True)

    def scalar(self, number, dtype):
        if dtype == "bool":
            text = str(bool(number))
        elif dtype in SUFFIXES:
            text = constant(number, dtype).text
        else:
            return self.constant((), dtype, [number])
        return Operand(Value(text, Tensor((), dtype)), (), number, number, True)

    def within(self, operand, low, high):
        """The operand, clipped if its bounds are not known to be these."""
        if operand.low >= low and operand.high <= high:
            return operand
        if operand.low > high or operand.high < low:  # Nothing of it is inside.
            bound = high if operand.low > high else low
            return self.like("full_like", operand, self.scalar(bound, operand.dtype), low=bound, high=bound, exact=True)
        low, high = max(low, operand.low), min(high, operand.high)
        if operand.dtype in FLOATS:
            low, high = float(low), float(high)
        return self.call("clip", [operand], operand.shape, operand.dtype, low, high, operand.exact, a_min=float(low),
                         a_max=float(high), dims=operand.type.shape)

    # Appending.

    def bind(self, value):
        """Randomly binds the last operation by let."""
        return self.scope.let("v", value) if self.graph.lets and self.random.chance(1, 4) else value

    def add(self, value, shape, low, high, exact):
        operand = Operand(value, shape, low, high, exact)
        if len(self.window) < WINDOW:
            self.window.append(operand)
        else:
            slot = self.random.below(WINDOW)
            old, self.window[slot] = self.window[slot], operand
            if not old.used:
                self.left.append(old)
        return operand

    def raw(self, name, operands, type, /, **attrs):
        """A call of any type; the caller takes its value apart."""
        for operand in operands:
            if isinstance(operand, Operand):
                operand.used = True
        self.graph.operators.add(name)
        return self.scope.call(name, operands, type, **attrs)

    def call(self, name, operands, shape, dtype, /, low=None, high=None, exact=None, dims=None, **attrs):
        """A call whose result is a tensor. Floats with unknown or large bounds are scaled to small ones afterwards."""
        type = Tensor(tuple(shape if dims is None else dims), dtype)
        value = self.raw(name, operands, type, **attrs)
        return self.take(value, shape, low, high, exact)

    def take(self, value, shape, low=None, high=None, exact=None):
        """Makes the tensor of the last operation available."""
        dtype = value.type.dtype
        if dtype not in FLOATS:
            least, greatest = bounds_of(dtype)
            fits = low is not None and least <= low <= high <= greatest
            low, high, exact = (low, high, exact) if fits else (least, greatest, exact)
            exact = True if exact is None else exact
        elif low is None:
            low, high = -inf, inf
        if "?" not in value.type.shape and (shape or dtype != "bfloat16"):
            value = self.bind(value)
        operand = self.add(value, shape, low, high, bool(exact))
        return self.tame(operand) if dtype in FLOATS and operand.peak > REACH else operand

    def tame(self, operand):
        if self.random.chance(1, 2):
            return self.like("tanh", operand, low=-1.0, high=1.0)
        return self.within(operand, -4.0, 4.0)

    def like(self, name, operand, /, *others, low=None, high=None, exact=None, **attrs):
        """A call whose result has the first operand's type."""
        return self.call(name, [operand, *others], operand.shape, operand.dtype, low, high, exact,
                         operand.type.shape, **attrs)

    def move(self, name, operand, shape, /, *others, low=None, high=None, **attrs):
        """A call that only moves the elements of the first operand."""
        low = operand.low if low is None else min(low, operand.low)
        high = operand.high if high is None else max(high, operand.high)
        return self.call(name, [operand, *others], shape, operand.dtype, low, high, operand.exact, **attrs)

    def cast(self, operand, dtype):
        """The operand in another type; floats of unknown exactness do not become integers."""
        if operand.dtype == dtype:
            return operand
        if operand.dtype in FLOATS and dtype not in FLOATS and not operand.exact:
            return None
        low, high = operand.low, operand.high
        if dtype == "bool":
            low, high = 0, 1
        elif dtype not in FLOATS and operand.dtype in FLOATS:
            operand = self.within(operand, *((0.0, 8.0) if dtype in UNSIGNED else (-8.0, 8.0)))
            low, high = int(operand.low), int(operand.high)
        elif dtype in ("float16", "bfloat16") and operand.peak > REACH:
            operand = self.within(operand, *((0, 16) if operand.dtype in UNSIGNED else (-16, 16)))
            low, high = operand.low, operand.high
        exact = operand.exact and (dtype not in FLOATS or operand.peak < 256)
        return self.call("cast", [operand], operand.shape, dtype, low, high, exact, operand.type.shape, dtype=dtype)

    def scale(self, operand, low, high):
        """A float operand brought into these bounds smoothly or by clipping."""
        return self.within(operand, low, high)

    def tuple(self, *operands):
        for operand in operands:
            operand.used = True
        return self.scope.tuple(*[operand.value for operand in operands])

    def fields(self, value, parts):
        """Takes a tuple apart: (shape, low, high, exact) of each field; None leaves one out."""
        found = []
        for index, part in enumerate(parts):
            if part is not None:
                found.append(self.take(self.scope.project(value, index), *part))
        return found

    # The result.

    def leftovers(self, static=True):
        """Unused values, the oldest first; the last value if all are used."""
        for operand in self.left + self.window:
            if not operand.used and not operand.writable:
                self.move("reshape", operand, (1,), newshape=[1])
        unused = [operand for operand in self.left + self.window if not operand.used and (operand.static or not static)]
        if unused:
            return unused
        known = [operand for operand in self.window if operand.writable and (operand.static or not static)]
        return known[-1:] or [self.constant((2,), "float32")]
