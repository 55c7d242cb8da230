"""usage: odd-options.py INPUT REPRODUCER: lets a pass fail under options that hold what separates lines and words."""
import subprocess
import sys

OPTIONS = [
    """-passes=simplify-inference,test-crash<how="\n \\none\\of 'those'; $FILE\r">,test-fail""",
    "-constants-file=none.params",
]
sys.exit(subprocess.run(["relay-test-opt", sys.argv[1], *OPTIONS, "-crash-reproducer", sys.argv[2]]).returncode != 1)
