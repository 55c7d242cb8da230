#!/usr/bin/env python3
"""run_tests.py LIT BUILD TREE BIN: runs the tests of TREE as those of the build BUILD, with the tools of BIN first."""
import os
import subprocess
import sys

lit, build, tree, bin_dir = sys.argv[1:]
config = open(os.path.join(build, "test", "lit.site.cfg.py")).read().split("lit_config.load_config")
config[0] += f"config.relay_bin_dir = '{bin_dir}'\n"
config[1] += f"config.test_source_root = '{tree}/test'\nconfig.test_exec_root = '{tree}/out'\n"
with open(os.path.join(tree, "test", "lit.site.cfg.py"), "w") as file:
    file.write("lit_config.load_config".join(config))
sys.exit(subprocess.run([sys.executable, lit, "-v", os.path.join(tree, "test")], text=True).returncode)
