#!/usr/bin/env python3
"""Runs a command with a terminal as its standard error and prints what that got: carriage returns as <, the sequence that
clears to the end of the line as |, each line only once when several in a row differ in numbers alone.

usage: in-terminal.py SECONDS COMMAND [ARGUMENT...]. The command is stopped for so long soon after its start, and again, at
most five times, if that was too early for it to print anything.
"""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

master, slave = pty.openpty()
with subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave) as child:
    os.close(slave)
    for _ in range(5):
        time.sleep(0.05)
        if child.poll() is not None or select.select([master], [], [], 0)[0]:
            break
        child.send_signal(signal.SIGSTOP)
        time.sleep(float(sys.argv[1]))
        child.send_signal(signal.SIGCONT)
    text = b""
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:  # Linux's way to say that the other side is closed.
        pass
shown = text.decode().replace("\r\n", "\n").replace("\r", "\n<").replace("\x1b[K", "|")
previous = None
for line in shown.split("\n"):
    masked = re.sub(r"\d+\.\d", "N", line)
    if line and masked != previous:
        print(line)
    previous = masked
sys.exit(child.returncode)
