"""Prints a file of pipelines, each behind `==== ` and before what relay-opt says of it, with what it says now."""
import subprocess
import sys

for line in open(sys.argv[1]):
    if line.startswith("==== "):
        print(line, end="", flush=True)
        pipeline = line.removeprefix("==== ").rstrip("\n")
        result = subprocess.run(
            ["relay-opt", "-passes=" + pipeline], input="%x", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        print(result.stderr, end="")
        if result.returncode != 1:
            print("exit status", result.returncode)
