"""Prints a file of pairs, `==== PARAMETERS` and two bodies in a line each, with what relay-diff tells of them.

`HEAD :: BODY` puts HEAD, the type parameters, before the parameters, which then may be `LEFT | RIGHT`."""
import subprocess
import sys
import tempfile

TYPES = "type List[A] { Cons(A, List[A]), Nil, Two(A, A), } type Pair { P(float32, int32), }\n"


def write(file, params, body):
    file.seek(0)
    file.truncate()
    head, _, body = body.rpartition(" :: ")
    file.write(f'#[version = "0.0.5"]\n{TYPES}def @f(%a: float32) {{ tanh(%a) }}\ndef @g(%a: float32) {{ exp(%a) }}\n')
    file.write(f"def @main{head}({params}) {{\n{body}\n}}\n")
    file.flush()


with tempfile.NamedTemporaryFile("w") as left, tempfile.NamedTemporaryFile("w") as right:
    lines = open(sys.argv[1]).read().splitlines()
    for i, line in enumerate(lines):
        if not line.startswith("==== "):
            continue
        print("\n".join(lines[i : i + 3]))
        params = line.removeprefix("==== ").split(" | ")
        write(left, params[0], lines[i + 1])
        write(right, params[-1], lines[i + 2])
        done = subprocess.run(["relay-diff", left.name, right.name], capture_output=True, text=True)
        answer = (done.stderr + done.stdout).replace(left.name, "left").replace(right.name, "right")
        print(answer or f"exit status {done.returncode}\n", end="")
