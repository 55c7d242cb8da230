#!/usr/bin/env python3
"""Gives the tools changed files other than models: .npy and .npz inputs, files of parameters and constants, rules and
patterns. Each has to be read or to be an error.

usage: files.py [--bin DIR] [--runs N] [--seconds S] [--seed N] [--first N] [--jobs N] [--out DIR]

Run N of a seed is the same on every machine: `--seed 1 --first 4711 --runs 1` repeats run 4711. Each kind of problem is
kept once in --out, with the command that shows it. Exit status 1 if there was one.
"""
import argparse
import glob
import multiprocessing
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import limited
from fuzz import ROOT, finish, keep
from mutations import Mutator

MODEL = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32], %i: Tensor[(2), int64]) {
  (nn.dense(%x, %w, units=None), take(%x, %i, axis=0), add(%x, 1f))
}
"""
NUMBERS = (0, 1, 0x7f, 0xff, 0x7fffffff, 0xffffffff, 1 << 31, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)


def change_bytes(source, data):
    """Changes some bytes, numbers of 2 to 8 bytes, or parts of `data`."""
    data = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 5))):
        at = source.randrange(len(data) + 1)
        kind = source.randrange(6)
        if kind == 0 and at < len(data):
            data[at] = source.randrange(256)
        elif kind == 1:
            data[at:at + source.randrange(1, 64)] = b""
        elif kind == 2:
            data[at:at] = data[at:at + source.randrange(1, 64)]
        elif kind == 3:
            form = source.choice("<H <I <Q >I".split())
            size = struct.calcsize(form)
            data[at:at + size] = struct.pack(form, source.choice(NUMBERS) & ((1 << 8 * size) - 1))
        elif kind == 4:
            del data[at:]
        elif at < len(data):
            data[at] ^= 1 << source.randrange(8)
    return bytes(data)


class Fuzzer:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.bin = os.path.abspath(options.bin)
        self.write_inputs()
        # The changed file, and the command that reads it as `file`.
        opt, run = os.path.join(self.bin, "relay-opt"), os.path.join(self.bin, "relay-run")
        quiet = ["-o", os.devnull]
        self.kinds = [(self.load("x.npy"), [run, "model.relay", "file.npy", "-params=random"]),
                      (self.load("all.npz"), [run, "model.relay", "file.npz", "-params=random"]),
                      (self.load("all.params"), [run, "model.relay", "-params=file.params"]),
                      (self.load("all.params"), [opt, "model.relay", "-params=file.params", *quiet]),
                      (self.load("all.constants"), [opt, "elided.relay", "-constants-file=file.constants", *quiet])]
        texts = [self.load(path) for path in sorted(glob.glob(f"{ROOT}/test/**/*.rules", recursive=True))]
        self.kinds += [(text, [opt, "model.relay", "-passes=rewrite<rules=file.rules>", "-verify-each", *quiet]) for text in texts]
        texts = [self.load(path) for path in sorted(glob.glob(f"{ROOT}/test/**/*.patterns", recursive=True))]
        self.kinds += [(text, [opt, "model.relay", "-match-file=file.patterns", *quiet]) for text in texts]
        self.kinds += [(text, [opt, "model.relay", "-passes=merge-composite<patterns=file.patterns>", *quiet]) for text in texts]
        self.texts = [data.decode("latin-1") for data, _ in self.kinds if self.is_text(data)]

    def load(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    @staticmethod
    def is_text(data):
        return b"\0" not in data

    def write_inputs(self):
        import numpy
        arrays = {"x": numpy.arange(6, dtype="float32").reshape(2, 3), "w": numpy.ones((4, 3), "float32"), "i": numpy.array([1, 0])}
        path = lambda name: os.path.join(self.folder, name)  # noqa: E731
        numpy.save(path("x.npy"), arrays["x"])
        numpy.savez(path("all.npz"), **arrays)
        relay_opt = os.path.join(self.bin, "relay-opt")
        with open(path("model.relay"), "w") as file:
            file.write(MODEL)
        for flags in (["-save-params=all.params", "-o", os.devnull],
                      ["-elide-constants-larger-than=0", "-constants-file=all.constants", "-o", "elided.relay"]):
            subprocess.run([relay_opt, "model.relay", "-params=random", *flags], check=True, cwd=self.folder)

    def make_run(self, number):
        """The bytes of the file, its name and the command of run `number`."""
        source = random.Random(f"{self.options.seed} {number}")
        data, command = source.choice(self.kinds)
        name = next(part[part.rindex("file."):].rstrip(">") for part in command if "file." in part)
        if self.is_text(data) and source.random() < 0.9:
            return Mutator(source, self.texts).mutate(data.decode("latin-1")).encode("latin-1"), name, command
        return change_bytes(source, data), name, command


def work(fuzzer, numbers, problems, count):
    limited.limit_resources()
    options = fuzzer.options
    with tempfile.TemporaryDirectory(prefix="relay-files") as folder:
        for name in ("model.relay", "elided.relay"):
            shutil.copy(os.path.join(fuzzer.folder, name), folder)
        while time.monotonic() < options.end:
            with numbers.get_lock():
                number = numbers.value
                numbers.value += 1
            if number >= options.first + options.runs:
                return
            data, name, command = fuzzer.make_run(number)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            outcome = limited.run(command, folder, failures=(1, 2))
            with count.get_lock():
                count.value += 1
            if outcome.problem:
                problems.put((f"run {number} {name}", outcome.problem, outcome.kind(), command, data))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="files-problems")
    options = parser.parse_args()
    options.end = time.monotonic() + options.seconds
    context = multiprocessing.get_context("fork")
    numbers, count, problems, seen = context.Value("q", options.first), context.Value("q", 0), context.SimpleQueue(), set()
    with tempfile.TemporaryDirectory(prefix="relay-files") as folder:
        fuzzer = Fuzzer(options, folder)
        workers = [context.Process(target=work, args=(fuzzer, numbers, problems, count)) for _ in range(options.jobs)]
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers) or not problems.empty():
            if problems.empty():
                time.sleep(0.05)
                continue
            name, problem, kind, command, data = problems.get()
            if kind not in seen:
                keep(options, name, problem, [command], data)
            seen.add(kind)
    return finish(f"{count.value} runs, {len(seen)} kinds of problems", len(seen), workers)


if __name__ == "__main__":
    sys.exit(main())
