"""Reads JSON with one thing wrong at a time and compares the errors.

usage: json-errors.py RELAY-OPT JSON
"""
import subprocess
import sys

opt, path = sys.argv[1:]
text = open(path).read()

# What becomes what, and the position and message that follow.
CASES = [
    (text, "{", "1:2: error: expected a string in the metadata"),
    (text, "{}", "1:1: error: JSON without nodes"),
    (text, text[:700], "14:48: error: unterminated string in the metadata"),
    ('"root": 1', '"root": 99', "1:1: error: the root, node 99, does not exist"),
    ('"root": 1', '"root": 11', "15:5: error: `relay.TensorType` is neither a module nor an expression"),
    ('"root": 1', '"root": -1', "2:11: error: expected an index in the metadata"),
    ('"IRModule"', '"IRModul"', "5:5: error: `IRModul` is neither a module nor an expression"),
    ('"functions": "2"', '"functions": "0"', "5:5: error: `IRModule` without `functions`"),
    ('"functions": "2"', '"functions": "7"', "11:5: error: `functions` is not a map from global variables"),
    ("[3, 5]", "[3, 999]", "6:5: error: node 999 does not exist; there are 24"),
    ("[3, 5]", "[3]", "6:5: error: `functions` is not a map from global variables"),
    ("[3, 5]", "[5, 5]", "9:5: error: `relay.Function` is not a global variable"),
    ("[3, 5]", "[3, 8]", "12:5: error: `relay.Var` is not a function of Relay"),
    ("[3, 5]", "[3, 5, 3, 5]", "7:5: error: function `@main` is defined twice"),
    ('"repr_str": "main"', '"repr_str": "a b"', "7:5: error: `GlobalVar` of the name `a b`, which text cannot hold"),
    ('"body": "12"', '"body": "x"', "9:5: error: `body` of `relay.Function` is not a node: `x`"),
    ('"body": "12"', '"body": "0"', "9:5: error: `relay.Function` without `body`"),
    ('"body": "12"', '"body": "11"', "15:5: error: `relay.TensorType` is not an expression"),
    ('"params": "6"', '"params": "9"', "13:5: error: `params` of `relay.Function` is not an array but `relay.Id`"),
    ('"data": [8]},\n    {"type_key": "Array"}', '"data": [11]},\n    {"type_key": "Array"}', "15:5: error: `relay.TensorType` is not a variable"),
    ('"data": [8]},\n    {"type_key": "Array"}', '"data": [8, 8]},\n    {"type_key": "Array"}', "12:5: error: variable `x` is bound twice"),
    ('"data": [8]},\n    {"type_key": "Array"}', '"data": []},\n    {"type_key": "Array"}', "12:5: error: variable `x` is not bound"),
    ('"vid": "9"', '"vid": "0"', "12:5: error: `relay.Var` without `vid`"),
    ('"type_annotation": "11"', '"type_annotation": "10"', "12:5: error: `type_annotation` of `relay.Var` is not a type"),
    ('"dtype": "float32"', '"dtype": "float"', "15:5: error: `relay.TensorType` without a data type in the metadata"),
    ('"value": "16"', '"value": "12"', "16:5: error: node 12 refers to itself"),
    ('"body": "20"', '"body": "12"', "16:5: error: node 12 refers to itself"),
    ('"body": "20"', '"body": "24"', "16:5: error: `body` of `relay.Let` is not a node: `24`"),
    ('"op": "17"', '"op": "16"', "20:5: error: node 16 refers to itself"),
    ('"nn.softmax"', '"nn.softmaxx"', "20:5: error: `nn.softmaxx` is not a declared operator"),
    ('"args": "18"', '"args": "7"', "20:5: error: `nn.softmax` takes 1 operands, found 0"),
    ('"relay.attrs.SoftmaxAttrs"', '"relay.attrs.CastAttrs"', "23:5: error: `nn.softmax` does not take attributes of kind `relay.attrs.CastAttrs`"),
    ('"axis": "-1"', '"axis": "a"', "23:5: error: attribute `axis` of `nn.softmax` takes an integer, found a string"),
    ('"axis": "-1"', '"axes": "1"', "23:5: error: `nn.softmax` has no attribute `axes`; did you mean `axis`?"),
    ('"cond": "22"', '"cond": "0"', "24:5: error: `relay.If` without `cond`"),
    ('"index": "0"', '"index": "-1"', "25:5: error: `index` of `relay.TupleGetItem` is not the number of a field"),
    ('"data": "0"', '"data": "1"', "26:5: error: constant without data in the metadata"),
    ('"P6G0', '"Q6G0', "26:5: error: malformed array"),
    ('"fields": "18"', '"fields": "19"', "23:5: error: `fields` of `relay.Tuple` is not an array but `relay.attrs.SoftmaxAttrs`"),
]

failed = 0


def read(text):
    done = subprocess.run([opt, "-no-infer", "-", "-o", "/dev/null"], input=text, capture_output=True, text=True)
    return done.returncode, done.stderr


if read(text) != (0, ""):
    print("the JSON itself is not read:", read(text))
    failed += 1
for old, new, expected in CASES:
    assert text.count(old) >= 1, old
    status, errors = read(text.replace(old, new, 1))
    first = errors.partition("\n")[0].removeprefix("<stdin>:")
    if status != 1 or first != expected:
        print(f"{old[:40]!r} -> {new[:40]!r}: status {status}\n  expected {expected}\n  found    {first}")
        failed += 1
sys.exit(failed != 0)
