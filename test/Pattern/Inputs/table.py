"""Prints a table of patterns and expressions with relay-opt's answers.

table.py FILE: in FILE are comments and blocks,

    pattern P
    yes E
    no E
      reason

and the same is printed as -explain-match answers for the root of each E: the
reasons are its notes, or the error of a pattern that is refused. A pattern that
is a `let` is tried on the `let` that E begins with. Variables that E does not
declare are free. `K;` is `%0 = nn.conv2d(%x, %w);`.
"""

import itertools
import re
import subprocess
import sys
import tempfile

VARIABLE = "%[a-z][a-z0-9]*"


def declare(expression):
    """`expression`, with its free variables declared."""
    text = re.sub(r"\bK;", "%0 = nn.conv2d(%x, %w);", expression)
    declared = re.findall(r"(?:free_var |let |fn \()(%s)" % VARIABLE, text)
    declared += re.findall(r"fn \(%s[^,)]*, (%s)" % (VARIABLE, VARIABLE), text)
    free = set(re.findall(VARIABLE, text)) - set(declared)
    if text.startswith("fn "):  # by itself it would be the main function
        text = f"let %f = {text};\n%f"
    lines = [f"free_var {name};" for name in sorted(free)] + [text]
    return "\n".join(lines) + "\n"


def find_root(pattern, expression):
    """What -explain-match calls the root of `expression`."""
    if expression.startswith("fn "):
        return "%f"
    let = re.match("let (%\\w+)", expression)
    return let[1] if let and pattern.startswith("let(") else "@main"


def answer(pattern, root, expressions):
    """The remark and the notes on each expression, a list for each."""
    with tempfile.NamedTemporaryFile("w", suffix=".relay") as file:
        file.write("// -----\n".join(declare(e) for e in expressions))
        file.flush()
        command = ["relay-opt", file.name, "-split-input-file",
                   f"-match={pattern}", f"-explain-match={root}"]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        errors = re.findall("^-match:(.*error: .*)", run.stderr, re.M)
        return [["", "  " + error] for error in errors] or sys.exit(run.stderr)
    answers = []
    for line in run.stdout.splitlines():
        message = re.match(r"(?:.*:)?(\d+:\d+: )?(remark|note): (.*)", line)
        if message and message[2] == "remark":
            answers.append([message[3]])
        elif message:
            place = message[1] if line.startswith("-match") else ""
            answers[-1].append(f"  {place}{message[3]}")
    return answers


def print_block(pattern, expressions):
    print("pattern", pattern)
    by_root = itertools.groupby(expressions, lambda e: find_root(pattern, e))
    for root, group in [(root, list(group)) for root, group in by_root]:
        for expression, lines in zip(group, answer(pattern, root, group)):
            matches = lines[0].endswith("` matches")
            print("yes" if matches else "no", expression)
            for line in lines[1:]:
                print(line)


def main():
    with open(sys.argv[1]) as file:
        table = file.read()
    pattern, expressions = None, []
    for line in table.splitlines() + ["pattern *"]:
        word, _, rest = line.partition(" ")
        if word in ("yes", "no"):
            expressions.append(rest)
        elif word == "pattern":
            if pattern:
                print_block(pattern, expressions)
            pattern, expressions = rest, []
        elif line.startswith("//"):
            if pattern:
                print_block(pattern, expressions)
            pattern, expressions = None, []
            print(line)


main()
