"""usage: exit-status.py STATUS COMMAND…: fails unless the command exits with this status."""
import subprocess
import sys

expected, *command = sys.argv[1:]
status = subprocess.run(command).returncode
if status != int(expected):
    sys.exit(f"exit status {status} instead of {expected}")
