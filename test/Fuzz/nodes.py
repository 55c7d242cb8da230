#!/usr/bin/env python3
"""Reads JSON in which one reference of a node is to a node of another kind: every field and every element of every kind of
node, with every kind of node in its place. What is read has to print as text that reads back; the rest has to be an error.

usage: nodes.py [--bin DIR] [--modules FILE]... [--seconds S] [--jobs N] [--out DIR]

Many documents are read by one process; of a batch in which something is wrong each is read alone. Each kind of problem is
kept once in --out. Exit status 1 if there was one.
"""
import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import limited
from fuzz import ROOT, finish, keep

BATCH = 40  # documents a process
SEPARATOR = "\n// -----\n"
FLAGS = (["-verify-roundtrip"], ["-verify-roundtrip", "-no-infer"])
# Nodes of rare kinds.
OTHERS = ({"type_key": ""}, {"type_key": "Array"}, {"type_key": "Map"}, {"type_key": "runtime.String", "repr_str": "a b"},
          {"type_key": "IntImm", "attrs": {"dtype": "int64", "span": "0", "value": "-7"}},
          {"type_key": "FloatImm", "attrs": {"dtype": "float32", "span": "0", "value": "0.5"}},
          {"type_key": "IncompleteType", "attrs": {"kind": "0", "span": "0"}},
          {"type_key": "tir.Any", "attrs": {"dtype": "int32", "span": "0"}},
          {"type_key": "Unknown.Kind", "attrs": {"index": "1", "text": "x"}})
TEXTS = ("0", "-1", "x", "4294967296", "")  # in place of a number


def make_document(relay_opt, path):
    """The JSON of a module, with all nodes of OTHERS."""
    document = json.loads(subprocess.run([relay_opt, path, "-emit=json"], check=True, capture_output=True, text=True).stdout)
    nodes = document["nodes"]
    string = next(i for i, node in enumerate(nodes) if node["type_key"] == "runtime.String")
    nodes += OTHERS
    nodes.append({"type_key": "DictAttrs", "attrs": {"__dict__": str(nodes.index({"type_key": "Map"}))}})
    nodes.append({"type_key": "Array", "data": [string, len(nodes) - 1]})
    nodes.append({"type_key": "Map", "keys": ["k"], "data": [string]})
    nodes.append({"type_key": "Map", "data": [string, string]})
    return document


def first_of_each_kind(nodes):
    """The number of the first node of each kind and number of elements, up to two."""
    found = {}
    for number, node in enumerate(nodes):
        found.setdefault((node["type_key"], min(len(node.get("data", ())), 2)), number)
    return list(found.values())


def change(document, number, field, value):
    """`document` where `field` of node `number`, a name or an index of its data, is `value`."""
    nodes = list(document["nodes"])
    node = nodes[number] = dict(nodes[number])
    if isinstance(field, int):
        node["data"] = [*node["data"][:field], value, *node["data"][field + 1:]]
    else:
        node["attrs"] = {**node["attrs"], field: str(value)}
    return json.dumps({**document, "nodes": nodes})


def make_changes(document):
    """(name, text) of each changed document."""
    nodes = document["nodes"]
    kinds = first_of_each_kind(nodes)
    for number in kinds:
        node = nodes[number]
        for field in list(node.get("attrs", ())) + list(range(min(2, len(node.get("data", ()))))):
            for value in kinds + ([] if isinstance(field, int) else list(TEXTS)):
                kind = nodes[value]["type_key"] if isinstance(value, int) else repr(value)
                yield f"{node['type_key']}.{field} {kind} {value}", change(document, number, field, value)


def read(relay_opt, texts, flags, folder):
    command = [relay_opt, "-", "-split-input-file", *flags, "-o", os.devnull]
    return command, limited.run(command, folder, SEPARATOR.join(texts).encode())


def work(relay_opt, batches, next_batch, end, problems, count):
    limited.limit_resources()
    with tempfile.TemporaryDirectory(prefix="relay-nodes") as folder:
        while time.monotonic() < end:
            with next_batch.get_lock():
                number = next_batch.value
                next_batch.value += 1
            if number >= len(batches):
                return
            for flags in FLAGS:
                command, outcome = read(relay_opt, [text for _, text in batches[number]], flags, folder)
                with count.get_lock():
                    count.value += len(batches[number])
                for name, text in batches[number] if outcome.problem else ():
                    command, alone = read(relay_opt, [text], flags, folder)
                    if alone.problem:
                        problems.put((name, alone.problem, alone.kind(), command, text))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    parser.add_argument("--modules", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="nodes-problems")
    options = parser.parse_args()
    relay_opt = os.path.join(os.path.abspath(options.bin), "relay-opt")
    modules = options.modules or [os.path.join(ROOT, "test/Text/Inputs", name) for name in ("json-nodes.relay", "json-calls.relay")]
    changes = [c for path in modules for c in make_changes(make_document(relay_opt, path))]
    batches = [changes[i:i + BATCH] for i in range(0, len(changes), BATCH)]
    context = multiprocessing.get_context("fork")
    next_batch, count, problems = context.Value("q", 0), context.Value("q", 0), context.SimpleQueue()
    arguments = (relay_opt, batches, next_batch, time.monotonic() + options.seconds, problems, count)
    workers = [context.Process(target=work, args=arguments) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    seen = {}
    while any(worker.is_alive() for worker in workers) or not problems.empty():
        if problems.empty():
            time.sleep(0.05)
            continue
        name, problem, kind, command, text = problems.get()
        place = (kind, name.split(" ")[0])
        if place not in seen:
            keep(options, name.replace("/", "-"), problem, [command], text.encode())
        seen[place] = seen.get(place, 0) + 1
    return finish(f"{count.value} documents read, {len(changes)} changes, {len(seen)} kinds of problems", len(seen), workers)


if __name__ == "__main__":
    sys.exit(main())
