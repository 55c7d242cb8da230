"""usage: closed-pipe.py COMMAND...: runs COMMAND with a standard output that nobody reads, and prints its status."""
import os
import subprocess
import sys

reader, writer = os.pipe()
os.close(reader)
done = subprocess.run(sys.argv[1:], stdout=writer, stderr=sys.stderr)
print("exit status", done.returncode)
