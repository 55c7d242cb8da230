"""usage: data-limit.py MIB COMMAND...: runs COMMAND with so much memory for data, and prints its status."""
import resource
import subprocess
import sys

size = int(sys.argv[1]) << 20
limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (size, size))
done = subprocess.run(sys.argv[2:], preexec_fn=limit)
print("exit status", done.returncode)
