"""Runs relay-test-opt with each of its flags on inputs and pipelines that are wrong.

usage: broken-runs.py DIRECTORY INPUT...: which of INPUTS, and a directory for files. Each run has to end with exit status
1 or 2 and an error on standard error, to write nothing on standard output, and to leave no temporary file, but for those
of FINE. Flags and their values are read from -help: a new flag is tried too, a new kind of value has to be added to
VALUES.
"""
import pathlib
import re
import subprocess
import sys

# What stands for the values of flags; {} is a directory.
VALUES = {
    "": [""],
    "0.N": ["=0.18", "=0.5"],
    "command": ["=false", "=true", "=/nowhere/command"],
    "directory": ["={}/dumps", "=/nowhere/dumps", "=/dev/null"],
    "elements": ["=0", "=many"],
    "file": ["={}/written.json", "=/nowhere/written.json", "=/dev/full", "={}"],
    "file=level,...": ["=FuseOps=2,DEFAULT=1", "=Nothing=1"],
    "function,...": ["=main", "=nothing"],
    "%name,@function,layer:name,...": ["=%0", "=@main", "=%99", "=layer:a"],
    "pattern": ["=nn.relu(*)", "=nn.relu("],
    "regex": ["=a", "=("],
    "key=value": ["=relay.FuseOps.max_depth=3", "=nothing=1"],
    "level": ["=0", "=99"],
    "file|random[:seed]": ["=random:1", "=random:x", "=/nowhere/p.params"],
    "name,...": ["=x", "=nothing"],
    "marker": ["=// ----", "=x"],
    "MiB": ["=1024", "=0", "=many"],
    "library": ["=/nowhere/plugin.so", "=/dev/null"],
    "name[,option=value...]": ["=llvm", "=nothing"],
    "seconds": ["=2", "=0"],
    "number": ["=2", "=1000000", "=many"],
    "number,...": ["=1,2", "=0", "=99"],
    "pass,...": ["=fuse-ops", "=nothing"],
    "pass=skip,count": ["=fuse-ops=0,1", "=nothing=1"],
    "pipeline": ["=fuse-ops", "=("],
}
# Sections of -help whose flags do not read any input.
LISTS = ("General", "Lists")

HEADER = '#[version = "0.0.5"]\n'
VALID = HEADER + "def @main(%x: Tensor[(2), float32]) {\n  nn.relu(nn.relu(%x))\n}\n"
INPUTS = {
    "empty": "",
    "binary": HEADER + "def @main() { \0\x7f\u00ff",
    "syntax": HEADER + "def @main(%x: int32) {\n  add(%x,\n}\n",
    "types": HEADER + "def @main(%x: Tensor[(2), float32], %y: Tensor[(3), float32]) {\n  add(%x, %y)\n}\n",
    "failing": VALID,
    "invalid": VALID,
    "crashing": VALID,
    "missing": None,
    "directory": None,
}
PIPELINES = {
    "failing": "simplify-inference,test-fail",
    "invalid": "simplify-inference,test-replace-relu<bad=2;how=invalid>",
    "crashing": "simplify-inference,test-crash<how=null>",
}
# What may succeed, by flag and input.
FINE = {
    ("allow-undefined-globals", "invalid"),
    ("bisect", "failing"),
    ("bisect", "invalid"),
    ("bisect", "crashing"),
    ("disable-verify", "invalid"),
    ("no-infer", "types"),
}


def flags():
    """The flags that -help lists, with each of their values."""
    listing = subprocess.run(["relay-test-opt", "-help"], capture_output=True, text=True, check=True).stdout
    name = None
    for part in re.split(r"\n(?=[A-Z].*:\n)", listing):
        if part.startswith(LISTS):
            continue
        for line in part.splitlines():
            if match := re.match(r"  -([\w-]+)(?:(\[?)=<(.*?)>\]?)?(?: |$)", line):
                name, optional, meta = match.groups()
                values = [] if meta == "value" else VALUES[meta or ""]  # words come one by one
                yield from ((name, value) for value in values + [""] * bool(optional))
            elif match := re.match(r" +(=[\w-]+): ", line):
                yield name, match[1]


def write_input(path, text):
    """Makes the input at a path; without a text, a directory, unless it is to be missing."""
    if text is not None:
        path.write_text(text, encoding="latin-1")
    elif path.stem == "directory":
        path.mkdir()


def problem(directory, command, is_fine, is_crash):
    """What is wrong with a run; None for nothing."""
    run = subprocess.run(
        command, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    if run.returncode == 0 and is_fine:
        return None
    if run.returncode not in (1, 2):
        return f"exit status {run.returncode}"
    if b"error: " not in run.stderr:
        return "no error"
    if not is_crash and re.search(rb"error: (aborted|.* fault) in ", run.stderr):
        return "a crash"
    return "something on standard output" if run.stdout else None


def main():
    directory, *names = sys.argv[1:]
    paths = {name: pathlib.Path(directory, name + ".relay") for name in names}
    for name, path in paths.items():
        write_input(path, INPUTS[name])
    runs = wrong = 0
    for flag, value in flags():
        for name, path in paths.items():
            pipeline = PIPELINES.get(name, "fuse-ops")
            command = ["relay-test-opt", f"-{flag}{value.format(directory)}", str(path), f"-passes={pipeline}"]
            runs += 1
            if found := problem(directory, command, (flag, name) in FINE or value == "=only-expected", name == "crashing"):
                wrong += 1
                print(found + ":", *command)
    for path in pathlib.Path(directory).rglob("*.tmp*"):
        wrong += 1
        print("left:", path)
    print(f"{runs} runs, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
