"""Writes a module for each node of metadata that a table lists.

usage: metadata-nodes.py TABLE

Lines of the table that begin with `node ` are `node KEY {NODE}`, a node's type key and the rest of it as JSON, in which
`@name` stands for the number of one of HELPERS; ` => ERROR` may follow. Each becomes a module whose function has the node
as the attribute `a`, separated by `// -----`, and expects the error.
"""
import json, re, sys

HELPERS = {
    "text": {"type_key": "runtime.String", "repr_str": "n"},
    "int": {"type_key": "IntImm", "attrs": {"dtype": "int32", "span": "0", "value": "3"}},
    "float": {"type_key": "FloatImm", "attrs": {"dtype": "float32", "span": "0", "value": "0.5"}},
    "empty": {"type_key": "Array"},
    "texts": {"type_key": "Array", "data": ["@text"]},
    "ints": {"type_key": "Array", "data": ["@int"]},
    "floats": {"type_key": "Array", "data": ["@float"]},
    "type": {"type_key": "relay.TensorType", "attrs": {"dtype": "float32", "shape": "@ints", "span": "0"}},
    "types": {"type_key": "Array", "data": ["@type"]},
    "var": {"type_key": "TypeVar", "attrs": {"kind": "0", "name_hint": "@text", "span": "0"}},
    "vars": {"type_key": "Array", "data": ["@var"]},
    "hole": {"type_key": "IncompleteType", "attrs": {"kind": "0", "span": "0"}},
    "other": {"type_key": "IncompleteType", "attrs": {"kind": "0", "span": "0"}},
    "holes": {"type_key": "Array", "data": ["@hole", "@other", "@hole"]},
    "list": {"type_key": "GlobalTypeVar", "attrs": {"kind": "5", "name_hint": "@text", "span": "0"}},
}
FIRST = 4  # 0 is null, 1 the map, 2 its array, 3 the node


def resolve(value):
    """The value with numbers in place of names: in lists as they are, elsewhere as text."""
    numbers = {"@" + name: FIRST + i for i, name in enumerate(HELPERS)}
    if isinstance(value, dict):
        return {key: resolve(item) for key, item in value.items()}
    if isinstance(value, list):
        return [numbers.get(item, item) for item in value]
    return str(numbers[value]) if value in numbers else value


def module(key, node, error):
    root = {"type_key": "Map", "keys": ["Array"], "data": [2]}
    nodes = [{"type_key": ""}, root, {"type_key": "Array", "data": [3]}, {"type_key": key, **node}, *HELPERS.values()]
    metadata = json.dumps({"root": 1, "nodes": [resolve(n) for n in nodes], "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}})
    expected = f"  // expected-error@+1 {{{{{error}}}}}\n" if error else ""
    return f'#[version = "0.0.5"]\ndef @main() {{\n{expected}  fn (a=meta[Array][0]) {{ 1 }}\n}}\n\n#[metadata]\n{metadata}\n'


def main():
    found = re.findall(r"^node (\S*) (\{.*\})(?: => (.*))?$", open(sys.argv[1]).read(), re.M)
    print("\n// -----\n\n".join(module(key, json.loads(node), error) for key, node, error in found), end="")


main()
