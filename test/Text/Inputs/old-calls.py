"""Prints a file of calls as older releases wrote them, each a line `==== RELEASE (PARAMETERS) CALL` before what relay-opt says
of it and reads it as, with what it says and reads now."""
import subprocess
import sys

for line in open(sys.argv[1]):
    if not line.startswith("==== "):
        continue
    print(line, end="", flush=True)
    release, rest = line.removeprefix("==== ").rstrip("\n").split(" ", 1)
    end = rest.index(") ")
    text = f'#[version = "0.0.5"]\ndef @main{rest[: end + 1]} {{\n  {rest[end + 2 :]}\n}}\n'
    result = subprocess.run(["relay-opt", "-", "-text-version=" + release], input=text, capture_output=True, text=True)
    for message in result.stderr.splitlines():
        if message.startswith("<stdin>:"):
            print(message.removeprefix("<stdin>:"))
    if result.returncode:
        print("exit status", result.returncode)
        continue
    body, _, metadata = result.stdout.partition("\n}\n")
    print(body.split("\n", 2)[2])
    nodes = metadata.partition('"nodes": [')[2].partition("\n  ]")[0]
    if nodes:
        print("  metadata:", " ".join(nodes.split()))
