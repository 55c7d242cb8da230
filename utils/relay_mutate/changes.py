"""The lines that changed since a commit, and what of the tree belongs to the tools."""
import re
import subprocess
from pathlib import PurePosixPath

ROOTS = ("lib", "include/relay", "tools")
SUFFIXES = (".cpp", ".h")
# The tests of the Python package are not run by lit.
EXTENSION = "lib/Python/"
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


class UnknownCommit(Exception):
    """The commit to compare with does not exist."""


def is_mutable(path, room=None):
    """Returns true for C++ sources of the libraries and the tools, or of one library, `room`; never for the extension
    module of Python."""
    if not path.endswith(SUFFIXES) or not path.startswith(tuple(root + "/" for root in ROOTS)):
        return False
    if path.startswith(EXTENSION):
        return False
    return room is None or room in PurePosixPath(path).parts[1:-1]


def parse_diff(diff):
    """Line numbers of the lines that a diff without context adds, by path."""
    lines, path = {}, None
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line[len("+++ b/"):]
        elif path and (match := HUNK.match(line)):
            first, count = int(match[1]), int(match[2] or 1)
            lines.setdefault(path, set()).update(range(first, first + count))
    return {path: numbers for path, numbers in lines.items() if numbers}


def changed_lines(tree, since, room=None):
    """Line numbers by path of the lines that the working tree has and `since` lacks; follows moved files."""
    answer = subprocess.run(
        ["git", "-c", "core.quotepath=false", "diff", "--no-color", "--no-ext-diff", "-U0", "-M", "--src-prefix=a/",
         "--dst-prefix=b/", since, "--", *ROOTS],
        cwd=tree, capture_output=True, text=True)
    if answer.returncode:
        raise UnknownCommit(answer.stderr.strip())
    return {path: lines for path, lines in parse_diff(answer.stdout).items() if is_mutable(path, room)}
