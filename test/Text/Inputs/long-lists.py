"""Runs TOOL on texts with lists of 200,000, or 30,000 type parameters of one type, each with 20 seconds of CPU time; prints
how it ends.

usage: long-lists.py TOOL
"""
import resource
import subprocess
import sys

COUNT = 200_000
SECONDS = 20


def listed(form, separator=", ", count=COUNT):
    return separator.join(form.format(i) for i in range(count))


TYPE_PARAMS = listed("A{0}", count=30_000)


TEXTS = {
    "constructors": f"type T {{ {listed('C{0}')} }} def @main() {{ 1 }}",
    "attributes": f"def @main({listed('a{0}={0}')}) {{ 1 }}",
    "parameters": f"def @main({listed('%p{0}: int8')}) {{ %p0 }}",
    "clauses": f"type T {{ A(int8), B, }} def @main(%t: T) {{ match? (%t) {{ {listed('A(%x{0}) => {{ %x{0} }}')} }} }}",
    "definitions": listed("def @f{0}() {{ 1 }}", "\n"),
    "type parameters": f"def @main(%f: fn [{TYPE_PARAMS}]({TYPE_PARAMS}) -> A0) {{ %f }}",
}

for name, text in TEXTS.items():
    answer = subprocess.run(
        [sys.argv[1], "-no-infer", "-"],
        input=f'#[version = "0.0.5"]\n{text}\n'.encode(),
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
    )
    print(f"{name}: exit status {answer.returncode}")
