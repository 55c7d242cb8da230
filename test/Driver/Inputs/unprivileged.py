"""usage: unprivileged.py COMMAND...: runs COMMAND without the privilege of root to ignore the permissions of files."""
import ctypes
import os
import sys

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE = 1

if os.geteuid() == 0 and ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0:
    sys.exit("unprivileged.py: the privilege cannot be given up")
os.execvp(sys.argv[1], sys.argv[1:])
