"""Random programs with devices, for pass-agreement.py: annotations, copies, memory scopes; calls, closures, branches,
bindings, tuples, references, lists and recursion."""


class Programs:
    """A program under construction. Its values are floats of one shape."""

    def __init__(self, tvm, rng):
        relay = tvm.relay
        self.tvm, self.relay, self.rng = tvm, relay, rng
        self.on_device = tvm.relay.op.annotation._make.OnDevice
        self.copy = tvm.relay.op._make.DeviceCopy
        self.mod = tvm.IRModule()
        self.type = self.relay.TensorType((3,), "float32")
        self.count = 0
        self.scopes = ["", "global", "texture"] if rng.random() < 0.2 else [""]
        device = tvm.target.VirtualDevice
        self.devices = [device(tvm.device(name), None, scope) for name in ("cpu", "cuda") for scope in self.scopes]
        if rng.random() < 0.1:
            self.devices.append(device(tvm.device("cuda", 1), None, ""))
        self.shapes = rng.random() < 0.3
        data = tvm.ir.GlobalTypeVar("Box")
        self.box, self.pair = relay.Constructor("One", [self.type], data), relay.Constructor("Two", [self.type, data()], data)
        if rng.random() < 0.3:
            self.mod[data] = relay.TypeData(data, [], [self.box, self.pair])
        self.annotations = rng.choice([0.05, 0.1, 0.2])
        self.lets = rng.choice([0.1, 0.3, 0.6])

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def var(self, type_=None):
        return self.relay.var(self.name("v"), type_annotation=type_ or self.type)

    def device(self):
        return self.rng.choice(self.devices)

    def annotate(self, value):
        """An annotation around the value, mostly."""
        rng, relay = self.rng, self.relay
        chance = rng.random()
        if self.is_annotated(value):
            return value
        if chance < 0.1 and len(self.scopes) == 1:
            return self.copy(value, self.device(), self.device())
        if chance < 0.2:
            return self.on_device(value, self.device(), True, rng.random() < 0.5)
        if chance < 0.25:
            return self.on_device(value, self.device(), False, False)
        return self.on_device(value, self.device(), False, True)

    def is_annotated(self, value):
        """The reference does not copy between the devices of annotations around each other."""
        relay = self.relay
        while isinstance(value, relay.TupleGetItem):
            value = value.tuple_value
        return isinstance(value, relay.Call) and getattr(value.op, "name", "") in ("on_device", "device_copy")

    def unwrap(self, value):
        """The reference ignores annotations of variables in bindings and results."""
        while self.is_annotated(value) and isinstance(value, self.relay.Call) and isinstance(value.args[0], self.relay.Var):
            value = value.args[0]
        return value

    def closure(self, scope, depth):
        """A function of one or two values."""
        params = [self.var() for _ in range(self.rng.choice([1, 1, 2]))]
        return self.relay.Function(params, self.body(scope + params, depth - 1), self.type)

    def value(self, scope, depth):
        value = self.plain(scope, depth)
        return self.annotate(value) if self.rng.random() < self.annotations else value

    def plain(self, scope, depth):
        relay, rng = self.relay, self.rng
        if depth <= 0 or rng.random() < 0.15:
            return rng.choice(scope) if rng.random() < 0.85 else relay.const([1.0, 2.0, 3.0])
        sub = lambda: self.value(scope, depth - 1)
        kind = rng.randrange(20)
        if kind < 4:
            return rng.choice([relay.add, relay.subtract, relay.multiply])(sub(), sub())
        if kind < 6:
            return rng.choice([relay.exp, relay.negative])(sub())
        if kind == 6:
            fields = [sub() for _ in range(rng.choice([1, 2, 3]))]
            tuple_ = relay.Tuple(fields)
            if rng.random() < self.annotations * 2:
                tuple_ = self.annotate(tuple_)
            return relay.TupleGetItem(tuple_, rng.randrange(len(fields)))
        if kind == 7:
            return relay.split(relay.concatenate([sub(), sub()], 0), 2)[rng.randrange(2)]
        if kind == 8:
            condition = relay.less(relay.sum(sub()), relay.const(1.0))
            return relay.If(self.annotate(condition) if rng.random() < self.annotations else condition,
                            self.body(scope, depth - 1), self.body(scope, depth - 1))
        if kind == 9:
            closure = self.closure(scope, depth)
            return relay.Call(closure, [self.value(scope, depth - 1) for _ in closure.params])
        if kind == 10:
            closure, f = self.closure(scope, depth), relay.var(self.name("f"))
            body = relay.Call(f, [self.value(scope, depth - 1) for _ in closure.params])
            if rng.random() < 0.5:
                body = relay.add(body, relay.Call(f, [self.value(scope, depth - 1) for _ in closure.params]))
            return relay.Let(f, closure, body)
        if kind == 11 and self.mod.functions:
            g = rng.choice(list(self.mod.get_global_vars()))
            return relay.Call(g, [sub() for _ in self.mod[g].params])
        if kind == 12:
            r, u = relay.var(self.name("r")), relay.var(self.name("u"))
            return relay.Let(r, relay.RefCreate(sub()), relay.Let(u, relay.RefWrite(r, sub()), relay.add(relay.RefRead(r), sub())))
        if kind == 13:
            x, y = relay.var(self.name("x")), relay.var(self.name("y"))
            return relay.Let(x, relay.Tuple([sub(), sub()]), relay.Let(y, relay.TupleGetItem(x, rng.randrange(2)), relay.add(y, sub())))
        if kind == 14:
            f, v, p = relay.var(self.name("f"), type_annotation=relay.FuncType([self.type], self.type)), self.var(), self.var()
            higher = relay.Function([f, v], relay.Call(f, [relay.Call(f, [v])]), self.type)
            return relay.Call(higher, [relay.Function([p], self.body(scope + [p], depth - 1), self.type), sub()])
        if kind == 15 and self.shapes:  # operators with operands on the host
            shape = relay.op.vm.shape_of(sub())
            if rng.random() < self.annotations:
                shape = self.annotate(shape)
            if rng.random() < 0.2:
                shape = relay.add(shape, relay.const([0], "int64"))
            return relay.op.vm.reshape_tensor(sub(), shape, [3])
        if kind == 16 and self.mod.type_definitions:
            data = relay.Call(self.pair, [sub(), relay.Call(self.box, [sub()])])
            if rng.random() < self.annotations:
                data = self.annotate(data)
            x, y, rest = self.var(), self.var(), relay.var(self.name("b"))
            PatternVar, Clause = relay.PatternVar, relay.Clause
            return relay.Match(data, [
                Clause(relay.PatternConstructor(self.box, [PatternVar(x)]), self.body(scope + [x], depth - 1)),
                Clause(relay.PatternConstructor(self.pair, [PatternVar(y), PatternVar(rest)]), self.body(scope + [y], depth - 1))])
        if kind == 17:  # a closure in a tuple
            closure, t = self.closure(scope, depth), relay.var(self.name("t"))
            call = relay.Call(relay.TupleGetItem(t, 0), [self.value(scope, depth - 1) for _ in closure.params])
            return relay.Let(t, relay.Tuple([closure, sub()]), relay.add(call, relay.TupleGetItem(t, 1)))
        if kind == 18:  # a closure that a branch chooses
            closures = [relay.Function([v], self.body(scope + [v], depth - 1), self.type) for v in (self.var(), self.var())]
            choice = relay.If(relay.less(relay.sum(sub()), relay.const(1.0)), *closures)
            return relay.Call(choice, [sub()])
        if kind == 19:  # a primitive function
            v = self.var()
            primitive = relay.Function([v], relay.exp(v), self.type).with_attr("Primitive", self.tvm.tir.IntImm("int32", 1))
            return relay.Call(primitive, [sub()])
        return self.body(scope, depth - 1)

    def body(self, scope, depth):
        """Some bindings, then a value."""
        relay, rng = self.relay, self.rng
        bindings, scope = [], list(scope)
        while rng.random() < self.lets:
            var = relay.var(self.name("x"))
            bindings.append((var, self.unwrap(self.value(scope, depth))))
            if rng.random() < 0.9:
                scope.append(var)
        shared = self.value(scope, depth)
        if rng.random() < 0.3:  # a node with several uses
            scope = scope + [shared, shared]
        result = self.unwrap(self.value(scope, depth))
        for var, value in reversed(bindings):
            result = relay.Let(var, value, result)
        return result

    def function(self, depth):
        params = [self.var() for _ in range(self.rng.choice([1, 2, 3]))]
        return self.relay.Function(params, self.body(params, depth), self.type)

    def module(self, size):
        relay, rng = self.relay, self.rng
        depth = rng.randrange(1, max(2, min(size // 2, 5)))
        for _ in range(rng.choice([0, 0, 1, 2])):
            g = relay.GlobalVar(self.name("g"))
            self.mod[g] = self.function(depth)
        if rng.random() < 0.2:  # a function that calls itself
            g, n, x = relay.GlobalVar(self.name("loop")), self.var(relay.TensorType((), "int32")), self.var()
            step = relay.Call(g, [relay.subtract(n, relay.const(1)), self.value([x], depth)])
            choice = relay.If(relay.less(n, relay.const(1)), self.value([x], depth - 1), step)
            self.mod[g] = relay.Function([n, x], choice, self.type)
            main = self.function(depth)
            call = relay.Call(g, [relay.const(2), main.body])
            self.mod["main"] = relay.Function(main.params, call, self.type)
            return self.mod
        self.mod["main"] = self.function(depth)
        return self.mod


def is_conflict(error):
    """Whether the reference reports requirements that conflict; other errors are failures of its own."""
    return "Incompatible" in error or "do not match" in error or "are incompatible" in error


def make_devices(tvm, rng, size):
    return Programs(tvm, rng).module(size)


def choose_devices(rng):
    default = rng.choice(["cpu", "cuda", "cuda"])

    def run(tvm, mod):
        number = {"cpu": 1, "cuda": 2}[default]
        context = tvm.transform.PassContext(config={"relay.fallback_device_type": number})
        targets = [tvm.target.Target("llvm"), tvm.target.Target("cuda")]
        return tvm.relay.transform.PlanDevices(tvm.target.make_compilation_config(context, targets))(mod)
    return f"plan-devices<targets=llvm,cuda;default-device={default}>", run
