"""The scratch copy of the tree: what is woven there, its build, and the mutants that do not compile."""
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from .weaving import weave

HEADER = Path(__file__).resolve().parent / "runtime.h"
# A line of GCC's or Clang's output with a position, and whether it is the error itself.
PLACE = re.compile(r"^(?:In file included from |\s+from )?(\S+?):(\d+)[:,](?:\d+:)?( (?:fatal )?error:)?")
TARGET = "relay-test-depends"
# A line of `ninja -t query` that names an input, but not an order-only one.
QUERIED_INPUT = re.compile(r"^    ([^|\s]\S*)$", re.M)
# A program that the tests run, by its path in the build folder.
PROGRAM = re.compile(r"bin/|.*Tests$")


class BuildError(Exception):
    """The build fails for a reason other than a mutant."""


def find_blamed(output, mutants, tree, build):
    """The mutants that the output of a failed build names: those at the errors, otherwise those at other named
    positions. Relative paths of the output start from `build`."""
    by_path = {}
    for mutant in mutants:
        by_path.setdefault(os.path.join(tree, mutant.path), []).append(mutant)
    at_errors, elsewhere = set(), set()
    for line in output.splitlines():
        match = PLACE.match(line)
        if not match:
            continue
        path = os.path.normpath(os.path.join(build, match[1]))
        for mutant in by_path.get(path, []):
            if mutant.covers(int(match[2])):
                (at_errors if match[3] else elsewhere).add(mutant.number)
    return at_errors or elsewhere


def write_if_changed(path, content):
    """Does not change the time of a file that already has the content, so that it is not compiled again."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return True


class Scratch:
    """`source` is the working tree, which is only read; `folder` holds the copy and the build."""

    def __init__(self, source, folder, jobs):
        self.source = source
        self.tree = folder / "tree"
        # The path in the copy equals that of build/release in the working tree, and has its flags: ccache provides
        # objects without mutants, if the common parent folder is its `base_dir`.
        self.build = self.tree / "build" / "release"
        # Woven code does not name the folder of these sources, so that another copy of them compiles nothing again.
        self.header = folder / "runtime.h"
        self.rejected = folder / "rejected.txt"
        self.jobs = jobs

    def listed(self, *paths):
        """Paths of the working tree that belong to the project, including new ones."""
        listing = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths],
                                 cwd=self.source, capture_output=True, text=True, check=True).stdout
        return [path for path in listing.split("\0") if path and (self.source / path).is_file()]

    def copy(self, mutants, *paths):
        """Makes `paths` of the copy, or all of it, equal to the working tree with `mutants`; returns the changed
        paths."""
        by_path = {}
        for mutant in mutants:
            by_path.setdefault(mutant.path, []).append(mutant)
        write_if_changed(self.header, HEADER.read_bytes())
        changed, wanted = [], set(self.listed(*paths))
        for path in sorted(wanted):
            content = (self.source / path).read_bytes()
            if path in by_path:
                content = weave(content, by_path[path], str(self.header))
            if write_if_changed(self.tree / path, content):
                changed.append(path)
            (self.tree / path).chmod((self.source / path).stat().st_mode)
        self.remove_all_but(wanted, paths)
        return changed

    def remove_all_but(self, wanted, paths):
        """Removes files that are not in `wanted` from `paths` of the copy, or from all of it. Keeps the build."""
        roots = [self.tree / path for path in paths] or [path for path in self.tree.iterdir() if path.name != "build"]
        for root in roots:
            for path in root.rglob("*") if root.is_dir() else [root]:
                if path.is_file() and str(path.relative_to(self.tree)) not in wanted:
                    path.unlink()

    def run(self, *command):
        """Exit status and output. An interrupt ends the command and its children."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            output, _ = process.communicate()
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGTERM)
            raise
        return process.returncode, output

    def compile(self):
        """The output of a failed build, or None."""
        if not (self.build / "build.ninja").exists():
            status, output = self.run("cmake", "-S", str(self.tree), "-B", str(self.build), "-G", "Ninja",
                                      "-DCMAKE_BUILD_TYPE=Release")
            if status:
                raise BuildError(output)
        status, output = self.run("ninja", "-C", str(self.build), "-k", "0", "-j", str(self.jobs), *self.list_programs())
        return output if status else None

    def list_programs(self):
        """The programs of the tests: the tools and the unit tests. The headers are not compiled one by one."""
        programs, targets = {}, [TARGET]
        while targets:
            status, output = self.run("ninja", "-C", str(self.build), "-t", "query", targets.pop())
            if status:
                raise BuildError(output)
            for path in QUERIED_INPUT.findall(output.partition("outputs:")[0]):
                if path.endswith("/" + TARGET):
                    targets.append(path)
                elif PROGRAM.match(path):
                    programs[path] = True
        return list(programs)

    def read_rejected(self):
        return set(self.rejected.read_text().splitlines()) if self.rejected.is_file() else set()

    def reject(self, mutants):
        """Records mutants that do not compile, for a build that is interrupted or repeated."""
        with open(self.rejected, "a") as file:
            file.writelines(f"{mutant}\n" for mutant in mutants)

    def build_mutants(self, mutants):
        """Builds the tree with `mutants` and returns those that compile."""
        rejected = self.read_rejected()
        mutants = [mutant for mutant in mutants if str(mutant) not in rejected]
        while True:
            self.copy(mutants)
            output = self.compile()
            if output is None:
                return mutants
            blamed = find_blamed(output, mutants, self.tree, self.build)
            if not blamed:
                raise BuildError(output)
            print(f"{len(blamed)} of {len(mutants)} mutants do not compile", file=sys.stderr, flush=True)
            self.reject([mutant for mutant in mutants if mutant.number in blamed])
            mutants = [mutant for mutant in mutants if mutant.number not in blamed]
