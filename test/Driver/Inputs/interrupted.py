"""usage: interrupted.py HOW COMMAND...: runs COMMAND, which writes a long file, under a condition, and prints its status.

HOW is `alarm` (SIGALRM while the file is written), `killed` (SIGKILL), `hangup` (SIGHUP, which the command was told to
ignore, as by nohup), `limit` (no file may be larger than 4,096 bytes), or `none`."""
import os
import resource
import signal
import subprocess
import sys

HOW = sys.argv[1]
SIGNALS = {"alarm": signal.SIGALRM, "killed": signal.SIGKILL, "hangup": signal.SIGHUP}


def prepare():
    if HOW == "hangup":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if HOW == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def has_begun(process):
    """Whether a regular file is open for writing in the process."""
    folder = f"/proc/{process.pid}/fd"
    try:
        for name in os.listdir(folder):
            with open(f"/proc/{process.pid}/fdinfo/{name}") as info:
                flags = int(info.read().split("flags:")[1].split()[0], 8)
            target = os.readlink(f"{folder}/{name}")
            if flags & os.O_ACCMODE == os.O_WRONLY and target.startswith("/") and not target.startswith("/dev/"):
                return True
    except OSError:
        pass
    return False


def run():
    """The exit status, or None if the command ended before the signal could be sent."""
    process = subprocess.Popen(sys.argv[2:], preexec_fn=prepare)
    while HOW in SIGNALS and process.poll() is None and not has_begun(process):
        pass
    late = process.poll() is not None
    if HOW in SIGNALS and not late:
        process.send_signal(SIGNALS[HOW])
    status = process.wait()
    return None if HOW in SIGNALS and late else status


status = None
for attempt in range(50):
    status = run()
    if status is not None:
        break
print("exit status", status if status is None or status >= 0 else signal.Signals(-status).name)
