"""The flags of utils/mutate, and the order of its steps."""
import argparse
import os
import random
import signal
import sys
from pathlib import Path

from relay_models.arguments import positive

from . import changes, environment, equivalents
from .mutants import choose
from .report import make_report
from .scratch import BuildError, Scratch
from .state import NoState, State
from .suite import LitTests, Suite, UnitTests
from .trial import make_outcomes, try_outcomes

ROOT = Path(__file__).resolve().parent.parent.parent
LIT = Path("/usr/lib/llvm-19/build/utils/lit/lit.py")
# The factor of additional places, since some mutants do not compile.
RESERVE = 1.3
RECORDER = """
import sys
sys.path.insert(0, {folder!r})
from relay_mutate.lit_recorder import install
install(config)
"""


def parse_arguments(description, argv):
    parser = argparse.ArgumentParser(prog="mutate", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", default="HEAD~1", metavar="COMMIT", help="the lines that changed since (default: HEAD~1)")
    parser.add_argument("--count", type=positive, default=100, metavar="N", help="mutants to try (default: 100)")
    parser.add_argument("--room", metavar="NAME", help="sources of this room only, for example Text")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed picks other places (default: 1)")
    parser.add_argument("--minutes", type=float, default=600, metavar="N", help="stop trying after this time")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), metavar="N", help="processes at once")
    parser.add_argument("--source", type=Path, default=ROOT, metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="the scratch folder (default: build/mutate)")
    parser.add_argument("--list", action="store_true", help="print the places that would be chosen, and stop")
    parser.add_argument("--resume", action="store_true", help="go on with the last run where it was interrupted")
    parser.add_argument("--again", action="store_true",
                        help="as --resume, after bringing the tests of the build up to date: survivors meet the ones that changed")
    return parser.parse_args(argv)


def find_candidates(source, since, room):
    from .places import find_places
    candidates = []
    for path, lines in sorted(changes.changed_lines(source, since, room).items()):
        candidates += find_places(path, (source / path).read_bytes(), lines)
    return candidates


class Run:
    """One use of the tool. The scratch folder keeps the state for `--resume` and `--again`."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = arguments.folder or arguments.source / "build" / "mutate"
        self.scratch = Scratch(arguments.source, self.folder, arguments.jobs)
        self.state_file = self.folder / "last-run.pickle"
        self.reasons = equivalents.read()
        self.suite = Suite(LitTests(LIT, self.scratch.build / "test", self.folder / "record", arguments.jobs),
                           UnitTests(self.scratch.build / "test", self.folder / "record", arguments.jobs))

    def choose(self, count):
        arguments = self.arguments
        return choose(find_candidates(arguments.source, arguments.since, arguments.room), count, arguments.seed)

    def size(self, mutants):
        """The size in bytes of a record of reached mutants."""
        return max((mutant.number for mutant in mutants), default=0) + 1

    def install_recorder(self):
        config = self.scratch.tree / "test" / "lit.cfg.py"
        config.write_text(config.read_text() + RECORDER.format(folder=str(Path(__file__).resolve().parent.parent)))

    def try_mutants(self, state):
        """Runs the remaining tests and saves each outcome."""
        self.suite.tests = state.tests
        state.outcomes = make_outcomes(self.suite, state.sample, {o.mutant.number: o for o in state.outcomes},
                                       lambda mutant: equivalents.key(mutant) in self.reasons)
        for _ in try_outcomes(self.suite, state.outcomes, self.arguments.minutes):
            state.save(self.state_file)
        state.save(self.state_file)
        return state.outcomes

    def try_all(self):
        chosen = self.choose(round(RESERVE * self.arguments.count))
        print(f"{len(chosen)} places chosen", file=sys.stderr, flush=True)
        built = self.scratch.build_mutants(chosen)
        self.install_recorder()
        self.suite.record(self.size(chosen))
        sample = random.Random(self.arguments.seed).sample(built, min(self.arguments.count, len(built)))
        state = State(built, sample, self.suite.tests)
        state.save(self.state_file)
        return self.try_mutants(state)

    def resume(self):
        return self.try_mutants(State.load(self.state_file))

    def update_tests(self, built):
        """Updates the tests of the scratch copy and records the changed ones."""
        programs = self.suite.unit.programs()
        before = {name: path.stat().st_mtime_ns for name, path in programs.items()}
        changed = self.scratch.copy(built, "test")
        self.install_recorder()
        if (output := self.scratch.compile()) is not None:
            raise BuildError(output)
        linked = [name for name, path in self.suite.unit.programs().items() if path.stat().st_mtime_ns != before.get(name)]
        names = [path[len("test/"):] for path in changed
                 if path.endswith((".relay", ".td", ".test")) and "Inputs" not in path]
        return {test.name for test in self.suite.record_changed(self.size(built), names, linked)}

    def try_again(self):
        state = State.load(self.state_file)
        self.suite.tests = state.tests
        changed = self.update_tests(state.built)
        state.tests = self.suite.tests
        for outcome in state.outcomes:
            outcome.passed -= changed
        return self.try_mutants(state)


def main(description, argv=None):
    arguments = parse_arguments(description, argv)
    arguments.source = arguments.source.resolve()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run = Run(arguments)
        if not arguments.again and not arguments.resume:
            environment.enter(run.folder / "venv")
        if arguments.list:
            for mutant in run.choose(arguments.count):
                print(mutant)
            return 0
        outcomes = run.try_again() if arguments.again else run.resume() if arguments.resume else run.try_all()
    except (BuildError, NoState, changes.UnknownCommit, equivalents.FormatError) as error:
        print(f"mutate: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("mutate: interrupted before the first mutant was tried; a further run goes on with the build", file=sys.stderr)
        return 1
    print("\n".join(make_report(outcomes)))
    return 0
