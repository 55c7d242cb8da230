#!/usr/bin/env python3
"""Writes tests of single calls of operators, whose types and refusals the reference agrees with.

usage: op-tests.py --bin BUILD/bin ANSWERS

ANSWERS is what op-types.py --save has written. Of each operator some calls are taken: for refusals one for each diagnostic,
for types one for each kind of change. They become test/Ops/calls/FAMILY-errors.relay and FAMILY.relay, where FAMILY is the
file of include/relay/Ops that declares the operator. Types and diagnostics are those of relay-opt now: review them by eye.
"""
import argparse, collections, json, re, subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REFUSED, TYPED = 6, 4  # most calls of an operator
ERRORS = """\
// Calls of single operators that the reference refuses, too: written by test/Conformance/op-tests.py.
// RUN: relay-opt -split-input-file -verify-diagnostics %s

"""
TYPES = """\
// Calls of single operators, whose types are those of the reference: written by test/Conformance/op-tests.py.
// RUN: relay-opt %s | FileCheck %s --match-full-lines

"""


def families():
    """operator -> file that declares it"""
    return {op: path.stem for path in sorted((ROOT / "include/relay/Ops").glob("*.td")) for op in re.findall(r'<"([a-z_][\w.]*)"', path.read_text())}


def body_of(call):
    """(signature, body) of the one function, none if it needs metadata."""
    found = re.search(r"^def @\w+(\(.*\)) \{ (.*) \}$", call["text"], re.M)
    return found.groups() if found and "meta[" not in call["text"] else None


def general(message):
    """The common part of diagnostics of one kind."""
    return re.sub(r"-?\d+", "#", message.split("; ours: ")[-1].split(": Tensor")[0])


def choose(calls, key, most):
    """Calls with different keys, at most `most` of an operator, spread over all keys."""
    by_op = collections.defaultdict(dict)
    for call in calls:
        if body_of(call) and len(call["text"]) < 400:
            by_op[call["op"]].setdefault(key(call), call)
    for op in sorted(by_op):
        found = list(by_op[op].values())
        yield from found[::max(1, len(found) // most)][:most]


def refusal(relay_opt, call):
    signature, body = body_of(call)
    text = f"def @main{signature} {{\n  {body}\n}}\n"
    errors = subprocess.run([relay_opt, "-"], input=text, capture_output=True, text=True).stderr
    found = re.findall(r"^<stdin>:(\d+):\d+: (error|warning): (.*)", errors, re.M)
    if len(found) != 1 or found[0][1] != "error" or len(errors.splitlines()) != 3:
        return None
    head, rest = text.split("\n", 1)
    expected = f"// expected-error@+1 {{{{{found[0][2]}}}}}"
    return f"{head}\n  {expected}\n{rest}" if found[0][0] == "2" else f"{expected}\n{text}"


def write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("answers", type=Path)
    args = parser.parse_args()
    calls, family = json.loads(args.answers.read_text()), families()
    relay_opt = str(args.bin / "relay-opt")
    agreed = [call for call in calls if call["agrees"] is True]
    refused = [call for call in agreed if call["ours"] == "refused"]
    typed = [call for call in agreed if call["ours"] == "typed"]
    errors, types = collections.defaultdict(list), collections.defaultdict(list)
    for call in choose(refused, lambda call: general(call["says"]), REFUSED):
        if text := refusal(relay_opt, call):
            errors[family[call["op"]]].append(text)
    for call in choose(typed, lambda call: call["kind"], TYPED):
        functions = types[family[call["op"]]]
        signature, body = body_of(call)
        functions.append(f"def @f{len(functions)}{signature} {{\n  {body}\n}}\n")
    folder = ROOT / "test" / "Ops" / "calls"
    for name, texts in errors.items():
        write(folder / f"{name.lower()}-errors.relay", ERRORS + "\n// -----\n\n".join(texts))
    for name, texts in types.items():
        path = folder / f"{name.lower()}.relay"
        write(path, TYPES + '#[version = "0.0.5"]\n' + "\n".join(texts))
        subprocess.run([ROOT / "utils" / "update_relay_checks.py", "--bin", args.bin, path], check=True, stdout=subprocess.DEVNULL)


main()
