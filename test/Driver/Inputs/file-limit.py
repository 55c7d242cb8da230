"""Runs a program that may write files of up to some bytes.

usage: file-limit.py BYTES PROGRAM ARGUMENT...
"""
import resource
import subprocess
import sys

limit = int(sys.argv[1])
sys.exit(subprocess.run(sys.argv[2:], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))).returncode)
