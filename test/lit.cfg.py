# How lit runs the tests of this directory. Tests name the tools plainly (`relay-opt %s | FileCheck %s`): those of this
# build come first in PATH, then FileCheck, not, split-file and count of LLVM.
import importlib.util
import os
import subprocess
import sys

import lit.formats
import lit.util

config.name = "Relay"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".relay", ".td", ".test"]
config.excludes = ["Inputs", "lib", "Rules"]
config.test_source_root = os.path.join(config.relay_source_dir, "test")
config.test_exec_root = os.path.join(config.relay_binary_dir, "test")

# lit runs what is there, and says what is not.
missing = [tool for tool in config.relay_tools if not os.path.exists(os.path.join(config.relay_bin_dir, tool))]
if missing:
    lit_config.warning("not built, so that tests that run them fail: " + ", ".join(missing) +
                       "; build the target relay-test-depends")

path = [config.relay_bin_dir, config.llvm_tools_dir, config.environment.get("PATH", os.environ["PATH"])]
config.environment["PATH"] = os.pathsep.join(path)
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"

config.substitutions += [
    ("%cxx", config.cxx),
    ("%python", config.python),
    ("%lit", config.lit),
    ("%relay_src", config.relay_source_dir),
    ("%relay_build", config.relay_binary_dir),
    ("%relay_include", os.path.join(config.relay_source_dir, "include")),
    ("%llvm_include", config.llvm_include_dir),
    ("%clang_format", config.clang_format),
]


def add_mode(name, *flags):
    """RELAY_CHECK_<NAME>=1 in the environment: every relay-opt of the tests gets these flags, but those that it has."""
    if os.environ.get("RELAY_CHECK_" + name.upper()) != "1":
        return
    config.available_features.add("check-" + name)
    for flag in flags:
        unless = rf"(?![^|;&]* {flag.partition('=')[0]}\b)"
        config.substitutions.append((r"(?<![\w./-])relay-opt(?![\w./-])" + unless, "relay-opt " + flag))


# Function passes run on four threads, however little there is to do.
add_mode("threads", "-threads=4", "-min-parallel-work=0")
# What a test reads, and what its pipeline leaves, has to read back as the same.
add_mode("roundtrip", "-verify-roundtrip")
# What passes preserve, and where they change nothing, is checked; so is the module after each pass.
add_mode("analyses", "-verify-analysis-invalidation", "-verify-each")

if config.relay_assertions:
    config.available_features.add("assertions")
if config.clang_format and not config.clang_format.endswith("NOTFOUND"):
    config.available_features.add("clang-format")
if not config.relay_pie:
    config.available_features.add("no-pie")
if config.relay_sanitize:
    config.available_features.add("sanitizers")
    # The tools leave memory to the system at exit, on purpose. Poisoning by hand is off, since LLVM's archives are not
    # instrumented: what their part of a BumpPtrAllocator hands out stays poisoned.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
if "thread" in config.relay_sanitize:
    # TSan writes and maps a file at start: where a test limits the size of files, it ends by a bus error.
    config.available_features.add("tsan")

# What is shown on a terminal only: where there are no pseudo-terminals (a chroot without /dev/pts), nothing can be seen.
try:
    for fd in os.openpty():
        os.close(fd)
    config.available_features.add("pty")
except OSError:
    pass

# Shells, for completion.
for shell in ["fish", "zsh"]:
    if lit.util.which(shell, config.environment["PATH"]):
        config.available_features.add(shell)

# Pages are looked at in a browser where there is one.
chromium = lit.util.which("chromium", config.environment["PATH"])
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))

# oneDNN, for docs/examples/dnnl-backend, which needs version 2. Its CMake package wants OpenCL, headers and loader.
program = """#include <CL/cl.h>
#include <oneapi/dnnl/dnnl_version.h>
static_assert(DNNL_VERSION_MAJOR == 2);
int main() {}
"""
if subprocess.run([config.cxx, "-x", "c++", "-", "-o", os.devnull, "-ldnnl", "-lOpenCL"], input=program,
                  capture_output=True, text=True).returncode == 0:
    config.available_features.add("dnnl")

# A Python with numpy, for utils/relay-quant-doctor.
for python in dict.fromkeys([config.python, sys.executable, "/usr/bin/python3"]):
    if os.path.exists(python) and subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
        config.available_features.add("numpy")
        config.substitutions.append(("%numpy_python", python))
        break

# Python with tree-sitter, which utils/mutate installs for itself.
mutate_python = os.path.join(config.relay_source_dir, "build", "mutate", "venv", "bin", "python")
if not os.path.exists(mutate_python) and importlib.util.find_spec("tree_sitter_cpp"):
    mutate_python = config.python
if os.path.exists(mutate_python):
    config.available_features.add("tree-sitter")
    config.substitutions.append(("%mutate_python", mutate_python))
