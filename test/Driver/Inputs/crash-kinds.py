"""Crashes relay-test-opt in each way, on one thread and on another than the main one, and runs what it leaves again.

usage: crash-kinds.py INPUT REPRODUCER. Prints the exit status and standard error of each run.
"""
import subprocess
import sys

KINDS = ["abort", "assert", "null", "divide", "trap", "overflow", "unreachable"]
PLACES = {
    "one thread": ["f1", "-threads=1"],
    "another thread": ["", "-threads=2", "-min-parallel-work=0"],
}


def run(title, arguments):
    result = subprocess.run(["relay-test-opt", *arguments], capture_output=True, text=True, check=False)
    print(f"{title}: status {result.returncode}", *result.stderr.splitlines(), sep="\n  ")
    return result.stdout


def main():
    module, reproducer = sys.argv[1:]
    for kind in KINDS:
        for place, (function, *threads) in PLACES.items():
            passes = f"-passes=simplify-inference,test-crash<how={kind};function={function}>"
            output = run(f"{kind}, {place}", [module, passes, *threads, "-crash-reproducer=" + reproducer])
            output += run("again", ["-run-reproducer", reproducer])
            assert not output, output


if __name__ == "__main__":
    main()
