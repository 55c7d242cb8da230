"""Prints a function of N calls in one chain, every other bound by a `let`, as TVM's JSON.

usage: json-chain.py N
"""
import json, sys

nodes = [{"type_key": ""}]


def add(key, **attrs):
    nodes.append({"type_key": key, "attrs": {k: str(v) for k, v in attrs.items()}})
    return len(nodes) - 1


def array(*data):
    nodes.append({"type_key": "Array", "data": list(data)})
    return len(nodes) - 1


def named(key, name):
    nodes.append({"type_key": key, "repr_str": name})
    return len(nodes) - 1


def variable(name):
    return add("relay.Var", vid=add("relay.Id", name_hint=named("runtime.String", name)), type_annotation=0)


relu, x = named("Op", "nn.relu"), variable("x")
value, lets = x, []
for i in range(int(sys.argv[1])):
    value = add("relay.Call", op=relu, args=array(value), attrs=0)
    if i % 2:
        lets.append((variable(f"v{i}"), value))
        value = lets[-1][0]
body = add("relay.Call", op=relu, args=array(value), attrs=0)
for var, bound in reversed(lets):
    body = add("relay.Let", var=var, value=bound, body=body)
function = add("relay.Function", params=array(x), body=body, ret_type=0, type_params=array(), attrs=0)
json.dump({"root": function, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}}, sys.stdout)
