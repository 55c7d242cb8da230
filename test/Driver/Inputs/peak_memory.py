"""Runs COMMAND and fails when it fails or when its peak memory (resident, mapped files included) is above MAX megabytes.

usage: peak_memory.py MAX COMMAND...
"""
import resource
import subprocess
import sys

limit, command = int(sys.argv[1]), sys.argv[2:]
status = subprocess.run(command, check=False).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
if status:
    sys.exit(f"status {status}")
if peak > limit:
    sys.exit(f"{peak:.0f} MB of memory, more than {limit}")
