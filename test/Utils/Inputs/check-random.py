"""usage: check-random.py SOURCE FOLDER GRAPHS OPS: writes random graphs of all kinds, evaluates each with relay-run, and
prints how many operators, data types and constructs of the language they have."""
import io
import re
import subprocess
import sys

source, folder, graphs, ops = sys.argv[1:]
sys.path.insert(0, f"{source}/utils")

from relay_models import parse_arguments  # noqa: E402
from relay_models.mixed.body import DTYPES  # noqa: E402

CONSTRUCTS = {"let": r"\blet ", "if": r"\bif \(", "closure": r"= fn \(", "function": r"= @f\d\(",
              "recursion": r"let %loop", "data type": r"List\[", "match": r"match \(", "polymorphism": r"\[A\]\(",
              "reference": r"ref_write", "tuple": r"= \(%", "projection": r"%\w+\.\d",
              "constant": r"meta\[", "unknown dimension": r"\?"}


def make(seed):
    args = parse_arguments("", ["random", "--kinds", "all", "--seed", str(seed), "--ops", ops])
    out = io.StringIO()
    args.write(args, out)
    return out.getvalue()


known = set(subprocess.run(["relay-opt", "-print-ops"], capture_output=True, text=True, check=True).stdout.split())
operators, missing, constructs = set(), set(DTYPES), set(CONSTRUCTS)
for seed in range(int(graphs)):
    text = make(seed)
    path = f"{folder}/{seed}.relay"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(["relay-run", path, f"-params=random:{seed}"], capture_output=True, text=True)
    if done.returncode:
        print(f"seed {seed}: {done.stderr[:500]}")
    operators.update(name for name in re.findall(r"([\w.]+)\(", text) if name in known)
    missing -= {dtype for dtype in missing if re.search(rf"\b{dtype}\b", done.stdout)}
    constructs -= {name for name in constructs if re.search(CONSTRUCTS[name], text)}
print(len(operators), "operators;", "missing:", *sorted(missing), *sorted(constructs))
