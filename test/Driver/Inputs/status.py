"""usage: status.py STATUS COMMAND...: runs COMMAND without input and checks its exit status."""
import subprocess
import sys

wanted = int(sys.argv[1])
found = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
if found != wanted:
    sys.exit(f"exit status {found}, expected {wanted}")
