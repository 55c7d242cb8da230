#!/usr/bin/env python3
"""Checks that a command writes the same bytes with several threads as with one.

usage: same-output.py RUNS COMMAND [ARGUMENT...]. The command is run once with -threads=1 and RUNS times with -threads=4,
all functions in parallel; standard output, standard error and the exit status count. Exit status 1 at the first
difference.
"""
import subprocess
import sys


def outcome(command, threads):
    run = subprocess.run([*command, f"-threads={threads}", "-min-parallel-work=0"], capture_output=True, check=False)
    return run.returncode, run.stdout, run.stderr


def main():
    runs, command = int(sys.argv[1]), sys.argv[2:]
    expected = outcome(command, 1)
    for run in range(runs):
        if outcome(command, 4) != expected:
            print(f"run {run + 1} of {runs} differs: {' '.join(command)}")
            return 1
    status, output, errors = expected
    print(f"{runs} runs alike: status {status}, {len(output.splitlines())} and {len(errors.splitlines())} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
