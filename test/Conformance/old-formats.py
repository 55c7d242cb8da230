#!/usr/bin/env python3
"""Shows that texts and JSON of all releases of TVM mean what stands beside them.

usage: old-formats.py --bin BUILD/bin [--shared DIR] [--filter TEXT] [--floor FILE] [--json FILE] [--show N]
       old-formats.py --bin BUILD/bin --mutate N [--seed N] [--shared DIR] [--filter TEXT] [--show N]

../shared/corpus-old has NAME.relay and NAME.json as TVM 0.6 to 0.18 wrote them, and NAME.want.relay, the same module in
the text of 0.18. relay-diff compares them, both typed. With --floor no group may have fewer equal files than the file
says. --json writes a list of {group, case, ok}, as conformance/run.py does. --mutate reads N files of the corpus with a
few changes each instead, which has to end with a module or with errors, in reasonable time, and writes what is read as
JSON, which has to be read again. The last line is 'N passed, N failed, N skipped'.
Exit status: 0 when no group is below its floor (without --floor: when all are equal), 1 otherwise, 2 for wrong usage.
"""
import argparse, collections, json, random, re, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2] / "shared"
# Files whose contents text cannot represent (corpus-old's README).
EXCEPTIONS = {"json-0.18/modattrs", "json-0.18/boxes"}


def cases(corpus):
    for want in sorted(corpus.rglob("*.want.relay")):
        stem = want.name[: -len(".want.relay")]
        for given in (want.with_name(stem + ".relay"), want.with_name(stem + ".json")):
            if given.exists():
                yield str(given.parent.relative_to(corpus)), stem, given, want


def compare(args, given, want):
    command = [str(args.bin / "relay-diff"), str(given), str(want)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, (done.stdout + done.stderr).strip()


# ---- mutations ----------------------------------------------------------------------------------------------------------

NUMBERS = ["0", "1", "2", "-1", "7", "300", "4294967295", "18446744073709551616", "99999", '"', "{", "]", "null", '"x"']


def mutate(rng, text):
    """Changes a number, a token or a line, or cuts, duplicates or moves a piece."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        kind = rng.randrange(7)
        if kind == 0:
            return text[: rng.randrange(len(text) + 1)]
        tokens = list(re.finditer(r"\d+" if kind < 3 else r"[A-Za-z_.]+|\d+|[^\sA-Za-z0-9_.]", text))
        if not tokens:
            continue
        a, b = rng.choice(tokens), rng.choice(tokens)
        if kind < 3:
            new = rng.choice(NUMBERS) if kind < 2 else b.group()
        else:
            new = [b.group(), "", a.group() * 2, b.group() + a.group()][kind - 3]
        text = text[: a.start()] + new + text[a.end() :]
    return text


def is_crash(done):
    crashed = done.returncode not in (0, 1) or "crash" in done.stderr or "Assertion" in done.stderr
    return crashed or (done.returncode == 1 and "error:" not in done.stderr)


def try_mutant(args, path, workdir):
    """The problem with reading the file, or None."""
    opt, out = str(args.bin / "relay-opt"), str(Path(workdir) / "out.json")
    for command in ([opt, "-quiet-upgrades", "-emit=json", str(path), "-o", out], [opt, out, "-o", "/dev/null"]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired:
            return "does not end"
        if is_crash(done):
            return f"status {done.returncode}: {done.stderr[-2000:]}"
        if done.returncode:
            return None if command[-1] == out else "JSON that was written is not read: " + done.stderr[:500]
    return None


def run_mutations(args, corpus):
    rng, bad, given = random.Random(args.seed), 0, [g for *_, g, _ in cases(corpus) if args.filter in str(g)]
    with tempfile.TemporaryDirectory() as workdir:
        for number in range(args.mutate):
            origin = rng.choice(given)
            path = Path(workdir) / ("mutant" + origin.suffix)
            path.write_text(mutate(rng, origin.read_text()))
            problem = try_mutant(args, path, workdir)
            if problem is None:
                continue
            bad += 1
            if bad <= args.show:
                kept = Path(tempfile.gettempdir()) / f"old-formats-{args.seed}-{number}{origin.suffix}"
                kept.write_text(path.read_text())
                print(f"FAIL {kept} ({origin}): {problem}\n", flush=True)
    print(f"{args.mutate - bad} passed, {bad} failed, 0 skipped")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--filter", default="")
    parser.add_argument("--floor", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--mutate", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    corpus = args.shared / "corpus-old"
    if not corpus.is_dir():
        print(f"no {corpus}\n0 passed, 0 failed, 1 skipped")
        return 0
    if args.mutate:
        return run_mutations(args, corpus)
    passed, all_, failures, skipped, results = collections.Counter(), collections.Counter(), [], 0, []
    for group, name, given, want in cases(corpus):
        if args.filter not in f"{group}/{name}":
            continue
        status, output = compare(args, given, want)
        all_[group] += 1
        passed[group] += status == 0
        results.append({"group": group, "case": name, "ok": status == 0})
        if status == 0:
            continue
        if f"{group}/{name}" in EXCEPTIONS:
            skipped += 1
        else:
            failures.append((given, output))
    for given, output in failures[: args.show]:
        print(f"FAIL {given}\n{output}\n")
    for group in all_:
        print(f"{group:24} {passed[group]:3} of {all_[group]}")
    if args.json:
        args.json.write_text(json.dumps(results) + "\n")
    floor = json.loads(args.floor.read_text()) if args.floor else {}
    below = [g for g, n in floor.items() if not args.filter and passed[g] < n]
    for group in below:
        print(f"{group}: {passed[group]}, below its floor of {floor[group]}")
    print(f"{sum(passed.values())} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if below or (failures and not args.floor) else 0


if __name__ == "__main__":
    sys.exit(main())
