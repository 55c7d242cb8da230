"""usage: kernels.py SOURCE

Says where the table of operators without kernel in docs/Evaluation.md differs from the records of Kernels.td, by the name of the operator."""
import json, re, subprocess, sys
from pathlib import Path

source = Path(sys.argv[1])
include = source / "include"


def generate(generator, path):
    argv = ["relay-tblgen", generator, "-I", str(include), str(path)]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


operators = {}
for path in sorted((include / "relay" / "Ops").glob("*.td")):
    operators.update((op["class"], op["name"]) for op in json.loads(generate("-gen-op-json", path))["ops"])
bound = set(re.findall(r"&(?:relay::)?(\w+)::getInfo,", generate("-gen-op-hooks", include / "relay" / "Interpreter" / "Kernels" / "Kernels.td")))
assert bound, "no kernels"
without = {name for record, name in operators.items() if record not in bound}

section = (source / "docs" / "Evaluation.md").read_text().split("### Operators without a kernel\n")[1].split("\n#")[0]
listed = {name for row in re.findall(r"^\| (`.*?) \|", section, re.M) for name in re.findall(r"`([^`]+)`", row)}
for name in sorted(without - listed):
    print(f"{name} has no kernel and is not listed")
for name in sorted(listed - without):
    print(f"{name} is listed, but has a kernel")
print(f"{len(bound)} kernels, {len(listed)} operators without")
