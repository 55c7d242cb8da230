"""Runs each pass with some of its rewrites left out, and prints how many rewrites it has; relay-opt verifies the result."""

import re
import subprocess
import sys

PASSES = {
    "dead-code-elimination": "dead-code-elimination",
    "dead-code-elimination<inline-once>": "dead-code-elimination",
    "eliminate-common-subexpr": "eliminate-common-subexpr",
    "simplify-inference": "simplify-inference",
    "fuse-ops": "fuse-ops",
    "fuse-ops,defuse-ops": "defuse-ops",
    "to-a-normal-form": "to-a-normal-form",
    "to-basic-block-normal-form": "to-basic-block-normal-form",
    "to-graph-normal-form": "to-graph-normal-form",
    "inline": "inline",
    "lambda-lift": "lambda-lift",
    "eta-expand<expand-global-var>": "eta-expand",
    "remove-unused-functions": "remove-unused-functions",
    "split-args<max-function-args=3>": "split-args",
}


def run(pipeline, *options):
    command = ["relay-opt", "-passes=" + pipeline, "-verify-each", *options, sys.argv[1]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done


for pipeline, name in PASSES.items():
    counts = run(pipeline, "-print-debug-counter").stderr
    number = int(re.search(rf"^{name} *: {{(\d+),", counts, re.M)[1])
    whole = run(pipeline).stdout
    results = set()
    for skip in range(number):
        results.add(run(pipeline, f"-debug-counter={name}={skip},1").stdout)
        results.add(run(pipeline, f"-debug-counter={name}=0,{skip}").stdout)
        results.add(run(pipeline, f"-debug-counter={name}={skip + 1}").stdout)
    if not results - {whole}:
        sys.exit(f"{pipeline}: rewrites that are left out make no difference")
    print(f"{pipeline}: {number} rewrites")
