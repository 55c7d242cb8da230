"""The virtual environment that holds tree-sitter. Nothing else of the project needs it."""
import importlib.util
import os
import subprocess
import sys

PACKAGES = ["tree-sitter==0.26.1", "tree-sitter-cpp==0.23.4"]


def has_tree_sitter():
    return all(importlib.util.find_spec(name) for name in ("tree_sitter", "tree_sitter_cpp"))


def enter(folder):
    """Restarts this program under the Python of the virtual environment in `folder`, which is created on first use.
    Does nothing if tree-sitter is installed."""
    if has_tree_sitter():
        return
    python = folder / "bin" / "python"
    if not python.exists() or subprocess.run([python, "-c", "import tree_sitter, tree_sitter_cpp"], stderr=subprocess.DEVNULL).returncode:
        print(f"installing {', '.join(PACKAGES)} in {folder}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    os.execv(python, [python, *sys.argv])
