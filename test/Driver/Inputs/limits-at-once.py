"""Runs into a limit of printing on several threads, so many times: one error, and a reproducer that is always the same."""
import subprocess
import sys

runs, path = int(sys.argv[1]), sys.argv[2]
command = ["relay-opt", path, "-threads=8", "-min-parallel-work=0", "-max-characters=20", "-crash-reproducer=at-once.relay"]
seen = set()
for _ in range(runs):
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and result.stderr.count("error:") == 1, result.stderr
    seen.add(open("at-once.relay").read())
assert len(seen) == 1 and len(seen.pop()) > 10000
