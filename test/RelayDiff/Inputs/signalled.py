"""usage: signalled.py COMMAND...: lets COMMAND read from a pipe, and sends it SIGSEGV once it handles that and waits."""
import pathlib
import re
import signal
import subprocess
import sys
import time


def handles(process, number):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    caught = int(re.search("SigCgt:\\s*(\\w+)", status)[1], 16)
    return caught >> (number - 1) & 1 and re.search("State:\\s*S", status)


with subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE) as process:
    while not handles(process, signal.SIGSEGV):
        time.sleep(0.01)
    process.send_signal(signal.SIGSEGV)
print("exit status", process.returncode)
