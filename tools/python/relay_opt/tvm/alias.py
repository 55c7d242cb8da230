# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes `import tvm` find relay_opt.tvm."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys

_HERE = __name__.rpartition(".")[0]  # relay_opt.tvm


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        return importlib.import_module(_HERE + spec.name[len("tvm") :])

    def exec_module(self, module) -> None:
        pass


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname: str, path=None, target=None):
        if fullname != "tvm" and not fullname.startswith("tvm."):
            return None
        real = _HERE + fullname[len("tvm") :]
        try:
            found = importlib.util.find_spec(real)
        except ModuleNotFoundError:
            found = None
        if found is None:
            raise ModuleNotFoundError(
                f"relay_opt has no module '{fullname}'; docs/Python.md lists what of TVM is here", name=fullname
            )
        spec = importlib.machinery.ModuleSpec(fullname, _Loader(), is_package=found.submodule_search_locations is not None)
        return spec


def install(force: bool = False) -> None:
    """Installs the alias. Raises ImportError if a real TVM can be imported, unless force is set."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    real = importlib.util.find_spec("tvm")
    if real is not None and not force:
        raise ImportError(f"a real TVM is installed ({real.origin}); use --force to take relay_opt instead")
    sys.meta_path.insert(0, _Finder())
