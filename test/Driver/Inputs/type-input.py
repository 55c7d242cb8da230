"""usage: type-input.py COMMAND...: runs COMMAND on a terminal, types a function there, and prints what the terminal shows."""
import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
typed = False
while True:
    try:
        text = os.read(terminal, 4096)
    except OSError:  # the other side is closed
        break
    if not text:
        break
    shown += text
    if not typed and b"\n" in shown:
        os.write(terminal, b"def @main() { 1 }\n\x04")
        typed = True
os.waitpid(pid, 0)
sys.stdout.write(shown.decode().replace("\r", ""))
