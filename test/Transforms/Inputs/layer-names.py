"""Runs every pass that -print-passes lists, alone, with each option, and all in turn, on a module whose every expression
has a layer. In the result every expression has a layer of the input, and of the input's layers only those called gone/... may lack.

  layer-names.py MODULE RULES"""
import os
import re
import subprocess
import sys


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def list_passes():
    """{pass: {option: kind}}"""
    passes = {}
    in_passes = False
    for line in run("relay-opt", "-print-passes").stdout.splitlines():
        if not line.startswith(" "):
            in_passes = line in ("Module passes:", "Function passes:")
        elif in_passes and not line.startswith("    "):
            options = passes.setdefault(line.split()[0], {})
        elif in_passes:
            options[line.split()[0]] = line.rsplit("; ", 1)[-1].split(",")[0]
    return passes


# Passes that need options other than a file of rules.
NEEDED = {"annotate-target": ["targets=dnnl"], "convert-layout": ["desired-layouts=nn.conv2d:NHWC:HWIO"],
          "to-mixed-precision": ["dtype=float16"]}
# Integer options that 2 is no value of.
INTEGERS = {"kernel-size": "=3"}
# Passes that need a module whose operators all have a gradient: the file next to MODULE.
MODULES = {"gradient": "layers-differentiable.relay", "first-order-gradient": "layers-differentiable.relay"}
# Passes that need a module in a form that another pass makes.
BEFORE = {"un-cps": "to-cps,"}
# Passes that refuse what the passes before them create, or after which passes refuse the module.
REFUSING = {"to-cps", "un-cps", "defunctionalization", "lazy-gradient-init"}


def list_runs(rules):
    """(pass, [pipeline, ...]): `a`, `a<flag>`, `a<number=2>`; `b<file=RULES>`, `b<file=RULES;flag>`."""
    runs = []
    for name, options in list_passes().items():
        needed = NEEDED.get(name) or [f"{option}={rules}" for option, kind in options.items() if kind == "file"]
        texts = [option + {"bool": "", "int": INTEGERS.get(option, "=2")}[kind]
                 for option, kind in options.items() if kind in ("bool", "int")]
        runs.append((name, [BEFORE.get(name, "") + f"{name}<{';'.join(needed + text)}>".replace("<>", "")
                            for text in [[]] + [[text] for text in texts]]))
    return runs


def get_layers(text):
    return set(re.findall(r" span=(\S+?):0:0", text))


def find_problems(text, known):
    for line in text.splitlines():
        for comment in re.findall(r"/\* ty=.*?\*/", line):
            layers = get_layers(comment)
            is_variable = re.match(r" *let %\w+[^=]*" + re.escape(comment), line.split(" = ")[0] + " = ")
            if not is_variable and (not layers or not layers <= known):
                yield f"no layer of the input in '{comment}' of '{line.strip()}'"
    for layer in sorted(known - get_layers(text)):
        if not layer.startswith("gone/"):
            yield f"no operation is in layer '{layer}'"


def read_layers(module):
    with open(module, encoding="utf-8") as file:
        return get_layers(file.read())


def main(module, rules):
    failed = False
    runs = list_runs(rules)
    # dynamic-to-static folds annotations of constants; partial-evaluate binds markers, so that no regions are found.
    runs.sort(key=lambda one: (one[0] != "dynamic-to-static", one[0] == "partial-evaluate"))
    runs.append(("all", [",".join(pipelines[-1] for name, pipelines in runs
                                  if name not in MODULES and name not in REFUSING)]))
    for name, pipelines in runs:
        text = os.path.join(os.path.dirname(module), MODULES[name]) if name in MODULES else module
        known = read_layers(text)
        results = [(p, run("relay-opt", text, "-passes=" + p, "-print-spans", "-verify-each")) for p in pipelines]
        good = [(p, r) for p, r in results if r.returncode == 0]
        if not good:
            print(f"{name}: does not run: {results[0][1].stderr}")
            failed = True
        for pipeline, result in good:
            for problem in find_problems(result.stdout, known):
                print(f"{pipeline}: {problem}")
                failed = True
        if good:
            print(f"{name}: {len(good)} runs")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
