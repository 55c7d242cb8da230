"""Runs relay-opt and relay-run, on files of a temporary directory."""
import re
import subprocess

import numpy

from .dictionary import read_dictionary
from .error import DoctorError
from .module import parse

SPAN = re.compile(r"(?<=[* ])span=[^*]*(?= \*/)")


class Tools:
    """`values` are the values of all parameters of both models, once the first run has returned them."""

    def __init__(self, args, directory):
        self.args = args
        self.directory = directory
        self.constants = {}
        self.values = None
        self.runs = 0
        for tool in ("relay-opt", "relay-run"):
            if not (args.bin / tool).is_file():
                raise DoctorError(f"no {tool} in {args.bin}; build it, or give its directory with --bin")

    def call(self, tool, *args):
        process = subprocess.run([self.args.bin / tool, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        return process.returncode, process.stdout, process.stderr

    def normalize(self, file, shown):
        """The text in graph normal form, with spans; large constants are added to `constants`."""
        constants = self.directory / "constants.params"
        status, text, errors = self.call("relay-opt", file, "-passes=to-graph-normal-form", "-print-spans",
                                         "-quiet-upgrades", "-elide-constants-larger-than=0",
                                         f"-constants-file={constants}")
        if status:
            raise DoctorError(f"relay-opt cannot read '{shown}':\n{errors.strip()}")
        if constants.exists():
            self.constants.update(read_dictionary(constants))
            constants.unlink()
        return text

    def without_layers(self, path):
        """A copy without the spans of importers: operations have their positions as spans."""
        copy = self.directory / "positions.relay"
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
        copy.write_text(SPAN.sub(lambda match: " " * len(match[0]), text), encoding="utf-8", errors="surrogateescape")
        return copy

    def read(self, path):
        try:
            copy = self.without_layers(path)
        except OSError as error:
            raise DoctorError(f"{path}: {error.strerror}") from None
        module = parse(self.normalize(path, path), path)
        module.add_positions(parse(self.normalize(copy, path), path))
        return module

    def convert_fake_quantization(self, path):
        """The module after fake-quantization-to-integer and its remarks; None and no lines if it fails."""
        flags = ["-passes=fake-quantization-to-integer", "-quiet-upgrades", "-print-spans"]
        remarks = "-pass-remarks-missed=fake-quantization-to-integer"
        _, _, lines = self.call("relay-opt", self.without_layers(path), *flags, remarks, "-o", "/dev/null")
        converted = self.directory / "converted.relay"
        status, _, _ = self.call("relay-opt", path, *flags, "-o", converted)
        return (None, []) if status else (parse(self.normalize(converted, path), path), lines.splitlines())

    def given_values(self):
        """The flags of the first run."""
        args, flags = self.args, []
        numpy.savez(self.directory / "constants.npz", **{f"constant_{key}": array for key, array in
                                                         self.constants.items()})
        if args.params:
            flags.append(f"-params={args.params}")
        if args.seed is not None or not (args.params or args.inputs):
            flags.append(f"-params=random:{args.seed or 0}")
        flags += [f"-input={name}" for name in args.inputs if not name.endswith(".npz")]
        return flags + [name for name in args.inputs if name.endswith(".npz")] + [self.directory / "constants.npz"]

    def run(self, text):
        """Evaluates @main and returns the fields of its result."""
        model, out = self.directory / "spliced.relay", self.directory / "out"
        model.write_text(text)
        flags = [self.values] if self.values else self.given_values()
        status, _, errors = self.call("relay-run", model, *flags, "-o", out)
        self.runs += 1
        if status:
            raise DoctorError(f"relay-run failed:\n{errors.strip()}")
        paths = sorted(out.iterdir(), key=lambda path: int(path.stem.partition("_")[2]))
        arrays = [numpy.load(path) for path in paths]
        for path in paths:
            path.unlink()
        return arrays

    def keep_values(self, names, arrays):
        """From now on runs use these values of parameters."""
        self.values = self.directory / "values.npz"
        numpy.savez(self.values, **dict(zip(names, arrays)))
