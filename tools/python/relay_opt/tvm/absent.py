# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The error for parts of TVM that the package does not have."""


def absent(module: str, name: str) -> AttributeError:
    """Returns the error for module.name."""
    return AttributeError(
        f"relay_opt has no '{module}.{name}'; docs/Python.md lists what of TVM is here"
    )
