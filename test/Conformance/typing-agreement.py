#!/usr/bin/env python3
"""Shows that all ways of typing find the same types: one operation at a time, inference, the solver, the Verifier.

usage: typing-agreement.py --bin BUILD/bin [--random N] [--seed N] [--models] [--corpus] [--strict] [--jobs N] [--show N]

Each text is read by relay-test-opt and given to its pass test-typing, which reports every value whose types differ.
--random tries N random graphs of utils/relay-models: every third as it is, every third without result types, every third
with sizes of parameters that are not known. --models tries the bundled models, --corpus all texts of the packed corpus
in --shared (default: 'shared' next to the repository). With --strict an operation that is more dynamic for what stands
around it than its operands alone make it is a difference, too.
A text that relay-opt does not read is skipped. The last line is 'N passed, N failed, N skipped'.
Exit status: 0 when all agree, 1 when they do not, 2 for wrong usage.
"""
import argparse, concurrent.futures, io, random, re, subprocess, sys
from pathlib import Path

from reference import load_script

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = ["-allow-unregistered-ops", "-o", "/dev/null"]
BATCH = 50  # texts a process; those of a batch that fails are tried one by one
BATCH_BYTES = 2_000_000
SEPARATOR = "\n// -----\n"
MODELS = ["resnet-18", "mobilenet", "vgg-11", "lstm", "transformer"]
FEATURES = ["--tuples", "--lets", "--ifs", "--closures"]


def load_models():
    sys.path.insert(0, str(ROOT / "utils"))
    import relay_models
    return relay_models


def write_model(relay_models, argv):
    args = relay_models.parse_arguments("", argv)
    out = io.StringIO()
    args.write(args, out)
    return out.getvalue()


def without_results(text, _):
    return re.sub(r"(?m)^(def @.*\)) -> .* \{$", r"\1 {", text)


def with_unknown_sizes(text, rng):
    def change(match):
        return re.sub(r"\b\d+\b(?=[,)])", lambda size: "?" if rng.random() < 0.2 else size[0], match[0], count=4)
    head = re.compile(r"(?m)^def @.*\{$")
    return head.sub(lambda match: re.sub(r"%\w+: Tensor\[\([^)]*\)", change, match[0]), without_results(text, rng))


def random_texts(count, seed):
    relay_models = load_models()
    for number in range(seed, seed + count):
        rng = random.Random(number)
        argv = ["random", "--seed", str(number), "--ops", str(rng.randrange(5, 120))]
        argv += [feature for feature in FEATURES if rng.random() < 0.6]
        if rng.random() < 0.3:
            argv += ["--functions", "2", "--ops", str(rng.randrange(60, 150))]
        vary = [lambda text, _: text, without_results, with_unknown_sizes][number % 3]
        yield "random " + " ".join(argv[1:]), vary(write_model(relay_models, argv), rng)


def model_texts():
    relay_models = load_models()
    for name in MODELS:
        yield name, write_model(relay_models, [name])


def corpus_texts(shared):
    corpus = load_script(shared / "conformance" / "run.py").unpack()
    for path in sorted(corpus.rglob("*.relay")):
        if path.parts[len(corpus.parts)] != "errors":
            yield str(path.relative_to(corpus)), path.read_text(errors="replace")


def run(tool, flags, text):
    return subprocess.run([str(tool), *flags, "-"], input=text, capture_output=True, text=True, errors="replace")


class Checker:
    def __init__(self, args):
        self.tool = args.bin / "relay-test-opt"
        self.flags = FLAGS + (["-passes=test-typing<strict>"] if args.strict else ["-passes=test-typing"])

    def check(self, batch):
        """(name, 'passed', 'failed' or 'skipped', message) of each text."""
        texts = SEPARATOR.join(text for _, text in batch)
        if len(batch) > 1 and run(self.tool, self.flags + ["-split-input-file"], texts).returncode == 0:
            return [(name, "passed", "") for name, _ in batch]
        return [self.check_one(name, text) for name, text in batch]

    def check_one(self, name, text):
        result = run(self.tool, self.flags, text)
        if result.returncode == 0:
            return name, "passed", ""
        if result.returncode > 0 and run(self.tool, FLAGS, text).returncode:
            return name, "skipped", ""
        return name, "failed", result.stderr


def batches(texts):
    batch, size = [], 0
    for item in texts:
        if batch and (len(batch) == BATCH or size + len(item[1]) > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += len(item[1])
    if batch:
        yield batch


def texts_of(args):
    if args.models:
        yield from model_texts()
    yield from random_texts(args.random, args.seed)
    if args.corpus:
        yield from corpus_texts(args.shared)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--corpus", action="store_true")
    parser.add_argument("--strict", action="store_true", help="what unification made dynamic is a difference, too")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    args = parser.parse_args()
    checker, counts, shown = Checker(args), {"passed": 0, "failed": 0, "skipped": 0}, 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for results in pool.map(checker.check, batches(texts_of(args))):
            for name, outcome, said in results:
                counts[outcome] += 1
                if outcome == "failed" and shown < args.show:
                    shown += 1
                    print(f"{name}:", *said.splitlines()[:6], sep="\n    ")
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
